# SPDX-License-Identifier: GPL-3.0-or-later
"""Which feet carry weight, from what is measured."""

from __future__ import annotations

import numpy as np

from ..bodies.body import Body
from ..bodies.state import BodyState

LOADED_SHARE = 0.02
"""A foot is loaded when it carries more than this fraction of the body's weight (first guess)."""
IDEAL_CONTACT_M = 0.001
"""Height below which a contact point counts as touching where the engine knows no contact."""


class FootLoads:
    """Sums forces on contact points to forces on the feet."""

    def __init__(self, body: Body, gravity_m_s2: float) -> None:
        self._body, self._feet = body, {foot.name: list(foot.points) for foot in body.feet}
        self._of_foot = np.zeros((len(body.feet), len(body.contact_points)))
        for row, points in zip(self._of_foot, self._feet.values(), strict=True):
            row[points] = 1.0
        self.set_gravity(gravity_m_s2)

    def set_gravity(self, gravity_m_s2: float) -> None:
        """What counts as loaded under a gravity."""
        self.threshold_n = LOADED_SHARE * self._body.mass_kg * gravity_m_s2

    def forces(self, forces: np.ndarray) -> np.ndarray:
        """Ground force (F, 3) on each foot from the forces (P, 3) on the points."""
        return self._of_foot @ forces

    def loaded(self, forces: np.ndarray | None, state: BodyState) -> dict[str, bool]:
        """Which feet carry weight, by name; without forces, a foot on the ground counts as loaded."""
        if forces is None:
            low = state.contact_height_m < IDEAL_CONTACT_M
            return {name: bool(low[points].any()) for name, points in self._feet.items()}
        return dict(zip(self._feet, (self.forces(forces)[:, 2] > self.threshold_n).tolist(), strict=True))
