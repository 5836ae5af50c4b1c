# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaits from key poses by name, from the shipped files or an artist's own, or on the way from one gait to another with the same
states; and whether a body's joints can do what they draw."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..checks import check_number
from ..errors import InputError
from ..specs.motions import KeyPoses
from ..specs.pose_gait import PoseGait, PoseState
from ..specs.settings import PRESETS, file_of, known_file, names_in, read_preset, settings_of
from ..specs.shot import BODIES, Shot

if TYPE_CHECKING:
    from ..bodies.body import Body

Vector = tuple[float, float, float]


def interpolated(a: PoseGait, b: PoseGait, share: float) -> PoseGait:
    """The gait a share of the way from `a` (0) to `b` (1). Raises InputError for states that are not alike, or no share."""
    share = check_number("The share of one gait in another", share, 0.0, 1.0, "(no unit)")
    check_alike(a, b)
    if share in (0.0, 1.0):
        return b if share else a
    both = a.symmetric and b.symmetric
    states = zip(a.states, b.states, strict=True) if both else zip(a.cycle, b.cycle, strict=True)
    return dataclasses.replace(
        a, **_numbers(a, b, share), name=f"{a.name}:{share:g}:{b.name}", symmetric=both,
        summary=f"{share:.0%} of the way from {a.name} to {b.name}", source=f"between {a.name} and {b.name}",
        states=tuple(_state(one, other, share) for one, other in states))


def check_alike(a: PoseGait, b: PoseGait) -> None:
    """Raises InputError where there are no gaits between two: other states, swinging legs, or ends of states."""
    if len(a.cycle) != len(b.cycle):
        raise InputError(f"There is nothing between the pose gaits {a.name} and {b.name}, which have {len(a.cycle)} and "
                         f"{len(b.cycle)} states a cycle: change from one to the other instead, at a change of state.")
    if a.curves != b.curves:
        raise InputError(f"There is nothing between the pose gaits {a.name} and {b.name}, which go along other curves: change "
                         "from one to the other instead, at a change of state.")
    for i, (one, other) in enumerate(zip(a.cycle, b.cycle, strict=True)):
        if _kind(one) != _kind(other):
            raise InputError(f"There is nothing between the pose gaits {a.name} and {b.name}, as their states {i + 1} do not "
                             "swing the same leg, stand on as many, or end alike, by time or by touch-down: change from one to "
                             "the other instead.")


def _kind(state: PoseState) -> tuple[Any, ...]:
    """What of a state is no number that lies on a way."""
    return state.swing, state.stands, state.touch, state.touch_ends, state.lasts_s is None


def _numbers(a: Any, b: Any, share: float) -> dict[str, Any]:
    """The numbers that both have, on the way from one to the other."""
    found = {}
    kind: type = type(a)
    for name in settings_of(kind):
        here, there = getattr(a, name), getattr(b, name)
        if isinstance(here, float) and isinstance(there, (int, float)):
            found[name] = here + share * (there - here)
    return found


def _state(a: PoseState, b: PoseState, share: float) -> PoseState:
    """The state between two."""
    upper, shares = _upper(a, b, share)
    return dataclasses.replace(a, **_numbers(a, b, share), upper=upper or None, upper_share=shares or None)


def _upper(a: PoseState, b: PoseState, share: float) -> tuple[dict[str, Vector], dict[str, float]]:
    """What joints are drawn to, and how far those that are posed in one of the two only, or that hang in part."""
    here, there = a.upper or {}, b.upper or {}
    vectors: dict[str, Vector] = {}
    shares: dict[str, float] = {}
    for name in sorted(here.keys() | there.keys()):
        one, other = here.get(name, there.get(name)), there.get(name, here.get(name))
        assert one is not None and other is not None
        vectors[name] = tuple(x + share * (y - x) for x, y in zip(one, other, strict=True))  # type: ignore[assignment]
        posed = (1.0 - share) * _posed(a, name, here) + share * _posed(b, name, there)
        if posed < 1.0:
            shares[name] = posed
    return vectors, shares


def _posed(state: PoseState, name: str, upper: Mapping[str, Vector]) -> float:
    return (state.upper_share or {}).get(name, 1.0) if name in upper else 0.0


