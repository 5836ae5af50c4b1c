# SPDX-License-Identifier: GPL-3.0-or-later
"""What controllers share that take a body along a clip: it goes where its clip goes, and nowhere else."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import mujoco
import numpy as np

from ...bodies.body import Body
from ...bodies.kinematics import contact_point_positions
from ...bodies.of_shot import shot_body
from ...bodies.state import BodyState, Frame
from ...errors import InputError
from ...maths.rotations import matrix_from_quat
from ...motions.followable import stamp
from ...specs.motions import Clip, Followed
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ..controller import Controller, Part, Physics, Plan, Reading
from ..tracking.tracker import FALL_HEIGHT_FRACTION, FALL_TILT, TrackedController
from .clip import FollowedClip, hinge_angles
from .settings import shot_controls
from .shot_plan import ShotPlan, clip_velocity_sizes, cut_to_clip, preview, shot_plan

MISSED_S = 0.1
"""A shot that ends so much before its clip asks for less than the clip."""


class Likeness:
    """Compares a state with a clip's own pose. Toes do not count: they lie on the ground as the planet has it."""

    def __init__(self, state: BodyState, clip: FollowedClip) -> None:
        self._state = state
        names = [name for name in clip.body.joint_segments if not name.startswith("toes")]
        joints = [state.model.joint(name) for name in names]
        self._angles = np.concatenate([np.arange(int(j.dofadr[0]), int(j.dofadr[0]) + len(j.qpos0) - (len(j.qpos0) == 4))
                                       for j in joints])
        self._difference = np.zeros(state.model.nv)
        self.show(clip)

    def show(self, clip: FollowedClip) -> None:
        self._start_s, self._step_s, self._clip = clip.start_s, clip.step_s, coordinates(clip)
        places, turns = clip.poses()
        up = matrix_from_quat(turns[:, clip.body.index[clip.body.role("trunk")]])[:, 2, 2]
        self._tilt = np.arccos(np.clip(up, -1.0, 1.0))
        self._stature = clip.com_m[:, 2] - contact_point_positions(clip.body, places, turns)[..., 2].min(axis=1)

    def _row(self, time_s: float) -> int:
        return min(max(round((time_s - self._start_s) / self._step_s), 0), len(self._clip) - 1)

    def joint_error_deg(self, time_s: float) -> float:
        """Root mean square over the joints' angles, three of a ball, of how far each is from the clip's at a time."""
        mujoco.mj_differentiatePos(self._state.model, self._difference, 1.0, self._state.qpos, self._clip[self._row(time_s)])
        away = self._difference[self._angles]
        return float(np.degrees(np.sqrt(away @ away / len(away))))

    def trunk_tilt(self, time_s: float) -> float:
        """How far from upright the clip's trunk is at a time [rad]."""
        return float(self._tilt[self._row(time_s)])

    def stature_m(self, time_s: float) -> float:
        """How high the clip's centre of mass is over its lowest sole at a time [m]: in a flight as on the ground."""
        return float(self._stature[self._row(time_s)])


def coordinates(clip: FollowedClip) -> np.ndarray:
    """Generalised coordinates (N, nq) of a clip's own poses."""
    parts = [clip.root_m, clip.root_quaternion]
    for i, name in enumerate(clip.body.joint_segments):
        axis, quats = clip.body.segment(name).axis, clip.joint_quaternions[:, i]
        parts.append(quats if axis is None else hinge_angles(quats, axis)[:, None])
    return np.hstack(parts)


def planned_of(shot: Shot) -> ShotPlan:
    """The plan of a shot's clip on the shot's own body. Raises LopeError for a clip that cannot be followed."""
    return _planned(_Asked(json.dumps(shot.to_dict()), (stamp(shot.motion.file), stamp(shot.motion.database)), shot))


@dataclass(frozen=True)
class _Asked:
    """A shot by what it says, as a dict in it has no hash, and by the files of its motion as they are now."""

    told: str
    stamps: tuple[tuple[int, int], ...]
    shot: Shot = field(compare=False)


@lru_cache(maxsize=2)
def _planned(asked: _Asked) -> ShotPlan:
    shot = asked.shot
    return shot_plan(shot, shot_body(shot), shot_controls(shot).clip_plan)


def quicker_of(shot: Shot) -> float:
    """How many times as fast as the planet's own pace a shot's quickest parts go: jumps that keep their velocity."""
    keeps = isinstance(shot.motion, Clip) and shot.motion.flight == "velocity"
    return planned_of(shot).quicker if keeps else 1.0


