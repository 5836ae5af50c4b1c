# SPDX-License-Identifier: GPL-3.0-or-later
"""The travel of a motion: the smooth way of the body over the ground, without its sway; and a motion without its travel."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ...maths.angles import plane_angle
from ...maths.quaternions import matrix_from_quat, quat_multiply
from .own_motion import OwnMotion

_STANDING_S = 1.0
"""Window of the mean [s] for a motion without strides."""


@dataclass(frozen=True)
class Travel:
    """How far the body has come: from `start` (2,) to `place` (T, 2) [m], turned by `yaw` (T,) [rad] from `heading_0` [rad]."""

    place: np.ndarray
    start: np.ndarray
    yaw: np.ndarray
    heading_0: float = 0.0

    def part(self, rows: slice) -> Travel:
        """Some of its frames."""
        return replace(self, place=self.place[rows], yaw=self.yaw[rows])

    @property
    def heading(self) -> np.ndarray:
        """Which way the body heads (T,) [rad]."""
        return self.heading_0 + self.yaw

    @property
    def turn(self) -> np.ndarray:
        """The turn about the vertical (T, 4)."""
        zero = np.zeros_like(self.yaw)
        return np.stack([np.cos(0.5 * self.yaw), zero, zero, np.sin(0.5 * self.yaw)], axis=1)

    def apply(self, points: np.ndarray) -> np.ndarray:
        """Points (T, ..., 3) of a motion without travel, brought to where the motion goes."""
        lead = (len(self.yaw),) + (1,) * (points.ndim - 2)
        moved = _about_z(points - [*self.start, 0.0], self.yaw)
        moved[..., :2] += self.place.reshape(*lead, 2)
        return moved

    def remove(self, points: np.ndarray) -> np.ndarray:
        """The inverse of `apply`."""
        lead = (len(self.yaw),) + (1,) * (points.ndim - 2)
        moved = np.array(points, dtype=float)
        moved[..., :2] -= self.place.reshape(*lead, 2)
        return _about_z(moved, -self.yaw) + [*self.start, 0.0]


def travel_of(motion: OwnMotion, time_s: np.ndarray, stride_s: float | None) -> Travel:
    """The pelvis' way and heading, each averaged over one stride (over a second without strides), at the frames' times."""
    window = min(stride_s or _STANDING_S, time_s[-1] - time_s[0])
    facing = matrix_from_quat(motion.turns[:, 0])[:, :2, 0]
    yaw = np.unwrap(plane_angle(facing[:, 1], facing[:, 0]))
    smooth = _averaged(time_s, np.column_stack([motion.places[:, 0, :2], yaw]), window)
    return Travel(smooth[:, :2], smooth[0, :2].copy(), smooth[:, 2] - smooth[0, 2], float(smooth[0, 2]))


def without(motion: OwnMotion, travel: Travel) -> OwnMotion:
    """The motion on a treadmill that travels."""
    back = travel.turn * [1.0, -1.0, -1.0, -1.0]
    turns = quat_multiply(np.broadcast_to(back[:, None], motion.turns.shape), motion.turns)
    return replace(motion, places=travel.remove(motion.places), turns=turns)


def _averaged(time_s: np.ndarray, values: np.ndarray, window_s: float) -> np.ndarray:
    """Mean (T, C) of values over a window about each time; beyond the ends they go on as in the window next to them."""
    step = 0.25 * float(np.min(np.diff(time_s)))
    count = max(1, int(np.ceil(window_s / step)))
    grid = time_s[0] + step * np.arange(-count, int(np.ceil((time_s[-1] - time_s[0]) / step)) + count + 1)
    inside = np.clip(grid, time_s[0], time_s[-1])
    out = np.empty_like(values)
    for column in range(values.shape[1]):
        x = np.interp(inside, time_s, values[:, column])
        near = window_s if window_s > 0.0 else step
        first = np.interp(time_s[0] + near, time_s, values[:, column]) - values[0, column]
        last = values[-1, column] - np.interp(time_s[-1] - near, time_s, values[:, column])
        x = x + (grid - inside) * np.where(grid < time_s[0], first, last) / near
        area = np.concatenate([[0.0], np.cumsum(0.5 * (x[1:] + x[:-1]) * step)])
        high, low = (np.interp(time_s + half, grid, area) for half in (0.5 * near, -0.5 * near))
        out[:, column] = (high - low) / near
    return out


def _about_z(points: np.ndarray, yaw: np.ndarray) -> np.ndarray:
    """Points (T, ..., 3) turned about the vertical through the origin by `yaw` (T,)."""
    lead = (len(yaw),) + (1,) * (points.ndim - 2)
    c, s = np.cos(yaw).reshape(lead), np.sin(yaw).reshape(lead)
    x, y = points[..., 0], points[..., 1]
    return np.stack([c * x - s * y, s * x + c * y, points[..., 2] + 0.0 * x], axis=-1)
