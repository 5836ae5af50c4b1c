# SPDX-License-Identifier: GPL-3.0-or-later
"""The first steps of a shot by the very planner that will plan them, led by a body that answers as the tracker will.

No physics is stepped. The centre of mass moves by the planned forces, feet on the ground stand, and feet in the air follow
their targets no faster than the tracker's gain lets them: where they start away from their way, or their landing moves, they
land short of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import mujoco
import numpy as np

from ....bodies.body import Body
from ....bodies.model import PHYSICS_STEP_S
from ....bodies.state import BodyState, Frame
from ....specs.shot import EARTH_GRAVITY_M_S2
from ....worlds.ground import Ground
from ...legged.planner import FIRST_LOADED, Planner
from ...legged.targets import FootTarget, Targets

TICK_S, PLAN_TICKS, MOST_PLAN_TICKS = 0.005, 3, 4
"""Time from look to look at the feet, and looks from plan to plan, on Earth as in the simulation. The time scales with
1 / sqrt(g) above Earth's gravity, and below it the looks with the same, up to `MOST_PLAN_TICKS`."""


class PlannedState(BodyState):
    """The state of a body that does as it is told. After `begin`, `follow` moves it; joints are those of the
    planned pose, `feet` the places and velocities (3,) of the feet."""

    def __init__(self, body: Body, model: mujoco.MjModel, ground: Ground, swing_gain: float) -> None:
        """`swing_gain` [1/s^2] is the tracker's for the places of swinging feet."""
        super().__init__(body, model, ground)
        self._rate = math.sqrt(swing_gain)
        self._ids = {foot.name: model.body(foot.segment).id for foot in body.feet}
        self._points = {foot.name: list(foot.points) for foot in body.feet}
        self._standing = dict.fromkeys(self._ids, False)
        self.feet: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def begin(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """Take over the state that a planner starts with."""
        self.update(qpos, qvel)
        for foot in self.body.feet:
            frame = self.frame(foot.segment)
            self.feet[foot.name] = frame.position.copy(), super().velocity_of(frame)

    def velocity_of(self, frame: Frame) -> np.ndarray:
        """See `BodyState.velocity_of`; of the feet alone."""
        return next(self.feet[name][1] for name, i in self._ids.items() if i == frame.id)

    def loaded(self) -> dict[str, bool]:
        """Which feet have reached the ground: a physics step ago, as the force that tells it comes with the next one."""
        return {name: stands or bool(self.contact_height_m[self._points[name]].min() < PHYSICS_STEP_S * self.feet[name][1][2])
                for name, stands in self._standing.items()}

    def follow(self, targets: Targets, ahead_s: float, dt: float) -> None:
        """Do for `dt` [s] what was planned `ahead_s` [s] ago."""
        self._move_com(targets, ahead_s, dt)
        data = self.data
        data.qpos[:] = targets.pose
        mujoco.mj_integratePos(self.model, data.qpos, targets.pose_velocity, ahead_s + dt)
        mujoco.mj_kinematics(self.model, data)
        data.geom_xpos.take(self._point_geom, axis=0, out=self.contact_point_m, mode="clip")
        for name, i in self._ids.items():
            self.feet[name] = place, _ = self._led(name, targets.feet[name], ahead_s, dt)
            self.contact_point_m[self._points[name]] += place - data.xpos[i]
            data.xpos[i] = place
            self._standing[name] = targets.feet[name].stance
        self._touch_ground()
        for name, rows in self._points.items():
            if self._standing[name]:  # its lowest point is on the ground, whatever the planned pose leaves between
                self.contact_height_m[rows] -= self.contact_height_m[rows].min()

    def _move_com(self, targets: Targets, ahead_s: float, dt: float) -> None:
        """Move the centre of mass by the planned forces, as the tracker asks for them."""
        height, speed, bend = targets.height
        middle = ahead_s + 0.5 * dt
        height += middle * (speed + 0.5 * middle * bend)
        bend += middle * targets.jerk
        square = max(bend - float(self.gravity[2]), 0.0) / height if targets.omega is None else targets.omega**2
        x, y, _ = (self.com + 0.5 * dt * self.com_velocity).tolist()
        pull = np.array([square * (x - targets.cmp.real), square * (y - targets.cmp.imag), bend])
        self.com += dt * (self.com_velocity + 0.5 * dt * pull)
        self.com_velocity += dt * pull

    def _led(self, name: str, target: FootTarget, ahead_s: float, dt: float) -> tuple[np.ndarray, np.ndarray]:
        """A foot's place and velocity (3,) after `dt`: where it should be if it stands; in the air on its way there, critically
        damped by the tracker's gain."""
        place, velocity = at(target, ahead_s + dt)
        if target.stance:
            return place, velocity
        before, rate = at(target, ahead_s)
        error, slip = self.feet[name][0] - before, self.feet[name][1] - rate
        fade, drift = math.exp(-self._rate * dt), slip + self._rate * error
        return place + fade * (error + dt * drift), velocity + fade * (drift - self._rate * (error + dt * drift))


def at(target: FootTarget, time_s: float) -> tuple[np.ndarray, np.ndarray]:
    """Where a foot should be some time after its target was made, and its velocity (3,)."""
    velocity = target.velocity + time_s * target.acceleration
    return target.position + time_s * (target.velocity + 0.5 * time_s * target.acceleration), velocity


class Rollout:
    """Runs a planner on a body that does what it plans. `time_s`, and the way so far: `times_s` and `coms_m`, a list of
    numbers and of arrays (3,)."""

    fell = False

    def __init__(self, planner: Planner, state: PlannedState, gravity_m_s2: float) -> None:
        self._planner, self._state = planner, state
        slow = math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)
        self._tick_s = TICK_S * min(slow, 1.0)
        self._plan_every = min(max(round(PLAN_TICKS * slow), PLAN_TICKS), MOST_PLAN_TICKS)
        state.begin(*planner.start())
        self.time_s, self.times_s, self.coms_m = 0.0, [0.0], [state.com.copy()]

    def run(self, duration_s: float, enough: Callable[[], bool]) -> None:
        """Go on until it is `enough`, which is asked at every plan, or the time is over."""
        planner, state, tick_s = self._planner, self._state, self._tick_s
        targets, since = planner.update(self.time_s, 0.0, FIRST_LOADED), 0
        while self.time_s < duration_s:
            state.follow(targets, since * tick_s, tick_s)
            since += 1
            self.time_s += tick_s
            self.times_s.append(self.time_s)
            self.coms_m.append(state.com.copy())
            loaded = state.loaded()
            if since >= self._plan_every or planner.due(loaded):
                targets, since = planner.update(self.time_s, since * tick_s, loaded), 0
                if enough():
                    return
