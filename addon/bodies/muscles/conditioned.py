# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles in a condition: how strong they are, how tight, what hurts, and what is left of their force after months without
gravity. Sizes: bed rest of 90 days without exercise, 13 people (Muir, Judex, Qin and Rubin 2011, Gait & Posture 33, table 3,
controls). Hip extensors: 213 days on Mir, with exercise (Koryak 2020, AMHP 91). Course: the logarithm of the days, up to 120
(Marusic et al. 2021, J Appl Physiol 131), after which no more is lost (LeBlanc et al. 2000, J Appl Physiol 89). Not known: hip
flexors, abductors, adductors and rotators, whose volume alone was measured, and arms, which hardly change (Gopalakrishnan et al.
2010): they keep their force."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ...errors import InputError
from ...specs.muscles import BOTH, FOOT, GROUPS, PAIN, TIGHT, UNLOADED, WEAK, Change, Condition, unknown_muscle
from ..muscle import Muscle, MuscleSet
from .sets import reference_set, set_names

MEASURED_DAYS = 90.0
STEADY_DAYS = 120.0
DAYS_IN_A_MONTH = 30.4
TURN_DAYS = 2.2
"""Of ln(1 + days / TURN_DAYS): least squares of what knee extensors lost in bed (Marusic 2021, table 1: 8.6 and 4.1 % in 5 days,
14.5 in 10, 14.5 in 14; Mulder 2006: 20.5 in 56, the leg that was not tested; Muir 2011: 25.7 in 90), off by 2.2 % on average."""

LOST = {
    "knee_extensors": 1.0 - 81.0 / 109.0, "knee_flexors": 1.0 - 51.0 / 64.0, "hamstrings": 1.0 - 51.0 / 64.0,
    "plantar_flexors": 1.0 - 52.9 / 72.5, "dorsiflexors": 1.0 - 20.5 / 22.1, "trunk_extensors": 1.0 - 218.0 / 249.0,
    "trunk_flexors": 1.0 - 119.0 / 132.0,
}
"""Share of the torque lost in `MEASURED_DAYS`, of concentric tests at 60 degrees a second, of the ankle at 30."""
LOST_IN_THE_END = {"hip_extensors": 0.16}
"""Share lost when nothing more is: at 30 degrees a second."""


def course(months: float) -> float:
    """How much of the loss of `MEASURED_DAYS` there is after so many months: 0 at first, 1 then, steady from `STEADY_DAYS` on."""
    days = min(months * DAYS_IN_A_MONTH, STEADY_DAYS)
    return math.log1p(days / TURN_DAYS) / math.log1p(MEASURED_DAYS / TURN_DAYS)


def left_of_force(groups: Iterable[str], months: float) -> float:
    """Share of its greatest force that a muscle of these groups has left after so many months: that of the group that lost
    most, 1 where nothing was measured."""
    steady = course(STEADY_DAYS / DAYS_IN_A_MONTH)
    losses = LOST | {group: lost / steady for group, lost in LOST_IN_THE_END.items()}
    return 1.0 - course(months) * max((losses.get(group, 0.0) for group in groups), default=0.0)


def is_meant(muscle: Muscle, change: Change) -> bool:
    """Whether a change is about a muscle: one of its group on its side, of its name without the side, or of a name that begins or
    ends so ("gluteus_medius" is all parts of it, "psoas" a muscle that holds it). One of neither side where both are."""
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
