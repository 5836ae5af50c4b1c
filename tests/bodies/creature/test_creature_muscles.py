# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles of creatures: paths of free routing, what each creature has of them, and how they are sized."""

import mujoco
import numpy as np
import pytest

from lope.addon.bodies.creature.body import make_creature
from lope.addon.bodies.creature.muscles import creature_muscles, properties
from lope.addon.bodies.creature.routing import FreePaths, posed, routing_names
from lope.addon.bodies.creature.template import creature_names, find_creature
from lope.addon.bodies.model import build_model
from lope.addon.bodies.muscles.mechanics import EQUAL, GEYER, RigidTendons
from lope.addon.specs.shot import World

pytestmark = pytest.mark.slow

WALKERS = 3


def paths_of(name, n=WALKERS, seed=0):
    """A creature's muscles, each of n walkers with a routing of its own by chance."""
    body = make_creature(find_creature(name))
    muscles = creature_muscles(body)
    routing = np.random.default_rng(seed).random((n, len(routing_names(muscles))))
    return body, muscles, FreePaths(body, muscles, routing)


@pytest.mark.parametrize("name", ["human", "ostrich"])
def test_arms_and_rates_are_those_of_the_lengths(name):
    body, muscles, paths = paths_of(name)
    model = build_model(body, World())
    data, root = mujoco.MjData(model), body.root_freedom
    rows = [model.body(segment.name).id for segment in body.segments]
    rate = 0.4 * np.random.default_rng(1).standard_normal(model.nv)
    pose = model.qpos0.copy()
    mujoco.mj_integratePos(model, pose, rate, 1.0)

    def lengths(by, step):
        data.qpos[:] = pose
        mujoco.mj_integratePos(model, data.qpos, by, step)
        mujoco.mj_kinematics(model, data)
        paths.update(np.repeat(data.xpos[None, rows], WALKERS, 0), np.repeat(data.xmat[rows].reshape(1, -1, 3, 3), WALKERS, 0))
        return paths.length_m

    def slope(by):
        return (lengths(by, 1e-6) - lengths(by, -1e-6)) / 2e-6

    slopes = np.array([slope(by) for by in np.eye(model.nv)])
    lengths(rate, 0.0)
    arms = np.zeros((WALKERS, model.nv - root, len(muscles)))
    arms[:, paths.column, paths.muscle] = paths.arms_m
    assert np.abs(slopes[:root]).max() < 1e-8
    assert np.abs(slopes[root:].swapaxes(0, 1) + arms).max() < 1e-7
    rates = np.repeat(rate[None, root:], WALKERS, 0)
    force = np.random.default_rng(2).random((WALKERS, len(muscles)))
    assert paths.rate_m_s(rates) == pytest.approx(slope(rate), abs=1e-6)
    # what muscles put in at the joints is what they shorten by
    assert (paths.torque_nm(force) * rates).sum(axis=1) == pytest.approx(-(force * paths.rate_m_s(rates)).sum(axis=1))


@pytest.mark.parametrize("name", creature_names())
def test_legs_alike_pull_alike_and_every_bending_joint_has_both_ways(name):
    body, muscles, paths = paths_of(name, 1)
    paths.update(*posed(body, {}))
    made = np.zeros((paths.freedom, len(muscles)))
    made[paths.column, paths.muscle] = paths.arms_m[0]
    for left, right in zip(*(foot.leg for foot in sorted(body.feet, key=lambda foot: foot.side)), strict=True):
        one, other = made[paths.columns[left]], made[paths.columns[right]]
        sign = 1.0 if len(one) == 1 else np.array([[-1.0], [1.0], [-1.0]])  # mirrored
        ours = [m for m, muscle in enumerate(muscles) if muscle.side == "L" and left in muscle.joints]
        theirs = [[muscle.name for muscle in muscles].index(muscles[m].name[:-1] + "R") for m in ours]
        assert one[:, ours] == pytest.approx(sign * other[:, theirs], abs=1e-9)
        bends = one[0] if len(one) == 1 else one[1]
        assert bends.max() > 0.01 * body.leg_length_m and bends.min() < -0.01 * body.leg_length_m
        for m in ours:
            assert (np.abs(one[:, m]).max() > 1e-4) == (left in muscles[m].joints)


def test_a_human_leg_has_ten_and_a_chain_four_a_joint():
    _, human, _ = paths_of("human", 1)
    assert sum(muscle.side == "L" and (muscle.hip or bool(muscle.reference)) for muscle in human) == 10
    body, bird, _ = paths_of("ostrich", 1)
    tails = sum(part.kind == "tail" for part in body.creature.parts)
    assert sum(muscle.kind.startswith("tail") for muscle in bird) == 4 * tails > 0
    assert {muscle.delay_s for muscle in human} == {0.005, 0.010, 0.020}
    feet = {foot.segment for foot in body.feet}
    assert all((muscle.delay_s == 0.020) == (muscle.points[-1].segment in feet) for muscle in bird)


def test_a_muscle_at_its_best_length_makes_its_torque_and_stronger_ones_more():
    body, muscles, paths = paths_of("human", 2)
    paths = FreePaths(body, muscles, np.full((2, len(routing_names(muscles))), 0.5))
    ones = np.ones((2, len(muscles)))
    sizes = properties(body, muscles, paths, ones * [[1.0], [2.0]], ones, 0.0 * ones)
    m = next(i for i, muscle in enumerate(muscles) if muscle.name == "vastus_L")
    position, matrix = posed(body, muscles[m].reference)
    paths.update(np.repeat(position, 2, 0), np.repeat(matrix, 2, 0))
    mechanics = RigidTendons(sizes, GEYER, EQUAL)
    force = mechanics.reset(paths.length_m, 1.0)
    assert mechanics.fibre_length[:, m] == pytest.approx(1.0)
    force = np.where(np.arange(len(muscles)) == m, force, 0.0)
    knee = paths.torque_nm(force)[:, paths.columns["shank_L"][0]]
    assert np.abs(knee) == pytest.approx([muscles[m].torque_nm, 2.0 * muscles[m].torque_nm])
