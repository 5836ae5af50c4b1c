# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies under the mouse: the nearest of some points, and the place on the ground. Plain numpy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def nearest(points: np.ndarray, mouse: Sequence[float], reach: float, first: int = 0) -> int | None:
    """Number, counted from `first`, of the point (N, 2) nearest to the mouse; None where none is within `reach`. Points that
    cannot be seen are NaN."""
    away = np.hypot(*(points - np.asarray(mouse, dtype=float)).T)
    if not np.any(away <= reach):
        return None
    return first + int(np.nanargmin(away))


def on_ground(matrix: np.ndarray, origin: np.ndarray, direction: np.ndarray) -> tuple[float, float] | None:
    """Where a ray from `origin` (3,) along `direction` (3,), both in the world, meets the level ground of a take whose
    places `matrix` (4, 4) brings to the world; x and y there [m]. None where it looks along the ground or away from it."""
    inverse = np.linalg.inv(matrix)
    start, way = inverse[:3, :3] @ origin + inverse[:3, 3], inverse[:3, :3] @ direction
    if abs(way[2]) < 1e-6 * np.linalg.norm(way) or start[2] * way[2] > 0.0:
        return None
    at = start - way * (start[2] / way[2])
    return float(at[0]), float(at[1])
