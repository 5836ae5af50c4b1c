# SPDX-License-Identifier: GPL-3.0-or-later
"""Which muscles are to pull how hard for a wished torque: every one by its arms, then again for what is left.

Geijtenbeek 2013 (eq. 16 to 18) lets each muscle carry the whole torque by itself, over its arm, the mean over its joints. Here
each carries its share: the muscle is asked by its arms for what each joint lacks, over what all muscles there could make.
Repeated for the rest, with excitations that cannot be negative, that is Cimmino's method of least squares: nothing is divided
by an arm that may be none, and muscles past two joints find what both want.
"""

from __future__ import annotations

import numpy as np

from ...bodies.creature.routing import FreePaths
from ...bodies.segments import FREEDOM

ROUNDS = 4
RELAXATION = 1.8
"""Of each round's change; below 2 it converges."""
OWN_SHARE = 0.2
"""A joint's axis is the muscles' own where they make at least this share of what they make about its strongest."""


class Shares:
    """The wish of N walkers' muscles. `own` (nv - r,) tells which axes are the muscles' own; about others they make little."""

    def __init__(self, paths: FreePaths, force_n: np.ndarray) -> None:
        """`paths` is in the pose by which axes are judged; `force_n` (N, M) is the muscles' greatest force."""
        self.paths, self._force_n = paths, force_n
        self._joint = np.zeros((len(paths.body.segments), paths.freedom))
        for i, segment in enumerate(paths.body.segments[1:], start=1):
            assert len(paths.columns[segment.name]) == FREEDOM[segment.joint]
            self._joint[i, paths.columns[segment.name]] = 1.0
        self._joint_of = self._joint.argmax(axis=0)
        self._floor = OWN_SHARE * self._strongest(self._sums()[1])
        mean = self._sums()[1].mean(axis=0)
        self.own = (mean >= OWN_SHARE * self._strongest(mean[None])[0]) & (mean > 0.0)

    def _sums(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Torques (N, K) of wholly excited muscles, and what they are in all about each axis (N, nv - r), and of each muscle
        (N, M)."""
        made = self.paths.arms_m * self._force_n.take(self.paths.muscle, axis=1)
        size = np.abs(made)
        return made, size @ self.paths.of_column, size @ self.paths.of_muscle

    def _strongest(self, sums: np.ndarray) -> np.ndarray:
        """The most about any axis of the same joint (N, nv - r)."""
        by_joint = np.where(self._joint > 0.0, sums[:, None, :], 0.0).max(axis=2)
        return by_joint[:, self._joint_of]

    def wish(self, torque: np.ndarray, least: np.ndarray) -> np.ndarray:
        """Activations (N, M) that make torques (N, nv - r) [N m], none below `least` (N, 1)."""
        paths = self.paths
        made, about, of_each = self._sums()
        per_axis = self.own / np.maximum(np.maximum(about, self._floor), 1e-9)
        per_muscle = RELAXATION / np.maximum(of_each, 1e-9)
        wish = np.broadcast_to(least, of_each.shape)
        for _ in range(ROUNDS):
            lack = torque - (made * wish.take(paths.muscle, axis=1)) @ paths.of_column
            lack *= per_axis
            wish = wish + per_muscle * ((made * lack.take(paths.column, axis=1)) @ paths.of_muscle)
            wish = np.minimum(np.maximum(wish, least), 1.0)
        return wish
