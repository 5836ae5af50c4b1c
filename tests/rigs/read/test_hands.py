# SPDX-License-Identifier: GPL-3.0-or-later
"""Hands that have fingers: palms that face the thighs, fingers that hang relaxed, and whatever the artist has posed."""

from blender_scene import bpy, load  # before mathutils, which comes with it

# isort: split
import numpy as np
import pytest
from mathutils import Matrix, Quaternion

from lope.addon.bodies.human.landmarks import neutral_alignments
from lope.addon.bodies.makers import make_body
from lope.addon.maths.rotations import about_z, matrix_from_quat, rotation_between
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.bake.hands import palm_turns, relaxed_fingers
from lope.addon.rigs.read.actions import curves_of
from lope.addon.rigs.read.armature import read_figure
from lope.addon.rigs.read.figure import RestBone
from lope.addon.rigs.read.rest_pose import finger_lines
from lope.addon.specs.bake_options import BakeOptions
from standing_figure import straight_figure
from synthetic_take import synthetic_take

SPREADS = (0.25, 0.05, -0.1, -0.25)
"""How far the index, middle, ring and little finger are spread forward [rad]."""


def with_fingers(palm: float = 0.0, bend: float = 0.0, side: str = "L", count: int = 4):
    """A figure whose arms hang, with straight fingers bent by `bend` at every joint, its palms turned by `palm` off the thigh."""
    plain = straight_figure()
    wrist = plain.bone[f"hand_{side}"].head
    medial = -1.0 if side == "L" else 1.0
    bones = []

    def line(name, base, spread, joints, reach):
        parent, head, at = f"hand_{side}", base, 0.0
        for joint in range(joints):
            at += bend
            way = np.array([np.sin(spread) * np.cos(at), medial * np.sin(at), -np.cos(spread) * np.cos(at)])
            tail = head + reach * way
            ends = [wrist + about_z(palm) @ (point - wrist) for point in (head, tail)]
            bones.append(RestBone(f"{name}{joint}", parent, *ends, np.eye(3)))
            parent, head = f"{name}{joint}", tail

    for i, spread in enumerate(SPREADS[:count]):
        line(f"finger{i}", wrist + [0.3 - 0.2 * i, 0.0, -0.9], spread, 3, 0.3)
    line("thumb", wrist + [0.3, 0.0, -0.3], 0.8, 3, 0.2)
    return straight_figure(bones)


def ways(figure, turns: dict) -> dict[str, np.ndarray]:
    """Direction of each finger bone after the turns, in the hand's own axes at rest."""
    found, carried = {}, {}
    for bone in figure.bones:
        above = carried.get(bone.parent, np.eye(3))
        own = matrix_from_quat(turns[bone.name]) if bone.name in turns else np.eye(3)
        carried[bone.name] = above @ own
        way = bone.tail - bone.head
        found[bone.name] = carried[bone.name] @ way / np.linalg.norm(way)
    return found


@pytest.mark.parametrize("side", "LR")
@pytest.mark.parametrize("degrees", [-40.0, 0.0, 25.0])
def test_the_palm_is_turned_to_the_thigh(side, degrees):
    figure = with_fingers(np.radians(degrees), side=side)
    assert np.degrees(palm_turns(figure)[side]) == pytest.approx(-degrees, abs=0.01)
    assert set(palm_turns(figure)) == {side}, "the other hand has no fingers"


@pytest.mark.parametrize("side, medial", [("L", -1.0), ("R", 1.0)])
def test_straight_fingers_bend_to_the_palm_and_close_up(side, medial):
    figure = with_fingers(side=side)
    turns = relaxed_fingers(figure, set(figure.bone))[f"hand_{side}"]
    assert set(turns) == {f"finger{i}{joint}" for i in range(4) for joint in range(3)}, "the thumb stays"
    found = ways(figure, turns)
    for i in range(4):
        own = [found[f"finger{i}{joint}"] for joint in range(3)]
        at = [np.degrees(np.arctan2(medial * way[1], -way[2])) for way in own]
        np.testing.assert_allclose(np.diff([0.0, *at]), [16.0 + 4 * i, 26.0 + 4 * i, 16.0 + 4 * i], atol=3.5)
    aside = [np.arctan2(found[f"finger{i}0"][0], np.hypot(*found[f"finger{i}0"][1:])) for i in range(4)]
    assert np.ptp(aside) == pytest.approx(0.4 * np.ptp(SPREADS), rel=0.15)


def test_fingers_that_are_bent_more_at_rest_stay_as_they_are():
    figure = with_fingers(bend=0.8)
    turns = relaxed_fingers(figure, set(figure.bone))["hand_L"]
    for joint in (1, 2):
        np.testing.assert_allclose([turns[f"finger{i}{joint}"] for i in range(4)], [[1.0, 0.0, 0.0, 0.0]] * 4, atol=1e-12)


@pytest.mark.parametrize("bend", [0.0, 0.4, 0.8])
def test_the_palm_is_in_line_with_the_forearm_however_bent_the_fingers_rest(bend):
    """Led by the tips of fingers that rest bent, the hand would be bent back by as much in every bake."""
    figure = with_fingers(bend=bend)
    palm = figure.bone["finger10"].head - figure.bone["hand_L"].head
    palm = neutral_alignments(figure.points)["hand_L"] @ figure.axes.T @ palm
    assert np.degrees(np.arccos(-palm[2] / np.linalg.norm(palm))) < 1.0


