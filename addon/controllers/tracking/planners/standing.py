# SPDX-License-Identifier: GPL-3.0-or-later
"""Quiet standing: the pivoted inverted pendulum (PIP) and the centre of pressure that balances it.

Kim 2017, section 4.1: while standing the pendulum turns about a fixed pivot instead of riding on a cart. Gains by the
continuous Riccati equation with equal costs on angle and rate (IPCDNNwalk), which follow gravity as the cart's do.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import solve_continuous_are

from ....specs.shot import EARTH_GRAVITY_M_S2
from .pendulum import NOMINAL_MASS_KG, ROD_LENGTHS, STATE_COST

STAND_WIDTH_LEGS = 0.18
"""Least distance of the feet of a body that stands, over leg length: about that of the hips."""
STAND_AHEAD = 0.35
"""Where a standing body's COM is ahead of the ankles, over the ball's distance (Winter 1995: 4 to 5 cm)."""


@dataclass(frozen=True)
class PivotedPendulum:
    """A body that sways about its feet like a rod; one plane, small angles."""

    gravity_m_s2: float
    length_m: float
    mass_kg: float

    @property
    def inertia_kg_m2(self) -> float:
        """About the pivot: a point mass at the COM and a rod of 1.74 lengths about it, as the cart's pendulum has."""
        return self.mass_kg * self.length_m**2 * (1.0 + ROD_LENGTHS**2 / 12.0)

    def linear(self) -> tuple[np.ndarray, np.ndarray]:
        """A (2, 2) and B (2, 1) of (angle, rate) under an ankle torque [N m]: I a = m g l angle + torque."""
        stiffness = self.mass_kg * self.gravity_m_s2 * self.length_m / self.inertia_kg_m2
        return np.array([[0.0, 1.0], [stiffness, 0.0]]), np.array([[0.0], [1.0 / self.inertia_kg_m2]])

    @cached_property
    def gains(self) -> tuple[float, float]:
        """Torque per angle and per rate that bring the pendulum upright. Costs scale with g^2 and g, so that the sway is
        dynamically similar everywhere."""
        a, b = self.linear()
        ratio, size = self.gravity_m_s2 / EARTH_GRAVITY_M_S2, self.mass_kg / NOMINAL_MASS_KG
        r = np.array([[1.0 / size**2]])
        solution = solve_continuous_are(a, b, np.diag([STATE_COST * ratio**2, STATE_COST * ratio]), r)
        angle, rate = np.linalg.solve(r, b.T @ solution).ravel().tolist()
        return angle, rate

    def pressure(self, away: complex, velocity: complex) -> complex:
        """Where the centre of pressure goes [m], from the place where the COM should rest, for a COM `away` from there [m] with
        a velocity [m/s]: the ankle torque is weight times lever."""
        angle, rate = self.gains
        return (angle * away + rate * velocity) / (self.length_m * self.mass_kg * self.gravity_m_s2)
