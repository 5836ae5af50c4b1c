# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a followed clip: its schedule, its prints, and the centre of mass that goes with them."""

from dataclasses import replace

import numpy as np
import pytest

from follow_kit import BODY, SECONDS, captured, follow_shot, walk_clip, walk_plan, walk_read
from lope.addon.bodies.makers import make_body
from lope.addon.errors import ClipError, InputError
from lope.addon.locomotion.clip.clip import Track, read_clip
from lope.addon.locomotion.clip.clip_plan import ClipSteps, ComPlan, make_plan
from lope.addon.locomotion.clip.prints import stance_pitch
from lope.addon.locomotion.clip.schedule import FOREVER_S, flights, make_schedule, weights
from lope.addon.locomotion.clip.settings import PlanSettings
from lope.addon.motions.library import load_gait
from lope.addon.motions.strides import Contact
from lope.addon.sim.simulation import preview, resolved
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, World

pytestmark = pytest.mark.slow


def test_a_clip_keeps_its_directions_and_takes_the_bodys_lengths():
    short = make_body(BodySpec(height_m=0.9))
    clip, small = walk_read(), read_clip(walk_clip(), short)
    assert clip.leg_ratio == pytest.approx(1.0, abs=0.02) and small.leg_ratio == pytest.approx(0.5, abs=0.02)
    assert clip.duration_s == pytest.approx(SECONDS, abs=0.02)
    np.testing.assert_allclose(small.joint_quaternions, clip.joint_quaternions, atol=1e-9)
    np.testing.assert_allclose(np.ptp(small.com_m[:, 0]), 0.5 * np.ptp(clip.com_m[:, 0]), rtol=0.05)
    ankle_m = np.quantile(clip.ankle_m[:, 0, 2], 0.1)
    assert ankle_m == pytest.approx(-BODY.sole_height_m, abs=0.02), "the feet rest on the ground"
    assert np.abs(clip.ankle_m[0, :, :2].mean(axis=0)).max() < 1e-9, "it begins about the origin"


def test_the_walks_schedule_is_the_walks():
    schedule, cycle = make_schedule(walk_read()), load_gait("walk")
    strikes = [s.strike_s for s in schedule["L"] if s.strike_s > 0.0]
    assert np.diff(strikes) == pytest.approx(1.0 / cycle.stride_frequency_hz, abs=0.03)
    assert flights(schedule) == []
    shares = weights(schedule, walk_read().times_s, 0.2)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    whole = [s for s in schedule["R"] if -FOREVER_S < s.strike_s and s.off_s < FOREVER_S]
    assert all(s.strike_s <= s.flat_s <= s.heel_off_s <= s.off_s for s in whole)


def test_a_gap_in_which_the_body_does_not_fall_is_no_flight():
    walk = walk_read()
    still = {name: np.repeat(getattr(walk, name)[:1], 145, axis=0) for name in
             ("root_m", "root_quaternion", "joint_quaternions", "com_m", "ankle_m", "foot_quaternion", "foot_yaw", "foot_pitch")}
    contacts = (Contact("L", np.nan, np.nan, 0.5, 0.5), Contact("R", 0.7, 0.7, np.nan, np.nan))
    slid = replace(walk, contacts=contacts, **still)
    assert flights(make_schedule(slid)) == []
    since = np.clip(slid.times_s - 0.5, 0.0, 0.2)
    arc = (0.5 * EARTH_GRAVITY_M_S2 * since * (0.2 - since))[:, None] * [0.0, 0.0, 1.0]
    flown = replace(slid, com_m=slid.com_m + arc, root_m=slid.root_m + arc)
    assert len(flights(make_schedule(flown))) == 1


def test_a_print_stays_while_its_foot_stands():
    plan, clip = walk_plan(), walk_read()
    for i, side in enumerate("LR"):
        for one in plan.prints[side]:
            middle = 0.5 * (max(one.stance.flat_s, 0.0) + min(one.stance.heel_off_s, clip.duration_s))
            row = round(middle / clip.step_s)
            assert abs(complex(*clip.ankle_m[row, i, :2]) - one.place) < 0.02
            assert one.yaw == pytest.approx(clip.foot_yaw[row, i], abs=0.05)


def test_a_foot_is_flat_between_its_landing_and_its_heels_rise():
    one = next(one for one in walk_plan().prints["L"] if one.stance.strike_s > 0.0)
    stance = one.stance
    assert stance_pitch(one, one.level - 0.3, stance.strike_s) == pytest.approx(-0.28, abs=0.05)
    assert stance_pitch(one, one.level + 0.1, 0.5 * (stance.flat_s + stance.heel_off_s)) == 0.0
    assert stance_pitch(one, one.level + 0.4, stance.off_s) == pytest.approx(0.38)


def test_a_foot_rolls_for_longer_than_contacts_tell_but_in_a_jump():
    """They call a foot flat that is not, and its sole would slap the ground, its leg be straight with the heel down."""
    one = next(p for p in walk_plan().prints["L"] if p.stance.strike_s > 0.0 and p.stance.off_s < FOREVER_S)
    soon, late = one.stance.flat_s + 0.02, one.stance.heel_off_s - 0.01
    assert stance_pitch(one, one.level - 0.15, soon) < -0.05 and stance_pitch(one, one.level + 0.15, late) > 0.05
    jump = replace(one, jumps=True)
    assert stance_pitch(jump, one.level - 0.15, soon) == stance_pitch(jump, one.level + 0.15, late) == 0.0


