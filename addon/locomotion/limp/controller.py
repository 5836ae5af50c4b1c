# SPDX-License-Identifier: GPL-3.0-or-later
"""The limp body: whatever state it is given, it lets go, falls and comes to rest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from ...bodies.body import Body
from ...bodies.model import PHYSICS_STEP_S
from ...engines.engine import Excitations, Torques
from ...errors import InputError
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ..controller import Controller, Part, Physics, Reading, Sensed, Setup, State
from .joints import Joints, LimpSettings
from .reach import Reach

STILL_M_S, STILL_RAD_S = 0.02, 0.2
"""A body whose root and joints are slower than this is still; the eye sees no motion."""
STILL_S = 0.5
"""One that was still for so long lies at rest (at Earth's gravity; the time scales with 1 / sqrt(g))."""


class LimpController(Controller):
    """See `controller.Controller`. Moves any body; the joints' moments are those of `Body.passive_joint`."""

    name = "limp"
    commands = (Torques, Excitations)
    who = "A limp body"
    takes_over = after_fall = True
    subject = "the fall"

    def __init__(self, setup: Setup) -> None:
        self.body, self.state = setup.body, setup.state
        self.settings: LimpSettings = setup.settings or self.changed(setup.shot.gains)["limp"]
        self.control_step_s = PHYSICS_STEP_S
        if setup.control_step_s is not None:  # a whole part of the step of whoever was at work before
            self.control_step_s = setup.control_step_s / max(1, round(setup.control_step_s / PHYSICS_STEP_S))
        self._joints = Joints(self.body, self.settings)
        hands = self.settings.hands if setup.stood else 0.0
        self._reach = Reach(self.body, self.state, hands) if hands else None
        self._root = self.body.root_freedom
        self._ahead = np.zeros(self.state.model.nq)
        self._began_s: float | None = None
        self._still_since_s: float | None = None
        self._rest_s: float | None = None
        self._stored_j = 0.0
        self.set_gravity(setup.shot.world.gravity_m_s2)

    @classmethod
    def check_parts(cls, parts: Sequence[Part], body: Body) -> None:
        raise InputError("A limp body has neither gait nor speed to key: take the keys out, or choose the controller tracking.")

    @classmethod
    def physics(cls, shot: Shot) -> Physics:
        """See `Controller.physics`: a millisecond, and all of the body on the ground."""
        return Physics(capsules=True)

    @classmethod
    def groups(cls) -> dict[str, Any]:
        return {"limp": LimpSettings()}

    def set_gravity(self, gravity_m_s2: float) -> None:
        self._gravity_m_s2 = gravity_m_s2

    def start(self, state: State | None = None) -> State:
        """See `Controller.start`: a state of its own is the neutral pose, standing."""
        if state is None:
            qpos, qvel = self.state.model.qpos0.copy(), np.zeros(self.state.model.nv)
            height = 1 if self.body.segments[0].joint == "planar" else 2
            qpos[height] += self.body.pelvis_height_m
            state = qpos, qvel
        self._joints.take_over(state[0])
        return state

    def sense(self, sensed: Sensed) -> None:
        self._qpos, self._qvel = sensed.qpos, sensed.qvel
        if self._began_s is None:
            self._began_s = sensed.time_s
        self._let_go_s = sensed.time_s - self._began_s
        move = 3 if self._root == 6 else 2
        still = (np.abs(self._qvel[:move]).max() < STILL_M_S and np.abs(self._qvel[move:]).max() < STILL_RAD_S)
        if not still:
            self._still_since_s = None
        elif self._still_since_s is None:
            self._still_since_s = sensed.time_s
        long_s = STILL_S * math.sqrt(EARTH_GRAVITY_M_S2 / self._gravity_m_s2)
        since_s = self._still_since_s
        if since_s is not None and self._rest_s is None and sensed.time_s - since_s >= long_s:
            self._rest_s = since_s

    def act(self) -> Torques:
        faded = math.exp(-self._let_go_s / self.settings.fade_s)
        left = self.settings.kept + (1.0 - self.settings.kept) * faded
        tone = self.settings.tone * left
        self._ahead[:] = self._qpos
        mujoco.mj_integratePos(self.state.model, self._ahead, self._qvel, self.control_step_s)
        here, there = self._joints.evaluate(self._qpos, tone), self._joints.evaluate(self._ahead, tone)
        self._stored_j = here.energy_j
        damping = self._joints.damping(here, there, self.settings.braced * left, self.control_step_s)
        if self._reach is not None:
            self._reach.draw(self._let_go_s, self._gravity_m_s2, here.torque, damping, self.control_step_s)
        return Torques(here.torque, damping)

    def channels(self) -> Mapping[str, Reading]:
        """See `Controller.channels`: kinetic and potential energy, over the ground at height 0, and what the joints store."""
        state = self.state
        moving = 0.5 * state.qvel @ state.mass_matrix @ state.qvel
        lifted = -state.mass_kg * float(state.gravity @ state.com)
        return {"limp_energy_j": Reading("J", float(moving + lifted + self._stored_j)),
                "limp_joint_energy_j": Reading("J", self._stored_j)}

    def done(self) -> bool:
        return self._rest_s is not None

    def stats(self) -> Mapping[str, Any]:
        return {"time_rest_s": self._rest_s}

    def make_way(self, shot: Shot) -> None:
        raise InputError("A limp body has no gait to change from: take the keys of its gait out.")

    def fallen(self) -> bool:
        return False
