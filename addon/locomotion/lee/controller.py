# SPDX-License-Identifier: GPL-3.0-or-later
"""The data-driven controller (Lee 2014, chapter 3): a target pose now and then, joints that accelerate to it at every step."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from ...bodies.model import PHYSICS_STEP_S
from ...engines.engine import Accelerations, Command, Torques
from ...errors import InputError
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ...worlds.ground import check_walkable
from ..clip.bound import ClipBound, Likeness
from ..clip.settings import PlanSettings
from ..clip.shot_plan import shot_plan
from ..controller import Physics, Reading, Sensed, Setup, State
from ..legged.targets import FootLoads
from .modulation import Modulation
from .penalty import PenaltyGround
from .reference import Queue
from .settings import LeeControls, shot_controls

LOOP_ACTS = 5
"""Control steps in a step of the loop, of which every other is a sample of the Take."""


def control_step_s(gravity_m_s2: float) -> float:
    """Time from act to act [s]: a millisecond on Earth (Lee 2014: 900 Hz), similarly elsewhere; whole milliseconds where there is
    less gravity."""
    ratio = math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)
    return PHYSICS_STEP_S * (ratio if ratio < 1.0 else max(1, int(ratio)))


class LeeController(ClipBound):
    """See `controller.Controller`. Raises LopeError for a shot that cannot be followed."""

    name = "lee"
    kinds = ("human",)
    commands = (Torques, Accelerations)
    per_motion = True

    def __init__(self, setup: Setup) -> None:
        self.shot, self.body, self.state = setup.shot, setup.body, setup.state
        world, body = self.shot.world, self.body
        check_walkable(world.ground, float(np.linalg.norm(body.segment("foot_L").offset)) - body.sole_height_m, world.friction)
        controls: LeeControls = setup.settings or shot_controls(self.shot)
        self.settings = controls.lee
        self.control_step_s = control_step_s(world.gravity_m_s2)
        self.planned = planned = shot_plan(self.shot, body, PlanSettings())
        clip, slow = planned.plan.clip, planned.slow
        self.subject = Path(clip.path).stem + (f" (from frame {clip.first_frame} on)" if clip.first_frame > 1 else "")
        self.queue = Queue(self.state, planned.plan, slow, self.settings)
        self.modulation = Modulation(self.state, self.settings, slow)
        self.ground = PenaltyGround(self.state, world.friction, controls.penalty, self.control_step_s, slow)
        self.likeness = Likeness(self.state, clip)
        self._trunk = self.state.frame(body.role("trunk"))
        self._integrated = setup.wants is Accelerations
        self._loads = FootLoads(body, world.gravity_m_s2)
        self._every = max(1, round(slow / (self.settings.rate_hz * self.control_step_s)))
        self._kt = self.settings.kt / slow**2
        self._kv = 2.0 * math.sqrt(self._kt)
        self._tick = 0
        nq, nv = self.state.model.nq, self.state.model.nv
        self._target, self._rate, self._bend = np.zeros(nq), np.zeros(nv), np.zeros(nv)
        self._away = np.zeros(nv)
        self._sensed: Sensed

    @classmethod
    def physics(cls, shot: Shot) -> Physics:
        """See `Controller.physics`: a millisecond, shorter where things fall faster than on Earth, and feet on the ground."""
        faster = max(shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2, 1.0)
        return Physics(PHYSICS_STEP_S / math.sqrt(faster), acts=LOOP_ACTS)

    @classmethod
    def groups(cls) -> dict[str, Any]:
        return LeeControls().groups()

    @classmethod
    def searched(cls, shot: Shot) -> tuple[str, ...]:
        """See `Controller.searched`: the gains that every motion needs of its own."""
        return ("lee",)

    def start(self, state: State | None = None) -> State:
        """See `Controller.start`: the clip's first frame, as deep in the ground as its springs carry the body. Raises InputError
        for a state that is not the clip's own."""
        if state is not None:
            raise InputError("The controller lee begins in its clip's first frame, not in another state: put it first.")
        qpos, rate, _ = self.queue.motion(0.0)
        qvel = rate / self.planned.slow
        state_of = self.state
        state_of.update(qpos, qvel)
        qpos[2] -= self.ground.sinking_m(state_of.contact_height_m) if self._integrated else float(
            state_of.contact_height_m.min())
        return qpos, self._disturbed(qvel)

    def sense(self, sensed: Sensed) -> None:
        self._sensed = sensed
        if sensed.contact_force_n is not None:
            self.ground.feel(sensed.contact_force_n)

    def act(self) -> Command:
        if self._tick:
            self._advance()
        if self._tick % self._every == 0:
            self._aim()
        self._tick += 1
        mujoco.mj_differentiatePos(self.state.model, self._away, 1.0, self.state.qpos, self._target)
        joints = (self._kt * self._away + self._kv * (self._rate - self.state.qvel) + self._bend)[6:]  # eq. 3.2
        ground = self.ground
        if self._integrated:
            root = ground.press(joints)
            return Accelerations(np.concatenate([root, joints]), ground.force_n.copy(), ground.torques(root, joints))
        root = ground.root_acceleration(joints)
        return Torques(ground.torques(root, joints))

    def _advance(self) -> None:
        """Let the clip's clock go on; a foot that lands brings the next fragment."""
        loads = self._loads.forces(self.ground.force_n)[:, 2] > self._loads.threshold_n
        loaded = {foot.name: bool(load) for foot, load in zip(self.body.feet, loads.tolist(), strict=True)}
        if self.queue.advance(self._sensed.time_s, self.control_step_s, loaded, self._target):
            self._tick = 0

    def _aim(self) -> None:
        """Make the target pose anew: of the clip's next frame."""
        queue, s = self.queue, self.settings
        pose, rate, bend = queue.motion(queue.time_s + 1.0 / s.rate_hz)
        fragment, slow = queue.fragment, self.planned.slow
        self._target = self.modulation.target(pose, fragment, queue.time_s, queue.wanted(0.0), queue.wanted(1.0 / s.rate_hz))
        self._rate[:], self._bend[:] = rate / slow, s.reference_acceleration * bend / slow**2

    def fallen(self) -> bool:
        """See `Controller.fallen`: far lower over the ground than the clip is over its own soles, or the trunk lies."""
        now = self.queue.clip_time_s
        return self._sunk(now) or self._lies(now, self._trunk)

    def channels(self) -> Mapping[str, Reading]:
        w, _, _, z = self._target[3:7].tolist()
        return {"plan_heading_rad": Reading("rad", 2.0 * math.atan2(z, w)), **self._follows(self.queue.clip_time_s)}

    def footsteps(self) -> Sequence[tuple[float, Any]]:
        return self.queue.footsteps

    def stats(self) -> Mapping[str, Any]:
        return {**self._followed(self.queue.clip_time_s), **self._came_down(self.queue.touch_downs)}
