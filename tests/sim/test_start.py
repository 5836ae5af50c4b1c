# SPDX-License-Identifier: GPL-3.0-or-later
"""The first state of a walk, for bodies whose legs do not reach as far as the gait's."""

import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.sim.simulation import Simulation
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import BodySpec, Shot

pytestmark = pytest.mark.slow

LEG = ("hip", "knee", "ankle", "heel", "toes", "toe_tip")


def straddling(apart_m: float) -> BodySpec:
    """The standard figure with each leg set further out by `apart_m`; its feet still have to land as close as any."""
    points = {name: [float(x) for x in place] for name, place in make_body(BodySpec()).landmarks.items()}
    for name, place in points.items():
        if name.rpartition("_")[0] in LEG:
            place[1] += apart_m if name.endswith("_L") else -apart_m
    return BodySpec(landmarks={name: tuple(place) for name, place in points.items()})


@pytest.mark.parametrize(("apart_m", "lower_m"), [(0.0, 0.0), (0.15, 0.015), (0.25, 0.03)])
def test_a_body_starts_as_low_as_its_legs_reach(apart_m, lower_m):
    """The standing foot touches the ground in the first state, instead of hanging above it until the body has dropped."""
    simulation = Simulation(Shot(motion=Gait(tuned=False), body=straddling(apart_m)))
    sides = [point.side for point in simulation.body.contact_points]
    left = [height for height, side in zip(simulation.state.contact_height_m, sides, strict=True) if side == "L"]
    assert max(map(abs, left)) < 0.005  # as near as the standard body starts; without the drop it is tens of millimetres
    assert simulation.controller.planner.height.reduction_m >= lower_m
