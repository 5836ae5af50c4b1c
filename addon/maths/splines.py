# SPDX-License-Identifier: GPL-3.0-or-later
"""Cubics from knot to knot: a periodic spline, and Fritsch and Carlson's monotone curve, as scipy has them. The same to the last
bit as `CubicSpline(..., bc_type="periodic")` and `PchipInterpolator` of `scipy.interpolate`, whose package loads for a third of a
second: more than all else that a walk needs until its first step."""

from __future__ import annotations

import numpy as np


class Cubics:
    """Cubics between `knots` (N,), rising: `coefficients` (4, N - 1, ...), the highest power first, of the way from the knot
    before. Beyond the ends the outermost go on, or, where it is `periodic`, the whole does again."""

    def __init__(self, knots: np.ndarray, values: np.ndarray, slopes: np.ndarray, periodic: bool = False) -> None:
        """Through values (N, ...) with slopes (N, ...) at the knots."""
        gaps = np.diff(knots).reshape(-1, *[1] * (values.ndim - 1))
        rise = np.diff(values, axis=0) / gaps
        bend = (slopes[:-1] + slopes[1:] - 2 * rise) / gaps
        self.knots, self._periodic = knots, periodic
        self.coefficients = np.stack([bend / gaps, (rise - slopes[:-1]) / gaps - bend, slopes[:-1], values[:-1]])

    def __call__(self, at: float | np.ndarray) -> np.ndarray:
        """Values (..., *) at places (...,)."""
        x, knots = np.asarray(at, dtype=float), self.knots
        if self._periodic:
            x = knots[0] + (x - knots[0]) % (knots[-1] - knots[0])
        i = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
        a, b, c, d = self.coefficients[:, i]
        s = (x - knots[i]).reshape(x.shape + (1,) * (d.ndim - x.ndim))
        return 0.0 + d + c * s + b * (s * s) + a * (s * s * s)  # never -0, as in scipy


def periodic_spline(knots: np.ndarray, values: np.ndarray) -> Cubics:
    """The spline with two continuous derivatives through values (N, ...) at knots (N,), N of 4 or more; the last value is the
    first again."""
    from scipy.linalg import solve_banded

    dx = np.diff(knots)
    gaps = dx.reshape(-1, *[1] * (values.ndim - 1))
    rise = np.diff(values, axis=0) / gaps
    # The slopes at all knots but the last two solve a tridiagonal system, given the one at the last but one.
    n = len(knots)
    band = np.zeros((3, n - 2))
    band[1] = 2 * np.append(dx[-1] + dx[0], dx[:-2] + dx[1:-1])
    band[0, 1:] = np.append(dx[-1], dx[:-1])[:n - 3]
    band[2, :-1] = dx[1:n - 2]
    right = 3 * (gaps * np.roll(rise, 1, axis=0) + np.roll(gaps, 1, axis=0) * rise)
    last = np.zeros_like(right[:-1])
    last[0], last[-1] = -dx[0], -dx[-3]
    s1, s2 = (solve_banded((1, 1), band, b.reshape(n - 2, -1), check_finite=False).reshape(b.shape) for b in (right[:-1], last))
    s_last = (right[-1] - dx[-2] * s1[0] - dx[-1] * s1[-1]) / (2 * (dx[-1] + dx[-2]) + dx[-2] * s2[0] + dx[-1] * s2[-1])
    slopes = np.concatenate([s1 + s_last * s2, s_last[None], (s1 + s_last * s2)[:1]])
    return Cubics(knots, values, slopes, periodic=True)


def monotone(knots: np.ndarray, values: np.ndarray) -> Cubics:
    """The curve through values (N,) at knots (N,), N of 3 or more, that rises and falls only where they do (Fritsch and Butland
    1984)."""
    gaps = np.diff(knots)
    rise = np.diff(values) / gaps
    before, after = rise[:-1], rise[1:]
    turns = (np.sign(after) != np.sign(before)) | (after == 0) | (before == 0)
    w1, w2 = 2 * gaps[1:] + gaps[:-1], gaps[1:] + 2 * gaps[:-1]
    slopes = np.zeros_like(values)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (w1 / before + w2 / after) / (w1 + w2)
    slopes[1:-1][~turns] = 1.0 / mean[~turns]
    slopes[0] = _end(gaps[0], gaps[1], rise[0], rise[1])
    slopes[-1] = _end(gaps[-1], gaps[-2], rise[-1], rise[-2])
    return Cubics(knots, values, slopes)


def _end(gap: float, next_gap: float, rise: float, next_rise: float) -> float:
    """The slope at an end, of a parabola through three points that keeps the shape."""
    slope = ((2 * gap + next_gap) * rise - gap * next_rise) / (gap + next_gap)
    if np.sign(slope) != np.sign(rise):
        return 0.0
    if np.sign(rise) != np.sign(next_rise) and abs(slope) > 3.0 * abs(rise):
        return 3.0 * rise
    return slope
