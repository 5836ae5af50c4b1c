# SPDX-License-Identifier: GPL-3.0-or-later
"""A run that starts from standing and stops to standing: a walk at either end, and how the one becomes the other.

A person who stands walks a few steps before the first flight, and lands in a walk before standing still. So the ends are
`StandingEnds` of the walk; on its last foot's single support the bounces take over, which then become faster by what one
bounce can change, and the other way round.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .....errors import InputError
from .....gaits.froude import GaitVariables, froude_speed, predict
from .....gaits.running_variables import BounceVariables
from .....specs.settings import FIRST_GUESS, Checked, setting
from .....specs.shot import EARTH_GRAVITY_M_S2
from ..handover import Handover
from ..rhythm import OTHER
from ..standing_ends import StandingEnds, StandingShot, check_duration
from ..targets import Targets
from .planner import BouncePlanner

MOST_STOPPING_G = 1.5
"""Gravity over Earth's up to which a run is stopped: beyond it the swinging leg is too slow to brake the body, which lands
15 % faster than a walk can take."""
SLOW_LANDINGS = 4
"""Bounces in which a run that slows down comes down to the speed it is planned with: its feet lag behind its wish."""
MOMENT_S = 1e-6
"""Time in which the walk that takes over lifts its rear foot."""


@dataclass(frozen=True)
class RunEndSettings(Checked):
    """When walk and run change."""

    WHOSE, FIELD, SOURCE = "A run's standing end's", "setting of a run's standing ends", FIRST_GUESS
    walked: int = setting(3, 1, 20, help="Steps walked from standing before the first flight")
    start_froude: float = setting(0.35, 0.01, 2.0, help="Froude number of the walk that becomes a run: brisker than the walk's "
                                  "own, slower than any run")
    walk_froude: float = setting(0.5, 0.01, 2.0, help="Froude number of the walk that a run lands in: that of the slowest "
                                 "bounces")
    walk_change: float = setting(0.15, 0.01, 1.0, help="How much slower each following step is, over sqrt(g l), down to the "
                                 "walk's own speed")
    leap_rate: float = setting(14.0, 0.1, 1e3, "1/s", "Rate at which the feet come from the walk's way to the run's, on Earth: "
                               "the trailing foot has time")
    land_rate: float = setting(24.0, 0.1, 1e3, "1/s", "The same from the run's to the walk's: a foot still 3 cm off its path "
                               "when it lands would land too late")
    slow_froude: float = setting(0.42, 0.01, 2.0, help="Froude number that a run slows down towards: somewhat below the "
                                 "landing's, which is then reached in a few bounces")
    landing_speed: float = setting(1.08, 0.5, 3.0, help="Largest speed of a landing that is walked on, over that walk's")


class StandingBounce:
    """A bouncing planner from and to standing (see `planner.Planner`); either end may go on moving instead."""

    def __init__(
        self, bounce: BouncePlanner, ends: StandingEnds, shot: StandingShot, settings: RunEndSettings | None = None
    ) -> None:
        self.bounce, self.ends, self._shot = bounce, ends, shot
        self.settings = settings or RunEndSettings()
        self.footsteps = bounce.footsteps = ends.walk.footsteps = []
        self._bounces, self._slowing, self._wish = not shot.start, False, bounce.wish
        self._fading: Handover | None = None
        if shot.stop and bounce.gravity > MOST_STOPPING_G * EARTH_GRAVITY_M_S2:
            raise InputError(f"Gaits with flight stop to standing up to {MOST_STOPPING_G:g} times Earth's gravity only, and "
                             f"this world has {bounce.gravity / EARTH_GRAVITY_M_S2:.2f}: let this gait end moving, or choose "
                             "a walk.")
        if shot.start:
            ends.change(self._walk_gait(bounce.gravity, self.settings.start_froude), bounce.gravity)
        check_duration(shot, ends.least_s + shot.start * self._changing_s(1)
                       + shot.stop * (self._changing_s(SLOW_LANDINGS) + self._stopping_s - ends.stopping_s))

    def _changing_s(self, late: int) -> float:
        """Time in which the bounces come from their slowest to the speed wished for or back, and `late` bounces more."""
        bounce, wish = self.bounce, self._wish
        change = bounce.settings.speed_change * math.sqrt(bounce.gravity * bounce.state.body.leg_length_m)
        count = math.ceil((wish.speed_m_s - bounce.slowest_m_s()) / change) + late
        return count / (len(bounce.clock.bounces) * wish.stride_frequency_hz)

    @property
    def _walk_down(self) -> int:
        """Steps from the landing in a walk to the walk's own speed."""
        own, fast = (self._walk_gait(self.bounce.gravity, f) for f in (None, self.settings.walk_froude))
        change = self.settings.walk_change * math.sqrt(self.bounce.gravity * own.leg_length_m)
        return math.ceil((fast.speed_m_s - own.speed_m_s) / change) + 1

    @property
    def _stopping_s(self) -> float:
        """Time from the landing in a walk to the end of the shot."""
        return self.ends.stopping_s + self._walk_down * 0.5 / self._walk_gait(self.bounce.gravity).stride_frequency_hz

    @property
    def settled(self) -> bool:
        """Whether it runs as fast as wished for."""
        return self._bounces and not self._slowing and self.bounce.settled

    @property
    def stands(self) -> bool:
        """Whether the shot starts standing."""
        return self._shot.start

    @property
    def runs_until_s(self) -> float:
        """When the run begins to slow down at the latest [s]: the shot's end where it goes on."""
        if not self._shot.stop:
            return self._shot.duration_s
        return self._shot.duration_s - self._stopping_s - self._changing_s(SLOW_LANDINGS)

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """See `Planner.start`."""
        return self.bounce.start() if self._bounces else self.ends.start()

    def due(self, loaded: dict[str, bool]) -> bool:
        """See `Planner.due`."""
        return (self.bounce if self._bounces else self.ends).due(loaded)

    def change(self, gait: BounceVariables, gravity_m_s2: float) -> None:
        """See `Planner.change`."""
        self._wish = gait
        self.bounce.change(gait, gravity_m_s2)
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
        """See `Planner.update`."""
        if self._bounces:
            targets = self._bounce_on(time_s, dt, loaded)
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
        """Whether the walk from standing has come to where the bounces begin: on one foot, the other just lifted."""
        walk = self.ends.walk
        lifted = walk.feet[OTHER[walk.rhythm.stance]]
        return (not self._slowing and len(self.footsteps) >= self.settings.walked and lifted.swinging and not lifted.landed)

    def _leap(self, time_s: float) -> Targets:
        """The bounces take over from the walk."""
        bounce, walk = self.bounce, self.ends.walk
        speed = float((complex(*bounce.state.com_velocity[:2]) / bounce.direction).real)
        bounce.take_over(speed)
        bounce.step_in({side: walk.feet[side].step for side in ("L", "R")}, walk.rhythm.stance)
        self._bounces = True
        targets = bounce.update(time_s, 0.0, {"L": True, "R": True})
        self._fading = Handover(bounce.state, targets, walk.time_scale, self.settings.leap_rate)
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

    def _bounce_on(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        bounce = self.bounce
        left_s = self._shot.duration_s - time_s
        if self._shot.stop and not self._slowing and self._must_slow_down(left_s):
            self._slowing = True
            self._slow_down()
        count = len(self.footsteps)
        targets = bounce.update(time_s, dt, loaded)
        if self._slowing and len(self.footsteps) > count:
            speed = float((complex(*bounce.state.com_velocity[:2]) / bounce.direction).real)
            walk = self._walk_gait(bounce.gravity, self.settings.walk_froude)
            if speed < self.settings.landing_speed * walk.speed_m_s or left_s < self._stopping_s:
                return self._land(time_s, walk)
        return targets

    def _slow_down(self) -> None:
        bounce = self.bounce
        speed = froude_speed(self.settings.slow_froude, bounce.gravity, bounce.state.body.leg_length_m)
        bounce.change(bounce.gait_at(min(speed, self._wish.speed_m_s)), bounce.gravity)

    def _must_slow_down(self, left_s: float) -> bool:
        """Whether the time left [s], or the path, asks for slower bounces from now on."""
        changing_s, frame = self._changing_s(SLOW_LANDINGS), self.bounce.frame
        slowest = self.bounce.slowest_m_s()
        steps_m = 0.5 * self._walk_gait(self.bounce.gravity).stride_length_m * (self._walk_down + len(self.ends.settings.last))
        needed_m = 0.5 * (self._wish.speed_m_s + slowest) * changing_s + steps_m
        return left_s < self._stopping_s + changing_s or frame.path.length - frame.way < needed_m

    def _land(self, time_s: float, gait: GaitVariables) -> Targets:
        """The walk takes over from the bounces on the foot that has just come down."""
        bounce, ends = self.bounce, self.ends
        walk, side = ends.walk, self.footsteps[-1][1].side
        walk.change(gait, bounce.gravity)
        ends.walk_on({s: bounce.feet[s].step for s in ("L", "R")}, side)
        self._bounces = False
        targets = ends.update(time_s, MOMENT_S, {"L": True, "R": True})
        self._fading = Handover(bounce.state, targets, walk.time_scale, self.settings.land_rate)
        return targets
