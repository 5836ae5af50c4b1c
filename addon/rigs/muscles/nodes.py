# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes that make a tube of a muscle's path, frame by frame, from where its bones have brought the path's points, and
its material, by how hard it works. Attributes of the points: `start`, `end` (rows), `share`, `around` (row, or -1), `round`
(radius), see `strands.Strand`; `thick` is the tube's radius in its middle. A path that goes round a cylinder is a taut string in
the plane across its axis: from either end a tangent, between them the arc."""

from __future__ import annotations

import math

import bpy

from ..dust.marks import Tree
from ..node_tree import new_material
from .strands import ENDS

SIDES, ALONG = 10, 20
"""Corners of a tube's section, and sections along it."""
NAME = "Lope Muscle"


def muscle_nodes(material: bpy.types.Material) -> bpy.types.NodeTree:
    tree = Tree(NAME)
    placed = tree.node("GeometryNodeSetPosition")
    tree.put(tree.start, placed.inputs["Geometry"])
    tree.put(_place(tree), placed.inputs["Position"])
    path = tree.node("GeometryNodeMeshToCurve", placed.outputs[0]).outputs[0]
    even = tree.node("GeometryNodeResampleCurve")
    tree.put(path, even.inputs["Curve"])
    tree.put(ALONG, even.inputs["Count"])
    factor = tree.node("GeometryNodeSplineParameter").outputs["Factor"]
    bulge = tree.math("SINE", tree.math("MULTIPLY", factor, math.pi))
    radius = tree.math("MULTIPLY", tree.named("thick"), tree.math("MULTIPLY_ADD", bulge, 1.0 - ENDS, ENDS))
    thick = tree.node("GeometryNodeSetCurveRadius")
    tree.put(even.outputs[0], thick.inputs["Curve"])
    tree.put(radius, thick.inputs["Radius"])
    ring = tree.node("GeometryNodeCurvePrimitiveCircle")
    tree.put(SIDES, ring.inputs["Resolution"])
    tree.put(1.0, ring.inputs["Radius"])
    tube = tree.node("GeometryNodeCurveToMesh")
    tree.put(thick.outputs[0], tube.inputs["Curve"])
    tree.put(ring.outputs[0], tube.inputs["Profile Curve"])
    tree.put(True, tube.inputs["Fill Caps"])
    if "Scale" in tube.inputs:  # since Blender 5 the curve's radius counts only where it is asked for
        tree.put(tree.node("GeometryNodeInputRadius").outputs[0], tube.inputs["Scale"])
    smooth = tree.node("GeometryNodeSetShadeSmooth")
    tree.put(tube.outputs[0], smooth.inputs[0])
    return tree.finish(tree.node("GeometryNodeSetMaterial", smooth.outputs[0], None, material).outputs[0])


def _place(tree: Tree) -> bpy.types.NodeSocket:
    around, share = tree.named("around", "INT"), tree.named("share")
    begin, end = _at(tree, tree.named("start", "INT")), _at(tree, tree.named("end", "INT"))
    straight = tree.vector("ADD", begin, tree.scaled(tree.vector("SUBTRACT", end, begin), share))
    bent, taut = _round(tree, begin, end, share, tree.math("MAXIMUM", around, 0.0))
    goes = tree.math("MULTIPLY", tree.math("GREATER_THAN", around, -0.5), taut)
    return tree.vector("ADD", straight, tree.scaled(tree.vector("SUBTRACT", bent, straight), goes))


