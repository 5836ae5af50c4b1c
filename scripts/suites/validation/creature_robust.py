# SPDX-License-Identifier: GPL-3.0-or-later
"""What throws a creature: pushes from all sides, slopes, ground that changes every metre, turning; by torques or by muscles."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from lope.addon.bodies.creature.body import CreatureBody
from lope.addon.controllers.creature.parameters import vector_of
from lope.addon.controllers.creature.population import Population, Shove
from lope.addon.controllers.creature.timing import straight_leg_m, time_unit_s
from lope.addon.controllers.creature_muscles.population import MusclePopulation
from lope.addon.specs.creature_gait import CreatureGait
from lope.addon.specs.ground import GroundSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, World

SECONDS, PUSHED_S, PUSH_S = 20.0, 10.0, 0.2
"""On Earth, of any leg."""
PUSH_N, OF_KG = 50.0, 72.5
"""Geijtenbeek's push, and the mass of his human: a creature's goes with its mass."""
SIDES = 8
SLOPE_DEG, TURN_DEG_S = 3.0, 6.0
NOISE, NOISY = 0.5, 4
FIELD_M, LEVEL_M, WIDE_M = 60, 3, 30
"""Length of the ground that changes every metre; of what is level about the start; and how far it reaches to each side."""
PUSHES, UP, DOWN, BROKEN, TURN = "pushes", "up", "down", "every metre", "turning"
TRIALS = (PUSHES, UP, DOWN, BROKEN, TURN)


def survived(body: CreatureBody, gait: CreatureGait) -> dict[str, list[int]]:
    """Of each trial how many stand to its end, and of how many; by muscles where the gait has some."""
    return {name: list(_tried(body, gait, name)) for name in TRIALS}


def _tried(body: CreatureBody, gait: CreatureGait, trial: str) -> tuple[int, int]:
    n = SIDES if trial == PUSHES else NOISY
    world, rest = World(ground=ground_of(trial)), dict[str, Any]()
    population, numbers = population_of(body, gait, world, n)
    if trial == PUSHES:
        angles = 2.0 * math.pi * np.arange(n) / n
        force = PUSH_N * body.mass_kg / OF_KG * np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1)
        rest["shoves"] = (Shove(PUSHED_S, PUSH_S, force),)
    else:
        rest["noise"] = population.noise((3, 1), NOISE, n)
    if trial == TURN:
        rest["turn_rad_s"] = math.radians(TURN_DEG_S)
    leg = straight_leg_m(body)
    speed = gait.dimensionless_speed * leg / time_unit_s(leg, world.gravity_m_s2)
    ended_s = population.run(np.tile(numbers, (n, 1)), SECONDS, speed, **rest)
    return int((ended_s >= SECONDS).sum()), n


def population_of(body: CreatureBody, gait: CreatureGait, world: World, n: int) -> tuple[Population, np.ndarray]:
    """Walkers that go by a gait, and its numbers (K,)."""
    quick = vector_of(gait.parameters)
    if gait.muscles is None:
        return Population(body, world, n), quick
    from lope.addon.bodies.creature.muscles import creature_muscles
    from lope.addon.controllers.creature_muscles.numbers import MuscleNumbers

    muscles = MuscleNumbers(creature_muscles(body, EARTH_GRAVITY_M_S2)).vector_of(gait.muscles)
    return MusclePopulation(body, world, n), np.concatenate([quick, muscles])


def ground_of(trial: str) -> GroundSpec:
    """A plane, a slope, or a ground whose slope is another one every metre."""
    if trial in (UP, DOWN):
        return GroundSpec(kind="slope", slope_deg=SLOPE_DEG if trial == UP else -SLOPE_DEG)
    if trial != BROKEN:
        return GroundSpec()
    slopes = np.random.default_rng(5).uniform(-1.0, 1.0, FIELD_M) * math.tan(math.radians(SLOPE_DEG))
    slopes[:2 * LEVEL_M] = 0.0
    heights = np.concatenate([[0.0], np.cumsum(slopes)])
    rows = tuple((float(height),) * (2 * WIDE_M + 1) for height in heights)
    return GroundSpec(kind="field", heights_m=rows, spacing_m=1.0, origin_m=(-float(LEVEL_M), -float(WIDE_M)))


def row_of(name: str, how: str, stood: Mapping[str, Any]) -> str:
    """One creature's line of the table."""
    return f"| {name} | {how} | " + " | ".join(f"{stood[trial][0]} of {stood[trial][1]}" for trial in TRIALS) + " |"


def head_row() -> str:
    """The table's head."""
    return (f"| creature | by | {PUSH_N:g} N x {PUSH_S:g} s, {SIDES} sides | {SLOPE_DEG:g} deg up | {SLOPE_DEG:g} deg down | "
            f"every metre up to {SLOPE_DEG:g} deg | {TURN_DEG_S:g} deg/s |\n|---|---|---|---|---|---|---|")
