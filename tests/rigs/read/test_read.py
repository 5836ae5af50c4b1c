# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a figure off an armature, and rotation channels against Blender's own rotation types."""

from __future__ import annotations

from blender_scene import bpy, build_armature, fresh_scene, load  # before mathutils, which comes with it

# isort: split
import numpy as np
import pytest
from mathutils import Euler, Matrix, Quaternion
from scipy.spatial.transform import Rotation

from lope.addon.bodies.makers import make_body
from lope.addon.errors import RigError
from lope.addon.rigs.bake.own_motion import EULER_ORDERS, axis_angles, continuous_quaternions, euler_angles
from lope.addon.rigs.read.armature import read_figure


def wild_turns(n: int = 400) -> np.ndarray:
    t = np.linspace(0.0, 6.0, n)[:, None]
    return np.roll(Rotation.from_rotvec(2.6 * np.sin(t * [1.0, 1.7, 2.3] + [0.2, 1.0, 2.0])).as_quat(), 1, axis=1)


def chord(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.minimum(np.linalg.norm(a - b, axis=-1), np.linalg.norm(a + b, axis=-1)).max())


@pytest.mark.parametrize("order", EULER_ORDERS)
def test_euler_angles_are_blenders_and_continuous(order):
    turns = wild_turns()
    angles = euler_angles(turns, order)
    back = np.array([Euler(row, order).to_quaternion() for row in angles])
    assert chord(back, turns) < 1e-6
    plain = np.array([Quaternion(q).to_euler(order) for q in turns])
    clear = np.abs(np.cos(angles[:, "xyz".index(order[1].lower())])) > 0.2
    clear = clear[1:] & clear[:-1]
    assert clear.mean() > 0.7
    assert np.abs(np.diff(angles, axis=0)[clear]).max() < 0.8 < 3.0 < np.abs(np.diff(plain, axis=0)[clear]).max()


@pytest.mark.parametrize("order", EULER_ORDERS)
def test_euler_angles_through_gimbal_lock(order):
    middle = "xyz".index(order[1].lower())
    last = "xyz".index(order[2].lower())
    given = np.zeros((41, 3))
    given[:, middle] = np.radians(np.linspace(50.0, 130.0, 41))
    given[:, last] = 0.4
    turns = np.array([Euler(row, order).to_quaternion() for row in given])
    np.testing.assert_allclose(euler_angles(turns, order), given, atol=2e-3)


def test_axis_angle_and_quaternions_are_continuous():
    turns = wild_turns() * np.where(np.arange(400) % 3 == 0, -1.0, 1.0)[:, None]
    smooth = continuous_quaternions(turns)
    assert chord(smooth, turns) < 1e-12 and np.linalg.norm(np.diff(smooth, axis=0), axis=1).max() < 0.2
    still = np.concatenate([np.tile([1.0, 0, 0, 0], (3, 1)), wild_turns()[:50]])
    for q in (turns, still):
        found = axis_angles(q)
        back = np.array([Quaternion(row[1:], row[0]) for row in found])
        assert chord(back, q) < 1e-6
        np.testing.assert_allclose(np.linalg.norm(found[:, 1:], axis=1), 1.0)
        assert np.all(np.sum(found[1:, 1:] * found[:-1, 1:], axis=1) >= 0.0)
    swing = np.zeros((101, 4))
    half = 0.3 * np.cos(np.linspace(0.0, 9.0, 101))
    swing[:, 0], swing[:, 2] = np.cos(half), np.sin(half)
    np.testing.assert_allclose(axis_angles(swing)[:, 0], 2.0 * half, atol=1e-9)
    np.testing.assert_array_equal(axis_angles(np.tile([1.0, 0, 0, 0], (4, 1))), np.tile([0.0, 0, 1, 0], (4, 1)))


@pytest.mark.slow
@pytest.mark.parametrize("source, family, height, leg, segments", [
    ("rigs/kaykit_rogue.glb", "kaykit", 2.19, 0.377, 18), ("rigs/mpfb_female_unreal.glb", "unreal", 1.65, 0.779, 21),
    ("rigs/mpfb_male_cmu.glb", "cmu", 1.82, 0.898, 21), ("rigs/mpfb_male_mixamo.glb", "mixamo", 1.78, 0.878, 21),
    ("rigs/mpfb_male_mixamo_cm.fbx", "mixamo", 1.78, 0.878, 21), ("rigify", "rigify", 1.98, 0.991, 21)])
