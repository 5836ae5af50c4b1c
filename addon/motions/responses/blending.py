# SPDX-License-Identifier: GPL-3.0-or-later
"""From where a body is into a motion that begins elsewhere: offsets that fade, with their speeds."""

from __future__ import annotations

import numpy as np

from ...maths.quaternions import quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat


def faded(times_s: np.ndarray, long_s: float, offset: np.ndarray, rate: np.ndarray | float = 0.0) -> np.ndarray:
    """(N, ...) a curve from `offset` (...) with its `rate` [1/s] at time 0 to nothing at `long_s`, cubic with a level end."""
    s = np.clip(times_s / max(long_s, 1e-9), 0.0, 1.0)
    stays, slope = 1.0 - s * s * (3.0 - 2.0 * s), s * (1.0 - s) ** 2 * long_s
    shape = (-1, *(1,) * np.ndim(offset))
    return stays.reshape(shape) * offset + slope.reshape(shape) * rate


def joined(
    turns: np.ndarray, times_s: np.ndarray, long_s: float, start: np.ndarray, spin: np.ndarray | float = 0.0,
) -> np.ndarray:
    """Rotations (N, ..., 4) that begin at `start` (..., 4) and, faded, become `turns` (N, ..., 4); `spin` (..., 3) [rad/s], by
    which the start turns faster than they do."""
    away = rotvec_from_quat(quat_multiply(start, quat_conjugate(turns[0])))
    return quat_multiply(quat_from_rotvec(faded(times_s, long_s, away, spin)), turns)


def spin_of(turns: np.ndarray, step_s: float) -> np.ndarray:
    """Angular velocity (..., 3) [rad/s] from the first to the second of rotations (2, ..., 4)."""
    return rotvec_from_quat(quat_multiply(turns[1], quat_conjugate(turns[0]))) / step_s
