# SPDX-License-Identifier: GPL-3.0-or-later
"""Stiffness and damping of every joint along a motion. They follow from the motion: hits never change them.

The law of Yin 2007 (chapter 5) has stiffness go with the torque that the motion needs. That torque is least where a segment
stands upright over its joint, and there gravity pulls it down: a share of the weight's moment is added
(docs/notes/hits-on-rails.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...bodies.segments import FREEDOM
from ...bodies.state import BodyState
from ...specs.shot import EARTH_GRAVITY_M_S2
from .rails_settings import RailsSettings

TORQUE_SMOOTHING_S = 0.05
"""Standard deviation of the Gaussian over the size of torques: a capture's trembling is no reason to be stiff."""


@dataclass(frozen=True)
class RailsGains:
    """`stiffness` [N m/rad] and `damping` [N m s/rad] (N, nv - r) at N times `step_s` apart."""

    step_s: float
    stiffness: np.ndarray
    damping: np.ndarray

    def at(self, time_s: float) -> tuple[np.ndarray, np.ndarray]:
        """Stiffness and damping (nv - r,) at a time, between the nearest two."""
        place = min(max(time_s / self.step_s, 0.0), len(self.stiffness) - 1.0)
        row = min(int(place), len(self.stiffness) - 2)
        share = place - row
        stiffness, damping = ((1.0 - share) * rows[row] + share * rows[row + 1] for rows in (self.stiffness, self.damping))
        return stiffness, damping


def gains_along(state: BodyState, step_s: float, qpos: np.ndarray, qvel: np.ndarray, qacc: np.ndarray, settings: RailsSettings,
                looseness: float = 1.0) -> RailsGains:
    """The gains of a motion (N, nq), (N, nv), (N, nv), N at least 2, on a body whose `state` may be changed."""
    root, model = state.body.root_freedom, state.model
    inertia, torque, standing = np.zeros((3, len(qpos), model.nv - root))
    bodies = model.dof_bodyid[root:]
    for i, (q, v, a) in enumerate(zip(qpos, qvel, qacc, strict=True)):
        state.update(q, v)
        inertia[i] = state.mass_matrix.diagonal()[root:]
        torque[i] = (state.mass_matrix @ a + state.bias_force)[root:]
        standing[i] = _weights_arms(state, bodies)[:, 2]
    state.update(model.qpos0, np.zeros(model.nv))
    at_home = EARTH_GRAVITY_M_S2 / np.linalg.norm(state.gravity)
    most = at_home * np.linalg.norm(_weights_arms(state, bodies), axis=1)
    tissue = np.concatenate([np.full(FREEDOM[segment.joint], state.body.passive_joint(segment.name).stiffness_nm)
                             for segment in state.body.segments[1:]])
    needed = gaussian_filter1d(np.abs(torque), TORQUE_SMOOTHING_S / step_s, axis=0, mode="nearest")
    frequency = settings.stiff_rad_s**(1.0 - looseness) * settings.stiffness_rad_s**looseness
    stiffness = (inertia * (frequency**2 + settings.per_torque * needed)
                 + settings.tissue * tissue + settings.held * most + settings.held_up * np.maximum(standing, 0.0))
    hanging = np.maximum(-standing, 0.0)  # gravity's own stiffness, which is damped too
    return RailsGains(step_s, stiffness, 2.0 * settings.damping * np.sqrt((stiffness + hanging) * inertia))


def _weights_arms(state: BodyState, bodies: np.ndarray) -> np.ndarray:
    """Weight of what hangs on joints, by their bodies' numbers (K,), times its centre's way from the joint (K, 3) [N m]."""
    data = state.data
    weight = np.linalg.norm(state.gravity) * state.model.body_subtreemass[bodies]
    return weight[:, None] * (data.subtree_com[bodies] - data.xpos[bodies])
