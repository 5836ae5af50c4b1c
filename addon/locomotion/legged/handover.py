# SPDX-License-Identifier: GPL-3.0-or-later
"""From one planner's motion to another's without a jump: what the body is off the new plan fades.

Each coordinate's difference x0, with its rate v0, fades as a critically damped spring lets it:
x = (x0 + (v0 + k x0) t) exp(-k t).
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

import mujoco
import numpy as np

from ...bodies.state import BodyState
from ...maths.rotations import quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from .targets import SIDES, FootTarget, Targets

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
