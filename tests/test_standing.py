# SPDX-License-Identifier: GPL-3.0-or-later
"""Standing: the pivoted pendulum's balance, and walks that start from standing and stop to it."""

import numpy as np
import pytest

from lope.addon.controllers.tracking.planners.handover import left
from lope.addon.controllers.tracking.planners.pace import Pace
from lope.addon.controllers.tracking.planners.standing import PivotedPendulum
from lope.addon.errors import InputError
from lope.addon.maths.quaternions import quat_rotate
from lope.addon.simulate import Simulation, preview, simulate
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import PEOPLE, Push, Shot
from lope.addon.worlds.planets import load_world
from planner_kit import BODY, EARTH_G, GRAVITIES


def closed(gravity, mass=75.0):
    """The balanced pendulum's matrix."""
    pendulum = PivotedPendulum(gravity, 0.97, mass)
    a, b = pendulum.linear()
    return a - b @ np.array(pendulum.gains)[None, :]


@pytest.mark.parametrize("gravity", GRAVITIES)
def test_the_balance_comes_to_rest_and_is_similar_under_every_gravity(gravity):
    poles, earth = np.linalg.eigvals(closed(gravity)), np.linalg.eigvals(closed(EARTH_G))
    assert poles.real.max() < 0.0
    np.testing.assert_allclose(np.sort_complex(poles), np.sort_complex(earth) * (gravity / EARTH_G) ** 0.5, rtol=1e-6)
    np.testing.assert_allclose(np.linalg.eigvals(closed(gravity, 30.0)), poles, rtol=1e-6)


def test_the_ankle_torque_is_weight_times_the_lever():
    pendulum = PivotedPendulum(EARTH_G, 0.97, 75.0)
    angle, rate = pendulum.gains
    assert pendulum.pressure(0.02 + 0j, 0j) == pytest.approx(angle * 0.02 / 0.97 / (75.0 * EARTH_G))
    assert pendulum.pressure(0.02j, 0j).imag > 0.02, "beyond the COM, so that it is pushed back"
    assert pendulum.pressure(0j, 0.1 - 0.1j) == pytest.approx(rate * (0.1 - 0.1j) / 0.97 / (75.0 * EARTH_G))


def test_a_pace_counts_its_steps():
    pace = Pace()
    assert pace.steady and pace.shares(3) == [1.0, 1.0, 1.0]
    pace.begin((0.5, 0.8))
    assert not pace.steady and pace.shares(4) == [0.5, 0.8, 1.0, 1.0]
    pace.step(), pace.step()
    assert pace.steady and not pace.done
    pace.halt((0.5, 0.0))
    assert pace.shares(4) == [0.5, 0.0, 0.0, 0.0] and not pace.last
    pace.step()
    assert pace.last and not pace.done
    pace.step()
    assert pace.done and not pace.last


@pytest.fixture(scope="module")
def there_and_still():
    """A walk of seven seconds from standing to standing on Earth, in a wide circle."""
    return simulate(Shot(duration_s=7.0, start="standing", stop="standing", path=PathSpec("circle", radius_m=4.0)))


def test_it_stands_walks_and_stands_again(there_and_still):
    take, speed = there_and_still, np.linalg.norm(there_and_still.com_velocity_m_s[:, :2], axis=1)
    assert not take.fell
    for still in (take.time_s < 0.55, take.time_s > 6.5):
        assert speed[still].max() < 0.05
        assert take.contact[1:][still[1:]].mean() > 0.99, "on both feet"
        assert np.ptp(take.com_m[still], axis=0).max() < 0.03
    middle = (take.time_s > 3.0) & (take.time_s < 4.2)
    assert speed[middle].mean() == pytest.approx(take.stats["planned_speed_m_s"], rel=0.08)
    upright = quat_rotate(take.root_quaternion, np.broadcast_to([0.0, 0.0, 1.0], take.root_position_m.shape))[:, 2]
    assert upright.min() > np.cos(np.radians(20.0))
    assert take.com_m[0, 2] > take.com_m[middle, 2].mean() + 0.01, "it stands on straighter legs than it walks"


def test_the_weight_shifts_back_and_to_the_swing_foot_before_the_first_step(there_and_still):
    take, first = there_and_still, there_and_still.plan_footstep_side[0]
    assert first == 1, "the right foot goes first"
    shifting = (take.time_s > 0.7) & (take.time_s < 1.0)
    pressure = take.contact_point_force_n[:, :, None] * take.contact_point_m[:, :, :2]
    pressure = pressure.sum(axis=1) / np.maximum(take.contact_point_force_n.sum(axis=1), 1.0)[:, None]
    assert pressure[shifting, 0].mean() < pressure[5, 0] - 0.005
    assert pressure[shifting, 1].mean() < pressure[5, 1] - 0.005


def test_the_last_foot_stands_beside_the_other(there_and_still):
    left, right = (there_and_still.plan_footstep_m[there_and_still.plan_footstep_side == k][-1] for k in (0, 1))
    heading = there_and_still.plan_heading_rad[-1]
    away = complex(*(left - right)[:2]) * np.exp(-1j * heading)
    assert abs(away.real) < 0.15 and 0.1 < away.imag < 0.3


def test_a_standing_body_withstands_a_nudge():
    push = Push(0.1, 0.1, (60.0, 40.0, 0.0))
    take = simulate(Shot(world=load_world("moon"), duration_s=9.0, start="standing", pushes=(push,)))
    assert not take.fell


