# SPDX-License-Identifier: GPL-3.0-or-later
"""The astronaut's materials: procedural, no image. Cloth and dust follow the `rest_place` attribute, so nothing swims."""

from __future__ import annotations

from dataclasses import dataclass

import bpy

REST_ATTRIBUTE = "rest_place"
"""Point attribute: the vertex' place in the rest pose [m of a 1.80 m figure], x forward, y left, z up."""

Colour = tuple[float, float, float]
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
    material = bpy.data.materials.new(f"{prefix} {name}")
    material.diffuse_color = (*finish.colour, 1.0)
    material.metallic, material.roughness = finish.metallic, finish.roughness
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    shader = next(n for n in nodes if n.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = (*finish.colour, 1.0)
    shader.inputs["Roughness"].default_value = finish.roughness
    shader.inputs["Metallic"].default_value = finish.metallic
    shader.inputs["Coat Weight"].default_value = finish.coat
    if finish.glow:
        shader.inputs["Emission Color"].default_value = (*finish.colour, 1.0)
        shader.inputs["Emission Strength"].default_value = finish.glow
    place = None
    if finish.bump_depth or finish.dust:
        place = nodes.new("ShaderNodeAttribute")
        place.attribute_name = REST_ATTRIBUTE
    if finish.bump_depth:
        _bump(nodes, links, place, shader, finish)
    if finish.dust:
        _dust(nodes, links, place, shader, finish)
    return material


def _bump(nodes, links, place, shader, finish: Finish) -> None:
    """Creases: a stretched, warped noise at two sizes."""
    stretch = nodes.new("ShaderNodeVectorMath")
    stretch.operation = "MULTIPLY"
    stretch.inputs[1].default_value = (0.55, 0.55, 1.35)
    noise = nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = finish.bump_scale
    noise.inputs["Detail"].default_value = 2.0
    noise.inputs["Roughness"].default_value = 0.55
    noise.inputs["Distortion"].default_value = 1.2
    bump = nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = finish.bump_depth
    bump.inputs["Distance"].default_value = 0.006
    links.new(place.outputs["Vector"], stretch.inputs[0])
    links.new(stretch.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs[0], bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])


def _dust(nodes, links, place, shader, finish: Finish) -> None:
    """Regolith on the boots and lower legs, thinning upwards in blotches."""
    split = nodes.new("ShaderNodeSeparateXYZ")
    noise = nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = 11.0
    noise.inputs["Detail"].default_value = 3.0
    height = nodes.new("ShaderNodeMath")  # place where the blotches cross: height + noise * 0.5
    height.operation = "MULTIPLY_ADD"
    height.inputs[1].default_value = -0.55
    amount = nodes.new("ShaderNodeMapRange")
    amount.inputs["From Min"].default_value = 0.36
    amount.inputs["From Max"].default_value = -0.28
    amount.inputs["To Min"].default_value = 0.0
    amount.inputs["To Max"].default_value = 0.85 * finish.dust
    mix = nodes.new("ShaderNodeMix")
    mix.data_type = "RGBA"
    colour_in = [s for s in mix.inputs if s.type == "RGBA"]
    colour_in[0].default_value, colour_in[1].default_value = (*finish.colour, 1.0), (*DUST, 1.0)
    links.new(place.outputs["Vector"], split.inputs[0])
    links.new(place.outputs["Vector"], noise.inputs["Vector"])
    links.new(noise.outputs[0], height.inputs[0])
    links.new(split.outputs["Z"], height.inputs[2])
    links.new(height.outputs[0], amount.inputs["Value"])
    links.new(amount.outputs[0], mix.inputs[0])
    links.new(next(s for s in mix.outputs if s.type == "RGBA"), shader.inputs["Base Color"])
