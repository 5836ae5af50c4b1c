# SPDX-License-Identifier: GPL-3.0-or-later
"""Which joint is which by structure alone: any names, fillers, twist joints, damaged ends, rest poses that do not stand."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bvh_writer import CGSPEED, Style, walk_poses, write_bvh
from lope.addon.errors import ClipError
from lope.addon.maths.rotations import quat_conjugate, quat_multiply
from lope.addon.motions.bvh import BvhClip, read_bvh
from lope.addon.motions.library import load_gait
from lope.addon.motions.recognise import match_names, named_sides, recognise, resting_as
from lope.addon.motions.retarget import retarget
from lope.addon.motions.skeletons import understand

MOTION = Path(__file__).resolve().parents[2].parent / "shared" / "motion"
needs_clips = pytest.mark.skipif(not MOTION.is_dir(), reason=f"the reference clips are not at {MOTION}")


@pytest.fixture(scope="module")
def walk(tmp_path_factory) -> BvhClip:
    """Two seconds of walking, from a T-pose with fillers before the hips."""
    style = Style(legs_apart_deg=20.0, arms_up_deg=90.0, fillers=True)
    return read_bvh(write_bvh(tmp_path_factory.mktemp("clip") / "walk.bvh", *walk_poses(load_gait("walk"), 2.0, 30.0), style))


def named(clip: BvhClip, joints: dict[str, int]) -> dict[str, str]:
    return {mark: clip.names[joint] for mark, joint in joints.items()}


def nameless(clip: BvhClip) -> BvhClip:
    return replace(clip, names=tuple(f"joint {i}" for i in range(len(clip.names))))


def with_leaf(clip: BvhClip, parent: int, offset, name: str = "extra") -> BvhClip:
    """The clip with one more joint, which never turns."""
    still = np.broadcast_to(np.eye(3), (clip.frames, 1, 3, 3))
    return replace(clip, names=(*clip.names, name), parents=(*clip.parents, parent),
                   offsets=np.vstack([clip.offsets, offset]), rotations=np.concatenate([clip.rotations, still], axis=1),
                   ends={**clip.ends, len(clip.names): np.zeros(3)})


def test_without_names_the_same_joints_are_found(walk):
    _, family, joints, own_rest = recognise(nameless(walk))
    assert family == "by structure" and own_rest
    _, expected = match_names(walk.names)
    found = {mark: joint for mark, joint in joints.items() if mark not in ("pelvis", "fork")}
    assert named(walk, found) == named(walk, expected)
    assert walk.names[joints["pelvis"]] == "Hips" and walk.names[joints["fork"]] == CGSPEED["chest"]


def test_names_that_contradict_the_skeleton_are_not_believed(walk):
    """Shanks that are called feet, and feet that are called shanks."""
    swap = {"LeftLeg": "LeftFoot", "LeftFoot": "LeftLeg", "RightLeg": "RightFoot", "RightFoot": "RightLeg"}
    _, family, joints, _ = recognise(replace(walk, names=tuple(swap.get(name, name) for name in walk.names)))
    assert family == "by structure"
    assert named(walk, joints) | {"knee_L": "LeftLeg", "ankle_R": "RightFoot"} == named(walk, joints)


@pytest.mark.parametrize("length", [0.0, 0.4, 3.5])
def test_side_branches_and_damaged_joints_are_no_limbs(walk, length):
    """Twist joints, geometry and joints that an exporter has thrown far away."""
    clip = nameless(walk)
    _, _, expected, _ = recognise(clip)
    for name in ("LeftUpLeg", "RightForeArm", "LeftArm", "Head", "Hips"):
        clip = with_leaf(clip, walk.names.index(name), 30.0 * length * np.array([0.6, 0.0, 0.8]))
    assert {k: v for k, v in recognise(clip)[2].items() if k != "head"} == {k: v for k, v in expected.items() if k != "head"}


@pytest.mark.slow
def test_a_skeleton_that_rests_in_no_pose_rests_in_a_standing_frame(walk):
    """Every bone of some captures rests along one axis: the motion is the same, and so is what becomes of it."""
    rest = walk.rest()
    along = np.empty((len(walk.names), 3, 3))
    for i in range(len(walk.names)):
        ways = [rest[c] - rest[i] for c in walk.children(i)] + [walk.ends[j] for j in (i,) if j in walk.ends]
        way = max(ways, key=np.linalg.norm)
        along[i] = Rotation.align_vectors([[1.0, 0.0, 0.0]], [way])[0].as_matrix() if np.linalg.norm(way) else np.eye(3)
    clip = resting_as(nameless(walk), along)
    np.testing.assert_allclose(clip.world()[0], walk.world()[0], atol=1e-6)
    again, _, joints, own_rest = recognise(clip)
    assert not own_rest and named(walk, joints) == named(walk, recognise(nameless(walk))[2])
    np.testing.assert_allclose(again.world()[0], walk.world()[0], atol=1e-6)
    motion, expected = retarget(clip), retarget(walk)
    for name in ("shank_L", "thigh_R", "forearm_L", "foot_R"):
        i, k = (m.body.joint_segments.index(name) for m in (motion, expected))
        apart = quat_multiply(quat_conjugate(expected.joint_quaternions[:, k]), motion.joint_quaternions[:, i])
        assert np.degrees(2.0 * np.arccos(np.clip(np.abs(apart[:, 0]), 0.0, 1.0))).max() < 12.0, name


def test_hips_that_travel_below_a_still_root(walk, tmp_path):
    """Game skeletons: a root on the floor, and position channels on the hips."""
    lines = Path(walk.path).read_text().split("MOTION")
    ground = "ROOT ground\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    tree = lines[0].replace("ROOT Hips", f"{ground}JOINT Hips", 1) + "}\n"
    head, frames = lines[1].split("Frame Time:")
    time, *rows = frames.strip().splitlines()
    path = tmp_path / "rooted.bvh"
    path.write_text(f"{tree}MOTION{head}Frame Time: {time}\n" + "\n".join(f"0 0 0 {row}" for row in rows))
    clip = read_bvh(path)
    assert list(clip.travels) == [1]
    np.testing.assert_allclose(clip.world()[0][:, 1:], walk.world()[0], atol=1e-6)
    skeleton = understand(clip)
    assert skeleton.sources["pelvis"] == 1 and "lower_spine" in skeleton.joints
    assert clip.names[skeleton.joints["lower_spine"]] == CGSPEED["lower_spine"]


def test_left_is_told_by_the_toes_whatever_names_say(walk):
    """And by names where the feet end at the ankles."""
    wrong = replace(walk, names=tuple(n.replace("Left", "x").replace("Right", "Left").replace("x", "Right") for n in walk.names))
    assert recognise(wrong)[2]["hip_L"] == walk.names.index("LeftUpLeg")
    toes = [i for i, name in enumerate(walk.names) if name.endswith("ToeBase")]
    assert all(i in walk.ends for i in toes)
    short = replace(walk, offsets=np.where(np.isin(np.arange(len(walk.names)), toes)[:, None], 0.0, walk.offsets),
                    ends=walk.ends | {i: np.zeros(3) for i in toes})
    assert recognise(short)[2]["hip_L"] == walk.names.index("LeftUpLeg")


@pytest.mark.parametrize("prefix", ["mixamorig:", "mixamorig6:", "mixamorig6_"])
def test_names_tell_a_clavicle_in_line_with_its_arm_where_nothing_moves(walk, prefix):
    """A frozen clip in T-pose, with the long clavicles of game characters: by structure alone each is an upper arm."""
    offsets = walk.offsets.copy()
    for side in ("Left", "Right"):
        clavicle, arm, fore, hand = (walk.names.index(side + part) for part in ("Shoulder", "Arm", "ForeArm", "Hand"))
        offsets[arm] = 0.45 * offsets[fore]
        offsets[hand] = offsets[fore]
        offsets[clavicle] = walk.offsets[clavicle] + 0.2 * offsets[fore]
    still = replace(walk, names=tuple(prefix + name for name in walk.names), offsets=offsets,
                    rotations=np.broadcast_to(np.eye(3), walk.rotations.shape))
    assert named(walk, recognise(nameless(still))[2])["shoulder_L"] == "LeftShoulder"
    _, family, joints, _ = recognise(still)
    assert family == "mixamo"
    marks = {"clavicle_L": "LeftShoulder", "shoulder_L": "LeftArm", "elbow_R": "RightForeArm", "wrist_R": "RightHand"}
    assert named(walk, joints) | marks == named(walk, joints)


def turned(clip: BvhClip, angle_deg: float) -> BvhClip:
    """The motion turned about the file's x axis by its root alone."""
    turn = Rotation.from_euler("x", angle_deg, degrees=True).as_matrix()
    rotations = clip.rotations.copy()
    rotations[:, 0] = turn @ rotations[:, 0]
    return replace(clip, rotations=rotations, root_positions=clip.root_positions @ turn.T)


