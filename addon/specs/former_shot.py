# SPDX-License-Identifier: GPL-3.0-or-later
"""The motions by their kinds in files, and the one converter of shots that were written before a shot had a motion."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ..checks import Part
from ..errors import InputError, shown, unknown_name
from .motion import WORDS, Motion
from .motions import PLANET, Clip, Creature, CreatureGait, Gait, Jump, KeyPoses, Moves, Reflex, Stand, Walker
from .pose_gait import PoseGait
from .settings import read_fields, settings_of

MOTIONS: Mapping[str, type[Motion]] = {kind.KIND: kind for kind in (Gait, Clip, Moves, KeyPoses, Stand, Jump, Reflex, Creature)}
"""The motions by their kinds, as files name them."""
FORMER = {"gait": "name", "motion": "file", "gait_law": "law"}
"""Fields of a gait that were called otherwise."""
PARTS: Mapping[str, type[Any]] = {"pose_gait": PoseGait, "reflex": Walker, "creature": CreatureGait}
"""Fields that held a motion's own part, and what it is."""
IGNORED: Mapping[type[Motion], Collection[str]] = {Clip: ("stop",), Moves: ("stop",), Stand: WORDS, KeyPoses: WORDS}
"""Fields that made no difference to a motion, and that nobody refused."""
OWN = ("follow", "stand", *PARTS)
MARKS = (*OWN, "controller", *FORMER, *(name for name in settings_of(Gait) if name not in FORMER.values()))
"""Fields of the former form."""


def motion_in(data: Any) -> Motion:
    """A motion as JSON holds it. Raises InputError for what is none, or does not fit."""
    if not isinstance(data, Mapping):
        raise InputError(f"A shot's motion must be a table with its kind, got {shown(data)}.")
    kind = str(data.get("kind"))
    if kind not in MOTIONS:
        raise unknown_name("kind of motion", kind, MOTIONS)
    return MOTIONS[kind].from_dict(data)


def moved_by(controller: str) -> type[Motion]:
    """The motion of a controller: the first that names it; a gait's of one that no other motion names."""
    return next((kind for kind in MOTIONS.values() if controller in kind.CONTROLLERS), Gait)


def in_this_form(data: Any) -> Any:
    """What a file holds of a shot, with its motion in one field; what has it already, and what is no shot, as it is. Raises
    InputError for a motion that does not fit."""
    if not isinstance(data, Mapping) or isinstance(data.get("motion"), (Mapping, Motion)) or not any(
            name in data for name in MARKS):
        return data
    former = {name: value for name, value in data.items() if name in MARKS}
    return {**{name: value for name, value in data.items() if name not in MARKS}, "motion": _motion_of(former)}


def _motion_of(former: Mapping[str, Any]) -> Motion:
    """The motion of the fields of the former form. Raises InputError for what does not fit."""
    own = {name: former[name] for name in OWN if former.get(name) is not None}
    wished = {FORMER.get(name, name): value for name, value in former.items() if name not in OWN}
    follow = dict(own.get("follow", {}))
    kind = (Moves if follow.get("moves") else Clip) if follow else KeyPoses if "pose_gait" in own else moved_by(
        wished.get("controller", Gait().controller))
    for name, of in (("reflex", Reflex), ("creature", Creature)):
        if name in own:
            kind = of
    if kind.NEEDS and not ("follow" in own or "pose_gait" in own):
        raise InputError(kind.NEEDS.format(wished["controller"]))
    if "stand" in own and kind not in (Stand, Clip):
        raise InputError("Only who stands has a stance: choose the gait stand, or leave the stance out.")
    if kind is Gait:
        return Gait.from_dict(wished)
    values = read_fields(Gait, {name: value for name, value in wished.items() if name != "controller"})
    fields = set(settings_of(kind))
    given = {name: getattr(values, name) for name in settings_of(Gait) if name in fields or name not in IGNORED.get(kind, ())}
    return kind.of(given | {"controller": wished.get("controller")} | _own_fields(kind, own, follow))


def _own_fields(kind: type[Motion], own: Mapping[str, Any], follow: Mapping[str, Any]) -> dict[str, Any]:
    """What a motion has that no gait has, of the fields of the former form."""
    if kind is KeyPoses:
        return {"gait": Part(PoseGait).read("The pose gait", own["pose_gait"])}
    if kind is Reflex:
        return {"walker": Part(Walker).read("The reflex walker", own["reflex"]) if "reflex" in own else None}
    if kind is Creature:
        return {"gait": Part(CreatureGait).read("The creature's gait", own["creature"]) if "creature" in own else None}
    stand = Part(Stand).read("The stance", own["stand"]) if "stand" in own else None
    if kind is Stand:
        return {name: getattr(stand or Stand(), name) for name in settings_of(Stand) if name != "after"}
    clip = {"clip": "file"}
    return {"stand": stand, "file": None, "time": PLANET,
            **{clip.get(name, name): value for name, value in follow.items() if name != "moves"}}
