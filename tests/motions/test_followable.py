# SPDX-License-Identifier: GPL-3.0-or-later
"""Which clips a body can follow, and the frame and the reason for those that it cannot."""

import contextlib
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bvh_writer import Style, standing_poses, walk_poses, write_bvh
from lope.addon.bodies.kinematics import segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.errors import ClipError
from lope.addon.maths.rotations import matrix_from_quat, quat_from_rotvec
from lope.addon.motions.bvh import read_bvh
from lope.addon.motions.followable import check_followable, inspect_clip
from lope.addon.motions.library import load_gait
from lope.addon.motions.retarget import retarget
from lope.addon.motions.strides import find_contacts
from lope.addon.specs.shot import BodySpec

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "motion"
needs_clips = pytest.mark.skipif(not SHARED.is_dir(), reason=f"the reference clips are not at {SHARED}")
FPS = 30.0


def check(path: Path) -> None:
    motion = retarget(read_bvh(path))
    check_followable(motion, find_contacts(motion))


def refusal(path: Path) -> str:
    with pytest.raises(ClipError) as refused:
        check(path)
    return str(refused.value)


def written(path: Path, body, root, turns) -> Path:
    return write_bvh(path, body, root, turns, Style(frame_time=1.0 / FPS))


def bent(angles: dict[str, float], seconds: float, height_m: float | None = None, pitch: float = 0.0, share=None):
    """The standard body with joints bent about their y axes [rad] and its root pitched; its lowest sole on the ground unless its
    root has a height. `share` (T,) is how much of it is there in each frame, all by default."""
    body = make_body(BodySpec())
    frames = round(seconds * FPS) + 1
    share = np.ones(frames) if share is None else share
    joints = np.tile([1.0, 0.0, 0.0, 0.0], (frames, len(body.segments) - 1, 1))
    for stem, angle in angles.items():
        for name in {stem, f"{stem}_L", f"{stem}_R"} & set(body.joint_segments):
            joints[:, body.joint_segments.index(name)] = quat_from_rotvec(share[:, None] * [0.0, angle, 0.0])
    root = np.zeros((frames, 3))
    quats = quat_from_rotvec(share[:, None] * [0.0, pitch, 0.0])
    places, turns = segment_poses(body, root, quats, joints)
    ankles = places[:, body.index["foot_L"], 2]
    root[:, 2] = -ankles - body.sole_height_m if height_m is None else height_m
    root[:, 0] = -places[:, body.index["foot_L"], 0]  # the feet stay where they are
    return body, root, matrix_from_quat(turns)


def pitched(angles: np.ndarray) -> np.ndarray:
    """Rotations (T, 3, 3) about the y axis by angles (T,) [rad]."""
    return matrix_from_quat(quat_from_rotvec(angles[:, None] * [0.0, 1.0, 0.0]))


def sitting_down(seconds: float = 5.0):
    """Stands for two seconds, then sits on a chair with its shanks upright."""
    times = np.arange(round(seconds * FPS) + 1) / FPS
    share = np.clip((times - 2.0) / 1.0, 0.0, 1.0)
    return bent({"thigh": -1.5, "shank": 1.5}, seconds, share=share)


def test_walking_and_standing_are_followed(tmp_path):
    check(written(tmp_path / "walk.bvh", *walk_poses(load_gait("walk"), 3.0, FPS)))
    check(written(tmp_path / "stand.bvh", *standing_poses(2.0, FPS)))


def test_a_deep_squat_over_the_feet_is_followed(tmp_path):
    check(written(tmp_path / "squat.bvh", *bent({"thigh": -1.75, "shank": 2.0, "lower_spine": 0.6, "foot": -0.25}, 3.0)))


def test_somebody_who_sits_down_is_refused_where_he_sits(tmp_path):
    text = refusal(written(tmp_path / "chair.bvh", *sitting_down()))
    assert "the figure sits" in text and "its weight is not over its feet" in text
    frame = int(text.split("from frame ")[1].split()[0])
    assert 1 + 2.0 * FPS < frame < 1 + 3.0 * FPS


@pytest.mark.parametrize("pitch", [-np.pi / 2, np.pi / 2])
def test_somebody_who_lies_down_is_refused(tmp_path, pitch):
    body, root, turns = standing_poses(4.0, FPS)
    share = np.clip(np.arange(len(root)) / FPS - 1.5, 0.0, 1.0)
    turns = pitched(pitch * share)[:, None] @ turns
    root = root + share[:, None] * (np.array([0.9, 0.0, 0.12]) - root)
    text = refusal(written(tmp_path / "lying.bvh", body, root, turns))
    assert "the figure lies" in text and "from frame " in text


def test_a_swimmer_is_refused(tmp_path):
    """A crawl: level in the water, legs fluttering, on and on."""
    body, root, turns = bent({}, 4.0, height_m=1.0, pitch=np.pi / 2)
    times = np.arange(len(root)) / FPS
    root[:, 0] = 1.2 * times
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for part in ("thigh", "shank", "foot", "toes"):
            row = body.index[f"{part}_{side}"]
            turns[:, row] = pitched(sign * 0.3 * np.sin(4.0 * np.pi * times)) @ turns[:, row]
    text = refusal(written(tmp_path / "crawl.bvh", body, root, turns))
    assert "swims" in text or "lies or crawls" in text or "neither foot touches" in text


def on_the_spot():
    """A run on a treadmill: the root stays, both feet slide all the time; and how fast it was."""
    body, root, turns = walk_poses(load_gait("run"), 3.0, FPS)
    way = root[-1, 0] - root[0, 0]
    root[:, 0] -= root[:, 0].mean() + np.linspace(-0.5, 0.5, len(root)) * way
    return body, root, turns, way * FPS / (len(root) - 1)