def test_rigs_are_read(source, family, height, leg, segments):
    figure = read_figure(load(source))
    body = make_body(figure.body_spec(80.0))
    assert figure.family == family and len(body.segments) == len(figure.bone_of) == segments
    assert figure.height_m == pytest.approx(height, abs=0.01)
    assert figure.leg_length_m == pytest.approx(leg, abs=0.002) == body.leg_length_m
    p = figure.points
    for side, sign in (("L", 1.0), ("R", -1.0)):
        assert p[f"hip_{side}"][1] * sign > 0.05 and p[f"wrist_{side}"][1] * sign > 0.2
        assert p[f"toe_tip_{side}"][0] > p[f"toes_{side}"][0] > p[f"ankle_{side}"][0]
        if source != "rigify":  # the others have a skin, which tells the heel
            assert p[f"heel_{side}"][0] < p[f"ankle_{side}"][0]
        assert 0.0 < p[f"toes_{side}"][2] < p[f"ankle_{side}"][2] < 0.2
    np.testing.assert_allclose(p["pelvis"][:2], 0.0, atol=1e-9)
    assert -0.01 < body.sole_height_m + p["ankle_L"][2] < 0.01


@pytest.mark.slow
def test_missing_bones_leave_their_landmarks_out():
    kaykit = read_figure(load("rigs/kaykit_rogue.glb"))
    assert not {"neck", "clavicle_L", "clavicle_R"} & set(kaykit.landmarks)
    assert kaykit.bone_of["hand_L"] == "wrist.l"
    ramp = read_figure(load("bvh/snu_walk_uphill.bvh"))
    assert not {"wrist_L", "toes_L", "neck", "clavicle_R", "hand_tip_R"} & set(ramp.landmarks)
    assert "head" not in ramp.bone_of and ramp.landmarks["head"][2] > ramp.landmarks["shoulder_L"][2]
    ankle, tip = (ramp.points[f"{name}_L"] for name in ("ankle", "toe_tip"))
    assert 0.16 < (tip - ankle)[0] / ramp.leg_length_m < 0.24, "its foot bone ends at the ball: the toes go on from there"
    still = read_figure(load("bvh/snu_walk_left_90.bvh"))
    assert "toes_L" in still.landmarks and not {"toe_tip_L", "hand_tip_L"} & set(still.landmarks)


@pytest.mark.slow
def test_pose_does_not_count():
    armature = load("rigs/mpfb_male_cmu.glb")
    before = read_figure(armature)
    for bone in armature.pose.bones:
        bone.location = (0.1, 0.2, 0.3)
        bone.rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    assert read_figure(armature).landmarks == before.landmarks


def test_boots_on_a_bone_count_as_feet():
    armature = load("rigify")
    rest = {bone.name: np.array(bone.matrix_local) for bone in armature.data.bones}
    bare = read_figure(armature)
    for side in "LR":
        bpy.ops.mesh.primitive_cube_add(size=1.0)
        boot = bpy.context.object
        boot.parent, boot.parent_type, boot.parent_bone = armature, "BONE", f"foot.{side}"
        wanted = np.diag([0.1, 0.3, 0.1, 1.0])
        wanted[:3, 3] = rest[f"foot.{side}"][0, 3], -0.05, 0.03
        at_tail = rest[f"foot.{side}"].copy()
        at_tail[:3, 3] += armature.data.bones[f"foot.{side}"].length * at_tail[:3, 1]
        boot.data.transform(Matrix(wanted.tolist()))
        boot.matrix_parent_inverse.identity()
        boot.matrix_basis = Matrix(np.linalg.inv(at_tail).tolist())
    armature.pose.bones["foot.L"].rotation_quaternion = (0.8, 0.6, 0.0, 0.0)
    shod = read_figure(armature)
    assert shod.landmarks["knee_L"][2] == pytest.approx(bare.landmarks["knee_L"][2] + 0.02, abs=1e-4)
    assert shod.landmarks["toe_tip_L"][0] - shod.landmarks["heel_L"][0] == pytest.approx(0.3, abs=1e-3)
    assert shod.landmarks["toe_tip_L"][0] == pytest.approx(0.2 + 0.012, abs=2e-3)


