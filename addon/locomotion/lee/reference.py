# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference motion in the queue of a clip's fragments, whose clock goes with the feet's landings (Lee 2014, 3.3.2): the
clip's poses, displaced where the body is not where they are (eq. 3.7), and drawn out where a foot is late."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import mujoco
import numpy as np
from scipy.interpolate import CubicSpline

from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ...maths.curves import smooth
from ...maths.rotations import Quaternion
from ...motions.strides import FOREVER_S
from ..clip.bound import coordinates
from ..clip.clip import FollowedClip
from ..clip.clip_plan import ClipPlan
from ..clip.pose import unit
from ..clip.schedule import Schedule, standing
from ..legged.foot_geometry import FootGeometry, Footstep, Terrain
from .settings import LeeSettings

LONG_DOUBLE_S = 0.25
"""A stance on both feet that lasts longer than this is a fragment of its own (Lee 2014, 3.2: "extended double stance")."""
BESIDE_S = 1e-3


@dataclass(frozen=True)
class Fragment:
    """From one change of contact to the next [clip s]. `swing` is the foot that lands at the end, `lift_s` when it leaves the
    ground; None where none does. `stance` are the feet that carry the body."""

    start_s: float
    end_s: float
    stance: tuple[str, ...]
    swing: str | None = None
    lift_s: float = 0.0

    @property
    def duration_s(self) -> float:
        return self.end_s - self.start_s


def fragments_of(schedule: Schedule, duration_s: float) -> list[Fragment]:
    """The fragments of a clip, in their order and without gaps."""
    strikes = sorted((s.strike_s, side) for side, stances in schedule.items() for s in stances if 0.0 < s.strike_s < duration_s)
    found: list[Fragment] = []
    start = 0.0
    for strike_s, side in strikes:
        if strike_s - start < BESIDE_S:
            continue
        lifts = [s.off_s for s in schedule[side] if s.off_s < strike_s]
        lift = max(max(lifts, default=start), start)
        if lift - start > LONG_DOUBLE_S:
            found.append(Fragment(start, lift, _standing(schedule, 0.5 * (start + lift))))
            start = lift
        stance = tuple(one for one in schedule if one != side)
        found.append(Fragment(start, strike_s, stance, side, lift))
        start = strike_s
    if duration_s - start > BESIDE_S:
        found += _ending(schedule, start, duration_s)
    return found


def _standing(schedule: Schedule, time_s: float) -> tuple[str, ...]:
    return tuple(side for side in schedule if standing(schedule, side, time_s) is not None)


def _ending(schedule: Schedule, start: float, duration_s: float) -> list[Fragment]:
    """What comes after the last landing: a stance on both feet, or the beginning of a step whose landing is not shown."""
    lifts = [s.off_s for stances in schedule.values() for s in stances if start < s.off_s < min(duration_s, FOREVER_S)]
    if not lifts:
        return [Fragment(start, duration_s, _standing(schedule, duration_s - BESIDE_S) or tuple(schedule))]
    stance = _standing(schedule, 0.5 * (lifts[-1] + duration_s)) or tuple(schedule)
    return [Fragment(start, duration_s, stance)]


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
    """Poses (N, nq) with the toes level where the heel is up: clips' feet have none, and a stiff one would scuff."""
    for i, side in enumerate(SIDES):
        if f"toes_{side}" in clip.body.index:
            most = clip.body.segment(f"toes_{side}").range_rad[1]
            poses[:, int(model.joint(f"toes_{side}").qposadr[0])] = np.clip(clip.foot_pitch[:, i], 0.0, most)
    return poses


def _leg_rates(model: mujoco.MjModel, side: str) -> np.ndarray:
    """Rows of the velocities of a leg's hip, knee and ankle."""
    starts = [int(model.joint(f"{name}_{side}").dofadr[0]) for name in ("thigh", "shank", "foot")]
    return np.array([*range(starts[0], starts[0] + 3), starts[1], *range(starts[2], starts[2] + 3)])


class Queue:
    """Where in its clip a body is; `time_s` is the fragment's clock [clip s], past its end where the foot is late."""

    def __init__(self, state: BodyState, plan: ClipPlan, slow: float, settings: LeeSettings) -> None:
        self._plan, self._slow, self._settings = plan, slow, settings
        self.fragments = fragments_of(plan.schedule, plan.clip.duration_s)
        self._reference = Reference(plan.clip, state.model)
        self._feet = {side: state.frame(f"foot_{side}") for side in SIDES}
        self._terrain = Terrain(state.ground, FootGeometry(state.body, "L"), state.body.leg_length_m)
        self._at = 0
        self.time_s = 0.0
        self.footsteps: list[tuple[float, Footstep]] = []
        self.touch_downs: list[tuple[float, float]] = []
        """Of every landing so far: by how much it was late [s], and how far from the clip's print [m]."""

    @property
    def fragment(self) -> Fragment:
        return self.fragments[self._at]

    @property
    def clip_time_s(self) -> float:
        return min(self.time_s, self.fragment.end_s)

    def motion(self, time_s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The reference's pose (nq,), rates (nv,) and their rates at a time, per clip s."""
        return self._reference.motion(time_s, self.fragment)

    def wanted(self, ahead_s: float) -> Wanted:
        return self._reference.wanted(min(self.time_s + ahead_s, self.fragment.end_s))

    def advance(self, time_s: float, step_s: float, loaded: dict[str, bool], target: np.ndarray) -> bool:
        """Let the clock go on by a step [s]; `target` (nq,) is the pose aimed at. Gives whether a new fragment has begun."""
        self.time_s += step_s / self._slow
        fragment, in_step = self.fragment, self._settings.synchronisation >= 0.5
        due = self.time_s >= fragment.end_s
        if fragment.swing is not None:
            share = (self.time_s - fragment.lift_s) / (fragment.end_s - fragment.lift_s)
            landed = loaded[fragment.swing] and share >= self._settings.early
            if not (landed if in_step else due):
                return False
            self._land(time_s, fragment)
        elif not due:
            return False
        if self._at + 1 >= len(self.fragments):
            self.time_s = min(self.time_s, fragment.end_s)
            return False
        self._at += 1
        if in_step:
            self.time_s = self.fragment.start_s
            self._reference.displace(target, self.fragment, self._settings.ankle_fade)
        return True

    def _land(self, time_s: float, fragment: Fragment) -> None:
        side = fragment.swing or ""
        x, y, _ = self._feet[side].position.tolist()
        place = complex(x, y)
        one = min(self._plan.prints[side], key=lambda p: abs(p.stance.strike_s - fragment.end_s))
        matrix = self._feet[side].matrix
        step = Footstep(side, place, float(np.arctan2(matrix[1, 0], matrix[0, 0])))
        self.footsteps.append((time_s, self._terrain.footstep(step)))
        self.touch_downs.append(((self.time_s - fragment.end_s) * self._slow, abs(place - one.place)))
