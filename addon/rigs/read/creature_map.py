# SPDX-License-Identifier: GPL-3.0-or-later
"""An artist's own word on a creature's bones: kept on the armature as a custom property, written to and read from a JSON file.

The file holds `format` ("lope creature map"), `version`, `rig` and `bones`: part -> the bone at which it begins, "" for a
part that the creature has not. What it does not name is found by structure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import InputError, RigError, unknown_name

if TYPE_CHECKING:
    import bpy

CREATURE_KEY = "lope_creature_map"
"""Custom property of an armature object: what is said of its bones as a creature's, as JSON text."""

PLACES = ("trunk", "leg_L", "leg_R", "foot_L", "foot_R", "neck", "head", "tail", "arm_L", "arm_R")
"""What can be said: the bones at which these parts begin. A leg begins at the hip."""
MAY_LACK = ("neck", "head", "tail", "arm_L", "arm_R")
"""Parts that a creature may be said not to have."""

_KIND, _VERSION = "lope creature map", 1


def check_said(bones: Mapping[str, str], names: Iterable[str], rig: str) -> dict[str, str]:
    """What is said of a rig's bones. Raises RigError, or InputError for a part that there is not."""
    known = set(names)
    for part, bone in bones.items():
        if part not in PLACES:
            raise unknown_name("part of a creature", part, PLACES)
        if not bone and part not in MAY_LACK:
            raise RigError(f"The creature map for {rig!r} says that there is no {part}: no creature walks without; name its "
                           "bone.")
        if bone and bone not in known:
            raise RigError(f"The creature map for {rig!r} names the bone {bone!r} for {part}, which the armature does not "
                           "have.")
    taken = [bone for bone in bones.values() if bone]
    twice = sorted({bone for bone in taken if taken.count(bone) > 1})
    if twice:
        raise RigError(f"The creature map for {rig!r} gives two parts the same bone: {', '.join(twice)}.")
    return dict(bones)


def store_said(armature: bpy.types.Object, bones: Mapping[str, str]) -> None:
    """Keep what is said on the armature, in the file. Raises RigError for what does not fit it."""
    if armature.library is not None:
        raise RigError(f"Armature {armature.name!r} is linked from {armature.library.filepath}, so a creature map cannot be "
                       "kept on it; make a library override of it first.")
    said = check_said(bones, [bone.name for bone in armature.data.bones], armature.name)
    armature[CREATURE_KEY] = json.dumps(_document(armature.name, said), sort_keys=True)


def stored_said(armature: bpy.types.Object) -> dict[str, str]:
    """What is kept on the armature, empty where nothing is. Raises RigError for what is damaged or names bones that are
    gone."""
    text = armature.get(CREATURE_KEY)
    if text is None:
        return {}
    said = read_said(text, f"The creature map kept on {armature.name!r} (custom property {CREATURE_KEY})")
    return check_said(said, [bone.name for bone in armature.data.bones], armature.name)


def forget_said(armature: bpy.types.Object) -> None:
    """Take away what is said; all is found by structure again."""
    armature.pop(CREATURE_KEY, None)


def save_said(path: str | Path, bones: Mapping[str, str], rig: str = "") -> None:
    """Write what is said to a JSON file. Raises InputError where that fails."""
    try:
        Path(path).write_text(json.dumps(_document(rig, bones), indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"The creature map cannot be written to {path}: {error.strerror or error}.") from error


def load_said(path: str | Path) -> dict[str, str]:
    """What a JSON file says. Raises RigError for a file that is none."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RigError(f"The creature map {path} cannot be read: {error}.") from error
    return read_said(text, f"The creature map {path}")


def read_said(text: object, what: str) -> dict[str, str]:
    """The bones in a map's JSON text, called `what` in errors. Raises RigError saying what is wrong with it."""
    try:
        data = json.loads(text)  # type: ignore[arg-type]
        if data["format"] != _KIND or data["version"] > _VERSION:
            raise RigError(f"{what} is of format {data['format']!r}, version {data['version']}; expected {_KIND!r}, version "
                           f"{_VERSION} or less.")
        if not all(isinstance(name, str) for pair in data["bones"].items() for name in pair):
            raise ValueError("its bones are not all text")
        return dict(data["bones"])
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise RigError(f"{what} is damaged ({error!r}); say the bones anew and save it again.") from error


def _document(rig: str, bones: Mapping[str, str]) -> dict[str, object]:
    return {"format": _KIND, "version": _VERSION, "rig": rig, "bones": dict(bones)}
