# SPDX-License-Identifier: GPL-3.0-or-later
"""How a body is built, as far as that decides whether a gait stands on it, and whether bodies like it have been tried.

What was tried: the bodies of a zoo of rigs and public ones, every gait on Earth, Mars and the Moon (`scripts/check stands`,
docs/notes/proportions.md). No other body is promised anything.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..bodies.body import Body


@dataclass(frozen=True)
class Proportions:
    """Lengths of a body that stands, over its legs' length: height of the centre of mass, distance of the hips, height of the
    ankles over the soles, and how far the soles go ahead of the ankles and behind them."""

    mass_height: float
    hips: float
    ankles: float
    toes: float
    heels: float


TRIED = {"mass_height": (1.0, 1.35), "hips": (0.1, 0.45), "ankles": (0.05, 0.2), "toes": (0.12, 0.35), "heels": (0.02, 0.15)}
"""Between which proportions bodies were tried and stood, rounded outwards. A public figure of 1.41, whose centre of mass is too
high, fell in a walk on the Moon, and dolls of 1.7 and 1.9 with hips 0.9 and 1.1 apart in walks on Earth."""
HIGH_MASS = "Not promised to stand: its centre of mass is {0} leg lengths high, {1} to {2} in the bodies that were tried"
HIPS_APART = "Not promised to stand: its hips are {0} leg lengths apart, {1} to {2} in the bodies that were tried"
HIGH_ANKLES = "Not promised to stand: its ankles are {0} leg lengths high, {1} to {2} in the bodies that were tried"
TOES_AHEAD = "Not promised to stand: its toes reach {0} leg lengths ahead, {1} to {2} in the bodies that were tried"
HEELS_BACK = "Not promised to stand: its heels reach {0} leg lengths back, {1} to {2} in the bodies that were tried"
UNLIKE = {"mass_height": HIGH_MASS, "hips": HIPS_APART, "ankles": HIGH_ANKLES, "toes": TOES_AHEAD, "heels": HEELS_BACK}
USUAL, NEAR = Proportions(1.130, 0.204, 0.079, 0.215, 0.079), 0.02
"""The body on which `scripts/tools/find_ranges.py` found the speeds, and how far from it another one counts as the same."""


def proportions(body: Body) -> Proportions:
    """Of a body with legs. Raises BodyError for one without feet."""
    at: dict[str, np.ndarray] = {}
    com = np.zeros(3)
    for part in body.segments:  # parents come first; in the neutral pose all frames have the body's axes
        at[part.name] = np.array([0.0, 0.0, body.pelvis_height_m]) if part.parent is None else at[part.parent] + part.offset
        com += part.mass_kg / body.mass_kg * (at[part.name] + part.com)
    leg, foot = body.leg_length_m, body.feet[0]
    hips = [at[one.leg[0]][1] for one in body.feet]
    points = [body.contact_points[i] for i in foot.points]
    sole = [at[point.segment][0] + point.position[0] - at[foot.segment][0] for point in points]
    return Proportions(*(float(length) / leg for length in (
        com[2], max(hips) - min(hips), -body.sole_height_m, max(sole), -min(sole))))


def unlike(body: Body) -> str | None:
    """Which of its proportions no body had on which gaits were tried, in a sentence; None where there is none."""
    built = proportions(body)
    for name, (low, high) in TRIED.items():
        share = getattr(built, name)
        if not low <= share <= high:
            return UNLIKE[name].format(f"{share:.2f}", f"{low:.2f}", f"{high:.2f}")
    return None


def usual(body: Body) -> bool:
    """Whether a body is built like the one on which the ranges of speed were found."""
    built = proportions(body)
    return all(abs(getattr(built, name) - share) <= NEAR for name, share in vars(USUAL).items())
