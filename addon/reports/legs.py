# SPDX-License-Identifier: GPL-3.0-or-later
"""How near the legs come to one another: between their capsules, over a take."""

from __future__ import annotations

import numpy as np

from ..bodies.capsules import Capsule, leg_pairs
from ..maths.lines import closest
from ..maths.quaternions import quat_rotate
from ..take import Take


def leg_gap_m(take: Take, every: int = 3) -> float:
    """Least distance [m] of the capsules of the left leg from those of the right, of every so many samples; negative where they
    go into one another. Two thighs are not looked at: flesh gives way there."""
    places, turns = take.segment_poses
    names = [segment.name for segment in take.body.segments]

    def ends(capsule: Capsule) -> list[np.ndarray]:
        i = names.index(capsule.segment)
        return [places[::every, i] + quat_rotate(turns[::every, i], np.asarray(end, dtype=float)[None])
                for end in (capsule.start, capsule.end)]

    return min(float(between(*ends(one), *ends(other)).min()) - one.radius_m - other.radius_m
               for one, other in leg_pairs(take.body))


def between(start: np.ndarray, end: np.ndarray, begin: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Distances (T,) of straight lines from `start` to `end` from others from `begin` to `stop`, all (T, 3)."""
    points = closest(np.stack([start, end], axis=1), np.stack([begin, stop], axis=1))
    return np.linalg.norm(points[:, 0] - points[:, 1], axis=1)