def test_a_skeleton_that_rests_with_y_up_and_stands_with_z_up(walk):
    """Its root alone is turned: the motion is the one with y up, walking or standing still."""
    for clip in (walk, replace(walk, rotations=np.repeat(walk.rotations[:1], walk.frames, axis=0),
                               root_positions=np.repeat(walk.root_positions[:1], walk.frames, axis=0))):
        skeleton, expected = understand(turned(clip, 90.0)), understand(clip)
        np.testing.assert_allclose(skeleton.axes[2], [0.0, 0.0, 1.0], atol=1e-9)
        places, wanted = (one.clip.world()[0] @ one.axes.T for one in (skeleton, expected))
        np.testing.assert_allclose(places, wanted, atol=1e-6)
        assert skeleton.rest.keys() == expected.rest.keys()
        for name, place in expected.rest.items():
            np.testing.assert_allclose(skeleton.rest[name], place, atol=1e-6)


def test_who_lies_on_the_ground_does_not_stand_along_another_axis(walk):
    """On the back, and as straight as people stand."""
    places = np.zeros((walk.frames, 3))
    places[:, 1] = 0.12 * np.median(walk.root_positions[:, 1])
    lying = replace(turned(walk, -90.0), root_positions=places)
    np.testing.assert_allclose(understand(lying).axes[2], [0.0, 1.0, 0.0], atol=1e-9)


