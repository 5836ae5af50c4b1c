# SPDX-License-Identifier: GPL-3.0-or-later
"""The walking planner with a body that does as it is told: steady steps, early and late contact, heading, corrections."""

import math

import numpy as np
import pytest

from lope.addon.locomotion.gait.walk.footsteps import OTHER, StepSettings, WalkSettings
from lope.addon.locomotion.gait.walk.pendulum import PlaneState
from lope.addon.maths.rotations import matrix_from_quat
from lope.addon.worlds.paths import Circle, SmoothLine
from planner_kit import BODY, EARTH_G, INTERVAL_S, LEAST_G, MOON_G, MOST_G, Follower, gait_at, tables

PLANETS = pytest.mark.parametrize("gravity", [LEAST_G, MOON_G, EARTH_G, MOST_G])


def steps_of(walker, count):
    """Walk until `count` feet have struck; gives their times and footsteps."""
    while len(walker.planner.footsteps) < count:
        walker.step()
        assert walker.time_s < 60.0
    times, steps = zip(*walker.planner.footsteps, strict=True)
    return np.array(times), steps


def to_swing(walker, share):
    """Walk on to a share of the present or next swing; gives the swing foot's side."""
    rhythm = walker.planner.rhythm
    for _ in range(3000):
        double, whole = rhythm.fractions(rhythm.stance)
        progress = (rhythm.local - double) / (whole - double)
        if walker.planner.feet[walker.swing_side].swinging and share <= progress < share + 0.1:
            return walker.swing_side
        walker.step()
    raise AssertionError("no swing came to that share")


@PLANETS
def test_the_start_moves_as_its_plan(gravity):
    walker = Follower(gravity)
    planner, state, gait = walker.planner, walker.state, gait_at(gravity)
    offset, velocity = planner.orbit.now()
    assert walker.com == pytest.approx(planner.feet["L"].step.place + offset, abs=0.01)
    assert walker.velocity == pytest.approx(velocity, abs=0.03 * gait.speed_m_s)
    assert abs(np.linalg.norm(state.qpos[3:7]) - 1.0) < 1e-9
    assert planner.rhythm.stance == "L" and planner.feet["R"].swinging
    foot = state.frame("foot_L").position
    assert foot[2] == pytest.approx(-BODY.sole_height_m, abs=5e-3)
    assert complex(*foot[:2]) == pytest.approx(planner.feet["L"].step.place, abs=5e-3)
    assert state.contact_point_m[:, 2].min() > -0.005
    assert walker.targets.feet["L"].stance and not walker.targets.feet["R"].stance
    assert walker.targets.active.any()


@pytest.mark.slow
@pytest.mark.parametrize("gravity", [LEAST_G, MOON_G, EARTH_G])
def test_a_body_that_follows_walks_steadily_at_its_own_rate(gravity):
    walker, gait = Follower(gravity), gait_at(gravity)
    factors = []
    while len(walker.planner.footsteps) < 8:
        walker.step()
        factors.append(walker.planner.rhythm.rate_factor)
    assert factors == [1.0] * len(factors)
    times, steps = steps_of(walker, 8)
    places = np.array([s.place for s in steps])
    half = 0.5 * gait.stride_length_m
    np.testing.assert_allclose(np.diff(times)[1:], 0.5 / gait.stride_frequency_hz, atol=1.5 * INTERVAL_S)
    np.testing.assert_allclose(np.diff(places.real)[2:], half, rtol=0.08)
    sides = [s.side for s in steps]
    assert sides == ["R", "L"] * 4
    signs = np.array([1.0 if side == "L" else -1.0 for side in sides])
    np.testing.assert_allclose(signs * places.imag, 0.5 * tables().width_m, atol=0.02)
    np.testing.assert_allclose([s.yaw for s in steps], [tables().foot_yaw[s.side] for s in steps], atol=0.02)
    assert walker.com.real / walker.time_s == pytest.approx(gait.speed_m_s, rel=0.03)
    assert abs(walker.planner.steering.speed_bias) < 0.05 * gait.speed_m_s


@PLANETS
def test_targets_are_numbers_and_agree_with_each_other(gravity):
    walker = Follower(gravity)
    for _ in range(150):
        walker.step()
        targets = walker.targets
        for array in (targets.pose, targets.pose_velocity, targets.pose_acceleration):
            assert np.isfinite(array).all()
        assert np.abs(targets.pose_velocity[6:]).max() < 25.0 * (gravity / EARTH_G) ** 0.5
        assert targets.omega == pytest.approx(math.sqrt(gravity / tables().com_height_mean_m))
        assert abs(targets.height[2]) <= 1.02 * WalkSettings().height_acceleration * gravity
        assert targets.expected[targets.active].all(), "what may push is meant to touch"
        for side in ("L", "R"):
            rows = [p.side == side for p in BODY.contact_points]
            if not targets.feet[side].stance:
                assert not targets.active[rows].any() or walker.planner.feet[side].landed
        standing = np.array([walker.planner.feet[s].step.place for s in "LR" if walker.planner.feet[s].landed])
        centre = targets.cmp - walker.planner.cmp_orbit.at(walker.planner.rhythm.phase, walker.planner.course.forward).cmp
        assert -0.1 < (centre - standing.min()).real < np.ptp(standing.real) + 0.25, "under the feet or between them"
        assert abs(centre.imag) < 0.5 * tables().width_m + 0.05


