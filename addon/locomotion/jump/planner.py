# SPDX-License-Identifier: GPL-3.0-or-later
"""Jumping: from the measured state to the reference pose of a body that stands, squats, pushes off, flies, and lands standing."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace

import numpy as np

from ...bodies.body import FREEDOM
from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ...specs.motions import Jump, Stand
from ..legged.foot_geometry import FootGeometry, Footstep, Terrain
from ..legged.targets import FeetPose, Handover, Targets, foot_targets
from ..stand.catching import Falling
from ..stand.feet import HEEL_UP_RAD
from ..stand.planner import POSE_STEP_S, StandingPlanner
from ..stand.stance import StandingSettings, nearest
from ..stand.stepping import CALM_S
from ..stand.taking_over import HIGH_RATE, Fading, falls_for
from .ability import planned
from .plan import AHEAD_RAD, ELBOW_RAD, JumpPlan, Landing, Legs
from .pose import JumpPose

STANDS, PUSHES, FLIES, LANDED = "stands", "pushes", "flies", "landed"
READY_S = 0.5
"""It stands at least so long before it squats."""
RESTS_S = 2.0
"""So long it takes to come to rest after the landing, on Earth (measured)."""
TRACK = 40.0
"""Gain of the way of the centre of mass over the ground in the push-off [1/s^2] (first guess)."""
LEAST_LIFT = 0.5
"""With less of (g + z'') / z [1/s^2] no pressure moves the body on."""
TURN_RATE = 10.0
"""Rate at which the angular momentum of the push-off is sought [1/s]."""
BEND_S = 0.02
"""Time over which accelerations of trunk and arms are taken."""
FEET_RATE = 20.0
"""Rate at which feet that have left the ground come to their way in the air [1/s]."""
SOON_S = 0.003
"""It takes off at the solve that is no more than so much before the planned time."""
TOUCHES, SURE, LATE = 0.05, 0.5, 1.5
"""Share of the weight that tells a landing, looked for from this share of the flight on; at this one it is taken for granted."""
OFF = 0.03
"""So far off where the body comes to rest by itself feet land at most to be where they are asked, over the leg's length."""
ARMS_RATE = 2.0
"""Rate at which arms come down after a landing [1/s on Earth] (first guess)."""
LEGS = ("thigh", "shank", "foot", "toes")


class Led(Fading):
    """A height that the planner of a jump knows, and a pose whose differences fade."""

    def __init__(self, planner: JumpPlanner, time_s: float) -> None:
        super().__init__(planner.state, time_s)
        self._planner = planner

    def high(self, time_s: float) -> tuple[float, float, float]:
        return self._planner.led_height(time_s)

    def led(self, targets: Targets) -> Targets:
        self._handover = self._handover or Handover(self._planner.state, targets, 1.0, FEET_RATE)
        return self._handover.applied(targets)


class Landed(Fading):
    """What is left of a landing at its own `rate` [1/s]. Feet are on the ground, and legs go where these are."""

    def __init__(self, planner: JumpPlanner, time_s: float, rate: float) -> None:
        state, body = planner.state, planner.state.body
        of = np.zeros(state.model.nv)
        for name in body.joint_segments:
            if not name.startswith(LEGS):
                at = int(state.model.joint(name).dofadr[0])
                of[at:at + FREEDOM[body.segment(name).joint]] = 1.0
        super().__init__(state, time_s, HIGH_RATE / rate, planner.high_m - planner.height_m, float(state.com_velocity[2]), of)

    def led(self, targets: Targets) -> Targets:
        feet = targets.feet
        return replace(super().led(targets), feet=feet)


