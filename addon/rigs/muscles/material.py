# SPDX-License-Identifier: GPL-3.0-or-later
"""The muscles' material: blue at rest, red at work, and glowing the more the harder a muscle works. One for all muscles: a
property of each object says how hard it works."""

from __future__ import annotations

import bpy

PROPERTY = "activation"
"""Custom property of a muscle's object, 0 to 1, that its colour goes by."""
COLOURS = ((0.0, (0.02, 0.10, 0.65)), (0.2, (0.25, 0.04, 0.45)), (0.5, (0.75, 0.01, 0.04)), (1.0, (1.0, 0.03, 0.0)))
"""Colours (linear) by activation: a walk uses the lower half, so most of the change lies there."""
GLOW = 0.7
BONE = (0.72, 0.68, 0.58)
NAME, BONE_NAME = "Lope Muscle", "Lope Bone"


def muscle_material() -> bpy.types.Material:
    """A new material of muscles."""
    material = _new(NAME)
    tree, shader = material.node_tree, _shader(material)
    works = tree.nodes.new("ShaderNodeAttribute")
    works.attribute_type, works.attribute_name = "OBJECT", PROPERTY
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    points = ramp.color_ramp.elements
    while len(points) < len(COLOURS):
        points.new(0.5)
    for point, (position, colour) in zip(points, COLOURS, strict=True):
        point.position, point.color = position, (*colour, 1.0)
    tree.links.new(works.outputs["Fac"], ramp.inputs[0])
    glow = tree.nodes.new("ShaderNodeMath")
    glow.operation, glow.inputs[1].default_value = "MULTIPLY", GLOW
    tree.links.new(works.outputs["Fac"], glow.inputs[0])
    for socket in ("Base Color", "Emission Color"):
        tree.links.new(ramp.outputs[0], shader.inputs[socket])
    tree.links.new(glow.outputs[0], shader.inputs["Emission Strength"])
    shader.inputs["Roughness"].default_value = 0.45
    material.diffuse_color = (*COLOURS[1][1], 1.0)
    return material


def bone_material() -> bpy.types.Material:
    """A new material of bones."""
    material = _new(BONE_NAME)
    shader = _shader(material)
    shader.inputs["Base Color"].default_value = material.diffuse_color = (*BONE, 1.0)
    shader.inputs["Roughness"].default_value = 0.7
    return material


def drive_colour(item: bpy.types.Object) -> None:
    """Let the colour that an object has in solid view go by its property: a curve, no script."""
    item.color = (*COLOURS[0][1], 1.0)
    for channel in range(3):
        curve = item.driver_add("color", channel)
        curve.driver.type = "AVERAGE"
        variable = curve.driver.variables.new()
        variable.targets[0].id, variable.targets[0].data_path = item, f'["{PROPERTY}"]'
        for modifier in list(curve.modifiers):  # of a new driver: a straight line, that would count instead of the keys
            curve.modifiers.remove(modifier)
        curve.keyframe_points.clear()
        curve.keyframe_points.add(len(COLOURS))
        for point, (position, colour) in zip(curve.keyframe_points, COLOURS, strict=True):
            point.co, point.interpolation = (position, colour[channel]), "LINEAR"
        curve.update()


def _new(name: str) -> bpy.types.Material:
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    return material


def _shader(material: bpy.types.Material) -> bpy.types.Node:
    return next(node for node in material.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
