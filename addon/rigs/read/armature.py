# SPDX-License-Identifier: GPL-3.0-or-later
"""Read an armature of a Blender scene: its rest bones and the skin of its feet and head, as a Figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import bpy
import numpy as np

from ...bodies.human.landmarks import SIDES
from ...errors import RigError
from .detect import Match, check_mapping, detect
from .figure import Figure, RestBone, SkinPoints, build_figure
from .own_map import stored_map


def read_figure(armature: bpy.types.Object, bone_map: Mapping[str, str] | None = None,
                scene: bpy.types.Scene | None = None) -> Figure:
    """The figure of an armature at rest, wherever it stands: its scale, rotation and parents count, its pose does not.

    `bone_map` (segment -> bone name) overrides the map kept on the armature, which overrides the detection by names. Lengths
    become metres by the scene's unit scale. Raises RigError in one sentence when the object is no armature, is being edited,
    or is no figure that stands and walks.
    """
    check_armature(armature)
    names = [bone.name for bone in armature.data.bones]
    match = match_of(armature) if bone_map is None else check_mapping(bone_map, names, armature.name)
    bpy.context.view_layer.update()
    metres = metres_per_unit(scene or bpy.context.scene)
    to_world = np.array(armature.matrix_world, dtype=float)
    to_world[:3] *= metres
    bones = rest_bones(armature)
    return build_figure(armature.name, match, bones, to_world, _skin(armature, match, bones, metres))


def match_of(armature: bpy.types.Object) -> Match:
    """Which bones are which: by the map kept on the armature, or else by their names. Raises RigError."""
    names = [bone.name for bone in armature.data.bones]
    kept = stored_map(armature)
    return detect(names, armature.name) if kept is None else check_mapping(kept, names, armature.name)


def check_armature(armature: bpy.types.Object) -> None:
    """Raises RigError unless the object is an armature outside Edit Mode."""
    if armature is None or armature.type != "ARMATURE":
        what = "nothing" if armature is None else f"{armature.name!r}, which is of type {armature.type}"
        raise RigError(f"Expected an armature, got {what}; select the armature of the character.")
    if armature.mode == "EDIT":
        raise RigError(f"Armature {armature.name!r} is in Edit Mode; leave Edit Mode first.")


def metres_per_unit(scene: bpy.types.Scene) -> float:
    """Metres in one Blender unit of a scene."""
    return 1.0 if scene.unit_settings.system == "NONE" else float(scene.unit_settings.scale_length)


def rest_bones(armature: bpy.types.Object) -> tuple[RestBone, ...]:
    """Every bone at rest, parents first."""
    bones = armature.data.bones
    parents = [bone.parent.name if bone.parent else None for bone in bones]
    names = [bone.name for bone in bones]
    matrices = _values(bones, "matrix_local", 16).reshape(-1, 4, 4).transpose(0, 2, 1)
    heads, tails = _values(bones, "head_local", 3), _values(bones, "tail_local", 3)
    connected, inherits, local = (_values(bones, part, 1, bool).tolist() for part in (
        "use_connect", "use_inherit_rotation", "use_local_location"))
    axes = {name: matrix[:3, :3] for name, matrix in zip(names, matrices, strict=True)}
    modes = {bone.name: bone.rotation_mode for bone in armature.pose.bones}
    found = {}
    for i, (name, parent) in enumerate(zip(names, parents, strict=True)):
        located = axes[name] if local[i] else np.eye(3) if parent is None else axes[parent]
        found[name] = RestBone(name, parent, heads[i], tails[i], axes[name], modes[name], connected[i], inherits[i],
                               located)
    return tuple(_parents_first(found))


def _values(bones: bpy.types.bpy_prop_collection, part: str, size: int, kind: type = np.float32) -> np.ndarray:
    """One property of all bones, (N, size) as floats, or (N,) for a single one."""
    values = np.empty(len(bones) * size, kind)
    bones.foreach_get(part, values)
    return values if size == 1 else values.astype(float).reshape(-1, size)


def _parents_first(bones: dict[str, RestBone]) -> Iterator[RestBone]:
    """The bones in their order, each after its parent."""
    done: set[str] = set()
    for bone in bones.values():
        line = []
        while bone is not None and bone.name not in done:
            line.append(bone)
            done.add(bone.name)
            bone = bones.get(bone.parent)
        yield from reversed(line)


def _skin(armature: bpy.types.Object, match: Match, bones: tuple[RestBone, ...], metres: float) -> SkinPoints:
    """Skin of the feet and the head at rest, from every mesh that the armature moves."""
    parts = {segment: _with_descendants(bones, bone) for segment, bone in match.skin_of.items()}
    clouds: dict[str, list[np.ndarray]] = {segment: [] for segment in parts}
    for mesh, to_world, bone in _meshes(armature):
        places = np.empty(3 * len(mesh.data.vertices), dtype=np.float32)
        mesh.data.vertices.foreach_get("co", places)
        world = np.asarray(places, dtype=float).reshape(-1, 3) @ to_world[:3, :3].T + to_world[:3, 3]
        shares = _shares(mesh, parts) if bone is None else {s: np.full(len(world), float(bone in parts[s])) for s in parts}
        for segment, share in shares.items():
            clouds[segment].append(metres * world[share > 0.5])
    joined = {segment: np.concatenate(cloud) if cloud else np.empty((0, 3)) for segment, cloud in clouds.items()}
    return SkinPoints({side: joined[f"foot_{side}"] for side in SIDES}, joined.get("head", np.empty((0, 3))))


def _with_descendants(bones: tuple[RestBone, ...], name: str) -> set[str]:
    """A bone and all below it; `bones` stand parents first."""
    found = {name}
    for bone in bones:
        if bone.parent in found:
            found.add(bone.name)
    return found


def _meshes(armature: bpy.types.Object) -> Iterator[tuple[bpy.types.Object, np.ndarray, str | None]]:
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