def test_a_start_from_standing_may_go_on_moving_and_a_walk_may_stop():
    take = simulate(Shot(duration_s=4.5, start="standing"))
    assert not take.fell and np.linalg.norm(take.com_velocity_m_s[-50:, :2], axis=1).mean() > 1.0
    take = simulate(Shot(duration_s=4.5, stop="standing"))
    assert not take.fell and np.linalg.norm(take.com_velocity_m_s[0, :2]) > 1.0
    assert np.linalg.norm(take.com_velocity_m_s[-10:, :2], axis=1).max() < 0.05


def test_it_stops_where_its_path_ends():
    path = PathSpec("points", points_m=((2.0, 0.0), (3.5, 0.5)))
    take = simulate(Shot(duration_s=8.0, stop="standing", path=path))
    assert not take.fell
    assert np.linalg.norm(take.com_m[-1, :2] - path.points_m[-1]) < 0.5 * BODY.leg_length_m
    assert np.linalg.norm(take.com_velocity_m_s[-100:, :2], axis=1).max() < 0.05


def test_shots_too_short_for_their_ends_are_refused():
    with pytest.raises(InputError, match=r"starts and stops standing needs at least \d+\.\d s under this gravity, got 3 s"):
        simulate(Shot(duration_s=3.0, start="standing", stop="standing"))
    with pytest.raises(InputError, match="that stops standing"):
        simulate(Shot(duration_s=2.0, stop="standing"))
    with pytest.raises(InputError, match="starts and stops standing needs at least"):
        simulate(Shot(gait="run", duration_s=8.0, start="standing", stop="standing"))


def horizontal_speed(take):
    """(n,) m/s"""
    return np.linalg.norm(take.com_velocity_m_s[:, :2], axis=1)


def test_a_run_starts_from_standing_by_a_few_steps_of_a_walk():
    take = simulate(Shot(gait="run", duration_s=6.0, start="standing"))
    speed, flying = horizontal_speed(take), ~take.contact.any(axis=1)
    assert not take.fell and speed[take.time_s < 0.5].max() < 0.05
    assert speed[take.time_s > 5.0].mean() == pytest.approx(take.stats["planned_speed_m_s"], rel=0.08)
    first = take.time_s[flying & (take.time_s > 0.1)][0]
    assert 3 <= (take.plan_footstep_time_s < first).sum() <= 4
    assert flying[take.time_s > 5.0].mean() > 0.3


def test_a_run_slows_down_walks_and_stands():
    take = simulate(Shot(gait="run", duration_s=9.0, stop="standing"))
    speed, flying = horizontal_speed(take), ~take.contact.any(axis=1)
    assert not take.fell and speed[0] > 3.0
    still = take.time_s > 8.0
    assert speed[still].max() < 0.1 and take.contact[still].all()
    last = take.time_s[flying][-1]
    assert (take.plan_footstep_time_s > last).sum() >= 5, "the last steps are walked"


def test_gaits_that_cannot_stand_at_the_ends_are_refused():
    for gait in ("skip", "hop"):
        with pytest.raises(InputError, match="Skipping and hopping neither start from standing nor stop to it"):
            simulate(Shot(gait=gait, world=load_world("moon"), duration_s=30.0, start="standing"))
    with pytest.raises(InputError, match="this world has 2.53: let this gait end moving"):
        simulate(Shot(gait="run", world=load_world("jupiter"), duration_s=30.0, stop="standing"))


def test_what_a_handover_lets_fade_begins_as_measured_and_goes():
    start = np.array([[0.3, -0.2], [1.0, 0.5]])
    shift, rate, _ = left(start, 14.0, 0.0)
    np.testing.assert_allclose([shift, rate], start)
    before, now, after = (left(start, 14.0, t) for t in (0.0999, 0.1, 0.1001))
    np.testing.assert_allclose((after[0] - before[0]) / 2e-4, now[1], rtol=1e-4)
    np.testing.assert_allclose((after[1] - before[1]) / 2e-4, now[2], rtol=1e-4)
    assert np.abs(left(start, 14.0, 1.0)[0]).max() < 1e-4


def test_by_peoples_law_the_weight_shifts_from_the_first_moment_on():
    shot = Shot(gait_law=PEOPLE, duration_s=4.0, start="standing")
    take, plan = simulate(shot), preview(shot)
    moved = np.linalg.norm(take.com_m[:, :2] - take.com_m[0, :2], axis=1)
    assert not take.fell and moved[np.searchsorted(take.time_s, 0.3)] > 0.01
    lifted = take.time_s[np.flatnonzero(~take.contact[:, 1] & (take.time_s > 0.05))[0]]
    assert lifted == pytest.approx(0.5, abs=0.1)
    assert plan.footstep_time_s[2] == pytest.approx(take.plan_footstep_time_s[0], abs=0.15)


@pytest.mark.parametrize(("law", "modes"), [(PEOPLE, ["walk", "still"]), ("similar", ["still", "still"])])
def test_feet_that_a_stop_has_left_apart_are_set_level_once(law, modes):
    simulation = Simulation(Shot(gait_law=law, duration_s=6.0, stop="standing"))
    ends = simulation.controller.planner
    for mode in modes:
        left, right = (ends.walk.feet[side].step for side in ("L", "R"))
        assert abs((left.place - right.place).real) > 0.1  # in the midst of a walk
        ends.walk.pace.halt([])
        ends._come_to_rest()
        assert ends._mode == mode
    simulation.close()
