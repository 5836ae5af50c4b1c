# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk that starts from standing and stops to standing: balance, shift of weight, short first and last steps."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ....gaits.froude import GaitVariables
from ...legged.capture import backward
from ...legged.foot_geometry import FootPose, Footstep
from ...legged.targets import Targets
from .body import POSE_STEP_S
from .end_times import (
    EndSettings,
    PivotedPendulum,
    StandingShot,
    check_duration,
    last_shares,
    lift_s,
    shift_at_s,
    shortest_s,
    stopping_s,
)
from .footsteps import SIGN
from .planner import WalkPlanner

LATEST_ENTRY = 0.7
"""Share of a step after which no run becomes a walk."""

LEVEL_LEGS = 0.04
"""Distance of two feet along the way, over the leg's length, up to which they stand level (first guess)."""


class StandingEnds:
    """A walking planner from and to standing (see `planner.Planner`); either end may go on moving instead."""

    def __init__(self, walk: WalkPlanner, shot: StandingShot, settings: EndSettings | None = None, alone: bool = True) -> None:
        """`alone`: nothing but a walk lies between the ends, so that a shot too short for them is refused here."""
        self.walk, self._shot, self.settings = walk, shot, settings or EndSettings()
        self._mode, self._closed = "stand" if shot.start else "walk", False
        if alone:
            check_duration(shot, self.least_s)
        walk.height.stand_raise_m, walk.height.upright = self._rise(), float(shot.start)

    def _rise(self) -> float:
        """How much higher [m] than in the walk the COM is over legs that are nearly straight."""
        walk, leg = self.walk, self.walk.state.body.leg_length_m
        row, ankle = walk.tables.table.mean, walk.feet["L"].path.geometry.ankle_height_m
        feet = {side: FootPose(np.array([-walk.stand_ahead_m, 0.5 * sign * walk.stand_width_m, ankle]), np.zeros(3), 0.0)
                for side, sign in SIGN.items()}
        high = walk.tables.com_height_mean_m + 0.2 * leg
        return high - walk.body.poses.shortfall(0j, high, 0.0, row, feet, self.settings.reach) - walk.height.unreduced(row)

    @property
    def footsteps(self) -> list:
        """See `Planner`."""
        return self.walk.footsteps

    @property
    def _scale(self) -> float:
        """Duration of anything over Earth's."""
        return 1.0 / self.walk.time_scale

    @property
    def _still_at_s(self) -> float:
        """When the last foot should be down."""
        return self._shot.duration_s - self.settings.still_s * self._scale

    @property
    def least_s(self) -> float:
        """See `shortest_s`."""
        return shortest_s(self._shot, self.walk.gait, self.walk.gravity, self.settings)

    @property
    def stopping_s(self) -> float:
        """Time from a full step to the end of a shot that stops standing."""
        return stopping_s(self.walk.gait, self.walk.gravity, self.settings)

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (nq,) and velocities (nv,): standing on both feet, or already walking."""
        walk = self.walk
        if not self._shot.start:
            return walk.start()
        walk.rhythm.local = walk.rhythm.fractions("L")[0]
        walk.show_amplitude(0.0)
        for side in ("L", "R"):
            walk.feet[side].step = walk.footstep_beside(side, 0.0, walk.stand_width_m)
        walk.feet.target = walk.feet["R"].step
        com = walk.standing_point()
        walk.course.follow(com, 0.0)
        return walk.pose_pair(com, 0j, walk.feet_poses((0.0, POSE_STEP_S)))

    @property
    def walks(self) -> bool:
        """Whether it walks: it does not stand, set off, or stand still again."""
        return self._mode == "walk"

    def walk_on(self, steps: Mapping[str, Footstep], stance: str) -> None:
        """Go on from a run that has come down on `stance` as a walk on that foot alone, from the phase at which the COM is as
        far from it; its feet stand or stood on `steps`. The next update lifts the other foot."""
        walk, state = self.walk, self.walk.state
        com = complex(*state.com[:2])
        self._mode = "walk"
        walk.rhythm.stance = stance
        walk.rhythm.rate_factor = 1.0
        walk.cart.begin(complex(walk.gait.speed_m_s))
        walk.show_amplitude(1.0)
        walk.feet.stand(steps)
        walk.course.s = walk.course.stance_s = walk.course.path.locate(com, walk.course.s)
        walk.course.follow(com, 0.0)
        walk.course.stand(steps[stance].place)
        walk.rhythm.local = self._phase_at(((com - steps[stance].place) / walk.course.forward).real)
        walk.feet.target = steps[stance]  # for `plan_step`, which asks for one, and sets the next
        walk.feet.target = walk.step_at(walk.plan_step(walk.desired_velocity())[1])
        walk.body.take_height(float(state.com[2]))

    def _phase_at(self, ahead_m: float) -> float:
        """Phase since the standing foot's strike, in its single support, at which the steady walk's COM is so far ahead of it."""
        rhythm = self.walk.rhythm
        double, whole = rhythm.fractions(rhythm.stance)
        phases, aways = np.linspace(double, LATEST_ENTRY * whole, 12).tolist(), []
        for phase in phases:
            rhythm.local = phase
            aways.append(abs(float(self.walk.orbit.now()[0].real) - ahead_m))
        return phases[int(np.argmin(aways))]

    def due(self, loaded: dict[str, bool]) -> bool:
        """See `Planner.due`."""
        return self.walk.due(loaded)

    def change(self, gait: GaitVariables, gravity_m_s2: float) -> None:
        """See `WalkPlanner.change`."""
        self.walk.change(gait, gravity_m_s2)

    def update(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        """See `Planner.update`."""
        walk = self.walk
        com, velocity = complex(*walk.state.com[:2]), complex(*walk.state.com_velocity[:2])
        if self._mode == "stand" and time_s >= shift_at_s(self._shot, walk.gravity, self.settings) - 1e-9:
            self._mode = "shift"
            walk.pace.begin(self.settings.first)
        self._straighten(self._mode in ("stand", "still"), dt)
        if self._mode == "shift":
            left_s = lift_s(self._shot, walk.gravity, self.settings) - time_s
            if left_s > 0.5 * dt:
                walk.course.follow(com, dt)
                return walk.targets(time_s, dt, com, velocity, self._shifting(com + velocity / walk.omega, left_s))
            self._mode = "walk"
        if self._mode == "walk" and walk.pace.done:
            self._come_to_rest()
        if self._mode == "walk":
            return self._walk_on(time_s, dt, loaded)
        self._follow_amplitude(0.0, dt)
        walk.course.follow(com, dt)
        return walk.targets(time_s, dt, com, velocity, self._balancing(com, velocity))

    def _come_to_rest(self) -> None:
        """Stand still, or set the rear foot beside the other first where a stop has left them apart."""
        left, right = (self.walk.feet[side].step.place for side in ("L", "R"))
        apart = abs(((left - right) / self.walk.course.forward).real)
        if self._shot.as_people and not self._closed and apart > LEVEL_LEGS * self.walk.state.body.leg_length_m:
            self._closed = True
            self.walk.pace.halt([0.0])
        else:
            self._mode = "still"

    def _balancing(self, com: complex, velocity: complex) -> complex:
        """Centre of pressure that keeps the COM over the middle of the feet."""
        walk = self.walk
        pendulum, rest = PivotedPendulum(walk.gravity, walk.tables.com_height_mean_m, walk.state.mass_kg), walk.standing_point()
        return rest + pendulum.pressure(com - rest, velocity)

    def _shifting(self, capture: complex, left_s: float) -> complex:
        """Centre of pressure, held from now on, that brings the capture point in time to where the first step begins: a moment
        back and to the swing foot, as people do (xi' = omega (xi - r))."""
        walk = self.walk
        landing, nominal, pieces = walk.plan_step(walk.desired_velocity())
        walk.feet.target = walk.step_at(nominal)
        grown = math.exp(walk.omega * left_s)
        return (backward(landing, pieces, walk.omega) - capture * grown) / (1.0 - grown)

    def _walk_on(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        walk, count = self.walk, len(self.walk.footsteps)
        self._follow_amplitude(walk.pace.shares(1)[0], dt)
        targets = walk.update(time_s, dt, loaded)
        if self._shot.stop and walk.pace.steady and len(walk.footsteps) > count:
            steps = math.floor((self._still_at_s - time_s) * 2.0 * walk.rhythm.frequency)
            shares = last_shares(self._way_left(), steps, walk.gait, walk.gravity, self.settings)
            if shares:
                walk.pace.halt(shares)
        return targets

    def _way_left(self) -> float:
        """What is left of the path from the standing foot to where the last one stands, in full steps."""
        course = self.walk.course
        return (course.path.length - self.walk.stand_ahead_m - course.stance_s) / course.step_length

    def _straighten(self, stands: bool, dt: float) -> None:
        """Come up to standing height on both feet only: a foot that is to land must reach the ground."""
        height, s = self.walk.height, self.settings
        change = (s.amplitude_rate if stands else s.sink_rate) * self.walk.rhythm.frequency * dt
        height.upright += min(max(float(stands) - height.upright, -change), change)

    def _follow_amplitude(self, wanted: float, dt: float) -> None:
        """Let the gait's own motion come and go."""
        walk = self.walk
        change = self.settings.amplitude_rate * walk.rhythm.frequency * dt
        amplitude = walk.body.amplitude + min(max(wanted - walk.body.amplitude, -change), change)
        if amplitude != walk.body.amplitude:
            walk.show_amplitude(amplitude)
