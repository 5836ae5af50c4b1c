# SPDX-License-Identifier: GPL-3.0-or-later
"""Armature, skinned mesh and materials from bones and a patch: objects in a scene, facing -Y, the feet on z = 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ..astronaut.mesh_kit import Patch
from ..astronaut.skeleton import REST_ATTRIBUTE, dressed, in_edit_mode, skinned, to_blender
from ..node_tree import new_material

COLOUR_ATTRIBUTE = "skin_colour"
"""Point attribute: linear colour of the skin."""


@dataclass(frozen=True)
class Finish:
    """How a material looks: linear base colour (None: the mesh's own), roughness, metal, coat, and bumps per metre and their
    depth."""

    colour: tuple[float, float, float] | None = None
    roughness: float = 0.5
    metallic: float = 0.0
    coat: float = 0.0
    bumps: float = 0.0
    depth: float = 0.0
    glow: float = 0.0


def material(name: str, finish: Finish) -> bpy.types.Material:
    made, nodes, shader = new_material(name)
    shown = finish.colour or (0.3, 0.3, 0.3)
    made.diffuse_color = (*shown, 1.0)
    made.metallic, made.roughness = finish.metallic, finish.roughness
    nodes.fill(shader, {"Base Color": (*shown, 1.0), "Roughness": finish.roughness, "Metallic": finish.metallic,
                        "Coat Weight": finish.coat})
    if finish.glow:
        nodes.fill(shader, {"Emission Color": (*shown, 1.0), "Emission Strength": finish.glow})
    if finish.colour is None:
        nodes.fill(shader, {"Base Color": nodes.attribute(COLOUR_ATTRIBUTE, "Color")})
    if finish.depth:  # scales: cells of the rest place
        cells = nodes.node("ShaderNodeTexVoronoi", named={"Vector": nodes.attribute(REST_ATTRIBUTE, "Vector"),
                                                          "Scale": finish.bumps}).outputs["Distance"]
        bump = nodes.node("ShaderNodeBump", named={"Strength": finish.depth, "Distance": 0.01, "Height": cells})
        nodes.fill(shader, {"Normal": bump.outputs["Normal"]})
    return made


_LEAST_WEIGHT = 0.01
_CONNECTED_M = 1e-6

Paint = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""From places (V, 3) [m] and normals (V, 3) to linear colours (V, 3)."""


@dataclass(frozen=True)
class DrawnBone:
    """A bone as drawn: head and tail (3,) [m] in the body frame, its parent's name, the direction of its z axis."""

    name: str
    head: tuple[float, float, float]
    tail: tuple[float, float, float]
    parent: str | None = None
    z_axis: tuple[float, float, float] = (1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Drawn:
    """A creature as drawn: bones, parents first; its surface; the finish of each material; how the skin is painted."""

    name: str
    bones: Sequence[DrawnBone]
    patch: Patch
    finishes: Mapping[str, Finish]
    paint: Paint | None = None


def build(scene: bpy.types.Scene, drawn: Drawn, units_per_m: float = 1.0) -> bpy.types.Object:
    """Add a drawn creature to a scene; returns the armature, whose child the mesh is."""
    data = bpy.data.armatures.new(drawn.name)
    armature = bpy.data.objects.new(drawn.name, data)
    scene.collection.objects.link(armature)
    in_edit_mode(scene, armature, lambda: _add_bones(data, drawn.bones, units_per_m))
    data.display_type = "STICK"
    armature.show_in_front = True
    skin = bpy.data.objects.new(f"{drawn.name} skin", _mesh(drawn, units_per_m))
    scene.collection.objects.link(skin)
    bones = [bone.name for bone in drawn.bones if bone.name in drawn.patch.weights]
    skinned(skin, armature, bones, drawn.patch.weights, 2, _LEAST_WEIGHT)
    return armature


def _add_bones(armature: bpy.types.Armature, bones: Sequence[DrawnBone], units_per_m: float) -> None:
    for drawn in bones:
        bone = armature.edit_bones.new(drawn.name)
        bone.head, bone.tail = (to_blender(np.array(end) * units_per_m) for end in (drawn.head, drawn.tail))
        bone.align_roll(to_blender(np.array(drawn.z_axis)))
        if drawn.parent is not None:
            bone.parent = armature.edit_bones[drawn.parent]
            bone.use_connect = (bone.head - bone.parent.tail).length < _CONNECTED_M * units_per_m


def _mesh(drawn: Drawn, units_per_m: float) -> bpy.types.Mesh:
    patch = drawn.patch
    mesh = bpy.data.meshes.new(f"{drawn.name} skin")
    mesh.from_pydata(to_blender(patch.points * units_per_m), [], patch.faces)
    dressed(mesh, patch, lambda name: material(f"{drawn.name} {name}", drawn.finishes[name]), drawn.finishes)
    if drawn.paint is not None:
        normals = np.empty(3 * len(patch.points), np.float32)
        mesh.vertex_normals.foreach_get("vector", normals)
        colours = np.ones((len(patch.points), 4), np.float32)
        colours[:, :3] = drawn.paint(patch.points, normals.reshape(-1, 3).astype(float) @ to_blender(np.eye(3)).T)
        mesh.attributes.new(COLOUR_ATTRIBUTE, "FLOAT_COLOR", "POINT").data.foreach_set("color", colours.ravel())
    return mesh
