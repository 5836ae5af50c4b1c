# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass and inertia of a creature's part, a capsule of even density."""

from __future__ import annotations

import math

import numpy as np

from ...specs.creature import CreaturePart

DENSITY_KG_M3 = 1000.0
"""Geijtenbeek 2013 gives every body water's."""


def length_m(part: CreaturePart) -> float:
    """Length [m] from joint to tip."""
    return math.dist(part.joint_m, part.tip_m)


def capsule_mass_kg(part: CreaturePart) -> float:
    """Mass [kg] of the part's capsule, both its caps included."""
    return DENSITY_KG_M3 * math.pi * part.radius_m**2 * (length_m(part) + 4.0 / 3.0 * part.radius_m)


def mass_of(part: CreaturePart) -> float:
    """Mass [kg] that a part has: what is said, or its capsule's."""
    return capsule_mass_kg(part) if part.mass_kg is None else part.mass_kg


def capsule_inertia(along: np.ndarray, radius: float, mass: float) -> np.ndarray:
    """Inertia (3, 3) [kg m^2] about its middle of a capsule of that radius [m] and mass [kg] about a line `along` (3,) [m]."""
    length = float(np.linalg.norm(along))
    axis = along / length if length > 1e-9 else np.array([0.0, 0.0, 1.0])
    tube, ball = math.pi * radius**2 * length, 4.0 / 3.0 * math.pi * radius**3
    tube, ball = mass * tube / (tube + ball), mass * ball / (tube + ball)
    about = 0.5 * tube * radius**2 + 0.4 * ball * radius**2
    across = (tube * (0.25 * radius**2 + length**2 / 12.0)
              + ball * (0.4 * radius**2 + 0.25 * length**2 + 0.375 * length * radius))
    return across * np.eye(3) + (about - across) * np.outer(axis, axis)
