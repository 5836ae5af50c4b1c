# SPDX-License-Identifier: GPL-3.0-or-later
"""The flights of a take: how long, and whether they obey gravity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..bodies.pose_momentum import specific_angular_momentum
from ..take import Take
from .feet import runs
from .strides import end_of_walking_s, whole_strides
from .weight import gravity_m_s2

LEAST_SAMPLES = 3
"""Moments without load shorter than this are chatter of the contact, not flights."""
BESIDE_CONTACT = 2
"""So many samples after the last force and before the first a difference of poses still reaches into the contact."""


@dataclass(frozen=True)
class Flight:
    """From take-off to landing: when, the centre of mass's vertical velocity at both [m/s], and gravity [m/s^2]."""

    start_s: float
    end_s: float
    off_m_s: float
    landing_m_s: float
    gravity_m_s2: float

    @property
    def duration_s(self) -> float:
        """Time in the air."""
        return self.end_s - self.start_s

    @property
    def over_ballistic(self) -> float:
        """Flight time over 2 v / g, with v half of what the vertical velocity loses: the mean of take-off and landing speed.

        A body on which nothing but gravity acts has exactly 1, also where it lands higher or lower than it took off.
        """
        return self.duration_s * self.gravity_m_s2 / (self.off_m_s - self.landing_m_s)


def flights(take: Take) -> list[Flight]:
    """Flights over the whole strides, in order of time, of a take that follows a clip all of them; a foot is loaded above 2 % of
    the weight."""
    strides = whole_strides(take)
    if strides is None and take.shot.follow is None:
        return []
    gravity = gravity_m_s2(take)
    inside = take.time_s <= end_of_walking_s(take)
    if strides is not None:
        inside &= strides.rows(take.time_s)
    found = []
    for start, end in runs(~take.contact.any(axis=1)):
        if end - start >= LEAST_SAMPLES and start > 0 and inside[start] and inside[end - 1]:
            before, last = start - 1, end - 1  # a sample's force stands for the interval that ends there
            off, landing = take.com_velocity_m_s[[before, last], 2].tolist()
            if off > landing:
                found.append(Flight(float(take.time_s[before]), float(take.time_s[last]), off, landing,
                                    float(np.mean(gravity[before:last + 1]))))
    return found


def momentum_change(take: Take, flight: Flight) -> tuple[float, float] | None:
    """By how much a flight changes what nothing may change in the air: the momentum less what gravity gives, over that at the
    take-off, and the angular momentum about the centre of mass, over the largest that the body has in the take. None for a
    flight of so few samples without any force that nothing can be told."""
    rows = np.flatnonzero((take.time_s >= flight.start_s) & (take.time_s <= flight.end_s) & (take.grf_n == 0.0).all(axis=(1, 2)))
    rows = rows[BESIDE_CONTACT:-BESIDE_CONTACT]
    if len(rows) < LEAST_SAMPLES:
        return None
    first, last = int(rows[0]), int(rows[-1])
    off, landing = take.com_velocity_m_s[first], take.com_velocity_m_s[last]
    lasted = take.time_s[last] - take.time_s[first]
    change = landing - off + np.array([0.0, 0.0, flight.gravity_m_s2 * lasted])
    momentum = specific_angular_momentum(take.body, *take.segment_poses, float(np.median(np.diff(take.time_s))))
    most = np.linalg.norm(momentum, axis=1).max()
    return (float(np.linalg.norm(change) / np.linalg.norm(off)),
            float(np.linalg.norm(momentum[last] - momentum[first]) / most))