FORMAT = 1
KINDS = HUMAN, PLANAR = BODIES[:2]
FOLDER = PRESETS / "pose_gaits"
ROUTES = PRESETS / "pose_gait_routes.json"
MIXTURE = re.compile(r"(?P<a>.+?):(?P<share>[0-9]*\.?[0-9]+):(?P<b>.+)")


def folder_of(kind: str = HUMAN) -> Path:
    """Where the gaits of a kind of body are."""
    return FOLDER if kind == HUMAN else FOLDER / kind


def pose_gait_names(kind: str = HUMAN) -> list[str]:
    """Names of the shipped ones for a kind of body."""
    return names_in(folder_of(kind))


def read_pose_gait(path: Path) -> PoseGait:
    """The pose gait of a file. Raises InputError naming the file, the state and what does not fit."""
    return read_preset(path, PoseGait, "pose gait", newest=FORMAT)


def load_pose_gait(name: str, kind: str = HUMAN) -> PoseGait:
    """The pose gait of a shipped name (planar/NAME), a .json file, or A:SHARE:B, between two. Raises InputError."""
    mixed = MIXTURE.match(str(name))
    if mixed is not None:
        return interpolated(load_pose_gait(mixed["a"], kind), load_pose_gait(mixed["b"], kind), float(mixed["share"]))
    if str(name).lower().endswith(".json"):
        return read_pose_gait(file_of(folder_of(kind), "pose gait", name))
    whose, _, own = str(name).rpartition("/")
    if whose == PLANAR:
        planar = read_pose_gait(known_file(folder_of(PLANAR), "pose gait", own))
        if kind != PLANAR:
            raise InputError(f"The pose gait {name} is one of the planar body: go as that body (--planar), or choose one of "
                             f"{', '.join(pose_gait_names(kind))}.")
        return planar
    return read_pose_gait(known_file(folder_of(kind), "pose gait", name))


def gait_wished(wish: Mapping[str, Any], kind: str = HUMAN) -> PoseGait | None:
    """The gait of a wish of `specs.steering.Steering`: its own, else that of its name, or None. Raises InputError."""
    carried, name = wish.get("pose_gait"), wish.get("gait")
    return carried if carried is not None or name is None else load_pose_gait(str(name), kind)


def between_of(name: str, other: str, kind: str = HUMAN) -> PoseGait | None:
    """The gait that leads from one shipped gait to another that cannot come at once; None where it can, or nobody tried."""
    routes = json.loads(ROUTES.read_text(encoding="utf-8"))["through"].get(kind, {})
    through = routes.get(name, {}).get(other)
    return None if through is None else load_pose_gait(through, kind)


def carried(shot: Shot) -> Shot:
    """A shot whose steering holds the pose gaits that it names, whatever files become. Raises InputError for unknown ones."""
    if not isinstance(shot.motion, KeyPoses):
        return shot
    found, present = [], shot.motion.gait
    for one in shot.motion.steering:
        gait = gait_wished(one.wish, shot.body.kind)
        if gait is not None:
            via = one.via
            if one.over_s is not None:
                check_alike(present, gait)
            elif one.pose_gait is None:
                via = between_of(present.name, gait.name, shot.body.kind)
            one, present = replace(one, pose_gait=gait, via=via), gait
        found.append(one)
    return shot.with_motion(steering=tuple(found))


SLACK_RAD = math.radians(1.0)
"""What is rounded in a file does no harm."""


def check_reach(gait: PoseGait, body: Body) -> None:
    """Raises InputError, naming state and joint, for an upper body's joint drawn beyond its reach."""
    import numpy as np

    from ..bodies.kinematics import within_reach

    for i, state in enumerate(gait.states):
        for name, vector in (state.upper or {}).items():
            if name not in body.joint_segments:
                continue
            turn = np.array(vector, dtype=float)
            segment = body.segment(name)
            beyond = float(np.linalg.norm(turn - within_reach(segment, turn)))
            if beyond > SLACK_RAD:
                low, high = segment.limits_rad or (-math.pi, math.pi)
                how = "less" if segment.axis is None else "less, and about its hinge alone"
                raise InputError(f"State {i + 1} of the pose gait {gait.name} turns the joint of {name} "
                                 f"{math.degrees(beyond):.0f} degrees beyond what it does, {math.degrees(low):.0f} to "
                                 f"{math.degrees(high):.0f} degrees: turn it {how}.")
