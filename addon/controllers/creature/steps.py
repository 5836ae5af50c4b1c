# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of N creatures as they are taken: times, lengths, widths, how high the toes pass, how like the sides are."""

from __future__ import annotations

import numpy as np

from .looks import Look

LANDED, LIFTED = 0.1, 0.02
"""A foot has landed when it carries this share of the weight, and is off again below the other."""
PASSING = 0.1
"""Feet pass each other while they are this near ahead and back, over the leg."""


class Steps:
    """Counts the steps of N walkers, look by look."""

    def __init__(self, n: int) -> None:
        self._down = np.ones((n, 2), dtype=bool)
        self._since = np.full(n, np.nan)
        self._count, self._time, self._length = np.zeros((n, 2)), np.zeros((n, 2)), np.zeros((n, 2))
        self._width, self._passes, self._height = np.zeros(n), np.zeros((n, 2)), np.zeros((n, 2))

    def watch(self, look: Look, alive: np.ndarray) -> None:
        """See N walkers, of whom some (N,) are alive."""
        down = np.where(self._down, look.load > LIFTED, look.load > LANDED)
        landed = down & ~self._down & alive[:, None]
        self._down = down
        for foot in (0, 1):
            now = landed[:, foot]
            counted = now & np.isfinite(self._since)
            self._count[:, foot] += counted
            self._time[:, foot] += np.where(counted, look.time - self._since, 0.0)
            self._length[:, foot] += np.where(counted, look.fore[:, foot] - look.fore[:, 1 - foot], 0.0)
            self._width += np.where(counted, look.side[:, 0] - look.side[:, 1], 0.0)
            self._since = np.where(now, look.time, self._since)
            passing = alive & ~down[:, foot] & (np.abs(look.fore[:, 0] - look.fore[:, 1]) < PASSING)
            self._passes[:, foot] += passing
            self._height[:, foot] += np.where(passing, look.low[:, foot], 0.0)

    def figures(self) -> dict[str, np.ndarray]:
        """Means (N,): `time` from step to step [sqrt(L / g)], `length` and `width` over the leg, `clearance` of the lower of both
        feet, and how `unlike` the sides are in time and length. Nan of who took no step with each foot."""
        with np.errstate(invalid="ignore", divide="ignore"):
            time, length = self._time / self._count, self._length / self._count
            height = self._height / self._passes
            steps = self._count.sum(axis=1)
            return {"time": self._time.sum(axis=1) / steps, "length": self._length.sum(axis=1) / steps,
                    "width": self._width / steps, "clearance": height.min(axis=1),
                    "unlike": np.abs(time[:, 0] - time[:, 1]) / time.mean(axis=1) + np.abs(length[:, 0] - length[:, 1])}
