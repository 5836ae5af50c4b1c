# SPDX-License-Identifier: GPL-3.0-or-later
"""The tracker: aims the tasks of the quadratic program at the planner's targets. And what controllers share that plan now and
then and track the plan's targets with the quadratic program at every step."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar

import mujoco
import numpy as np

from ...bodies.of_shot import shot_body
from ...bodies.state import BodyState
from ...engines.engine import Accelerations, Command, Torques
from ...specs.disturbances import RAILS, Reaction
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ...worlds.ground import check_walkable
from ..controller import Controller, Physics, Reading, Sensed, Setup
from ..legged.targets import FootLoads, FootTarget, Targets
from ..qp.constraints import ContactSet, Gaps, HingeLimits
from ..qp.muscle_program import EffortSettings, Muscles, muscles_at
from ..qp.program import Limits, Objective, Problem, WholeBodyProgram
from ..qp.tasks import ComTask, ContactTask, FramesTask, MomentumTask, PostureTask, TorqueTask
from .weights import SHORT_LEG_M, TrackerSettings, held_joints, joint_weights, torque_limits
from .yielding import OFF, Easing, Yielding, off_deg


class Tracker:
    """Turns targets into torques. After `solve`: `torque` (nv-6,), `acceleration` (nv,), `contact_force_n` (P, 3). The frames
    that are led are the feet, then root, trunk, and a head with a weight, of which only the orientations are."""

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
        self._held = held_joints(body)
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
            state, self.contacts,
            Objective((self.com, self.frames, self.momentum), PostureTask(state, joint_weights(body, s)),
                      ContactTask(state, self.contacts, s.contact_weight),
                      TorqueTask(state, self.contacts, s.torque_weight), s.force_weight),
            Limits(HingeLimits(state, s.limit_margin_deg, s.limit_horizon_s), torque_limits(body, gravity, s.toe_strength),
                   s.cone_damping, gaps))
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
        """Torques (nv-6,) for the state as it is, `ahead_s` after the plan step that made `targets`. `limit_rate` replaces the
        settings' cone damping [1/s] (the ideal engine stops contacts within one step)."""
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
        self.program.unloading = targets.unloading
        self._aim_com(targets, ahead_s)
        self._aim_frames(targets)
        self.momentum.momentum, self.momentum.rate = targets.angular_momentum, targets.angular_momentum_rate
        gain: float | np.ndarray = self.settings.joint_gain
        if self._held.any():  # as firm everywhere: what is held is no lighter to turn on the Moon
            gain = np.where(self._held, self._earthly.joint_gain, gain)
        gain = gain if self._easing is None else gain * self._easing.joints
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


CONTROL_STEP_S, QUICK_STEP_S, TRACKED_STEP_S = 0.010, 0.005, 0.002
"""Time from solve to solve, that of gaits with flight and of all that `is_quick`, and the longest of a physics step, of motions
as quick as a grown-up's on Earth; all scale with theirs, as all times of similar motions do (measured: docs/notes/speed.md)."""
USUAL_STEPS_S, NEARLY = (0.010, 0.005), 0.9
"""Control steps that give takes a hundred samples a second: the longer one, where this share of it would be short enough."""
LONGEST_PLAN_S = 0.020
"""Time from plan to plan, however slow a motion is: a walk on the Moon that was planned every 30 ms landed hard."""
FALL_HEIGHT_FRACTION = 0.65
"""Below this fraction of the planned COM height, or with the trunk tilted past `FALL_TILT`, the character has fallen."""
FALL_TILT = math.radians(65.0)


def is_quick(shot: Shot) -> bool:
    """Whether there is more in a shot than limbs that move: muscles, or what flies."""
    return shot.actuation is not None or bool(shot.loose)


