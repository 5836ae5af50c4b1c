# SPDX-License-Identifier: GPL-3.0-or-later
"""From where a figure is looked at, and a camera that stands there. One that goes along by a constraint, whatever is baked
later."""

from __future__ import annotations

import math
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector

from ..bake.placing import hips_of
from ..read.armature import metres_per_unit
from ..read.figure import Figure


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
DEFAULT_VIEW = "three_quarter"


def stage_camera(scene: bpy.types.Scene, armature: bpy.types.Object, figure: Figure, *, aspect: float,
                 view: str = DEFAULT_VIEW) -> bpy.types.Object:
    """A camera, in no collection yet, that frames a rig as it stands and keeps beside its hips over the ground, never up."""
    ahead = (np.array(armature.matrix_world, dtype=float)[:3, :3] @ figure.axes[:, 0])[:2]
    camera, beside = placed(scene, armature, figure, view, math.atan2(ahead[1], ahead[0]), 0.0, aspect)
    ground = float((armature.matrix_world @ Vector(figure.ground)).z)
    camera.location = (*beside[:2], ground + VIEWS[view].aim * figure.height_m / metres_per_unit(scene) + beside[2])
    along = camera.constraints.new("COPY_LOCATION")
    along.name, along.target, along.subtarget = "Along", armature, hips_of(armature, figure)
    along.use_z, along.use_offset = False, True
    return camera


def placed(scene: bpy.types.Scene, armature: bpy.types.Object, figure: Figure, view: str, yaw: float, sway: float,
            aspect: float) -> tuple[bpy.types.Object, np.ndarray]:
    """A camera that looks as a view does at a figure that heads along `yaw` [rad] and goes up and down by `sway`; and from where
    to where it stands (3,), from the place over the hips that it looks at. Lengths in the scene's unit."""
    look, metre = VIEWS[view], 1.0 / metres_per_unit(scene)
    height = figure.height_m * metre
    data = bpy.data.cameras.new(f"{armature.name} {view}")
    data.lens, data.sensor_fit, data.sensor_height = look.lens_mm, "VERTICAL", 24.0
    camera = bpy.data.objects.new(data.name, data)
    behind, ahead = (reach * metre for reach in figure.reach_m)
    distance = max(height + sway, (ahead - behind) / aspect) / look.fill * data.lens / data.sensor_height
    data.clip_start, data.clip_end = 0.01 * distance, 5000.0 * metre
    azimuth, elevation = yaw + math.radians(look.azimuth_deg), math.radians(look.elevation_deg)
    away = np.array([math.cos(azimuth) * math.cos(elevation), math.sin(azimuth) * math.cos(elevation), math.sin(elevation)])
    camera.rotation_euler = Vector(away).to_track_quat("Z", "Y").to_euler()
    lead = look.lead * height * aspect + 0.5 * (behind + ahead)
    return camera, lead * np.array([math.cos(yaw), math.sin(yaw), 0.0]) + distance * away
