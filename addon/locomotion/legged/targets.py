# SPDX-License-Identifier: GPL-3.0-or-later
"""What a planner asks of the tracker at one instant, and how it runs on until the next plan step; what a planner is. Feet go
from their planned poses at three moments; which of them carry weight is measured. From one planner's motion to another's
without a jump, what the body is off the new plan fades: each coordinate's difference x0, with its rate v0, as a critically
damped spring lets it, x = (x0 + (v0 + k x0) t) exp(-k t)."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import mujoco
import numpy as np

from ...bodies.body import Body
from ...bodies.state import BodyState
from ...maths.rotations import (
    from_rotvec,
    inverse,
    product,
    quat_conjugate,
    quat_from_rotvec,
    quat_multiply,
    rotvec_from_quat,
    to_rotvec,
    z_turn,
)
from ..qp.constraints import Sliding
from .foot_geometry import FootPose, Footstep


@dataclass
class FootTarget:
    """Wanted motion of one foot segment's origin (the ankle), world axes."""

    position: np.ndarray = field(default_factory=lambda: np.zeros(3))
    velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    acceleration: np.ndarray = field(default_factory=lambda: np.zeros(3))
    quaternion: np.ndarray = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    angular_velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    stance: bool = True
    angular_acceleration: np.ndarray = field(default_factory=lambda: np.zeros(3))


@dataclass
class Targets:
    """Planned motion at `time_s`; between plan steps the tracker extrapolates with the rates.

    `cmp` (complex, world) is the centroidal moment pivot wanted, the centre of pressure but for the limbs' swing, and `omega`
    [1/s] the pendulum's rate: the horizontal COM acceleration is omega^2 (c - cmp); None stands for the rate that goes with the
    height, omega^2 = (g + z'') / z. `pose` (nq,), `pose_velocity` (nv,), `pose_acceleration` (nv,) is the whole reference pose.
    `height` holds COM height, its velocity and acceleration. `active` (P,) tells which contact points may push, `expected` (P,)
    which ones should be on the ground. `jerk` [m/s^3] is the rate of the height's acceleration; `angular_momentum` (3,), where
    given, that about the COM [kg m^2/s, world axes] that is sought at `angular_momentum_rate` [1/s]; `sliding` how contact points
    of feet that turn on the ground move there; `unloading` a foot's points (P,) bool and the most that they push together [N].
    """

    time_s: float
    cmp: complex
    omega: float | None
    height: tuple[float, float, float]
    pose: np.ndarray
    pose_velocity: np.ndarray
    pose_acceleration: np.ndarray
    feet: dict[str, FootTarget]
    active: np.ndarray
    expected: np.ndarray
    heading: float
    jerk: float = 0.0
    angular_momentum: np.ndarray | None = None
    angular_momentum_rate: float = 0.0
    sliding: Sliding | None = None
    unloading: tuple[np.ndarray, float] | None = None


SIDES = ("L", "R")
FeetPose = dict[str, FootPose]


def foot_targets(
    heading: float, instants: Sequence[FeetPose], dt: float, stands: Mapping[str, bool], turn_limit: float = math.inf
) -> dict[str, FootTarget]:
    """Wanted motion of the feet from their poses `dt` [s] before, now and `dt` after, by central differences. `stands` tells
    which foot its contact points hold. No angular acceleration fed forward exceeds `turn_limit` [rad/s^2]."""
    turn, found, half, square = z_turn(heading), {}, 0.5 / dt, 1.0 / dt**2
    for side in SIDES:
        one, two, three = instants[0][side], instants[1][side], instants[2][side]
        (x0, y0, z0), (x, y, z), (x1, y1, z1) = one.ankle.tolist(), two.ankle.tolist(), three.ankle.tolist()
        before = now = product(turn, from_rotvec(two.rotvec.tolist()))
        if one is not two:
            before = product(turn, from_rotvec(one.rotvec.tolist()))
        after = now if three is two else product(turn, from_rotvec(three.rotvec.tolist()))
        a0, a1, a2 = to_rotvec(product(now, inverse(before)))
        b0, b1, b2 = to_rotvec(product(after, inverse(now)))
        row = np.array([
            x, y, z, half * (x1 - x0), half * (y1 - y0), half * (z1 - z0),
            square * (x1 - 2.0 * x + x0), square * (y1 - 2.0 * y + y0), square * (z1 - 2.0 * z + z0), *now,
            half * (a0 + b0), half * (a1 + b1), half * (a2 + b2),
            min(max(square * (b0 - a0), -turn_limit), turn_limit), min(max(square * (b1 - a1), -turn_limit), turn_limit),
            min(max(square * (b2 - a2), -turn_limit), turn_limit)])
        found[side] = FootTarget(row[:3], row[3:6], row[6:9], row[9:13], row[13:16], stands[side], row[16:])
    return found


def turn_quat(heading: float) -> np.ndarray:
    """Quaternion (4,) of a turn about the vertical [rad]."""
    return np.array([math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading)])


LOADED_SHARE = 0.02
"""A foot is loaded when it carries more than this fraction of the body's weight (first guess)."""
IDEAL_CONTACT_M = 0.001
"""Height below which a contact point counts as touching where the engine knows no contact."""


