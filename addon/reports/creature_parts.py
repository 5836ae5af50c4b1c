# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of any body with two feet, found by its tree alone: its tail, how long its legs are, what must not go through what."""

from __future__ import annotations

import numpy as np

from ..bodies.body import Body
from ..bodies.capsules import Capsule, body_capsules, passing_pairs
from ..maths.quaternions import quat_rotate
from ..take import Take
from .legs import between

EVERY = 3
"""Gaps are looked at in every so many samples: 30 ms of a take's 10."""
OFF_MIDDLE_SHARE = 0.05
"""A chain is in the middle of the body while its joints are nearer to it than this share of the leg's length."""


def head_of(body: Body) -> str:
    """The segment whose steadiness people look at: the head, or the trunk where there is none."""
    return body.role("head" if "head" in body.roles else "trunk")


def tail_of(body: Body) -> tuple[str, ...]:
    """Names of the tail's segments from its root on: the longest chain in the middle of the body that ends behind where it begins
    and carries neither feet nor the head. Empty without one."""
    kept = {name for foot in body.feet for name in body.way_to(foot.segment)} | set(body.way_to(head_of(body)))
    kept |= set(body.way_to(body.role("trunk")))
    best: tuple[tuple[str, ...], float] = (), 0.0
    for end in body.segments:
        way = body.way_to(end.name)
        chain = way[next((i for i, name in enumerate(way) if name not in kept), len(way)):]
        if not chain or body.children(end.name):
            continue
        reach = [_place(body, name) for name in chain] + [_place(body, end.name) + end.tip]
        aside = max(abs(place[1]) for place in reach)
        behind = reach[0][0] - reach[-1][0]
        if aside < OFF_MIDDLE_SHARE * body.leg_length_m and behind > best[1]:
            best = chain, behind
    return best[0]


def virtual_legs_m(take: Take) -> np.ndarray:
    """Length (T, F) of each leg as the crow flies, from the hip's joint to the last one, the foot's."""
    places, _ = take.segment_poses
    at = take.body.index
    return np.stack([np.linalg.norm(places[:, at[foot.segment]] - places[:, at[foot.leg[0]]], axis=1)
                     for foot in take.body.feet], axis=1)


def standing_legs_m(body: Body) -> np.ndarray:
    """The same (F,) in the neutral pose."""
    return np.array([np.linalg.norm(_place(body, foot.segment) - _place(body, foot.leg[0])) for foot in body.feet])


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
    """Ends of capsules over a take, each worked out once."""

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
        return float(between(*self.of(one), *self.of(other)).min())


def _next_but_one(body: Body) -> set[tuple[str, str]]:
    """Pairs of a segment and its parent's parent: a neck that bends brings them together."""
    return {(body.segment(s.hangs_on).hangs_on, s.name) for s in body.segments[1:] if body.segment(s.hangs_on).parent is not None}


def _place(body: Body, name: str) -> np.ndarray:
    """Where a segment's joint is (3,) in the neutral pose, seen from the root."""
    return np.sum([body.segment(each).offset for each in body.way_to(name)[1:]], axis=0) if name != body.segments[0].name \
        else np.zeros(3)
