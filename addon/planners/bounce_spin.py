# SPDX-License-Identifier: GPL-3.0-or-later
"""Angular momentum about the centre of mass: none of it should be taken along into a flight, where nothing can stop it."""

from __future__ import annotations

import math

import numpy as np

from ..shot import EARTH_GRAVITY_M_S2
from .bounce_schedule import BounceClock
from .bounce_settings import BounceSettings


class SpinPlan:
    """How fast the angular momentum should go on the ground: ever more so towards take-off."""

    def __init__(self, settings: BounceSettings, clock: BounceClock, gravity: float) -> None:
        self._clock, scale = clock, math.sqrt(gravity / EARTH_GRAVITY_M_S2)
        self._least, self._most = (rate * scale for rate in settings.spin_rates)
        self._none = np.zeros(3)

    @property
    def wanted(self) -> np.ndarray | None:
        """Angular momentum (3,) that is sought [kg m^2/s]; None in flight, where it stays as it is."""
        return self._none if self._clock.grounded else None

    @property
    def rate(self) -> float:
        """How fast [1/s]."""
        left = self._clock.ground_left_s
        return min(max(1.0 / max(left, 1e-6), self._least), self._most)
