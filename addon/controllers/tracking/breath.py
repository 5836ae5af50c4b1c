# SPDX-License-Identifier: GPL-3.0-or-later
"""Breath of a body that stands: the chest opens and the shoulders rise, a little, while nothing else moves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...bodies.state import BodyState
from ...maths.quaternions import quat_from_rotvec, quat_multiply
from .planners.targets import Targets

PERIOD_S = 4.0
"""Of a breath: people at rest take 12 to 20 a minute."""
TURN_DEG = {
    "chest": (0.0, -0.8, 0.0), "neck": (0.0, 0.8, 0.0), "clavicle_L": (1.8, 0.0, 0.0), "clavicle_R": (-1.8, 0.0, 0.0),
}
"""Rotation vectors at the end of a quiet breath in: some 5 mm at the shoulders. Taste: of chests that are one piece
nothing is measured."""
STILL_LEGS = 0.05
"""Speed of the centre of mass over sqrt(g l) at which the breath is seen no more: the steps take its place."""


class Breath:
    """Adds breath to reference poses: `size` over a quiet one."""

    def __init__(self, state: BodyState, size: float) -> None:
        self._state, at = state, state.body.root_coordinates
        self._turns: list[tuple[slice, np.ndarray]] = []
        for segment in state.body.segments[1:]:
            width = 4 if segment.joint == "ball" else 1
            if segment.name in TURN_DEG and width == 4 and size > 0.0:
                self._turns.append((slice(at, at + 4), size * np.radians(TURN_DEG[segment.name])))
            at += width

    def breathed(self, targets: Targets) -> Targets:
        """The targets, with breath as far as the body stands; themselves where it moves."""
        share = self._depth(targets.time_s)
        if not self._turns or share <= 0.0:
            return targets
        pose = targets.pose.copy()
        for rows, turn in self._turns:
            pose[rows] = quat_multiply(pose[rows], quat_from_rotvec(share * turn))
        return replace(targets, pose=pose)

    def _depth(self, time_s: float) -> float:
        """How far in a breath is, from 0 to 1, less the more the body moves."""
        state = self._state
        speed = math.hypot(*state.com_velocity[:2].tolist())
        fast = STILL_LEGS * math.sqrt(-float(state.gravity[2]) * state.body.leg_length_m)
        still = max(1.0 - speed / fast, 0.0)
        return 0.5 * (1.0 - math.cos(2.0 * math.pi * time_s / PERIOD_S)) * still * still * (3.0 - 2.0 * still)
