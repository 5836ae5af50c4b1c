# SPDX-License-Identifier: GPL-3.0-or-later
"""A path given by dense samples: looked up by its length, and searched for the point nearest to a place."""

from __future__ import annotations

import cmath

import numpy as np

SAMPLE_M = 0.02
"""Distance of the samples by which a line is measured and searched."""
SEARCH_M = 2.0
"""How far from the last place on a line the next is looked for: a line may cross itself."""


class SampledLine:
    """See `paths.Path`. Samples at lengths `s` (N,) [m], rising from 0: places (N,), headings (N,) [rad] that never jump and
    curvatures (N,) [1/m]; straight before the start and behind the end. The next place is looked for up to `search_m` from
    the last one."""

    def __init__(self, s: np.ndarray, points: np.ndarray, headings: np.ndarray, curvatures: np.ndarray,
                 search_m: float = SEARCH_M) -> None:
        self.s, self.points, self.headings, self.curvatures, self._search_m = s, points, headings, curvatures, search_m
        self.length = float(s[-1])
        worst = int(np.abs(curvatures).argmax())
        self.tightest = float(abs(curvatures[worst])), float(s[worst])

    def point(self, s: float) -> complex:
        """See `Path.point`."""
        inside = min(max(s, 0.0), self.length)
        place = complex(np.interp(inside, self.s, self.points))
        return place + (s - inside) * cmath.exp(1j * self.heading(inside))

    def heading(self, s: float) -> float:
        """See `Path.heading`."""
        return float(np.interp(s, self.s, self.headings))

    def curvature(self, s: float) -> float:
        """See `Path.curvature`."""
        return float(np.interp(s, self.s, self.curvatures, left=0.0, right=0.0))

    def locate(self, place: complex, near: float | None = None) -> float:
        """See `Path.locate`."""
        low, high = 0, len(self.s)
        if near is not None:
            low, high = np.searchsorted(self.s, (near - self._search_m, near + self._search_m)).tolist()
            low, high = min(low, len(self.s) - 2), max(high, 2)
        nearest = low + int(np.abs(self.points[low:high] - place).argmin())
        s = float(self.s[nearest])
        along = ((place - self.points[nearest]) * cmath.exp(-1j * float(self.headings[nearest]))).real
        if 0 < nearest < len(self.s) - 1:
            return s + min(max(along, -SAMPLE_M), SAMPLE_M)
        outward = along < 0.0 if nearest == 0 else along > 0.0
        return s + along if outward else s + min(max(along, -SAMPLE_M), SAMPLE_M)
