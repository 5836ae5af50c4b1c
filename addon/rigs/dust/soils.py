# SPDX-License-Identifier: GPL-3.0-or-later
"""What prints and dust look like: the stage's own soil, darker where it is pressed, and running out into what is below."""

from __future__ import annotations

import bpy

from ..stage.ground_materials import Colour, ground_material
from ..stage.stage import LOOKS, stage_for

RIMS_M = {"moon": 0.020, "mars": 0.016, "earth": 0.009}
"""Height of a print's rim under the whole weight of a body on Earth: deep in the Moon's soft dust, less in a trodden path
(Apollo's boots went in by 1 to 3 cm; the others by eye)."""
OTHER_RIM_M = 0.016
SOIL_OF = "moon"
"""The soil of worlds that have no look of their own."""
PRESSED = 0.55
"""How dark pressed soil is over loose one."""
THROWN, PRESSED_FLAT = 0.55, 0.15
"""What is left of the soil's own roughness where it was thrown up, and where it was pressed."""
LOOSE = 1.5
"""How bright dust in flight is over soil that lies: grain by grain, without the shadows between them."""
CASTS = 0.97
"""A patch casts no shadow where it covers less than that: on the ground below it that would be a dark ring."""
PUFF_DENSITY = 0.11


def soil_look(world: str):
    """The look whose soil a world has."""
    name = stage_for(world)
    return LOOKS[name if LOOKS[name].tiles_m is None else SOIL_OF]


def soil_colours(world: str) -> tuple[Colour, Colour]:
    """Dark and light of a world's bare soil, where one walks."""
    look = soil_look(world)
    if look.path is None:
        return look.ground
    return look.path, look.path


def rim_m(world: str) -> float:
    """Height of a print's rim in a world's soil."""
    return RIMS_M.get(world, OTHER_RIM_M)


def print_material(world: str) -> bpy.types.Material:
    """Soil by the attributes `pressed` (darker) and `cover` (0: what is below shows)."""
    material = ground_material(f"Prints {world}", *soil_colours(world), soil_look(world).grain, None)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    colour = shader.inputs["Base Color"].links[0].from_socket
    shade = nodes.new("ShaderNodeMapRange")
    shade.inputs["To Min"].default_value, shade.inputs["To Max"].default_value = 1.0, PRESSED
    links.new(_attribute(nodes, "pressed"), shade.inputs["Value"])
    darker = nodes.new("ShaderNodeVectorMath")
    darker.operation = "SCALE"
    links.new(colour, darker.inputs["Vector"])
    links.new(shade.outputs[0], darker.inputs["Scale"])
    links.new(darker.outputs[0], shader.inputs["Base Color"])
    bump = next(node for node in nodes if node.type == "BUMP")
    strength = bump.inputs["Strength"].links[0].from_socket
    for name, least in (("cover", THROWN), ("pressed", PRESSED_FLAT / THROWN)):
        smooth = nodes.new("ShaderNodeMapRange")
        smooth.inputs["To Min"].default_value, smooth.inputs["To Max"].default_value = 1.0, least
        links.new(_attribute(nodes, name), smooth.inputs["Value"])
        strength = _math(nodes, links, "MULTIPLY", strength, smooth.outputs[0])
    links.new(strength, bump.inputs["Strength"])
    cover = _attribute(nodes, "cover")
    shadow = nodes.new("ShaderNodeLightPath").outputs["Is Shadow Ray"]
    hidden = _math(nodes, links, "MULTIPLY", shadow, _math(nodes, links, "LESS_THAN", cover, CASTS))
    _see_through(nodes, links, shader, _math(nodes, links, "MULTIPLY", cover, _math(nodes, links, "SUBTRACT", 1.0, hidden)))
    return material


def dust_material(world: str, *, air: bool) -> bpy.types.Material:
    """Loose soil: opaque grains, or with air puffs that are thin at their edges and thinner with time (attribute `fade`)."""
    material = bpy.data.materials.new(f"Dust {world}")
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = next(node for node in nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*(min(LOOSE * c, 1.0) for c in soil_colours(world)[1]), 1.0)
    shader.inputs["Roughness"].default_value = 1.0
    shader.inputs["Specular IOR Level"].default_value = 0.0
    if not air:
        return material
    facing = nodes.new("ShaderNodeLayerWeight")
    facing.inputs["Blend"].default_value = 0.5
    centre = _math(nodes, links, "SUBTRACT", 1.0, facing.outputs["Facing"])
    soft = _math(nodes, links, "MULTIPLY", _math(nodes, links, "POWER", centre, 1.8),
                 _math(nodes, links, "POWER", _attribute(nodes, "fade"), 1.3))
    _see_through(nodes, links, shader, _math(nodes, links, "MULTIPLY", soft, PUFF_DENSITY))
    return material


def _attribute(nodes, name: str) -> bpy.types.NodeSocket:
    node = nodes.new("ShaderNodeAttribute")
    node.attribute_name = name
    return node.outputs["Fac"]


def _math(nodes, links, operation: str, *values) -> bpy.types.NodeSocket:
    node = nodes.new("ShaderNodeMath")
    node.operation = operation
    for socket, value in zip(node.inputs, values, strict=False):
        if isinstance(value, bpy.types.NodeSocket):
            links.new(value, socket)
        else:
            socket.default_value = value
    return node.outputs[0]


def _see_through(nodes, links, shader, share) -> None:
    """Let a shader cover what is behind only by a share."""
    output = next(node for node in nodes if node.type == "OUTPUT_MATERIAL")
    clear, mix = nodes.new("ShaderNodeBsdfTransparent"), nodes.new("ShaderNodeMixShader")
    links.new(share, mix.inputs[0])
    links.new(clear.outputs[0], mix.inputs[1])
    links.new(shader.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], output.inputs["Surface"])
