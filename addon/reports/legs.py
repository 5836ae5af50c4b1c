# SPDX-License-Identifier: GPL-3.0-or-later
"""How near the legs come to one another: between their capsules, over a take."""

from __future__ import annotations

import numpy as np

from ..bodies.capsules import body_capsules
from ..maths.quaternions import quat_rotate
from ..take import Take

PARTS = ("thigh", "shank", "foot")


def leg_gap_m(take: Take, every: int = 3) -> float:
    """Least distance [m] of the capsules of the left leg from those of the right, of every so many samples; negative where they
    go into one another. Two thighs are not looked at: flesh gives way there."""
    places, turns = take.segment_poses
    names = [segment.name for segment in take.body.segments]
    legs: dict[str, list[tuple[str, float, np.ndarray, np.ndarray]]] = {"L": [], "R": []}
    for capsule in body_capsules(take.body):
        part, _, side = capsule.segment.rpartition("_")
        if part not in PARTS:
            continue
        i = names.index(capsule.segment)
        ends = [places[::every, i] + quat_rotate(turns[::every, i], np.asarray(end, dtype=float)[None])
                for end in (capsule.start, capsule.end)]
        legs[side].append((part, capsule.radius_m, *ends))
    least = np.inf
    for part, radius, start, end in legs["L"]:
        for other, width, begin, stop in legs["R"]:
            if part != "thigh" or other != "thigh":
                least = min(least, float(between(start, end, begin, stop).min()) - radius - width)
    return least


def between(start: np.ndarray, end: np.ndarray, begin: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Distances (T,) of straight lines from `start` to `end` from others from `begin` to `stop`, all (T, 3) (Ericson 2005)."""
    one, other, off = end - start, stop - begin, start - begin
    a, e, f = (one * one).sum(1), (other * other).sum(1), (other * off).sum(1)
    b, c = (one * other).sum(1), (one * off).sum(1)
    tiny = 1e-12
    s = np.clip((b * f - c * e) / np.maximum(a * e - b * b, tiny), 0.0, 1.0)
    t = (b * s + f) / np.maximum(e, tiny)
    s = np.where(t < 0.0, np.clip(-c / np.maximum(a, tiny), 0.0, 1.0),
                 np.where(t > 1.0, np.clip((b - c) / np.maximum(a, tiny), 0.0, 1.0), s))
    t = np.clip(t, 0.0, 1.0)
    return np.linalg.norm(start + s[:, None] * one - begin - t[:, None] * other, axis=1)
