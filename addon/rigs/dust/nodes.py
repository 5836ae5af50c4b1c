# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry nodes that let prints appear and grains fly as time goes by. They work out each moment from the frame alone: nothing
is simulated, cached or keyed, and any frame may be shown first. The law is `worlds.dust.flight`."""

from __future__ import annotations

import bpy

from .grains import PUFF_TIME_S


class Tree:
    """A geometry node group in the making."""

    def __init__(self, name: str) -> None:
        self.group = bpy.data.node_groups.new(name, "GeometryNodeTree")
        for what in ("INPUT", "OUTPUT"):
            self.group.interface.new_socket("Geometry", in_out=what, socket_type="NodeSocketGeometry")
        self.start = self.group.nodes.new("NodeGroupInput").outputs[0]
        self._end = self.group.nodes.new("NodeGroupOutput")

    def node(self, kind: str, *inputs, **settings) -> bpy.types.Node:
        """A node with settings; `inputs` go into its sockets in order: an output, a value, or None for as it is."""
        node = self.group.nodes.new(kind)
        for name, value in settings.items():
            setattr(node, name, value)
        for socket, given in zip([s for s in node.inputs if s.enabled], inputs, strict=False):
            self.put(given, socket)
        return node

    def put(self, given, socket: bpy.types.NodeSocket) -> None:
        """An output or a value into a socket; None leaves it as it is."""
        if isinstance(given, bpy.types.NodeSocket):
            self.group.links.new(given, socket)
        elif given is not None:
            socket.default_value = given

    def math(self, operation: str, *inputs) -> bpy.types.NodeSocket:
        """A number worked out of numbers."""
        return self.node("ShaderNodeMath", *inputs, operation=operation).outputs[0]

    def vector(self, operation: str, *inputs) -> bpy.types.NodeSocket:
        """A vector worked out of vectors."""
        return self.node("ShaderNodeVectorMath", *inputs, operation=operation).outputs[0]

    def scaled(self, vector, factor) -> bpy.types.NodeSocket:
        """A vector times a number."""
        node = self.node("ShaderNodeVectorMath", operation="SCALE")
        self.put(vector, node.inputs["Vector"])
        self.put(factor, node.inputs["Scale"])
        return node.outputs[0]

    def named(self, name: str, data_type: str = "FLOAT") -> bpy.types.NodeSocket:
        """An attribute of the mesh."""
        return self.node("GeometryNodeInputNamedAttribute", name, data_type=data_type).outputs[0]

    @property
    def seconds(self) -> bpy.types.NodeSocket:
        """The scene's time [s]: frame over frame rate."""
        return self.node("GeometryNodeInputSceneTime").outputs["Seconds"]

    def without(self, geometry, gone) -> bpy.types.NodeSocket:
        """Geometry without the points for which `gone` is true."""
        return self.node("GeometryNodeDeleteGeometry", geometry, gone).outputs[0]

    def finish(self, geometry) -> bpy.types.NodeTree:
        """The group that gives this geometry."""
        self.group.links.new(geometry, self._end.inputs[0])
        return self.group


def prints_nodes(name: str, material: bpy.types.Material) -> bpy.types.NodeTree:
    """Prints: none before its foot comes, whole when it is down. Attributes: `start`, `down` [s], `lift` (vector)."""
    tree = Tree(name)
    time, start, down = tree.seconds, tree.named("start"), tree.named("down")
    there = tree.without(tree.start, tree.node("FunctionNodeCompare", time, start, data_type="FLOAT",
                                               operation="LESS_THAN").outputs[0])
    span = tree.math("MAXIMUM", tree.math("SUBTRACT", down, start), 1e-3)
    done = tree.node("ShaderNodeClamp", tree.math("DIVIDE", tree.math("SUBTRACT", time, start), span)).outputs[0]
    missing = tree.scaled(tree.named("lift", "FLOAT_VECTOR"), tree.math("SUBTRACT", done, 1.0))
    moved = tree.node("GeometryNodeSetPosition")
    tree.put(there, moved.inputs["Geometry"])
    tree.put(missing, moved.inputs["Offset"])
    return tree.finish(tree.node("GeometryNodeSetMaterial", moved.outputs[0], None, material).outputs[0])


def dust_nodes(name: str, material: bpy.types.Material, *, air: bool) -> bpy.types.NodeTree:
    """Grains as points. Attributes: `start`, `life` [s], `velocity`, `gravity`, `spread` (vectors a second, a second squared, and
    plain), `relaxation` [s], `size`. Gives the points `fade`, 1 when they start and 0 at their end."""
    tree = Tree(name)
    age, life = tree.math("SUBTRACT", tree.seconds, tree.named("start")), tree.named("life")
    early = tree.node("FunctionNodeCompare", age, 0.0, data_type="FLOAT", operation="LESS_THAN").outputs[0]
    late = tree.node("FunctionNodeCompare", age, life, data_type="FLOAT", operation="GREATER_THAN").outputs[0]
    flying = tree.without(tree.start, tree.node("FunctionNodeBooleanMath", early, late, operation="OR").outputs[0])
    if air:
        relaxation = tree.named("relaxation")
        reach = tree.math("MULTIPLY", relaxation, _rise(tree, age, relaxation))
        drop = tree.math("MULTIPLY", relaxation, tree.math("SUBTRACT", age, reach))
    else:
        reach, drop = age, tree.math("MULTIPLY", 0.5, tree.math("MULTIPLY", age, age))
    way = tree.vector("ADD", tree.scaled(tree.named("velocity", "FLOAT_VECTOR"), reach),
                      tree.scaled(tree.named("gravity", "FLOAT_VECTOR"), drop))
    whirl = _rise(tree, age, PUFF_TIME_S)
    if air:
        way = tree.vector("ADD", way, tree.scaled(tree.named("spread", "FLOAT_VECTOR"), whirl))
    moved = tree.node("GeometryNodeSetPosition")
    tree.put(flying, moved.inputs["Geometry"])
    tree.put(way, moved.inputs["Offset"])
    fade = tree.math("SUBTRACT", 1.0, tree.math("DIVIDE", age, life))
    stored = tree.node("GeometryNodeStoreNamedAttribute", data_type="FLOAT", domain="POINT")
    tree.put(moved.outputs[0], stored.inputs["Geometry"])
    tree.put("fade", stored.inputs["Name"])
    tree.put(fade, next(s for s in stored.inputs if s.name == "Value" and s.enabled))
    size = tree.named("size")
    if air:
        size = tree.math("MULTIPLY", size, tree.math("MULTIPLY_ADD", whirl, 2.0, 0.6))
    points = tree.node("GeometryNodeMeshToPoints")
    tree.put(stored.outputs[0], points.inputs["Mesh"])
    tree.put(size, points.inputs["Radius"])
    return tree.finish(tree.node("GeometryNodeSetMaterial", points.outputs[0], None, material).outputs[0])


def _rise(tree: Tree, age, time) -> bpy.types.NodeSocket:
    """1 - exp(-age / time)."""
    return tree.math("SUBTRACT", 1.0, tree.math("EXPONENT", tree.math("MULTIPLY", -1.0, tree.math("DIVIDE", age, time))))
