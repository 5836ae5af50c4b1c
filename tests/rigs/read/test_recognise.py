# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs that no family knows: read by structure, told by the doctor where they rest badly, baked; maps in words."""

from __future__ import annotations

import argparse
import json
import re

import numpy as np
import pytest

from bake_check import body_of, check
from blender_scene import bpy, build_armature, fresh_scene, rest_in_world
from lope.addon.commands.simulate import warn_of_legs
from lope.addon.errors import InputError, RigError
from lope.addon.options.body_options import add_map_option, keep_map, map_of
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read.armature import guess_of, match_of, mirror_of, read_figure
from lope.addon.rigs.read.doctor import ERROR, doctor, fix
from lope.addon.rigs.read.figure import RestBone, carriers_first
from lope.addon.rigs.read.maps import REQUIRED
from lope.addon.rigs.read.own_map import load_map, save_map, store_map, stored_map
from lope.addon.rigs.read.rest_pose import ground_height
from skeleton_kit import FACING_MINUS_Y, human, skeleton
from synthetic_take import synthetic_take


def numbered(name: str = "Rig", axes: np.ndarray = FACING_MINUS_Y, lift: float = 0.0, names=str, **more):
    """A human whose bones have numbers for names, in a fresh scene, and the name of each bone by what it is."""
    fresh_scene(25)
    made, number = skeleton(human(**more), axes, seed=3, names=names)
    up = axes[:, 2] * lift
    bones, waiting = {}, list(range(len(made.names)))
    while waiting:
        for i in list(waiting):
            parent = int(made.parents[i])
            if parent < 0 or made.names[parent] in bones:
                bones[made.names[i]] = (made.heads[i] + up, made.tails[i] + up, made.names[parent] if parent >= 0 else None)
                waiting.remove(i)
    return build_armature(bones, name), {what: made.names[i] for what, i in number.items()}


def keys(armature) -> list[str]:
    return [finding.key for finding in doctor(armature)]


@pytest.mark.slow
@pytest.mark.parametrize("free_feet", [False, True])
def test_a_rig_of_numbers_is_read_and_baked(free_feet):
    armature, bone = numbered(free_feet=free_feet, twist=True)
    match = match_of(armature)
    assert match.family == "structure" and {s: match.bone_of[s] for s in REQUIRED} == {s: bone[s] for s in REQUIRED}
    assert not [finding for finding in doctor(armature) if finding.severity == ERROR]
    figure, rest = read_figure(armature), rest_in_world(armature)
    body = body_of(figure)
    bake_take(armature, synthetic_take(body))
    check(armature, figure, body, rest, degrees=0.05, metres=1e-3)


def test_names_of_a_family_on_bones_that_hang_otherwise_are_not_that_family():
    """Such names have robots whose feet hang on a root; KayKit's characters have a chest, too, and their feet on their shins."""
    called = {"pelvis": "Hips", "thigh": "UpperLeg.{}", "shank": "LowerLeg.{}", "foot": "Foot.{}", "upper_arm": "UpperArm.{}",
              "forearm": "LowerArm.{}"}
    armature, bone = numbered(free_feet=True)
    for what, name in bone.items():
        kind, side = (what[:-2], what[-1]) if what[-2:] in ("_L", "_R") else (what, "")
        if kind in called:
            armature.data.bones[name].name = called[kind].format(side)
    match = match_of(armature)
    assert match.family == "structure" and match.bone_of["foot_L"] == "Foot.L" and match.bone_of["toes_R"] == bone["toes_R"]


@pytest.mark.parametrize("count", [1, 2, 6, 12])
def test_a_chain_is_no_figure(count):
    fresh_scene(25)
    chain = {str(i): ((0.0, 0.0, 0.1 * i), (0.0, 0.0, 0.1 * (i + 1)), str(i - 1) if i else None) for i in range(count)}
    with pytest.raises(RigError, match="no figure on two legs.*Choose Creature under Body .lope creature check"):
        read_figure(build_armature(chain))


