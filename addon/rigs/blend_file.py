# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender files for the command line: open one, find an armature in it, write a copy, render it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bpy

from ..errors import InputError, RigError, unknown_name


def open_blend(path: Path) -> bpy.types.Scene:
    """Open a file and give its scene. Scripts in it do not run. Raises InputError for a file that Blender cannot read."""
    try:
        bpy.ops.wm.open_mainfile(filepath=str(path.resolve()), load_ui=False, use_scripts=False)
    except RuntimeError as error:
        raise InputError(f"Blender cannot open {path}: {_reason(error)}") from error
    return bpy.context.scene


def find_armature(name: str) -> bpy.types.Object:
    """The armature object of that name. Raises InputError listing the armatures in the open file."""
    armatures = {o.name: o for o in bpy.data.objects if o.type == "ARMATURE"}
    if not armatures:
        raise RigError("This Blender file holds no armature.")
    if name not in armatures:
        raise unknown_name("armature", name, armatures)
    return armatures[name]


def save_copy(path: Path) -> None:
    """Write the open file to another place. Raises InputError where that fails."""
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(path.resolve()), copy=True)
    except RuntimeError as error:
        raise InputError(f"Blender cannot write {path}: {_reason(error)}") from error


def _reason(error: RuntimeError) -> str:
    """Blender's own words in one line."""
    return "; ".join(line.removeprefix("Error: ") for line in str(error).strip().splitlines())


def render_frames(
    scene: bpy.types.Scene, folder: Path, frames: range, size: tuple[int, int] | None,
    progress: Callable[[float, str], None],
) -> list[Path]:
    """Render frames of the scene as PNG files `frame_NNNN.png`, with its own camera, engine and look; `size` in pixels.

    Raises InputError for a scene without a camera.
    """
    if scene.camera is None:
        raise InputError("The scene in this Blender file has no camera; add one, or render with Blender itself.")
    render = scene.render
    render.image_settings.file_format = "PNG"
    if size is not None:
        (render.resolution_x, render.resolution_y), render.resolution_percentage = size, 100
    written = []
    for done, frame in enumerate(frames):
        progress(done / len(frames), f"rendering frame {frame}")
        scene.frame_set(frame)
        written.append(folder / f"frame_{frame:04d}.png")
        render.filepath = str(written[-1].resolve())
        bpy.ops.render.render(write_still=True)
    progress(1.0, "rendered")
    return written
