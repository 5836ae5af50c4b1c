# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity and weight over the time of a take."""

from __future__ import annotations

import numpy as np

from ..take import Take


def gravity_m_s2(take: Take) -> np.ndarray:
    """Gravity (T,) [m/s^2] at each sample: the world's, or its ramp's."""
    world = take.shot.world
    times, values = zip((0.0, world.gravity_m_s2), *world.gravity_ramp, strict=True)
    return np.interp(take.time_s, times, values)


def weight_n(take: Take) -> np.ndarray:
    """Weight (T,) [N] of body and suit at each sample."""
    return take.body.mass_kg * gravity_m_s2(take)
