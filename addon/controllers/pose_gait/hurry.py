# SPDX-License-Identifier: GPL-3.0-or-later
"""By how much quicker a swing passes when the body is carried off: a foot that comes down by the clock comes too late then."""

from __future__ import annotations

import cmath
import math

import numpy as np

from .settings import PoseGaitSettings
from .strength import Scale


def hurry(settings: PoseGaitSettings, qvel: np.ndarray, heading: float, wished: complex, scale: Scale) -> float:
    """The fraction by which time passes quicker in states that last some time. `wished` [m/s] is the speed ahead + i left; slower
    than that is no reason to hurry, but for the side."""
    going = complex(qvel[0], qvel[1]) * cmath.rect(1.0, -heading)
    off = math.hypot(max(abs(going.real) - abs(wished.real), 0.0), going.imag - wished.imag) / scale.speed
    return settings.hurry * max(off - settings.hurry_m_s, 0.0)
