# SPDX-License-Identifier: GPL-3.0-or-later
"""Which rig a shot of a list is for: the built-in astronaut, or an armature in a file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..options.blender import ASTRONAUT

ENDINGS = (".blend", ".fbx", ".glb", ".gltf", ".vrm", ".bvh")
"""Files that a rig is read from; all but .blend through Blender's importers."""
FIELDS = {"file": "text", "armature": "text", "bone_map": "text"}


@dataclass(frozen=True)
class RigSpec:
    """A rig by its name in the list. `file` is None for the astronaut; `armature` may be None where a file holds one."""

    name: str = ASTRONAUT
    file: str | None = None
    armature: str | None = None
    bone_map: str | None = None

    @property
    def inputs(self) -> dict[str, Path]:
        """The files it is made of, by what they are."""
        given = {"rig": self.file, "bone map": self.bone_map}
        return {what: Path(path) for what, path in given.items() if path is not None}

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return asdict(self)


def is_rig_file(text: str) -> bool:
    """Whether a rig's name is in truth a file that holds one."""
    return Path(text).suffix.lower() in ENDINGS
