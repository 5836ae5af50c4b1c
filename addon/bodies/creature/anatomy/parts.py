# SPDX-License-Identifier: GPL-3.0-or-later
"""What was found in a rig at rest: which joints begin which part of a creature, and what is in the way of its walking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

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
    """One thing that is wrong or a guess: `key`, whether it keeps the creature from walking, and a sentence that names the
    bones."""

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
    faults: tuple[Fault, ...] = ()
    leg_faults: float = 0.0


def numbered(found: CreatureAnatomy, rows: np.ndarray) -> CreatureAnatomy:
    """The same with the joints' numbers in the whole skeleton."""

    def chain(one: Chain | None) -> Chain | None:
        return None if one is None else Chain(tuple(int(rows[joint]) for joint in one.joints), one.end)

    legs = {side: replace(leg, joints=tuple(int(rows[joint]) if joint >= 0 else -1 for joint in leg.joints))
            for side, leg in found.legs.items()}
    arms = {side: tuple(Chain(tuple(int(rows[j]) for j in one.joints), one.end) for one in chains)
            for side, chains in found.arms.items()}
    return replace(found, trunk=int(rows[found.trunk]), legs=legs, arms=arms, neck=chain(found.neck), head=chain(found.head),
                   tail=chain(found.tail))
