# SPDX-License-Identifier: GPL-3.0-or-later
"""What pictures are made of: a scene of the open file, and a checksum that tells whether it is still the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import bpy

from ...errors import unknown_name
from ..read.blend_file import open_file


def named_scene(scene: bpy.types.Scene, name: str | None) -> bpy.types.Scene:
    """The scene of that name in the open file; `scene` without a name. Raises InputError listing those there are."""
    if name is None:
        return scene
    if name not in bpy.data.scenes:
        raise unknown_name("scene", name, bpy.data.scenes.keys())
    return bpy.data.scenes[name]


def source_of(scene: bpy.types.Scene, asked: Sequence[object]) -> str | None:
    """A text that changes with the open file, the files it uses, the scene shown, and what was `asked` of it (JSON values).

    None for a file that is not on the disk.
    """
    file = open_file()
    if file is None or not file.is_file():
        return None
    used = sorted({Path(path) for path in bpy.utils.blend_paths(absolute=True)} - {file})
    sums = [_checksum(file)] + [[str(path), _checksum(path)] for path in used if path.is_file()]
    return json.dumps([sums, scene.name, list(asked)])


def _checksum(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
