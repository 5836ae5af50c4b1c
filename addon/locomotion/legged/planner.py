# SPDX-License-Identifier: GPL-3.0-or-later
"""What a planner is to the simulation, whatever its gait."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from .foot_geometry import Footstep
from .targets import Targets

FIRST_LOADED = {"L": True, "R": False}
"""Which feet carry weight when the first plan is made: every gait begins on or before its left foot."""


class Planner(Protocol):
    """From the measured state to what the tracker should do. `footsteps` lists (time [s], Footstep) of the feet that struck."""

    @property
    def footsteps(self) -> list[tuple[float, Footstep]]: ...

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (nq,) and velocities (nv,) of a body that is already moving as planned."""

    def update(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        """Plan from the state measured now. `loaded` tells which feet carry weight; `dt` [s] is the time since the last
        call, 0 for the first."""

    def change(self, gait: Any, gravity_m_s2: float) -> None:
        """Take over gait variables, of the planner's own kind, and gravity that have changed on the way."""

    def due(self, loaded: dict[str, bool]) -> bool:
        """Whether the plan should be made anew at once: a foot has come down that it waits for."""
