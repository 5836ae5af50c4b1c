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
    """Planned COM height over the phase. While a foot stands the acceleration stays within a share of gravity.

    With `upright` from 0 to 1 it goes over from the cycle's rise and fall to `stand_raise_m` over their mean.
    """

    def __init__(self, tables: GaitTables, rhythm: Rhythm, gravity_m_s2: float, settings: WalkSettings) -> None:
        self._tables, self._rhythm, self._settings = tables, rhythm, settings
        self._series = tables.table.part(slice(0, 1))
        self._largest_bend = np.abs(tables.table.bend(np.linspace(0.0, 1.0, 480, endpoint=False))[:, 0]).max()
        self.under(gravity_m_s2)
        self.upright = self.stand_raise_m = 0.0
        self._raise = settings.height_raise * tables.body.leg_length_m - self._sink(settings.bounce)
        self.drop_m = self.drop_rate = 0.0

    def under(self, gravity_m_s2: float) -> None:
        """Take over a gravity and the rhythm's present frequency."""
        self._time_scale = math.sqrt(gravity_m_s2 / EARTH_GRAVITY_M_S2)
        largest = self._largest_bend * self._rhythm.frequency**2
        self._scale = min(self._settings.bounce, self._settings.height_bend * gravity_m_s2 / max(largest, 1e-9))

    def _sink(self, bounce: float) -> float:
        """How much lower [m] the mean height is where the rise and fall are scaled: the legs' length bounds the height where
        the COM is highest and, with the feet apart, where it is lowest; neither may come higher than in the cycle."""
        away = self._tables.table.value(np.linspace(0.0, 1.0, 480, endpoint=False))[:, 0] - self._tables.com_height_mean_m
        return max((bounce - 1.0) * float(away.max()), (bounce - 1.0) * float(away.min()))

    def undropped(self, row: np.ndarray) -> Any:
        """Heights (...,) [m] for tables' rows (..., C), before the legs' reach is asked. A hurried step bounces less."""
        mean = self._tables.com_height_mean_m + self._raise + self.upright * self.stand_raise_m
        return mean + (1.0 - self.upright) * self._scale / self._rhythm.hurry**2 * (row[..., 0] - self._tables.com_height_mean_m)

    def now(self) -> tuple[float, float, float]:
        """Height [m], velocity [m/s], acceleration [m/s^2] at the rhythm's phase."""
        rate = self._rhythm.rate
        share = (1.0 - self.upright) * self._scale / self._rhythm.hurry**2
        value, slope, bend = self._series.motion(self._rhythm.phase)
        return (float(self.undropped(value)) - self.drop_m, share * rate * float(slope[0]) - self.drop_rate,
                share * rate**2 * float(bend[0]))

    def follow(self, needed_drop_m: float, dt: float) -> None:
        """Move towards the drop that the legs' reach needs: quickly down, slowly up again."""
        rate = self._settings.drop_rate if needed_drop_m > self.drop_m else self._settings.rise_rate
        self.drop_rate = rate * self._time_scale * (needed_drop_m - self.drop_m)
        self.drop_m += dt * self.drop_rate
