# SPDX-License-Identifier: GPL-3.0-or-later
"""The tracker: aims the tasks of the quadratic program at the planner's targets."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from ...bodies.state import BodyState
from ..hit.yielding import Easing
from ..muscle_qp.muscles import Muscles
from ..qp.cones import ContactSet
from ..qp.contact_task import ContactTask, TorqueTask
from ..qp.gaps import Gaps
from ..qp.limits import HingeLimits
from ..qp.program import WholeBodyProgram
from ..qp.solver import Problem
from ..qp.task import ComTask, FramesTask, MomentumTask, PostureTask
from .planners.targets import FootTarget, Targets
from .weights import TrackerSettings, joint_weights, torque_limits


class Tracker:
    """Turns targets into torques. After `solve`: `torque` (nv-6,), `acceleration` (nv,), `contact_force_n` (P, 3).

    The frames that are led are the feet, then root, trunk, and a head with a weight, of which only the orientations are.
    """

    def __init__(
        self, state: BodyState, friction: float, settings: TrackerSettings | None = None, quicker: float = 1.0,
        gaps: Gaps | None = None, muscles: Muscles | None = None,
    ) -> None:
        """`quicker` is how many times as fast as a motion similar to Earth's under that gravity the tracked one goes; `gaps` are
        kept open; without `muscles` torques move the body."""
        self.state, self._quicker, self._earthly = state, quicker, settings or TrackerSettings()
        gravity = -float(state.gravity[2])
        self.settings = s = self._earthly.under(gravity * quicker**2)
        body = state.body
        self._easing: Easing | None = None
        self._aimed: Targets | None = None  # those that the frames are aimed at: they last for several control steps
        self._feet = {foot.name: i for i, foot in enumerate(body.feet)}
        upright = [body.role("root"), body.role("trunk"), *([body.role("head")] if s.head_weight else [])]
        self._upright = range(len(self._feet), len(self._feet) + len(upright))
        self.frames = FramesTask(state, [state.frame(name) for name in (*(foot.segment for foot in body.feet), *upright)])
        self.trunk = self.frames.frames[self._upright[1]]
        self.com = ComTask(state, [s.com_weight, s.com_weight, s.height_weight])
        self.momentum = MomentumTask(state, s.angular_momentum_weight)
        self._reference = mujoco.MjData(state.model)
        self.contacts = ContactSet(state, friction * s.friction_fraction, friction)
        self.program = (WholeBodyProgram if muscles is None else muscles.program)(
            state, self.contacts, tasks=(self.com, self.frames, self.momentum),
            posture=PostureTask(state, joint_weights(body, s)),
            contact=ContactTask(state, self.contacts, s.contact_weight),
            effort=TorqueTask(state, self.contacts, s.torque_weight),
            limits=HingeLimits(state, s.limit_margin_deg, s.limit_horizon_s), force_weight=s.force_weight,
            torque_limit=torque_limits(body, gravity, s.toe_strength), cone_damping=s.cone_damping, gaps=gaps)
        self.solver = self.program.solver
        self.torque, self.acceleration = self.program.torque, self.program.acceleration
        self.contact_force_n = self.program.contact_force_n
        weights = self.frames.root_weights
        weights[: len(self._feet), 3:] = math.sqrt(s.foot_orientation_weight)
        for i, weight in zip(self._upright, (s.pelvis_weight, s.chest_weight, s.head_weight), strict=False):
            weights[i, 3:] = math.sqrt(weight)
        self._set_gains()

    def _set_gains(self) -> None:
        """Gains and dampings of the settings; the weights stay."""
        s, program, self._aimed = self.settings, self.program, None
        for i, gain in zip(self._upright, (s.pelvis_gain, s.chest_gain, s.head_gain), strict=False):
            self.frames.gains[i, 3:] = gain * self._eased(i)
        program.contact.damping, program.contact.hover_gain = s.contact_damping, s.hover_gain
        program.cone_damping = s.cone_damping

    def set_gravity(self, gravity_m_s2: float) -> None:
        """Gains, dampings and torque limits for another gravity; the state must have it already."""
        self.settings = self._earthly.under(gravity_m_s2 * self._quicker**2)
        self._set_gains()
        self.program.torque_limit = torque_limits(self.state.body, gravity_m_s2, self.settings.toe_strength)

    def ease(self, easing: Easing | None) -> None:
        """From now on gains are what an easing makes of their own ones; None leaves them."""
        if easing is not None or self._easing is not None:
            self._easing = easing
            self._set_gains()

    def _eased(self, i: int) -> float:
        """What the gain of a frame that is led is of its own one."""
        return 1.0 if self._easing is None else self._easing.frames.get(self.frames.frames[i].name, 1.0)

    def solve(self, targets: Targets, ahead_s: float, *, limit_rate: float | None = None) -> np.ndarray:
        """Torques (nv-6,) for the state as it is, `ahead_s` after the plan step that made `targets`.

        `limit_rate` replaces the settings' cone damping [1/s] (the ideal engine stops contacts within one step).
        """
        self._aim(targets, ahead_s)
        self.program.solve(ahead_s, limit_rate)
        return self.torque

    def build(self, targets: Targets, ahead_s: float, limit_rate: float | None = None) -> Problem:
        """The problem that `solve` solves. Its arrays are valid until the next call."""
        self._aim(targets, ahead_s)
        return self.program.build(ahead_s, limit_rate)

    def _aim(self, targets: Targets, ahead_s: float) -> None:
        """Hand the targets to the tasks."""
        self.contacts.update(targets.active, targets.expected, targets.sliding)
        self._aim_com(targets, ahead_s)
        self._aim_frames(targets)
        self.momentum.momentum, self.momentum.rate = targets.angular_momentum, targets.angular_momentum_rate
        gain = self.settings.joint_gain if self._easing is None else self.settings.joint_gain * self._easing.joints
        self.program.posture.aim(targets.pose, targets.pose_velocity, targets.pose_acceleration, gain, ahead_s)

    def _aim_com(self, targets: Targets, ahead_s: float) -> None:
        """COM: the pendulum's acceleration over the wanted centre of pressure, and the planned height."""
        state, s = self.state, self.settings
        height, speed, rising = targets.height
        height += ahead_s * speed
        speed += ahead_s * (rising + 0.5 * ahead_s * targets.jerk)
        rising += ahead_s * targets.jerk
        x, y, z = state.com.tolist()
        up = s.height_gain * (height - z) + 2.0 * math.sqrt(s.height_gain) * (speed - float(state.com_velocity[2])) + rising
        square = max(rising - float(state.gravity[2]), 0.0) / height if targets.omega is None else targets.omega**2
        self.com.acceleration[:] = square * (x - targets.cmp.real), square * (y - targets.cmp.imag), up

    def _aim_frames(self, targets: Targets) -> None:
        """Root and trunk turn as in the reference pose, feet go as planned."""
        frames, feet = self.frames, len(self._feet)
        jacobian = frames.take_over().jacobian[feet:, 3:]
        np.matmul(jacobian, targets.pose_velocity, out=frames.velocity[feet:, 3:])
        np.matmul(jacobian, targets.pose_acceleration, out=frames.acceleration[feet:, 3:])
        if targets is not self._aimed:
            self._aimed, reference = targets, self._reference
            reference.qpos[:] = targets.pose
            mujoco.mj_kinematics(self.state.model, reference)
            for i in self._upright:
                frames.quaternion[i] = reference.xquat[frames.frames[i].id]
            for name, i in self._feet.items():
                self._aim_foot(targets.feet[name], i)

    def _aim_foot(self, target: FootTarget, i: int) -> None:
        """Swing feet follow position and orientation; standing ones orientation only: their contact points hold them."""
        frames, s = self.frames, self.settings
        frames.root_weights[i, :3] = 0.0 if target.stance else math.sqrt(s.swing_weight)
        frames.gains[i] = s.stance_orientation_gain if target.stance else s.swing_gain * self._eased(i)
        frames.position[i], frames.quaternion[i] = target.position, target.quaternion
        frames.velocity[i, :3], frames.velocity[i, 3:] = target.velocity, target.angular_velocity
        frames.acceleration[i, :3], frames.acceleration[i, 3:] = target.acceleration, target.angular_acceleration
