# SPDX-License-Identifier: GPL-3.0-or-later
"""Read an armature of a Blender scene as a Figure: its rest bones, and the skin of its feet and head at rest."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

import bpy
import numpy as np

from ...bodies.human.landmarks import SIDES
from ...errors import RigError
from .detect import Guess, Match, Rest, check_mapping, guess, mirrored, recognise
from .figure import Figure, RestBone, SkinPoints
from .own_map import stored_map, unsure_of
from .rest_pose import build_figure

LOOKED_AT = 20000
"""Vertices of a mesh that are looked at, at most, to tell how much skin each bone moves."""
_AT_JOINT = 0.05
"""Of the way from ankle to ball: a bone whose head is nearer to the ball than this turns about it."""


def skin_shares(armature: bpy.types.Object) -> dict[str, float] | None:
    """How much skin each bone moves, in vertices, by its name; None where the armature moves no mesh."""
    found = skin_sums(armature)
    return None if found is None else {bone: float(total[0]) for bone, total in found.items()}


def skin_sums(armature: bpy.types.Object) -> dict[str, np.ndarray] | None:
    """Of the skin that each bone moves the sums (4,) of its vertices' weights and of their weighted places in the world."""
    found: dict[str, np.ndarray] | None = None
    for mesh, to_world, bone in meshes_of(armature):
        found = {} if found is None else found
        places = np.column_stack([np.ones(len(mesh.data.vertices)), world_places(mesh, to_world)])
        if bone is not None:
            found[bone] = found.get(bone, 0.0) + places.sum(axis=0)
            continue
        names = {group.index: group.name for group in mesh.vertex_groups if group.name in armature.data.bones}
        vertices = mesh.data.vertices
        stride = max(1, len(vertices) // LOOKED_AT)
        for i in range(0, len(vertices), stride):
            for group in vertices[i].groups:
                if group.group in names and group.weight > 0.0:
                    name = names[group.group]
                    found[name] = found.get(name, 0.0) + stride * group.weight * places[i]
    return found


def skinned_bones(armature: bpy.types.Object) -> frozenset[str]:
    """The names of the bones that move skin."""
    return _remembered(armature, "skin", lambda: frozenset(skin_shares(armature) or ()))


def skin_points(armature: bpy.types.Object, match: Match, bones: tuple[RestBone, ...], metres: float) -> SkinPoints:
    """Skin of the feet and the head at rest, from every mesh that the armature moves."""
    parts = {segment: _with_descendants(bones, bone) for segment, bone in match.skin_of.items()}
    toes = {f"toes_{side}": _toes(bones, match, side, parts[f"foot_{side}"]) for side in SIDES if f"foot_{side}" in parts}
    clouds: dict[str, list[np.ndarray]] = {segment: [] for segment in (*parts, *toes)}
    everything: list[np.ndarray] = [np.empty((0, 3))]
    for mesh, to_world, bone in meshes_of(armature):
        world = world_places(mesh, to_world)
        if bone is None:
            everything.append(metres * world[::max(1, len(world) // LOOKED_AT)])
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


def world_places(mesh: bpy.types.Object, to_world: np.ndarray) -> np.ndarray:
    """Places (N, 3) of a mesh's vertices in the world, by its rest placement (4, 4)."""
    return _values(mesh.data.vertices, "co", 3) @ to_world[:3, :3].T + to_world[:3, 3]


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


Found = TypeVar("Found", Guess, Match)
_KEPT = 16
_kept: dict[tuple, Guess | Match] = {}
"""What was found in armatures, until their bones or meshes change."""


def read_figure(armature: bpy.types.Object, bone_map: Mapping[str, str] | None = None,
                scene: bpy.types.Scene | None = None) -> Figure:
    """The figure of an armature at rest: its scale, rotation and parents count, its pose does not. `bone_map` (segment -> bone)
    goes before the map kept, that before names and structure. Lengths become metres by the scene's unit scale. Raises RigError
    for what is no armature, is being edited, or is no figure that stands and walks."""
    check_armature(armature)
    names = [bone.name for bone in armature.data.bones]
    match = match_of(armature) if bone_map is None else check_mapping(bone_map, names, armature.name)
    bpy.context.view_layer.update()
    metres = metres_per_unit(scene or bpy.context.scene)
    to_world = np.array(armature.matrix_world, dtype=float)
    to_world[:3] *= metres
    bones = rest_bones(armature)
    return build_figure(armature.name, match, bones, to_world, skin_points(armature, match, bones, metres))


def match_of(armature: bpy.types.Object) -> Match:
    """Which bones are which: by the map kept on the armature, or else by names and structure. Raises RigError."""
    names = [bone.name for bone in armature.data.bones]
    kept = stored_map(armature)
    if kept is not None:
        return replace(check_mapping(kept, names, armature.name), unsure=unsure_of(armature))
    return _remembered(armature, "match", lambda: recognise(_rest_of(armature), armature.name))


def guess_of(armature: bpy.types.Object) -> Guess:
    """The best guess at which bones are which, with what is wrong: the map kept, or what names and structure tell."""
    kept, wrong = None, ""
    try:
        kept = stored_map(armature)
        if kept is not None:
            check_mapping(kept, [bone.name for bone in armature.data.bones], armature.name)
    except RigError as error:
        wrong = str(error)
    if kept is not None or wrong:
        return Guess(kept or {}, unsure_of(armature), wrong)
    return _remembered(armature, "guess", lambda: guess(_rest_of(armature), armature.name))


def mirror_of(armature: bpy.types.Object, bone: str) -> str | None:
    return mirrored(_rest_of(armature), bone) if bone in armature.data.bones else None


def _rest_of(armature: bpy.types.Object) -> Rest:
    return Rest(rest_bones(armature), np.array(armature.matrix_world, dtype=float), skin_sums(armature))


def _remembered(armature: bpy.types.Object, what: str, find: Callable[[], Found]) -> Found:
    """What `find` found for this armature the last time, or finds now. What it raises is not kept."""
    key = (what, armature.session_uid, _rest_number(armature))
    if key not in _kept:
        found = find()
        while len(_kept) >= _KEPT:
            _kept.pop(next(iter(_kept)))
        _kept[key] = found
    return _kept[key]


def _rest_number(armature: bpy.types.Object) -> int:
    """A number that changes with the bones at rest, their names and parents, the object's rotation and its meshes' size."""
    bones = armature.data.bones
    places = np.concatenate([_values(bones, "head_local", 3), _values(bones, "tail_local", 3)])
    turned = np.round(np.array(armature.matrix_world, dtype=float)[:3, :3], 4)
    words = [armature.name, [(bone.name, bone.parent.name if bone.parent else None) for bone in bones],
             [(mesh.name, len(mesh.data.vertices), len(mesh.vertex_groups)) for mesh, _, _ in meshes_of(armature)]]
    return zlib.crc32(turned.tobytes(), zlib.crc32(places.tobytes(), zlib.crc32(repr(words).encode())))


def check_armature(armature: bpy.types.Object) -> None:
    """Raises RigError unless the object is an armature outside Edit Mode."""
    if armature is None or armature.type != "ARMATURE":
        what = "nothing" if armature is None else f"{armature.name!r}, which is of type {armature.type}"
        raise RigError(f"Expected an armature, got {what}; select the armature of the character.")
    if armature.mode == "EDIT":
        raise RigError(f"Armature {armature.name!r} is in Edit Mode; leave Edit Mode first.")


def metres_per_unit(scene: bpy.types.Scene) -> float:
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
        found[name] = RestBone(name, parent, heads[i], tails[i], axes[name], modes[name], connected[i], inherits[i], located)
    return tuple(_parents_first(found))


def _values(bones: bpy.types.bpy_prop_collection, part: str, size: int, kind: type = np.float32) -> np.ndarray:
    """One property of all bones or vertices, (N, size) as floats, or (N,) for a single one."""
    values = np.empty(len(bones) * size, kind)
    bones.foreach_get(part, values)
    return values if size == 1 else values.astype(float).reshape(-1, size)


def _parents_first(bones: dict[str, RestBone]) -> Iterator[RestBone]:
    done: set[str] = set()
    for bone in bones.values():
        line = []
        while bone is not None and bone.name not in done:
            line.append(bone)
            done.add(bone.name)
            bone = bones.get(bone.parent)
        yield from reversed(line)
