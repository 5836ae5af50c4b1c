# SPDX-License-Identifier: GPL-3.0-or-later
"""An artist's own bone map: kept on the armature as a custom property, written to and read from a JSON file to share.

The file holds `format` ("lope bone map"), `version`, `rig` (the armature it was made on) and `bones`: segment -> bone name,
and optionally "root" -> the bone that carries the travel. The armature's property holds the same JSON as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import InputError, RigError
from .detect import check_mapping

if TYPE_CHECKING:
    import bpy

MAP_KEY = "lope_bone_map"
"""Custom property of an armature object: its own bone map as JSON text."""

_KIND, _VERSION = "lope bone map", 1


def store_map(armature: bpy.types.Object, bones: Mapping[str, str], *, whole: bool = True,
              unsure: Iterable[str] = ()) -> None:
    """Keep a map (segment -> bone) on the armature, in the file. Raises RigError for a map that does not fit it.

    With `whole` off a map that is still being made is kept too, and parts may lack. `unsure` are parts that were guessed and
    not yet said.
    """
    _check_writable(armature)
    check_mapping(bones, [bone.name for bone in armature.data.bones], armature.name, whole=whole)
    doubtful = sorted(set(unsure) & set(bones))
    text = json.dumps({**_document(armature.name, bones), **({"unsure": doubtful} if doubtful else {})}, sort_keys=True)
    armature[MAP_KEY] = text
    for scene in armature.users_scene if armature.override_library is not None else ():
        scene[_of_override(armature)] = text


def _of_override(armature: bpy.types.Object) -> str:
    """Name of the scene's property that keeps the map of a library override: of properties of its own, which its library does
    not have, an override keeps none when the file is loaded anew."""
    return f"{MAP_KEY} {armature.override_library.reference.name_full}"


def kept_text(armature: bpy.types.Object) -> str | None:
    """The text of the map kept on an armature, or for a library override in its scenes; None where there is none."""
    if MAP_KEY in armature or armature.override_library is None:
        return armature.get(MAP_KEY)
    return next((scene[_of_override(armature)] for scene in armature.users_scene if _of_override(armature) in scene), None)


def stored_map(armature: bpy.types.Object) -> dict[str, str] | None:
    """The map kept on the armature, None where there is none. Raises RigError for a damaged one."""
    text = kept_text(armature)
    return None if text is None else read_text(text, f"The bone map kept on {armature.name!r} (custom property {MAP_KEY})")


def unsure_of(armature: bpy.types.Object) -> frozenset[str]:
    """Parts in the map kept on the armature that were guessed and not yet said; none where no sound map is kept."""
    try:
        return frozenset(json.loads(kept_text(armature) or "{}").get("unsure", ()))
    except (TypeError, ValueError, AttributeError):
        return frozenset()


def forget_map(armature: bpy.types.Object) -> None:
    """Take the armature's own map away; its bones are then found by names and structure again."""
    _check_writable(armature)
    armature.pop(MAP_KEY, None)
    for scene in armature.users_scene if armature.override_library is not None else ():
        scene.pop(_of_override(armature), None)


def save_map(path: str | Path, bones: Mapping[str, str], rig: str = "") -> None:
    """Write a map to a JSON file. Raises InputError where the file cannot be written."""
    try:
        Path(path).write_text(json.dumps(_document(rig, bones), indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"The bone map cannot be written to {path}: {error.strerror or error}.") from error


def load_map(path: str | Path) -> dict[str, str]:
    """The map in a JSON file that `save_map` wrote. Raises RigError for a file that is none."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RigError(f"The bone map {path} cannot be read: {error}.") from error
    return read_text(text, f"The bone map {path}")


def _document(rig: str, bones: Mapping[str, str]) -> dict[str, object]:
    return {"format": _KIND, "version": _VERSION, "rig": rig, "bones": dict(bones)}


def read_text(text: object, what: str) -> dict[str, str]:
    """The bones of a map's JSON text, called `what` in errors. Raises RigError saying what is wrong with it."""
    try:
        data = json.loads(text)
        if data["format"] != _KIND or data["version"] > _VERSION:
            raise RigError(f"{what} is of format {data['format']!r}, version {data['version']}; expected {_KIND!r}, version "
                           f"{_VERSION} or less.")
        bones = data["bones"]
        if not all(isinstance(name, str) for pair in bones.items() for name in pair):
            raise ValueError("its bones are not all text")
        return dict(bones)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise RigError(f"{what} is damaged ({error!r}); detect the bones anew and save it again.") from error


def _check_writable(armature: bpy.types.Object) -> None:
    if armature.library is not None:
        raise RigError(f"Armature {armature.name!r} is linked from {armature.library.filepath}, so a bone map cannot be "
                       "kept on it; make a library override of it first.")
