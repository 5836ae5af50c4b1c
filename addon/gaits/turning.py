# SPDX-License-Identifier: GPL-3.0-or-later
"""How tightly a walk can turn."""

from __future__ import annotations

from ..worlds.paths import Path
from .froude import GaitVariables

MOST_CENTRIPETAL = 0.1
"""Largest v^2 / (g R) of a circle: what the walk takes on every planet; on Jupiter it falls at 0.12 (docs/notes/turning.md)."""
LEAST_RADIUS_LEGS = 0.5
"""Least radius over leg length at any speed: the inner foot would step on the outer one's way."""


def tightest_radius_m(speed_m_s: float, gravity_m_s2: float, leg_length_m: float) -> float:
    """Radius [m] of the tightest circle that a gait of that speed can go."""
    return max(speed_m_s**2 / (MOST_CENTRIPETAL * gravity_m_s2), LEAST_RADIUS_LEGS * leg_length_m)


def turns_too_tightly(path: Path, gait: GaitVariables, gravity_m_s2: float) -> bool:
    """Whether a path has a turn tighter than the gait can take at its speed."""
    return path.tightest[0] * tightest_radius_m(gait.speed_m_s, gravity_m_s2, gait.leg_length_m) > 1.0 + 1e-6
