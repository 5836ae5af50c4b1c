# SPDX-License-Identifier: GPL-3.0-or-later
"""How skins are painted: darker backs, lighter bellies, bands; all by place and normal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...maths.curves import smoothstep
from .made import Paint

Colour = Sequence[float]


def mixed(a: np.ndarray | Colour, b: np.ndarray | Colour, share: np.ndarray) -> np.ndarray:
    """Colours (V, 3) a share (V,) of the way from one to the other."""
    return np.asarray(a) * (1.0 - share[:, None]) + np.asarray(b) * share[:, None]


def countershaded(back: Colour, belly: Colour, bands: Colour | None = None, width_m: float = 0.1) -> Paint:
    """Back above, belly below; bands across the back of about that width."""
    def paint(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        colour = mixed(belly, back, smoothstep(0.5 + 0.9 * normals[:, 2] + 0.25))
        if bands is not None:
            x, y, z = points.T
            wave = np.sin(np.pi * (x + 0.35 * z) / width_m + 1.3 * np.sin(7.0 * z) + 2.0 * np.abs(y))
            colour = mixed(colour, bands, 0.8 * smoothstep(3.0 * wave - 1.0) * smoothstep(1.0 + 2.0 * normals[:, 2]))
        return colour

    return paint


def legs_in(paint: Paint, colour: Colour, below_m: float, fade_m: float) -> Paint:
    """The paint, but for what is lower than a height."""
    def painted(points: np.ndarray, normals: np.ndarray) -> np.ndarray:
        return mixed(colour, paint(points, normals), smoothstep((points[:, 2] - below_m) / fade_m + 0.5))

    return painted
