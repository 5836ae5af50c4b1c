# SPDX-License-Identifier: GPL-3.0-or-later
"""A T-pose at a clip's start is found by its structure and left out with the way out of it; nothing else is."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bvh_writer import Style, standing_poses, walk_poses, write_bvh
from lope.addon.errors import ClipError, InputError
from lope.addon.locomotion.clip.clip import followed_clip
from lope.addon.motions.bvh import read_bvh
from lope.addon.motions.library import load_gait
from lope.addon.motions.retarget import retarget
from lope.addon.motions.trim import cut, t_pose_frames
from lope.addon.specs.motions import Clip

FPS = 60


def arms_up(orientations, body, shares):
    """Orientations (T, S, 3, 3) with both arms turned sideways by shares (T,) of a right angle."""
    out = orientations.copy()
    for side, sign in (("L", 1.0), ("R", -1.0)):
        if not len(shares):
            continue
        turn = Rotation.from_euler("x", sign * 90.0 * np.asarray(shares)[:, None], degrees=True).as_matrix()
        for part in ("upper_arm", "forearm", "hand"):
            out[:, body.index[f"{part}_{side}"]] = out[:, 0] @ turn
    return out


def written(path, held_s=1.0, ramp_s=0.5, away_m=0.0, up=1.0, style=None):
    """A walk behind a T-pose that is held and left over some time, `away_m` beside where the walk begins."""
    body, root, walk = walk_poses(load_gait("walk"), 4.0, FPS)
    _, still, stand = standing_poses(held_s, FPS)
    held = len(still) if held_s else 0
    still = np.broadcast_to(root[0] + [0.0, away_m, 0.0], (held, 3))
    ramp = round(ramp_s * FPS)
    share = np.arange(1, ramp + 1)[:, None] / (ramp + 1)
    between = (1.0 - share) * (root[0] + [0.0, away_m if not ramp else 0.0, 0.0]) + share * root[0]
    t_pose = arms_up(np.array(stand[:held]), body, np.full(held, up))
    way = arms_up(np.broadcast_to(walk[:1], (ramp, *walk.shape[1:])).copy(), body, up * (1.0 - share[:, 0]))
    return write_bvh(path, body, np.concatenate([still, between, root]), np.concatenate([t_pose, way, walk]),
                     style or Style(frame_time=1.0 / FPS)), held + ramp


@pytest.mark.parametrize("case", [{}, {"held_s": 0.3, "ramp_s": 1.2}, {"ramp_s": 0.0, "away_m": 2.0},
                                  {"held_s": 2.0, "away_m": 1.0},
                                  {"style": Style(unit_m=1.0, order="XYZ", arms_up_deg=90.0, frame_time=1.0 / FPS)}])
def test_a_t_pose_is_left_out_with_the_way_out_of_it(tmp_path, case):
    path, before = written(tmp_path / "walk.bvh", **case)
    frames = t_pose_frames(retarget(read_bvh(path)))
    assert before - 0.35 * FPS <= frames <= before + 0.25 * FPS
    clip = followed_clip(Clip(str(path)), retarget(read_bvh(path)).body)
    assert clip.first_frame == frames + 1 and f"Frames 1 to {frames}" in clip.origin["changed"]
    if "away_m" in case:  # a jump, which nobody follows
        return
    whole = followed_clip(Clip(str(path), first_frame=1), clip.body)
    assert whole.first_frame == 1 and "changed" not in whole.origin


@pytest.mark.parametrize("case", [{"held_s": 0.0, "ramp_s": 0.0}, {"up": 0.0}, {"up": 0.45}])
def test_other_beginnings_stay(tmp_path, case):
    path, _ = written(tmp_path / "walk.bvh", **case)
    assert t_pose_frames(retarget(read_bvh(path))) == 0


def test_somebody_who_only_stands_in_a_t_is_not_cut(tmp_path):
    body, root, stand = standing_poses(3.0, FPS)
    poses = arms_up(np.array(stand), body, np.ones(len(root)))
    path = write_bvh(tmp_path / "t.bvh", body, root, poses, Style(frame_time=1.0 / FPS))
    assert t_pose_frames(retarget(read_bvh(path))) == 0


def test_first_and_last_frame_are_those_of_the_file(tmp_path):
    path, _ = written(tmp_path / "walk.bvh", held_s=0.0, ramp_s=0.0)
    clip = read_bvh(path)
    part = cut(clip, 31, 90)
    assert (part.first_frame, part.frames) == (31, 60)
    np.testing.assert_array_equal(part.root_positions, clip.root_positions[30:90])
    followed = followed_clip(Clip(str(path), first_frame=31, last_frame=150), retarget(clip).body)
    assert followed.first_frame == 31 and followed.duration_s == pytest.approx(119 / FPS, abs=0.02)
    with pytest.raises(ClipError, match="nothing to follow"):
        cut(clip, 500, None)
    with pytest.raises(InputError, match="before the last one"):
        Clip(str(path), first_frame=9, last_frame=9)
