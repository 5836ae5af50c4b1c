# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials of the ground, the rocks and the sky: procedural, no image."""

from __future__ import annotations

import bpy

from ..node_tree import Colour, Nodes, new_material, with_nodes


def _noise(nodes: Nodes, place: bpy.types.NodeSocket, scale: float, detail: float) -> bpy.types.NodeSocket:
    return nodes.node("ShaderNodeTexNoise", named={"Vector": place, "Scale": scale, "Detail": detail}).outputs[0]


def _place(nodes: Nodes) -> bpy.types.NodeSocket:
    return nodes.node("ShaderNodeTexCoord").outputs["Object"]


def _bumpy(nodes: Nodes, shader: bpy.types.Node, height: bpy.types.NodeSocket, strength: object, distance: float) -> None:
    bump = nodes.node("ShaderNodeBump", named={"Strength": strength, "Distance": distance, "Height": height})
    nodes.fill(shader, {"Normal": bump.outputs["Normal"]})


def ground_material(name: str, dark: Colour, light: Colour, grain: float, path: Colour | None) -> bpy.types.Material:
    """Soil: two tones in patches, fine grains as bump (`grain` scales its depth), a trodden path along local x if asked."""
    material, nodes, shader = new_material(name)
    place = _place(nodes)
    colour = nodes.ramp(_noise(nodes, place, 0.9, 4.0), [(0.30, dark), (0.72, light)])
    if path is not None:
        colour = _trodden(nodes, place, colour, path)
    nodes.fill(shader, {"Base Color": colour, "Roughness": 1.0, "Specular IOR Level": 0.05})
    clumps = _noise(nodes, place, 7.0, 4.0)
    strength = nodes.mapped(_distance(nodes), from_min=5.0, from_max=60.0, to_min=0.9 * grain,
                            to_max=0.08 * grain)  # grains smaller than a pixel would only be noise
    _bumpy(nodes, shader, clumps, strength, 0.055)
    return material


def tiles_material(name: str, dark: Colour, light: Colour, size_m: float) -> bpy.types.Material:
    """Square tiles in two tones, which run into one another far away, where they are smaller than a pixel."""
    material, nodes, shader = new_material(name)
    half = 0.5 * size_m  # half a tile up: a pattern in space is torn where it meets a plane
    lifted = nodes.vector("ADD", _place(nodes), (0.0, half, half))
    tiles = nodes.node("ShaderNodeTexChecker", named={"Vector": lifted, "Scale": 1.0 / size_m})
    fading = nodes.mapped(_distance(nodes), from_min=6.0, from_max=45.0, to_min=0.0, to_max=1.0)
    for socket, own, other in (("Color1", light, dark), ("Color2", dark, light)):
        mean = tuple(0.5 * (a + b) for a, b in zip(own, other, strict=True))
        nodes.fill(tiles, {socket: nodes.ramp(fading, [(0.0, own), (1.0, mean)])})
    nodes.fill(shader, {"Base Color": tiles.outputs["Color"], "Roughness": 0.8})
    return material


def _distance(nodes: Nodes) -> bpy.types.NodeSocket:
    return nodes.node("ShaderNodeCameraData").outputs["View Distance"]


def _trodden(nodes: Nodes, place: bpy.types.NodeSocket, colour: bpy.types.NodeSocket, path: Colour) -> bpy.types.NodeSocket:
    """The colour with a path of bare soil along local x, its edges ragged."""
    away = nodes.math("ABSOLUTE", nodes.node("ShaderNodeSeparateXYZ", place).outputs["Y"])
    ragged = nodes.math("MULTIPLY_ADD", _noise(nodes, place, 2.6, 3.0), 1.1, away)
    return nodes.mixed(nodes.mapped(ragged, from_min=1.35, from_max=1.85), path, colour)


def rock_material(name: str, colour: Colour) -> bpy.types.Material:
    material, nodes, shader = new_material(name)
    tones = _noise(nodes, _place(nodes), 2.2, 3.0)
    shades = [(0.3, tuple(0.55 * c for c in colour)), (0.8, tuple(1.1 * c for c in colour))]
    nodes.fill(shader, {"Base Color": nodes.ramp(tones, shades), "Roughness": 0.95})
    _bumpy(nodes, shader, tones, 0.6, 0.1)
    return material


def sky_world(name: str, horizon: Colour, zenith: Colour, strength: float, stars: bool) -> bpy.types.World:
    """A sky from horizon to zenith colour; with `stars`, sparse points on black instead."""
    world = bpy.data.worlds.new(name)
    nodes = with_nodes(world)
    direction = nodes.node("ShaderNodeTexCoord").outputs["Generated"]
    if stars:
        world.cycles.sampling_method = "NONE"  # points on black light nothing, and the map of a sky takes seconds a frame
        cells = nodes.node("ShaderNodeTexVoronoi", named={"Vector": direction, "Scale": 90.0}).outputs["Distance"]
        colour = nodes.ramp(cells, [(0.0, (0.85, 0.88, 1.0)), (0.045, (0.0, 0.0, 0.0))])
    else:
        world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 64
        up = nodes.node("ShaderNodeSeparateXYZ", direction).outputs["Z"]
        height = nodes.node("ShaderNodeMath", up, 0.55, operation="POWER", use_clamp=True).outputs[0]
        colour = nodes.ramp(height, [(0.0, horizon), (1.0, zenith)])
    nodes.fill(nodes.of_type("BACKGROUND"), {"Color": colour, "Strength": strength})
    return world
