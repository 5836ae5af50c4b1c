# SPDX-License-Identifier: GPL-3.0-or-later
"""A take on its rig in a scene that can be rendered: baked, the scene's frames set, on a stage where the file has none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy
from mathutils import Vector

from ...specs.bake_options import DUST, STAGE, bake_options
from ...take import Take
from ..bake.bake import bake_take
from ..bake.figure_of import figure_for, hips_of
from ..bake.loose import bake_along
from ..dust.marks import add_marks
from ..read.blend_file import find_armature, open_blend, save_copy
from ..read.way import way_of
from ..stage.shot_ground import lay_ground
from ..stage.stage import add_stage, stage_for

LEAST_STAGE_M = 10.0
PATH_FRAMES = 40
"""Frames at which the way is looked at, about."""


def bake_shot(options: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """Bake a take on a prepared rig and save the file.

    `options` holds `blend` and `armature` (the rig), `bones` (its own map or None), `take`, and `bake` (the options of the
    bake, whether a scene without a lamp gets its world's stage, and whether feet leave prints and dust). Gives the action's
    name and its frames. Raises InputError or RigError in one sentence.
    """
    scene = open_blend(Path(options["blend"]))
    armature = find_armature(options["armature"])
    wanted = bake_options(options["bake"])
    action = bake_take(armature, options["take"], bone_map=options["bones"], scene=scene, options=wanted)
    bake_along(scene, armature, action, options["take"], wanted, options["bones"])
    first, last = (round(frame) for frame in action.frame_range)
    scene.frame_start, scene.frame_end = first, last
    if options["bake"].get(STAGE, True) and not has_lamp(scene):
        put_on_stage(scene, armature, Take.load(options["take"]), (first, last), options["bones"])
    if options["bake"].get(DUST, False):
        add_marks(scene, armature, Take.load(options["take"]), bones=options["bones"])
    scene.frame_set(first)
    save_copy(out)
    return {"action": action.name, "frame_start": first, "frame_end": last}


def has_lamp(scene: bpy.types.Scene) -> bool:
    """Whether somebody has lit a scene already."""
    return any(item.type == "LIGHT" for item in scene.objects)


def put_on_stage(scene: bpy.types.Scene, armature: bpy.types.Object, take: Take, frames: tuple[int, int],
                 bones: Mapping[str, str] | None) -> None:
    """Ground, sun and sky of the take's world under the soles, along the way that the hips go over `frames` (first, last),
    or where they face."""
    figure = figure_for(armature, take.body, bones, scene)
    hips = hips_of(armature, figure, bones)
    way = way_of(scene, armature, figure, hips, frames, max(1, (frames[1] - frames[0]) // PATH_FRAMES))
    start, heading, length, aside = way.road()
    stage = add_stage(scene, stage_for(take.shot.world.name), origin=(float(start[0]), float(start[1])), heading_rad=heading,
                      length_m=max(length, LEAST_STAGE_M), aside_m=aside,
                      ground_z=float((armature.matrix_world @ Vector(figure.ground)).z))
    if take.shot.world.ground.kind != "plane":
        lay_ground(stage, armature, figure, take)
