# SPDX-License-Identifier: GPL-3.0-or-later
"""BVH files: reading them, understanding their skeletons, and saying clearly what is wrong with them."""

from pathlib import Path

import numpy as np
import pytest

from bvh_writer import CGSPEED, MAX, MIXAMO, Style, standing_poses, walk_poses, write_bvh
from lope.addon.bodies.body import Body
from lope.addon.errors import ClipError
from lope.addon.motions.bvh import read_bvh
from lope.addon.motions.library import load_gait
from lope.addon.motions.retarget import retarget
from lope.addon.motions.skeletons import understand

CLIPS = Path(__file__).resolve().parents[2].parent / "shared" / "motion" / "bvh"
needs_clips = pytest.mark.skipif(not CLIPS.is_dir(), reason=f"the reference clips are not at {CLIPS}")

TINY = """HIERARCHY
ROOT Hips
{
\tOFFSET 1.0 2.0 3.0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Chest
\t{
\t\tOFFSET 0.0 10.0 0.0
\t\tCHANNELS 3 Yrotation Zrotation Xrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0.0 5.0 0.0
\t\t}
\t}
}
MOTION
Frames: 2
Frame Time: 0.02
0 0 0 0 0 0 0 0 0
10 20 30 90 0 0 0 0 90
"""


@pytest.fixture
def tiny(tmp_path):
    def write(text: str, **replacements: str) -> Path:
        for old, new in replacements.items():
            text = text.replace(old, new)
        path = tmp_path / "clip.bvh"
        path.write_text(text)
        return path

    return write


def test_positions_and_channel_order(tiny):
    clip = read_bvh(tiny(TINY))
    assert clip.names == ("Hips", "Chest") and clip.parents == (-1, 0)
    assert clip.frame_time_s == pytest.approx(0.02) and clip.frames == 2
    positions, turns = clip.world()
    np.testing.assert_allclose(positions[1, 0], [10, 20, 30])
    np.testing.assert_allclose(positions[1, 1], [0, 20, 30], atol=1e-12)  # ten up, turned 90 degrees about z: to -x
    np.testing.assert_allclose(turns[1, 1], [[0, 0, 1], [1, 0, 0], [0, 1, 0]], atol=1e-12)  # z by 90, then own x by 90
    np.testing.assert_allclose(clip.ends[1], [0, 5, 0])


def test_positions_replace_the_root_offset(tiny):
    assert np.allclose(read_bvh(tiny(TINY)).root_positions[0], 0.0)


def test_root_without_position_channels_stays_at_its_offset(tiny):
    text = TINY.replace("CHANNELS 6 Xposition Yposition Zposition ", "CHANNELS 3 ")
    clip = read_bvh(tiny(text.replace("0 0 0 0 0 0 0 0 0", "0 0 0 0 0 0").replace("10 20 30 90", "90")))
    np.testing.assert_allclose(clip.root_positions, [[1, 2, 3], [1, 2, 3]])


def test_windows_line_ends_byte_order_mark_and_tight_braces(tmp_path, tiny):
    text = TINY.replace("ROOT Hips\n{", "ROOT Hips {").replace("\n", "\r\n")
    path = tmp_path / "windows.bvh"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    np.testing.assert_array_equal(read_bvh(path).rotations, read_bvh(tiny(TINY)).rotations)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"Frames: 2": "Frames: 3"}, "promises 3 frames .* holds 18 numbers"),
        ({"0 0 0 0 0 0 0 0 0\n": "0 0 0 0 0 0 0 0\n"}, "cut short"),
        ({"10 20": "10 nan"}, "not finite in frame 2, channel 2"),
        ({"10 20": "10 hello"}, "not a number"),
        ({"Frame Time: 0.02": "Frame Time: 0"}, "frame time of 0 s"),
        ({"Frame Time: 0.02": "Frame Time: -0.02"}, "frame time of -0.02 s"),
        ({"Frame Time: 0.02": "Frame Time: nan"}, "frame time of nan s"),
        ({"Frames: 2": "Frames: 0"}, "promises 0 frames"),
        ({"MOTION": ""}, "no MOTION section"),
        ({"Frames: 2\n": ""}, "lacks the lines"),
        ({"\t\t}\n\t}\n}\n": "\t\t}\n"}, "incomplete HIERARCHY"),
        ({"OFFSET 0.0 10.0 0.0": "OFFSET 0.0 10.0"}, "damaged OFFSET"),
        ({"CHANNELS 3 Yrotation": "CHANNELS 3 Wrotation"}, "damaged CHANNELS line at joint Chest"),
        ({"}\nMOTION": "}\nROOT Second\n{\n\tOFFSET 0 0 0\n\tCHANNELS 3 Xrotation Yrotation Zrotation\n}\nMOTION"},
         "several roots"),
        ({"HIERARCHY": "HEADER"}, "not a BVH file"),
        ({"JOINT Chest": "BONE Chest"}, "unknown word 'BONE'"),
    ],
)
def test_damaged_files_are_named_with_their_fault(tiny, change, said):
    text = TINY
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    path = tiny(text)
    with pytest.raises(ClipError, match=said) as caught:
        read_bvh(path)
    assert str(path) in str(caught.value)


