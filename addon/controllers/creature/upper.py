# SPDX-License-Identifier: GPL-3.0-or-later
"""Neck, head, tail, arms: springs to the drawn pose that carry their own weight."""

from __future__ import annotations

import numpy as np

from ...bodies.body import Body
from .felt import Felt, off
from .layout import Layout

STIFFNESS, DAMPING = 3.0, 0.35
"""Stiffness over the moment of what hangs on a joint, laid level, and damping over stiffness in units of time (a prototype's)."""


class Upper:
    """Torques and damping of all joints of no leg. `gain` (N,) multiplies stiffness and damping."""

    def __init__(self, body: Body, layout: Layout, gravity_m_s2: float, time_s: float, gain: np.ndarray) -> None:
        self.layout = layout
        com, joint = neutral(body)
        moment = layout.subtree_kg * gravity_m_s2 * np.linalg.norm(com - joint, axis=1)
        self._weight = layout.subtree_kg * gravity_m_s2
        self._balls, self._hinges = (STIFFNESS * moment[rows] * gain[:, None] for rows in (layout.others, layout.bends))
        self.damping = np.zeros((len(gain), layout.torques))
        self.damping[:, layout.other] = DAMPING * time_s * self._balls[..., None]
        self.damping[:, layout.bend] = DAMPING * time_s * self._hinges

    def torque(self, felt: Felt, torque: np.ndarray) -> None:
        """Adds to the torques (N, nv - 6)."""
        layout = self.layout
        rows = layout.others
        if len(rows):
            turn = felt.turn[:, rows]
            pull = self._balls[..., None] * off(felt.turn[:, layout.other_parent], turn) + self._held(felt, rows)
            torque[:, layout.other] += (turn.swapaxes(-1, -2) @ pull[..., None])[..., 0]
        rows = layout.bends
        if len(rows):
            axis = (felt.turn[:, rows] @ layout.bend_axis[..., None])[..., 0]
            torque[:, layout.bend] += (axis * self._held(felt, rows)).sum(axis=-1) - self._hinges * felt.qpos[:, layout.bend_at]

    def _held(self, felt: Felt, rows: np.ndarray) -> np.ndarray:
        """Moments (N, B, 3) that hold what hangs on these joints."""
        arm, weight = felt.below[:, rows] - felt.place[:, rows], self._weight[rows]
        return np.stack([arm[..., 1] * weight, -arm[..., 0] * weight, np.zeros(arm.shape[:-1])], axis=-1)


def neutral(body: Body) -> tuple[np.ndarray, np.ndarray]:
    """Centres of mass (S, 3) of each segment with all that hangs on it, and joints (S, 3) [m], in the neutral pose."""
    index = body.index
    joint = np.zeros((len(body.segments), 3))
    for i, segment in enumerate(body.segments[1:], start=1):
        joint[i] = joint[index[segment.hangs_on]] + segment.offset
    mass = np.array([s.mass_kg for s in body.segments])
    moment = mass[:, None] * (joint + np.array([s.com for s in body.segments]))
    for segment in reversed(body.segments[1:]):
        i, above = index[segment.name], index[segment.hangs_on]
        mass[above] += mass[i]
        moment[above] += moment[i]
    return moment / mass[:, None], joint
