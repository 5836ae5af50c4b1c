# SPDX-License-Identifier: GPL-3.0-or-later
"""Legs that are not under the body at rest, as in a jump: such a pose is none to stand or to walk from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .landmarks import SIDES

FEET_OFF_LEGS = 0.3
"""Ankles that rest farther ahead of the hips or behind them than this share of the leg do not stand: eleven characters that do
have -.05 to .03, one that rests in a jump .59; crouched with knees bent by 65 degrees it is .04."""


@dataclass(frozen=True)
class LegsAway:
    """Legs far from under the body: `feet_m` the ankles lie ahead of the hips (negative: behind); the thighs are turned by
    `thighs_deg` from hanging and the knees bent by `knees_deg`, the more of both sides."""

    feet_m: float
    thighs_deg: float
    knees_deg: float


def legs_away(points: Mapping[str, Sequence[float] | np.ndarray]) -> LegsAway | None:
    """What is wrong with the legs of a figure's landmarks [m] (body axes); None where they are under it."""
    p = {name: np.asarray(place, dtype=float) for name, place in points.items()}
    thighs = [p[f"knee_{side}"] - p[f"hip_{side}"] for side in SIDES]
    shanks = [p[f"ankle_{side}"] - p[f"knee_{side}"] for side in SIDES]
    ahead = float(np.mean([(thigh + shank)[0] for thigh, shank in zip(thighs, shanks, strict=True)]))
    leg = float(np.mean([np.linalg.norm(thigh) + np.linalg.norm(shank) for thigh, shank in zip(thighs, shanks, strict=True)]))
    if abs(ahead) <= FEET_OFF_LEGS * leg:
        return None
    down = np.array([0.0, 0.0, -1.0])
    return LegsAway(ahead, max(_angle_deg(thigh, down) for thigh in thighs),
                    max(_angle_deg(thigh, shank) for thigh, shank in zip(thighs, shanks, strict=True)))


def _angle_deg(a: np.ndarray, b: np.ndarray) -> float:
    """Angle between two directions."""
    cosine = a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-12)
    return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
