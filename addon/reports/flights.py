# SPDX-License-Identifier: GPL-3.0-or-later
"""The flights of a take: how long, and whether they obey gravity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..take import Take
from .feet import runs
from .strides import end_of_walking_s, whole_strides
from .weight import gravity_m_s2

LEAST_SAMPLES = 3
"""Moments without load shorter than this are chatter of the contact, not flights."""


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
