# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference pose of somebody who stands and does something meanwhile."""

from __future__ import annotations

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ...maths.plain_rotations import Quaternion, Vector, about_z, product, rotated
from ..follow.pose import unit
from ..follow.track import Instant
from ..standing.pose import StandingPose


class PlayedPose(StandingPose):
    """Builds generalised coordinates (nq,) from a clip's pelvis, trunk and arms over the centre of mass, by a `heading` of the
    clip [rad]."""

    def __init__(self, state: BodyState, heading: float, slots: np.ndarray) -> None:
        """`slots` (U,) are the coordinates of all joints but the legs', in the order of an instant's `joints`."""
        super().__init__(state)
        self._back, self._joints = about_z(-heading), slots
        self._axes = ((0.0, 1.0, 0.0), (0.0, 1.0, 0.0))

    def show(self, instant: Instant) -> None:
        """From now on the pose is that of an instant of the clip."""
        self._pelvis = product(self._back, unit(instant.root_quaternion))
        self.root_m = np.array(rotated(self._back, instant.root_m))
        self._rest[self._joints] = instant.joints
        self._axes = (instant.knee_axis[0], instant.knee_axis[1])

    def coordinates(self, instant: Instant) -> np.ndarray:
        """An instant's pelvis and joints (nq,), at no place and without its legs."""
        q: np.ndarray = self._rest.copy()
        q[3:7], q[self._joints] = unit(instant.root_quaternion), instant.joints
        return q

    def _fly(self, q: np.ndarray, arms: float, fall: complex) -> None:
        """From what the arms do in the clip to where they would fly."""
        self._fly_from_own(q, arms, fall)

    def _knee_axis(self, side: str, sole: Quaternion) -> Vector:
        """About which the knee bends in the clip."""
        x, y, z = self._axes[SIDES.index(side)]
        return x, y, z
