# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed-form inverse kinematics of legs: hip ball, knee hinge, ankle ball, for a stack of poses at once."""

from __future__ import annotations

import numpy as np

REACH = 0.997
"""Largest share of the straight leg that is used: at full stretch the knee's speed would be unbounded."""
_CROSS = np.zeros((3, 3, 3))
"""Levi-Civita's symbol: a x b = _CROSS_ijk a_j b_k."""
_CROSS[[0, 1, 2], [1, 2, 0], [2, 0, 1]], _CROSS[[0, 1, 2], [2, 0, 1], [1, 2, 0]] = 1.0, -1.0


def solve_legs(
    pelvis: np.ndarray, hip: np.ndarray, ankle: np.ndarray, foot: np.ndarray, side_axis: np.ndarray,
    thigh_m: float, shank_m: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hip rotations (n, 3, 3), knee flexions (n,) [rad] and ankle rotations (n, 3, 3) that bring ankles to their places.

    `pelvis`, `foot` (n, 3, 3) are world rotations, `hip`, `ankle` (n, 3) world places [m]. The knee's axis is the direction
    nearest to `side_axis` (n, 3) that is square to the line from hip to ankle. Beyond reach the leg points at the target.
    """
    line = ankle - hip
    distance = np.sqrt(np.einsum("ni,ni->n", line, line))
    low, high = abs(thigh_m - shank_m) + 1e-3, REACH * (thigh_m + shank_m)
    length = np.minimum(np.maximum(distance, low), high)
    cosine = (length**2 - thigh_m**2 - shank_m**2) / (2.0 * thigh_m * shank_m)
    knee = np.arccos(np.minimum(np.maximum(cosine, -1.0), 1.0))
    c, s = np.cos(knee), np.sin(knee)
    # The leg's triad in the world: from hip to ankle, the knee's axis, and square to both.
    triad = np.empty((len(line), 3, 3))
    along, across = triad[:, 0], triad[:, 1]
    np.divide(line, distance[:, None], out=along)
    np.subtract(side_axis, np.einsum("ni,ni->n", side_axis, along)[:, None] * along, out=across)
    across /= np.sqrt(np.einsum("ni,ni->n", across, across))[:, None]
    np.einsum("ijk,nj,nk->ni", _CROSS, along, across, out=triad[:, 2])
    # In the thigh's own frame the ankle lies at (-shank sin k, 0, -thigh - shank cos k) = length (x, 0, z): the thigh's axes
    # in the triad are (x, 0, -z), (0, 1, 0), (z, 0, x). The shank's are turned by the knee's angle about the second.
    x, z = -shank_m * s / length, -(thigh_m + shank_m * c) / length
    axes = np.zeros((2, len(line), 3, 3))
    axes[..., 1, 1] = 1.0
    axes[:, :, 0, 0] = axes[:, :, 2, 2] = x, c * x - s * z
    axes[:, :, 2, 0] = z, s * x + c * z
    axes[:, :, 0, 2] = -axes[:, :, 2, 0]
    inverse_thigh, inverse_shank = axes @ triad
    return pelvis.transpose(0, 2, 1) @ inverse_thigh.transpose(0, 2, 1), knee, inverse_shank @ foot
