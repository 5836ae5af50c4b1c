# SPDX-License-Identifier: GPL-3.0-or-later
"""The clips of a folder as BVH files: those that are, and what Blender makes of others."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ..errors import InputError
from ..options.blender import blender_room, find_armature, open_scene

IMPORTED = (".fbx", ".glb", ".gltf", ".vrm")


def clips_in(folder: Path) -> list[Path]:
    """BVH files of all clips in a folder, by name. Raises InputError for a folder that is not there or holds none, and where a
    clip needs Blender that is not there."""
    found: list[Path] = []
    for path in clip_files(folder):
        found += _imported(path) if path.suffix.lower() in IMPORTED else [path]
    if not found:
        raise InputError(f"The folder {folder} holds no clips: expected .bvh files, or {', '.join(IMPORTED)} for Blender.")
    return found


def clip_files(folder: Path) -> list[Path]:
    """The files in a folder that are read as clips, by name. Raises InputError for a folder that is not there."""
    if not folder.is_dir():
        raise InputError(f"The folder of clips {folder} is {'a file' if folder.exists() else 'not there; check the path'}.")
    return [path for path in sorted(folder.iterdir()) if path.suffix.lower() in (".bvh", *IMPORTED)]


def _imported(path: Path) -> list[Path]:
    """BVH files of the action of a file that Blender reads."""
    scene = open_scene(str(path))
    armature = find_armature(None)
    data = armature.animation_data
    if data is None or data.action is None:
        return []
    folder = Path(tempfile.gettempdir()) / "lope-takes" / "responses" / path.stem
    folder.mkdir(parents=True, exist_ok=True)
    clip: Path = blender_room("shots.action_clip").clip_of_named(data.action.name, armature, scene, folder)
    return [clip.replace(clip.with_name(f"{path.stem}.bvh"))]
