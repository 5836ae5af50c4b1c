# SPDX-License-Identifier: GPL-3.0-or-later
"""Pieces of motion laid one behind the other, and a clip that goes round."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from follow_kit import BODY, captured, follow_shot, walk_clip, walk_read
from lope.addon.bodies.kinematics import centre_of_mass, segment_poses
from lope.addon.errors import ClipError, InputError
from lope.addon.locomotion.clip.clip import read_clip
from lope.addon.locomotion.clip.prints import make_prints
from lope.addon.locomotion.clip.repeat import find_round, repeated, straightened
from lope.addon.locomotion.clip.schedule import FOREVER_S, make_schedule
from lope.addon.locomotion.clip.splice import cut, heading, joined, lay, with_prints
from lope.addon.locomotion.legged.foot_geometry import FootGeometry
from lope.addon.maths.rotations import quat_multiply
from lope.addon.motions.library import load_gait
from lope.addon.sim.simulation import resolved, simulate
from lope.addon.specs.motions import Clip

pytestmark = pytest.mark.slow


@cache
def walk_prints():
    return make_prints(walk_read(), make_schedule(walk_read()), FootGeometry(BODY, "L"))


@cache
def spliced():
    """The walk, gone round once: the parts, and their prints."""
    clip, prints = walk_read(), walk_prints()
    way = find_round(clip, make_schedule(clip))
    first = lay(cut(clip, prints, 0.0, way.to_s))
    second = lay(cut(clip, prints, way.from_s, way.to_s), first)
    return first, second, with_prints(first.prints, second)


def test_a_walk_goes_round_in_whole_strides():
    way = find_round(walk_read(), make_schedule(walk_read()))
    strides = (way.to_s - way.from_s) * load_gait("walk").stride_frequency_hz
    assert strides == pytest.approx(round(strides), abs=0.03) and strides > 0.9 and way.unlike < 0.1


def test_a_piece_begins_in_the_pose_and_with_the_velocity_in_which_the_last_one_ends():
    first, second, _ = spliced()
    for name in ("root_m", "com_m", "ankle_m", "foot_yaw", "foot_pitch", "root_quaternion", "joint_quaternions"):
        before, after = getattr(first.clip, name), getattr(second.clip, name)
        np.testing.assert_allclose(after[0], before[-1], atol=1e-5, err_msg=name)
        rate, former = after[1] - after[0], before[-1] - before[-2]
        np.testing.assert_allclose(rate, former, atol=2e-3, err_msg=name)
    np.testing.assert_allclose(second.clip.root_m[-1], second.own.root_m[-1], atol=1e-9)


def test_joined_clips_are_of_one_piece():
    first, second, _ = spliced()
    clip = joined([first, second])
    assert len(clip.root_m) == len(first.clip.root_m) + len(second.clip.root_m) - 1
    places, turns = segment_poses(BODY, clip.root_m, clip.root_quaternion, clip.joint_quaternions)
    np.testing.assert_allclose(centre_of_mass(BODY, places, turns), clip.com_m, atol=1e-4)
    assert np.abs(np.diff(clip.com_m, 2, axis=0)).max() < 2.0 * np.abs(np.diff(walk_read().com_m, 2, axis=0)).max()


def test_what_stands_at_a_joint_keeps_its_print_and_goes_on_standing():
    first, _, prints = spliced()
    for side in "LR":
        times = [(one.stance.strike_s, one.stance.flat_s, one.stance.heel_off_s, one.stance.off_s) for one in prints[side]]
        assert all(a <= b <= c <= d for a, b, c, d in times)
        assert all(one[3] < other[0] for one, other in zip(times, times[1:], strict=False)), "no stance begins in another"
        at = [one for one in prints[side] if one.stance.strike_s < first.end_s - 1e-6 < one.stance.off_s]
        assert all(one.place in {old.place for old in first.prints[side]} for one in at)
    standing = [one for side in "LR" for one in first.prints[side] if one.stance.off_s == FOREVER_S]
    assert standing and all(one.stance.off_s < FOREVER_S for side in "LR" for one in prints[side][:-1])


def test_every_way_round_goes_on_from_the_last_ones_prints():
    """All steps of the walk are alike, so those of a walk that goes round are, too."""
    clip, prints = walk_read(), walk_prints()
    whole, found = repeated(clip, prints, find_round(clip, make_schedule(clip)), 12.0)
    assert whole.duration_s > 12.0
    order = sorted((one for side in "LR" for one in found[side] if one.stance.strike_s > 0.5),
                   key=lambda one: one.stance.strike_s)
    steps = [abs(b.place - a.place) for a, b in zip(order, order[1:], strict=False)]
    assert len(steps) > 15 and np.ptp(steps) < 0.05
    assert np.ptp([one.yaw for one in found["L"]]) < math.radians(10.0)


@pytest.mark.acceptance
def test_a_clip_repeated_is_followed_as_long_as_the_shot_lasts():
    shot = resolved(follow_shot(walk_clip(), repeat=True, until_end=False, duration_s=8.0))
    assert shot.duration_s == 8.0
    take = simulate(shot)
    assert not take.fell and take.time_s[-1] == pytest.approx(8.0, abs=0.05)
    assert take.stats["followed_fraction"] == pytest.approx(1.0, abs=0.01)
    assert take.channels["follow_com_off_plan_m"].values.mean() < 0.10
    assert take.com_m[-1, 0] > 1.8 * walk_read().com_m[-1, 0]


def test_what_cannot_be_repeated_is_told():
    with pytest.raises(InputError, match="goes on for ever"):
        follow_shot(walk_clip(), repeat=True)
    clip = walk_read()
    with pytest.raises(ClipError, match="three steps or more"):
        find_round(clip, {side: stances[:1] for side, stances in make_schedule(clip).items()})


def test_a_turn_that_is_repeated_goes_on_turning():
    clip = read_clip(captured("snu_walk_circle_left"), BODY)
    schedule = make_schedule(clip)
    whole, _ = repeated(clip, make_prints(clip, schedule, FootGeometry(BODY, "L")), find_round(clip, schedule), 24.0)
    assert np.ptp(whole.foot_yaw[:, 0]) > 1.6 * np.ptp(clip.foot_yaw[:, 0])


def test_a_repeated_clip_travels_as_json():
    follow = Clip("a.bvh", repeat=True)
    assert Clip.from_dict({"file": "a.bvh", "repeat": True}) == follow


@pytest.mark.parametrize(("turn_deg", "net_deg"), [(3.0, 0.0), (20.0, 20.0)])
def test_a_way_round_that_hardly_turns_is_bent_straight(turn_deg, net_deg):
    clip, prints = walk_read(), walk_prints()
    way = find_round(clip, make_schedule(clip))
    piece = cut(clip, prints, way.from_s, way.to_s)
    own = float(heading(piece.clip.root_quaternion[-1]) - heading(piece.clip.root_quaternion[0]))
    strides = sum(one.stance.strike_s > -1e-6 for one in piece.prints[piece.begins])
    share = np.linspace(0.0, math.radians(turn_deg) * strides - own, len(piece.clip.root_m))
    about = np.stack([np.cos(0.5 * share), *np.zeros((2, len(share))), np.sin(0.5 * share)], axis=1)
    turning = replace(piece, clip=replace(piece.clip, root_quaternion=quat_multiply(about, piece.clip.root_quaternion)))
    found = straightened(turning)
    net = float(heading(found.clip.root_quaternion[-1]) - heading(found.clip.root_quaternion[0]))
    assert net == pytest.approx(math.radians(net_deg) * strides, abs=1e-6)
    apart = [np.linalg.norm(one.ankle_m - one.root_m[:, None], axis=-1) for one in (found.clip, turning.clip)]
    np.testing.assert_allclose(*apart, atol=1e-9)
    if net_deg:
        assert found is turning
    else:
        bend = found.prints[piece.begins][0].yaw - turning.prints[piece.begins][0].yaw
        assert -math.radians(turn_deg) * strides < bend < 0.0, "prints turn with the body"


def test_a_straight_walk_repeated_goes_straight_on():
    clip = read_clip(captured("snu_walk_normal"), BODY)
    schedule = make_schedule(clip)
    whole, _ = repeated(clip, make_prints(clip, schedule, FootGeometry(BODY, "L")), find_round(clip, schedule), 40.0)
    start, middle, end = (complex(*whole.com_m[int(t / whole.step_s), :2]) for t in (3.0, 21.0, 39.0))
    assert abs(end - start) > 30.0 and abs(((middle - start) / (end - start)).imag) * abs(end - start) < 0.5
