# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast an error of the centre of mass grows in a clip with flights, where the force on the ground is far from steady.

Over a pressure p the error obeys c'' = w(t)^2 (c - p), w^2 = (g + z'') / z, zero in the air. It dies out where c' = -k (c - p)
with k' = k^2 - w^2 (the time-varying divergent component of motion of Hopkins, Hong and Leonessa 2014): the capture point is
c + c' / k, its error grows at w^2 / k. With a steady force k = w. Before a landing 1 / k is the time that is left in the air and
what the landing is worth: hard landings turn a body much faster than it falls over afterwards.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline


class Divergence(NamedTuple):
    """At times (N,) [clip s] from 0 on: `lead_s` is 1 / k [clip s], `growth` the integral of w^2 / k since the first."""

    times: np.ndarray
    lead_s: np.ndarray
    growth: np.ndarray

    def lead(self, time_s: float) -> float:
        """1 / k at a time."""
        return float(np.interp(time_s, self.times, self.lead_s))

    def grown(self, start_s: float, end_s: float) -> float:
        """By the exponential of how much an error grows from one time to another."""
        return float(np.interp(end_s, self.times, self.growth) - np.interp(start_s, self.times, self.growth))


def divergence(times: np.ndarray, height: CubicSpline, flying: np.ndarray, gravity: float, omega: float) -> Divergence:
    """Of a height [m] over times (N,) [clip s] under a gravity in that time, in which the body is `flying` (N,) bool; behind the
    clip's end the force is steady, at a pendulum's rate `omega`."""
    square = np.where(flying, 0.0, np.maximum(gravity + height(times, 2), 0.0)) / height(times)
    step, rate = float(times[1] - times[0]), np.empty(len(times))
    rate[-1] = omega
    for i in range(len(times) - 2, -1, -1):
        k, mean = rate[i + 1], 0.5 * (square[i] + square[i + 1])
        w = math.sqrt(mean)
        if w * step < 1e-6:
            rate[i] = k / (1.0 + k * step)
        else:
            turned = math.tanh(w * step)
            rate[i] = w * (k + w * turned) / (w + k * turned)
    speed = square / rate
    growth = np.concatenate([[0.0], np.cumsum(0.5 * step * (speed[1:] + speed[:-1]))])
    return Divergence(times, 1.0 / rate, growth)
