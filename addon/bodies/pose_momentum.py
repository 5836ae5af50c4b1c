# SPDX-License-Identifier: GPL-3.0-or-later
"""Angular momentum of a body that is known by its poses alone."""

from __future__ import annotations

import numpy as np

from ..maths.quaternions import matrix_from_quat, quat_conjugate, quat_multiply, quat_rotate, rotvec_from_quat
from .body import Body
from .kinematics import centre_of_mass


def specific_angular_momentum(body: Body, positions: np.ndarray, orientations: np.ndarray, step_s: float) -> np.ndarray:
    """Angular momentum (N, 3) about the centre of mass over mass [m^2/s], world axes, of joint centres (N, S, 3) and segments'
    orientations (N, S, 4) `step_s` apart, by central differences."""
    masses = np.array([s.mass_kg for s in body.segments])
    away = positions + quat_rotate(orientations, np.array([s.com for s in body.segments]))
    away = away - centre_of_mass(body, positions, orientations)[:, None]
    steps = quat_multiply(orientations[1:], quat_conjugate(orientations[:-1]))
    between = rotvec_from_quat(steps) / step_s
    spin = 0.5 * (np.concatenate([between[:1], between]) + np.concatenate([between, between[-1:]]))
    turns = matrix_from_quat(orientations)
    inertias = turns @ np.array([s.inertia for s in body.segments]) @ np.swapaxes(turns, -1, -2)
    orbital = np.cross(away, np.gradient(away, step_s, axis=0))
    return (np.einsum("s,nsi->ni", masses, orbital) + np.einsum("nsij,nsj->ni", inertias, spin)) / masses.sum()