def test_every_cut_of_a_file_is_a_clip_error(tiny):
    whole = TINY.rstrip()
    for end in range(0, len(whole) - 1, 7):
        with pytest.raises(ClipError):
            read_bvh(tiny(whole[:end]))


def test_missing_file(tmp_path):
    with pytest.raises(ClipError, match="no motion file at"):
        read_bvh(tmp_path / "nothing.bvh")


def test_a_skeleton_without_limbs_is_refused(tiny):
    with pytest.raises(ClipError, match="no figure with two legs and two arms stands in this skeleton of 2 joints"):
        understand(read_bvh(tiny(TINY)))


@pytest.mark.parametrize(
    ("style", "family", "unit"),
    [
        (Style(unit_m=0.01, names=CGSPEED), "cgspeed", "centimetre"),
        (Style(unit_m=1.0, names=MAX, order="XYZ"), "3dsmax", "metre"),
        (Style(unit_m=0.0254, names=MIXAMO, prefix="mixamorig:", order="YXZ"), "mixamo", "inch"),
        (Style(unit_m=0.0254 / 0.45, names=CGSPEED, order="ZYX", fillers=True), "cgspeed", "inch / 0.45 (CMU)"),
        (Style(unit_m=0.001, names=CGSPEED, line_end="\r\n", root_offset=(3.0, 900.0, -4.0)), "cgspeed", "millimetre"),
    ],
)
def test_skeletons_of_all_families_and_units_give_the_same_body(tmp_path, style, family, unit):
    style.legs_apart_deg, style.arms_up_deg = 20.0, 90.0
    body, root, orientations = standing_poses(0.5, 60.0)
    motion = retarget(read_bvh(write_bvh(tmp_path / "stand.bvh", body, root, orientations, style)))
    assert (motion.skeleton.family, motion.skeleton.unit) == (family, unit)
    assert motion.skeleton.leg_length_m == pytest.approx(body.leg_length_m, abs=1e-4)
    assert motion.body.joint_segments == body.joint_segments
    for segment in body.segments[1:]:
        np.testing.assert_allclose(motion.body.segment(segment.name).offset, segment.offset, atol=2e-3, err_msg=segment.name)
    assert motion.body.sole_height_m == pytest.approx(body.sole_height_m, abs=2e-3)
    np.testing.assert_allclose(motion.root_position[:, 2], body.pelvis_height_m, atol=2e-3)
    np.testing.assert_allclose(np.abs(motion.joint_quaternions[..., 0]), 1.0, atol=1e-5)


def test_a_figure_of_no_known_unit_is_scaled_to_a_grown_up(tmp_path):
    body, root, orientations = standing_poses(0.5, 60.0)
    skeleton = understand(read_bvh(write_bvh(tmp_path / "giant.bvh", body, root, orientations, Style(unit_m=0.2))))
    assert not skeleton.unit_certain and skeleton.leg_length_m == pytest.approx(0.84)


