# SPDX-License-Identifier: GPL-3.0-or-later
"""A planner that is told at every strike how fast, and with which steps, its path lets it go on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....bodies.state import BodyState
from ....gaits.bends import Pacing
from ....gaits.froude import GaitVariables
from ....worlds.paths import Path
from .foot_path import Footstep
from .planner import Planner
from .targets import Targets


class PacedPlanner:
    """Another planner (see `planner.Planner`) on a path with tight bends. Once it `halts()`, its last steps, which are planned
    together, stay as they are."""

    def __init__(self, planner: Planner, state: BodyState, path: Path, pacing: Pacing, wish: GaitVariables, gravity_m_s2: float,
                 halts: Callable[[], bool]) -> None:
        self.planner, self._state, self._path, self._pacing, self._halts = planner, state, path, pacing, halts
        self._wish, self._gravity, self._s = wish, gravity_m_s2, 0.0
        self._gait = pacing.gait(wish, 0.0, gravity_m_s2)
        self._time_s = self._way_m = 0.0

    @property
    def mean_speed_m_s(self) -> float:
        """Mean of the speeds that were asked for so far."""
        return self._way_m / self._time_s if self._time_s else self._gait.speed_m_s

    @property
    def footsteps(self) -> list[tuple[float, Footstep]]:
        """See `Planner`."""
        return self.planner.footsteps

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """See `Planner.start`."""
        return self.planner.start()

    def due(self, loaded: dict[str, bool]) -> bool:
        """See `Planner.due`."""
        return self.planner.due(loaded)

    def change(self, gait: Any, gravity_m_s2: float) -> None:
        """See `Planner.change`: what is wished for on a straight."""
        self._wish, self._gravity = gait, gravity_m_s2
        self._gait = self._pacing.gait(gait, self._s, gravity_m_s2)
        self.planner.change(self._gait, gravity_m_s2)

    def update(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        """See `Planner.update`."""
        count = len(self.footsteps)
        self._time_s, self._way_m = self._time_s + dt, self._way_m + dt * self._gait.speed_m_s
        targets = self.planner.update(time_s, dt, loaded)
        self._s = self._path.locate(complex(*self._state.com[:2]), self._s)
        if len(self.footsteps) > count and not self._halts():
            gait = self._pacing.gait(self._wish, self._path.locate(self.footsteps[-1][1].place, self._s), self._gravity)
            if gait != self._gait:
                self._gait = gait
                self.planner.change(gait, self._gravity)
        return targets
