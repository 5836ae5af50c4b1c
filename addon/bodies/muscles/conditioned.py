# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles in a condition: how strong they are, how tight, and what hurts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...errors import InputError
from ...specs.condition import BOTH, FOOT, GROUPS, PAIN, TIGHT, UNLOADED, WEAK, Change, Condition, unknown_muscle
from .deconditioning import left_of_force
from .muscle import Muscle, MuscleSet
from .sets import reference_set, set_names


def is_meant(muscle: Muscle, change: Change) -> bool:
    """Whether a change is about a muscle: one of its group on its side, of its name without the side, or of a name that begins
    or ends so ("gluteus_medius" is all parts of it, "psoas" a muscle that holds it). A muscle of neither side is meant where
    both are."""
    if muscle.side not in change.sides and (muscle.side or len(change.sides) == 1):
        return False
    name, target = _bare(muscle), change.target
    return target in muscle.groups or name == target or name.startswith(f"{target}_") or name.endswith(target)


def check_targets(muscles: MuscleSet, condition: Condition) -> None:
    """Raises InputError for a change that is about muscles which neither these nor any that ship have, naming the nearest, and
    for one about muscles of which these have none, nor any that does the same. Muscles that only other sets have apart are left
    out, as these hold them in others."""
    for change in condition.changes:
        about_muscles = change.kind in (WEAK, TIGHT) or (change.kind == PAIN and change.target != FOOT)
        anywhere = replace(change, side=BOTH)
        if not about_muscles or any(is_meant(muscle, anywhere) for muscle in muscles):
            continue
        meant = {name: some for name in set_names()
                 if (some := [muscle for muscle in reference_set(name).muscles if is_meant(muscle, anywhere)])}
        if not meant:
            raise unknown_muscle(change.target, {*GROUPS, *muscles.groups, *map(_bare, muscles)})
        there = set(muscles.groups)
        if change.target in GROUPS or not any(there & set(muscle.groups) for some in meant.values() for muscle in some):
            raise InputError(f"The muscles that move this body have no {change.target}, which the set {' or '.join(meant)} has: "
                             "choose that one, or leave the change out.")


def _bare(muscle: Muscle) -> str:
    """A muscle's name without its side."""
    return muscle.name.removesuffix(f"_{muscle.side}")


def conditioned(muscles: MuscleSet, condition: Condition | None) -> MuscleSet:
    """The muscles as they are in a condition: active forces (passive tissue stays) and slack lengths by the product of their
    factors, and what months without gravity left. The same set where nothing changes. Raises InputError for a change that is
    about none of them."""
    if condition is None or condition.plain:
        return muscles
    check_targets(muscles, condition)

    def changed(muscle: Muscle) -> Muscle:
        force = slack = 1.0
        for change in condition.changes:
            if change.kind == UNLOADED:
                force *= left_of_force(muscle.groups, change.value)
            elif change.kind in (WEAK, TIGHT) and is_meant(muscle, change):
                force *= change.value if change.kind == WEAK else 1.0
                slack *= change.value if change.kind == TIGHT else 1.0
        if force == slack == 1.0:
            return muscle
        weaker = muscle if force == 1.0 else muscle.stronger(force)
        return replace(weaker, tendon_slack_m=muscle.tendon_slack_m * slack)

    return muscles.changed(changed)


@dataclass(frozen=True)
class Pain:
    """What hurts, over the weight of effort: each muscle's force, over its greatest, squared (M,), and each foot's force on the
    ground, over the body's weight, squared, by the foot's side."""

    muscle: np.ndarray
    foot: Mapping[str, float]

    @property
    def any(self) -> bool:
        """Whether anything hurts."""
        return bool(self.muscle.any() or any(self.foot.values()))


def pain_weights(muscles: MuscleSet, condition: Condition | None) -> Pain:
    """The weights of a condition's pain; those of the same target add up. Raises InputError as `conditioned` does."""
    muscle, foot = np.zeros(len(muscles)), {"L": 0.0, "R": 0.0}
    if condition is not None:
        check_targets(muscles, condition)
        for change in condition.changes:
            if change.kind == PAIN and change.target == FOOT:
                for side in change.sides:
                    foot[side] += change.value
            elif change.kind == PAIN:
                muscle += change.value * np.array([is_meant(one, change) for one in muscles])
    return Pain(muscle, foot)
