# SPDX-License-Identifier: GPL-3.0-or-later
"""A creature's take on its rig: every part's bone moves as simulated, feet stand still, what is no part rides."""


import numpy as np
import pytest
from mathutils import Matrix

import lope
from bake_kit import keys
from blender_scene import bpy, fresh_scene, pose_in_world, turn_between
from broken_rigs import state
from creature_walk import creature_walk
from lope.addon.errors import RigError
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.reports.feet import loaded_points
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.live import LivePose
from lope.addon.rigs.bake.placing import figure_for, hips_of, shown_figure
from lope.addon.rigs.read.actions import curves_of
from lope.addon.rigs.read.creature import creature_figure, fitted, resized
from lope.addon.rigs.shots.open_rig import put_on_stage
from lope.addon.specs.bake_options import BakeOptions
from lope.scripts.tools.make_creatures import make

SLIP_MM = 2.0


def rig_of(name: str):
    """A made creature in an empty file: its armature and its shape."""
    return make(name, fresh_scene())


@pytest.fixture
def alien():
    """Neck of eight, tail of five, baked."""
    armature, creature = rig_of("alien")
    take = creature_walk(creature)
    before = set(bpy.data.objects), [bone.name for bone in armature.data.bones]
    action = bake_take(armature, take)
    assert (set(bpy.data.objects), [bone.name for bone in armature.data.bones]) == before
    return armature, creature, take, action


def points_of(armature, figure, body, frames):
    """World places (T, P, 3) [m] of the soles' points on the posed bones."""
    out = np.empty((len(frames), len(body.contact_points), 3))
    for k, frame in enumerate(frames):
        pose = pose_in_world(armature, int(frame))
        for i, point in enumerate(body.contact_points):
            bone = figure.bone_of[point.segment]
            rest = figure.origin + figure.units_per_m * (figure.axes @ (figure.joint(point.segment) + point.position))
            inside = np.linalg.inv(np.array(armature.data.bones[bone].matrix_local)) @ np.append(rest, 1.0)
            out[k, i] = (pose[bone] @ inside)[:3]
    return out


