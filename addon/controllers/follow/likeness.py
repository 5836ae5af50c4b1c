# SPDX-License-Identifier: GPL-3.0-or-later
"""How like its clip the body is: joint by joint, and how far the clip itself bends its trunk."""

from __future__ import annotations

import numpy as np

from ...bodies.coordinates import joint_quaternions
from ...bodies.segments import FREEDOM
from ...bodies.state import BodyState
from ...maths.quaternions import matrix_from_quat
from .clip_plan import ClipPlan


class Likeness:
    """Compares a state with a clip's own pose. Toes do not count: they lie on the ground as the planet has it."""

    def __init__(self, state: BodyState, plan: ClipPlan) -> None:
        self._state, clip = state, plan.clip
        self._step_s = clip.step_s
        self._rows = [i for i, name in enumerate(clip.body.joint_segments) if not name.startswith("toes")]
        self._angles = sum(FREEDOM[segment.joint] for segment in (clip.body.segments[1 + i] for i in self._rows))
        self._clip = clip.joint_quaternions[:, self._rows]
        up = matrix_from_quat(clip.poses()[1][:, clip.body.index[clip.body.role("trunk")]])[:, 2, 2]
        self._tilt = np.arccos(np.clip(up, -1.0, 1.0))

    def _row(self, time_s: float) -> int:
        return min(max(round(time_s / self._step_s), 0), len(self._clip) - 1)

    def joint_error_deg(self, time_s: float) -> float:
        """Root mean square over the joints' angles, three of a ball, of how far each is from the clip's at a time."""
        own = joint_quaternions(self._state.body, self._state.qpos[None])[0, self._rows]
        dots = np.minimum(np.abs(np.einsum("ji,ji->j", own, self._clip[self._row(time_s)])), 1.0)
        return float(np.degrees(np.sqrt(np.sum((2.0 * np.arccos(dots)) ** 2) / self._angles)))

    def trunk_tilt(self, time_s: float) -> float:
        """How far from upright the clip's trunk is at a time [rad]."""
        return float(self._tilt[self._row(time_s)])
