# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in astronaut: a suited figure of 1.80 m skinned to an armature whose bones are Lope's segments. All by code."""

from __future__ import annotations

from functools import cache

import bpy
import numpy as np

from ...checks import check_number
from ...specs.shot import HEIGHT_RANGE_M
from ..read.armature import metres_per_unit
from .mesh_kit import Patch, join
from .skeleton import bone_table, build_armature, to_blender
from .suit import BASE_HEIGHT_M, arm, boot, chest_box, glove, helmet, hoses, leg, pack, trunk
from .suit_materials import FINISHES, REST_ATTRIBUTE, suit_material

_SHARP_ANGLE_RAD = np.radians(48.0)
_LEAST_WEIGHT = 1e-3


@cache
def suit_patch() -> Patch:
    """The whole suit for 1.80 m in the body frame, sole at z = 0; weights of each vertex sum to 1. Made once."""
    left = arm() + leg() + glove() + boot()
    patch = join(trunk() + helmet() + pack() + chest_box() + hoses() + left + [part.mirrored() for part in left])
    total = sum(patch.weights.values())
    patch.weights = {name: w / total for name, w in patch.weights.items()}
    return patch


def add_astronaut(context_or_scene: bpy.types.Context | bpy.types.Scene, *, height_m: float = 1.80,
                  name: str = "Astronaut") -> bpy.types.Object:
    """Add the astronaut to the scene: an armature object with the skinned suit as its child; returns the armature. Bones are
    named as the segments and lie between `standing_landmarks(height_m)`, arms in an A-pose. The figure stands on the origin and
    faces -Y. Nothing else in the scene changes. Raises InputError for a height out of range."""
    height_m = check_number("Height", height_m, *HEIGHT_RANGE_M, "m")
    scene = getattr(context_or_scene, "scene", context_or_scene)
    patch, height = suit_patch(), height_m / metres_per_unit(scene)
    armature = build_armature(scene, height, name)
    suit = bpy.data.objects.new(f"{name} suit", _suit_mesh(patch, height, name))
    scene.collection.objects.link(suit)
    _skin(suit, patch.weights)
    suit.parent = armature
    modifier = suit.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    modifier.use_deform_preserve_volume = True
    return armature


def _suit_mesh(patch: Patch, height: float, name: str) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(f"{name} suit")
    mesh.from_pydata(to_blender(patch.points * (height / BASE_HEIGHT_M)), [], patch.faces)
    used = [key for key in FINISHES if key in set(patch.materials)]
    for key in used:
        mesh.materials.append(suit_material(key, name))
    mesh.polygons.foreach_set("material_index", np.array([used.index(m) for m in patch.materials], dtype=np.int32))
    rest = mesh.attributes.new(REST_ATTRIBUTE, "FLOAT_VECTOR", "POINT")
    rest.data.foreach_set("vector", patch.points.astype(np.float32).ravel())
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), dtype=bool))
    mesh.set_sharp_from_angle(angle=float(_SHARP_ANGLE_RAD))
    mesh.update()
    return mesh


def _skin(suit: bpy.types.Object, weights: dict[str, np.ndarray]) -> None:
    """Vertex groups from weights (V,) per bone, in the bones' order; equal weights are written in one go."""
    for bone in bone_table():
        values = weights.get(bone)
        group = suit.vertex_groups.new(name=bone)
        if values is None:
            continue
        values = np.where(values < _LEAST_WEIGHT, 0.0, np.round(values, 3))
        for value in np.unique(values[values > 0.0]):
            group.add(np.flatnonzero(values == value).tolist(), float(value), "REPLACE")