def test_the_feets_velocities_are_their_places_slopes():
    walker, places, rates = Follower(EARTH_G), {"L": [], "R": []}, {"L": [], "R": []}
    for _ in range(80):
        walker.step()
        for side in ("L", "R"):
            places[side].append(walker.targets.feet[side].position.copy())
            rates[side].append(walker.targets.feet[side].velocity.copy())
    for side in ("L", "R"):
        slope = np.diff(places[side], axis=0) / INTERVAL_S
        mean = 0.5 * (np.array(rates[side][1:]) + np.array(rates[side][:-1]))
        usual = np.abs(slope - mean).max(axis=1) < 0.35
        assert usual.mean() > 0.85, "but for the moments of lift and strike"
        assert np.abs(slope).max() > 2.0


@pytest.mark.slow
def test_gravity_makes_the_same_walk_slower():
    earth, moon = Follower(EARTH_G), Follower(MOON_G)
    (fast, places), (slow, others) = steps_of(earth, 5), steps_of(moon, 5)
    scale = (EARTH_G / MOON_G) ** 0.5
    np.testing.assert_allclose(np.diff(slow), np.diff(fast) * scale, atol=3 * INTERVAL_S * scale)
    long, longer = (np.diff([s.place.real for s in row]) for row in (others, places))
    np.testing.assert_allclose(long, longer, rtol=0.05)
    np.testing.assert_allclose([s.place.imag for s in others], [s.place.imag for s in places], atol=0.01)


@pytest.mark.parametrize("gravity", [MOON_G, EARTH_G])
def test_an_early_foot_stands_while_the_clock_runs_on(gravity):
    walker = Follower(gravity)
    side = to_swing(walker, 0.8)
    planner, rhythm = walker.planner, walker.planner.rhythm
    foot, stance, count = planner.feet[side], rhythm.stance, len(planner.footsteps)
    walker.load, before = True, rhythm.local
    place = walker.state.frame(f"foot_{side}").position.copy()
    walker.step()
    assert foot.landed and foot.swinging and rhythm.stance == stance
    assert rhythm.local == pytest.approx(before + rhythm.rate * INTERVAL_S, rel=0.05), "the phase does not jump"
    assert abs(foot.step.place - complex(*place[:2])) < 0.15 * BODY.leg_length_m, "it stands where it came down"
    stood, target = foot.step.place, planner.feet.target
    phase = rhythm.local
    while len(planner.footsteps) == count:
        assert planner.feet.target == target and foot.step.place == stood, "a foot that stands is not led on"
        walker.step()
        if len(planner.footsteps) == count:
            assert rhythm.local - phase == pytest.approx(rhythm.rate * INTERVAL_S, rel=0.05)
        phase = rhythm.local
    assert rhythm.stance == side and rhythm.local < 0.05
    assert planner.footsteps[-1][1].place == stood


def test_a_touch_soon_after_the_lift_is_no_landing():
    walker = Follower(EARTH_G)
    side = to_swing(walker, 0.1)
    walker.load = True
    for _ in range(5):
        walker.step()
    assert not walker.planner.feet[side].landed


@pytest.mark.parametrize("gravity", [MOON_G, EARTH_G])
def test_a_late_foot_is_lowered_while_the_clock_waits(gravity, monkeypatch):
    walker = Follower(gravity)
    monkeypatch.setattr(walker.planner.feet, "touches", lambda side: False)
    side = to_swing(walker, 0.8)
    planner, rhythm = walker.planner, walker.planner.rhythm
    walker.load, foot, count = False, planner.feet[side], len(planner.footsteps)
    while foot.lowered_m == 0.0:
        walker.step()
    _, whole = rhythm.fractions(rhythm.stance)
    heights, lowered = [], []
    for _ in range(6):
        assert rhythm.local == pytest.approx(whole, abs=1e-5)
        assert len(planner.footsteps) == count and not foot.landed
        heights.append(walker.targets.feet[side].position[2])
        lowered.append(foot.lowered_m)
        walker.step()
    speed = WalkSettings().lowering_m_s * (gravity / EARTH_G) ** 0.5
    np.testing.assert_allclose(np.diff(lowered), speed * INTERVAL_S, rtol=1e-9)
    np.testing.assert_allclose(np.diff(heights), -speed * INTERVAL_S, rtol=0.05)
    walker.load = True
    walker.step()
    assert rhythm.stance == side and rhythm.local < 0.05 and len(planner.footsteps) == count + 1
    walker.load = None
    steps_of(walker, count + 3)
    assert planner.feet[side].lowered_m == 0.0 or planner.feet[side].landed, "the next swing starts afresh"