def test_a_run_on_the_spot_gets_its_way_back_and_is_told_so(tmp_path):
    body, root, turns, speed = on_the_spot()
    motion = retarget(read_bvh(written(tmp_path / "treadmill.bvh", body, root, turns)))
    check_followable(motion, find_contacts(motion))
    went = np.linalg.norm(motion.root_position[-1, :2] - motion.root_position[0, :2])
    assert went * FPS / (len(root) - 1) == pytest.approx(speed, rel=0.03)
    assert "goes in place" in dict(motion.clip.told)["changed"]


def test_feet_that_never_touch_are_refused(tmp_path):
    """They slide, but here and there, as on no treadmill."""
    body, root, turns, _ = on_the_spot()
    root[:, 1] += 0.4 * np.sin(9.0 * np.arange(len(root)) / FPS)
    text = refusal(written(tmp_path / "slides.bvh", body, root, turns))
    assert "touch" in text and "frame" in text


def test_a_clip_that_begins_on_no_foot_is_refused(tmp_path):
    """As one of a runner on the spot, whose feet slide, who then stands."""
    motion = retarget(read_bvh(written(tmp_path / "late.bvh", *walk_poses(load_gait("walk"), 3.0, FPS))))
    late = [contact for contact in find_contacts(motion) if contact.strike_s > 0.5]
    with pytest.raises(ClipError, match=r"no foot touches the ground in frames 1 to \d+"):
        check_followable(motion, late)


def test_weight_may_be_off_the_soles_for_longer_where_all_lasts_longer(tmp_path):
    """As of one who runs on the Moon in the action's own time."""
    for seconds, falls in ((1.5, False), (3.0, True)):
        motion = retarget(read_bvh(written(tmp_path / "sits.bvh", *bent({"thigh": -1.5, "shank": 1.5}, seconds))))
        contacts = find_contacts(motion)
        with pytest.raises(ClipError, match="weight is not over its feet"):
            check_followable(motion, contacts)
        with pytest.raises(ClipError) if falls else contextlib.nullcontext():
            check_followable(motion, contacts, gravity=1.62)


def test_a_reference_frame_before_the_motion_is_left_out(tmp_path):
    """The rest pose in frame 1, off the place where the motion begins; frames keep their numbers."""
    body, root, turns = bent({"thigh": -0.9, "shank": 1.2, "upper_arm": -0.8, "forearm": -0.9, "foot": -0.3}, 3.0)
    root, turns = np.concatenate([root[:1] + [0.0, 0.0, 0.2], root]), np.concatenate([standing_poses(1.0, FPS)[2][:1], turns])
    found = inspect_clip(written(tmp_path / "bind.bvh", body, root, turns))
    assert found["not_followed"] is None and found["frames"] == len(root) - 1
    assert any("Frame 1 is the rest pose" in fault for fault in found["faults"])
    root[60:] += [0.3, 0.0, 0.0]
    assert "from frame 60 to 61" in refusal(written(tmp_path / "jump.bvh", body, root, turns))
    plain = inspect_clip(written(tmp_path / "stand.bvh", *standing_poses(2.0, FPS)))
    assert not any("rest pose" in fault for fault in plain["faults"])


def test_a_root_that_jumps_is_refused_at_that_frame(tmp_path):
    body, root, turns = walk_poses(load_gait("walk"), 3.0, FPS)
    root[40:] += [0.3, 0.0, 0.0]
    assert "its root jumps by 0.3" in (text := refusal(written(tmp_path / "jump.bvh", body, root, turns)))
    assert "from frame 40 to 41" in text


def test_a_root_that_turns_at_once_is_refused_at_that_frame(tmp_path):
    body, root, turns = standing_poses(3.0, FPS)
    turns = turns.copy()
    turns[60:] = Rotation.from_euler("z", 90.0, degrees=True).as_matrix()
    text = refusal(written(tmp_path / "turn.bvh", body, root, turns))
    assert "its root turns by 90 degrees from frame 60 to 61" in text


def test_a_clip_shorter_than_a_step_is_refused(tmp_path):
    text = refusal(written(tmp_path / "short.bvh", *walk_poses(load_gait("walk"), 0.4, FPS)))
    assert "13 frames last 0.40 s, less than a step" in text


def test_a_clip_as_long_as_a_step_is_followed(tmp_path):
    """Sixty steps of 1/120 s, as files write it: 0.49999998 s."""
    poses = walk_poses(load_gait("walk"), 0.5, 120.0)
    check(write_bvh(tmp_path / "step.bvh", *poses, Style(frame_time=0.00833333)))


def test_inspection_tells_it(tmp_path):
    assert inspect_clip(written(tmp_path / "walk.bvh", *walk_poses(load_gait("walk"), 3.0, FPS)))["not_followed"] is None
    assert "the figure sits" in inspect_clip(written(tmp_path / "chair.bvh", *sitting_down()))["not_followed"]


@needs_clips
@pytest.mark.parametrize("name", ["bvh/09_06_run", "bvh/49_18_stand_balance_one_leg", "bvh/snu_stand_idle",
                                  "jumps/snu_jump_forward_tuck_hik", "reactions/cmu_135_06_karate_blocks_high",
                                  "reactions/snu_push_fwd_strong_step", "turns/snu_spin_one_foot_right",
                                  "turns/snu_walk_dip_low"])
def test_captured_clips_are_followed(name):
    """Those of 82 that come nearest to being refused."""
    check(SHARED / f"{name}.bvh")