class ClipBound(Controller):
    """What `controller.Controller` is along a clip. A kind of it brings the shot, its state, its plan, how like the clip it
    is, and the trunk."""

    who = "A character that follows a clip"

    shot: Shot
    state: BodyState
    planned: ShotPlan
    likeness: Likeness

    @classmethod
    def check_parts(cls, parts: Sequence[Part], body: Body) -> None:
        """See `Controller.check_parts`: a clip has no gait and no speed that could be keyed."""
        raise InputError("A clip has neither gait nor speed to key: take the keys out, or choose the controller tracking.")

    @classmethod
    def plan_of(cls, shot: Shot) -> Plan:
        """See `Controller.plan_of`: the clip's prints and its centre of mass on the planet, in moments."""
        return preview(shot, planned_of(shot))

    @classmethod
    def to_path_end(cls, shot: Shot) -> Shot:
        """See `Controller.to_path_end`: the shot ends where its clip does at the latest."""
        return cut_to_clip(shot, planned_of(shot))

    def make_way(self, shot: Shot) -> None:
        """See `Controller.make_way`: no gait takes over from a clip."""
        raise InputError("No gait takes over from a clip: take the keys out.")

    def set_gravity(self, gravity_m_s2: float) -> None:
        """See `Controller.set_gravity`: shots whose gravity changes are refused before (`shot_plan`)."""
        raise InputError("A clip is followed under one gravity: take the change of gravity out.")

    def plan(self) -> Plan:
        return preview(self.shot, self.planned)

    def _follows(self, clip_s: float) -> dict[str, Reading]:
        """How far the clip has come, in its own time, and how far the body is from it."""
        off_m = abs(complex(*self.state.com[:2].tolist()) - self.planned.plan.com.at(clip_s).place)
        return {"follow_clip_time_s": Reading("s", clip_s),
                "follow_joint_error_deg": Reading("deg", self.likeness.joint_error_deg(clip_s)),
                "follow_com_off_plan_m": Reading("m", off_m)}

    def _followed(self, clip_s: float) -> dict[str, Any]:
        """What was followed, and how much of what was asked for: the clip to its end, or to an earlier end of the shot."""
        plan, asked_s = self.planned.plan, self.planned.whole_s
        if self.shot.duration_s < self.planned.duration_s - MISSED_S:
            asked_s = self.shot.duration_s / self.planned.slow
        return {**plan.clip.origin, "time_scale": self.planned.slow, "clip_flights": len(plan.flights),
                "followed_fraction": min(clip_s / asked_s, 1.0)}

    @staticmethod
    def _came_down(downs: Sequence[tuple[float, float]]) -> dict[str, Any]:
        """How late [s] and how far from their prints [m] feet came down."""
        return {"foot_off_print_m_max": max((off for _, off in downs), default=0.0),
                "touchdown_timing_ms_median": 1e3 * float(np.median(np.abs([late for late, _ in downs]))) if downs else None}

    def _disturbed(self, qvel: np.ndarray) -> np.ndarray:
        """Velocities at the start with the shot's noise."""
        if not self.shot.noise:
            return qvel
        sizes = clip_velocity_sizes(self.planned)
        return qvel + self.shot.noise * sizes * np.random.default_rng(self.shot.seed).standard_normal(len(sizes))

    def _sunk(self, clip_time_s: float) -> bool:
        """Whether the body is far lower over the ground than the clip is over its own soles."""
        com, ground = self.state.com, self.state.ground
        height = com[2] - ground.height(com[0], com[1])
        return bool(height < FALL_HEIGHT_FRACTION * self.likeness.stature_m(clip_time_s))

    def _lies(self, clip_time_s: float, trunk: Frame) -> bool:
        tilt = max(FALL_TILT, self.likeness.trunk_tilt(clip_time_s) + 0.5 * FALL_TILT)
        return bool(trunk.matrix[2, 2] < math.cos(tilt))


class TrackedClip(ClipBound, TrackedController):
    """A clip that a tracker follows."""

    @classmethod
    def physics(cls, shot: Shot) -> Physics:
        """See `Controller.physics`: feet on the ground, which jumps that keep their velocity meet as fast as on Earth."""
        return replace(super().physics(shot), quicker=quicker_of(shot))

    @classmethod
    def slowness(cls, shot: Shot) -> float:
        """See `TrackedController.slowness`: a clip may go faster than is usual there."""
        slow, motion = super().slowness(shot), shot.motion
        if isinstance(motion, Followed):
            slow = min(slow, motion.time_scale(shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2, 1.0))
        return slow / quicker_of(shot)
