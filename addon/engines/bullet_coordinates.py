# SPDX-License-Identifier: GPL-3.0-or-later
"""Joint coordinates of a Body in Bullet's convention and back. Pure algebra: Bullet itself is not needed here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from ..bodies.body import Body
from ..bodies.urdf import principal_axes


class BulletCoordinates:
    """Converts between MuJoCo's flat joint coordinates and Bullet's lists with one entry a joint.

    Both measure a ball by a quaternion from parent to child and by the angular velocity in the child's axes; but Bullet's
    child axes are the principal axes of the segment's inertia, and its quaternions are x-y-z-w. Both conversions are linear.
    """

    def __init__(self, body: Body) -> None:
        joints = body.segments[1:]
        sizes = [(4, 3) if s.joint == "ball" else (1, 1) for s in joints]
        self._position_map = np.zeros((sum(p for p, _ in sizes),) * 2)
        self._velocity_map = np.zeros((sum(v for _, v in sizes),) * 2)
        self._position_slices: list[slice] = []
        self._velocity_slices: list[slice] = []
        i = j = 0
        for segment, (p, v) in zip(joints, sizes, strict=True):
            if segment.joint == "ball":
                axes, _ = principal_axes(segment.inertia)
                self._position_map[i, i + 3] = 1.0
                self._position_map[i + 1:i + 4, i:i + 3] = axes
                self._velocity_map[j:j + 3, j:j + 3] = axes
            else:
                self._position_map[i, i] = self._velocity_map[j, j] = 1.0
            self._position_slices.append(slice(i, i + p))
            self._velocity_slices.append(slice(j, j + v))
            i, j = i + p, j + v
        self._torque_map = np.ascontiguousarray(self._velocity_map.T)

    def from_bullet(self, states: Sequence[tuple]) -> tuple[np.ndarray, np.ndarray]:
        """Joint positions (nq - 7,) and velocities (nv - 6,) of the rows of Bullet's getJointStatesMultiDof."""
        places = np.array(list(chain.from_iterable(s[0] for s in states)))
        rates = np.array(list(chain.from_iterable(s[1] for s in states)))
        return self._position_map @ places, self._velocity_map @ rates

    def to_bullet(self, positions: np.ndarray, velocities: np.ndarray) -> tuple[list[list[float]], list[list[float]]]:
        """Bullet's joint positions and velocities, one list a joint. The maps are orthogonal: transposed is inverted."""
        places, rates = self._position_map.T @ positions, self._torque_map @ velocities
        return [places[s].tolist() for s in self._position_slices], [rates[s].tolist() for s in self._velocity_slices]

    def torque_to_bullet(self, torque: np.ndarray) -> list[list[float]]:
        """Bullet's joint torques of generalised torques (nv - 6,) [N m]: each ball's turned to its principal axes."""
        values = (self._torque_map @ torque).tolist()
        return [values[s] for s in self._velocity_slices]
