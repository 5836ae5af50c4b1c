# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin that an armature moves, at rest: points of feet and head, and how much of it each bone moves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import bpy
import numpy as np

from ...bodies.human.landmarks import SIDES
from .detect import Match
from .figure import RestBone, SkinPoints

_LOOKED_AT = 20000
"""Vertices of a mesh that are looked at, at most, to tell how much skin each bone moves."""

_AT_JOINT = 0.05
"""Of the way from ankle to ball: a bone whose head is nearer to the ball than this turns about it."""


def skin_shares(armature: bpy.types.Object) -> dict[str, float] | None:
    """How much skin each bone moves, in vertices, by its name; None where the armature moves no mesh."""
    found: dict[str, float] | None = None
    for mesh, _, bone in meshes_of(armature):
        found = {} if found is None else found
        vertices = mesh.data.vertices
        if bone is not None:
            found[bone] = found.get(bone, 0.0) + len(vertices)
            continue
        names = {group.index: group.name for group in mesh.vertex_groups if group.name in armature.data.bones}
        stride = max(1, len(vertices) // _LOOKED_AT)
        for i in range(0, len(vertices), stride):
            for group in vertices[i].groups:
                if group.group in names and group.weight > 0.0:
                    name = names[group.group]
                    found[name] = found.get(name, 0.0) + stride * group.weight
    return found


def skin_points(armature: bpy.types.Object, match: Match, bones: tuple[RestBone, ...], metres: float) -> SkinPoints:
    """Skin of the feet and the head at rest, from every mesh that the armature moves."""
    parts = {segment: _with_descendants(bones, bone) for segment, bone in match.skin_of.items()}
    toes = {f"toes_{side}": _toes(bones, match, side, parts[f"foot_{side}"]) for side in SIDES if f"foot_{side}" in parts}
    clouds: dict[str, list[np.ndarray]] = {segment: [] for segment in (*parts, *toes)}
    everything: list[np.ndarray] = [np.empty((0, 3))]
    for mesh, to_world, bone in meshes_of(armature):
        places = np.empty(3 * len(mesh.data.vertices), dtype=np.float32)
        mesh.data.vertices.foreach_get("co", places)
        world = np.asarray(places, dtype=float).reshape(-1, 3) @ to_world[:3, :3].T + to_world[:3, 3]
        if bone is None:
            everything.append(metres * world[::max(1, len(world) // _LOOKED_AT)])
        both = parts | toes
        shares = _shares(mesh, both) if bone is None else {s: np.full(len(world), float(bone in both[s])) for s in both}
        for segment in parts:
            mine = shares[segment] > 0.5
            clouds[segment].append(metres * world[mine])
            ahead = segment.replace("foot", "toes")
            if ahead in toes:
                whole, front = shares[segment][mine], shares[ahead][mine]
                clouds[ahead].append(np.column_stack([1.0 - whole, whole - front, front]))
    joined = {segment: np.concatenate(cloud) if cloud else np.empty((0, 3)) for segment, cloud in clouds.items()}
    return SkinPoints({side: joined[f"foot_{side}"] for side in SIDES}, joined.get("head", np.empty((0, 3))),
                      {side: joined[f"toes_{side}"] for side in SIDES}, np.concatenate(everything))


def _toes(bones: tuple[RestBone, ...], match: Match, side: str, foot: set[str]) -> set[str]:
    """Of the bones that move a foot's skin, those that lie at the toes' joint, and all below them."""
    place = {bone.name: bone for bone in bones}
    joint, ankle = match.joint_of.get(f"toes_{side}"), match.joint_of.get(f"foot_{side}")
    if joint is None or ankle is None:
        return set()
    ball, near = place[joint].head, _AT_JOINT * float(np.linalg.norm(place[joint].head - place[ankle].head))
    at_it = [name for name in foot if float(np.linalg.norm(place[name].head - ball)) < near]
    return set().union(*(_with_descendants(bones, name) for name in at_it))


def _with_descendants(bones: tuple[RestBone, ...], name: str) -> set[str]:
    """A bone and all below it; `bones` stand parents first."""
    found = {name}
    for bone in bones:
        if bone.parent in found:
            found.add(bone.name)
    return found


def meshes_of(armature: bpy.types.Object) -> Iterator[tuple[bpy.types.Object, np.ndarray, str | None]]:
    """Meshes with their rest placement (4, 4) in the world, and the bone that carries the whole of one, or None."""
    for item in bpy.data.objects:
        if item.type != "MESH":
            continue
        if any(m.type == "ARMATURE" and m.object == armature and m.use_vertex_groups for m in item.modifiers):
            yield item, np.array(item.matrix_world, dtype=float), None
        elif item.parent == armature and item.parent_type == "BONE" and item.parent_bone in armature.data.bones:
            bone = armature.data.bones[item.parent_bone]
            at_tail = np.array(bone.matrix_local, dtype=float)
            at_tail[:3, 3] += bone.length * at_tail[:3, 1]
            on_bone = np.array(item.matrix_parent_inverse, dtype=float) @ np.array(item.matrix_basis, dtype=float)
            yield item, np.array(armature.matrix_world, dtype=float) @ at_tail @ on_bone, bone.name


def _shares(mesh: bpy.types.Object, parts: Mapping[str, set[str]]) -> dict[str, np.ndarray]:
    """For each part (a set of bones) its share (N,) of every vertex' weight, 0 to 1."""
    entries = [(vertex.index, g.group, g.weight) for vertex in mesh.data.vertices for g in vertex.groups]
    rows, groups, weights = np.array(entries, dtype=float).reshape(-1, 3).T
    rows = rows.astype(int)
    count = len(mesh.data.vertices)
    total = np.maximum(np.bincount(rows, weights, count), 1e-9)
    shares = {}
    for part, bones in parts.items():
        mine = np.isin(groups, [group.index for group in mesh.vertex_groups if group.name in bones])
        shares[part] = np.bincount(rows[mine], weights[mine], count) / total
    return shares