def _round(tree: Tree, begin, end, share, row) -> tuple[bpy.types.NodeSocket, bpy.types.NodeSocket]:
    """Where a point lies on the way round, and whether the path touches what it goes round: 1, else 0."""
    middle, further, beside = (_at(tree, tree.math("ADD", row, float(i))) for i in range(3))
    radius = tree.named("round")
    a, b = tree.vector("SUBTRACT", begin, middle), tree.vector("SUBTRACT", end, middle)
    along = tree.vector("SUBTRACT", further, middle)
    across = tree.vector("NORMALIZE", tree.vector("CROSS_PRODUCT", a, b))
    ball = tree.math("LESS_THAN", _length(tree, along), 1e-9)  # round a sphere in the plane of both ends and its middle
    axis = tree.vector("NORMALIZE", tree.vector("ADD", along, tree.scaled(across, ball)))
    flat_a, flat_b = _across(tree, a, axis), _across(tree, b, axis)
    side = _across(tree, tree.vector("SUBTRACT", beside, middle), axis)
    unsaid = tree.math("LESS_THAN", _length(tree, side), 1e-9)  # then the shorter way
    up = tree.vector("NORMALIZE", tree.vector("ADD", side, tree.scaled(tree.vector("ADD", flat_a, flat_b), unsaid)))
    level = tree.vector("CROSS_PRODUCT", up, axis)
    ahead = tree.math("SIGN", _dot(tree, tree.vector("SUBTRACT", flat_b, flat_a), level))
    level = tree.scaled(level, ahead)  # from the first end to the second
    leaves = tree.math("SUBTRACT", _angle(tree, flat_a, level, up), _tangent(tree, flat_a, radius))
    meets = tree.math("ADD", _angle(tree, flat_b, level, up), _tangent(tree, flat_b, radius))
    arc = tree.math("SUBTRACT", meets, leaves)
    angle = tree.math("MULTIPLY_ADD", arc, share, leaves)
    on = tree.vector("ADD", tree.scaled(level, tree.math("MULTIPLY", radius, tree.math("COSINE", angle))),
                     tree.scaled(up, tree.math("MULTIPLY", radius, tree.math("SINE", angle))))
    high_a, high_b = _dot(tree, a, axis), _dot(tree, b, axis)
    high = tree.math("MULTIPLY_ADD", tree.math("SUBTRACT", high_b, high_a), share, high_a)
    place = tree.vector("ADD", middle, tree.vector("ADD", on, tree.scaled(axis, high)))
    return place, tree.math("LESS_THAN", arc, 0.0)


def _at(tree: Tree, row) -> bpy.types.NodeSocket:
    node = tree.node("GeometryNodeSampleIndex", data_type="FLOAT_VECTOR", domain="POINT")
    tree.put(tree.start, node.inputs["Geometry"])
    tree.put(tree.node("GeometryNodeInputPosition").outputs[0], next(s for s in node.inputs if s.name == "Value" and s.enabled))
    tree.put(row, node.inputs["Index"])
    return next(s for s in node.outputs if s.enabled)


def _dot(tree: Tree, a, b) -> bpy.types.NodeSocket:
    return tree.node("ShaderNodeVectorMath", a, b, operation="DOT_PRODUCT").outputs["Value"]


def _length(tree: Tree, vector) -> bpy.types.NodeSocket:
    return tree.node("ShaderNodeVectorMath", vector, operation="LENGTH").outputs["Value"]


def _across(tree: Tree, vector, axis) -> bpy.types.NodeSocket:
    return tree.vector("SUBTRACT", vector, tree.scaled(axis, _dot(tree, vector, axis)))


def _angle(tree: Tree, vector, level, up) -> bpy.types.NodeSocket:
    """Angle of a vector, from -90 to 270 degrees: from level on, upward [rad]."""
    angle = tree.math("ARCTAN2", _dot(tree, vector, up), _dot(tree, vector, level))
    below = tree.math("LESS_THAN", angle, -0.5 * math.pi)
    return tree.math("MULTIPLY_ADD", below, 2.0 * math.pi, angle)


def _tangent(tree: Tree, vector, radius) -> bpy.types.NodeSocket:
    """Angle at the middle between an end and where its tangent touches [rad]; 0 for an end inside."""
    share = tree.math("DIVIDE", radius, tree.math("MAXIMUM", _length(tree, vector), 1e-9))
    return tree.math("ARCCOSINE", tree.math("MINIMUM", share, 1.0))


PROPERTY = "activation"
"""Custom property of a muscle's object, 0 to 1, that its colour goes by."""
COLOURS = ((0.0, (0.02, 0.10, 0.65)), (0.2, (0.25, 0.04, 0.45)), (0.5, (0.75, 0.01, 0.04)), (1.0, (1.0, 0.03, 0.0)))
"""Colours (linear) by activation: a walk uses the lower half, so most of the change lies there."""
GLOW = 0.7
BONE = (0.72, 0.68, 0.58)
MATERIAL_NAME, BONE_NAME = "Lope Muscle", "Lope Bone"


def muscle_material() -> bpy.types.Material:
    material, nodes, shader = new_material(MATERIAL_NAME)
    works = nodes.node("ShaderNodeAttribute", attribute_type="OBJECT", attribute_name=PROPERTY).outputs["Fac"]
    colour = nodes.ramp(works, COLOURS)
    nodes.fill(shader, {"Base Color": colour, "Emission Color": colour, "Emission Strength": nodes.math("MULTIPLY", works, GLOW),
                        "Roughness": 0.45})
    material.diffuse_color = (*COLOURS[1][1], 1.0)
    return material


def bone_material() -> bpy.types.Material:
    material, nodes, shader = new_material(BONE_NAME)
    material.diffuse_color = (*BONE, 1.0)
    nodes.fill(shader, {"Base Color": (*BONE, 1.0), "Roughness": 0.7})
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
