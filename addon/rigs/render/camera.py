# SPDX-License-Identifier: GPL-3.0-or-later
"""A camera that goes along with a walking figure, smoothly, without its bob and sway."""

from __future__ import annotations

import math
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector
from scipy.ndimage import gaussian_filter1d

from ...errors import unknown_name
from ..bake.action import ActionWriter, Keys
from ..bake.figure_of import hips_of, shown_figure
from ..read.armature import metres_per_unit
from ..read.way import bone_frames, way_of

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
    "front": View(0.0, 4.0, 0.80, 85.0, 0.50),
    "back": View(180.0, 4.0, 0.80, 85.0, 0.50),
    "three_quarter": View(-36.0, 8.0, 0.70, 50.0, 0.49, 0.04),
}


def follow_camera(scene: bpy.types.Scene, armature: bpy.types.Object, view: str, frames: tuple[int, int], *,
                  aspect: float) -> bpy.types.Object:
    """Add a camera that follows the hips of a rig over `frames` (first, last); the scene's own camera is not changed.

    It goes with them over the ground, and up and down with the ground but not with the steps; hops fit in the picture.
    `aspect` is the picture's width over its height. Raises RigError for an armature that is no figure, InputError for an
    unknown view. Views are counted from where the figure goes, or faces where it stands, goes aside or backward (`Way`).
    """
    if view not in VIEWS:
        raise unknown_name("camera view", view, VIEWS)
    figure = shown_figure(armature, scene=scene)
    hips = hips_of(armature, figure)
    way = way_of(scene, armature, figure, hips, frames, _STEP_FRAMES)
    times, path, yaw = way.frames, way.places, way.heading_rad
    look, metre = VIEWS[view], 1.0 / metres_per_unit(scene)
    height, rest = figure.height_m * metre, float(figure.in_body(figure.bone[hips].head)[2]) * metre
    smooth = smooth_path(path, scene)
    sway = path[:, 2] - smooth[:, 2]
    data = bpy.data.cameras.new(f"{armature.name} {view}")
    data.lens, data.sensor_fit, data.sensor_height = look.lens_mm, "VERTICAL", 24.0
    camera = bpy.data.objects.new(data.name, data)
    scene.collection.objects.link(camera)
    behind, ahead = (reach * metre for reach in figure.reach_m)
    distance = max(height + float(np.ptp(sway)), (ahead - behind) / aspect) / look.fill * data.lens / data.sensor_height
    data.clip_start, data.clip_end = 0.01 * distance, 5000.0 * metre
    azimuth, elevation = yaw + math.radians(look.azimuth_deg), math.radians(look.elevation_deg)
    away = Vector((math.cos(azimuth) * math.cos(elevation), math.sin(azimuth) * math.cos(elevation), math.sin(elevation)))
    lead = (look.lead * height * aspect + 0.5 * (behind + ahead)) * np.array([math.cos(yaw), math.sin(yaw), 0.0])
    aim = smooth + lead
    aim[:, 2] += look.aim * height - rest + 0.5 * (sway.min() + sway.max())
    camera.rotation_euler = away.to_track_quat("Z", "Y").to_euler()
    writer = ActionWriter(f"{camera.name} path", camera)
    plain = np.zeros(len(times), dtype=np.int32)
    for axis, places in enumerate((aim + distance * np.array(away)).T):
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