def test_retargeting_gives_the_motion_back(tmp_path):
    """A walk written to a file with spread legs, raised arms and another heading comes back as the same joint angles."""
    body, root, orientations = walk_poses(load_gait("walk"), 3.0, 60.0, heading=2.0)
    style = Style(legs_apart_deg=20.0, arms_up_deg=90.0, fillers=True)
    motion = retarget(read_bvh(write_bvh(tmp_path / "walk.bvh", body, root, orientations, style)))
    positions, _ = motion.poses()
    from lope.addon.bodies.kinematics import segment_poses
    from lope.addon.maths.rotations import matrix_from_quat, quat_from_matrix

    joints = [np.swapaxes(orientations[:, body.index[s.parent]], 1, 2) @ orientations[:, i + 1]
              for i, s in enumerate(body.segments[1:])]
    quats = np.stack([quat_from_matrix(j) for j in joints], axis=1)
    expected, _ = segment_poses(body, root, quat_from_matrix(orientations[:, 0]), quats)
    assert np.abs(positions[:, :, :2] - expected[:, :, :2]).max() < 0.012
    assert np.abs(positions[:, :, 2] - expected[:, :, 2]).max() < 0.015
    for i, name in enumerate(body.joint_segments):
        own = matrix_from_quat(motion.joint_quaternions[:, i])
        angle = np.arccos(np.clip((np.einsum("tij,tij->t", own, joints[i]) - 1.0) / 2.0, -1.0, 1.0))
        assert np.degrees(angle).max() < (6.0 if name.split("_")[0] in ("foot", "toes", "hand", "upper") else 4.0), name


def test_knees_and_elbows_are_true_hinges(tmp_path):
    body, root, orientations = walk_poses(load_gait("walk"), 2.0, 60.0)
    motion = retarget(read_bvh(write_bvh(tmp_path / "walk.bvh", body, root, orientations, Style())))
    for name in ("shank_L", "shank_R", "forearm_L", "forearm_R", "toes_L", "toes_R"):
        axis = motion.body.segment(name).axis
        parts = motion.joint_quaternions[:, motion.body.joint_segments.index(name), 1:]
        np.testing.assert_allclose(parts - np.outer(parts @ axis, axis), 0.0, atol=1e-9)


@pytest.mark.parametrize("slope", [0.02, 0.12])
def test_a_rising_floor_is_levelled_and_told(tmp_path, slope):
    body, root, orientations = walk_poses(load_gait("walk"), 4.0, 60.0, slope=slope)
    motion = retarget(read_bvh(write_bvh(tmp_path / "walk.bvh", body, root, orientations, Style())))
    assert motion.ground.slope_deg == pytest.approx(np.degrees(np.arctan(slope)), abs=0.25)
    assert motion.ground.is_slope == (slope > 0.1)
    assert np.ptp(motion.root_position[:, 2]) < 0.06


@needs_clips
@pytest.mark.parametrize(
    ("name", "leg_m", "freedom"),
    [("35_02_walk_normal", 0.866, 54), ("131_03_hop_spin_stylised_3dsmax", 0.802, 54), ("snu_walk_left_90", 0.866, 51),
     ("snu_march_soldier", 0.866, 51), ("snu_walk_uphill", 0.866, 43)],
)
def test_reference_skeletons(name, leg_m, freedom):
    motion = retarget(read_bvh(CLIPS / f"{name}.bvh"))
    assert motion.skeleton.leg_length_m == pytest.approx(leg_m, abs=0.01)
    assert motion.body.degrees_of_freedom == freedom  # joints the file lacks are welded
    assert isinstance(motion.body, Body) and -0.10 < motion.body.sole_height_m < -0.03


@needs_clips
def test_the_ramp_is_a_slope_and_the_drifting_floor_a_drift():
    ramp = retarget(read_bvh(CLIPS / "snu_walk_uphill.bvh")).ground
    assert ramp.is_slope and ramp.slope_deg == pytest.approx(7.0, abs=0.3)
    drift = retarget(read_bvh(CLIPS / "08_04_walk_slow.bvh")).ground
    assert not drift.is_slope and drift.spread_m < 0.012


def test_an_offset_beyond_all_bodies(tmp_path):
    path = tmp_path / "far.bvh"
    path.write_text(TINY.replace("OFFSET 0.0 10.0 0.0", "OFFSET 0.0 99999999999999999999 0.0"), encoding="utf-8")
    with pytest.raises(ClipError, match=r"damaged OFFSET line .*; expected 3 numbers, none beyond 1e9\."):
        read_bvh(path)
