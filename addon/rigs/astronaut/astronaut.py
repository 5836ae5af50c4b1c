# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in astronaut: a suited figure of 1.80 m skinned to an armature whose bones are Lope's segments. All by code."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import bpy

from ...checks import check_number
from ...specs.shot import HEIGHT_RANGE_M
from ..node_tree import Colour, Nodes, new_material
from ..read.armature import metres_per_unit
from .mesh_kit import Patch, join
from .skeleton import REST_ATTRIBUTE, bone_table, build_armature, dressed, skinned, to_blender
from .suit import BASE_HEIGHT_M, arm, boot, chest_box, glove, helmet, hoses, leg, pack, trunk

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
    """Add the astronaut, an armature with the skinned suit as its child, on the origin, facing -Y, arms in an A-pose; returns it.
    Bones are named as segments and lie between `standing_landmarks(height_m)`. Raises InputError for a height out of range."""
    height_m = check_number("Height", height_m, *HEIGHT_RANGE_M, "m")
    scene = getattr(context_or_scene, "scene", context_or_scene)
    patch, height = suit_patch(), height_m / metres_per_unit(scene)
    armature = build_armature(scene, height, name)
    mesh = bpy.data.meshes.new(f"{name} suit")
    mesh.from_pydata(to_blender(patch.points * (height / BASE_HEIGHT_M)), [], patch.faces)
    dressed(mesh, patch, lambda key: suit_material(key, name), FINISHES)
    suit = bpy.data.objects.new(f"{name} suit", mesh)
    scene.collection.objects.link(suit)
    skinned(suit, armature, bone_table(), patch.weights, 3, _LEAST_WEIGHT)
    return armature


DUST: Colour = (0.17, 0.165, 0.155)


@dataclass(frozen=True)
class Finish:
    """How a material looks: linear base colour, roughness, metal, bump scale [1/m] and depth, share of dust low down."""

    colour: Colour
    roughness: float
    metallic: float = 0.0
    bump_scale: float = 0.0
    bump_depth: float = 0.0
    dust: float = 0.0
    coat: float = 0.0
    glow: float = 0.0


FINISHES: dict[str, Finish] = {
    "fabric": Finish((0.70, 0.69, 0.665), 0.88, bump_scale=46.0, bump_depth=0.55, dust=1.0),
    "pack": Finish((0.67, 0.67, 0.65), 0.80, bump_scale=30.0, bump_depth=0.30, dust=0.2),
    "shell": Finish((0.76, 0.76, 0.75), 0.32, coat=0.4),
    "visor": Finish((1.00, 0.66, 0.20), 0.035, metallic=1.0, glow=0.02),
    "glove": Finish((0.62, 0.61, 0.58), 0.85, bump_scale=90.0, bump_depth=0.4, dust=0.5),
    "boot": Finish((0.52, 0.53, 0.54), 0.85, bump_scale=60.0, bump_depth=0.4, dust=1.0),
    "rubber": Finish((0.055, 0.075, 0.105), 0.75, bump_scale=120.0, bump_depth=0.15, dust=0.4),
    "trim": Finish((0.24, 0.25, 0.27), 0.65, dust=0.5),
    "metal": Finish((0.56, 0.57, 0.59), 0.28, metallic=1.0),
    "dark": Finish((0.016, 0.017, 0.020), 0.40),
    "hose": Finish((0.34, 0.35, 0.37), 0.55),
    "screen": Finish((0.01, 0.05, 0.06), 0.12, glow=0.35),
    "lamp": Finish((0.95, 0.97, 1.00), 0.10, glow=1.2),
    "accent_red": Finish((0.52, 0.020, 0.018), 0.60, dust=0.3),
    "accent_blue": Finish((0.025, 0.10, 0.36), 0.42),
}


def suit_material(name: str, prefix: str) -> bpy.types.Material:
    finish = FINISHES[name]
    material, nodes, shader = new_material(f"{prefix} {name}")
    material.diffuse_color = (*finish.colour, 1.0)
    material.metallic, material.roughness = finish.metallic, finish.roughness
    nodes.fill(shader, {"Base Color": (*finish.colour, 1.0), "Roughness": finish.roughness, "Metallic": finish.metallic,
                        "Coat Weight": finish.coat})
    if finish.glow:
        nodes.fill(shader, {"Emission Color": (*finish.colour, 1.0), "Emission Strength": finish.glow})
    place = nodes.attribute(REST_ATTRIBUTE, "Vector") if finish.bump_depth or finish.dust else None
    if finish.bump_depth:  # creases: a stretched, warped noise at two sizes
        noise = nodes.node("ShaderNodeTexNoise", named={
            "Vector": nodes.vector("MULTIPLY", place, (0.55, 0.55, 1.35)), "Scale": finish.bump_scale, "Detail": 2.0,
            "Roughness": 0.55, "Distortion": 1.2}).outputs[0]
        bump = nodes.node("ShaderNodeBump", named={"Strength": finish.bump_depth, "Distance": 0.006, "Height": noise})
        nodes.fill(shader, {"Normal": bump.outputs["Normal"]})
    if finish.dust:
        nodes.fill(shader, {"Base Color": _dusty(nodes, place, finish)})
    return material


def _dusty(nodes: Nodes, place: bpy.types.NodeSocket, finish: Finish) -> bpy.types.NodeSocket:
    """The colour with regolith on the boots and lower legs, thinning upwards in blotches."""
    noise = nodes.node("ShaderNodeTexNoise", named={"Vector": place, "Scale": 11.0, "Detail": 3.0}).outputs[0]
    up = nodes.node("ShaderNodeSeparateXYZ", place).outputs["Z"]
    crossed = nodes.math("MULTIPLY_ADD", noise, -0.55, up)
    amount = nodes.mapped(crossed, from_min=0.36, from_max=-0.28, to_min=0.0, to_max=0.85 * finish.dust)
    return nodes.mixed(amount, finish.colour, DUST)