def test_mittens_and_held_bones_stay_as_they_are():
    assert relaxed_fingers(with_fingers(count=1), set(with_fingers().bone)) == {} == palm_turns(with_fingers(count=1))
    figure = with_fingers()
    assert relaxed_fingers(figure, set(figure.bone) - {"finger12"}) == {}, "one is moved by a constraint"


def rig_and_take():
    armature = load("rigs/mpfb_male_mixamo.glb", 24)
    return armature, synthetic_take(make_body(read_figure(armature).body_spec(70.0)))


def keyed(action) -> set[str]:
    return {curve.data_path.split('"')[1] for curve in curves_of(action)}


@pytest.mark.slow
def test_a_bake_relaxes_fingers_and_again():
    armature, take = rig_and_take()
    finger = "mixamorig:LeftHandIndex2"
    for _ in range(2):
        action = bake_take(armature, take)
        assert finger in keyed(action) and "mixamorig:LeftHandThumb2" not in keyed(action)
        assert {len(c.keyframe_points) for c in curves_of(action) if finger in c.data_path} == {1}
    bpy.context.scene.frame_set(5)
    assert np.degrees(armature.pose.bones[finger].matrix_basis.to_quaternion().angle) > 8.0


@pytest.mark.slow
def test_a_part_of_an_action_leaves_fingers_alone():
    armature, take = rig_and_take()
    bone = armature.pose.bones["mixamorig:Head"]
    bone.keyframe_insert("location", frame=100)
    names = keyed(bake_take(armature, take, options=BakeOptions(target="replace", frame_range=(5, 20))))
    assert "mixamorig:LeftHand" in names and not any("Index" in name for name in names)


@pytest.mark.slow
def test_fingers_that_the_artist_has_posed_stay_so():
    armature, take = rig_and_take()
    bone = armature.pose.bones["mixamorig:LeftHandIndex2"]
    bone.rotation_mode, bone.rotation_quaternion = "QUATERNION", (0.8, 0.6, 0.0, 0.0)
    names = keyed(bake_take(armature, take))
    assert not any("LeftHandIndex" in name or "LeftHandRing" in name for name in names)
    assert "mixamorig:RightHandIndex2" in names
    assert tuple(bone.rotation_quaternion) == pytest.approx((0.8, 0.6, 0.0, 0.0))


def in_an_imported_t_pose(armature, bend: float) -> None:
    """Arms and fingers straight, as some files leave a rig that rests otherwise; the fingers bent by `bend` [rad] a joint."""
    figure = read_figure(armature)
    for name in ("Left", "Right"):
        arm, forearm, hand = (figure.bone[f"mixamorig:{name}{part}"] for part in ("Arm", "ForeArm", "Hand"))
        pose(armature, arm, Quaternion((0.0, 0.0, 1.0), 0.05))
        straighten(armature, [arm, forearm, hand], 0.0)
        for finger in finger_lines(figure.bones, hand, hand.head - forearm.head)[0]:
            straighten(armature, [hand, *finger], bend)


def straighten(armature, line: list[RestBone], bend: float) -> None:
    for before, joint, after in zip(line, line[1:], line[2:], strict=False):
        ways = [joint.rotation.T @ way for way in (after.head - joint.head, joint.head - before.head)]
        pose(armature, joint, Matrix(rotation_between(*ways)).to_quaternion() @ Quaternion((1.0, 0.0, 0.0), bend))


def pose(armature, bone: RestBone, turn: Quaternion) -> None:
    found = armature.pose.bones[bone.name]
    found.rotation_mode, found.rotation_quaternion = "QUATERNION", turn


@pytest.mark.slow
@pytest.mark.parametrize("bend, relaxed", [(0.0, True), (0.6, False)])
def test_a_t_pose_that_a_file_left_is_not_the_artists_but_bent_fingers_are(bend, relaxed):
    armature, take = rig_and_take()
    in_an_imported_t_pose(armature, bend)
    names = keyed(bake_take(armature, take))
    assert ("mixamorig:LeftHandIndex2" in names) is ("mixamorig:RightHandRing2" in names) is relaxed


@pytest.mark.slow
def test_a_baked_palm_faces_the_thigh_as_simulated():
    """MPFB's hands rest 20 degrees turned to the back; a take's hand that does not turn leaves none of it."""
    armature, _ = rig_and_take()
    figure = read_figure(armature)
    turns = palm_turns(figure)
    assert np.degrees(turns["L"]) == pytest.approx(20.0, abs=3.0) and turns["R"] == pytest.approx(-turns["L"], abs=1e-3)
    index, little = (figure.bone[f"mixamorig:LeftHand{finger}1"].head for finger in ("Index", "Pinky"))
    row = about_z(turns["L"]) @ neutral_alignments(figure.points)["hand_L"] @ figure.axes.T @ (index - little)
    assert row[0] > 0.0 and abs(row[1]) < 0.1 * row[0]