def slips_mm(armature, take) -> list[float]:
    """The farthest that a loaded point of each stance comes over the ground, through Blender's evaluated pose."""
    figure, scene = figure_for(armature, take.body), bpy.context.scene
    first, last = (int(f) for f in armature.animation_data.action.frame_range)
    frames = np.arange(first, last + 1)
    own = figure.own_body(0.0)
    place = points_of(armature, figure, own, frames)
    after = np.clip(np.searchsorted(take.time_s, (frames - first) / scene.render.fps), 1, len(take.time_s) - 1)
    down = loaded_points(take)[after - 1] & loaded_points(take)[after]
    found = []
    for foot in own.feet:
        on = down[:, foot.points]
        both = on[1:] & on[:-1]
        steps = np.diff(place[:, foot.points, :2], axis=0) * both[..., None]
        edges = np.flatnonzero(np.diff(np.concatenate([[False], both.any(axis=1), [False]]).astype(int)))
        found += [1000.0 * float(np.linalg.norm(np.cumsum(steps[a:b], axis=0), axis=-1).max())
                  for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return found


@pytest.mark.slow
def test_feet_of_a_long_necked_creature_stand_still(alien):
    armature, _, take, _ = alien
    slips = slips_mm(armature, take)
    assert len(slips) >= 5 and max(slips) <= SLIP_MM


@pytest.mark.slow
def test_without_foot_lock_they_slip_as_simulated():
    armature, creature = rig_of("alien")
    take = creature_walk(creature)
    bake_take(armature, take, options=BakeOptions(lock_feet=False))
    assert max(slips_mm(armature, take)) > 5.0 * SLIP_MM


@pytest.mark.slow
def test_every_part_has_keys_and_none_stays_behind(alien):
    _, creature, _, action = alien
    turned = [curve for curve in curves_of(action) if "rotation" in curve.data_path and len(keys(curve)) > 1]
    moving = {curve.data_path.split('"')[1] for curve in turned}
    assert moving == {part.bone for part in creature.parts}
    assert {f"neck_{i}" for i in range(1, 9)} | {f"tail_{i}" for i in range(1, 6)} <= moving


@pytest.mark.slow
def test_bones_turn_and_stand_as_simulated(alien):
    armature, creature, take, _ = alien
    figure = figure_for(armature, take.body)
    places, turns = take.segment_poses
    rest = {bone.name: np.array(armature.matrix_world @ bone.matrix_local) for bone in armature.data.bones}
    for frame in (1, 20, 41, 70):
        row = int(np.searchsorted(take.time_s, (frame - 1) / 25.0 - 1e-9))
        pose = pose_in_world(armature, frame)
        for part in creature.parts:
            if part.kind == "leg":
                continue
            i = take.body.index[part.name]
            wanted = figure.axes @ matrix_from_quat(turns[row, i]) @ figure.axes.T
            assert np.abs(turn_between(rest[part.bone], pose[part.bone]) - wanted).max() < 2e-3
            assert np.abs(pose[part.bone][:3, 3] - figure.in_armature(places[row, i]))[:2].max() < 2e-3


@pytest.mark.acceptance
@pytest.mark.slow
@pytest.mark.parametrize("root_motion", ["hips", "object"])
def test_the_stage_lies_under_the_soles_of_a_rig_whose_origin_is_not_on_the_ground(root_motion):
    armature, creature = rig_of("alien")
    armature.data.transform(Matrix.Translation((0.0, 0.0, -3.0)))
    take = creature_walk(creature)
    bake_take(armature, take, options=BakeOptions(root_motion=root_motion))
    put_on_stage(bpy.context.scene, armature, take, (1, 76), None)
    bpy.context.view_layer.update()
    figure = figure_for(armature, take.body)
    lowest = points_of(armature, figure, figure.own_body(0.0), range(1, 77))[..., 2].min()
    ground = next(item for item in bpy.context.scene.objects if item.name.startswith("Ground"))
    assert lowest == pytest.approx(-3.0, abs=0.03) and ground.matrix_world.translation.z == pytest.approx(-3.0, abs=1e-3)


@pytest.mark.slow
def test_a_creatures_bake_is_one_undo_step(tmp_path):
    lope.register()
    try:
        armature, creature = rig_of("alien")
        armature.name = "Mia"
        creature_walk(creature, 1.0).save(tmp_path / "take.npz")
        bpy.context.view_layer.objects.active = armature
        armature.select_set(True)
        armature.lope.take_path = str(tmp_path / "take.npz")
        bpy.ops.ed.undo_push(message="Before the bake")
        before = state()
        assert bpy.ops.lope.bake("EXEC_DEFAULT", True) == {"FINISHED"}
        baked = state()
        assert baked != before
        assert len(bpy.data.objects["Mia"].data.bones) == len(creature.parts)
        assert bpy.ops.ed.undo() == {"FINISHED"}
        assert state() == before
    finally:
        lope.unregister()


@pytest.mark.slow
def test_what_is_no_part_rides():
    armature, creature = rig_of("dinosaur")
    bake_take(armature, creature_walk(creature))
    rest = {bone.name: np.array(bone.matrix_local) for bone in armature.data.bones}
    pose = pose_in_world(armature, 30)
    for rider, carrier in (("jaw", "head"), ("chest", "hips")):
        stays = np.linalg.inv(rest[carrier]) @ rest[rider]
        np.testing.assert_allclose(np.linalg.inv(pose[carrier]) @ pose[rider], stays, atol=1e-4)


@pytest.mark.acceptance
@pytest.mark.slow
@pytest.mark.parametrize("name", ["dinosaur", "bird", "toy_robot"])
def test_the_made_rigs_stand_still_too_wherever_they_are_and_however_large(name):
    armature, creature = rig_of(name)
    take = creature_walk(creature, 1.5, 0.3)
    armature.matrix_world = Matrix.Translation((3.0, -1.0, 0.2)) @ Matrix.Rotation(0.7, 4, "Z") @ Matrix.Scale(2.0, 4)
    bake_take(armature, take)
    assert max(slips_mm(armature, take)) <= 2.0 * SLIP_MM  # it is twice as large
    assert figure_for(armature, take.body).leg_length_m == pytest.approx(2.0 * take.body.leg_length_m, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("options", [BakeOptions(root_motion="object"), BakeOptions(root_motion="in_place"),
                                     BakeOptions(parts="legs"), BakeOptions(reduce_error_m=0.002), BakeOptions(go_on=False)])
def test_options_of_a_bake_go_for_creatures(options):
    armature, creature = rig_of("dinosaur")
    take = creature_walk(creature, 1.5, 0.3)
    action = bake_take(armature, take, options=options)
    paths = {curve.data_path for curve in curves_of(action)}
    assert ("location" in paths) == (options.root_motion == "object")
    assert any('"head"' in path for path in paths) == (options.parts == "all")
    assert all(f'pose.bones["thigh_{side}"].rotation_quaternion' in paths for side in "LR")
    shown = shown_figure(armature, bpy.context.scene)
    assert shown.creature == creature and hips_of(armature, shown) == "hips"


@pytest.mark.slow
def test_a_live_pose_shows_and_goes():
    armature, creature = rig_of("alien")
    take = creature_walk(creature, 1.0)
    before = pose_in_world(armature, 1)
    live = LivePose(armature, bpy.context.scene, figure_for(armature, take.body), take.body)
    live.show(take.root_position_m[60], np.vstack([take.root_quaternion[60:61], take.joint_quaternions[60]]))
    assert np.abs(pose_in_world(armature, 1)["neck_8"] - before["neck_8"]).max() > 0.01
    live.restore()
    np.testing.assert_allclose(pose_in_world(armature, 1)["neck_8"], before["neck_8"], atol=1e-6)


@pytest.mark.slow
def test_another_rig_is_refused_and_keeps_what_it_has():
    _, creature = rig_of("alien")
    take = creature_walk(creature, 1.0)
    armature, _ = rig_of("toy_robot")
    with pytest.raises(RigError, match="has no bone 'thigh_L', which is the part thigh_L of the creature alien"):
        bake_take(armature, take)
    assert armature.animation_data is None
    armature, _ = rig_of("alien")
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones["cannon_L"].head.z += 0.2
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(RigError, match="rests .* m from where the creature alien is drawn"):
        bake_take(armature, take)
    armature, _ = rig_of("alien")
    armature.rotation_euler.x = 0.5
    with pytest.raises(RigError, match="does not stand as the creature alien is drawn"):
        creature_figure(armature, creature)


@pytest.mark.slow
def test_a_shape_is_found_again_however_it_lies():
    rng = np.random.default_rng(1)
    places = rng.normal(size=(6, 3))
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    found, scale, shift = fitted(places, 2.5 * places @ turn.T + [1.0, 2.0, 3.0])
    np.testing.assert_allclose(found, turn, atol=1e-9)
    assert scale == pytest.approx(2.5) and shift == pytest.approx([1.0, 2.0, 3.0])
    _, creature = rig_of("bird")
    assert resized(creature, 1.0) is creature
    assert resized(creature, 2.0).parts[3].joint_m == pytest.approx([2.0 * x for x in creature.parts[3].joint_m])
