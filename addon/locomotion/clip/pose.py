# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole reference pose: pelvis, trunk and arms of the clip, over the centre of mass as it is, legs to the feet as planned."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import solve_leg
from ...maths.rotations import Quaternion, from_rotvec, inverse, product, rotated
from ..legged.foot_geometry import FootPose
from .clip import Instant, Track

FeetPose = dict[str, FootPose]


class ClipPose:
    """Builds generalised coordinates (nq,) of one body from a clip's instants. Feet's rotation vectors are the world's."""

    def __init__(self, body: Body, track: Track) -> None:
        self._track = track
        self._hip = [tuple(float(x) for x in body.segment(f"thigh_{s}").offset) for s in SIDES]
        self.thigh_m = float(np.linalg.norm(body.segment("shank_L").offset))
        self.shank_m = float(np.linalg.norm(body.segment("foot_L").offset))
        slots, at = {}, 7
        for name in body.joint_segments:
            slots[name] = at
            at += 4 if body.segment(name).joint == "ball" else 1
        self._legs = []
        for side in SIDES:
            toes = slots.get(f"toes_{side}")
            most = body.segment(f"toes_{side}").range_rad[1] if toes is not None else 0.0
            self._legs.append((slots[f"thigh_{side}"], slots[f"shank_{side}"], slots[f"foot_{side}"], toes, most))

    def follow_on(self, track: Track) -> None:
        self._track = track

    def build(self, instant: Instant, com: tuple[float, float, float], feet: FeetPose) -> np.ndarray:
        """Coordinates with the centre of mass at a place [m], as the clip has the pelvis about it, and the ankles on the feet."""
        q = np.empty(self._track.coordinates)
        pelvis = unit(instant.root_quaternion)
        root = [a + b for a, b in zip(com, instant.root_m, strict=True)]
        q[:3], q[3:7] = root, pelvis
        q[self._track.slots] = instant.joints
        back = inverse(pelvis)
        for side, hip, knee_axis, slots in zip(SIDES, self._hip, instant.knee_axis, self._legs, strict=True):
            foot = feet[side]
            x, y, z = rotated(back, [a - b for a, b in zip(foot.ankle.tolist(), root, strict=True)])
            sole = product(back, from_rotvec(foot.rotvec.tolist()))
            way = x - hip[0], y - hip[1], z - hip[2]
            thigh, knee, ankle = solve_leg(way, sole, knee_axis, self.thigh_m, self.shank_m)
            thigh_at, shank_at, foot_at, toes_at, most = slots
            q[thigh_at:thigh_at + 4], q[shank_at], q[foot_at:foot_at + 4] = thigh, knee, ankle
            if toes_at is not None:
                q[toes_at] = min(foot.toe, most)
        return q

    def shortfall(self, instant: Instant, com: tuple[float, float, float], feet: FeetPose, reach: float) -> float:
        """How much lower [m] the centre of mass must be for both ankles to be within `reach` of their hips, over the legs'
        length."""
        pelvis, longest, short = unit(instant.root_quaternion), reach * (self.thigh_m + self.shank_m), 0.0
        for side, hip in zip(SIDES, self._hip, strict=True):
            x, y, z = (a + b + c for a, b, c in zip(com, instant.root_m, rotated(pelvis, hip), strict=True))
            ankle_x, ankle_y, ankle_z = feet[side].ankle.tolist()
            level = min((x - ankle_x) ** 2 + (y - ankle_y) ** 2, (0.95 * longest) ** 2)
            short = max(short, z - ankle_z - math.sqrt(longest * longest - level))
        return short


def com_motion(model: mujoco.MjModel, pose: np.ndarray, velocity: np.ndarray) -> tuple[complex, complex]:
    """Place (x + iy [m]) and velocity [m/s] of the centre of mass of a pose (nq,) with generalised velocities (nv,)."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = pose, velocity
    mujoco.mj_forward(model, data)
    jacobian = np.empty((3, model.nv))
    mujoco.mj_jacSubtreeCom(model, data, jacobian, 0)
    place, rate = data.subtree_com[0], jacobian @ velocity
    return complex(place[0], place[1]), complex(rate[0], rate[1])


def unit(q: list[float]) -> Quaternion:
    w, x, y, z = q
    share = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return share * w, share * x, share * y, share * z


def rate_between(model: mujoco.MjModel, before: np.ndarray, after: np.ndarray, step_s: float) -> np.ndarray:
    """The velocity (nv,) that leads from one pose (nq,) to another within a time."""
    rate = np.empty(model.nv)
    mujoco.mj_differentiatePos(model, rate, step_s, before, after)
    return rate
