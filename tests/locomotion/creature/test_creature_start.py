# SPDX-License-Identifier: GPL-3.0-or-later
"""How a creature begins: as it is drawn, but not astride."""

import dataclasses

import mujoco
import numpy as np
import pytest

from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.creature.template import find_creature
from lope.addon.bodies.model import build_model
from lope.addon.locomotion.creature.controller import NARROW, begin
from lope.addon.locomotion.creature.parameters import START
from lope.addon.search.creature_problem import CreaturePopulation
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import World
from lope.addon.worlds.ground import make_ground
from lope.scripts.suites.validation.creatures import random_creature

pytestmark = pytest.mark.slow


def start_of(creature):
    """Its body, the places of its feet's joints and of its lowest contact points as it begins."""
    body = make_creature(creature)
    qpos, qvel = begin(body, 0.0, make_ground(GroundSpec()))
    assert not qvel.any()
    model = build_model(body, World())
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    low = min(float(data.body(p.segment).xpos[2] + (data.body(p.segment).xmat.reshape(3, 3) @ p.position)[2] - p.radius_m)
              for p in body.contact_points)
    return body, [data.body(foot.segment).xpos.copy() for foot in body.feet], low


@pytest.mark.parametrize("name", ["human", "ostrich", "dinosaur", "long_neck", "long_legs"])
def test_what_ships_begins_as_it_is_drawn(name):
    creature = find_creature(name)
    _, feet, low = start_of(creature)
    for place, leg in zip(feet, creature.legs, strict=True):
        assert place[1] == pytest.approx(leg[-1].joint_m[1]) and abs(low) < 1e-6


def test_a_straddle_is_closed_and_the_soles_stay_on_the_ground():
    drawn = find_creature("human")

    def wide(part):
        out = 0.25 if part.side == "L" else -0.25
        share = {"thigh": (0.0, 0.5), "shank": (0.5, 1.0), "foot": (1.0, 1.0)}[part.name[:-2]]
        joint, tip = np.array(part.joint_m), np.array(part.tip_m)
        return dataclasses.replace(part, joint_m=tuple(joint + [0, share[0] * out, 0]), tip_m=tuple(tip + [0, share[1] * out, 0]))

    parts = tuple(wide(part) if part.kind == "leg" else part for part in drawn.parts)
    body, feet, low = start_of(dataclasses.replace(drawn, parts=parts))
    assert [place[1] for place in feet] == pytest.approx([NARROW * body.leg_length_m, -NARROW * body.leg_length_m])
    assert abs(low) < 1e-6


def test_the_first_foot_is_lifted_when_the_body_leans_over_the_other_one():
    """Its hips .28 L apart: lifting a foot at once it goes .24 sqrt(g L) aside by the time that foot lands."""
    body = make_creature(random_creature(103))
    walkers, aside, stood = CreaturePopulation(body, World(), 1), [], []
    unit_m_s = body.leg_length_m / walkers.time_unit_s

    def watch(felt, torque, time_s, alive):
        aside.append(felt.com_velocity[0, 1] / unit_m_s)
        stood.append(bool(walkers._law.states.stands.all()))

    walkers.run(START[None], 2.5 * walkers.time_unit_s, 0.3 * unit_m_s, watch=watch)
    leant = stood.index(False)
    assert 0.4 < leant * walkers.tick_s / walkers.time_unit_s < 1.5
    assert aside[leant] < -0.04 and max(np.abs(aside)) < 0.12
