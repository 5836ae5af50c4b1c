# SPDX-License-Identifier: GPL-3.0-or-later
"""Which camera a file is rendered through, and which of its characters a camera follows."""

from __future__ import annotations

import bpy

from ...errors import InputError, RigError, unknown_name
from ..bake.figure_of import is_figure
from ..bake.provenance import SHOT_KEY
from ..read.blend_file import find_armature
from .camera import VIEWS, follow_camera

FILE, FOLLOW = "file", "follow"
DEFAULT_VIEW = "three_quarter"


def choose_camera(scene: bpy.types.Scene, choice: str | None, frames: tuple[int, int], aspect: float,
                  armature: str | None = None) -> bpy.types.Object:
    """Make the chosen camera the scene's, for all `frames` (first, last); returns it.

    `choice` is "file" (the scene's own), "follow" or "follow:VIEW" (a new one, which goes along with the character), or the
    name of a camera; without it the scene's own where it has one, else one that follows. `armature` names the character to
    follow. Raises InputError for a camera or view that is not there, RigError where it is not clear whom to follow.
    """
    choice = choice or (FILE if scene.camera is not None else FOLLOW)
    kind, _, view = choice.partition(":")
    if choice == FILE:
        if scene.camera is None:
            raise InputError(f"The scene {scene.name!r} has no camera of its own; render with --camera follow.")
        return scene.camera
    if kind == FOLLOW:
        character = character_of(scene) if armature is None else find_armature(armature)
        camera = follow_camera(scene, character, view or DEFAULT_VIEW, frames, aspect=aspect)
    else:
        camera = named_camera(scene, choice)
    for marker in scene.timeline_markers:  # a marker that binds a camera would take its place
        marker.camera = None
    scene.camera = camera
    return camera


def named_camera(scene: bpy.types.Scene, name: str) -> bpy.types.Object:
    """The scene's camera of that name. Raises InputError listing those that are there, and what else may be asked for."""
    cameras = {item.name: item for item in scene.objects if item.type == "CAMERA"}
    if name not in cameras:
        raise unknown_name("camera", name, [*cameras, FILE, FOLLOW, *(f"{FOLLOW}:{view}" for view in VIEWS)])
    return cameras[name]


def character_of(scene: bpy.types.Scene) -> bpy.types.Object:
    """The one armature of a scene that is a figure; of several, the one that Lope has baked.

    Raises RigError where there is none, or no telling which.
    """
    figures = [item for item in scene.objects if item.type == "ARMATURE" and is_figure(item)]
    if not figures:
        raise RigError(f"The scene {scene.name!r} has no character that a camera could follow; add a camera to the file and "
                       "render with --camera file.")
    baked = [item for item in figures if is_baked(item)]
    chosen = baked if len(figures) > 1 else figures
    if len(chosen) != 1:
        names = ", ".join(item.name for item in figures)
        raise RigError(f"The scene {scene.name!r} has {len(figures)} characters ({names}); say which one the camera follows "
                       "with --armature NAME.")
    return chosen[0]


def is_baked(armature: bpy.types.Object) -> bool:
    """Whether the armature's action is one that Lope baked."""
    data = armature.animation_data
    return data is not None and data.action is not None and SHOT_KEY in data.action
