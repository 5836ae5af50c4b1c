# SPDX-License-Identifier: GPL-3.0-or-later
"""Shot to Take: the one loop of engine, planner and tracker."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import mujoco
import numpy as np

from .bodies.makers import make_body
from .bodies.model import build_model
from .bodies.state import BodyState
from .bodies.human.suit import load_suit
from .controllers.tracking.gains import Controls, shot_controls
from .engines.factory import make_engine
from .errors import EngineError
from .controllers.tracking.start_noise import start_noise
from .controllers.tracking.planners.factory import has_flight, make_planner
from .controllers.tracking.planners.gait_tables import GaitTables
from .controllers.tracking.planners.preview import Preview, plan_preview
from .recorder import Recorder
from .specs.shot import EARTH_GRAVITY_M_S2, Shot
from .controllers.tracking.shot_gait import body_cycle, gait_variables, gravity_at, map_points, standing_ends, walkable_path
from .take import Take
from .controllers.tracking.tracker import Tracker
from .worlds.ground import check_walkable, make_ground

CONTROL_STEP_S = 0.005
"""Time from solve to solve up to `STEADY_GRAVITY`; shorter above, as everything falls faster there."""
GRAVITY_CHANGE = 0.01
"""Share by which a ramp's gravity changes at a time: far less than a step would feel."""
STEADY_GRAVITY_M_S2 = 1.25 * EARTH_GRAVITY_M_S2
SAMPLE_STRIDE = 2
FALL_HEIGHT_SHARE = 0.65
"""Below this share of the planned COM height, or with the trunk tilted past `FALL_TILT`, the character has fallen."""
FALL_TILT = math.radians(65.0)
IDEAL_CONTACT_M = 0.001
"""Height below which a contact point touches the ground in the ideal engine."""

Progress = Callable[[float, str], None]


def control_step_s(gravity_m_s2: float) -> float:
    """Time from solve to solve [s] under a gravity, in whole milliseconds: it scales with 1 / sqrt(g) above `STEADY_GRAVITY`."""
    if gravity_m_s2 <= STEADY_GRAVITY_M_S2:
        return CONTROL_STEP_S
    return round(1e3 * CONTROL_STEP_S * math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)) / 1e3


def preview(shot: Shot) -> Preview:
    """The plan of a shot without simulating it, in milliseconds. Raises LopeError for a shot that cannot be planned."""
    body = make_body(shot.body, load_suit(shot.suit))
    cycle = body_cycle(shot, body)
    gait = gait_variables(shot, cycle, body)
    return plan_preview(body, cycle, gait, shot.world.gravity_m_s2, shot.duration_s, shot.scaling, map_points(shot, cycle),
                        walkable_path(shot, gait), shot.footprints, shot_controls(shot).steps)


