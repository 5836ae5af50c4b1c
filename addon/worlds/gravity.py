# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity's way through a shot."""

from __future__ import annotations

import numpy as np

from ..specs.shot import World


def gravity_at(world: World, time_s: float) -> float:
    """Gravity [m/s^2] of a world at a time of the shot."""
    times, gravities = zip((0.0, world.gravity_m_s2), *world.gravity_ramp, strict=True)
    return float(np.interp(time_s, times, gravities))
