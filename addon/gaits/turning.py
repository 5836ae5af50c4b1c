# SPDX-License-Identifier: GPL-3.0-or-later
"""How tightly a walk can turn, and the sentence for a path that turns more tightly."""

from __future__ import annotations

from ..errors import InputError
from ..worlds.paths import Path
from .froude import GaitVariables

MOST_CENTRIPETAL = 0.1
"""Largest v^2 / (g R) of a circle: what the walk takes on every planet; on Jupiter it falls at 0.12 (docs/notes/turning.md)."""
LEAST_RADIUS_LEGS = 0.5
"""Least radius over leg length at any speed: the inner foot would step on the outer one's way."""


def tightest_radius_m(speed_m_s: float, gravity_m_s2: float, leg_length_m: float) -> float:
    """Radius [m] of the tightest circle that a gait of that speed can go."""
    return max(speed_m_s**2 / (MOST_CENTRIPETAL * gravity_m_s2), LEAST_RADIUS_LEGS * leg_length_m)


def check_turns(path: Path, gait: GaitVariables, gravity_m_s2: float) -> None:
    """Raises InputError for a path with a turn tighter than the gait can take, saying how tight it can."""
    curvature, s = path.tightest
    least = tightest_radius_m(gait.speed_m_s, gravity_m_s2, gait.leg_length_m)
    if curvature * least <= 1.0 + 1e-6:
        return
    where = f" {s:.1f} m from its start" if s > 0.0 else ""
    slower = (MOST_CENTRIPETAL * gravity_m_s2 / curvature) ** 0.5
    cure = "widen the path" if curvature * LEAST_RADIUS_LEGS * gait.leg_length_m > 1.0 else \
        f"widen the path, or go at {slower:.2g} m/s or less"
    raise InputError(f"The path has a turn tighter than the gait can take: a radius of {1.0 / curvature:.2f} m{where}; at "
                     f"{gait.speed_m_s:.2f} m/s under {gravity_m_s2:.2f} m/s^2 it needs {least:.2f} m: {cure}.")
