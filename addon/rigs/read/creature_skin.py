# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin of any armature at rest, bone by bone: places with weights, and the meshes' faces, for thickness and volume."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from .skin import meshes_of

LOOKED_AT = 20000
"""Vertices of a mesh whose weights are looked at, at most."""


@dataclass(frozen=True)
class Shell:
    """One mesh at rest: vertices (V, 3) [m] in the world, triangles (T, 3), and of the vertices `rows` that were looked at
    the bone `owners` that moves each most, by its number."""

    vertices: np.ndarray
    triangles: np.ndarray
    rows: np.ndarray
    owners: np.ndarray


def shells(armature: bpy.types.Object, bones: Sequence[str], metres: float) -> list[Shell]:
    """Every mesh that an armature moves; `bones` are the names of its bones in the order of their numbers."""
    number = {name: i for i, name in enumerate(bones)}
    found = []
    for mesh, to_world, bone in meshes_of(armature):
        data = mesh.data
        places = np.empty(3 * len(data.vertices), dtype=np.float32)
        data.vertices.foreach_get("co", places)
        world = np.asarray(places, dtype=float).reshape(-1, 3) @ to_world[:3, :3].T + to_world[:3, 3]
        data.calc_loop_triangles()
        triangles = np.empty(3 * len(data.loop_triangles), dtype=np.int32)
        data.loop_triangles.foreach_get("vertices", triangles)
        rows, owners = _owners(mesh, number) if bone is None else (np.arange(len(world)), np.full(len(world), number[bone]))
        if len(rows):
            found.append(Shell(metres * world, triangles.reshape(-1, 3), rows, owners))
    return found


def _owners(mesh: bpy.types.Object, number: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Vertices that bones move, and the bone that moves each most."""
    groups = {group.index: number[group.name] for group in mesh.vertex_groups if group.name in number}
    vertices = mesh.data.vertices
    rows, owners = [], []
    for i in range(0, len(vertices), max(1, len(vertices) // LOOKED_AT)):
        best = max(((entry.weight, entry.group) for entry in vertices[i].groups if entry.group in groups), default=(0.0, -1))
        if best[0] > 0.0:
            rows.append(i)
            owners.append(groups[best[1]])
    return np.array(rows, dtype=int), np.array(owners, dtype=int)
