# SPDX-License-Identifier: GPL-3.0-or-later
"""Node trees in the making: a node with its settings and what goes into it said in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import bpy

Colour = tuple[float, float, float]
"""Linear."""


class Nodes:
    """The nodes of a tree. What goes into a socket is an output, a value, or None for as it is."""

    def __init__(self, tree: bpy.types.NodeTree) -> None:
        self.tree = tree

    def node(self, kind: str, *inputs: Any, named: Mapping[str, Any] | None = None, **settings: Any) -> bpy.types.Node:
        """A node with settings; `inputs` go into its sockets in order, `named` ones by the sockets' names."""
        node = self.tree.nodes.new(kind)
        for name, value in settings.items():
            setattr(node, name, value)
        for socket, given in zip([s for s in node.inputs if s.enabled], inputs, strict=False):
            self.put(given, socket)
        self.fill(node, named or {})
        return node

    def fill(self, node: bpy.types.Node, named: Mapping[str, Any]) -> None:
        for name, given in named.items():
            self.put(given, node.inputs[name])

    def put(self, given: Any, socket: bpy.types.NodeSocket) -> None:
        if isinstance(given, bpy.types.NodeSocket):
            self.tree.links.new(given, socket)
        elif given is not None:
            socket.default_value = given

    def of_type(self, kind: str) -> bpy.types.Node:
        return next(node for node in self.tree.nodes if node.type == kind)

    def math(self, operation: str, *inputs: Any) -> bpy.types.NodeSocket:
        return self.node("ShaderNodeMath", *inputs, operation=operation).outputs[0]

    def vector(self, operation: str, *inputs: Any) -> bpy.types.NodeSocket:
        return self.node("ShaderNodeVectorMath", *inputs, operation=operation).outputs[0]

    def scaled(self, vector: Any, factor: Any) -> bpy.types.NodeSocket:
        return self.node("ShaderNodeVectorMath", named={"Vector": vector, "Scale": factor}, operation="SCALE").outputs[0]

    def attribute(self, name: str, output: str = "Fac") -> bpy.types.NodeSocket:
        return self.node("ShaderNodeAttribute", attribute_name=name).outputs[output]

    def mapped(self, value: Any, **limits: float) -> bpy.types.NodeSocket:
        """A number from the range `from_min`, `from_max` in that of `to_min`, `to_max`; 0 to 1 where a limit is left out."""
        named = {name.replace("_", " ").title(): limit for name, limit in limits.items()}
        return self.node("ShaderNodeMapRange", named={"Value": value, **named}).outputs[0]

    def ramp(self, factor: Any, stops: Sequence[tuple[float, Colour]]) -> bpy.types.NodeSocket:
        """A colour by a number: linear from stop (number, colour) to stop."""
        node = self.node("ShaderNodeValToRGB", factor)
        elements = node.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(0.5)
        for element, (position, colour) in zip(elements, stops, strict=True):
            element.position, element.color = position, (*colour, 1.0)
        return node.outputs[0]

    def mixed(self, share: Any, one: Colour | bpy.types.NodeSocket, other: Colour | bpy.types.NodeSocket) -> bpy.types.NodeSocket:
        node = self.node("ShaderNodeMix", share, data_type="RGBA")
        for socket, colour in zip([s for s in node.inputs if s.type == "RGBA"], (one, other), strict=True):
            self.put((*colour, 1.0) if isinstance(colour, tuple) else colour, socket)
        return next(socket for socket in node.outputs if socket.type == "RGBA")


def new_material(name: str) -> tuple[bpy.types.Material, Nodes, bpy.types.Node]:
    material = bpy.data.materials.new(name)
    with_nodes(material)
    nodes = Nodes(material.node_tree)
    return material, nodes, nodes.of_type("BSDF_PRINCIPLED")


def with_nodes(item: bpy.types.Material | bpy.types.World) -> Nodes:
    """The nodes of a new material or world, which have them by themselves since Blender 5."""
    if bpy.app.version < (5, 0, 0):
        item.use_nodes = True
    return Nodes(item.node_tree)
