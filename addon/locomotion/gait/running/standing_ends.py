# SPDX-License-Identifier: GPL-3.0-or-later
"""A run that starts from standing and stops to standing: a walk at either end, and how the one becomes the other.

A person who stands walks a few steps before the first flight, and lands in a walk before standing still. So the ends are
`StandingEnds` of the walk; on its last foot's single support the run takes over, which then becomes faster by what one
running step can change, and the other way round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ....errors import InputError
from ....gaits.froude import GaitVariables, RunningVariables, froude_speed, predict
from ....specs.shot import EARTH_GRAVITY_M_S2
from ...legged.targets import Handover, Targets
from ..walk.footsteps import OTHER
from ..walk.pendulum import StandingShot, check_duration
from ..walk.standing_ends import StandingEnds, quicken
from .planner import RunningPlanner

MOST_STOPPING_G = 1.5
"""Gravity over Earth's up to which a run is stopped: beyond it the swinging leg is too slow to brake the body, which lands
15 % faster than a walk can take."""
SLOW_TOUCH_DOWNS = 4
"""Running steps in which a run that slows down comes down to the speed it is planned with: its feet lag behind its wish."""
MOMENT_S = 1e-6
"""Time in which the walk that takes over lifts its rear foot."""


@dataclass(frozen=True)
class RunEndSettings:
    """When walk and run change. What names no source is a first guess."""

    walked: int = 3  # Steps walked from standing before the first flight
    start_froude: float = 0.35  # Froude number of the walk that becomes a run: brisker than the walk's own, slower than any run
    walk_froude: float = 0.5  # Froude number of the walk that a run lands in: that of the slowest running steps
    walk_change: float = 0.15  # How much slower each following step is, over sqrt(g l), down to the walk's own speed
    # Rate at which the feet come from the walk's way to the run's, on Earth: the trailing foot has time [1/s]
    leap_rate: float = 14.0
    # The same from the run's to the walk's: a foot still 3 cm off its path when it lands would land too late [1/s]
    land_rate: float = 24.0
    # Froude number that a run slows down towards: somewhat below that of the walk it lands in, which is then reached in a few
    # running steps
    slow_froude: float = 0.42
    touch_down_speed: float = 1.08  # Largest speed at a touch-down that is walked on, over that walk's


class StandingRun:
    """A running planner from and to standing (see `targets.Planner`); either end may go on moving instead."""

    def __init__(
        self, run: RunningPlanner, ends: StandingEnds, shot: StandingShot, settings: RunEndSettings | None = None
    ) -> None:
        self.run, self.ends, self._shot = run, ends, shot
        self.settings = settings or RunEndSettings()
        self.footsteps = run.footsteps = ends.walk.footsteps = []
        self._runs, self._slowing, self._wish = not shot.start, False, run.wish
        self._fading: Handover | None = None
        if shot.stop and run.gravity > MOST_STOPPING_G * EARTH_GRAVITY_M_S2:
            raise InputError(f"Gaits with flight stop to standing up to {MOST_STOPPING_G:g} times Earth's gravity only, and "
                             f"this world has {run.gravity / EARTH_GRAVITY_M_S2:.2f}: let this gait end moving, or choose "
                             "a walk.")
        if shot.start:
            ends.change(self._walk_gait(run.gravity, self.settings.start_froude), run.gravity)
        check_duration(shot, self.least_s)

    @property
    def least_s(self) -> float:
        """Shortest time in which what stands at the ends can be done."""
        shot, ends = self._shot, self.ends
        return ends.least_s + shot.start * self._changing_s(1) + shot.stop * (
            self._changing_s(SLOW_TOUCH_DOWNS) + self._stopping_s - ends.stopping_s)

    def _changing_s(self, late: int) -> float:
        """Time in which the running steps come from their slowest to the speed wished for or back, and `late` more."""
        run, wish = self.run, self._wish
        change = run.settings.speed_change * math.sqrt(run.gravity * run.state.body.leg_length_m)
        count = math.ceil((wish.speed_m_s - run.slowest_m_s()) / change) + late
        return count / (len(run.clock.steps) * wish.stride_frequency_hz)

    @property
    def _walk_down(self) -> int:
        """Steps from the landing in a walk to the walk's own speed."""
        own, fast = (self._walk_gait(self.run.gravity, f) for f in (None, self.settings.walk_froude))
        change = self.settings.walk_change * math.sqrt(self.run.gravity * own.leg_length_m)
        return math.ceil((fast.speed_m_s - own.speed_m_s) / change) + 1

    @property
    def _stopping_s(self) -> float:
        """Time from the landing in a walk to the end of the shot."""
        return self.ends.stopping_s + self._walk_down * 0.5 / self._walk_gait(self.run.gravity).stride_frequency_hz

    def halts(self) -> bool:
        """Whether it slows down to stand."""
        return self._slowing

    @property
    def settled(self) -> bool:
        """Whether it runs as fast as wished for."""
        return self._runs and not self._slowing and self.run.settled

    @property
    def stands(self) -> bool:
        """Whether the shot starts standing."""
        return self._shot.start

    @property
    def runs(self) -> bool:
        """Whether it runs, not to slow down for its end."""
        return self._runs and not self._slowing

    @property
    def runs_until_s(self) -> float:
        """When the run begins to slow down at the latest [s]: the shot's end where it goes on."""
        if not self._shot.stop:
            return self._shot.duration_s
        return self._shot.duration_s - self._stopping_s - self._changing_s(SLOW_TOUCH_DOWNS)

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        return self.run.start() if self._runs else self.ends.start()

    def due(self, loaded: dict[str, bool]) -> bool:
        return (self.run if self._runs else self.ends).due(loaded)

    def change(self, gait: RunningVariables, gravity_m_s2: float) -> None:
        self._wish = gait
        self.run.change(gait, gravity_m_s2)
        if self._slowing:
            self._slow_down()
        froude = None if self._slowing else self.settings.start_froude
        self.ends.change(self._walk_gait(gravity_m_s2, froude), gravity_m_s2)

    def _walk_gait(self, gravity_m_s2: float, froude: float | None = None) -> GaitVariables:
        """The walk's own gait variables, or those at a Froude number."""
        walk = self.ends.walk
        leg = walk.state.body.leg_length_m
        speed = None if froude is None else froude_speed(froude, gravity_m_s2, leg)
        return predict(walk.tables.cycle, leg, gravity_m_s2, speed)

    def update(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        if self._runs:
            targets = self._run_on(time_s, dt, loaded)
        elif self._walked():
            targets = self._leap(time_s)
        else:
            targets = self._walk_on(time_s, dt, loaded)
        if self._fading is None:
            return targets
        if self._fading.over(time_s):
            self._fading = None
            return targets
        return self._fading.applied(targets)

    def _walked(self) -> bool:
        """Whether the walk from standing has come to where the running steps begin: on one foot, the other just lifted."""
        walk = self.ends.walk
        lifted = walk.feet[OTHER[walk.rhythm.stance]]
        return (not self._slowing and len(self.footsteps) >= self.settings.walked and lifted.swinging and not lifted.landed)

    def _leap(self, time_s: float) -> Targets:
        """The running steps take over from the walk."""
        run, walk = self.run, self.ends.walk
        speed = float((complex(*run.state.com_velocity[:2]) / run.frame.direction).real)
        run.take_over(speed)
        run.step_in({side: walk.feet[side].step for side in ("L", "R")}, walk.rhythm.stance)
        self._runs = True
        targets = run.update(time_s, 0.0, {"L": True, "R": True})
        self._fading = Handover(run.state, targets, walk.time_scale, self.settings.leap_rate)
        return targets

    def _walk_on(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        """Walk; after a run each step is slower than the one before, until the walk has its own speed."""
        walk, count = self.ends.walk, len(self.footsteps)
        targets = self.ends.update(time_s, dt, loaded)
        if self._slowing and len(self.footsteps) > count:
            own = self._walk_gait(walk.gravity)
            root = math.sqrt(walk.gravity * own.leg_length_m)
            slower = walk.gait.speed_m_s - self.settings.walk_change * root
            if slower > own.speed_m_s:
                own = self._walk_gait(walk.gravity, (slower / root) ** 2)
            if walk.gait != own:
                walk.change(own, walk.gravity)
        return targets

    def _run_on(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        run = self.run
        left_s = self._shot.duration_s - time_s
        if self._shot.stop and not self._slowing and self._must_slow_down(left_s):
            self._slowing = True
            self._slow_down()
        count = len(self.footsteps)
        targets = run.update(time_s, dt, loaded)
        if self._slowing and len(self.footsteps) > count:
            speed = float((complex(*run.state.com_velocity[:2]) / run.frame.direction).real)
            walk = self._walk_gait(run.gravity, self.settings.walk_froude)
            if speed < self.settings.touch_down_speed * walk.speed_m_s or left_s < self._stopping_s:
                return self._land(time_s, walk)
        return targets

    def _slow_down(self) -> None:
        run = self.run
        run.brakes, speed = True, froude_speed(self.settings.slow_froude, run.gravity, run.state.body.leg_length_m)
        run.change(run.gait_at(min(speed, self._wish.speed_m_s)), run.gravity)

    def _must_slow_down(self, left_s: float) -> bool:
        """Whether the time left [s], or the path, asks for slower running steps from now on."""
        changing_s, frame = self._changing_s(SLOW_TOUCH_DOWNS), self.run.frame
        slowest = self.run.slowest_m_s()
        steps_m = 0.5 * self._walk_gait(self.run.gravity).stride_length_m * (self._walk_down + len(self.ends.settings.last))
        needed_m = 0.5 * (self._wish.speed_m_s + slowest) * changing_s + steps_m
        return left_s < self._stopping_s + changing_s or frame.path.length - frame.arc_length < needed_m

    def _land(self, time_s: float, gait: GaitVariables) -> Targets:
        """The walk takes over from the running steps on the foot that has just come down."""
        run, ends = self.run, self.ends
        walk, side = ends.walk, self.footsteps[-1][1].side
        walk.change(gait, run.gravity)
        quicken(walk)
        ends.walk_on({s: run.feet[s].step for s in ("L", "R")}, side)
        self._runs = False
        targets = ends.update(time_s, MOMENT_S, {"L": True, "R": True})
        self._fading = Handover(run.state, targets, walk.time_scale, self.settings.land_rate)
        return targets
