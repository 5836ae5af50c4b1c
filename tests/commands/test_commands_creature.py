# SPDX-License-Identifier: GPL-3.0-or-later
"""`lope creature` on rigs in Blender: written, shown, checked; what is said of bones; what cannot walk."""

import json
from pathlib import Path

import numpy as np
import pytest

bpy = pytest.importorskip("bpy", reason="Blender (the bpy module) is not here")

from beast_kit import beast  # noqa: E402
from lope.addon.bodies.creature.body import make_creature  # noqa: E402
from lope.addon.cli import main  # noqa: E402
from lope.addon.errors import RigError  # noqa: E402
from lope.addon.rigs.read.creature import (  # noqa: E402
    forget_said,
    load_said,
    read_creature,
    store_said,
    stored_said,
)
from lope.addon.specs.creature import read_creature as read_file  # noqa: E402

pytestmark = pytest.mark.slow

RIGS = Path(__file__).resolve().parents[3] / "shared" / "motion" / "rigs"


def armature_of(bones: dict, name: str = "Beast", turn_deg: float = 0.0, size: float = 1.0):
    """An armature of a beast's joints, facing -y, in an empty file; bones end at their only child, or a little on."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    data = bpy.data.armatures.new(name)
    item = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.mode_set(mode="EDIT")
    facing = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for joint, (_, head) in bones.items():
        below = [np.asarray(place) for above, place in bones.values() if above == joint]
        bone = data.edit_bones.new(joint)
        bone.head = facing @ head
        bone.tail = facing @ (below[0] if below and np.linalg.norm(below[0] - head) > 1e-3 else np.add(head, (0.03, 0.0, 0.0)))
    for joint, (above, _) in bones.items():
        if above is not None:
            data.edit_bones[joint].parent = data.edit_bones[above]
    bpy.ops.object.mode_set(mode="OBJECT")
    item.rotation_euler[2] = np.radians(turn_deg)
    item.scale = (size, size, size)
    bpy.context.view_layer.update()
    return item


def test_an_armature_of_any_place_and_scale_is_read():
    straight = read_creature(armature_of(beast("bird"))).creature
    turned = read_creature(armature_of(beast("bird"), turn_deg=130.0, size=1.7)).creature
    assert [part.bone for part in turned.parts] == [part.bone for part in straight.parts]
    for one, other in zip(turned.parts, straight.parts, strict=True):
        assert one.name == one.bone
        np.testing.assert_allclose(one.joint_m, 1.7 * np.array(other.joint_m), atol=2e-3)


def test_what_is_said_is_kept_on_the_armature():
    item = armature_of(beast("raptor"))
    store_said(item, {"neck": "neck_3", "tail": ""})
    found = read_creature(item)
    assert found.said == {"neck": "neck_3", "tail": ""} and found.bones["neck"] == "neck_3" and "tail" not in found.bones
    with pytest.raises(RigError, match="gives two parts the same bone: head"):
        store_said(item, {"neck": "head", "head": "head"})
    with pytest.raises(RigError, match="'ghost' for head"):
        store_said(item, {"head": "ghost"})
    with pytest.raises(RigError, match="no creature walks without"):
        store_said(item, {"trunk": ""})
    forget_said(item)
    assert stored_said(item) == {} and "tail" in read_creature(item).bones


def test_what_is_said_of_a_library_override_is_kept_in_its_file(beast_file, tmp_path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(beast_file), link=True) as (_, into):
        into.objects = ["Beast"]
    bpy.context.scene.collection.objects.link(into.objects[0])
    for act in (lambda: store_said(into.objects[0], {"tail": ""}), lambda: forget_said(into.objects[0])):
        with pytest.raises(RigError, match="a creature map cannot be kept on it; make a library override"):
            act()
    own = into.objects[0].override_create(remap_local_usages=True)
    own.override_library.is_system_override = False
    store_said(own, {"neck": "neck_3", "tail": ""})
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    own = next(item for item in bpy.data.objects if item.override_library is not None and item.type == "ARMATURE")
    assert stored_said(own) == {"neck": "neck_3", "tail": ""}
    forget_said(own)
    assert stored_said(own) == {}


@pytest.fixture
def beast_file(tmp_path):
    armature_of(beast("raptor", arms=2))
    path = tmp_path / "beast.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    return path


def test_a_creature_is_written_and_walks_as_a_body(beast_file, tmp_path, capfd):
    out, said = tmp_path / "out" / "beast.json", tmp_path / "map.json"
    out.parent.mkdir()
    words = ["creature", "from", "--blend", str(beast_file), "--armature", "Beast", "--height", "2", "--out", str(out),
             "--save-map", str(said), "--json"]
    assert main(words) == 0
    report = json.loads(capfd.readouterr().out)
    assert report["walks"] and report["weighed_by"] == "capsules" and report["bones"]["leg_L"] == "thigh_L"
    creature = read_file(out)
    assert {part.name for part in creature.parts} >= {"trunk", "head", "neck_1", "tail_1", "metatarsus_L", "foot_R"}
    assert report["height_m"] == 2.0 and len(make_creature(creature).feet) == 2
    assert load_said(said)["head"] == "head"
    assert main(["creature", "show", "--blend", str(beast_file), "--map", str(said), "=tail"]) == 0
    shown = capfd.readouterr().out
    assert "thigh_L" in shown and "tail_1" not in shown


def test_what_cannot_walk_is_told_and_not_written(tmp_path, capfd):
    armature_of({name: bone for name, bone in beast("human").items() if not name.endswith(("_R", " R"))})
    path, out = tmp_path / "one.blend", tmp_path / "one.json"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    assert main(["creature", "check", "--blend", str(path)]) == 2
    assert "leg" in capfd.readouterr().out
    assert main(["creature", "from", "--blend", str(path), "--out", str(out)]) == 2
    assert "'Beast'" in capfd.readouterr().err and not out.exists()


def test_words_that_do_not_fit(beast_file, capfd):
    for words, told in ((["look"], "no action of `lope creature`"), (["show", "--out", "x.json"], "belongs to"),
                        (["show", "--blend", str(beast_file), "--map", "x=wing"], "no part of a creature"),
                        (["show", "--blend", str(beast_file), "--height", "-1"], "--height must be")):
        assert main(["creature", *words]) == 2
        assert told in capfd.readouterr().err


@pytest.mark.parametrize("name", ["mpfb_male_mixamo.glb", "mpfb_male_cmu.glb", "kaykit_rogue.glb"])
def test_human_rigs_are_creatures(name):
    if not (RIGS / name).is_file():
        pytest.skip(f"{RIGS / name} is not here")
    from lope.addon.rigs.read.armature import match_of
    from lope.addon.rigs.shots.open_rig import open_rig

    armature = open_rig(str(RIGS / name), None)
    found, human = read_creature(armature), match_of(armature).bone_of
    by_name = found.creature.by_name
    for side in "LR":
        for part in ("thigh", "shank", "foot", "upper_arm", "forearm"):
            assert by_name[f"{part}_{side}"].bone == human[f"{part}_{side}"]
    assert (by_name["trunk"].bone, by_name["head"].bone) == (human["pelvis"], human["head"])
    assert {finding.key for finding in found.findings} <= {"hollow"} and found.weighed
    if name.startswith("mpfb"):
        assert sum(part.mass_kg for part in found.creature.parts) == pytest.approx(69.0, abs=6.0)
