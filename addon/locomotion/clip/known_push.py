# SPDX-License-Identifier: GPL-3.0-or-later
"""Pushes that the followed motion has in it: the plan goes along with them, as whoever was captured did."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...maths.rotations import quat_rotate
from ...specs.shot import Push
from .clip import FollowedClip

PUSHED = "chest"


@dataclass(frozen=True)
class KnownPush:
    """A push on the chest: from when to when [clip s], and its force over the mass, x + iy [m / clip s^2]."""

    start_s: float
    end_s: float
    force: complex

    @property
    def impulse(self) -> float:
        """Impulse over the mass [m / clip s]."""
        return abs(self.force) * (self.end_s - self.start_s)


def known_pushes(pushes: Iterable[Push], mass_kg: float, slow: float) -> tuple[KnownPush, ...]:
    """Those of a shot that its motion has in it, in the clip's time: everything lasts `slow` times as long in the shot."""
    return tuple(KnownPush(one.start_s / slow, (one.start_s + one.duration_s) / slow,
                           complex(*one.force_n[:2]) / mass_kg * slow**2) for one in pushes if one.planned)


def shot_pushes(pushes: Iterable[KnownPush], mass_kg: float, slow: float) -> tuple[Push, ...]:
    """The other way round."""
    return tuple(Push(one.start_s * slow, (one.end_s - one.start_s) * slow,
                      (one.force.real * mass_kg / slow**2, one.force.imag * mass_kg / slow**2, 0.0), PUSHED, planned=True)
                 for one in pushes)


def pushing(pushes: Sequence[KnownPush], time_s: float) -> complex:
    """Their force over the mass, x + iy [m / clip s^2], at a time [clip s]."""
    return sum((one.force for one in pushes if one.start_s <= time_s < one.end_s), start=0j)


def chest_height(clip: FollowedClip) -> np.ndarray:
    """Height (N,) [m] of the chest's centre of mass, where engines push it."""
    positions, orientations = clip.poses()
    row = clip.body.index[PUSHED]
    return positions[:, row, 2] + quat_rotate(orientations[:, row], clip.body.segments[row].com)[:, 2]
