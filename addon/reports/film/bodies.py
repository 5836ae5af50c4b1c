# SPDX-License-Identifier: GPL-3.0-or-later
"""Whose motion a film shows, and what its camera looks at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...bodies.kinematics import segment_poses
from ...motions.pressure.database import MOTION_HZ
from ...motions.pressure.reading import Reading
from ...take import Take
from .figures import Camera, Capsules, drawn

STAYS_M, SMOOTH_S = 1.5, 0.6
"""A root that stays within so much is seen by a camera that stands; else it goes along, as smoothly."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A body in motion, `rate_hz` moments a second from `start_s` on, and what the camera looks at (T, 2) [m]."""

    capsules: Capsules
    rate_hz: float
    start_s: float
    target_m: np.ndarray

    @classmethod
    def of(cls, capsules: Capsules, rate_hz: float, start_s: float) -> Shown:
        """With a camera that stands, or goes along."""
        low, high = capsules.root.min(axis=0), capsules.root.max(axis=0)
        if float(np.max(high - low)) <= STAYS_M:
            target = np.broadcast_to(0.5 * (low + high), capsules.root.shape)
        else:
            target = gaussian_filter1d(capsules.root, SMOOTH_S * rate_hz, axis=0, mode="nearest")
        return cls(capsules, rate_hz, start_s, target)

    def row(self, time_s: float) -> int:
        """The moment that is shown at a time [s]; before the first and after the last one those stay."""
        return min(max(round((time_s - self.start_s) * self.rate_hz), 0), len(self.capsules) - 1)

    def drawn(self, camera: Camera, time_s: float) -> np.ndarray:
        """The picture of a time [s]."""
        row = self.row(time_s)
        return drawn(camera, self.capsules, row, self.target_m[row])


def of_take(take: Take) -> Shown:
    """The body of a Take, in its own time."""
    rate = (len(take.time_s) - 1) / float(take.time_s[-1] - take.time_s[0])
    return Shown.of(Capsules.of(take.body, *take.segment_poses), rate, float(take.time_s[0]))


def of_reading(reading: Reading) -> Shown:
    """The body that pressure was read on, in the time of the pressure."""
    figure = reading.motion.figure
    poses = segment_poses(reading.body, figure.root, figure.turn, figure.joints)
    return Shown.of(Capsules.of(reading.body, *poses), MOTION_HZ, reading.pressure.start_s)