def test_a_late_foot_that_touches_without_weight_is_down(monkeypatch):
    walker = Follower(EARTH_G)
    side = to_swing(walker, 0.8)
    walker.load, count = False, len(walker.planner.footsteps)
    monkeypatch.setattr(walker.planner.feet, "touches", lambda asked: asked == side)
    while len(walker.planner.footsteps) == count:
        walker.step()
        assert walker.planner.feet[side].lowered_m == 0.0
    assert walker.planner.rhythm.stance == side


@pytest.mark.slow
def test_a_push_moves_the_next_foot_to_its_side_and_the_walk_recovers():
    calm, pushed = Follower(EARTH_G), Follower(EARTH_G)
    for walker in (calm, pushed):
        to_swing(walker, 0.3)
    side = 1.0 if pushed.swing_side == "L" else -1.0
    pushed.velocity += 0.10j * side
    calm.step(), pushed.step()
    moved = pushed.planner.feet.target.place - calm.planner.feet.target.place
    assert 0.01 < side * moved.imag < 0.4
    _, steps = steps_of(pushed, len(pushed.planner.footsteps) + 8)
    assert abs(pushed.velocity.imag) < 0.3
    lateral = [abs(s.place.imag) for s in steps[-2:]]
    np.testing.assert_allclose(lateral, 0.5 * tables().width_m, atol=0.06)


def test_a_mirrored_push_in_the_mirrored_step_moves_the_mirrored_foot():
    left, right = Follower(EARTH_G), Follower(EARTH_G)
    first = to_swing(left, 0.3)
    count = len(left.planner.footsteps)
    while to_swing(right, 0.3) == first or len(right.planner.footsteps) == count:
        right.step()
    moves = []
    for walker in (left, right):
        before = walker.planner.feet.target.place
        walker.velocity += 0.12j * (1.0 if walker.swing_side == "L" else -1.0)
        walker.step()
        moves.append(walker.planner.feet.target.place - before)
    assert moves[1].imag == pytest.approx(-moves[0].imag, abs=0.03)
    assert abs(moves[0].imag) > 0.03


def test_a_raised_rate_comes_gradually_and_stays_below_the_fastest():
    walker = Follower(EARTH_G)
    to_swing(walker, 0.1)
    rhythm, planner = walker.planner.rhythm, walker.planner
    walker.velocity += 0.6j * (-1.0 if walker.swing_side == "L" else 1.0)  # over the standing foot's outer edge
    times, settings = rhythm.stance_times(rhythm.stance), StepSettings()
    fastest = (times.flat + times.raised) / settings.shortest_swing_s
    before, most, count = rhythm.rate_factor, 1.0, len(planner.footsteps)
    while len(planner.footsteps) == count:
        walker.step()
        change = WalkSettings().timing_rate * INTERVAL_S * rhythm.frequency
        assert rhythm.rate_factor <= fastest + 1e-9
        assert abs(rhythm.rate_factor - before) <= change + 1e-9 or len(planner.footsteps) > count
        before, most = rhythm.rate_factor, max(most, rhythm.rate_factor)
    assert most > 1.05, "the legs cannot cross that far: it hurries"
    assert rhythm.rate_factor <= 1.0 + change + 1e-9, "and begins anew after the strike"


