# SPDX-License-Identifier: GPL-3.0-or-later
"""Pushes in a simulation: they move the body their way, give their whole impulse, add up, and name a segment that exists."""

import numpy as np
import pytest

from engine_kit import ALL_ENGINES
from lope.addon.engines.engine import NO_MOMENT
from lope.addon.errors import BodyError
from lope.addon.locomotion.tracking.tracker import QUICK_STEP_S as STEP_S
from lope.addon.sim.simulation import Pushing, Simulation, simulate
from lope.addon.specs.shot import Push
from lope.addon.worlds.planets import load_world
from planner_kit import BODY
from shot_kit import gait_shot

pytestmark = pytest.mark.slow


def shot_of(engine="mujoco", **wishes):
    """A second on the Moon."""
    return gait_shot(**{"world": load_world("moon"), "engine": engine, "duration_s": 1.1, **wishes})


@pytest.mark.acceptance
@pytest.mark.parametrize("engine", ALL_ENGINES)
@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_a_push_moves_the_com_its_way(engine, direction):
    """A push at the COM's height gives its impulse over the mass, but for what the ground adds or takes at once."""
    push = Push(0.2, 0.1, (0.0, 150.0 * direction, 0.0), "pelvis")
    calm, pushed = simulate(shot_of(engine)), simulate(shot_of(engine, pushes=(push,)))
    at, after, later = (int(np.searchsorted(calm.time_s, time_s)) for time_s in (0.195, 0.3, 0.35))
    np.testing.assert_array_equal(pushed.com_m[:at + 1], calm.com_m[:at + 1])
    gained = direction * (pushed.com_velocity_m_s - calm.com_velocity_m_s)[after, 1]
    assert gained == pytest.approx(150.0 * 0.1 / BODY.mass_kg, rel=0.25)
    assert direction * (pushed.com_m - calm.com_m)[later, 1] > 0.005


class PushLog:
    """Stands in for an engine: notes the forces that act, step by step."""

    def __init__(self):
        self.now, self.rows = {}, []

    def push(self, segment, force, moment=NO_MOMENT):
        assert not moment.any()  # the chest is pushed where it is
        self.now[segment] = np.array(force, dtype=float)

    def close(self):
        pass


def impulses(pushes, seconds=1.5):
    """Impulse (3,) that each segment is given, and the steps' forces."""
    simulation = Simulation(shot_of(pushes=pushes))
    log, pushing = PushLog(), Pushing(simulation.body, simulation.state)
    for tick in range(round(seconds / STEP_S)):
        pushing.apply(log, pushes, (), tick * STEP_S, STEP_S)
        log.rows.append({k: v.copy() for k, v in log.now.items()})
    names = {name for row in log.rows for name in row}
    return {n: sum(row.get(n, np.zeros(3)) for row in log.rows) * STEP_S for n in names}, log.rows


@pytest.mark.parametrize(
    ("start", "duration"), [(0.1, 0.2), (0.7, 0.2), (0.701, 0.002), (0.7049, 0.001), (1.0, 0.0331), (0.0, 0.005)])
def test_a_push_gives_its_whole_impulse_whenever_it_comes(start, duration):
    given, rows = impulses((Push(start, duration, (50.0, -30.0, 10.0)),))
    np.testing.assert_allclose(given["chest"], np.array([50.0, -30.0, 10.0]) * duration, rtol=1e-6)
    acting = [i * STEP_S for i, row in enumerate(rows) if np.any(row.get("chest", 0.0))]
    assert start - STEP_S < acting[0] and acting[-1] < start + duration


def test_pushes_at_the_same_time_add_up():
    given, rows = impulses((Push(0.1, 0.2, (10.0, 0.0, 0.0)), Push(0.2, 0.2, (0.0, 20.0, 0.0)),
                            Push(0.15, 0.1, (0.0, 0.0, 5.0), "pelvis")))
    np.testing.assert_allclose(given["chest"], [2.0, 4.0, 0.0], rtol=1e-6)
    np.testing.assert_allclose(given["pelvis"], [0.0, 0.0, 0.5], rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(rows[50]["chest"], [10.0, 20.0, 0.0])
    assert not any(np.any(force) for force in rows[-1].values())


def test_a_push_on_a_segment_that_is_not_there_is_refused_at_once():
    with pytest.raises(BodyError, match="no segment 'tail'"):
        simulate(shot_of(pushes=(Push(0.9, 0.1, (1.0, 0.0, 0.0), "tail"),)))
