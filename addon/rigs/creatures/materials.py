# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of creatures: a skin that takes its colours from the mesh, and plain finishes."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

COLOUR_ATTRIBUTE = "skin_colour"
"""Point attribute: linear colour of the skin."""
REST_ATTRIBUTE = "rest_place"
"""Point attribute: the vertex' place in the rest pose [m]; a pattern of it does not swim."""


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
    """A new material of that finish."""
    made = bpy.data.materials.new(name)
    shown = finish.colour or (0.3, 0.3, 0.3)
    made.diffuse_color = (*shown, 1.0)
    made.metallic, made.roughness = finish.metallic, finish.roughness
    if bpy.app.version < (5, 0, 0):
        made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = next(n for n in nodes if n.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*shown, 1.0)
    shader.inputs["Roughness"].default_value = finish.roughness
    shader.inputs["Metallic"].default_value = finish.metallic
    shader.inputs["Coat Weight"].default_value = finish.coat
    if finish.glow:
        shader.inputs["Emission Color"].default_value = (*shown, 1.0)
        shader.inputs["Emission Strength"].default_value = finish.glow
    if finish.colour is None:
        colour = nodes.new("ShaderNodeAttribute")
        colour.attribute_name = COLOUR_ATTRIBUTE
        links.new(colour.outputs["Color"], shader.inputs["Base Color"])
    if finish.depth:
        _bumpy(nodes, links, shader, finish)
    return made


def _bumpy(nodes: bpy.types.Nodes, links: bpy.types.NodeLinks, shader: bpy.types.Node, finish: Finish) -> None:
    """Scales: cells of the rest place."""
    place = nodes.new("ShaderNodeAttribute")
    place.attribute_name = REST_ATTRIBUTE
    cells = nodes.new("ShaderNodeTexVoronoi")
    cells.inputs["Scale"].default_value = finish.bumps
    bump = nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = finish.depth
    bump.inputs["Distance"].default_value = 0.01
    links.new(place.outputs["Vector"], cells.inputs["Vector"])
    links.new(cells.outputs["Distance"], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])
