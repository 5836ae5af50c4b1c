# SPDX-License-Identifier: GPL-3.0-or-later
"""Along the curves of a gait made of a clip: what a step draws to as time passes in it, and how fast that moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths.periodic import basis_at, derivative_of
from ...specs.pose_curves import ANGLES, LATEST, PoseCurves

TURNS = 2 * len(ANGLES)
"""Where the turns begin, behind angles and moments."""


@dataclass(frozen=True)
class Rates:
    """How fast targets move: `angles` (9,) [rad/s] and `turns`, (3,) [rad/s] of each joint that the curves turn; and the
    `moments` (9,) [N m] of the standard body on Earth that go with them."""

    angles: np.ndarray
    turns: dict[str, np.ndarray]
    moments: np.ndarray


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

    def whole(self, since_s: float) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """All angles (9,) and turns, so long after the left foot came down, however long that is."""
        values = basis_at(self._curves.touch_left + since_s / self._curves.period_s, self._harmonics) @ self._value
        return values[:len(ANGLES)], self._by_name(values)

    def going(self, swing: str) -> list[float]:
        """How much faster than evenly the pelvis goes as a step begins [m/s], forward, to the left and up."""
        begins = self._curves.begins(swing)[0]
        return [float(basis_at(begins, len(one) // 2) @ derivative_of(np.array([one]))[0]) / self._curves.period_s
                for one in self._curves.place]

    def rates(self, swing: str, since_s: float, slow: float) -> Rates:
        """How fast all of that moves where a cycle takes `slow` times as long; a step that has run out stands still."""
        _, takes = self._curves.begins(swing)
        if since_s >= LATEST * takes * self._curves.period_s:
            found = np.zeros(self._slope.shape[1])
        else:
            found = self._basis(swing, since_s) @ self._slope / (self._curves.period_s * slow)
        return Rates(found[:len(ANGLES)], self._by_name(found), self._now(swing, since_s)[len(ANGLES):TURNS])

    def _by_name(self, values: np.ndarray) -> dict[str, np.ndarray]:
        parts = values[TURNS:].reshape(-1, 3)
        return dict(zip(self._names, parts, strict=True))
