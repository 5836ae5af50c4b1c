# SPDX-License-Identifier: GPL-3.0-or-later
"""What relaxed legs pull back with: moments measured on people, and how far muscles' fibres give so that they stay within them.

Over a rigid tendon the fibre takes up all that a path lengthens, and by the printed exponential a straight leg that is lifted
would be held by ten times what people's are. So each muscle of the leg has a `give`: how many times as far as by the printed
curve its fibres are stretched for the same passive force. The nearest to 1 that agree with the measured moments are searched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from lope.addon.bodies.body import Body
from lope.addon.bodies.muscles.curves import THELEN
from lope.addon.bodies.muscles.muscle import MuscleSet
from lope.addon.bodies.muscles.paths import PathKinematics

from .knee import knee_pose, made

HIP_DEG = (-15.0, 0.0, 20.0, 40.0, 60.0, 80.0, 100.0)
KNEE_DEG, ANKLE_DEG = (0.0, 15.0, 30.0, 60.0, 90.0, 120.0), (-30.0, 0.0, 20.0)
LIFTED_DEG = 75.0
"""Beyond what the knee bends: so far people's hips flex (straight legs lifted)."""
SURE_NM, SURE_SHARE = 4.0, 0.2
"""How well moments are known: of one person beside the mean, and over the moment (first guesses, their spread is about that)."""
STAY = 1.0
"""Weight of a logarithm of 1 of give beside an error that is as large as moments are known (first guess)."""
MOST_GIVE = 4.0
MASS_KG, LEG_M = 75.0, 0.884
"""Of the body that the moments are for (as in `bodies/human/passive.py`); they go with mass times leg."""


def measured_nm(hip_deg: float, knee_deg: float, ankle_deg: float) -> np.ndarray:
    """Passive moments (3,) [N m] of hip flexion, knee flexion and ankle dorsiflexion at these angles: Riener and Edrich 1999,
    J. Biomechanics 32:539, as we remember their coefficients; the ankle's angle there is plantar flexion."""
    h, k, a = hip_deg, knee_deg, -ankle_deg
    hip = np.exp(1.4655 - 0.0034 * k - 0.0750 * h) - np.exp(1.3403 - 0.0226 * k + 0.0305 * h) + 8.072
    knee = (np.exp(1.800 - 0.0460 * a - 0.0352 * k + 0.0217 * h) - np.exp(-3.971 - 0.0004 * a + 0.0495 * k - 0.0128 * h) - 4.820
            + np.exp(2.220 - 0.150 * k))
    ankle = np.exp(2.1016 - 0.0843 * a - 0.0176 * k) - np.exp(-7.9763 + 0.1949 * a + 0.0008 * k) - 1.792
    return np.array([hip, knee, -ankle])


def angles() -> np.ndarray:
    """Poses (K, 3) [deg] in which people's legs were measured, all at once."""
    return np.array([(h, k, a) for h in HIP_DEG for k in KNEE_DEG for a in ANKLE_DEG if h <= LIFTED_DEG + k])


def stretched(body: Body, muscles: MuscleSet, turned: Callable[[Any, np.ndarray], np.ndarray],
              poses: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Fibre lengths (K, M) [l_opt] over rigid tendons, and moments (K, 3, M) [N m] for each share of the greatest force."""
    paths = PathKinematics(body, muscles)
    rows = paths.joint_rows()
    where = [rows["thigh_L"].start + 1, rows["shank_L"].start, rows["foot_L"].start + 1]
    fibres, moments = [], []
    for pose in poses:
        paths.update(turned(paths.model, pose), np.zeros(paths.model.nv))
        along = np.maximum((paths.length_m - muscles.tendon_slack_m) / muscles.optimal_fibre_m, 0.05)
        fibre = np.sqrt(along**2 + np.sin(muscles.pennation_rad) ** 2)
        fibres.append(fibre)
        moments.append(np.array([[-1.0], [1.0], [-1.0]]) * paths.arms_m[where] * (muscles.max_force_n * along / fibre))
    return np.array(fibres), np.array(moments)


def fit_give(entries: list[dict[str, Any]], body: Body, lean_rad: float) -> None:
    """Give the entries of a leg their `give`, in place."""
    muscles, poses = made(entries), angles()

    def turned(model: Any, pose: np.ndarray) -> np.ndarray:
        hip, knee, ankle = np.radians(pose)
        return knee_pose(model, lean_rad, float(knee), float(hip), float(ankle))

    fibres, moments = stretched(body, muscles, turned, poses)
    size = body.bare_mass_kg * body.leg_length_m / (MASS_KG * LEG_M)
    wanted = size * np.array([measured_nm(*pose) for pose in poses])
    known = size * SURE_NM + SURE_SHARE * np.abs(wanted)
    beyond = np.maximum(fibres - 1.0, 0.0)

    def errors(log_give: np.ndarray) -> np.ndarray:
        passive = THELEN.passive(1.0 + beyond * np.exp(-log_give))
        off = (np.einsum("kjm,km->kj", moments, passive) - wanted) / known
        return np.concatenate([off.ravel() / np.sqrt(len(poses)), STAY * log_give / np.sqrt(len(entries))])

    found = least_squares(errors, np.full(len(entries), 0.5), bounds=(0.0, np.log(MOST_GIVE)))
    for entry, give in zip(entries, np.exp(found.x), strict=True):
        if give > 1.005:
            entry["give"] = round(float(give), 2)
