# SPDX-License-Identifier: GPL-3.0-or-later
"""The reflex walker in the sagittal plane: a human's body in seven links, felt as MuJoCo has it, at a step of 2.5 ms."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.errors import InputError
from lope.addon.locomotion.reflex.law import ReflexLaw
from lope.addon.locomotion.reflex.muscles import Muscles
from lope.addon.locomotion.reflex.planar import STEP_S, PlanarPosture
from lope.addon.locomotion.reflex.walkers import load_walker, walker_names, walker_of
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.motions import Reflex
from lope.addon.specs.path import PathSpec
from lope.addon.specs.shot import SAGITTAL, BodySpec, Shot, World

HUMAN, BODY = make_body(BodySpec()), make_body(BodySpec(kind=SAGITTAL))
SHOT = Shot(motion=Reflex(), body=BodySpec(kind=SAGITTAL), duration_s=10.0)


def test_the_body_weighs_what_the_human_weighs_and_stands_as_tall():
    assert BODY.degrees_of_freedom == 9 and BODY.mass_kg == pytest.approx(HUMAN.mass_kg)
    assert (BODY.leg_length_m, BODY.pelvis_height_m) == pytest.approx((HUMAN.leg_length_m, HUMAN.pelvis_height_m))
    turned = {}
    for body, pitch, leg in ((HUMAN, 4, 1), (BODY, 2, 0)):  # forces that turn the body, and one leg, about the hips
        model = build_model(body, World())
        data, force = mujoco.MjData(model), np.zeros(model.nv)
        mujoco.mj_forward(model, data)
        for column in (pitch, model.joint("thigh_L").dofadr[0] + leg):
            mujoco.mj_mulM(model, data, force, np.eye(model.nv)[column])
            turned.setdefault(body, []).append(force[column])
    assert turned[BODY] == pytest.approx(turned[HUMAN])


def test_what_is_felt_is_so():
    model = build_model(BODY, World())
    data = mujoco.MjData(model)
    draw = np.random.default_rng(3)
    data.qpos[:], data.qvel[:] = 0.4 * draw.standard_normal((2, model.nv))
    mujoco.mj_forward(model, data)
    felt = PlanarPosture(BODY, 1).read(data.qpos[None], data.qvel[None])
    for row, side in enumerate("LR"):
        assert felt.away[0, row, 0] == pytest.approx(data.subtree_com[1, 0] - data.body(f"foot_{side}").xpos[0], abs=1e-9)
        down = -data.body(f"thigh_{side}").xmat.reshape(3, 3)[:, 2]
        assert np.tan(felt.thigh[0, row]) == pytest.approx(down[0] / -down[2])


def test_it_begins_as_the_whole_body_does_with_its_lowest_point_on_the_ground():
    numbers = load_walker("walk").parameters
    flat, whole = ReflexLaw(BODY, numbers), ReflexLaw(HUMAN, numbers)
    for law in (flat, whole):
        law.reset(*law.begin())
    assert flat.felt.leg == pytest.approx(whole.felt.leg) and flat.felt.leg_rate == pytest.approx(whole.felt.leg_rate)
    assert flat.felt.away[..., 0] == pytest.approx(whole.felt.away[..., 0], abs=0.01)
    model = build_model(BODY, World())
    data = mujoco.MjData(model)
    data.qpos[:] = flat.begin()[0][0]
    mujoco.mj_forward(model, data)
    assert min(data.geom(p.name).xpos[2] - p.radius_m for p in BODY.contact_points) == pytest.approx(0.0, abs=1e-9)


def test_fibres_on_stiff_tendons_take_long_steps():
    """Calves that are pulled and let go at a step of 2.5 ms go as at one of 0.1 ms."""
    angles = np.radians([180.0, 175.0, 85.0]) * np.ones((1, 2, 3))
    ends = []
    for step_s, implicit in ((STEP_S, True), (1e-4, False)):
        muscles = Muscles(BODY, 1, implicit)
        muscles.reset(angles, np.full((1, 2, 8), 0.05))
        for k in range(round(0.2 / step_s)):
            swing = angles + 0.2 * np.sin(2.0 * np.pi * 5.0 * k * step_s)
            muscles.step(np.full((1, 2, 8), 0.6 if k * step_s < 0.1 else 0.01), swing, step_s)
        ends.append(muscles.force_n / muscles.routing.force_n)
    assert ends[0] == pytest.approx(ends[1], abs=0.03)


@pytest.mark.slow
def test_the_shipped_walker_of_the_plane_walks_and_a_humans_takes_none_of_them():
    assert walker_names() and not set(walker_names()) & set(walker_names(flat=True))
    walker, _ = walker_of(SHOT, BODY)
    assert walker == load_walker("planar/walk")
    take = simulate(SHOT)
    assert not take.fell and take.body.degrees_of_freedom == 9
    assert take.stats["reflex"] == walker.name and take.com_m[-1, 0] / 10.0 == pytest.approx(walker.speed_m_s, abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("name", walker_names(flat=True))
def test_a_walker_of_the_plane_goes_at_its_speed_off_its_start_too(name):
    walker = load_walker(name)
    take = simulate(replace(SHOT.with_motion(speed_m_s=walker.speed_m_s), duration_s=6.0, noise=0.02, seed=1))
    assert not take.fell and take.stats["reflex"] == walker.name
    later = np.searchsorted(take.time_s, 3.0)
    assert (take.com_m[-1, 0] - take.com_m[later, 0]) / 3.0 == pytest.approx(walker.speed_m_s, abs=0.1)


def test_a_planar_walker_goes_straight_on_along_x():
    with pytest.raises(InputError, match="goes straight on, along"):
        Simulation(SHOT.with_motion(path=PathSpec(heading_deg=90.0)))


@pytest.mark.slow
def test_who_would_let_go_after_a_fall_walks_on_too():
    """With skin on, at a step that the body that lets go can take too: its toes do not dig into the ground as the heel rises."""
    simulation = Simulation(replace(SHOT, duration_s=4.0, after_fall="limp"))
    while not simulation.over:
        simulation.step()
    assert simulation.time_fell_s is None and simulation.engine.step_s < 0.001
    assert simulation.engine.qpos[0] > 4.0
    simulation.close()