def test_a_guess_fills_the_map_of_a_rig_that_lacks_parts():
    armature, bone = numbered()
    bpy.ops.object.mode_set(mode="EDIT")
    for what, name in bone.items():
        if what.startswith(("upper_arm", "forearm", "hand", "finger")):
            armature.data.edit_bones.remove(armature.data.edit_bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(RigError, match="has no arms that Lope can find, by names or by structure"):
        match_of(armature)
    found = guess_of(armature)
    assert found.bone_of["thigh_L"] == bone["thigh_L"] and "has no arms" in found.wrong and "thigh_L" in found.unsure


def test_one_side_tells_the_other_and_unsure_rows_become_sure():
    import lope

    armature, bone = numbered()
    assert mirror_of(armature, bone["shank_L"]) == bone["shank_R"] and mirror_of(armature, bone["neck"]) is None
    store_map(armature, dict(match_of(armature).bone_of), unsure=("shank_L", "head"))
    assert guess_of(armature).unsure == {"shank_L", "head"} and "unsure" in keys(armature)
    lope.register()
    try:
        bpy.context.view_layer.objects.active = armature
        assert bpy.ops.lope.map_bone(segment="thigh_L", bone="") == {"FINISHED"}
        assert "thigh_L" not in stored_map(armature) and "thigh_R" not in stored_map(armature)
        assert bpy.ops.lope.map_bone(segment="thigh_R", bone=bone["thigh_R"]) == {"FINISHED"}
        assert stored_map(armature)["thigh_L"] == bone["thigh_L"]
        assert bpy.ops.lope.map_bone(segment="shank_L", bone=bone["shank_L"], both=False) == {"FINISHED"}
        assert match_of(armature).unsure == {"head"}
    finally:
        lope.unregister()


@pytest.mark.parametrize("degrees, axis", [(90.0, 0), (-90.0, 1)])
def test_a_lying_rig_is_told_and_stood_up(degrees, axis):
    armature, _ = numbered()
    armature.rotation_euler[axis] = np.radians(degrees)
    armature.location = (1.0, 2.0, 3.0)
    bpy.context.view_layer.update()
    assert keys(armature) == ["lying"]
    fix(armature, "lying", bpy.context.scene)
    assert "lying" not in keys(armature)
    figure = read_figure(armature)
    world = np.array(armature.matrix_world)
    np.testing.assert_allclose(world[:3, :3] @ figure.axes[:, 2], [0.0, 0.0, 1.0], atol=1e-6)
    assert abs((world @ np.append(figure.origin, 1.0))[2]) < 1e-5


def test_soles_under_the_ground_are_told_and_set_on_it():
    armature, _ = numbered(lift=-0.1)
    assert "ground" in keys(armature)
    figure = read_figure(armature)
    assert figure.sole_over_ground_m == pytest.approx(figure.origin[2]) and figure.ground[2] == pytest.approx(0.0, abs=1e-6)
    body, rest = body_of(figure), rest_in_world(armature)
    bake_take(armature, synthetic_take(body))
    middle = 0.5 * (rest[figure.bone_of["thigh_L"]][:3, 3] + rest[figure.bone_of["thigh_R"]][:3, 3])
    check(armature, figure, body, rest, ground=np.array([middle[0], middle[1], 0.0]))


@pytest.mark.parametrize("sole, origin, ground", [
    (0.0, 0.0, 0.0), (-0.05, 0.0, 0.0), (0.06, 0.0, 0.0), (0.001, 0.0, 0.001), (1.2, 1.2, 1.2), (1.15, 1.2, 1.2), (0.7, 0.0, 0.7),
    (0.0, 0.05, 0.0), (0.105, 0.1, 0.1), (-0.9, 0.0, 0.0), (0.3, 1.2, 1.2)])
def test_ground_under_a_figure(sole, origin, ground):
    assert ground_height(sole, origin, 0.9) == pytest.approx(ground)


def test_a_rest_pose_in_a_jump_is_told_as_an_error(capsys):
    """Legs forward and trunk back; standing again, nothing is left of it."""
    jump, _ = numbered(legs_deg=38.0)
    finding = next(f for f in doctor(jump) if f.key == "legs_away")
    assert finding.severity == ERROR and finding.fix is None
    assert re.search(r"thighs turned by 3\d degrees, knees bent by \d+, the feet 0\.\d\d m ahead of the hips", finding.sentence)
    warn_of_legs(read_figure(jump).body_spec())
    assert "m ahead of its hips" in capsys.readouterr().err
    standing, _ = numbered()
    assert "legs_away" not in keys(standing)
    warn_of_legs(read_figure(standing).body_spec())
    assert capsys.readouterr().err == ""


def test_a_moving_parent_is_told():
    armature, _ = numbered()
    cart = bpy.data.objects.new("cart", None)
    bpy.context.scene.collection.objects.link(cart)
    armature.parent = cart
    assert "moving_parent" not in keys(armature)
    cart.keyframe_insert("location", frame=1)
    found = next(finding for finding in doctor(armature) if finding.key == "moving_parent")
    assert "'cart', which moves" in found.sentence and found.severity != ERROR


def test_connected_hips_are_told_and_disconnected():
    armature, bone = numbered()
    bpy.ops.object.mode_set(mode="EDIT")
    root = armature.data.edit_bones.new("root")
    root.head, root.tail = (0.0, 0.0, 0.0), armature.data.edit_bones[bone["pelvis"]].head
    armature.data.edit_bones[bone["pelvis"]].parent = root
    armature.data.edit_bones[bone["pelvis"]].use_connect = True
    bpy.ops.object.mode_set(mode="OBJECT")
    found = next(finding for finding in doctor(armature) if finding.key == "connected")
    assert found.severity == ERROR and bone["pelvis"] in found.sentence
    assert "1 bones" in fix(armature, "connected", bpy.context.scene) and "connected" not in keys(armature)
    bake_take(armature, synthetic_take(body_of(read_figure(armature))))


def test_bones_in_an_order_in_which_nothing_comes_before_what_carries_it():
    def bone(name: str, parent: str | None) -> RestBone:
        return RestBone(name, parent, np.zeros(3), np.ones(3), np.eye(3))

    rig = [bone("foot", None), bone("hips", None), bone("leg", "hips"), bone("shin", "leg")]
    parts = {"hips": "pelvis", "leg": "thigh_L", "shin": "shank_L", "foot": "foot_L"}
    assert [one.name for one in carriers_first("Rig", rig, parts)] == ["hips", "leg", "shin", "foot"]
    with pytest.raises(RigError, match="'shin' of 'Rig' hangs below 'foot', which it has to carry"):
        carriers_first("Rig", [bone("foot", None), bone("shin", "foot"), bone("leg", "shin"), bone("hips", "leg")], parts)


def words(*given: str) -> list[str] | None:
    parser = argparse.ArgumentParser()
    add_map_option(parser)
    return parser.parse_args(["--map", *given] if given else []).map


def test_maps_in_words_and_files(tmp_path):
    armature, bone = numbered()
    assert map_of(words(), armature) is None
    found = map_of(words(f"{bone['crown']}=head", f"neck={bone['head']}", "=toes_L"), armature)
    assert found["head"] == bone["crown"] and found["neck"] == bone["head"] and "toes_L" not in found
    assert found["thigh_L"] == bone["thigh_L"]
    save_map(tmp_path / "map.json", found, "Rig")
    keep_map(words(str(tmp_path / "map.json"), "=hand_L"), armature)
    assert stored_map(armature) == {part: one for part, one in load_map(tmp_path / "map.json").items() if part != "hand_L"}
    with pytest.raises(InputError, match="no part of the body in --map 3=nose named 'nose'"):
        map_of(words("3=nose"), armature)
    with pytest.raises(InputError, match="takes one file"):
        map_of(words("a.json", "b.json"), armature)
    with pytest.raises(RigError, match="does not have: nothing"):
        keep_map(words("nothing=head"), armature)


@pytest.mark.slow
def test_the_map_goes_through_the_command_line(tmp_path, capsys):
    from lope.addon.cli import main

    _, bone = numbered()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rig.blend"))
    saved = tmp_path / "map.json"
    assert main(["doctor", "--blend", str(tmp_path / "rig.blend"), "--map", "=toes_L", "=toes_R", "--save-map", str(saved),
                 "--json"]) == 0
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert report["bones"]["thigh_L"] == bone["thigh_L"] and "toes_L" not in report["bones"]
    out = tmp_path / "take.npz"
    assert main(["simulate", "--blend", str(tmp_path / "rig.blend"), "--map", str(saved), "--engine", "ideal", "--seconds", "1",
                 "--out", str(out)]) == 0
    from lope.addon.sim.take import Take

    assert "toes_L" not in Take.load(out).body.index
    assert main(["bake", "--blend", str(tmp_path / "rig.blend"), "--map", str(saved), "--take", str(out), "--out",
                 str(tmp_path / "baked.blend")]) == 0
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "baked.blend"))
    assert stored_map(bpy.data.objects["Rig"]) == load_map(saved)


