# SPDX-License-Identifier: GPL-3.0-or-later
"""What a gait hurts: forces of sore feet and muscles (Lee 2014, chapter 4: contact force and muscle force in the objective)."""

from __future__ import annotations

import numpy as np

from ..bodies.muscles.conditioned import pain_weights
from ..bodies.muscles.of_shot import muscles_of
from ..reports.signs import MUSCLES
from ..reports.weight import weight_n
from ..take import Take


def pain_term(take: Take, rows: np.ndarray) -> float | None:
    """Mean square of what hurts over samples (T,) bool, weighed by how much: each sore foot's force over the weight, each sore
    muscle's over its greatest. None of a take in which nothing hurts, or of one without muscles."""
    shot = take.shot
    if shot.condition is None or shot.actuation is None or MUSCLES not in take.channels or not rows.any():
        return None
    muscles = muscles_of(shot, take.body)
    pain = pain_weights(muscles, shot.condition)
    if not pain.any:
        return None
    force = take.channels[MUSCLES].values[rows] / muscles.max_force_n
    feet = np.array([pain.foot.get(foot.side, 0.0) for foot in take.body.feet])
    load = np.linalg.norm(take.grf_n[rows], axis=2) / weight_n(take)[rows, None]
    return float(((force**2) @ pain.muscle + (load**2) @ feet).mean() / (pain.muscle.sum() + feet.sum()))
