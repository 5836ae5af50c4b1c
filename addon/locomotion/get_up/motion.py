# SPDX-License-Identifier: GPL-3.0-or-later
"""A motion through poses: a spline in the rotations from the first one, gone along once from rest to rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np

from ...maths.splines import Cubics

DIFFERENCE_S = 0.004
"""Time over which velocities and accelerations are taken, on Earth."""


def rest_to_rest(s: float) -> float:
    """From 0 to 1, with neither rate nor its rate at the ends."""
    return s**3 * (10.0 - 15.0 * s + 6.0 * s * s)


def natural_slopes(knots: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Slopes (N, ...) of the natural cubic spline through values (N, ...) at knots (N,)."""
    n, gaps = len(knots), np.diff(knots)
    rise = np.diff(values, axis=0) / gaps[:, None]
    matrix, right = np.zeros((n, n)), np.zeros_like(values)
    matrix[0, :2] = matrix[-1, -2:] = 2.0, 1.0
    matrix[-1, -2:] = 1.0, 2.0
    right[0], right[-1] = 3.0 * rise[0], 3.0 * rise[-1]
    for i in range(1, n - 1):
        matrix[i, i - 1:i + 2] = gaps[i], 2.0 * (gaps[i - 1] + gaps[i]), gaps[i - 1]
        right[i] = 3.0 * (gaps[i] * rise[i - 1] + gaps[i - 1] * rise[i])
    return np.linalg.solve(matrix, right)


@dataclass
class Reference:
    """A pose (nq,) with its velocity and acceleration (nv,), and those of its centre of mass (3, 3): place, rate, second."""

    pose: np.ndarray
    velocity: np.ndarray
    acceleration: np.ndarray
    com: np.ndarray


class Motion:
    """Through poses (N, nq) at `knots` (N,), 0 to 1, in `duration_s`; `law` is how far it has come by the share of the time."""

    def __init__(self, model: mujoco.MjModel, knots: Sequence[float], poses: Sequence[np.ndarray], duration_s: float,
                 law: Callable[[float], float] = rest_to_rest) -> None:
        self._model, self._data, self._first = model, mujoco.MjData(model), poses[0].copy()
        self.duration_s, self._law, self.end = duration_s, law, poses[-1]
        away = np.zeros((len(poses), model.nv))
        for row, pose in zip(away, poses, strict=True):
            mujoco.mj_differentiatePos(model, row, 1.0, self._first, pose)
        at = np.array(knots, dtype=float)
        self._spline = Cubics(at, away, natural_slopes(at, away))

    def share(self, time_s: float) -> float:
        """How far it has come, 0 to 1."""
        return self._law(min(max(time_s / self.duration_s, 0.0), 1.0))

    def pose(self, time_s: float) -> np.ndarray:
        pose = self._first.copy()
        mujoco.mj_integratePos(self._model, pose, self._spline(self.share(time_s)), 1.0)
        return pose

    def at(self, time_s: float) -> Reference:
        """Where it is at a time, from its begin."""
        model, data, dt = self._model, self._data, DIFFERENCE_S
        poses = [self.pose(time_s + shift) for shift in (-dt, 0.0, dt)]
        before, after = np.zeros((2, model.nv))
        mujoco.mj_differentiatePos(model, before, dt, poses[0], poses[1])
        mujoco.mj_differentiatePos(model, after, dt, poses[1], poses[2])
        com = np.zeros((3, 3))
        for row, pose in zip(com, poses, strict=True):
            data.qpos[:] = pose
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            row[:] = data.subtree_com[1]
        motion = np.array([com[1], (com[2] - com[0]) / (2.0 * dt), (com[2] - 2.0 * com[1] + com[0]) / dt**2])
        return Reference(poses[1], 0.5 * (before + after), (after - before) / dt, motion)