@pytest.mark.slow
@pytest.mark.parametrize("gravity", [MOON_G, EARTH_G])
def test_the_walk_turns_with_the_path(gravity):
    walker = Follower(gravity, path=SmoothLine(((2.0, 0.0), (4.0, 1.0), (6.0, 3.0), (10.0, 7.0))))
    planner = walker.planner
    while planner.course.s < 9.0:
        walker.step()
        assert abs(planner.course.cross_track(walker.com)) < 0.1
    direction = walker.velocity / abs(walker.velocity)
    assert math.atan2(direction.imag, direction.real) == pytest.approx(planner.course.heading, abs=0.25)
    last = planner.footsteps[-1][1]
    assert last.yaw == pytest.approx(planner.course.heading + tables().foot_yaw[last.side], abs=0.1)
    forward = matrix_from_quat(walker.targets.pose[3:7])[:, 0]
    assert math.atan2(forward[1], forward[0]) == pytest.approx(planner.course.heading, abs=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("radius", [2.0, -2.5])
@pytest.mark.parametrize("gravity", [MOON_G, EARTH_G, MOST_G])
def test_a_circle_is_walked_steadily_leaning_inward(gravity, radius):
    walker, gait = Follower(gravity, path=Circle(radius)), gait_at(gravity)
    path, away, tilts = walker.planner.course.path, [], []
    while walker.planner.course.s < 1.5 * math.pi * abs(radius):
        walker.step()
        assert walker.planner.rhythm.rate_factor < 1.2
        away.append(abs(walker.com - path.centre) - abs(radius))
        up, outward = matrix_from_quat(walker.targets.pose[3:7])[:, 2], walker.com - path.centre
        tilts.append(up[0] * outward.real + up[1] * outward.imag)
    feet = np.array([s.place for _, s in walker.planner.footsteps])
    assert np.abs(away).max() < 0.08 and abs(np.mean(away)) < 0.035
    assert walker.planner.course.s / walker.time_s == pytest.approx(gait.speed_m_s, rel=0.02)
    sides = np.array([1.0 if s.side == "L" else -1.0 for _, s in walker.planner.footsteps])
    outward = np.abs(feet - path.centre) + math.copysign(0.5, radius) * sides * tables().width_m
    lean = gait.speed_m_s**2 / gravity * tables().com_height_mean_m / abs(radius)
    assert np.mean(outward[2:]) - abs(radius) - np.mean(away) == pytest.approx(lean, abs=0.015)
    assert walker.targets.heading == pytest.approx(walker.planner.course.s / radius, abs=0.05)
    for _, step in walker.planner.footsteps[2:]:
        tangent = np.angle(1j * math.copysign(1.0, radius) * (step.place - path.centre))
        assert math.remainder(step.yaw - tables().foot_yaw[step.side] - tangent, 2.0 * math.pi) == pytest.approx(0.0, abs=0.05)
    slope = gait.speed_m_s**2 / gravity / abs(radius)
    assert np.mean(tilts) / abs(radius) == pytest.approx(-slope, rel=0.3), "the body leans inward"


@pytest.mark.slow
def test_it_comes_back_to_its_path_and_speed():
    walker, gait = Follower(EARTH_G), gait_at(EARTH_G)
    steps_of(walker, 2)
    walker.velocity -= 0.15
    for count in (3, 4):
        walker.velocity += 0.15j
        steps_of(walker, count)
    steps_of(walker, 6)
    assert walker.com.imag > 0.2, "well off its path"
    steps_of(walker, 20)
    start, begun = walker.com, walker.time_s
    steps_of(walker, 34)
    assert (walker.com - start).real / (walker.time_s - begun) == pytest.approx(gait.speed_m_s, rel=0.05)
    assert abs(walker.com.imag) < 0.07, "and back on it"
    assert abs(walker.planner.steering.speed_bias) <= 0.25 * gait.speed_m_s


@pytest.mark.slow
def test_both_scalings_plan():
    for scaling in ("similar", "fixed"):
        _, steps = steps_of(Follower(MOON_G, scaling=scaling), 5)
        assert [s.side for s in steps] == ["R", "L", "R", "L", "R"]


def test_footsteps_alternate_with_the_stance():
    walker = Follower(EARTH_G)
    for _ in range(120):
        count, stance = len(walker.planner.footsteps), walker.planner.rhythm.stance
        walker.step()
        if len(walker.planner.footsteps) > count:
            assert walker.planner.rhythm.stance == OTHER[stance] == walker.planner.footsteps[-1][1].side


@pytest.mark.parametrize("gravity", [MOON_G, EARTH_G])
def test_the_pendulum_keeps_its_lean_over_a_speed_ramp(gravity):
    """Told a little more speed at every plan step: nothing of the cart's state jumps, and it leans into the ramp."""
    walker, speed = Follower(gravity), gait_at(gravity).speed_m_s
    planner = walker.planner
    steps_of(walker, 2)
    leans = []
    for share in np.linspace(1.0, 1.2, 60):
        before = list(planner.cart.planes)
        planner.change(gait_at(gravity, speed_m_s=share * speed), gravity)
        assert planner.cart.planes == before
        walker.step()
        leans.append(planner.cart.planes[0].lean)
    assert max(map(abs, leans)) > 10.0 * np.abs(np.diff(leans)).max() > 0.0


def test_a_walk_that_does_not_go_on_from_a_steady_one_begins_upright():
    walker = Follower(EARTH_G)
    planner = walker.planner
    steps_of(walker, 2)
    planner.cart.planes = [PlaneState(lean=0.1)] * 2
    planner.pace.begin([0.5, 0.8])
    walker.step()
    assert planner.cart.planes == [PlaneState(cart_velocity=planner.gait.speed_m_s), PlaneState()]
