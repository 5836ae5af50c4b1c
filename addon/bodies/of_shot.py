# SPDX-License-Identifier: GPL-3.0-or-later
"""The body of a shot; the muscles that it asks for, on a body, the same for engine and controller; a body with a joint out of
its place; and what a condition leaves of what muscles can hold, beside the healthy body's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from ..errors import BodyError
from ..specs.muscles import DISPLACED, TIGHT, Actuation, Condition
from ..specs.path import GroundSpec
from ..specs.shot import Shot
from .body import Body
from .human.suit import load_suit
from .makers import body_from_dict, make_body
from .muscle import MuscleSet
from .muscles.conditioned import conditioned
from .muscles.mechanics import EQUAL, make_mechanics
from .muscles.paths import PathActuator, PathKinematics, own_coordinates
from .muscles.sets import muscles_for

SAME_PLACE_M = 1e-6
LEG = {"hip": 0, "ankle": -1}
"""Which of the segments of a foot's leg hangs at that joint; of the knee the one between."""


def shot_body(shot: Shot) -> Body:
    """The body of a shot in its suit, with what it carries. Raises InputError for what does not fit it."""
    return make_body(shot.body, load_suit(shot.suit), shot.carry)


def displaced(body: Body, condition: Condition | None, back: bool = False) -> Body:
    """The body with the joints of a condition's changes further out [m], or `back` in their places; the same one where there are
    none. A joint takes all with it that hangs on it; muscles keep their places on their segments, so those over it are stretched.
    Raises BodyError for a body without that joint."""
    changes = [change for change in condition.changes if change.kind == DISPLACED and change.value] if condition else []
    if not changes:
        return body
    data = body.to_dict()
    stored = {segment["name"]: segment for segment in data["segments"]}
    for change in changes:
        for side in change.sides:
            moved = stored[joint_segment(body, change.target, side)]
            parent = stored[moved["parent"]]
            at_tip = np.linalg.norm(np.subtract(parent["tip"], moved["offset"])) < SAME_PLACE_M
            out = change.value if (side == "L") != back else -change.value
            offset = np.add(moved["offset"], (0.0, out, 0.0)).tolist()
            moved["offset"] = offset
            if at_tip:
                parent["tip"] = list(offset)
    return body_from_dict(data)


MIDDLES = (0.25, 0.5, 0.75)
"""Where between heel and ball a sole may rest on an edge."""


def edged(body: Body, ground: GroundSpec) -> Body:
    """The body with points of its soles between heel and ball too, where the ground has edges; the same one elsewhere, and where
    it has no human's feet."""
    if ground.kind not in ("steps", "field") or body.kind != "human":
        return body
    data = body.to_dict()
    points = data["contact_points"]
    for foot in data["feet"]:
        heels, balls = ([points[i] for i in foot["points"] if points[i]["kind"] == kind] for kind in ("heel", "ball"))
        for heel, ball in zip(heels, balls, strict=True):
            for at, share in enumerate(MIDDLES):
                place = (1.0 - share) * np.array(heel["position"]) + share * np.array(ball["position"])
                foot["points"] = [*foot["points"], len(points)]
                points.append(heel | {"name": f"mid_{at}_{heel['name']}", "kind": "mid", "position": place.tolist()})
    return body_from_dict(data)


def joint_segment(body: Body, joint: str, side: str) -> str:
    """Name of the segment that hangs at a leg's joint: "hip", "knee" or "ankle". Raises BodyError for a body without it."""
    foot = next((foot for foot in body.feet if foot.side == side), None)
    if foot is None or len(foot.leg) < 2 or (joint == "knee" and len(foot.leg) != 3):
        raise BodyError(f"This body has no {joint} on the side {side!r} that could be out of its place.")
    return foot.leg[LEG.get(joint, 1)]


DYNAMICS = EQUAL
"""How activations follow excitations in a shot. With the 40 ms in which they fall in gait2392 a controller that looks no
further than its own step walks into its antagonists, still at work when a foot leaves the ground (docs/notes/muscle-qp.md)."""


def muscles_of(shot: Shot, body: Body) -> MuscleSet:
    """The muscles of a shot's actuation on a body, with as much active force as it says and in the shot's condition; they are
    laid on it as it is with all joints in their places. Raises LopeError for a body or a condition that they do not fit."""
    actuation = shot.actuation
    if actuation is None:
        raise ValueError("Torques move the body of this shot.")
    muscles = conditioned(muscles_for(displaced(body, shot.condition, back=True), actuation.muscles), shot.condition)
    strength = actuation.strength or 1.0
    return muscles if strength == 1.0 else muscles.changed(lambda one: one.stronger(strength))


def actuator_of(shot: Shot, body: Body) -> PathActuator:
    """The same muscles with their mechanics, as an engine is driven by them. Raises LopeError as `muscles_of` does."""
    muscles, tendon = muscles_of(shot, body), (shot.actuation or Actuation()).tendon
    mechanics = make_mechanics(muscles, tendon, dynamics=DYNAMICS)
    return PathActuator(body, muscles, mechanics, own_coordinates_of(shot, body))


def own_coordinates_of(shot: Shot, body: Body) -> np.ndarray:
    """Which coordinates (nv - r,) are the muscles': healthy ones tell, so that no condition makes torques of weak muscles."""
    return own_coordinates(body, muscles_of(replace(shot, condition=None), body))


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
    """The ability of a shot's body, with its condition's joints; None for a healthy one, and for one that torques move."""
    if shot.actuation is None or shot.condition is None or shot.condition.plain:
        return None
    known, key = _KNOWN.setdefault(body, {}), (shot.actuation, shot.condition)
    if key not in known:
        known[key] = _found(shot, body)
    return known[key]


def _found(shot: Shot, body: Body) -> Ability:
    healthy = displaced(body, shot.condition, back=True)
    whole = muscles_of(replace(shot, condition=None), healthy)
    left = muscles_of(shot, body)
    levers = [{side: abs(float(one.segment(joint_segment(one, "hip", side)).offset[1])) for side in SIDES}
              for one in (healthy, body)]  # how far each hip is from the middle [m]: levers of the weight that abductors hold
    holds = [_abduction_nm(*pair) for pair in ((healthy, whole), (body, left))]
    abduction = {side: holds[1][side] / holds[0][side] * levers[0][side] / levers[1][side] for side in SIDES}
    calves = {side: _force_n(left, CALVES, side) / _force_n(whole, CALVES, side) for side in SIDES}
    return Ability(abduction, calves, _shorter_m(shot, whole, left))


def _abduction_nm(body: Body, muscles: MuscleSet) -> dict[str, float]:
    """What each side's abductors can hold at most about the forward axis of a standing hip [N m]."""
    paths = PathKinematics(body, muscles)
    paths.update(paths.model.qpos0, np.zeros(paths.model.nv))
    found, joints = {}, paths.joint_rows()
    for side in SIDES:
        rows, at = muscles.rows(ABDUCTORS, side), joints[joint_segment(body, "hip", side)].start
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
