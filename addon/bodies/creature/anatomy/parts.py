# SPDX-License-Identifier: GPL-3.0-or-later
"""What was found in a rig at rest: which joints begin which part of a creature, and what is in the way of its walking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from ...human.anatomy.limbs import parts_of, tokens
from ...human.anatomy.skeleton import Skeleton

SIDES = ("L", "R")


@dataclass(frozen=True)
class Chain:
    """Joints in a row, each of which begins a part; `end` (3,) is where the last part ends."""

    joints: tuple[int, ...]
    end: np.ndarray


@dataclass(frozen=True)
class FoundLeg:
    """A leg on one side, from the hip down: as `leg.Leg`; `ankle` and `toes_end` (3,) lie in the world."""

    joints: tuple[int, ...]
    ankle: np.ndarray
    toes_end: np.ndarray
    has_foot: bool


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong or a guess: `key`, whether it keeps the creature from walking, and a sentence with the bones."""

    key: str
    stops: bool
    sentence: str


@dataclass(frozen=True)
class CreatureAnatomy:
    """A creature found in a skeleton at rest. `trunk` is the joint that carries all, `hips` (3,) the middle between the legs'
    joints, `front` (3,) where neck or head begin; legs and arms by side; `axes` (3, 3) its forward, left and up directions as
    columns; `unsure` the parts ("facing", "head" ...) that may be otherwise."""

    trunk: int
    hips: np.ndarray
    front: np.ndarray
    legs: Mapping[str, FoundLeg]
    axes: np.ndarray
    neck: Chain | None = None
    head: Chain | None = None
    tail: Chain | None = None
    arms: Mapping[str, tuple[Chain, ...]] = field(default_factory=dict)
    unsure: frozenset[str] = frozenset()


def numbered(found: CreatureAnatomy, rows: np.ndarray) -> CreatureAnatomy:

    def chain(one: Chain | None) -> Chain | None:
        return None if one is None else Chain(tuple(int(rows[joint]) for joint in one.joints), one.end)

    legs = {side: replace(leg, joints=tuple(int(rows[joint]) if joint >= 0 else -1 for joint in leg.joints))
            for side, leg in found.legs.items()}
    arms = {side: tuple(Chain(tuple(int(rows[j]) for j in one.joints), one.end) for one in chains)
            for side, chains in found.arms.items()}
    return replace(found, trunk=int(rows[found.trunk]), legs=legs, arms=arms, neck=chain(found.neck), head=chain(found.head),
                   tail=chain(found.tail))


_KINDS = {
    "tail": "tail schwanz cola coda queue хвост 尻尾 尾巴 꼬리",
    "head": "head skull kopf tete cabeza голова 頭 头 머리",
    "jaw": "jaw mouth tongue beak teeth tooth chin lip snout muzzle mandible",
    "organ": "eye eyes ear ears brow lid eyelid horn antenna antler nose feather crest comb mane whisker",
    "cloth": "skirt cape cloak hair coat cloth dress robe ribbon scarf belt strap sleeve ponytail braid weapon gun sword "
             "shield prop holster bag hat helmet breast boob belly",
    "wing": "wing wings flugel aile ala",
    "toe": "toe toes toebase ball zehen orteil claw talon",
    "control": "ik pole target ctrl control helper aim heel",
    "twist": "twist roll bendy",
}
_ENDS = frozenset("end nub site tip leaf effector terminal".split())
_OWN_LENGTH = 0.3
"""Of the way from its parent: a joint without children and skin that is as long as this is a bone, and no end of one."""
_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_PIECES = tuple(word for word in _KIND_OF if not word.isascii())


def kinds_of(name: str) -> frozenset[str]:
    """The kinds that a name speaks of: "tail", "jaw", "organ", "cloth", "wing", "toe", "head", "control", "twist"."""
    found = {_KIND_OF[word] for word in tokens(name) if word in _KIND_OF}
    return frozenset(found | {_KIND_OF[piece] for piece in _PIECES if piece in name})


def speaks(name: str, part: str) -> float:
    """1 where a name speaks of this part of a leg or an arm ("thigh", "foot" ...) alone, -1 where of others."""
    found = parts_of(name) - {"other"}
    if kinds_of(name) & {"tail", "jaw", "organ", "cloth"}:
        return -1.0
    if not found or part in found:
        return float(part in found)
    return -1.0


def only_ends(skeleton: Skeleton, joint: int) -> bool:
    """Whether a joint only marks where the bone before it ends: without children and skin, or, where nothing is known of skin,
    called so or without a length of its own."""
    if not skeleton.leads_nowhere(joint) or skeleton.skin is not None or set(tokens(skeleton.names[joint])) & _ENDS:
        return skeleton.leads_nowhere(joint)
    above = int(skeleton.parents[joint])
    if above < 0:
        return False
    way = float(np.linalg.norm(skeleton.heads[joint] - skeleton.heads[above]))
    return float(np.linalg.norm(skeleton.ends[joint] - skeleton.heads[joint])) < _OWN_LENGTH * way


LEAST_POINTS = 6
"""Fewer points of skin about a bone tell nothing."""


@dataclass(frozen=True)
class Skin:
    """Points of the skin at rest: `places` (M, 3) in the skeleton's axes, and `owners` (M,), the joint that moves each most."""

    places: np.ndarray
    owners: np.ndarray

    def of(self, joints: np.ndarray | list[int]) -> np.ndarray:
        """The places (K, 3) that some joints move."""
        return self.places[np.isin(self.owners, joints)]

    def only(self, rows: np.ndarray) -> Skin:
        """The skin of some joints alone, by their numbers among these."""
        number = np.full(max(int(self.owners.max(initial=-1)), int(rows.max(initial=-1))) + 1, -1)
        number[rows] = np.arange(len(rows))
        kept = number[self.owners] >= 0
        return Skin(self.places[kept], number[self.owners[kept]])


def thickness(skeleton: Skeleton, skin: Skin | None) -> np.ndarray | None:
    """How far the skin of each joint (N,) lies from its bone, the median; 0 where too little is known, None without skin."""
    if skin is None:
        return None
    found = np.zeros(len(skeleton.names))
    for joint in range(len(found)):
        mine = skin.of([joint])
        if len(mine) >= LEAST_POINTS:
            found[joint] = float(np.median(off_line(mine, skeleton.heads[joint], skeleton.ends[joint])))
    return found


def off_line(places: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Distances (M,) of places from the nearest point of a line from `start` to `end`."""
    way = end - start
    along = np.clip((places - start) @ way / max(float(way @ way), 1e-12), 0.0, 1.0)
    return np.linalg.norm(places - start - along[:, None] * way, axis=1)


def stands_on_heel(skeleton: Skeleton, skin: Skin | None, joint: int, nxt: np.ndarray, up: np.ndarray, ground: float,
                   near: float) -> bool | None:
    """Whether the skin of a joint touches the ground (within `near`) under or behind the first half of the way to the next
    joint, at `nxt` (3,), as a heel does; None where too little is known."""
    mine = None if skin is None else skin.of([joint])
    if mine is None or len(mine) < LEAST_POINTS:
        return None
    way = nxt - skeleton.heads[joint]
    flat = way - (way @ up) * up
    length = float(np.linalg.norm(flat))
    if length < 1e-9:
        return None
    along = (mine - skeleton.heads[joint]) @ flat / length**2
    back = mine[along < 0.4]
    return bool(len(back) and float((back @ up).min()) - ground < near)
