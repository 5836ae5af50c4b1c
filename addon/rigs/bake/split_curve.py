# SPDX-License-Identifier: GPL-3.0-or-later
"""A key put into an F-curve without bending it: de Casteljau's split of Blender's Bézier segments. Plain numpy.

The keys are columns as `action.py` reads them: `co`, `handle_left`, `handle_right` (N, 2), and numbers (N,) of the enumerations.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

Columns = dict[str, np.ndarray]
_HALVINGS = 60


def split(keys: Columns, frame: float, value: float, codes: Mapping[str, int]) -> Columns:
    """The keys with one at `frame`, where there is none and the curve has `value`. Its course stays: handles next to the new key
    are shortened and from now on free, as automatic ones would turn. `codes` are the numbers of BEZIER, LINEAR and FREE.

    Before the first and behind the last key the curve goes on in a straight line. Segments of other kinds (bounces, say) cannot
    be split, and keep their kind.
    """
    at = int(np.searchsorted(keys["co"][:, 0], frame))
    count = len(keys["co"])
    out = {part: np.insert(values, at, values[min(max(at - 1, 0), count - 1)], axis=0) for part, values in keys.items()}
    out["co"][at] = frame, value
    out["handle_left"][at] = out["handle_right"][at] = frame, value
    for side in ("handle_left_type", "handle_right_type"):
        out[side][max(at - 1, 0):at + 2] = codes["FREE"]
    if at == 0 or at == count:
        out["interpolation"][at - 1 if at else at] = codes["LINEAR"]
    elif keys["interpolation"][at - 1] == codes["BEZIER"]:
        points = np.array([keys["co"][at - 1], keys["handle_right"][at - 1], keys["handle_left"][at], keys["co"][at]], float)
        first, second = _halves(_proper(points), frame)
        out["handle_right"][at - 1], out["handle_left"][at] = first[1], first[2]
        out["co"][at, 1] = first[3][1]
        out["handle_right"][at], out["handle_left"][at + 1] = second[1], second[2]
    return out


def _proper(points: np.ndarray) -> np.ndarray:
    """Points (4, 2) of a segment whose handles are no longer than it is, as Blender shortens them where it evaluates."""
    points = points.copy()
    length = points[3, 0] - points[0, 0]
    for end, handle in ((0, 1), (3, 2)):
        way = points[handle] - points[end]
        points[handle] = points[end] + way * min(1.0, length / max(abs(way[0]), 1e-9))
    return points


def _halves(points: np.ndarray, frame: float) -> tuple[np.ndarray, np.ndarray]:
    """Points (4, 2) of the parts of a segment before and after a frame."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        share = 0.5 * (low + high)
        first, second = _cut(points, share)
        low, high = (share, high) if first[3][0] < frame else (low, share)
    return first, second


def _cut(points: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Both parts at a share of the parameter."""
    levels = [points]
    while len(levels[-1]) > 1:
        levels.append((1.0 - share) * levels[-1][:-1] + share * levels[-1][1:])
    return np.array([level[0] for level in levels]), np.array([level[-1] for level in levels[::-1]])
