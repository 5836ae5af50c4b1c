# SPDX-License-Identifier: GPL-3.0-or-later
"""The height of the centre of mass of a clip with flights: near the clip's on the ground, and free fall in the air."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.linalg import solveh_banded
from scipy.ndimage import gaussian_filter1d
from scipy.sparse import csr_matrix, diags, identity, spmatrix, vstack

from .clip import FollowedClip

NODE_EVERY = 1
"""Samples of the clip from node to node: 120 a second."""
SMOOTHING_S = 0.03
"""Standard deviation of the Gaussian on the clip's vertical acceleration on the ground."""
BANDS = 4
"""Diagonals beside the middle one of what is solved here."""
FORCES = (0.2, 4.0)
"""Vertical forces over the weight that the ground phases are kept within: legs push, and no leg pushes more."""
GROUND_WEIGHT, AIR_WEIGHT = 1e-5, 1e-1
"""Weights of vertical acceleration [(m/s^2)^-2] beside 1 for the height [m^-2]: in the air it is gravity's."""


def plan_height(
    clip: FollowedClip, flights: Sequence[tuple[float, float]], gravity: float, quicker: float = 1.0,
) -> CubicSpline:
    """Height of the centre of mass [m] over the clip's time under a gravity in that time [m / clip s^2], by linear least
    squares: on the ground the clip's height and, within what legs can push, its acceleration; in the flights free fall. Where
    push-offs are `quicker` than in that time legs push by its square harder over the weight."""
    rows = slice(None, None, NODE_EVERY)
    times, step, own = clip.times_s[rows], NODE_EVERY * clip.step_s, clip.com_m[rows, 2]
    flying = np.zeros(len(times), dtype=bool)
    for start, end in flights:
        flying |= (times >= start - step) & (times <= end + step)
    second = second_differences(len(times), step)
    pushed = gaussian_filter1d(second @ own, SMOOTHING_S / quicker / step, mode="nearest")
    wanted = np.where(flying, -gravity, np.clip(pushed, (FORCES[0] - 1.0) * gravity, (FORCES[1] - 1.0) * gravity * quicker**2))
    near = np.where(flying, 1e-2, 1.0)
    root = np.sqrt(np.where(flying, AIR_WEIGHT, GROUND_WEIGHT))
    parts = vstack([diags(near) @ identity(len(times)), diags(root) @ second]).tocsr()
    found = solve_banded(parts.T @ parts, parts.T @ np.concatenate([near * own, root * wanted]))
    return CubicSpline(times, found)


def second_differences(count: int, step: float) -> csr_matrix:
    """Matrix (K, K) of second differences of K nodes a `step` apart, those of the ends their neighbours'."""
    matrix = diags([1.0, -2.0, 1.0], [-1, 0, 1], shape=(count, count)).tolil()
    matrix[0, :3], matrix[-1, -3:] = (1.0, -2.0, 1.0), (1.0, -2.0, 1.0)
    return matrix.tocsr() / step**2


def solve_banded(normal: spmatrix, right: np.ndarray) -> np.ndarray:
    """The solution of a symmetric, positive definite system of few diagonals (K, K), for right sides (K,) or (K, n)."""
    whole = normal.todia()
    bands = np.zeros((BANDS + 1, whole.shape[0]))
    for offset, values in zip(whole.offsets, whole.data, strict=True):
        if 0 <= offset <= BANDS:
            bands[BANDS - offset] = values
    return solveh_banded(bands, right)
