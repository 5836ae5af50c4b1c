# SPDX-License-Identifier: GPL-3.0-or-later
"""How often muscles act: several times between two wishes of the quick law."""

from __future__ import annotations

from dataclasses import replace

from ...bodies.body import Body
from ..controller import Physics
from ..creature.timing import TICK_STEPS, creature_physics

PULLS = 4
"""Steps of muscles and physics from one wish to the next: a millisecond each of a leg of a metre on Earth, so that delays of 5,
10 and 20 ms are told apart and what fibres resist with their speed stays small against a light limb's inertia."""


def muscle_physics(body: Body, gravity_m_s2: float) -> Physics:
    """The quick law's physics in finer steps."""
    physics = creature_physics(body, gravity_m_s2)
    return replace(physics, step_s=physics.step_s * TICK_STEPS / PULLS, acts=PULLS)
