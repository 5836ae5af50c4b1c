# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a scene has any light, and a plain one for pictures of a scene that has none."""

from __future__ import annotations

import math

import bpy
from mathutils import Vector

BLACK = 0.01
"""A sky darker than this [linear, strength included] lights nothing."""
SUN_STRENGTH, SUN_ASIDE_DEG, SUN_ELEVATION_DEG, SKY = 3.0, 50.0, 42.0, 0.25
"""The plain light: a sun from the side of the camera, and a grey sky against black shadows."""


def is_dark(scene: bpy.types.Scene) -> bool:
    """Whether pictures of a scene would be black: no lamp that is rendered, no sky, nothing that glows; lights on a character,
    such as a suit's, light no scene."""
    shown = [item for item in scene.objects if not item.hide_render]
    if any(item.type == "LIGHT" and item.data.energy > 0.0 for item in shown):
        return False
    if _sky(scene.world) > BLACK:
        return False
    around = [item for item in shown if item.find_armature() is None and (item.parent is None or item.parent.type != "ARMATURE")]
    materials = {slot.material for item in around for slot in item.material_slots if slot.material is not None}
    return not any(_glows(material) for material in materials)


def add_plain_light(scene: bpy.types.Scene) -> bpy.types.Object:
    """Add a sun that shines from beside the scene's camera, and a grey sky; returns the sun."""
    light = bpy.data.lights.new("Plain Sun", "SUN")
    light.energy, light.angle = SUN_STRENGTH, math.radians(3.0)
    sun = bpy.data.objects.new("Plain Sun", light)
    back = Vector((0.0, 1.0, 0.0)) if scene.camera is None else scene.camera.matrix_world.to_3x3().col[2]
    azimuth, elevation = math.atan2(back.y, back.x) + math.radians(SUN_ASIDE_DEG), math.radians(SUN_ELEVATION_DEG)
    towards = Vector((math.cos(azimuth) * math.cos(elevation), math.sin(azimuth) * math.cos(elevation), math.sin(elevation)))
    sun.rotation_euler = towards.to_track_quat("Z", "Y").to_euler()
    scene.collection.objects.link(sun)
    world = bpy.data.worlds.new("Plain Sky")
    if bpy.app.version < (5, 0, 0):
        world.use_nodes = True
    background = next(node for node in world.node_tree.nodes if node.type == "BACKGROUND")
    background.inputs["Color"].default_value = (SKY, SKY, SKY, 1.0)
    scene.world = world
    return sun


def _sky(world: bpy.types.World | None) -> float:
    """How bright a sky is, about; 1 for one that a texture paints."""
    if world is None:
        return 0.0
    if not world.use_nodes or world.node_tree is None:
        return max(world.color)
    found = 0.0
    for node in world.node_tree.nodes:
        if node.type == "BACKGROUND":
            colour, strength = node.inputs["Color"], node.inputs["Strength"]
            found = max(found, (1.0 if colour.is_linked else max(colour.default_value[:3]))
                        * (1.0 if strength.is_linked else strength.default_value))
    return found


def _glows(material: bpy.types.Material) -> bool:
    """Whether a material gives light."""
    for node in material.node_tree.nodes if material.node_tree is not None else ():
        if node.type in ("EMISSION", "BSDF_PRINCIPLED"):
            names = ("Color", "Strength") if node.type == "EMISSION" else ("Emission Color", "Emission Strength")
            colour, strength = (node.inputs[name] for name in names)
            if ((colour.is_linked or max(colour.default_value[:3]) > 0.0)
                    and (strength.is_linked or strength.default_value > 0.0)):
                return True
    return False
