# SPDX-License-Identifier: GPL-3.0-or-later
"""What a gait made of a clip is drawn to, over its cycle: Fourier series (Yin 2007, section 7.5), plain values that travel."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..checks import Number, Series, Table
from ..errors import InputError
from .settings import Checked, setting

ANGLES = ("torso", "hip_L", "hip_R", "outward_L", "outward_R", "knee_L", "knee_R", "ankle_L", "ankle_R")
"""What a machine of key poses draws to, in its order: trunk and thighs against the world, knees and ankles against the thigh
and the shank."""
UPPER = ("lower_spine", "chest", "neck", "head", *(f"{part}_{side}" for side in "LR"
                                                   for part in ("clavicle", "upper_arm", "forearm", "hand")))
"""Joints of the upper body that a pose may draw to."""
TURNED = ("pelvis", *UPPER)
MOST_HARMONICS = 12
SERIES = Series(Number(-2.0 * math.pi, 2.0 * math.pi, "rad"))
EARLIEST, LATEST = 0.85, 1.25
"""A touch-down counts from the one on, and the curves run on to the other, of the time in which the step was made in the clip
(first guesses): the foot that begins to swing is still down, and one that finds no ground waits for it."""


@dataclass(frozen=True)
class PoseCurves(Checked):
    """Series over the phase of a cycle that lasts `period_s` on Earth on the standard body's legs: mean, cosines and sines of
    one and more times the phase [rad]. The right thigh is farthest forward at phase 0.25.

    `angles` has a series for each of `ANGLES`, with the meaning and the signs of a pose state's; `turns` three for each joint of
    the upper body that it names, the parts of a rotation vector against the segment above, and may have the pelvis' own against
    the heading, of which the part to the side is the torso's already. `touch_left` and `touch_right` are the phases at which the
    feet came down in the clip: the machine goes on from there whenever one comes down.

    `place` are series [m] of the pelvis' place forward and to the left of one that goes evenly, and over the ground, for the
    standard body: how it starts.

    `moments` [N m] of the standard body on Earth, for angles that it names, act towards more of the angle besides what draws
    there: what the motion asks for and a spring would give only by lagging behind. A thigh's acts while it swings.
    """

    WHOSE, FIELD = "The curves'", "field of a gait's curves"
    period_s: float = setting(rule=Number(0.1, 20.0, "s"))
    angles: dict[str, tuple[float, ...]] = setting(rule=Table(SERIES, "angle of a pose", ANGLES))
    turns: dict[str, tuple[tuple[float, ...], ...]] = setting(
        rule=Table(Series(SERIES, 3), "joint of the upper body", TURNED), factory=dict)
    touch_left: float = setting(0.0, 0.0, 1.0)
    touch_right: float = setting(0.5, 0.0, 1.0)
    place: tuple[tuple[float, ...], ...] = setting(((0.0,), (0.0,), (0.0,)), rule=Series(Series(Number(-2.0, 2.0, "m")), 3))
    moments: dict[str, tuple[float, ...]] = setting(rule=Table(Series(Number(-1000.0, 1000.0, "N m")), "angle of a pose", ANGLES),
                                                    factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        lacking = [name for name in ANGLES if name not in self.angles]
        if lacking:
            raise InputError(f"The curves of a pose gait lack {', '.join(lacking)}: each of {', '.join(ANGLES)} has a series.")
        for name, series in [*self.angles.items(), *self.moments.items(), *(("the pelvis' place", s) for s in self.place),
                             *((n, s) for n, three in self.turns.items() for s in three)]:
            if len(series) % 2 == 0 or len(series) > 2 * MOST_HARMONICS + 1:
                raise InputError(f"The curve of {name} has {len(series)} coefficients: it has a mean and as many cosines as sines"
                                 f", at most {MOST_HARMONICS} of each.")
        if not 0.1 < (self.touch_right - self.touch_left) % 1.0 < 0.9:
            raise InputError(f"The curves' feet come down at the phases {self.touch_left:g} and {self.touch_right:g}: there must "
                             "be a tenth of a cycle between them at least.")

    def begins(self, swing: str) -> tuple[float, float]:
        """The phase at which a leg's step begins, as the other foot comes down, and how much of the cycle it takes."""
        first, last = (self.touch_left, self.touch_right) if swing == "R" else (self.touch_right, self.touch_left)
        return first, (last - first) % 1.0

    def matrix(self) -> tuple[np.ndarray, tuple[str, ...]]:
        """Coefficients (C, 2 H + 1) of `ANGLES`, of their moments, and then of the turns' parts, as `maths.periodic` has them,
        and the turns' names."""
        names = tuple(self.turns)
        rows = [self.angles[name] for name in ANGLES] + [self.moments.get(name, (0.0,)) for name in ANGLES]
        rows += [part for name in names for part in self.turns[name]]
        most = max((len(row) - 1) // 2 for row in rows)
        found = np.zeros((len(rows), 2 * most + 1))
        for row, series in zip(found, rows, strict=True):
            h = (len(series) - 1) // 2
            row[:h + 1], row[most + 1:most + 1 + h] = series[:h + 1], series[h + 1:]
        return found, names
