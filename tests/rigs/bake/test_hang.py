# SPDX-License-Identifier: GPL-3.0-or-later
"""What hangs on a rig: found by how it hangs, swung in the bake, in old bakes and in the artist's own actions."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bake_check import body_of
from bake_kit import everything, rig_and_take
from blender_scene import bpy, curves, fresh_scene
from lope.addon.errors import RigError
from lope.addon.rigs.astronaut.astronaut import add_astronaut
from lope.addon.rigs.astronaut.skeleton import in_edit_mode
from lope.addon.rigs.bake.artist_keys import control_of
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.hang import hang_anew
from lope.addon.rigs.read.armature import read_figure
from lope.addon.rigs.read.hanging import SPRING_KEY, hanging_of, note_springs
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.worlds.planets import load_world
from synthetic_take import synthetic_take

LINES = {
    "antenna": ("chest", [(0.1, 0.3, 1.6 + 0.1 * i) for i in range(6)]),
    "tail": ("pelvis", [(0.0, 0.15 + 0.1 * i, 0.95 - 0.03 * i) for i in range(7)]),
    "hose": ("chest", [(-0.1, -0.16, 1.35), (-0.1, -0.25, 1.3), (-0.1, -0.28, 1.22), (-0.1, -0.25, 1.12), (-0.1, -0.16, 1.05)]),
}


def astronaut():
    """The astronaut with an antenna, a tail, and a hose from chest to hips; its figure."""
    scene = fresh_scene(24)
    armature = add_astronaut(scene)

    def add() -> None:
        bones = armature.data.edit_bones
        for name, (parent, points) in LINES.items():
            above = bones[parent]
            for i in range(len(points) - 1):
                bone = bones.new(f"{name}.{i}")
                bone.head, bone.tail, bone.parent = points[i], points[i + 1], above
                above = bone
        holder = bones.new("holder")
        holder.head, holder.tail, holder.parent = LINES["hose"][1][-1], (-0.1, -0.16, 1.0), bones["pelvis"]

    in_edit_mode(scene, armature, add)
    suit = next(child for child in armature.children if child.type == "MESH")
    for bone in armature.data.bones:
        if "." in bone.name:
            suit.vertex_groups.new(name=bone.name).add([0], 1e-3, "REPLACE")
    return armature, read_figure(armature)


def moving(action) -> set[str]:
    return {control_of(path) for (path, _), points in everything(action).items() if len({key[0][1] for key in points}) > 1}


@pytest.mark.slow
def test_chains_are_found_by_how_they_hang():
    armature, figure = astronaut()
    chains, body = hanging_of(armature, figure)
    assert {one.bones[0].name: (len(one.bones), one.carrier, one.end_on) for one in chains} == {
        "antenna.0": (5, "chest", None), "tail.0": (6, "pelvis", None), "hose.0": (4, "chest", "holder")}
    assert {"head", "upper_arm_L", "forearm_R", "thigh_L"} <= set(body.bones)
    armature.data.bones["tail.0"]["lope_hangs"] = 0
    assert {one.bones[0].name for one in hanging_of(armature, figure)[0]} == {"antenna.0", "hose.0"}
    armature.data.bones["hose.3"]["lope_end_on"] = "nobody"
    with pytest.raises(RigError, match="no bone of that name"):
        hanging_of(armature, figure)


@pytest.mark.slow
@pytest.mark.parametrize("source", ["rigs/kaykit_rogue.glb", "rigs/mpfb_male_mixamo.glb"])
def test_nothing_hangs_on_a_plain_rig_and_it_bakes_as_before(source):
    armature, take = rig_and_take(source)
    assert hanging_of(armature, read_figure(armature))[0] == []
    with_it = everything(bake_take(armature, take))
    assert with_it == everything(bake_take(armature, take, options=BakeOptions(hang=False)))
    with pytest.raises(RigError, match="Nothing hangs"):
        hang_anew(armature, bpy.context.scene)


@pytest.mark.slow
def test_a_bake_swings_what_hangs_in_the_same_action():
    armature, figure = astronaut()
    take = synthetic_take(body_of(figure))
    plain = everything(bake_take(armature, take, options=BakeOptions(hang=False)))
    action = bake_take(armature, take)
    swung = everything(action)
    chains = {bone.name for one in hanging_of(armature, figure)[0] for bone in one.bones}
    assert {control_of(path) for path, _ in set(swung) - set(plain)} == chains <= moving(action)
    assert all(swung[path] == keys for path, keys in plain.items())
    assert everything(bake_take(armature, take)) == swung  # baked anew, the same keys
    action = armature.animation_data.action
    assert len([one for one in bpy.data.actions if one.users]) == 1
    scene, hose = bpy.context.scene, armature.pose.bones["hose.3"]
    off = []
    for frame in range(round(action.frame_range[0]), round(action.frame_range[1]) + 1):
        scene.frame_set(frame)
        off.append((armature.matrix_world @ hose.tail - armature.matrix_world @ armature.pose.bones["holder"].head).length)
    assert max(off) < 1e-3


@pytest.mark.slow
def test_an_old_bake_swings_and_keeps_every_other_key():
    armature, figure = astronaut()
    take = synthetic_take(body_of(figure))
    before = everything(bake_take(armature, take, options=BakeOptions(hang=False)))
    hung = hang_anew(armature, bpy.context.scene)
    after = everything(armature.animation_data.action)
    assert set(hung.chains) == {"antenna.0", "tail.0", "hose.0"} and all(after[path] == keys for path, keys in before.items())
    again = hang_anew(armature, bpy.context.scene)
    assert everything(again.action) == after and len([one for one in bpy.data.actions if one.users]) == 1


@pytest.mark.slow
def test_in_an_action_of_the_artists_keyed_chains_stay_and_the_action_too():
    armature, _ = astronaut()
    pose = armature.pose.bones
    for frame, turn in ((1, 0.0), (12, 0.4), (24, 0.0)):
        for name in ("chest", "antenna.1"):
            pose[name].rotation_quaternion = (1.0, turn, 0.0, 0.0)
            pose[name].keyframe_insert("rotation_quaternion", frame=frame)
    own = armature.animation_data.action
    before = everything(own)
    hung = hang_anew(armature, bpy.context.scene, load_world("moon"))
    assert hung.left == ("antenna.0",) and set(hung.chains) == {"tail.0", "hose.0"}
    assert hung.action != own and everything(own) == before and own.use_fake_user
    assert all(everything(hung.action)[path] == keys for path, keys in before.items())


@pytest.mark.slow
def test_a_loop_of_what_hangs_ends_as_it_begins():
    from foot_slip import walk

    armature, _ = astronaut()
    bake_take(armature, walk("earth", 6.0), options=BakeOptions(loop=True))
    for curve in curves(armature.animation_data.action, armature).values():
        if control_of(curve.data_path).startswith("tail"):
            points = curve.keyframe_points
            assert abs(points[0].co[1] - points[-1].co[1]) < 1e-4 and len(curve.modifiers) == 1


@pytest.mark.slow
def test_spring_bones_of_a_file_are_kept_on_the_bones(tmp_path):
    armature, figure = astronaut()
    names = [bone.name for bone in armature.data.bones]
    told = {"nodes": [{"name": name} for name in names], "extensions": {"VRM": {"secondaryAnimation": {"boneGroups": [
        {"stiffiness": 0.5, "dragForce": 0.3, "hitRadius": 0.01, "bones": [names.index("tail.0")]}]}}}}
    text = json.dumps(told).encode()
    text += b" " * (-len(text) % 4)
    head = b"glTF" + (2).to_bytes(4, "little") + (20 + len(text)).to_bytes(4, "little")
    (tmp_path / "rig.vrm").write_bytes(head + len(text).to_bytes(4, "little") + b"JSON" + text)
    note_springs(tmp_path / "rig.vrm", [armature])
    assert np.allclose(list(armature.data.bones["tail.5"][SPRING_KEY]), [0.5, 0.3, 0.0, 0.01])
    (chain,) = hanging_of(armature, figure)[0]  # where a file tells what hangs, nothing else does
    assert chain.bones[0].name == "tail.0" and chain.springs[2] == pytest.approx((0.5, 0.3, 0.0, 0.01))


