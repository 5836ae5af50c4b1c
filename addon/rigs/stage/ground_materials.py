# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of the ground, the rocks and the sky: procedural, no image."""

from __future__ import annotations

import bpy

Colour = tuple[float, float, float]


def _new_material(name: str) -> tuple[bpy.types.Material, bpy.types.Node]:
    material = bpy.data.materials.new(name)
    if bpy.app.version < (5, 0, 0):
        material.use_nodes = True
    return material, next(n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED")


def _noise(nodes, links, coordinates, scale: float, detail: float):
    noise = nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = scale
    noise.inputs["Detail"].default_value = detail
    links.new(coordinates, noise.inputs["Vector"])
    return noise.outputs[0]


def _ramp(nodes, links, factor, stops: list[tuple[float, Colour]]):
    ramp = nodes.new("ShaderNodeValToRGB")
    elements = ramp.color_ramp.elements
    while len(elements) < len(stops):
        elements.new(1.0)
    for element, (position, colour) in zip(elements, stops, strict=True):
        element.position, element.color = position, (*colour, 1.0)
    links.new(factor, ramp.inputs[0])
    return ramp.outputs[0]


def ground_material(name: str, dark: Colour, light: Colour, grain: float, path: Colour | None) -> bpy.types.Material:
    """Soil: two tones in patches, fine grains as bump (`grain` scales its depth), a trodden path along local x if asked."""
    material, shader = _new_material(name)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    place = nodes.new("ShaderNodeTexCoord").outputs["Object"]
    patches = _noise(nodes, links, place, 0.9, 4.0)
    colour = _ramp(nodes, links, patches, [(0.30, dark), (0.72, light)])
    if path is not None:
        colour = _trodden(nodes, links, place, colour, path)
    links.new(colour, shader.inputs["Base Color"])
    shader.inputs["Roughness"].default_value = 1.0
    shader.inputs["Specular IOR Level"].default_value = 0.05
    clumps = _noise(nodes, links, place, 7.0, 4.0)
    bump = nodes.new("ShaderNodeBump")
    fading = nodes.new("ShaderNodeMapRange")  # grains smaller than a pixel would only be noise
    for socket, value in (("From Min", 5.0), ("From Max", 60.0), ("To Min", 0.9 * grain), ("To Max", 0.08 * grain)):
        fading.inputs[socket].default_value = value
    links.new(nodes.new("ShaderNodeCameraData").outputs["View Distance"], fading.inputs["Value"])
    links.new(fading.outputs[0], bump.inputs["Strength"])
    bump.inputs["Distance"].default_value = 0.055
    links.new(clumps, bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return material


def tiles_material(name: str, dark: Colour, light: Colour, size_m: float) -> bpy.types.Material:
    """Square tiles in two tones, which run into one another far away, where they are smaller than a pixel."""
    material, shader = _new_material(name)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    lifted = nodes.new("ShaderNodeVectorMath")  # half a tile up: a pattern in space is torn where it meets a plane
    lifted.operation = "ADD"
    lifted.inputs[1].default_value = (0.0, 0.5 * size_m, 0.5 * size_m)
    links.new(nodes.new("ShaderNodeTexCoord").outputs["Object"], lifted.inputs[0])
    tiles = nodes.new("ShaderNodeTexChecker")
    tiles.inputs["Scale"].default_value = 1.0 / size_m
    links.new(lifted.outputs[0], tiles.inputs["Vector"])
    fading = nodes.new("ShaderNodeMapRange")
    for socket, value in (("From Min", 6.0), ("From Max", 45.0), ("To Min", 0.0), ("To Max", 1.0)):
        fading.inputs[socket].default_value = value
    links.new(nodes.new("ShaderNodeCameraData").outputs["View Distance"], fading.inputs["Value"])
    for socket, own, other in (("Color1", light, dark), ("Color2", dark, light)):
        mean = tuple(0.5 * (a + b) for a, b in zip(own, other, strict=True))
        links.new(_ramp(nodes, links, fading.outputs[0], [(0.0, own), (1.0, mean)]), tiles.inputs[socket])
    links.new(tiles.outputs["Color"], shader.inputs["Base Color"])
    shader.inputs["Roughness"].default_value = 0.8
    return material


def _trodden(nodes, links, place, colour, path: Colour):
    """The colour with a path of bare soil along local x, its edges ragged."""
    split = nodes.new("ShaderNodeSeparateXYZ")
    links.new(place, split.inputs[0])
    away = nodes.new("ShaderNodeMath")
    away.operation = "ABSOLUTE"
    links.new(split.outputs["Y"], away.inputs[0])
    ragged = nodes.new("ShaderNodeMath")
    ragged.operation = "MULTIPLY_ADD"
    links.new(_noise(nodes, links, place, 2.6, 3.0), ragged.inputs[0])
    ragged.inputs[1].default_value = 1.1
    links.new(away.outputs[0], ragged.inputs[2])
    share = nodes.new("ShaderNodeMapRange")
    share.inputs["From Min"].default_value, share.inputs["From Max"].default_value = 1.35, 1.85
    links.new(ragged.outputs[0], share.inputs["Value"])
    mix = nodes.new("ShaderNodeMix")
    mix.data_type = "RGBA"
    inputs = [socket for socket in mix.inputs if socket.type == "RGBA"]
    inputs[0].default_value = (*path, 1.0)
    links.new(share.outputs[0], mix.inputs[0])
    links.new(colour, inputs[1])
    return next(socket for socket in mix.outputs if socket.type == "RGBA")


def rock_material(name: str, colour: Colour) -> bpy.types.Material:
    """Rock: a shade darker than the soil, rough."""
    material, shader = _new_material(name)
    nodes, links = material.node_tree.nodes, material.node_tree.links
    place = nodes.new("ShaderNodeTexCoord").outputs["Object"]
    tones = _noise(nodes, links, place, 2.2, 3.0)
    links.new(_ramp(nodes, links, tones, [(0.3, tuple(0.55 * c for c in colour)), (0.8, tuple(1.1 * c for c in colour))]),
              shader.inputs["Base Color"])
    shader.inputs["Roughness"].default_value = 0.95
    bump = nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = 0.6
    bump.inputs["Distance"].default_value = 0.1
    links.new(tones, bump.inputs["Height"])
    links.new(bump.outputs["Normal"], shader.inputs["Normal"])
    return material


def sky_world(name: str, horizon: Colour, zenith: Colour, strength: float, stars: bool) -> bpy.types.World:
    """A sky from horizon to zenith colour; with `stars`, sparse points on black instead."""
    world = bpy.data.worlds.new(name)
    if bpy.app.version < (5, 0, 0):
        world.use_nodes = True
    nodes, links = world.node_tree.nodes, world.node_tree.links
    background = next(n for n in nodes if n.type == "BACKGROUND")
    background.inputs["Strength"].default_value = strength
    direction = nodes.new("ShaderNodeTexCoord").outputs["Generated"]
    if stars:
        world.cycles.sampling_method = "NONE"  # points on black light nothing, and the map of a sky takes seconds a frame
        cells = nodes.new("ShaderNodeTexVoronoi")
        cells.inputs["Scale"].default_value = 90.0
        links.new(direction, cells.inputs["Vector"])
        point = _ramp(nodes, links, cells.outputs["Distance"], [(0.0, (0.85, 0.88, 1.0)), (0.045, (0.0, 0.0, 0.0))])
        links.new(point, background.inputs["Color"])
        return world
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 64
    split = nodes.new("ShaderNodeSeparateXYZ")
    links.new(direction, split.inputs[0])
    height = nodes.new("ShaderNodeMath")
    height.operation = "POWER"
    height.use_clamp = True
    height.inputs[1].default_value = 0.55
    links.new(split.outputs["Z"], height.inputs[0])
    links.new(_ramp(nodes, links, height.outputs[0], [(0.0, horizon), (1.0, zenith)]), background.inputs["Color"])
    return world
