# SPDX-License-Identifier: GPL-3.0-or-later
"""One closed skin out of pieces that overlap: remeshed and smoothed by Blender's modifiers, with weights from the pieces."""

from __future__ import annotations

import bpy
import numpy as np
from scipy.spatial import cKDTree

from ..astronaut.mesh_kit import Patch

_NEAR = 6
_WEIGHT_ROUNDS = 14
"""Rounds in which every vertex takes half of its neighbours' weights: where a leg goes into the body the skin bends softly."""


def merged(patch: Patch, voxel_m: float, smooth: int = 6) -> Patch:
    """Closed pieces as one closed skin of the first one's material, its vertices about `voxel_m` apart."""
    points, faces = _remeshed(patch, voxel_m, smooth)
    distance, row = cKDTree(patch.points).query(points, k=_NEAR)
    share = 1.0 / np.maximum(distance, 0.25 * voxel_m) ** 2
    share /= share.sum(axis=1, keepdims=True)
    names = list(patch.weights)
    weights = np.einsum("vk,vkb->vb", share, np.stack([patch.weights[name] for name in names], axis=1)[row])
    weights = _softened(weights, faces, len(points))
    return Patch(points, faces, [patch.materials[0]] * len(faces), {n: weights[:, i] for i, n in enumerate(names)})


def _remeshed(patch: Patch, voxel_m: float, smooth: int) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    mesh = bpy.data.meshes.new("Lope pieces")
    mesh.from_pydata(patch.points, [], patch.faces)
    item = bpy.data.objects.new("Lope pieces", mesh)
    scene = bpy.context.scene
    scene.collection.objects.link(item)
    try:
        remesh = item.modifiers.new("Remesh", "REMESH")
        remesh.mode, remesh.voxel_size = "VOXEL", voxel_m
        soft = item.modifiers.new("Smooth", "SMOOTH")
        soft.factor, soft.iterations = 0.5, smooth
        whole = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
        made = whole.to_mesh()
        points = np.empty(3 * len(made.vertices), np.float32)
        made.vertices.foreach_get("co", points)
        faces = [tuple(face.vertices) for face in made.polygons]
        whole.to_mesh_clear()
    finally:
        bpy.data.objects.remove(item)
        bpy.data.meshes.remove(mesh)
    return points.reshape(-1, 3).astype(float), faces


def _softened(weights: np.ndarray, faces: list[tuple[int, ...]], count: int) -> np.ndarray:
    """Weights (V, B), each vertex's drawn to its neighbours', summing to 1."""
    edges = np.array([(a, b) for face in faces for a, b in zip(face, (*face[1:], face[0]), strict=True)])
    degree = np.bincount(edges[:, 0], minlength=count).astype(float)[:, None]
    for _ in range(_WEIGHT_ROUNDS):
        total = np.zeros_like(weights)
        np.add.at(total, edges[:, 0], weights[edges[:, 1]])
        weights = 0.5 * weights + 0.5 * total / np.maximum(degree, 1.0)
    return weights / weights.sum(axis=1, keepdims=True)
