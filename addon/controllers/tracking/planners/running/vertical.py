# SPDX-License-Identifier: GPL-3.0-or-later
"""The vertical motion of a running step: a quintic on the ground from the measured state to take-off, a parabola in the air."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

INSTANTS = np.linspace(0.08, 0.92, 12)
"""Fractions of a plan's time at which its accelerations are looked at."""


class Motion(NamedTuple):
    """Height [m], velocity [m/s], acceleration [m/s^2] and jerk [m/s^3]."""

    height: float
    velocity: float
    acceleration: float
    jerk: float


class Quintic:
    """Height over time with given height, velocity and acceleration at both ends of `duration_s`."""

    def __init__(self, start: tuple[float, float, float], end: tuple[float, float, float], duration_s: float) -> None:
        t, (z0, v0, a0), (z1, v1, a1) = duration_s, start, end
        self.duration_s = t
        gap, rate, second = z1 - z0 - v0 * t - 0.5 * a0 * t * t, (v1 - v0 - a0 * t) * t, (a1 - a0) * t * t
        self._c = (z0, v0, 0.5 * a0, (10.0 * gap - 4.0 * rate + 0.5 * second) / t**3,
                   (-15.0 * gap + 7.0 * rate - second) / t**4, (6.0 * gap - 3.0 * rate + 0.5 * second) / t**5)

    def at(self, time_s: Any) -> Motion:
        """The motion `time_s` after the start, numbers or arrays of its shape."""
        t = time_s
        a, b, c, d, e, f = self._c
        return Motion(a + t * (b + t * (c + t * (d + t * (e + t * f)))),
                      b + t * (2 * c + t * (3 * d + t * (4 * e + t * 5 * f))),
                      2 * c + t * (6 * d + t * (12 * e + t * 20 * f)), 6 * d + t * (24 * e + t * 60 * f))

    def range(self) -> tuple[float, float]:
        """Least and greatest acceleration of some instants on the way [m/s^2]."""
        accelerations = self.at(INSTANTS * self.duration_s).acceleration
        return float(np.min(accelerations)), float(np.max(accelerations))

    def sampled(self, times_s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Heights and accelerations (n,) at times (n,)."""
        motion = self.at(times_s)
        return np.asarray(motion.height), np.asarray(motion.acceleration)


def ground_phase(
    touch_down_m: float, take_off_m: float, speeds: tuple[float, float], ground_s: float, gravity: float
) -> Quintic:
    """A ground phase that begins and ends without force, from the downward to the upward one of `speeds` [m/s]."""
    return Quintic((touch_down_m, -speeds[0], -gravity), (take_off_m, speeds[1], -gravity), ground_s)


def take_off_speed(rise_m: float, flight_s: float, gravity: float) -> float:
    """Upward velocity [m/s] of a flight of `flight_s` that ends `rise_m` higher than it begins: v = g t / 2 + h / t."""
    return 0.5 * gravity * flight_s + rise_m / flight_s


def fall_time(height_m: float, velocity_m_s: float, gravity: float) -> float:
    """Time [s] until a body in flight, `height_m` above a level, is down at it; 0 when it is below and falls."""
    square = velocity_m_s**2 + 2.0 * gravity * height_m
    if square <= 0.0:
        return max(velocity_m_s, 0.0) / gravity
    return max((velocity_m_s + math.sqrt(square)) / gravity, 0.0)
