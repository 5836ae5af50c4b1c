# SPDX-License-Identifier: GPL-3.0-or-later
"""Creatures that are thrown over: limp afterwards, in a Take that is read again; and in PyBullet."""

import numpy as np
import pytest

from lope.addon.bodies.creature.body import CreatureBody, make_creature
from lope.addon.bodies.creature.template import find_creature
from lope.addon.bodies.model import Stepping
from lope.addon.engines.engine import Torques, make_engine
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Creature
from lope.addon.specs.shot import BodySpec, Push, Shot, World

pytestmark = pytest.mark.slow


@pytest.mark.acceptance
def test_a_creature_that_is_thrown_over_goes_limp_and_lies_on_the_ground(tmp_path):
    creature = find_creature("human")
    shot = Shot(
        motion=Creature(controller="creature", start="standing"),
        body=BodySpec(kind="creature", creature=creature),
        after_fall="limp",
        duration_s=3.0,
        pushes=(Push(0.4, 0.3, (0.0, 900.0, 0.0)),),
    )
    take = simulate(shot)
    assert 0.4 < take.stats["time_fell_s"] < 2.0
    take.save(tmp_path / "thrown.npz")
    again = Take.load(tmp_path / "thrown.npz")
    assert isinstance(again.body, CreatureBody) and again.body.creature == creature and again.shot == take.shot
    places, _ = again.segment_poses
    end = {s.name: places[-1, i] for i, s in enumerate(again.body.segments)}
    assert end["trunk"][2] < 0.4 * creature.part("trunk").joint_m[2]
    assert min(place[2] for place in end.values()) > -0.02


@pytest.mark.parametrize("name", ["ostrich", "long_neck"])
def test_pybullet_takes_a_creature_as_it_stands_drawn(name):
    pytest.importorskip("pybullet")
    body = make_creature(find_creature(name))
    engine = make_engine("pybullet", body, World(), Stepping(0.001))
    start = np.zeros(body.coordinates)
    start[:3], start[3] = body.creature.parts[0].joint_m, 1.0
    at = body.root_coordinates
    for segment in body.segments[1:]:
        if segment.joint == "ball":
            start[at] = 1.0
        at += 4 if segment.joint == "ball" else 1
    engine.reset(start, np.zeros(body.degrees_of_freedom))
    for _ in range(5):
        engine.apply(Torques(np.zeros(body.degrees_of_freedom - 6)), 0.002)
    assert engine.qpos[:3] == pytest.approx(start[:3], abs=0.005)
    assert engine.contact_force_n[:, 2].sum() > 0.05 * body.mass_kg * 9.81
    engine.close()
