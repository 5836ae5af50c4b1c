# SPDX-License-Identifier: GPL-3.0-or-later
"""What a condition leaves of what muscles can hold, beside the healthy body's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from ...specs.actuation import Actuation
from ...specs.condition import TIGHT, Condition
from ...specs.shot import Shot
from ..body import Body
from ..displaced import displaced, joint_segment
from .muscle import MuscleSet
from .of_shot import muscles_of
from .paths import PathKinematics

SIDES = ("L", "R")
_KNOWN: WeakKeyDictionary[Body, dict[tuple[Actuation, Condition], Ability]] = WeakKeyDictionary()
"""What was worked out already: a plan asks several times."""
ABDUCTORS, CALVES, HAMSTRINGS = "hip_abductors", "plantar_flexors", "hamstrings"


@dataclass(frozen=True)
class Ability:
    """Of each side, 1 being healthy: `abduction`, what the hip's abductors can hold over what the weight asks of them, `calves`,
    what the plantar flexors can. `short_m`: how much further fibres of the hamstrings would be stretched that do not give and are
    as tight as their shorter tendons make them, the less of both sides [m]."""

    abduction: Mapping[str, float]
    calves: Mapping[str, float]
    short_m: float


def ability_of(shot: Shot, body: Body) -> Ability | None:
    """The ability of a shot's body, whose joints are where its condition has them; None for a healthy one, and for one that
    torques move."""
    if shot.actuation is None or shot.condition is None or shot.condition.plain:
        return None
    known, key = _KNOWN.setdefault(body, {}), (shot.actuation, shot.condition)
    if key not in known:
        known[key] = _found(shot, body)
    return known[key]


def _found(shot: Shot, body: Body) -> Ability:
    """The same, worked out."""
    healthy = displaced(body, shot.condition, back=True)
    whole = muscles_of(replace(shot, condition=None), healthy)
    left = muscles_of(shot, body)
    levers = [_levers_m(one) for one in (healthy, body)]
    holds = [_abduction_nm(*pair) for pair in ((healthy, whole), (body, left))]
    abduction = {side: holds[1][side] / holds[0][side] * levers[0][side] / levers[1][side] for side in SIDES}
    calves = {side: _force_n(left, CALVES, side) / _force_n(whole, CALVES, side) for side in SIDES}
    return Ability(abduction, calves, _shorter_m(shot, whole, left))


def _levers_m(body: Body) -> dict[str, float]:
    """How far [m] each hip is from the middle of the pelvis: the lever of the weight that the abductors hold."""
    return {side: abs(float(body.segment(joint_segment(body, "hip", side)).offset[1])) for side in SIDES}


def _abduction_nm(body: Body, muscles: MuscleSet) -> dict[str, float]:
    """What each side's abductors can hold at most about the forward axis of a standing hip [N m]."""
    paths = PathKinematics(body, muscles)
    paths.update(paths.model.qpos0, np.zeros(paths.model.nv))
    found = {}
    for side in SIDES:
        rows = muscles.rows(ABDUCTORS, side)
        at = body.root_freedom
        for name in body.joint_segments:
            if name == joint_segment(body, "hip", side):
                break
            at += 3 if body.segment(name).joint == "ball" else 1
        found[side] = float(np.abs(paths.arms_m[at, rows]) @ muscles.max_force_n[rows])
    return found


def _force_n(muscles: MuscleSet, group: str, side: str) -> float:
    return float(muscles.max_force_n[muscles.rows(group, side)].sum())


def _shorter_m(shot: Shot, whole: MuscleSet, left: MuscleSet) -> float:
    """See `Ability`: how much shorter tendons are over what fibres give, mean of the side where they are less so [m]."""
    if not shot.condition or not any(change.kind == TIGHT for change in shot.condition.changes):
        return 0.0
    short_m = (whole.tendon_slack_m - left.tendon_slack_m) / left.give
    return min(float(short_m[whole.rows(HAMSTRINGS, side)].mean()) for side in SIDES)