def test_the_planned_mass_is_not_behind_the_clips():
    """Behind it a body is out of its legs' reach at every landing."""
    clip, lacking = walk_read(), {}
    for sways in (False, True):
        plan = make_plan(ClipSteps.of(clip), EARTH_GRAVITY_M_S2 * clip.leg_ratio, PlanSettings(sways=sways))
        lacking[sways] = float(np.mean(clip.com_m[:, 0] - plan.com.place(clip.times_s).real))
    assert abs(lacking[True]) < 0.03 < 0.06 < lacking[False]


def test_the_planned_mass_moves_little_and_its_pressure_lies_under_the_feet():
    plan, clip = walk_plan(), walk_read()
    times = clip.times_s
    own = clip.com_m[:, 0] + 1j * clip.com_m[:, 1]
    moved = np.abs(plan.com.place(times) - own)
    assert moved.max() < 0.10 and moved.mean() > 0.001
    shares = weights(plan.schedule, times - PlanSettings().lag_s, 0.22)
    pressure = plan.com.pivot(times) - plan.com.shift(times)
    inner = (times > 0.3) & (times < clip.duration_s - 0.3)
    for i, side in enumerate("LR"):
        for one in plan.prints[side]:
            alone = inner & (shares[:, i] > 0.999) & (times >= one.stance.strike_s) & (times <= one.stance.off_s)
            away = (pressure[alone] - one.place) / np.exp(1j * one.yaw)
            assert (np.abs(away.imag) < 0.065).all() and (away.real > -0.10).all() and (away.real < 0.22).all()


def test_the_capture_point_obeys_the_pendulum():
    com: ComPlan = walk_plan().com
    times, step = np.linspace(0.5, 2.0, 7), 1e-4
    rate = (com.capture(times + step) - com.capture(times - step)) / (2.0 * step)
    np.testing.assert_allclose(rate, com.omega * (com.capture(times) - com.pivot(times)), atol=1e-3)


def test_a_track_gives_the_clip_back_and_holds_its_ends():
    clip, track = walk_read(), Track(walk_read())
    now, before, end = track.at([clip.times_s[100], -1.0, 1e3])
    np.testing.assert_allclose(now.root_m, clip.root_m[100] - clip.com_m[100], atol=1e-9)
    np.testing.assert_allclose(before.ankle_m, clip.ankle_m[0], atol=1e-9)
    np.testing.assert_allclose(end.root_quaternion, clip.root_quaternion[-1], atol=1e-9)


def test_a_foot_that_turns_on_the_spot_is_set_down_anew():
    schedule = make_schedule(read_clip(captured("snu_stand_turn180_walk_stop"), BODY))
    first, second = schedule["R"][:2]
    assert first.strike_s == -FOREVER_S and 0.4 < first.off_s < second.strike_s < 1.0 < second.off_s
    assert flights(schedule) == [], "the other foot stands meanwhile"


def test_a_shot_is_as_long_as_its_clip_there():
    earth, moon = (resolved(follow_shot(walk_clip(), world).with_motion(time="planet")) for world in ("earth", "moon"))
    ratio = (EARTH_GRAVITY_M_S2 / moon.world.gravity_m_s2) ** 0.5
    assert moon.duration_s == pytest.approx(ratio * earth.duration_s, rel=1e-3) and not moon.until_end
    assert resolved(follow_shot(walk_clip(), stretch=2.0)).duration_s == pytest.approx(2.0 * earth.duration_s, rel=1e-3)
    assert resolved(follow_shot(walk_clip(), until_end=False, duration_s=1.0)).duration_s == 1.0
    assert resolved(follow_shot(walk_clip(), until_end=False, duration_s=60.0)).duration_s == earth.duration_s


def test_the_preview_shows_prints_and_the_way():
    plan = preview(follow_shot(walk_clip(), "moon"))
    assert plan is not None and np.isfinite(plan.com_m).all() and len(plan.footstep_m) >= 6
    assert (np.diff(plan.footstep_time_s) >= 0.0).all() and plan.com_m[-1, 0] > 2.0


def test_what_cannot_be_followed_is_told(tmp_path):
    with pytest.raises(ClipError, match="no motion file"):
        resolved(follow_shot(tmp_path / "none.bvh"))
    shot = follow_shot(walk_clip())
    with pytest.raises(InputError, match="under one gravity"):
        resolved(replace(shot, world=World(gravity_ramp=((1.0, 5.0),))))
    with pytest.raises(InputError, match="level ground or on a slope"):
        preview(replace(shot, world=World(ground=GroundSpec(kind="steps", rise_m=0.1))))


def test_the_plan_at_one_time_is_the_splines():
    com = walk_plan().com
    now = com.at(1.234)
    assert now.place == pytest.approx(complex(com.place(1.234))) and now.velocity == pytest.approx(complex(com.place(1.234, 1)))
    assert now.pivot == pytest.approx(complex(com.pivot(np.array(1.234))), abs=1e-6)
    assert (now.height, now.rising) == pytest.approx((float(com.height(1.234)), float(com.height(1.234, 1))), abs=1e-3)
