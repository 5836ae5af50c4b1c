# SPDX-License-Identifier: GPL-3.0-or-later
"""How like its clip the body is: joint by joint, and how far the clip itself bends its trunk."""

from __future__ import annotations

import mujoco
import numpy as np

from ...bodies.kinematics import contact_point_positions
from ...bodies.state import BodyState
from ...maths.quaternions import matrix_from_quat
from .clip import FollowedClip
from .track import hinge_angles


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
        """Compare with another clip from now on."""
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
