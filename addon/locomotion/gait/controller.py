# SPDX-License-Identifier: GPL-3.0-or-later
"""The tracking controller: a planner every few control steps, a quadratic program at each.

Small random changes of the velocities that a simulation starts with, drawn from the shot's seed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import mujoco
import numpy as np

from ...bodies.body import Body
from ...bodies.of_shot import shot_body
from ...engines.engine import Accelerations, Excitations, Torques
from ...errors import InputError
from ...gaits.froude import GaitVariables
from ...gaits.ranges import promised_range
from ...motions.cycle import Cycle, layout
from ...specs.motions import OF_PEOPLE
from ...specs.path import GroundSpec
from ...specs.settings import computed
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ...specs.steering import check_wishes, keyed_speed
from ...worlds.ground import SHORT_SOLES
from ..controller import Part, Plan, Reading, Setup, State, Steerable, Taken, Wish, parts_of
from ..legged.foot_geometry import FootGeometry, Footstep
from ..legged.pose import Breath, GaitTables
from ..legged.targets import FIRST_LOADED, Targets
from ..tracking.tracker import (
    CONTROL_STEP_S,
    FALL_HEIGHT_FRACTION,
    FALL_TILT,
    QUICK_STEP_S,
    TrackedController,
    Tracker,
    is_quick,
)
from ..tracking.weights import UPRIGHT_LEG_SHARE, by_muscles, on_short_legs
from .changes import Passage, SpeedRamp, acceleration_g, check_changes, check_times
from .factory import PacedPlanner, has_flight
from .plan import Planning, feasible_key, plan_shot
from .shot_gait import (
    FORMER_GROUPS,
    Controls,
    body_cycle,
    gait_variables,
    shot_controls,
    shot_cycle,
    shot_planner,
    until_path_end,
    upright,
)

PHASES = 64
HASTE = 0.5
"""Time from plan to plan of a walk, over the usual, where the ground is not level (one fell down a slope of 10 degrees),
everything falls faster than on Earth (efforts were 7 % more), or its style is the user's (wide steps over lifted feet bobbed)."""
NEAR_OWN = 0.2
"""How far a motion of the user's own is steered from its own speed, of which nothing is known (first guess)."""
WALK_GROUPS, RUNNING_GROUPS = ("steps", "walk", "tracker"), ("running", "running_tracker")


def natural_sizes(body: Body, cycle: Cycle, gait: GaitVariables) -> np.ndarray:
    """How large each generalised velocity (nv,) usually is in a gait: the pelvis' places the gait's speed [m/s], every angular
    velocity the root mean square of its joint's over the cycle [rad/s], the same for the three of a ball."""
    rates = gait.stride_frequency_hz * cycle.evaluate(np.arange(PHASES) / PHASES, derivative=1)
    squares, slices = np.mean(rates**2, axis=0), layout().slices
    sizes = [gait.speed_m_s] * 3 + [math.sqrt(squares[3:6].mean())] * 3
    for name in body.joint_segments:
        sizes += [math.sqrt(squares[slices[name]].mean())] * (3 if body.segment(name).joint == "ball" else 1)
    return np.array(sizes)


def start_noise(body: Body, cycle: Cycle, gait: GaitVariables, share: float, seed: int) -> np.ndarray:
    """Normal random velocities (nv,) whose standard deviation is `share` of each one's natural size."""
    sizes = natural_sizes(body, cycle, gait)
    return share * sizes * np.random.default_rng(seed).standard_normal(len(sizes))


RUNNING_STRENGTH = 2.0
"""Over a person's, of muscles in gaits with flight on Earth; with less, runs fall in their first steps."""


def check_treads(ground: GroundSpec, body: Body) -> None:
    """Raises InputError for steps on which no gait with flight lands."""
    sole = FootGeometry(body, "L").sole
    if ground.kind == "steps" and ground.rise_m != 0.0 and ground.run_m < SHORT_SOLES * (sole.tip_m - sole.heel_m):
        raise InputError(f"A gait with flight does not land on treads as short as {ground.run_m:.2f} m: choose a walk, or make "
                         "the treads longer.")


