# SPDX-License-Identifier: GPL-3.0-or-later
"""How near parts of a body come to one another in a take, or how deep into one another, by the capsules of its outside."""

from __future__ import annotations

import numpy as np

from ..bodies.body import Body, Capsule
from ..bodies.capsules import body_capsules, passing_pairs
from ..maths.rotations import quat_rotate
from ..sim.take import Take
from .feet import TYPICAL, between

EVERY = 3
"""Gaps are looked at in every so many samples: 30 ms of a take's 10."""


def crossing_mm(take: Take) -> float:
    """How deep [mm] cores of parts that cannot pass go into one another, 0 where they keep clear: of the deepest pair in each
    moment up to a fall the `TYPICAL` percentile, as what is over within a picture or two is not seen. Two thighs are flesh."""
    body = take.body
    capsules, ends, thighs = body_capsules(body), _Ends(take), {foot.leg[0] for foot in body.feet}
    passing = set(passing_pairs(body, capsules)) | _next_but_one(body)
    deep = [one.core_m + other.core_m - ends.distances_m(one, other)
            for i, one in enumerate(capsules) for other in capsules[:i]
            if one.segment != other.segment and not {one.segment, other.segment} <= thighs
            and (one.segment, other.segment) not in passing and (other.segment, one.segment) not in passing]
    return max(1e3 * float(np.percentile(np.max(deep, axis=0), TYPICAL)), 0.0) if deep else 0.0


def least_gaps_m(take: Take) -> dict[str, float | None]:
    """Least distances [m] over a take, up to a fall, negative where one goes into the other: `legs` of the two legs' skins but
    the thighs', `body` of the cores of all else that is apart when the body stands (neck and trunk, tail and legs, arms)."""
    body = take.body
    capsules = body_capsules(body)
    legs = [{*foot.leg, *body.children(foot.segment)} for foot in body.feet]
    thighs = {foot.leg[0] for foot in body.feet}
    passing = set(passing_pairs(body, capsules)) | _next_but_one(body)
    ends = _Ends(take)
    least: dict[str, list[float]] = {"legs": [], "body": []}
    for i, one in enumerate(capsules):
        for other in capsules[:i]:
            a, b = one.segment, other.segment
            sides = [next((k for k, leg in enumerate(legs) if name in leg), None) for name in (a, b)]
            if None not in sides:
                if sides[0] != sides[1] and not {a, b} <= thighs:
                    least["legs"].append(ends.distance_m(one, other) - one.radius_m - other.radius_m)
            elif a != b and (a, b) not in passing and (b, a) not in passing:
                least["body"].append(ends.distance_m(one, other) - one.core_m - other.core_m)
    return {name: min(found) if found else None for name, found in least.items()}


class _Ends:
    def __init__(self, take: Take) -> None:
        last = take.stats.get("time_fell_s")
        rows = slice(None) if last is None else slice(0, max(int(np.searchsorted(take.time_s, last)), 1))
        self.places, self.turns = (array[rows][::EVERY] for array in take.segment_poses)
        self.index = take.body.index
        self.known: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def of(self, capsule: Capsule) -> tuple[np.ndarray, np.ndarray]:
        if capsule.name not in self.known:
            i = self.index[capsule.segment]
            start, end = (self.places[:, i] + quat_rotate(self.turns[:, i], np.asarray(at, dtype=float)[None])
                          for at in (capsule.start, capsule.end))
            self.known[capsule.name] = start, end
        return self.known[capsule.name]

    def distance_m(self, one: Capsule, other: Capsule) -> float:
        return float(self.distances_m(one, other).min())

    def distances_m(self, one: Capsule, other: Capsule) -> np.ndarray:
        return between(*self.of(one), *self.of(other))


def _next_but_one(body: Body) -> set[tuple[str, str]]:
    """Pairs of a segment and its parent's parent: a neck that bends brings them together."""
    return {(body.segment(s.hangs_on).hangs_on, s.name) for s in body.segments[1:] if body.segment(s.hangs_on).parent is not None}
