# SPDX-License-Identifier: GPL-3.0-or-later
"""A camera that goes along with a walking figure, smoothly, without its bob and sway."""

from __future__ import annotations

import math
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector
from scipy.ndimage import gaussian_filter1d

from ..errors import RigError, unknown_name
from .action import ActionWriter, Keys

_STEP_FRAMES = 3
_SMOOTH_S = 0.7


@dataclass(frozen=True)
class View:
    """Where the camera stands: angle from the heading to the left [deg], elevation [deg], the figure's height over the
    picture's, lens [mm], and the height looked at over the figure's. `lead` moves the aim ahead, in figure heights."""

    azimuth_deg: float
    elevation_deg: float
    fill: float
    lens_mm: float
    aim: float
    lead: float = 0.0


VIEWS: dict[str, View] = {
    "side": View(90.0, 4.0, 0.80, 85.0, 0.50),
    "three_quarter": View(-36.0, 8.0, 0.70, 50.0, 0.49, 0.04),
}


def follow_camera(scene: bpy.types.Scene, armature: bpy.types.Object, view: str, frames: tuple[int, int], *,
                  aspect: float, bone: str = "pelvis") -> bpy.types.Object:
    """Add a camera that follows the armature's evaluated `bone` over `frames` (first, last); the scene's camera is not set.

    `aspect` is the picture's width over its height. Raises RigError without the bone, InputError for an unknown view.
    """
    if view not in VIEWS:
        raise unknown_name("camera view", view, VIEWS)
    if bone not in armature.pose.bones:
        raise RigError(f"The armature {armature.name!r} has no bone {bone!r} for the camera to follow.")
    times, path = bone_path(scene, armature, bone, frames)
    look, height = VIEWS[view], _figure_height(armature)
    yaw = heading(armature, path)
    data = bpy.data.cameras.new(f"{armature.name} {view}")
    data.lens, data.sensor_fit, data.sensor_height, data.clip_end = look.lens_mm, "VERTICAL", 24.0, 5000.0
    camera = bpy.data.objects.new(data.name, data)
    scene.collection.objects.link(camera)
    distance = height / look.fill * data.lens / data.sensor_height
    azimuth, elevation = yaw + math.radians(look.azimuth_deg), math.radians(look.elevation_deg)
    away = Vector((math.cos(azimuth) * math.cos(elevation), math.sin(azimuth) * math.cos(elevation), math.sin(elevation)))
    lead = look.lead * height * aspect * np.array([math.cos(yaw), math.sin(yaw)])
    aim_height = _ground_height(armature) + look.aim * height
    aim = np.column_stack([smooth_path(path[:, :2], scene) + lead, np.full(len(path), aim_height)])
    camera.rotation_euler = away.to_track_quat("Z", "Y").to_euler()
    writer = ActionWriter(f"{camera.name} path", camera)
    plain = np.zeros(len(times), dtype=np.int32)
    for axis, places in enumerate((aim + distance * np.array(away)).T):
        writer.write("location", "Location", axis, Keys(times, places, plain, interpolation="BEZIER"))
    writer.assign()
    return camera


def bone_path(scene: bpy.types.Scene, armature: bpy.types.Object, bone: str, frames: tuple[int, int],
              step: int = _STEP_FRAMES) -> tuple[np.ndarray, np.ndarray]:
    """Frames (N,) and the bone's evaluated world positions (N, 3) [m] there; the scene's frame is put back."""
    first, last = frames
    times = np.unique(np.append(np.arange(first, last + 1, step), last))
    kept, places = scene.frame_current, []
    for frame in times:
        scene.frame_set(int(frame))
        evaluated = armature.evaluated_get(scene.view_layers[0].depsgraph)
        places.append(evaluated.matrix_world @ evaluated.pose.bones[bone].head)
    scene.frame_set(kept)
    return times.astype(float), np.array(places, dtype=float)


def heading(armature: bpy.types.Object, path: np.ndarray) -> float:
    """Direction of travel [rad from +X]; where the path (N, 3) does not travel, the way the armature faces."""
    travel = path[-1, :2] - path[0, :2]
    if np.linalg.norm(travel) < 0.3:
        travel = (armature.matrix_world.to_3x3() @ Vector((0.0, -1.0, 0.0)))[:2]
    return math.atan2(travel[1], travel[0])


def smooth_path(path: np.ndarray, scene: bpy.types.Scene) -> np.ndarray:
    """The path (N, 2) without bob and sway: a Gaussian over time of its departures from even travel."""
    even = np.linspace(0.0, 1.0, len(path))[:, None]
    line = path[0] + even * (path[-1] - path[0])
    rate = scene.render.fps / scene.render.fps_base / _STEP_FRAMES
    return line + gaussian_filter1d(path - line, max(_SMOOTH_S * rate, 0.1), axis=0, mode="nearest")


def _figure_height(armature: bpy.types.Object) -> float:
    """Height of the armature at rest [m]."""
    ends = _rest_ends(armature)
    return max(p.z for p in ends) - min(p.z for p in ends)


def _ground_height(armature: bpy.types.Object) -> float:
    """Where the resting figure's sole stands [m]."""
    return min(p.z for p in _rest_ends(armature))


def _rest_ends(armature: bpy.types.Object) -> list[Vector]:
    world: Matrix = armature.matrix_world
    return [world @ end for bone in armature.data.bones for end in (bone.head_local, bone.tail_local)]