class TrackingController(TrackedController, Planning):
    """See `controller.Controller`. Raises LopeError for a shot that cannot be walked."""

    name = "tracking"
    kinds = ("human",)
    commands = (Torques, Accelerations, Excitations)
    steered_by = ("speed_m_s",)
    former_groups = FORMER_GROUPS

    def __init__(self, setup: Setup) -> None:
        controls: Controls = setup.settings or shot_controls(setup.shot)
        shot, world = setup.shot, setup.shot.world
        self._controls, self.subject = controls, shot.motion.name
        self._cycle = cycle = body_cycle(shot, setup.body)
        self._flies = flies = has_flight(cycle)
        if flies:
            check_treads(world.ground, setup.body)
        slow, interval_s = self.slowness(shot), controls.walk.interval_s
        if flies or is_quick(shot):  # a skip that was planned as seldom as is similar fell on Mars; muscles jerked
            interval_s = controls.running.interval_s / max(slow, 1.0)
        elif slow < 1.0 or not setup.state.ground.level or set(shot.motion.style.changed) - {"breath", "variation"}:
            interval_s *= HASTE
        super().__init__(setup, interval_s, controls.running_effort if flies else controls.effort)
        self.gait = gait_variables(shot, cycle, self.body)
        self.tables = GaitTables(cycle, self.body, controls.points(shot, cycle))
        self.planner = shot_planner(shot, self.state, cycle, self.tables, self.gait, controls,
                                    self._plan_every * self.control_step_s)
        weights = on_short_legs(controls.running_tracker, self.body.leg_length_m) if flies else controls.tracker
        if not flies and self.muscles is not None and self.muscles.sparing:
            weights = by_muscles(weights)
        if share := upright(shot, self.tables, self.state):
            weights = computed(weights, leg_weight=weights.leg_weight * UPRIGHT_LEG_SHARE**share)
        self.tracker = Tracker(self.state, world.friction, weights, muscles=self.muscles)
        self._joint_error = np.zeros(self.state.model.nv)
        self._passage = Passage(self.planner, self.state, setup.taken)
        self._breath = Breath(self.state, shot.motion.style.breath if shot.motion.law in OF_PEOPLE else 0.0)
        self._own_m_s, self._keys, self._since_s = self.gait.speed_m_s, shot.motion.keys, 0.0
        self._steered_m_s: float | None = None

    @classmethod
    def check_parts(cls, parts: Sequence[Part], body: Body) -> None:
        """See `Controller.check_parts`: they are to be walked one after the other."""
        check_changes(parts, body)
        check_times(parts, body)

    @classmethod
    def step_on_earth_s(cls, shot: Shot) -> float:
        """See `TrackedController.step_on_earth_s`: a walk does less in that time than what leaves the ground, by muscles too."""
        known = shot.motion.after is None and not any(has_flight(shot_cycle(part.shot)) for part in parts_of(shot))
        return CONTROL_STEP_S if known and not shot.loose else QUICK_STEP_S

    @classmethod
    def usual_strength(cls, shot: Shot) -> float:
        """See `Controller.usual_strength`: of gaits with flight as they need it, whose forces go with gravity."""
        flies = any(has_flight(shot_cycle(part.shot)) for part in parts_of(shot))
        return max(1.0, RUNNING_STRENGTH * shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2) if flies else 1.0

    @classmethod
    def plan_of(cls, shot: Shot) -> Plan:
        """See `Controller.plan_of`: the pendulum's plan, in milliseconds, or bounces rehearsed."""
        return plan_shot(shot, shot_body(shot), shot_controls(shot), TrackingController)

    @classmethod
    def to_path_end(cls, shot: Shot) -> Shot:
        return until_path_end(shot, shot_body(shot), shot_controls(shot))

    @classmethod
    def steerable(cls, shot: Shot) -> Steerable:
        """See `Controller.steerable`: the speeds of the shot's gait that stand there; of a motion of the user's own, those near
        its own."""
        body = shot_body(shot)
        gait = gait_variables(shot, body_cycle(shot, body), body)
        near = (1.0 - NEAR_OWN) * gait.speed_m_s, (1.0 + NEAR_OWN) * gait.speed_m_s
        known = None if shot.motion.file is not None else promised_range(shot.motion.name, shot.world.gravity_m_s2, body)
        return Steerable(gait.speed_m_s, *(known or near))

    @classmethod
    def groups(cls) -> dict[str, Any]:
        """See `Controller.groups`: the shipped gains."""
        return Controls().groups()

    @classmethod
    def searched(cls, shot: Shot) -> tuple[str, ...]:
        """See `Controller.searched`: what matters for the shot's gait."""
        return RUNNING_GROUPS if has_flight(shot_cycle(shot)) else WALK_GROUPS

    def start(self, state: State | None = None) -> State:
        """See `Controller.start`. Raises InputError for a state that nobody told how it was come by (`Setup.taken`)."""
        if state is not None:
            if self._passage.taken is None:
                raise InputError("The controller tracking goes on from the end of a take or from another gait, not from any "
                                 "state: put it first.")
            return state
        qpos, qvel = self.planner.start()
        shot = self.shot
        noise = start_noise(self.body, self._cycle, self.gait, shot.noise, shot.seed) if shot.noise else 0.0
        return qpos, qvel + noise

    def _plan(self, time_s: float, since_s: float) -> Targets:
        if since_s == 0.0:
            return self._first_plan(time_s)
        self._follow_wish(since_s)
        return self._breath.breathed(self._passage.led(self.planner.update(time_s, since_s, self._loaded())))

    def _first_plan(self, time_s: float) -> Targets:
        self._since_s = time_s
        if self._passage.taken is None:
            return self.planner.update(time_s, 0.0, FIRST_LOADED)
        speed = self._passage.first_speed()
        if speed is not None:
            self._tell(speed)
            self._passage.ramp = SpeedRamp(speed, self._own_m_s, acceleration_g(self.shot))
        return self._passage.begin(time_s, self._loaded())

    def _due(self) -> bool:
        return bool(self._tick) and self.planner.due(self._loaded())

    def steer(self, wish: Wish) -> None:
        """See `Controller.steer`: `speed_m_s`, as far as the gait can go at it; it comes to it as it does to keyed ones."""
        check_wishes(self.name, self.steered_by, list(wish))
        self._steered_m_s = float(wish.get("speed_m_s", self._own_m_s))

    def _tell(self, speed_m_s: float | None) -> None:
        """The gait goes at a speed from now on."""
        self.shot = self.shot.with_motion(speed_m_s=speed_m_s)
        self._change(-float(self.state.gravity[2]))

    def _follow_wish(self, dt: float) -> None:
        """Let a walk's speed come nearer to the one wished for."""
        passage, gravity = self._passage, -float(self.state.gravity[2])
        wish = passage.leaving_speed() if passage.leaves else self._wished_speed()
        if wish is not None:
            if passage.ramp is None:
                passage.ramp = SpeedRamp(self.gait.speed_m_s, wish, math.inf if self._flies else acceleration_g(self.shot))
            passage.ramp.wish_m_s = wish
        speed = None if passage.ramp is None else passage.ramp.follow(dt, gravity, passage.goes_m_s())
        if speed is not None:
            self._tell(speed)

    def _wished_speed(self) -> float | None:
        """The speed that is steered to or keyed now [m/s], as far as the gait can go at it; None without either."""
        speed = self._steered_m_s
        if speed is None:
            speed = keyed_speed(self._keys, self._sensed.time_s, self._since_s, self._own_m_s)
        return None if speed is None else feasible_key(self.shot, speed, -float(self.state.gravity[2]), self.body.leg_length_m)

    def make_way(self, shot: Shot) -> None:
        """See `Controller.make_way`: a walk speeds up, a run slows down to where people change."""
        self._passage.make_way(has_flight(body_cycle(shot, self.body)))

    def gives_way(self) -> Taken | None:
        return self._passage.gives_way(self.gait.speed_m_s)

    def set_gravity(self, gravity_m_s2: float) -> None:
        """See `Controller.set_gravity`; the state must have it already."""
        self.tracker.set_gravity(gravity_m_s2)
        self._loads.set_gravity(gravity_m_s2)
        self._change(gravity_m_s2)

    def _change(self, gravity_m_s2: float) -> None:
        """Gait variables for the shot as it is now wished for, under a gravity."""
        there = replace(self.shot.with_motion(force=True), world=replace(self.shot.world, gravity_m_s2=gravity_m_s2))
        self.gait = gait_variables(there, self._cycle, self.body)
        self.planner.change(self.gait, gravity_m_s2)

    def fallen(self) -> bool:
        com, ground = self.state.com, self.state.ground
        level = ground.height(com[0], com[1])
        if not ground.plane:  # on its way up an edge may be under the body already
            feet = self.tracker.frames.frames[:len(self.body.feet)]
            level = min(level, *(ground.height(*frame.position[:2]) for frame in feet))
        over = com[2] - level
        upright = self.tracker.trunk.matrix[2, 2] > math.cos(FALL_TILT)
        return bool(over < FALL_HEIGHT_FRACTION * self.tables.com_height_mean_m or not upright)

    def plan(self) -> Plan:
        return plan_shot(self.shot, self.body, self._controls, TrackingController)

    def channels(self) -> Mapping[str, Reading]:
        """See `Controller.channels`: heading and speed asked for, and how far the joints are from the pose asked for."""
        targets = self._aims()
        mujoco.mj_differentiatePos(self.state.model, self._joint_error, 1.0, self.state.qpos, targets.pose)
        error = math.degrees(math.sqrt(np.mean(self._joint_error[6:] ** 2)))
        return {"plan_heading_rad": Reading("rad", targets.heading), "plan_speed_m_s": Reading("m/s", self._passage.asks_m_s()),
                "pose_error_deg": Reading("deg", error), **self._struck()}

    def footsteps(self) -> Sequence[tuple[float, Footstep]]:
        return self.planner.footsteps

    def stats(self) -> Mapping[str, Any]:
        """See `Controller.stats`: the speed and stride frequency planned, and how the solver fared."""
        counts, planner = self.tracker.solver.counts, self.planner
        speed_m_s = planner.mean_speed_m_s if isinstance(planner, PacedPlanner) else self.gait.speed_m_s
        return {"planned_speed_m_s": speed_m_s, "planned_stride_frequency_hz": self.gait.stride_frequency_hz,
                "qp_solves": counts.solves, "qp_fallbacks": counts.fallbacks}
