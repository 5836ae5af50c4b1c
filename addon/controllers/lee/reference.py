# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference motion as it stands in the queue: the clip's poses, displaced where the body is not where they are (Lee 2014,
eq. 3.7), and drawn out where a foot is late."""

from __future__ import annotations

from typing import NamedTuple

import mujoco
import numpy as np
from scipy.interpolate import CubicSpline

from ...bodies.human.landmarks import SIDES
from ...maths.curves import smooth
from ...maths.plain_rotations import Quaternion
from ..follow.clip import FollowedClip
from ..follow.likeness import coordinates
from ..follow.pose import unit
from .fragments import Fragment

STEP_S = 1.0 / 60.0
"""Time over which finite differences are taken; the thesis takes frames at 30 Hz."""


class Wanted(NamedTuple):
    """What the clip shows at one time: the pelvis' place and velocity on the ground [m, m per clip s]; of the feet, left then
    right, the ankles' places there, their heights over it, the rates of these, and the feet's turns."""

    place: complex
    velocity: complex
    ankle: tuple[complex, complex]
    height_m: tuple[float, float]
    rising: tuple[float, float]
    foot: tuple[Quaternion, Quaternion]


class Reference:
    """One clip as a function of its time, with the displacement of the fragment under way."""

    def __init__(self, clip: FollowedClip, model: mujoco.MjModel) -> None:
        self._model = model
        self._leg = {side: _leg_rates(model, side) for side in SIDES}
        self._ankle = {side: self._leg[side][4:7] for side in SIDES}
        self._poses = CubicSpline(clip.times_s, _with_toes(coordinates(clip), clip, model))
        ground = np.hstack([clip.root_m[:, :2], clip.ankle_m.reshape(len(clip.root_m), 6),
                            clip.foot_quaternion.reshape(len(clip.root_m), 8)])
        self._ground = CubicSpline(clip.times_s, ground)
        self._rates = self._ground.derivative()
        self._end_s = clip.duration_s
        self._displacement = np.zeros(model.nv)
        self._fade: Fragment | None = None
        self._ankle_fade = 1.0

    def wanted(self, time_s: float) -> Wanted:
        """The clip's own places at a time."""
        time_s = min(max(time_s, 0.0), self._end_s)
        at, rate = self._ground(time_s).tolist(), self._rates(time_s).tolist()
        return Wanted(complex(at[0], at[1]), complex(rate[0], rate[1]), (complex(at[2], at[3]), complex(at[5], at[6])),
                      (at[4], at[7]), (rate[4], rate[7]), (unit(at[8:12]), unit(at[12:16])))

    def own_pose(self, time_s: float) -> np.ndarray:
        """The clip's coordinates (nq,), without displacement."""
        q = self._poses(min(max(time_s, 0.0), self._end_s))
        mujoco.mj_normalizeQuat(self._model, q)
        return q

    def displace(self, pose: np.ndarray, fragment: Fragment, ankle_fade: float) -> None:
        """From now on a fragment begins in a pose (nq,), and comes back to the clip by its end; the ankles of feet that stand
        in the fraction `ankle_fade` of it."""
        mujoco.mj_differentiatePos(self._model, self._displacement, 1.0, self.own_pose(fragment.start_s), pose)
        self._displacement[:3] = 0.0
        self._fade, self._ankle_fade = fragment, ankle_fade

    def _pose_within(self, time_s: float) -> np.ndarray:
        """The displaced pose at a time up to the fragment's end."""
        q, fragment = self.own_pose(time_s), self._fade
        if fragment is None:
            return q
        share = (time_s - fragment.start_s) / fragment.duration_s
        left = (1.0 - smooth(share)) * self._displacement
        for side in fragment.stance:
            rows = self._ankle[side]
            left[rows] = (1.0 - smooth(share / self._ankle_fade)) * self._displacement[rows]
        mujoco.mj_integratePos(self._model, q, left, 1.0)
        return q

    def pose(self, time_s: float, fragment: Fragment) -> np.ndarray:
        """Coordinates (nq,) at a time in a fragment; after the landing that is due at its end, joints go on as fast as they
        were, and those of the standing legs rest (Lee 2014, 3.3.2)."""
        if fragment.swing is None or time_s <= fragment.end_s:
            return self._pose_within(time_s)
        q, before = self._pose_within(fragment.end_s), self._pose_within(fragment.end_s - STEP_S)
        rate = np.empty(self._model.nv)
        mujoco.mj_differentiatePos(self._model, rate, STEP_S, before, q)
        for side in fragment.stance:
            rate[self._leg[side]] = 0.0
        mujoco.mj_integratePos(self._model, q, rate, time_s - fragment.end_s)
        return q

    def motion(self, time_s: float, fragment: Fragment) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Pose (nq,), rates (nv,) and their rates at a time, by finite differences; the rates of the clip's very first moment are
        those a moment later, as there is nothing before it."""
        pose, middle = self.pose(time_s, fragment), max(time_s, STEP_S)
        before, now, after = (self.pose(middle + shift, fragment) for shift in (-STEP_S, 0.0, STEP_S))
        came, goes = np.empty((2, self._model.nv))
        mujoco.mj_differentiatePos(self._model, came, STEP_S, before, now)
        mujoco.mj_differentiatePos(self._model, goes, STEP_S, now, after)
        return pose, 0.5 * (came + goes), (goes - came) / STEP_S


def _with_toes(poses: np.ndarray, clip: FollowedClip, model: mujoco.MjModel) -> np.ndarray:
    """Poses (N, nq) with the toes level where the heel is up: clips have feet without toes, and a stiff one would stand on its
    tip and scuff."""
    for i, side in enumerate(SIDES):
        if f"toes_{side}" in clip.body.index:
            most = clip.body.segment(f"toes_{side}").range_rad[1]
            poses[:, int(model.joint(f"toes_{side}").qposadr[0])] = np.clip(clip.foot_pitch[:, i], 0.0, most)
    return poses


def _leg_rates(model: mujoco.MjModel, side: str) -> np.ndarray:
    """Rows of the velocities of a leg's hip, knee and ankle."""
    starts = [int(model.joint(f"{name}_{side}").dofadr[0]) for name in ("thigh", "shank", "foot")]
    return np.array([*range(starts[0], starts[0] + 3), starts[1], *range(starts[2], starts[2] + 3)])