class FootLoads:
    """Sums forces on contact points to forces on the feet."""

    def __init__(self, body: Body, gravity_m_s2: float) -> None:
        self._body, self._feet = body, {foot.name: list(foot.points) for foot in body.feet}
        self._of_foot = np.zeros((len(body.feet), len(body.contact_points)))
        for row, points in zip(self._of_foot, self._feet.values(), strict=True):
            row[points] = 1.0
        self.set_gravity(gravity_m_s2)

    def set_gravity(self, gravity_m_s2: float) -> None:
        """What counts as loaded under a gravity."""
        self.threshold_n = LOADED_SHARE * self._body.mass_kg * gravity_m_s2

    def forces(self, forces: np.ndarray) -> np.ndarray:
        """Ground force (F, 3) on each foot from the forces (P, 3) on the points."""
        return self._of_foot @ forces

    def loaded(self, forces: np.ndarray | None, state: BodyState) -> dict[str, bool]:
        """Which feet carry weight, by name; without forces, a foot on the ground counts as loaded."""
        if forces is None:
            low = state.contact_height_m < IDEAL_CONTACT_M
            return {name: bool(low[points].any()) for name, points in self._feet.items()}
        return dict(zip(self._feet, (self.forces(forces)[:, 2] > self.threshold_n).tolist(), strict=True))


FIRST_LOADED = {"L": True, "R": False}
"""Which feet carry weight when the first plan is made: every gait begins on or before its left foot."""


class Planner(Protocol):
    """From the measured state to what the tracker should do. `footsteps` lists (time [s], Footstep) of the feet that struck."""

    @property
    def footsteps(self) -> list[tuple[float, Footstep]]: ...

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (nq,) and velocities (nv,) of a body that is already moving as planned."""

    def update(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        """Plan from the state measured now. `loaded` tells which feet carry weight; `dt` [s] is the time since the last
        call, 0 for the first."""

    def change(self, gait: Any, gravity_m_s2: float) -> None:
        """Take over gait variables, of the planner's own kind, and gravity that have changed on the way."""

    def due(self, loaded: dict[str, bool]) -> bool:
        """Whether the plan should be made anew at once: a foot has come down that it waits for."""


POSE_RATE = 16.0
"""Rate at which differences of the pose fade [1/s], on Earth: arms and trunk take a quarter of a second."""
FADED = 8.0
"""Rate times time after which nothing is left of them."""


class Handover:
    """Fades from the state measured when a plan begins into the plan. `time_scale` is how fast everything goes over Earth's;
    `feet_rate` and `pose_rate` [1/s], on Earth, are how fast the differences fade of the feet, but for those in `held`, and of
    the pose; `of` (nv,) is how much of the pose's differences there is to fade."""

    def __init__(self, state: BodyState, plan: Targets, time_scale: float, feet_rate: float,
                 held: Collection[str] = (), pose_rate: float = POSE_RATE, of: np.ndarray | float = 1.0) -> None:
        self._model, self._since_s = state.model, plan.time_s
        self._rate, self._feet_rate = pose_rate * time_scale, feet_rate * time_scale
        self._pose = np.zeros((2, state.model.nv))
        mujoco.mj_differentiatePos(state.model, self._pose[0], 1.0, plan.pose, state.qpos)
        self._pose[1] = state.qvel - plan.pose_velocity
        self._pose *= of
        self._feet = {side: self._foot(state, side, plan.feet[side]) for side in SIDES if side not in held}

    @staticmethod
    def _foot(state: BodyState, side: str, target: FootTarget) -> np.ndarray:
        """Differences (2, 6) of a foot's place and turn, and of their rates."""
        frame = state.frame(f"foot_{side}")
        turn = rotvec_from_quat(quat_multiply(frame.quaternion, quat_conjugate(target.quaternion)))
        motion = np.empty(6)
        mujoco.mj_objectVelocity(state.model, state.data, mujoco.mjtObj.mjOBJ_XBODY, frame.id, motion, 0)
        return np.array([np.concatenate([frame.position - target.position, turn]),
                         np.concatenate([motion[3:] - target.velocity, motion[:3] - target.angular_velocity])])

    def over(self, time_s: float) -> bool:
        """Whether nothing is left of the differences."""
        return min(self._rate, self._feet_rate) * (time_s - self._since_s) > FADED

    def applied(self, targets: Targets) -> Targets:
        """Targets with what is left of the differences."""
        since = targets.time_s - self._since_s
        shift, rate, second = left(self._pose, self._rate, since)
        pose = targets.pose.copy()
        mujoco.mj_integratePos(self._model, pose, shift, 1.0)
        feet = {side: self._moved(targets.feet[side], *left(off, self._feet_rate, since)) for side, off in self._feet.items()}
        return replace(targets, pose=pose, pose_velocity=targets.pose_velocity + rate,
                       pose_acceleration=targets.pose_acceleration + second, feet={**targets.feet, **feet})

    @staticmethod
    def _moved(target: FootTarget, shift: np.ndarray, rate: np.ndarray, second: np.ndarray) -> FootTarget:
        turned = quat_multiply(quat_from_rotvec(shift[3:]), target.quaternion)
        return replace(target, position=target.position + shift[:3], velocity=target.velocity + rate[:3],
                       acceleration=target.acceleration + second[:3], quaternion=turned,
                       angular_velocity=target.angular_velocity + rate[3:],
                       angular_acceleration=target.angular_acceleration + second[3:])


def left(start: np.ndarray, rate: float, since_s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What is left of differences and their rates (2, n) after a time [s], and at which rate and acceleration it goes."""
    faded = math.exp(-rate * since_s)
    pull = start[1] + rate * start[0]
    rest = (start[0] + pull * since_s) * faded
    speed = pull * faded - rate * rest
    return rest, speed, -rate * pull * faded - rate * speed
