# SPDX-License-Identifier: GPL-3.0-or-later
"""Which camera a file is rendered through: its own, or one that goes along with a figure, smoothly, without its bob and sway."""

from __future__ import annotations

import bpy
import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...errors import InputError, RigError, unknown_name
from ..bake.action import ActionWriter, Keys
from ..bake.placing import hips_of, is_figure, shown_figure
from ..bake.provenance import SHOT_KEY
from ..read.actions import animation_of
from ..read.armature import metres_per_unit
from ..read.blend_file import find_armature
from ..read.poses import bone_frames, way_of
from .views import DEFAULT_VIEW, VIEWS, placed

_STEP_FRAMES = 3
_SMOOTH_S = 0.7


def follow_camera(scene: bpy.types.Scene, armature: bpy.types.Object, view: str, frames: tuple[int, int], *,
                  aspect: float) -> bpy.types.Object:
    """Add a camera that goes with the hips of a rig over `frames` (first, last), up and down with the ground but not with the
    steps; hops fit in the picture, whose width over height is `aspect`. Views are counted from where the figure goes, or faces
    where it stands, goes aside or backward (`Way`). Raises RigError for no figure, InputError for an unknown view."""
    if view not in VIEWS:
        raise unknown_name("camera view", view, VIEWS)
    figure = shown_figure(armature, scene)
    hips = hips_of(armature, figure)
    way = way_of(scene, armature, figure, hips, frames, _STEP_FRAMES)
    times, path = way.frames, way.places
    look, metre = VIEWS[view], 1.0 / metres_per_unit(scene)
    rest = float(figure.in_body(figure.bone[hips].head)[2]) * metre
    smooth = smooth_path(path, scene)
    sway = path[:, 2] - smooth[:, 2]
    camera, from_hips = placed(scene, armature, figure, view, way.heading_rad, float(np.ptp(sway)), aspect)
    from_hips[2] += look.aim * figure.height_m * metre - rest + 0.5 * (sway.min() + sway.max())
    scene.collection.objects.link(camera)
    writer = ActionWriter(f"{camera.name} path", camera)
    plain = np.zeros(len(times), dtype=np.int32)
    for axis, places in enumerate((smooth + from_hips).T):
        writer.write("location", "Location", axis, Keys(times, places, plain, interpolation="BEZIER"))
    writer.assign()
    return camera


def bone_path(scene: bpy.types.Scene, armature: bpy.types.Object, bone: str, frames: tuple[int, int],
              step: int = _STEP_FRAMES) -> tuple[np.ndarray, np.ndarray]:
    """Frames (N,) and the bone's evaluated world positions (N, 3) there; the scene's frame is put back."""
    times, places, _ = bone_frames(scene, armature, bone, frames, step)
    return times, places


def smooth_path(path: np.ndarray, scene: bpy.types.Scene) -> np.ndarray:
    """The path (N, 3) without bob and sway: a Gaussian over time of its departures from even travel."""
    even = np.linspace(0.0, 1.0, len(path))[:, None]
    line = path[0] + even * (path[-1] - path[0])
    rate = scene.render.fps / scene.render.fps_base / _STEP_FRAMES
    return line + gaussian_filter1d(path - line, max(_SMOOTH_S * rate, 0.1), axis=0, mode="nearest")


FILE, FOLLOW = "file", "follow"


def choose_camera(scene: bpy.types.Scene, choice: str | None, frames: tuple[int, int], aspect: float,
                  armature: str | None = None) -> bpy.types.Object:
    """Make the chosen camera the scene's, for all `frames` (first, last); returns it. `choice` is "file" (the scene's own),
    "follow" or "follow:VIEW" (a new one), or a name; without it the scene's own, else one that follows `armature`. Raises
    InputError for a camera or view that is not there, RigError where it is not clear whom to follow."""
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
    """The one armature of a scene that is a figure, else the one that Lope baked. Raises RigError where none or several are."""
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
    action = animation_of(armature).action
    return action is not None and SHOT_KEY in action
