# SPDX-License-Identifier: GPL-3.0-or-later
"""What an artist says of a rig's bones: kept on the armature as a custom property, written to and read from a JSON file to share.
Either holds `format` (such as "lope bone map"), `version`, `rig` and `bones`: part -> bone name. A bone map's parts are segments,
and "root", the bone that carries the travel."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import RigError
from ...files import parse_json, read_text, reading, write_whole
from .detect import check_mapping

if TYPE_CHECKING:
    import bpy


VERSION = 1


@dataclass(frozen=True)
class KeptMap:
    name: str

    @property
    def key(self) -> str:
        return f"lope_{self.name.replace(' ', '_')}"

    def keep(self, armature: bpy.types.Object, bones: Mapping[str, str], **more: Any) -> None:
        armature[self.key] = text = json.dumps({**self._document(bones, armature.name), **more}, sort_keys=True)
        for scene in _scenes_of_override(armature):
            scene[self._of_override(armature)] = text

    def kept_text(self, armature: bpy.types.Object) -> str | None:
        """The text of the map kept on an armature, or for a library override in its scenes; None where there is none."""
        if self.key in armature or armature.override_library is None:
            return armature.get(self.key)
        return next((scene[self._of_override(armature)] for scene in armature.users_scene
                     if self._of_override(armature) in scene), None)

    def kept(self, armature: bpy.types.Object) -> dict[str, str] | None:
        """The map kept on an armature, None where there is none. Raises RigError for a damaged one."""
        text = self.kept_text(armature)
        what = f"The {self.name} kept on {armature.name!r} (custom property {self.key})"
        return None if text is None else self._bones_in(text, what)

    def forget(self, armature: bpy.types.Object) -> None:
        armature.pop(self.key, None)
        for scene in _scenes_of_override(armature):
            scene.pop(self._of_override(armature), None)

    def check_writable(self, armature: bpy.types.Object) -> None:
        """Raises RigError for an armature on which nothing can be kept."""
        if armature.library is not None:
            raise RigError(f"Armature {armature.name!r} is linked from {armature.library.filepath}, so a {self.name} cannot be "
                           "kept on it; make a library override of it first.")

    def save(self, path: str | Path, bones: Mapping[str, str], rig: str = "") -> None:
        """Write a map to a JSON file. Raises InputError where the file cannot be written."""
        write_whole(path, json.dumps(self._document(bones, rig), indent=2) + "\n", self.name)

    def load(self, path: str | Path) -> dict[str, str]:
        """The map in a JSON file that `save` wrote. Raises RigError for a file that is none."""
        with reading(f"The {self.name} {path} cannot be read", RigError):
            text = read_text(path)
        return self._bones_in(text, f"The {self.name} {path}")

    def _of_override(self, armature: bpy.types.Object) -> str:
        """Name of the scene's property that keeps the map of a library override: of properties of its own, which its library
        does not have, an override keeps none when the file is loaded anew."""
        return f"{self.key} {armature.override_library.reference.name_full}"

    def _document(self, bones: Mapping[str, str], rig: str) -> dict[str, object]:
        return {"format": f"lope {self.name}", "version": VERSION, "rig": rig, "bones": dict(bones)}

    def _bones_in(self, text: Any, what: str) -> dict[str, str]:
        kind = f"lope {self.name}"
        try:
            data = parse_json(text)
            if data["format"] != kind or data["version"] > VERSION:
                raise RigError(f"{what} is of format {data['format']!r}, version {data['version']}; expected {kind!r}, version "
                               f"{VERSION} or less.")
            if not all(isinstance(name, str) for pair in data["bones"].items() for name in pair):
                raise ValueError("its bones are not all text")
            return dict(data["bones"])
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise RigError(f"{what} is damaged ({error!r}); say the bones anew and save it again.") from error


def _scenes_of_override(armature: bpy.types.Object) -> tuple[bpy.types.Scene, ...]:
    return tuple(armature.users_scene) if armature.override_library is not None else ()


BONE_MAP = KeptMap("bone map")
save_map, load_map, kept_text, stored_map = BONE_MAP.save, BONE_MAP.load, BONE_MAP.kept_text, BONE_MAP.kept


def store_map(armature: bpy.types.Object, bones: Mapping[str, str], *, whole: bool = True, unsure: Iterable[str] = ()) -> None:
    """Keep a map (segment -> bone) on the armature, in the file. Raises RigError for a map that does not fit it. With `whole` off
    a map that is still being made is kept too, and parts may lack. `unsure` are parts that were guessed and not yet said."""
    BONE_MAP.check_writable(armature)
    check_mapping(bones, [bone.name for bone in armature.data.bones], armature.name, whole=whole)
    doubtful = sorted(set(unsure) & set(bones))
    BONE_MAP.keep(armature, bones, **({"unsure": doubtful} if doubtful else {}))


def unsure_of(armature: bpy.types.Object) -> frozenset[str]:
    """Parts in the map kept on the armature that were guessed and not yet said; none where no sound map is kept."""
    try:
        return frozenset(json.loads(kept_text(armature) or "{}").get("unsure", ()))
    except (TypeError, ValueError, AttributeError):
        return frozenset()


def forget_map(armature: bpy.types.Object) -> None:
    """Take the armature's own map away; its bones are then found by names and structure again."""
    BONE_MAP.check_writable(armature)
    BONE_MAP.forget(armature)