class JumpPlanner(StandingPlanner):
    """Plans a jump from how it stands, and the landing from how it flies. `course` is the jump as it was planned last, `phase`
    how far it has come."""

    poses: JumpPose

    def __init__(self, state: BodyState, jump: Jump, settings: StandingSettings, gravity_m_s2: float, seed: int = 0) -> None:
        self.phase, self._jump, self._time_s = STANDS, jump, 0.0
        self._since_s, self._flight_s, self._lands_ahead_m = 0.0, 1.0, 0.0
        self._ready_s = READY_S
        super().__init__(state, Stand(), settings, gravity_m_s2, seed)
        self._shoulders = [int(state.model.joint(f"upper_arm_{side}").dofadr[0]) + 1 for side in self.poses.free]
        self.course = self.plan()

    def _make_poses(self) -> JumpPose:
        return JumpPose(self.state)

    def _put(self, places: dict[str, Footstep]) -> None:
        super()._put(places)
        for side in SIDES:  # toes bend as far as they must: who pushes off stands on them
            self.feet[side].geometry.tip_rise = math.inf

    @property
    def high_m(self) -> float:
        """Of the centre of mass over the ground."""
        return float(self.state.com[2]) - self.terrain.level_m

    @property
    def way(self) -> complex:
        return cmath.exp(1j * self.heading)

    @property
    def legs(self) -> Legs:
        return Legs(self.poses, {side: self.feet[side].geometry for side in SIDES}, self.stance, self.height_m, self.gravity_m_s2,
                    self.state.mass_kg)

    def plan(self) -> JumpPlan:
        """The jump from where it stands. Raises InputError for one that it cannot do, saying what it can."""
        found = planned(self.legs, self._jump, self.state, self.rest(), self.way, self.terrain)
        self.poses.swing(0.0, 0.0)
        self.poses.squat(0.0)
        return found

    @property
    def lasts_s(self) -> float:
        """Until it has come to rest after a jump that it begins standing."""
        return max(READY_S, CALM_S * self.slow) + self.course.off_s + self.course.flight_s + RESTS_S * self.slow

    def take_over(self, time_s: float, loads: dict[str, float]) -> None:
        super().take_over(time_s, loads)
        self._ready_s = time_s + READY_S

    def update(self, time_s: float, dt: float, loads: dict[str, float]) -> Targets:
        self._time_s = time_s
        if self.phase == STANDS and time_s >= self._ready_s and self.stepping.calm and len(self.feet.standing) == 2:
            self.course = self.plan()
            self._go_on(PUSHES, time_s)
            self._origin = self.rest()
        if self.phase == PUSHES and self.due(time_s, loads):
            self._take_off(time_s)
        elif self.phase == FLIES and self.due(time_s, loads):
            self._land(time_s)
        if self.phase in (PUSHES, FLIES):
            return self._lead(time_s)
        if self.phase == LANDED:
            for side in SIDES:  # a heel that has come down is down
                forward = self.state.frame(f"foot_{side}").matrix[:, 0]
                self.feet[side].pitch = min(self.feet[side].pitch, max(-math.asin(max(min(float(forward[2]), 1.0), -1.0)), 0.0))
        return super().update(time_s, dt, loads)

    def _go_on(self, phase: str, time_s: float) -> None:
        self.phase, self._since_s = phase, time_s
        self._fading = Led(self, time_s)

    def due(self, time_s: float, loads: dict[str, float]) -> bool:
        """Whether it takes off, or lands, by the share of the weight on each foot."""
        since = time_s - self._since_s
        if self.phase == PUSHES:
            return since > self.course.off_s - SOON_S
        touches = since > SURE * self._flight_s and max(loads.values()) > TOUCHES
        return self.phase == FLIES and (touches or since > LATE * self._flight_s)

    def _take_off(self, time_s: float) -> None:
        self._go_on(FLIES, time_s)
        course, state, g = self.course, self.state, self.gravity_m_s2
        for side in SIDES:
            self.feet[side].held = True
        rising = float(state.com_velocity[2])
        self._flight_s = falls_for(self.high_m - course.lands_m - course.level_m, rising, g)
        self.landing = Landing(self.height_m, course.lands_m - self.height_m, g * self._flight_s - rising, g, self.leg_m)
        speed = complex(*state.com_velocity[:2].tolist()) / self.way
        lead, gone = speed.real / self.landing.at(0.0)[0], complex(*state.com[:2].tolist()) - self._origin
        short = self._jump.ahead_m - (gone / self.way).real - speed.real * self._flight_s - lead
        self._lands_ahead_m = lead + min(max(short, -OFF * self.leg_m), OFF * self.leg_m)

    def _land(self, time_s: float) -> None:
        falls, self.phase, self._since_s = -float(self.state.com_velocity[2]), LANDED, time_s
        self.terrain = Terrain(self.state.ground, FootGeometry(self.state.body, "L"), self.leg_m)
        self.take_over(time_s, dict.fromkeys(SIDES, 0.5))
        self.landing = Landing(self.height_m, self.high_m - self.height_m, falls, self.gravity_m_s2, self.leg_m)
        self._fading = Landed(self, time_s, self.landing.rate)

    def led_height(self, time_s: float) -> tuple[float, float, float]:
        """How much higher it is to be than it stands, that one's rate and its rate."""
        if self.phase == FLIES:
            off = self.high_m - self.height_m + self.sinking.lower_m
            return off, float(self.state.com_velocity[2]), -self.gravity_m_s2
        high, rate, second = self.course.at(self.course.height_m, time_s - self._since_s).tolist()
        return high - self.height_m + self.sinking.lower_m, rate, second

    def _reach(self, time_s: float, dt: float, falling: Falling) -> None:
        self.poses.squat(self.sinking.lower_m)  # feet are looked at as of who has come up again
        super()._reach(time_s, dt, falling)

    def _rate(self, height_m: float) -> float:
        since = self._time_s - self._since_s
        return self.landing.at(since)[0] if self.phase == LANDED and since < self.landing.lasts_s else super()._rate(height_m)

    def _aim(self, ahead_s: float) -> None:
        since = self._time_s + ahead_s - self._since_s
        if self.phase in (PUSHES, FLIES):
            course, at = self.course, self._at(ahead_s)
            self.poses.swing(*course.arms(at))
            self.poses.lean(float(course.at(course.lean, at)))
            self.poses.root_m = course.at(course.root, at)
            return
        off, rate, _ = self._fading.high(self._time_s)
        self.poses.squat(self.sinking.lower_m - off - ahead_s * rate)
        still = self.course.vigour * math.exp(-ARMS_RATE / self.slow * since) if self.phase == LANDED else 0.0
        self.poses.swing(AHEAD_RAD * still, ELBOW_RAD * still)

    def _at(self, ahead_s: float) -> float:
        """Where in the jump's plan it is so long after now."""
        since = self._time_s + ahead_s - self._since_s
        return since if self.phase == PUSHES else self.course.off_s + since / self._flight_s * self.course.flight_s

    def _bending(self) -> np.ndarray | float:
        if self.phase not in (PUSHES, FLIES):
            return 0.0
        course, at, found = self.course, self._at(0.0), np.zeros(self.state.model.nv)
        before, now, after = (np.array([float(course.at(course.lean, at + more)), course.arms(at + more)[0]])
                              for more in (-BEND_S, 0.0, BEND_S))
        lean, arms = ((before - 2.0 * now + after) / BEND_S**2).tolist()
        found[4] = lean
        found[self._shoulders] = -arms
        return found

    def _lead(self, time_s: float) -> Targets:
        """Targets of a body that pushes off or flies."""
        com, velocity = complex(*self.state.com[:2].tolist()), complex(*self.state.com_velocity[:2].tolist())
        pressure, lift, course, since = com, 0.0, self.course, time_s - self._since_s
        if self.phase == PUSHES:
            (high, _, second), ahead = course.at(course.height_m, since).tolist(), course.at(course.ahead_m, since).tolist()
            lift = max((self.gravity_m_s2 + second) / high, 0.0)
            wish = self.way * ahead[2] + TRACK * (self._origin + self.way * ahead[0] - com)
            wish += 2.0 * math.sqrt(TRACK) * (self.way * ahead[1] - velocity)
            if lift > LEAST_LIFT:
                pressure, _ = nearest(com - wish / lift, self.feet.corners_of(SIDES))
            pitch, ball = float(course.at(course.pitch, since)), self.legs.sole()[1]
            if pitch > HEEL_UP_RAD and lift > LEAST_LIFT:
                pressure += self.way * max(ball - ((pressure - self._origin) / self.way).real, 0.0)
            for side in SIDES:
                self.feet[side].pitch = pitch
        self.omega = math.sqrt(lift)
        targets = self._targets(time_s, Falling(com, velocity, max(self.omega, 1e-3), self.heading), pressure)
        if self.phase == FLIES:
            return targets
        turns, gains = course.turning(since)
        axis = np.array([-self.way.imag, self.way.real, 0.0])
        feet = self._feet_poses(time_s, (-POSE_STEP_S, 0.0, POSE_STEP_S))
        wanted = foot_targets(0.0, feet, POSE_STEP_S, dict.fromkeys(SIDES, True))  # as fast as they must turn
        return replace(targets, feet=wanted, angular_momentum=(turns + gains / TURN_RATE) * axis,
                       angular_momentum_rate=TURN_RATE)

    def _feet_poses(self, time_s: float, ahead_s: tuple[float, ...]) -> list[FeetPose]:
        if self.phase not in (PUSHES, FLIES):
            return super()._feet_poses(time_s, ahead_s)
        since, course, state = time_s - self._since_s, self.course, self.state
        if self.phase == PUSHES:
            pitches = [float(course.at(course.pitch, since + ahead)) for ahead in ahead_s]
            return [{side: self.feet[side].geometry.rolled(self.feet[side].step, pitch, 0.0) for side in SIDES}
                    for pitch in pitches]
        found = []
        for ahead in ahead_s:
            feet = {side: self.legs.flying(side, course, (since + ahead) / self._flight_s, self._lands_ahead_m, self.heading)
                    for side in SIDES}
            for foot in feet.values():
                foot.ankle += state.com + ahead * state.com_velocity
                foot.ankle[2] -= 0.5 * self.gravity_m_s2 * ahead * ahead
            found.append(feet)
        return found

    def _targets(self, time_s: float, falling: Falling, pressure: complex) -> Targets:
        targets, since = super()._targets(time_s, falling, pressure), time_s - self._since_s
        if self.phase == LANDED and since < self.landing.lasts_s:
            return replace(targets, omega=math.sqrt(self.landing.at(since)[1]))
        return targets
