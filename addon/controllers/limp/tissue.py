# SPDX-License-Identifier: GPL-3.0-or-later
"""How tissue gives at the end of a joint's range, and the rotation vectors in which balls have theirs."""

from __future__ import annotations

import numpy as np

END_WIDTH_RAD = np.radians(6.0)
"""Angle past the end of a range over which the moment grows e-fold (Riener and Edrich 1999: 6.7 degrees, a stretched knee)."""
LEAST_SHARE, MOST_SHARE = 0.08, 0.2
"""That angle over the range, at least and at most: beyond, the middle of the range would not be free."""
MOST_WIDTHS = 4.0
"""From so many widths past the end on the moment grows linearly: 55 times that at the end."""


def end_share(range_rad: np.ndarray) -> np.ndarray:
    """How much farther out, over the range [rad], a joint is when the moment past its end has grown e-fold."""
    return np.clip(END_WIDTH_RAD / range_rad, LEAST_SHARE, MOST_SHARE)


def past_end(out: np.ndarray, share: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Energy, its slope and its bend by `out`, the square of how far out of its range a joint is (1: at its end).

    The slope by how far out it is, not squared, is 1 at the end and grows e-fold every `share`.
    """
    widths = (out - 1.0) / (2.0 * share)
    grown = np.exp(np.minimum(widths, MOST_WIDTHS))
    more = np.maximum(widths - MOST_WIDTHS, 0.0)
    return share * grown * (1.0 + more + 0.5 * more**2), 0.5 * grown * (1.0 + more), grown / (4.0 * share)


def rotation_vector(quat: np.ndarray) -> np.ndarray:
    """Rotation vectors (K, 3) [rad], the shorter way, of unit quaternions (K, 4)."""
    quat = np.where(quat[:, :1] < 0.0, -quat, quat)
    sine = np.sqrt((quat[:, 1:] ** 2).sum(axis=1))
    angle = 2.0 * np.arctan2(sine, quat[:, 0])
    return quat[:, 1:] * np.where(sine > 1e-9, angle / np.maximum(sine, 1e-9), 2.0)[:, None]


def to_torque(vector: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """Torques (K, 3) in the child's axes that do the work `slope` (K, 3) does on the rotation vectors (K, 3).

    The transposed inverse of the right Jacobian of the rotation group (Sola, Deray and Atchuthan 2018, "A micro Lie theory",
    eq. 144).
    """
    angle = np.maximum(np.sqrt((vector**2).sum(axis=1)), 1e-4)
    share = (1.0 / angle**2 - (1.0 + np.cos(angle)) / (2.0 * angle * np.sin(np.minimum(angle, 3.13))))[:, None]
    once = _cross(vector, slope)
    return slope - 0.5 * once + share * _cross(vector, once)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products of rows (K, 3); numpy's own is slow for a few rows."""
    (ax, ay, az), (bx, by, bz) = a.T, b.T
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=1)
