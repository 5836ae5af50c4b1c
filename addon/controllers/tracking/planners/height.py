# SPDX-License-Identifier: GPL-3.0-or-later
"""Height of the centre of mass: the cycle's, bounded by gravity, lowered while a leg would be too short."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....specs.shot import EARTH_GRAVITY_M_S2
from .gait_tables import GaitTables
from .rhythm import Rhythm
from .settings import WalkSettings


class HeightPlan:
    """Planned COM height over the phase. While a foot stands the acceleration stays within a fraction of gravity.

    With `upright` from 0 to 1 it goes over from the cycle's rise and fall to `stand_raise_m` over their mean.
    """

    def __init__(self, tables: GaitTables, rhythm: Rhythm, gravity_m_s2: float, settings: WalkSettings) -> None:
        self._tables, self._rhythm, self._settings = tables, rhythm, settings
        self._series = tables.table.part(slice(0, 1))
        self._largest_acceleration = np.abs(tables.table.second(np.linspace(0.0, 1.0, 480, endpoint=False))[:, 0]).max()
        self.under(gravity_m_s2)
        self.upright = self.stand_raise_m = 0.0
        self._raise = settings.height_raise * tables.body.leg_length_m - self._sink(settings.height_amplitude) - settings.crouch_m
        self.reduction_m = self.reduction_rate = 0.0

    def under(self, gravity_m_s2: float) -> None:
        """Take over a gravity and the rhythm's present frequency."""
        self._time_scale = math.sqrt(gravity_m_s2 / EARTH_GRAVITY_M_S2)
        largest = self._largest_acceleration * self._rhythm.frequency**2
        limit = self._settings.height_acceleration * gravity_m_s2 / max(largest, 1e-9)
        self._scale = min(self._settings.height_amplitude, limit)

    def _sink(self, height_amplitude: float) -> float:
        """How much lower [m] the mean height is where the rise and fall are scaled: the legs' length bounds the height where
        the COM is highest and, with the feet apart, where it is lowest; neither may come higher than in the cycle."""
        away = self._tables.table.value(np.linspace(0.0, 1.0, 480, endpoint=False))[:, 0] - self._tables.com_height_mean_m
        return max((height_amplitude - 1.0) * float(away.max()), (height_amplitude - 1.0) * float(away.min()))

    def unreduced(self, row: np.ndarray) -> Any:
        """Heights (...,) [m] for tables' rows (..., C), before the legs' reach is asked. A quicker step rises and falls
        less."""
        mean = self._tables.com_height_mean_m + self._raise + self.upright * self.stand_raise_m
        scale = (1.0 - self.upright) * self._scale / self._rhythm.rate_factor**2
        return mean + scale * (row[..., 0] - self._tables.com_height_mean_m)

    def now(self) -> tuple[float, float, float]:
        """Height [m], velocity [m/s], acceleration [m/s^2] at the rhythm's phase."""
        rate = self._rhythm.rate
        share = (1.0 - self.upright) * self._scale / self._rhythm.rate_factor**2
        value, slope, second = self._series.motion(self._rhythm.phase)
        return (float(self.unreduced(value)) - self.reduction_m, share * rate * float(slope[0]) - self.reduction_rate,
                share * rate**2 * float(second[0]))

    def follow(self, needed_reduction_m: float, dt: float) -> None:
        """Move towards the reduction of height that the legs' reach needs: quickly down, slowly up again."""
        settings = self._settings
        rate = settings.height_reduction_rate if needed_reduction_m > self.reduction_m else settings.rise_rate
        self.reduction_rate = rate * self._time_scale * (needed_reduction_m - self.reduction_m)
        self.reduction_m += dt * self.reduction_rate
