# SPDX-License-Identifier: GPL-3.0-or-later
"""The controller by key poses: a machine says what the body is drawn to, a law with two balance gains draws it there."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ...engines.commands import Torques
from ...errors import InputError
from ...specs.pose_gait import PoseGait
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ...worlds.paths import make_path, offset
from ..contacts import FootLoads
from ..controller import Reading, Sensed, Setup, State, Taken
from .entry import POSE_GAIT
from .law import Law
from .machine import Machine
from .settings import PoseGaitSettings
from .strength import Scale

CONTROL_STEP_S = 0.005
"""On Earth and below; a stronger pull wants a shorter one, as the terms against the world are explicit."""
FALL_HEIGHT_FRACTION = 0.5
"""Below this fraction of its standing height, or with the trunk tilted past `FALL_TILT` more than asked, it has fallen."""
FALL_TILT = math.radians(65.0)
MOST_STEERING_RAD = 0.3


class PoseGaitController:
    """See `controller.Controller`. Raises InputError for a shot that has no key poses."""

    def __init__(self, setup: Setup) -> None:
        shot = setup.shot
        if shot.pose_gait is None:
            raise InputError("This shot has no pose gait: give it one, or choose the controller tracking.")
        self.shot, self.body, self.state, self.gait = shot, setup.body, setup.state, shot.pose_gait
        self.settings: PoseGaitSettings = setup.settings or POSE_GAIT.changed(shot.gains)["pose_gait"]
        gravity = shot.world.gravity_m_s2
        self.subject = self.gait.name
        self.scale = Scale.of(self.body, gravity)
        self.control_step_s = setup.control_step_s or control_step_s(gravity)
        self.machine = Machine(self.gait, self.scale.time, self.settings.ramp_s, self.settings.touch_s)
        self.law = Law(self.state, self.scale, self.settings, self.gait.arm_swing, self.gait.elbow)
        self.speed_m_s = self.gait.speed_m_s * self.scale.speed if shot.speed_m_s is None else shot.speed_m_s
        self.sideways_m_s = self.gait.sideways_m_s * self.scale.speed
        self._loads, self._path, self._way_m = FootLoads(self.body, gravity), make_path(shot.path), 0.0
        self._sensed: Sensed
        self._stature_m = self.body.pelvis_height_m

    def start(self, state: State | None = None) -> State:
        """See `Controller.start`: it stands on both feet, or is taken over as it is."""
        if state is None:
            qpos, qvel = self.state.model.qpos0.copy(), np.zeros(self.state.model.nv)
            heading = self._path.heading(0.0)
            qpos[2] += self.body.pelvis_height_m
            qpos[3:7] = math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading)
            if self.shot.noise:
                sizes = np.concatenate([np.full(3, abs(self.speed_m_s) + 0.5 * self.scale.speed), np.full(len(qvel) - 3, 1.0)])
                sizes[3:] /= self.scale.time
                qvel = qvel + self.shot.noise * sizes * np.random.default_rng(self.shot.seed).standard_normal(len(qvel))
            state = qpos, qvel
        self.state.update(*state)
        self.machine.begin(self.law.now(self._heading()))
        return state

    def sense(self, sensed: Sensed) -> None:
        """See `Controller.sense`."""
        self._sensed = sensed

    def act(self) -> Torques:
        """See `Controller.act`."""
        heading = self._heading()
        self.machine.advance(self.control_step_s, self._loads.loaded(self._sensed.contact_force_n, self.state),
                             self.law.now(heading))
        torque = self.law.torques(self.machine.state, self.machine.targets(), heading, self.speed_m_s, self.sideways_m_s)
        return Torques(torque, self.law.damping)

    def _heading(self) -> float:
        """Where it is to face [rad]: along the path, turned back towards it where it is off it."""
        place = complex(*self.state.qpos[:2].tolist())
        self._way_m = self._path.locate(place, self._way_m)
        off = offset(self._path, self._way_m, place) / self.scale.length
        turn = min(max(self.settings.steering * off, -MOST_STEERING_RAD), MOST_STEERING_RAD)
        return self._path.heading(self._way_m) - (turn if not self.sideways_m_s else 0.0)

    def steer(self, wish: Mapping[str, float]) -> None:
        """See `Controller.steer`: `speed_m_s`, and `sideways_m_s` to the left."""
        known = {"speed_m_s", "sideways_m_s"}
        for name, value in wish.items():
            if name not in known:
                raise InputError(f"A gait from key poses is steered by {' and '.join(sorted(known))}, not by {name}.")
            setattr(self, name, float(value))

    def change_to(self, gait: PoseGait) -> None:
        """Go over to another gait at the next change of state."""
        self.machine.change_to(gait)

    def make_way(self, shot: Shot) -> None:
        """See `Controller.make_way`."""
        raise InputError("No gait takes over from key poses: take the keys out.")

    def gives_way(self) -> Taken | None:
        """See `Controller.gives_way`."""
        return None

    def set_gravity(self, gravity_m_s2: float) -> None:
        """See `Controller.set_gravity`."""
        self.scale = Scale.of(self.body, gravity_m_s2)
        self.law = Law(self.state, self.scale, self.settings, self.gait.arm_swing, self.gait.elbow)
        self.machine.slow_to(self.scale.time)
        self._loads.set_gravity(gravity_m_s2)

    def fallen(self) -> bool:
        """See `Controller.fallen`."""
        x, y, z = self.state.qpos[:3].tolist()
        if z - float(self.state.ground.height(x, y)) < FALL_HEIGHT_FRACTION * self._stature_m:
            return True
        up = self.state.data.xmat[1].reshape(3, 3)[2, 2]
        return bool(up < math.cos(min(FALL_TILT + abs(self.machine.state.torso), 0.5 * math.pi)))

    def done(self) -> bool:
        """See `Controller.done`: it goes on for as long as the shot does."""
        return False

    def plan(self) -> None:
        """See `Controller.plan`: nobody knows its steps beforehand."""
        return None

    def channels(self) -> Mapping[str, Reading]:
        """See `Controller.channels`: which state it is in, and the leg that swings there."""
        return {"pose_state": Reading("", float(self.machine.at)), "plan_heading_rad": Reading("rad", self._heading())}

    def footsteps(self) -> None:
        """See `Controller.footsteps`."""
        return None

    def stats(self) -> Mapping[str, Any]:
        """See `Controller.stats`."""
        found = {"pose_gait": self.gait.name, "pose_switches": self.machine.switches, "pose_steps": self.machine.steps,
                 "planned_speed_m_s": self.speed_m_s}
        step_s = self.machine.step_s
        return found if step_s is None else found | {"planned_stride_frequency_hz": 0.5 / step_s}


def control_step_s(gravity_m_s2: float) -> float:
    """Time from act to act [s] under a gravity, in whole milliseconds."""
    return max(round(1e3 * CONTROL_STEP_S * min(math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2), 1.0)), 1) / 1e3
