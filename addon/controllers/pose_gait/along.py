# SPDX-License-Identifier: GPL-3.0-or-later
"""Along the curves of a gait made of a clip: what a step draws to as time passes in it, and how fast that moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths.periodic import basis_at, derivative_of
from ...specs.pose_curves import ANGLES, LATEST, PoseCurves


@dataclass(frozen=True)
class Rates:
    """How fast targets move: `angles` (9,) [rad/s] and `turns`, (3,) [rad/s] of each joint that the curves turn."""

    angles: np.ndarray
    turns: dict[str, np.ndarray]


class Along:
    """The curves' values and slopes. Times [s] are those since a step began, as they pass on Earth on standard legs."""

    def __init__(self, curves: PoseCurves) -> None:
        self._curves = curves
        matrix, self._names = curves.matrix()
        self._value, self._slope = matrix.T, derivative_of(matrix).T
        self._harmonics = (matrix.shape[1] - 1) // 2
        self._at: tuple[str, float] | None = None
        self._values = np.zeros(len(matrix))

    def step_s(self, swing: str) -> float:
        """How long a leg's step took in the clip [s]."""
        return self._curves.begins(swing)[1] * self._curves.period_s

    def _basis(self, swing: str, since_s: float) -> np.ndarray:
        begins, takes = self._curves.begins(swing)
        return basis_at(begins + min(since_s / self._curves.period_s, LATEST * takes), self._harmonics)

    def _now(self, swing: str, since_s: float) -> np.ndarray:
        if self._at != (swing, since_s):
            self._at, self._values = (swing, since_s), self._basis(swing, since_s) @ self._value
        return self._values

    def angles(self, swing: str, since_s: float) -> np.ndarray:
        """What `ANGLES` are drawn to (9,) [rad]."""
        return self._now(swing, since_s)[:len(ANGLES)]

    def turns(self, swing: str, since_s: float) -> dict[str, np.ndarray]:
        """Rotation vectors (3,) [rad] of joints of the upper body."""
        return self._by_name(self._now(swing, since_s))

    def rates(self, swing: str, since_s: float, slow: float) -> Rates:
        """How fast all of that moves where a cycle takes `slow` times as long; a step that has run out stands still."""
        _, takes = self._curves.begins(swing)
        if since_s >= LATEST * takes * self._curves.period_s:
            found = np.zeros(self._slope.shape[1])
        else:
            found = self._basis(swing, since_s) @ self._slope / (self._curves.period_s * slow)
        return Rates(found[:len(ANGLES)], self._by_name(found))

    def _by_name(self, values: np.ndarray) -> dict[str, np.ndarray]:
        parts = values[len(ANGLES):].reshape(-1, 3)
        return dict(zip(self._names, parts, strict=True))