def biped(flip: float = 1.0, side_sign: float = 1.0) -> dict:
    """Bones of a small made-up figure with Lope's own names, facing -Y times `flip`."""
    bones = {"pelvis": ((0, 0, 0.95), (0, 0, 1.1), None), "lower_spine": ((0, 0, 1.1), (0, 0, 1.4), "pelvis"),
             "head": ((0, 0, 1.5), (0, 0, 1.75), "lower_spine")}
    for side, x in (("L", 0.1 * side_sign), ("R", -0.1 * side_sign)):
        bones |= {
            f"upper_arm_{side}": ((2 * x, 0, 1.4), (2 * x, 0, 1.1), "lower_spine"),
            f"forearm_{side}": ((2 * x, 0, 1.1), (2 * x, 0, 0.9), f"upper_arm_{side}"),
            f"thigh_{side}": ((x, 0, 0.9), (x, 0, 0.5), "pelvis"),
            f"shank_{side}": ((x, 0, 0.5), (x, 0, 0.1), f"thigh_{side}"),
            f"foot_{side}": ((x, 0, 0.1), (x, -0.2 * flip, 0), f"shank_{side}")}
    return bones


@pytest.mark.parametrize(("tail_m", "hand_m"), [(0.15, 0.15), (5.0, None)])
def test_a_hand_is_no_longer_than_a_hand(tail_m, hand_m):
    """Importers that know joints alone make up the last bones' tails, some of them metres away."""
    fresh_scene()
    bones = biped()
    for side, x in (("L", 0.2), ("R", -0.2)):
        bones[f"hand_{side}"] = ((x, 0, 0.9), (x, 0, 0.9 - tail_m), f"forearm_{side}")
    figure = read_figure(build_armature(bones, "Hands"))
    assert ("hand_tip_L" in figure.landmarks) == (hand_m is not None)
    hand = make_body(figure.body_spec(70.0)).segment("hand_L")
    assert np.linalg.norm(hand.tip) == pytest.approx(hand_m or 0.6 * 0.2, abs=1e-6), "else estimated from the forearm"


def test_facing_follows_the_rest_pose():
    fresh_scene()
    plus_y = read_figure(build_armature(biped(flip=-1.0, side_sign=-1.0), "Away"))
    minus_y = read_figure(build_armature(biped(), "Towards"))
    assert set(plus_y.landmarks) == set(minus_y.landmarks)
    for mark, place in plus_y.points.items():
        np.testing.assert_allclose(place, minus_y.points[mark], atol=1e-7)
    np.testing.assert_allclose(plus_y.axes[:, 0], [0.0, 1.0, 0.0], atol=1e-7)
    np.testing.assert_allclose(minus_y.axes[:, 0], [0.0, -1.0, 0.0], atol=1e-7)


def test_armatures_that_cannot_walk_are_refused():
    fresh_scene()
    with pytest.raises(RigError, match="left foot of armature 'Swapped' does not point forward"):
        read_figure(build_armature(biped(side_sign=-1.0), "Swapped"))
    legless = {name: bone for name, bone in biped().items() if name.split("_")[0] not in ("thigh", "shank", "foot")}
    with pytest.raises(RigError, match="'Legless' has no legs"):
        read_figure(build_armature(legless, "Legless"))
    rig = build_armature(biped())
    for angles in ((np.pi / 2.0, 0.0, 0.0), (0.0, np.pi / 2.0, 0.0), (np.pi, 0.0, 0.0)):
        rig.rotation_euler = angles
        with pytest.raises(RigError, match="does not stand|does not point forward"):
            read_figure(rig)
    rig.rotation_euler = (0.0, 0.0, 0.0)
    rig.scale = (1.0, 1.0, 1.3)
    with pytest.raises(RigError, match="scaled unevenly"):
        read_figure(rig)
    rig.scale = (-1.0, 1.0, 1.0)
    with pytest.raises(RigError, match="mirrored"):
        read_figure(rig)
    rig.scale = (1.0, 1.0, 1.0)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    with pytest.raises(RigError, match="Edit Mode"):
        read_figure(rig)
    bpy.ops.object.mode_set(mode="OBJECT")
    with pytest.raises(RigError, match="got nothing"):
        read_figure(None)
    with pytest.raises(RigError, match="'Lump', which is of type EMPTY"):
        read_figure(bpy.data.objects.new("Lump", None))
    assert read_figure(rig).family == "lope"
