# SPDX-License-Identifier: GPL-3.0-or-later
"""The uneven ground that a take was simulated on, as a mesh where the character walks: slopes, steps and height fields."""

from __future__ import annotations

import bpy
import numpy as np

from ...take import Take
from ...worlds.ground import make_ground
from ..read.figure import Figure

MARGIN_M = 8.0
"""How far the mesh goes on beyond the way walked, to every side."""
FINEST_M, MOST_CELLS = 0.03, 700
"""Distance of the mesh's points, as wide is a step's edge; and cells along a side at most: long ways make them coarser."""


def lay_ground(stage: bpy.types.Collection, armature: bpy.types.Object, figure: Figure, take: Take) -> None:
    """Put the take's ground in the place of a stage's level one, and take away what would float or sink in it."""
    ground = next(item for item in stage.objects if item.name.startswith("Ground"))
    for item in [item for item in stage.objects if item.name.startswith("Rock")]:
        bpy.data.objects.remove(item)
    points, faces = ground_patch(take)
    scale = figure.own_body(take.body.mass_kg).leg_length_m / take.body.leg_length_m
    to_world = np.array(armature.matrix_world, dtype=float)
    world = figure.in_armature(scale * points) @ to_world[:3, :3].T + to_world[:3, 3]
    mesh = bpy.data.meshes.new(ground.name)
    mesh.from_pydata(world, [], faces.tolist())
    for material in ground.data.materials:
        mesh.materials.append(material)
    mesh.update()
    ground.data = mesh
    ground.matrix_world.identity()


def ground_patch(take: Take) -> tuple[np.ndarray, np.ndarray]:
    """Points (N, 3) [m] of the ground around a take's way, in the take's own axes, and quads (M, 4) of their indices."""
    way = take.com_m[:, :2]
    low, high = way.min(axis=0) - MARGIN_M, way.max(axis=0) + MARGIN_M
    step = max(FINEST_M, float((high - low).max()) / MOST_CELLS)
    xs, ys = (np.arange(a, b + step, step) for a, b in zip(low, high, strict=True))
    x, y = np.meshgrid(xs, ys, indexing="ij")
    points = np.stack([x, y, make_ground(take.shot.world.ground).height(x, y)], axis=-1).reshape(-1, 3)
    corner = (np.arange(len(xs) - 1)[:, None] * len(ys) + np.arange(len(ys) - 1)).reshape(-1, 1)
    return points, corner + np.array([0, len(ys), len(ys) + 1, 1])
