# SPDX-License-Identifier: GPL-3.0-or-later
"""How deep the legs of N creatures are in each other, by the capsules about their parts."""

from __future__ import annotations

import numpy as np

from ...bodies.body import Body
from ...bodies.capsules import body_capsules
from ...maths.lines import closest
from .felt import Felt
from .layout import Layout


class Legs:
    """The capsules of the left leg against those of the right one, but for the two thighs, whose flesh gives way."""

    def __init__(self, layout: Layout, body: Body) -> None:
        index, thighs = body.index, set(layout.legs[:, 0].tolist())
        left, right = ([one for one in body_capsules(body) if index[one.segment] in leg] for leg in layout.legs)
        pairs = [(one, other) for one in left for other in right if not {index[one.segment], index[other.segment]} <= thighs]
        self._rows = np.array([[index[one.segment] for one in pair] for pair in pairs]).T
        self._ends = np.array([[(one.start, one.end) for one in pair] for pair in pairs]).transpose(1, 2, 0, 3)
        self._apart_m = np.array([one.radius_m + other.radius_m for one, other in pairs])

    def depth_m(self, felt: Felt) -> np.ndarray:
        """How deep (N,) [m] they are in each other where they are deepest; 0 for legs that are clear of each other."""
        lines = [np.stack([felt.place[:, own] + np.einsum("npij,pj->npi", felt.turn[:, own], end) for end in ends], axis=2)
                 for own, ends in zip(self._rows, self._ends, strict=True)]
        points = closest(*(line.reshape(-1, 2, 3) for line in lines))
        apart_m = np.linalg.norm(points[:, 0] - points[:, 1], axis=1).reshape(-1, len(self._apart_m))
        return np.maximum(self._apart_m - apart_m, 0.0).max(axis=1)