class Simulation:
    """One running simulation; `simulate` drives it to the end."""

    def __init__(self, shot: Shot, controls: Controls | None = None) -> None:
        controls = controls or shot_controls(shot)
        self.shot = shot
        self.body = make_body(shot.body, load_suit(shot.suit))
        for push in shot.pushes:
            self.body.segment(push.segment)  # a misspelt one is told before the walk, not at the push
        knee_m = float(np.linalg.norm(self.body.segment("foot_L").offset)) - self.body.sole_height_m
        check_walkable(shot.world.ground, knee_m, shot.world.friction)
        cycle = body_cycle(shot, self.body)
        self._cycle, self.gravity_m_s2 = cycle, shot.world.gravity_m_s2
        self.gait = gait_variables(shot, cycle, self.body)
        self.state = BodyState(self.body, build_model(self.body, shot.world), make_ground(shot.world.ground))
        self.tables = GaitTables(cycle, self.body, controls.points(shot, cycle))
        heaviest = max([shot.world.gravity_m_s2] + [gravity for _, gravity in shot.world.gravity_ramp])
        self.control_step_s = control_step_s(heaviest)
        self._plan_every = max(1, round(controls.walk.interval_s / CONTROL_STEP_S))
        walk = replace(controls.walk, interval_s=self._plan_every * self.control_step_s, foot_lift_m=shot.style.foot_lift_m,
                       bounce=shot.style.bounce)
        self.planner = make_planner(self.state, self.tables, self.gait, shot.world.gravity_m_s2, scaling=shot.scaling,
                                    walk=walk, steps=controls.steps, bounce=controls.bounce,
                                    path=walkable_path(shot, self.gait), ends=standing_ends(shot),
                                    footprints=shot.footprints,
                                    walk_tables=self._walk_tables(controls) if has_flight(cycle) else None)
        tracker = controls.bounce_tracker if has_flight(cycle) else controls.tracker
        self.tracker = Tracker(self.state, shot.world.friction, tracker)
        self.engine = make_engine(shot.engine, self.body, shot.world)
        self.recorder = Recorder(self.body, shot.world.gravity_m_s2, SAMPLE_STRIDE)
        self.time_s, self.time_fell_s = 0.0, None
        self._substeps = max(1, round(self.control_step_s / self.engine.step_s))
        self._tick = self._planned_tick = 0
        self._pushing: dict[str, np.ndarray] = {}
        self._joint_error = np.zeros(self.state.model.nv)
        qpos, qvel = self.planner.start()
        noise = start_noise(self.body, cycle, self.gait, shot.noise, shot.seed) if shot.noise else 0.0
        self.engine.reset(qpos, qvel + noise)
        self.state.update(self.engine.qpos, self.engine.qvel)
        self.targets = self.planner.update(0.0, 0.0, {"L": True, "R": False})

    def _walk_tables(self, controls: Controls) -> GaitTables | None:
        """Tables of the walk by which a gait with flight starts from standing and stops to it; None where it does neither."""
        if standing_ends(self.shot) is None:
            return None
        walk = replace(self.shot, gait="walk", motion=None, tuned=False)
        cycle = body_cycle(walk, self.body)
        return GaitTables(cycle, self.body, controls.points(walk, cycle))

    def step(self) -> None:
        """One control step: plan if it is time, solve, advance the engine, record."""
        self._apply_pushes()
        if self.shot.world.gravity_ramp:
            self._follow_gravity()
        loaded = self._loaded()
        if self._tick - self._planned_tick >= self._plan_every or (self._tick and self.planner.due(loaded)):
            since = (self._tick - self._planned_tick) * self.control_step_s
            self.targets, self._planned_tick = self.planner.update(self.time_s, since, loaded), self._tick
        if self._tick % SAMPLE_STRIDE == 0:
            self._sample()
        ahead = self.time_s - self.targets.time_s
        if self.engine.integrates_accelerations:
            self.tracker.solve(self.targets, ahead, limit_rate=1.0 / self.control_step_s)
            self.engine.accelerate(self.tracker.acceleration, self.tracker.contact_force_n, self.control_step_s)
        else:
            muscles = self.tracker.solve(self.targets, ahead)
            self.engine.advance(muscles + self.state.suit_torque, self._substeps)
        self.recorder.gather(self.engine.contact_force_n, self.tracker.torque)
        self._tick += 1
        self.time_s = self._tick * self.control_step_s
        self.state.update(self.engine.qpos, self.engine.qvel)
        self._check_fall()

    def _follow_gravity(self) -> None:
        """Take over the ramp's gravity whenever it has changed by `GRAVITY_CHANGE`, and where it ends."""
        world = self.shot.world
        gravity = gravity_at(world, self.time_s)
        if gravity == self.gravity_m_s2 or (abs(gravity / self.gravity_m_s2 - 1.0) < GRAVITY_CHANGE
                                            and self.time_s < world.gravity_ramp[-1][0]):
            return
        self.gravity_m_s2 = gravity
        there = replace(self.shot, world=replace(world, gravity_m_s2=gravity), force=True)
        self.gait = gait_variables(there, self._cycle, self.body)
        for part in (self.engine, self.state, self.tracker, self.recorder):
            part.set_gravity(gravity)
        self.planner.change(self.gait, gravity)

    def _loaded(self) -> dict[str, bool]:
        """Which feet carry weight; the ideal engine knows no contact, there a foot on the ground counts as loaded."""
        if not self.engine.integrates_accelerations:
            return self.recorder.loaded(self.engine.contact_force_n)
        low = self.state.contact_height_m < IDEAL_CONTACT_M
        sides = [p.side for p in self.body.contact_points]
        return {side: any(down and s == side for down, s in zip(low, sides, strict=True)) for side in ("L", "R")}

    def _apply_pushes(self) -> None:
        """Hand the pushes of this control step to the engine: mean forces, so that each gives its whole impulse."""
        forces: dict[str, np.ndarray] = {}
        for push in self.shot.pushes:
            end = min(push.start_s + push.duration_s, self.time_s + self.control_step_s)
            share = (end - max(push.start_s, self.time_s)) / self.control_step_s
            if share > 1e-9:
                forces[push.segment] = forces.get(push.segment, 0.0) + share * np.array(push.force_n)
        for segment in sorted(forces.keys() | self._pushing.keys()):
            self.engine.push(segment, forces.get(segment, np.zeros(3)))
        self._pushing = forces

    def _check_fall(self) -> None:
        """Note the first moment at which the character counts as fallen."""
        if self.time_fell_s is None:
            over = self.state.com[2] - self.state.ground.height(self.state.com[0], self.state.com[1])
            height = over < FALL_HEIGHT_SHARE * self.tables.com_height_mean_m
            upright = self.tracker.objectives.chest.matrix[2, 2] > math.cos(FALL_TILT)
            if height or not upright:
                self.time_fell_s = self.time_s

    def _sample(self) -> None:
        """Hand the present state to the recorder."""
        targets, state = self.targets, self.state
        plan = np.array([state.com[0], state.com[1], targets.height[0]])
        mujoco.mj_differentiatePos(state.model, self._joint_error, 1.0, state.qpos, targets.pose)
        error = math.degrees(math.sqrt(np.mean(self._joint_error[6:] ** 2)))
        self.recorder.sample(self.time_s, state, targets, plan, error)

    def take(self) -> Take:
        """The Take of what has been simulated so far."""
        counts = self.tracker.solver.counts
        stats = {
            "planned_speed_m_s": self.gait.speed_m_s, "planned_stride_frequency_hz": self.gait.stride_frequency_hz,
            "qp_solves": counts.solves, "qp_fallbacks": counts.fallbacks, "time_fell_s": self.time_fell_s,
        }
        return Take(self.shot, self.body, self.recorder.arrays(self.planner.footsteps), stats)


def simulate(
    shot: Shot, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None, controls: Controls | None = None,
) -> Take:
    """Simulate a shot. `progress(share, what)` is called a few times a simulated second; `cancelled()` ends it early.

    A character that falls ends the simulation; `Take.fell` tells. Raises LopeError for a shot that cannot be simulated.
    """
    simulation = Simulation(shot, controls)
    steps = round(shot.duration_s / simulation.control_step_s)
    try:
        for i in range(steps + 1):
            if progress and (i % 50 == 0 or i == steps):
                progress(i / steps, f"simulating {shot.gait} on {shot.world.name}")
            try:
                simulation.step()
            except EngineError:
                simulation.time_fell_s = simulation.time_s
            if simulation.time_fell_s is not None or (cancelled and i % 50 == 0 and cancelled()):
                break
    finally:
        simulation.engine.close()
    return simulation.take()
