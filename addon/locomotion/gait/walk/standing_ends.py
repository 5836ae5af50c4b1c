# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk that starts from standing, stops to it, or goes on from a body as it is.

Going on, the phase is the one at which the steady walk has its COM as far ahead of the standing foot, and its swinging foot as
far along, as the body has. What is off the plan then fades (`Handover`), and the first steps make good what the phase leaves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ....gaits.froude import GaitVariables
from ....specs.shot import EARTH_GRAVITY_M_S2
from ...legged.capture import backward
from ...legged.foot_geometry import FootPose, Footstep
from ...legged.foot_path import swing_start
from ...legged.targets import Targets
from .body import POSE_STEP_S
from .footsteps import OTHER, SIGN
from .pendulum import (
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
from .planner import WalkPlanner

LATEST_ENTRY = 0.7
"""Share of a step after which no run becomes a walk."""

LEVEL_LEGS = 0.04
"""Distance of two feet along the way, over the leg's length, up to which they stand level (first guess)."""


class StandingEnds:
    """A walking planner from and to standing (see `targets.Planner`); either end may go on moving instead."""

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
        return high - walk.body.poses.shortfall(0j, high, 0.0, row, feet, self.settings.reach) - walk.height.mean_m

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
        return walk.body.pose_pair(com, 0j, walk.feet.poses(walk.feet_heading, (0.0, POSE_STEP_S)), walk.feet_heading)

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
        return self.walk.due(loaded)

    def change(self, gait: GaitVariables, gravity_m_s2: float) -> None:
        self.walk.change(gait, gravity_m_s2)

    def update(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
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


CANDIDATES = 24
LATEST = 0.97
"""Share of a step after which a body is not taken to be in it any more."""
SWING_SHARE = 0.5
"""How much the swinging foot's place counts beside the COM's, each over the length of a step."""

CATCHING_SWING = 0.93
"""Least duration of a swing, over sqrt(l / g) on Earth, of a walk that has taken over a body faster than its own pace: that of
`StepSettings` with a leg of 0.88 m. In proportion to the leg, as the steps are: of one time for all, short legs had no step left
that is quick enough to catch their body."""


def resume_walk(walk: WalkPlanner, loaded: Mapping[str, bool], way_m: float) -> None:
    """Go on as a walk in the midst of its step, `way_m` [m] along the path. `loaded` tells which feet carry weight."""
    state, course, rhythm = walk.state, walk.course, walk.rhythm
    com = complex(*state.com[:2].tolist())
    course.s = course.stance_s = course.path.locate(com, way_m)
    course.follow(com, 0.0)
    course.heading = course.path.heading(course.s)
    forward = course.forward
    measured = {side: state.frame(f"foot_{side}") for side in ("L", "R")}
    steps = {side: walk.terrain.stood(side, frame.position, frame.matrix[:, 0], course.heading)
             for side, frame in measured.items()}
    ahead = {side: ((step.place - com) / forward).real for side, step in steps.items()}
    down = [side for side in ("L", "R") if loaded[side]] or [min(steps, key=lambda s: float(measured[s].position[2]))]
    stance = max(down, key=ahead.__getitem__)
    swinging = len(down) == 1
    walk.feet.stand(steps)
    rhythm.stance, rhythm.rate_factor = stance, 1.0
    walk.cart.begin(complex(walk.gait.speed_m_s))
    course.stand(steps[stance].place)
    rhythm.local = _phase(walk, com, steps[stance].place, steps[OTHER[stance]].place, swinging)
    walk.feet.target = steps[stance]  # for `plan_step`, which asks for one, and sets the next
    walk.feet.target = walk.step_at(walk.plan_step(walk.desired_velocity())[1])
    if swinging:
        walk.feet.lift(OTHER[stance], course.path.heading(course.stance_s))
    walk.body.take_height(float(state.com[2]))


def _phase(walk: WalkPlanner, com: complex, foot: complex, other: complex, swinging: bool) -> float:
    """Phase since the standing foot's strike, within its single support or the double support before it, at which the steady
    walk is most like the body."""
    rhythm, forward, step = walk.rhythm, walk.course.forward, walk.course.step_length
    double, whole = rhythm.fractions(rhythm.stance)
    away, swung, side = ((com - foot) / forward).real, ((other - foot) / forward).real, OTHER[rhythm.stance]
    column, path = walk.tables.foot_slice(side).start, walk.feet[side].path
    phases = np.linspace(double, LATEST * whole, CANDIDATES) if swinging else np.linspace(0.0, double, CANDIDATES)
    costs = []
    for phase in phases.tolist():
        rhythm.local = phase
        cost = ((float(walk.orbit.now(walk.course.turn)[0].real) - away) / step) ** 2
        if swinging:
            x = float(walk.tables.table.value(rhythm.phase)[column])
            progress = walk.tables.swing_progress(side, x, path.phases.since_strike(rhythm.phase))
            cost += SWING_SHARE * ((2.0 * progress - 1.0) - swung / step) ** 2
        costs.append(cost)
    return float(phases[int(np.argmin(costs))])


def lay_swing(walk: WalkPlanner) -> None:
    """Where a foot swings, the path that leads it to where it is to land passes through where it is."""
    side, heading = OTHER[walk.rhythm.stance], walk.course.path.heading(walk.course.stance_s)
    foot, target = walk.feet[side], walk.feet.target
    if not foot.swinging or foot.landed:
        return
    since = foot.path.phases.since_strike(walk.rhythm.phase)
    foot.lift = swing_start(walk.state, foot.path, target, walk.gait.stride_length_m * walk.course.forward, since, heading,
                            lambda lift: foot.path.swinging(lift, target, [since], heading)[0])


def quicken(walk: WalkPlanner) -> None:
    """Let a walk take steps as quick as those with which a body that is too fast catches itself."""
    shortest = CATCHING_SWING * math.sqrt(walk.state.body.leg_length_m / EARTH_GRAVITY_M_S2)
    steps = walk.steps
    steps.settings = replace(steps.settings, shortest_swing_s=min(steps.settings.shortest_swing_s, shortest))


def resume_standing(ends: StandingEnds, way_m: float) -> None:
    """Go on as a body that stands on both feet, where they are."""
    walk = ends.walk
    course, state = walk.course, walk.state
    com = complex(*state.com[:2].tolist())
    walk.rhythm.local = walk.rhythm.fractions("L")[0]
    walk.show_amplitude(0.0)
    course.s = course.stance_s = course.path.locate(com, way_m)
    course.follow(com, 0.0)
    for side in ("L", "R"):
        frame = state.frame(f"foot_{side}")
        walk.feet[side].step = walk.terrain.stood(side, frame.position, frame.matrix[:, 0], course.heading)
    course.stand(walk.feet["L"].step.place)
    walk.feet.target = walk.feet["R"].step
    walk.body.take_height(float(state.com[2]))
