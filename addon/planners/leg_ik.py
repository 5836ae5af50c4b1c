# SPDX-License-Identifier: GPL-3.0-or-later
"""Closed-form inverse kinematics of legs: hip ball, knee hinge, ankle ball, for a stack of poses at once."""

from __future__ import annotations

import numpy as np

REACH = 0.997
"""Largest share of the straight leg that is used: at full stretch the knee's speed would be unbounded."""


def solve_legs(
    pelvis: np.ndarray, hip: np.ndarray, ankle: np.ndarray, foot: np.ndarray, side_axis: np.ndarray,
    thigh_m: float, shank_m: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hip rotations (n, 3, 3), knee flexions (n,) [rad] and ankle rotations (n, 3, 3) that bring ankles to their places.

    `pelvis`, `foot` (n, 3, 3) are world rotations, `hip`, `ankle` (n, 3) world places [m]. The knee's axis is the direction
    nearest to `side_axis` (n, 3) that is square to the line from hip to ankle. Beyond reach the leg points at the target.
    """
    line = ankle - hip
    distance = np.linalg.norm(line, axis=1)
    low, high = abs(thigh_m - shank_m) + 1e-3, REACH * (thigh_m + shank_m)
    length = np.clip(distance, low, high)
    cosine = (length**2 - thigh_m**2 - shank_m**2) / (2.0 * thigh_m * shank_m)
    knee = np.arccos(np.clip(cosine, -1.0, 1.0))
    along = line / distance[:, None]
    across = side_axis - np.einsum("ni,ni->n", side_axis, along)[:, None] * along
    across /= np.linalg.norm(across, axis=1)[:, None]
    # In the thigh's own frame the ankle lies at (-shank sin k, 0, -thigh - shank cos k); its plane is square to y.
    x, z = -shank_m * np.sin(knee) / length, -(thigh_m + shank_m * np.cos(knee)) / length
    third = np.cross(along, across)
    # Own triad: along = (x, 0, z), across = (0, 1, 0), third = (-z, 0, x); R maps it to the world triad.
    thigh = np.empty((len(line), 3, 3))
    thigh[:, :, 0] = x[:, None] * along - z[:, None] * third
    thigh[:, :, 1] = across
    thigh[:, :, 2] = z[:, None] * along + x[:, None] * third
    shank = np.empty_like(thigh)
    c, s = np.cos(knee)[:, None], np.sin(knee)[:, None]
    shank[:, :, 0] = c * thigh[:, :, 0] - s * thigh[:, :, 2]
    shank[:, :, 1] = across
    shank[:, :, 2] = s * thigh[:, :, 0] + c * thigh[:, :, 2]
    return pelvis.transpose(0, 2, 1) @ thigh, knee, shank.transpose(0, 2, 1) @ foot