def test_sides_in_names():
    names = ("LeftUpLeg", "Bip01 R Thigh", "thigh_l", "lfemur", "lowerback", "hips", "左足", "Rthigh", "Lthigh", "leg.R",
             "Character1_LeftArm", "rfemur")
    assert named_sides(names) == (1, -1, 1, 1, 0, 0, 1, -1, 1, -1, 1, -1)


def test_what_is_no_person_is_refused(walk):
    count = walk.names.index("LeftUpLeg") - 1
    keep = [i for i in range(len(walk.names)) if i < count or ("Leg" not in walk.names[i] and "Foot" not in walk.names[i]
            and "Toe" not in walk.names[i] and "HipJoint" not in walk.names[i])]
    at = {joint: n for n, joint in enumerate(keep)}
    torso = replace(walk, names=tuple(walk.names[i] for i in keep), offsets=walk.offsets[keep], rotations=walk.rotations[:, keep],
                    parents=tuple(at.get(walk.parents[i], -1) for i in keep),
                    ends={at[i]: end for i, end in walk.ends.items() if i in at})
    with pytest.raises(ClipError, match="no figure with two legs and two arms stands"):
        recognise(torso)


TRUTH = {"pelvis": "Bone_021", "hip_L": "Bone_026", "knee_L": "Bone_042", "ankle_L": "Bone_004", "toes_L": "Bone_005",
         "hip_R": "Bone_035", "knee_R": "Bone_007", "ankle_R": "Bone_024", "toes_R": "Bone_038", "fork": "Bone_014",
         "head": "Bone_006", "clavicle_L": "Bone_028", "shoulder_L": "Bone_027", "elbow_L": "Bone_054", "wrist_L": "Bone_016",
         "clavicle_R": "Bone_044", "shoulder_R": "Bone_036", "elbow_R": "Bone_043", "wrist_R": "Bone_048"}


@needs_clips
def test_meaningless_names():
    clip = read_bvh(MOTION / "names" / "cmu_38_01_walk_bone_numbers.bvh")
    assert named(clip, recognise(clip)[2]) == TRUTH


@needs_clips
@pytest.mark.parametrize("path", sorted(path for folder in ("bvh", "names") for path in (MOTION / folder).glob("*.bvh")),
                         ids=lambda p: p.stem)
def test_structure_agrees_with_known_names(path):
    clip = read_bvh(path)
    _, expected = match_names(clip.names)
    found = recognise(nameless(clip))[2]
    assert named(clip, expected) == named(clip, {mark: found[mark] for mark in expected if mark in found})
