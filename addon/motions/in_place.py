# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks and runs in place, as libraries of game animations ship them: the hips stay where they are, and whichever foot carries
slides back evenly, as on a treadmill. The way that was taken out is put back, so that the feet stand and the figure goes."""

from __future__ import annotations

import numpy as np

STAYS_LEGS_S, STAYS_LEGS = 0.1, 0.6
"""Hips that go no faster than this on average, and never farther from their middle, stay in place; who walks slowly goes 0.5 legs
a second."""
SLOWEST_LEGS_S = 0.25
"""Feet that slide more slowly than this may be a fault of the capture: they are what they are."""
LOW_LEGS = 0.03
"""A ball so near to its lowest carries, in the middle of a stance; it lies flat there."""
EVEN, EVEN_SHARE = 0.3, 0.7
"""So much of the median a sliding foot's velocity may differ from it, in this share of the frames in which it carries; in 14
walks and runs of which the way was taken out it is 0.79 or more, in 35 clips as they were captured 0.15 or less."""

PLANTED = 0.8
"""Of the speeds at which feet slide back, the quantile at which they are planted: a foot that still lands or rolls off already
goes ahead of the ground. The ways of 13 clips come back within 2 % so."""


def travel_taken_out(hips: np.ndarray, balls: np.ndarray, frame_time_s: float, leg_m: float) -> np.ndarray | None:
    """The velocity (2,) [m/s] at which a figure would go whose hips (T, 3) stay in place while the balls of its feet (T, 2, 3)
    slide; None where the hips go, the feet stand, or they slide unevenly. Places in metres, z up."""
    duration = (len(hips) - 1) * frame_time_s
    away = np.linalg.norm(hips[:, :2] - hips[:, :2].mean(axis=0), axis=1).max()
    if np.linalg.norm(hips[-1, :2] - hips[0, :2]) > STAYS_LEGS_S * leg_m * duration or away > STAYS_LEGS * leg_m:
        return None
    velocity = np.gradient(balls, frame_time_s, axis=0)[..., :2]
    height = balls[..., 2] - np.quantile(balls[..., 2], 0.05, axis=0)
    carries = (height < LOW_LEGS * leg_m) & (balls[..., 2] <= balls[..., 2].min(axis=1, keepdims=True) + LOW_LEGS * leg_m)
    slides = [velocity[carries[:, foot], foot] for foot in range(2)]
    if any(len(one) < 3 for one in slides):
        return None
    middle = np.median(np.concatenate(slides), axis=0)
    speed = float(np.linalg.norm(middle))
    even = [np.mean(np.linalg.norm(one - middle, axis=1) < EVEN * speed) for one in slides]
    if speed < SLOWEST_LEGS_S * leg_m or min(even) < EVEN_SHARE:
        return None
    back = middle / speed
    return -back * float(np.quantile(np.concatenate(slides) @ back, PLANTED))
