# SPDX-License-Identifier: GPL-3.0-or-later
"""Which planner serves a gait: one with an instant in the air runs, any other walks.

A planner that is told at every strike how fast, and with which steps, its path lets it go on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ...bodies.state import BodyState
from ...errors import InputError
from ...gaits.froude import GaitVariables, RunningVariables, predict, predict_running
from ...gaits.path_speeds import Pacing, Way
from ...motions.cycle import ContactPhases, Cycle
from ...specs.shot import EARTH_GRAVITY_M_S2
from ...worlds.paths import Path
from ..legged.foot_geometry import Footstep
from ..legged.pose import FootPhases, GaitTables
from ..legged.targets import Planner, Targets
from .running.contact_schedule import RunningSettings, contact_schedule
from .running.planner import RunningPlanner
from .running.standing_ends import MOST_STOPPING_G, StandingRun
from .walk.footsteps import WalkControls
from .walk.pendulum import StandingShot
from .walk.planner import WalkPlanner
from .walk.standing_ends import StandingEnds


class PacedPlanner:
    """Another planner (see `targets.Planner`) on a path with tight bends. Once it `halts()`, its last steps, which are planned
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
        return self.planner.footsteps

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        return self.planner.start()

    def due(self, loaded: dict[str, bool]) -> bool:
        return self.planner.due(loaded)

    def change(self, gait: Any, gravity_m_s2: float) -> None:
        """See `Planner.change`: what is wished for on a straight."""
        self._wish, self._gravity = gait, gravity_m_s2
        self._gait = self._pacing.gait(gait, self._s, gravity_m_s2)
        self.planner.change(self._gait, gravity_m_s2)

    def update(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
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


def has_flight(cycle: Cycle) -> bool:
    """Whether a cycle has an instant with no foot down."""
    return bool(contact_schedule(_phases(cycle)))


def running_variables(
    cycle: Cycle, leg_length_m: float, gravity_m_s2: float, speed_m_s: float | None = None,
    stride_frequency_hz: float | None = None, flight_height: float = 1.0,
) -> RunningVariables:
    """Gait variables of a cycle with flight (see `gaits.froude.predict_running`)."""
    share = sum(b.ground for b in contact_schedule(_phases(cycle)))
    return predict_running(cycle, share, leg_length_m, gravity_m_s2, speed_m_s, stride_frequency_hz, flight_height)


def feet_down(cycle: Cycle) -> float:
    """How many feet of a cycle with flight are down in the mean, while any is: one in a run, two in a hop."""
    return 2.0 * cycle.duty_factor / sum(b.ground for b in contact_schedule(_phases(cycle)))


@dataclass(frozen=True)
class GaitControls(WalkControls):
    """How any gait is planned: one with flight by a planner of its own, which starts and stops by a walk."""

    running: RunningSettings = RunningSettings()


def make_planner(state: BodyState, tables: GaitTables, gait: GaitVariables, gravity_m_s2: float, way: Way,
                 controls: GaitControls, ends: StandingShot | None = None) -> Planner:
    """The planner for a gait: `RunningPlanner` for a cycle with flight, for which `gait` must be its `running_variables`.
    `ends` tells which ends of the shot stand; an InputError says so for gaits that cannot."""
    pacing, path = way.pacing, way.path
    planner: Planner
    if isinstance(gait, RunningVariables):
        first = cast(RunningVariables, way.first(gait, gravity_m_s2))
        planner = bouncer = RunningPlanner(state, tables, first, gravity_m_s2, controls.running, path, controls.variation)
        halts = _never
        if ends is not None:
            if ends.walk_tables is None or any(len(b.contacts) > 1 for b in bouncer.clock.steps):
                raise InputError("Skipping and hopping neither start from standing nor stop to it. Let this gait begin and end "
                                 "moving, or choose a walk, a run or a lope.")
            walked = predict(ends.walk_tables.cycle, state.body.leg_length_m, gravity_m_s2)
            walker = WalkPlanner(state, ends.walk_tables, walked, gravity_m_s2, Way(path), controls)
            planner = stopping = StandingRun(bouncer, StandingEnds(walker, ends, alone=False), ends)
            halts = stopping.halts
    else:
        planner = walker = WalkPlanner(state, tables, gait, gravity_m_s2, way, controls)
        halts = walker.pace.coming_to_rest
        if ends is not None:
            planner = StandingEnds(walker, ends)
    return planner if pacing is None else PacedPlanner(planner, state, path, pacing, gait, gravity_m_s2, halts)


def stops_standing(cycle: Cycle, gravity_m_s2: float) -> bool:
    """Whether a cycle can come to stand under a gravity: skips and hops cannot, and no flight does where all is heavy."""
    steps = contact_schedule(_phases(cycle))
    return not steps or (all(len(step.contacts) == 1 for step in steps) and gravity_m_s2 <= MOST_STOPPING_G * EARTH_GRAVITY_M_S2)


def _never() -> bool:
    return False


def _phases(cycle: Cycle) -> dict[str, FootPhases]:
    return {side: _since(p) for side, p in cycle.contact_phases.items()}


def _since(p: ContactPhases) -> FootPhases:
    flat, heel_off, toe_off = p.since_strike().tolist()
    return FootPhases(p.strike % 1.0, flat, heel_off, toe_off)