class TrackedController(Controller):
    """What a shot's controller has that tracks a plan: the shot, the body and its state, what was sensed last, when it planned
    and the targets that it planned. A kind of it brings the `tracker` and `_plan`, which is called every `_plan_every` control
    steps, and sooner where a plan is `_due`. Raises InputError for ground that such legs cannot walk on."""

    tracker: Tracker
    walks: ClassVar[bool] = True
    """Whether it sets foot before foot, so that no edge may be higher than the knee."""

    def __init__(self, setup: Setup, interval_s: float, effort: EffortSettings) -> None:
        """`interval_s` is the time from plan to plan of motions as quick as on Earth, `effort` what it costs muscles to move the
        body, where it has some."""
        self.shot, self.body, self.state = setup.shot, setup.body, setup.state
        world = self.shot.world
        knee_m = float(np.linalg.norm(self.body.segment("foot_L").offset)) - self.body.sole_height_m
        check_walkable(world.ground, knee_m if self.walks else math.inf, world.friction)
        self.control_step_s = setup.control_step_s or self.time_step_s(self.shot)
        self.muscles = muscles_at(self.shot, self.body, self.control_step_s, effort)
        self._from_rest = setup.taken is None
        planned_s = min(interval_s * self.slowness(self.shot), LONGEST_PLAN_S)
        self._plan_every = max(1, math.floor(planned_s / self.control_step_s + 1e-6))
        self._integrated = setup.wants is Accelerations
        self._loads = FootLoads(self.body, world.gravity_m_s2)
        self._tick = self._planned_tick = 0
        self._sensed: Sensed
        reaction = self.shot.reaction or Reaction()
        self._yielding = Yielding(self.state, reaction) if self.shot.reacts and reaction.law != RAILS else None
        self.targets: Targets | None = None

    @classmethod
    def slowness(cls, shot: Shot) -> float:
        """How many times as slow as a grown-up's on Earth a shot's motions are, by its largest gravity, and on short legs.
        Muscles and what strikes a body are as quick everywhere."""
        world = shot.world
        heaviest = max([world.gravity_m_s2] + [gravity for _, gravity in world.gravity_ramp])
        short = min(shot_body(shot).leg_length_m / SHORT_LEG_M, 1.0)
        slow = math.sqrt(short * EARTH_GRAVITY_M_S2 / heaviest)
        return min(slow, 1.0) if is_quick(shot) else slow

    @classmethod
    def time_step_s(cls, shot: Shot) -> float:
        """Time from solve to solve [s] in a shot: 10 or 5 ms, so that takes have a hundred samples a second, or some whole
        milliseconds less."""
        longest = cls.step_on_earth_s(shot) * cls.slowness(shot)
        usual = next((step_s for step_s in USUAL_STEPS_S if longest > NEARLY * step_s), None)
        return usual or max(math.floor(1e3 * longest + 1e-6), 1) / 1e3

    @classmethod
    def step_on_earth_s(cls, shot: Shot) -> float:
        """The same [s] of its motions on Earth."""
        return QUICK_STEP_S if is_quick(shot) else CONTROL_STEP_S

    @classmethod
    def physics(cls, shot: Shot) -> Physics:
        """See `Controller.physics`: some steps to each of its own; a millisecond for what is quicker than limbs."""
        if is_quick(shot):
            return Physics()
        step_s = cls.time_step_s(shot)
        return Physics(step_s=step_s / max(math.ceil(step_s / (TRACKED_STEP_S * cls.slowness(shot)) - 0.1), 1))

    def yield_as(self, before: TrackedController) -> None:
        """Go on yielding to what has struck the body as the controller before did."""
        self._yielding = before._yielding

    def sense(self, sensed: Sensed) -> None:
        self._sensed = sensed
        if self.targets is None:
            self.targets = self._plan(sensed.time_s, 0.0)

    def act(self) -> Command:
        """See `Controller.act`: plan if it is time, and solve."""
        since = self._tick - self._planned_tick
        if since >= self._plan_every or self._due():
            self.targets, self._planned_tick = self._plan(self._sensed.time_s, since * self.control_step_s), self._tick
        return self._command()

    @abstractmethod
    def _plan(self, time_s: float, since_s: float) -> Targets:
        """The targets of a plan from what is sensed at a time, so long after the last one; 0 for the first."""

    def _due(self) -> bool:
        """Whether something has happened that a plan has to be made for now."""
        return False

    def _command(self) -> Command:
        """The command that brings the body nearest to the targets now."""
        self._tick += 1
        targets = self._aims()
        tracker, ahead = self.tracker, self._sensed.time_s - targets.time_s
        if self._yielding is not None:
            self._yielding.feel(self._sensed.time_s, self._sensed.struck)
            tracker.ease(self._yielding.easing(self._sensed.time_s, tracker.torque))
        if self.muscles is not None:
            self.muscles.feel(self._sensed.muscles, begins=self._from_rest and self._sensed.time_s == 0.0)
            tracker.solve(targets, ahead)
            return self.muscles.command(tracker.program)
        if self._integrated:
            tracker.solve(targets, ahead, limit_rate=1.0 / self.control_step_s)
            return Accelerations(tracker.acceleration, tracker.contact_force_n, tracker.torque)
        return Torques(tracker.solve(targets, ahead))

    def _loaded(self) -> dict[str, bool]:
        """Which feet carry weight; before the first step no force has been felt yet, and what touches the ground counts."""
        force = self._sensed.contact_force_n
        return self._loads.loaded(None if force is None or (not force.any() and self._tick == 0) else force, self.state)

    def _struck(self) -> dict[str, Reading]:
        """Of a shot where somebody reacts: how far the joints of each chain are from the pose that is wanted."""
        if self._yielding is None:
            return {}
        return {OFF: Reading("deg", off_deg(self._yielding.chains, self.tracker.program.posture.error))}

    def _aims(self) -> Targets:
        """The targets of the last plan, of which there is one as soon as something is sensed."""
        if self.targets is None:
            raise RuntimeError("A controller acts on what it has sensed: sense comes first.")
        return self.targets
