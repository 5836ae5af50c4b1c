# SPDX-License-Identifier: GPL-3.0-or-later
"""Read an armature of a Blender scene: its rest bones and the skin of its feet and head, as a Figure."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

import bpy
import numpy as np

from ...errors import RigError
from .detect import Match, check_mapping
from .figure import Figure, RestBone
from .own_map import stored_map, unsure_of
from .recognise import Guess, Rest, guess, mirrored, recognise
from .rest_pose import build_figure
from .skin import meshes_of, skin_points, skin_shares

Found = TypeVar("Found", Guess, Match)

_KEPT = 16
_kept: dict[tuple, Guess | Match] = {}
"""What was found in armatures, until their bones or meshes change."""


def read_figure(armature: bpy.types.Object, bone_map: Mapping[str, str] | None = None,
                scene: bpy.types.Scene | None = None) -> Figure:
    """The figure of an armature at rest, wherever it stands: its scale, rotation and parents count, its pose does not.

    `bone_map` (segment -> bone name) overrides the map kept on the armature, which overrides what names and structure tell.
    Lengths become metres by the scene's unit scale. Raises RigError in one sentence when the object is no armature, is being
    edited, or is no figure that stands and walks.
    """
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
    """The best guess at which bones are which, whole or not, with what is wrong: the map kept on the armature, or what names and
    structure tell."""
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
    """The bone on the other side that is the mirror image of one; None where there is none."""
    return mirrored(_rest_of(armature), bone) if bone in armature.data.bones else None


def _rest_of(armature: bpy.types.Object) -> Rest:
    return Rest(rest_bones(armature), np.array(armature.matrix_world, dtype=float), skin_shares(armature))


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
