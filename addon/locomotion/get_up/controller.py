# SPDX-License-Identifier: GPL-3.0-or-later
"""Who falls gets up: limp until it lies still, then phase after phase off the ground, then the standing controller. Who comes
down on the way, or falls again, lies still once more and begins anew."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...bodies.body import Body
from ...engines.engine import Command, Torques
from ...errors import InputError
from ...specs.motions import Stand
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ..controller import Controller, Part, Physics, Reading, Sensed, Setup, State
from ..limp.controller import LimpController
from ..stand.controller import StandingController
from .law import Law
from .motion import Motion
from .phases import Phase, prone, side, supine
from .planner import PhasePlanner
from .support import Support

STEP_S = 0.005
LATE = 0.6
"""How much longer than planned a phase may take, over its time."""
THERE_M, SLOW_M_S, SURE_M, SURE_M_S = 0.03, 0.15, 0.012, 0.02
"""So near to its place the centre of mass is to be as a phase ends, and so slow on Earth; of phases that want to be sure."""
ARRIVED = 0.96
"""What goes somewhere is held again from this share of the way on."""
FALLEN_M = 0.015
"""Trunk or head lower than this have come down again."""
STANDS = 0.95
"""Up is who has come to this share of the height at which it stands."""
ORDINALS = "first", "second", "third", "fourth", "fifth"
STOOD_S, TRIES = 2.0, len(ORDINALS)
"""So long it stands before the shot ends, on Earth; and so often it tries."""
PRONE_RAD, SUPINE_RAD = math.radians(50.0), math.radians(115.0)
"""Turned from its front by less than this it lies on its front, by more than that on its back."""


class GetUpController(Controller):
    """See `controller.Controller`."""

    name = "get_up"
    kinds = ("human",)
    commands = (Torques,)
    who = "Who gets up"
    takes_over = after_fall = needs_hands = True
    longest_fall_s = 90.0

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        world = setup.shot.world
        self._setup, self._loop_s = setup, setup.control_step_s or STEP_S
        self._gravity_m_s2 = world.gravity_m_s2
        self._at_work: Controller | None = LimpController(replace(setup, settings=None))
        self.support = Support(setup.body, world, self.state.ground)
        self.planner = PhasePlanner(self.support, world, self.state.ground)
        self.law = Law(self.support, self.planner.poser.ranges, world.friction, self._gravity_m_s2)
        self._phases: list[Phase] = []
        self._retries = 0
        self._lay_s: float | None = None
        self._up_s: float | None = None
        self._phase: Phase
        self._motion: Motion

    @classmethod
    def check_parts(cls, parts: Sequence[Part], body: Body) -> None:
        raise InputError("Who gets up has neither gait nor speed to key: take the keys out, or choose the controller tracking.")

    @classmethod
    def physics(cls, shot: Shot) -> Physics:
        """See `Controller.physics`: all of the body on the ground, as of who is limp."""
        return LimpController.physics(shot)

    @classmethod
    def groups(cls) -> dict[str, Any]:
        return LimpController.groups()

    @property
    def control_step_s(self) -> float:  # type: ignore[override]
        """See `Controller`: that of who is at work; one that takes over goes on with whole parts of the loop's."""
        if self._at_work is not None:
            return self._at_work.control_step_s
        return self._loop_s / max(1, math.ceil(self._loop_s / STEP_S - 1e-6))

    def set_gravity(self, gravity_m_s2: float) -> None:
        self._gravity_m_s2 = gravity_m_s2
        self.support.state.set_gravity(gravity_m_s2)
        self.law.set_gravity(gravity_m_s2)
        self.planner.slow = math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)
        if self._at_work is not None:
            self._at_work.set_gravity(gravity_m_s2)

    @property
    def subject(self) -> str:  # type: ignore[override]
        """See `Controller`: its fall, and which try to get up that is."""
        return "the fall" if self._lay_s is None else f"the {ORDINALS[min(self._retries, TRIES - 1)]} try to get up"

    def start(self, state: State | None = None) -> State:
        assert self._at_work is not None
        return self._at_work.start(state)

    def sense(self, sensed: Sensed) -> None:
        """See `Controller.sense`."""
        self._sensed = sensed
        working = self._at_work
        if working is None:
            self._follow()
            return
        working.sense(sensed)
        if isinstance(working, StandingController):
            self._look_up(working)
        elif working.done() and self._retries < TRIES:
            self._begin()

    def _begin(self) -> None:
        """It lies still: plan by how it lies; on its back or side it turns over first."""
        sensed = self._sensed
        self._lay_s = sensed.time_s if self._lay_s is None else self._lay_s
        self._at_work = None
        self.support.state.update(sensed.qpos, sensed.qvel)
        rolled = self.planner.begin()
        self._prone = rolled < PRONE_RAD
        self._phases = prone(self.planner.build) if self._prone else supine() if rolled > SUPINE_RAD else side()
        self._next()

    def _next(self) -> None:
        """The next phase begins; after the last one it stands, or, from its back or side, lies on its front."""
        if self._phases:
            self._phase = self._phases.pop(0)
            self._goes, self._moving = self.planner.goes(self._phase), self.planner.moving(self._phase)
            self._motion = self.planner.plan(self._phase)
            self._began_s = self._sensed.time_s
            self._hold()
        elif self._prone:
            self._stand()
        else:
            self._begin()

    def _hold(self) -> None:
        """Hold what the phase holds; what goes somewhere when it has arrived."""
        phase = self._phase
        arrived = self._motion.share(self._sensed.time_s - self._began_s) > ARRIVED
        held = self.support.mask(part for part in self.planner.held(phase) if arrived or not self._moves(part))
        led = {f"hand_{part[-1]}" for part in self._goes if part.startswith("wrist") and phase.lies}
        led |= {f"foot_{part[-1]}" for part in self._goes if part.startswith(("ball", "toe"))}
        self.law.hold(held, self._moving & ~held, led, phase)

    def _moves(self, part: str) -> bool:
        return part in self._goes or (part[:-2] in ("toe", "heel") and f"ball_{part[-1]}" in self._goes)

    def _follow(self) -> None:
        """Go on with a phase, or from it to the next."""
        sensed, state, lasts_s = self._sensed, self.support.state, self._motion.duration_s
        state.update(sensed.qpos, sensed.qvel)
        since = sensed.time_s - self._began_s
        self._hold()
        if self._phase.off and state.contact_height_m[self.support.trunk].min() < FALLEN_M:
            self._retry()
        elif since >= lasts_s and (self._there() or since >= (1.0 + LATE) * lasts_s):
            self._next()

    def _there(self) -> bool:
        state = self.support.state
        away = float(np.linalg.norm(state.com - self._motion.at(self._motion.duration_s).com[0]))
        speed = float(np.linalg.norm(state.com_velocity)) * self.planner.slow
        if self._phase.lies:
            return speed < SLOW_M_S or bool(self._phases)
        return away < SURE_M and speed < SURE_M_S if self._phase.sure else away < THERE_M and speed < SLOW_M_S

    def _retry(self) -> None:
        """It has come down: lie still, and begin anew."""
        self._retries += 1
        self._up_s = None
        self._rest()

    def _rest(self) -> None:
        limp = LimpController(replace(self._setup, settings=None, stood=False))
        limp.set_gravity(self._gravity_m_s2)
        self._hand_to(limp)

    def _stand(self) -> None:
        """Who stands takes over, and brings the feet side by side."""
        motion = self.shot.motion if isinstance(self.shot.motion, Stand) else Stand()
        if motion.apart_m is None:  # said, or it would stand as it is found
            motion = replace(motion, apart_m=self.planner.build.apart)
        standing = StandingController.make(replace(self._setup, shot=replace(self.shot, motion=motion), settings=None,
                                                   control_step_s=self._loop_s))
        standing.set_gravity(self._gravity_m_s2)
        self._hand_to(standing)

    def _hand_to(self, coming: Controller) -> None:
        coming.start((self._sensed.qpos, self._sensed.qvel))
        self._at_work = coming
        coming.sense(self._sensed)

    def _look_up(self, standing: StandingController) -> None:
        """Whether who stands is up, or has fallen again."""
        if standing.fallen():
            self._retry()
            return
        x, y, z = self.state.com.tolist()
        if self._up_s is None and z - float(self.state.ground.height(x, y)) > STANDS * standing.planner.height_m:
            self._up_s = self._sensed.time_s

    def act(self) -> Command:
        if self._at_work is not None:
            return self._at_work.act()
        torque = self.law.solve(self._motion.at(self._sensed.time_s - self._began_s))
        return Torques(torque, np.zeros_like(torque))  # an engine keeps the limp joints' damping until it is told another

    def channels(self) -> Mapping[str, Reading]:
        return {} if self._at_work is None else self._at_work.channels()

    def fallen(self) -> bool:
        return False

    def done(self) -> bool:
        if self._up_s is None:
            return self._retries >= TRIES and self._at_work is not None and self._at_work.done()
        return self._sensed.time_s >= max(self._up_s + STOOD_S * self.planner.slow, self.shot.duration_s)

    def stats(self) -> Mapping[str, Any]:
        """See `Controller.stats`: `time_up_s` is from lying still for the first time until it is up."""
        up_s = None if self._up_s is None or self._lay_s is None else self._up_s - self._lay_s
        return {"time_rest_s": self._lay_s, "got_up": up_s is not None, "time_up_s": up_s, "retries": self._retries}
