# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes that show of pressure what is loaded at the frame, and materials in its colours, which glow so that no light
changes them."""

from __future__ import annotations

import bpy
from mathutils import Color

from ...reports.pressure_colours import HEAVY, LIGHT
from .nodes import Tree

STEPS = 8
"""Between the colours of the first count and of the last: they are mixed as a screen shows them, not as light adds up."""
COLOURS = {
    "pressure": (tuple(LIGHT / 255.0), tuple(HEAVY / 255.0)),
    "feet": ((1.0, 0.9, 0.1), (1.0, 0.15, 0.1)),
    "centre": ((1.0, 1.0, 1.0), (0.0, 0.0, 0.0)),
}
"""At 0 and at 1 of the attribute: pressure; the left foot's outline and the right one's; the centre's ring and its dot."""
LINE_M = 0.002
"""Half of an outline's width."""
ROUND = 16


def tiles_nodes(name: str, material: bpy.types.Material, pitch_m: tuple[float, float]) -> bpy.types.NodeTree:
    """A tile of that size at each point that is there. Attributes: `start`, `end` [s], `turn` (Euler angles)."""
    tree = Tree(name)
    tile = tree.node("GeometryNodeMeshGrid", *map(float, pitch_m), 2, 2).outputs[0]
    return _laid(tree, tile, material, None)


def discs_nodes(name: str, material: bpy.types.Material) -> bpy.types.NodeTree:
    """A disc at each point that is there. Attributes: `start`, `end` [s], `size` [m], `turn` (Euler angles)."""
    tree = Tree(name)
    disc = tree.node("GeometryNodeMeshCircle", ROUND, 1.0, fill_type="NGON").outputs[0]
    return _laid(tree, disc, material, tree.node("ShaderNodeCombineXYZ", *[tree.named("size")] * 3).outputs[0])


def lines_nodes(name: str, material: bpy.types.Material) -> bpy.types.NodeTree:
    """A thin rod along each edge that is there. Attributes: `start`, `end` [s]."""
    tree = Tree(name)
    curves = tree.node("GeometryNodeMeshToCurve", _there(tree)).outputs[0]
    rod = tree.node("GeometryNodeCurvePrimitiveCircle")
    tree.put(4, rod.inputs["Resolution"])
    tree.put(LINE_M, rod.inputs["Radius"])
    rods = tree.node("GeometryNodeCurveToMesh", curves, rod.outputs[0]).outputs[0]
    return tree.finish(tree.node("GeometryNodeSetMaterial", rods, None, material).outputs[0])


def mixed_material(name: str, by: str, colours: str) -> bpy.types.Material:
    """A material that glows in `COLOURS[colours]`, mixed by the attribute `by` from 0 to 1."""
    material = bpy.data.materials.new(name)
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    low, high = COLOURS[colours]
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    share, ramp = nodes.new("ShaderNodeAttribute"), nodes.new("ShaderNodeValToRGB")
    share.attribute_name = by
    points = ramp.color_ramp.elements
    while len(points) < STEPS + 1:
        points.new(0.5)
    for i, point in enumerate(points):
        at = i / STEPS
        shown = Color([a + at * (b - a) for a, b in zip(low, high, strict=True)])
        point.position, point.color = at, (*shown.from_srgb_to_scene_linear(), 1.0)
    glow, output = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeOutputMaterial")
    links.new(share.outputs["Fac"], ramp.inputs[0])
    links.new(ramp.outputs[0], glow.inputs["Color"])
    links.new(glow.outputs[0], output.inputs["Surface"])
    material.diffuse_color = points[0].color
    return material


def _there(tree: Tree) -> bpy.types.NodeSocket:
    """What is there at the scene's time."""
    time = tree.seconds
    early = tree.node("FunctionNodeCompare", time, tree.named("start"), data_type="FLOAT", operation="LESS_THAN").outputs[0]
    late = tree.node("FunctionNodeCompare", time, tree.named("end"), data_type="FLOAT", operation="GREATER_EQUAL").outputs[0]
    return tree.without(tree.start, tree.node("FunctionNodeBooleanMath", early, late, operation="OR").outputs[0])


def _laid(tree: Tree, thing: bpy.types.NodeSocket, material: bpy.types.Material,
          size: bpy.types.NodeSocket | None) -> bpy.types.NodeTree:
    """The group that lays a thing at each point that is there, turned and sized as the point says."""
    points = tree.node("GeometryNodeMeshToPoints", _there(tree)).outputs[0]
    laid = tree.node("GeometryNodeInstanceOnPoints")
    tree.put(points, laid.inputs["Points"])
    tree.put(thing, laid.inputs["Instance"])
    tree.put(tree.named("turn", "FLOAT_VECTOR"), laid.inputs["Rotation"])
    tree.put(size, laid.inputs["Scale"])
    real = tree.node("GeometryNodeRealizeInstances", laid.outputs[0]).outputs[0]
    return tree.finish(tree.node("GeometryNodeSetMaterial", real, None, material).outputs[0])
