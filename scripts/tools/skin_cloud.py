# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin of a rig as a cloud of points at any frame, and a picture of one."""

from __future__ import annotations

import bpy
import numpy as np

from lope.addon.rigs.read.skin import meshes_of
from lope.addon.rigs.render.strip import BACKGROUND

POINTS = 24000
"""Enough that a figure of a hundred pixels has no holes."""


class SkinCloud:
    """Points spread evenly over the meshes that an armature moves; the same ones at every frame."""

    def __init__(self, armature: bpy.types.Object) -> None:
        rng, self._meshes = np.random.default_rng(1), []
        items = [item for item, _, _ in meshes_of(armature) if not item.hide_render]
        surfaces = [_triangles(item) for item in items]
        areas = [_areas(*surface) for surface in surfaces]
        whole = sum(float(area.sum()) for area in areas)
        for item, (_, corners), area in zip(items, surfaces, areas, strict=True):
            count = round(POINTS * float(area.sum()) / whole)
            chosen = corners[rng.choice(len(corners), count, p=area / area.sum())]
            weights = rng.dirichlet((1.0, 1.0, 1.0), count)
            self._meshes.append((item, chosen, weights))

    def at(self, scene: bpy.types.Scene, frame: int) -> np.ndarray:
        """Places (P, 3) in the world [units] at a frame."""
        scene.frame_set(frame)
        depsgraph = bpy.context.evaluated_depsgraph_get()
        parts = []
        for item, corners, weights in self._meshes:
            places, _ = _triangles(item, depsgraph)
            parts.append(np.einsum("pk,pki->pi", weights, places[corners]))
        return np.concatenate(parts)


def _triangles(item: bpy.types.Object, depsgraph: bpy.types.Depsgraph | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (V, 3) in the world, and the corners (T, 3) of triangles, of a mesh as it is evaluated."""
    evaluated = item.evaluated_get(depsgraph or bpy.context.evaluated_depsgraph_get())
    mesh = evaluated.to_mesh()
    try:
        places, mesh_triangles = np.empty(3 * len(mesh.vertices), dtype=np.float32), mesh.loop_triangles
        mesh.vertices.foreach_get("co", places)
        mesh.calc_loop_triangles()
        corners = np.empty(3 * len(mesh_triangles), dtype=np.int32)
        mesh_triangles.foreach_get("vertices", corners)
    finally:
        evaluated.to_mesh_clear()
    to_world = np.array(evaluated.matrix_world, dtype=float)
    return places.reshape(-1, 3) @ to_world[:3, :3].T + to_world[:3, 3], corners.reshape(-1, 3)


def _areas(places: np.ndarray, corners: np.ndarray) -> np.ndarray:
    a, b, c = (places[corners[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) + 1e-12


def drawn(flat: np.ndarray, depth: np.ndarray, size: tuple[int, int], high: float) -> np.ndarray:
    """Points (P, 2), across and up from the ground [m], as a picture (H, W, 3) `high` metres high; the greater the depth, the
    nearer: what is near is bright, what is far blue."""
    width, height = size
    scale, order = height / high, np.argsort(depth)
    x = np.round(width / 2 + scale * flat[order, 0]).astype(int)
    y = np.round(height * 0.95 - scale * flat[order, 1]).astype(int)
    near = (depth[order] - depth.min()) / max(float(np.ptp(depth)), 1e-9)
    inks = np.column_stack([0.15 + 0.8 * near, 0.25 + 0.7 * near, 0.55 + 0.4 * near])
    picture = np.empty((height, width, 3), dtype=np.float32)
    picture[:] = BACKGROUND
    picture[round(height * 0.95)] = 0.4
    inside = (x >= 0) & (x < width - 1) & (y >= 0) & (y < height)
    picture[y[inside], x[inside] + 1] = inks[inside]
    picture[y[inside], x[inside]] = inks[inside]
    return picture
