# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits with flight on the ground: which points push, and what weighs how much on short legs."""

from __future__ import annotations

import numpy as np
import pytest

from lope.addon.locomotion.tracking.weights import RUNNING, SHORT_LEG_M, on_short_legs
from lope.addon.sim.simulation import Simulation
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import Shot

pytestmark = pytest.mark.slow

KINDS = ("heel", "ball", "toe")


@pytest.fixture(scope="module")
def flat() -> Simulation:
    """A run whose left foot stands flat."""
    simulation = Simulation(Shot(motion=Gait("run"), duration_s=2.0))
    planner = simulation.controller.planner
    while True:
        simulation.step()
        _, expected = planner.feet.contact_points(planner.clock.phase)
        if all(expected[i] for i in simulation.body.feet[0].points):
            return simulation


@pytest.mark.parametrize("share, hovering, pushing", [
    (0.44, (), KINDS), (0.44, ("ball",), ("heel", "toe")), (0.44, ("ball", "heel"), ("toe",)), (0.44, ("heel",), ("ball", "toe")),
    (0.44, ("toe",), ("heel", "ball")), (0.1, ("ball",), ("heel", "toe")), (0.3, ("ball",), ("heel", "toe"))])
def test_points_that_touch_push(flat, share, hovering, pushing):
    """Toes that bear the body and were told not to push sank 23 mm in mid stance; without them a run went faster and faster."""
    points, planner = flat.body.contact_points, flat.controller.planner
    heights = np.array([0.006 if p.kind in hovering else 0.0 for p in points])
    before = flat.controller.state.contact_height_m.copy()
    flat.controller.state.contact_height_m[:] = heights
    foot = planner.feet["L"]
    active, _ = planner.feet.contact_points(foot.path.phases.strike + share * foot.path.phases.toe_off)
    flat.controller.state.contact_height_m[:] = before
    left = [i for i, p in enumerate(points) if p.side == "L"]
    assert {points[i].kind for i in left if active[i]} == set(pushing)


def test_weights_go_by_the_length_of_short_legs_alone():
    assert on_short_legs(RUNNING, SHORT_LEG_M) == on_short_legs(RUNNING, 1.5) == RUNNING
    half = on_short_legs(RUNNING, 0.5 * SHORT_LEG_M)
    assert half.swing_weight == pytest.approx(4.0 * RUNNING.swing_weight)
    assert half.com_weight / half.contact_weight == pytest.approx(RUNNING.com_weight / RUNNING.contact_weight)
    assert half.angular_momentum_weight == pytest.approx(16.0 * RUNNING.angular_momentum_weight)
    assert half.chest_weight == RUNNING.chest_weight


@pytest.mark.parametrize("hovering, pushing", [((), ("toe",)), (("toe",), ("ball",)), (("toe", "ball"), ())])
def test_the_ball_pushes_until_the_toes_are_down_that_are_to_follow_it(flat, hovering, pushing):
    """A foot that is to stand on its toes alone pushed with nothing while these hung over the ground."""
    points, planner = flat.body.contact_points, flat.controller.planner
    foot = planner.feet["L"]
    phase = foot.path.phases.strike + 0.9 * foot.path.phases.toe_off
    before = flat.controller.state.contact_height_m.copy()
    flat.controller.state.contact_height_m[:] = [0.006 if p.kind in (*hovering, "heel") else 0.0 for p in points]
    active, expected = planner.feet.contact_points(phase)
    flat.controller.state.contact_height_m[:] = before
    left = flat.body.feet[0].points
    assert {points[i].kind for i in left if active[i]} == set(pushing)
    assert {points[i].kind for i in left if expected[i]} == {"toe", *pushing}
