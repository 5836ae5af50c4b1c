# SPDX-License-Identifier: GPL-3.0-or-later
"""The astronaut's armature: one bone a segment, named as the segments are, joints at the anthropometric landmarks. A Blender
character faces -Y with its left at +X, as `to_blender` turns it. The rest pose is an A-pose."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import bpy
import numpy as np

from ...bodies.human.anthropometry import standing_landmarks
from ...bodies.human.landmarks import SIDES
from .mesh_kit import Patch, Weights

REST_ATTRIBUTE = "rest_place"
"""Point attribute: the vertex' place in the rest pose [m], x forward, y left, z up; a pattern of it does not swim."""
_SHARP_ANGLE_RAD = np.radians(48.0)

ARM_ABDUCTION_RAD = np.radians(42.0)
"""Angle of the resting arms away from the body's vertical."""

_TO_BLENDER = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])

# Bone: (head landmark, tail landmark, parent, landmark direction of the bone's z axis in the body frame).
_CENTRAL = {
    "pelvis": ("pelvis", "lower_spine", None, (1, 0, 0)),
    "lower_spine": ("lower_spine", "chest", "pelvis", (1, 0, 0)),
    "chest": ("chest", "neck", "lower_spine", (1, 0, 0)),
    "neck": ("neck", "head", "chest", (1, 0, 0)),
    "head": ("head", "head_top", "neck", (1, 0, 0)),
}
_SIDED = {
    "clavicle": ("clavicle", "shoulder", "chest", (0, 0, 1)),
    "upper_arm": ("shoulder", "elbow", "clavicle", (1, 0, 0)),
    "forearm": ("elbow", "wrist", "upper_arm", (1, 0, 0)),
    "hand": ("wrist", "hand_tip", "forearm", (1, 0, 0)),
    "thigh": ("hip", "knee", "pelvis", (1, 0, 0)),
    "shank": ("knee", "ankle", "thigh", (1, 0, 0)),
    "foot": ("ankle", "toes", "shank", (0, 0, 1)),
    "toes": ("toes", "toe_tip", "foot", (0, 0, 1)),
}


def to_blender(points: np.ndarray) -> np.ndarray:
    """Points or directions (..., 3) of the body frame in the axes of a Blender character, which faces -Y."""
    return np.asarray(points, float) @ _TO_BLENDER.T


def arm_rotation(side: str) -> np.ndarray:
    """Rotation (3, 3) about the forward axis that lifts a hanging arm into the A-pose (body frame)."""
    angle = ARM_ABDUCTION_RAD if side == "L" else -ARM_ABDUCTION_RAD
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def rest_landmarks(height_m: float) -> dict[str, np.ndarray]:
    """`standing_landmarks` with the arms in the A-pose, body frame [m]."""
    points = standing_landmarks(height_m)
    for side in SIDES:
        shoulder = points[f"shoulder_{side}"]
        for name in ("elbow", "wrist", "hand_tip"):
            points[f"{name}_{side}"] = shoulder + arm_rotation(side) @ (points[f"{name}_{side}"] - shoulder)
    return points


def bone_table() -> dict[str, tuple[str, str, str | None, tuple[float, float, float]]]:
    """Every bone: (head landmark, tail landmark, parent bone, direction of its z axis), parents before children."""
    table = dict(_CENTRAL)
    for side in SIDES:
        for name, (head, tail, parent, z_axis) in _SIDED.items():
            parent = parent if parent in _CENTRAL else f"{parent}_{side}"
            table[f"{name}_{side}"] = (f"{head}_{side}", f"{tail}_{side}", parent, z_axis)
    return table


def build_armature(scene: bpy.types.Scene, height: float, name: str) -> bpy.types.Object:
    """A new armature object of that height [Blender units] in the scene, at rest, facing -Y, standing on z = 0."""
    points = {key: to_blender(value) for key, value in rest_landmarks(height).items()}
    armature = bpy.data.armatures.new(name)
    obj = bpy.data.objects.new(name, armature)
    scene.collection.objects.link(obj)
    in_edit_mode(scene, obj, lambda: _add_bones(armature, points))
    armature.display_type = "STICK"
    obj.show_in_front = True
    return obj


def _add_bones(armature: bpy.types.Armature, points: dict[str, np.ndarray]) -> None:
    for bone_name, (head, tail, parent, z_axis) in bone_table().items():
        bone = armature.edit_bones.new(bone_name)
        bone.head, bone.tail = points[head], points[tail]
        bone.align_roll(to_blender(z_axis))
        if parent is not None:
            bone.parent = armature.edit_bones[parent]
            bone.use_connect = (bone.head - bone.parent.tail).length < 1e-6


def in_edit_mode(scene: bpy.types.Scene, obj: bpy.types.Object, edit) -> None:
    """Run `edit()` with the armature in edit mode; the scene's active object and selection are put back."""
    layer = scene.view_layers[0]
    active, selected = layer.objects.active, [o for o in layer.objects if o.select_get(view_layer=layer)]
    with bpy.context.temp_override(scene=scene, view_layer=layer):
        if active is not None and active.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        for other in selected:
            other.select_set(False, view_layer=layer)
        layer.objects.active = obj
        with bpy.context.temp_override(scene=scene, view_layer=layer, active_object=obj, object=obj):
            bpy.ops.object.mode_set(mode="EDIT")
            edit()
            bpy.ops.object.mode_set(mode="OBJECT")
    for other in selected:
        other.select_set(True, view_layer=layer)
    layer.objects.active = active


def dressed(mesh: bpy.types.Mesh, patch: Patch, material: Callable[[str], bpy.types.Material], order: Iterable[str]) -> None:
    """Give a mesh of a patch's faces its materials, those in use in this `order`, its places at rest, and smooth faces."""
    used = [key for key in order if key in set(patch.materials)]
    for key in used:
        mesh.materials.append(material(key))
    mesh.polygons.foreach_set("material_index", np.array([used.index(m) for m in patch.materials], dtype=np.int32))
    rest = mesh.attributes.new(REST_ATTRIBUTE, "FLOAT_VECTOR", "POINT")
    rest.data.foreach_set("vector", patch.points.astype(np.float32).ravel())
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), dtype=bool))
    mesh.set_sharp_from_angle(angle=float(_SHARP_ANGLE_RAD))
    mesh.update()


def skinned(skin: bpy.types.Object, armature: bpy.types.Object, bones: Iterable[str], weights: Weights, digits: int,
            least: float) -> None:
    """Bind an object to an armature by weights (V,) per bone, rounded; those below the `least` count as none."""
    for bone in bones:
        group = skin.vertex_groups.new(name=bone)
        values = weights[bone] if bone in weights else np.zeros(0)
        values = np.where(values < least, 0.0, np.round(values, digits))
        for value in np.unique(values[values > 0.0]):
            group.add(np.flatnonzero(values == value).tolist(), float(value), "REPLACE")
    skin.parent = armature
    modifier = skin.modifiers.new("Armature", "ARMATURE")
    modifier.object = armature
    modifier.use_deform_preserve_volume = True