def test_an_override_of_a_rig_without_a_map_keeps_its_own(tmp_path):
    """Of custom properties that the library does not have, Blender keeps none on an override, and Blender 5 no settings."""
    import lope
    from lope.operators.override_settings import dumped, restored

    _, bone = numbered()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    lope.register()
    try:
        with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_, into):
            into.objects = ["Rig"]
        bpy.context.scene.collection.objects.link(into.objects[0])
        own = into.objects[0].override_create(remap_local_usages=True)
        own.override_library.is_system_override = False
        store_map(own, {"pelvis": bone["pelvis"], "head": bone["head"]}, whole=False, unsure=("head",))
        own.lope.gait, own.lope.mass_kg = "run", 91.0
        own.lope.pushes.add().force_n = 44.0
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
        own = next(item for item in bpy.data.objects if item.override_library is not None and item.type == "ARMATURE")
        assert stored_map(own) == {"pelvis": bone["pelvis"], "head": bone["head"]} and guess_of(own).unsure == {"head"}
        assert (own.lope.gait, own.lope.mass_kg, own.lope.pushes[0].force_n) == ("run", 91.0, 44.0)
        bpy.context.view_layer.objects.active = own
        assert bpy.ops.lope.map_forget() == {"FINISHED"} and stored_map(own) is None
        kept = dumped(own.lope)
        for name in kept:
            own.lope.property_unset(name)
        assert own.lope.mass_kg != 91.0
        restored(own.lope, {**kept, "mass_kg": 64.0, "gait": "no such gait", "unheard_of": 3})
        assert own.lope.mass_kg == 64.0 and own.lope.pushes[0].force_n == 44.0 and "lope_override_settings" in bpy.context.scene
    finally:
        lope.unregister()


def test_the_panel_says_what_the_doctor_says_of_the_figure_once_it_was_asked():
    import lope
    from lope.operators.figures import findings_of, forget

    armature, _ = numbered(lift=-0.1)
    lope.register()
    try:
        scene = bpy.context.scene
        bpy.context.view_layer.objects.active = armature
        assert findings_of(armature, scene, ask=False) == []
        assert bpy.ops.lope.detect_rig() == {"FINISHED"}
        assert [finding.key for finding in findings_of(armature, scene, ask=False)] == ["ground"]
        armature.rotation_euler[0] = np.radians(90.0)
        bpy.context.view_layer.update()
        with pytest.raises(RuntimeError, match="does not"):
            bpy.ops.lope.detect_rig()
        assert [finding.key for finding in findings_of(armature, scene, ask=False)] == ["lying"]
        assert bpy.ops.lope.doctor_fix(key="lying") == {"FINISHED"} and bpy.ops.lope.detect_rig() == {"FINISHED"}
    finally:
        forget()
        lope.unregister()
