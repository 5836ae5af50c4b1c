# SPDX-License-Identifier: GPL-3.0-or-later
"""Stages for a walk: ground, rocks, sun and sky of the Moon, the Earth and Mars, and a test floor, procedural, without images;
the uneven ground that a take was simulated on; and a plain light for scenes that have none."""

from __future__ import annotations

import math
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Euler, Matrix, Vector

from ...checks import check_number
from ...errors import unknown_name
from ...sim.take import Take
from ...worlds.ground import make_ground
from ..node_tree import Colour, Nodes, new_material, with_nodes
from ..read.figure import Figure
from .terrain import Relief, box_mesh, grid, heights, rock_points, sample_ground, scatter_rocks


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


ROCK_KINDS = 4


@dataclass(frozen=True)
class Look:
    """How a world looks: relief, colours (linear), sun and sky."""

    relief: Relief
    ground: tuple[tuple[float, float, float], tuple[float, float, float]]
    grain: float
    rocks: int
    sun_strength: float
    sun_colour: tuple[float, float, float]
    sun_angle_deg: float
    sun_elevation_deg: float
    horizon: tuple[float, float, float]
    zenith: tuple[float, float, float]
    sky_strength: float
    stars: bool
    exposure: float
    path: tuple[float, float, float] | None = None
    tiles_m: float | None = None


TEST_FLOOR = "test"
"""The stage for a world that has no ground to stand on, or no look of its own: bare grey tiles of a metre."""

LOOKS: dict[str, Look] = {
    "moon": Look(Relief(0.22, 460, 0.32, 21.0, 190.0, 11), ((0.165, 0.160, 0.152), (0.235, 0.228, 0.215)), 1.0, 420, 5.4,
                 (1.0, 0.985, 0.95), 0.53, 22.0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0, True, 0.4),
    "earth": Look(Relief(0.20, 0, 0.0, 20.0, 160.0, 5), ((0.120, 0.185, 0.045), (0.230, 0.290, 0.090)), 0.45, 70, 3.6,
                  (1.0, 0.93, 0.82), 2.0, 34.0, (0.62, 0.76, 0.92), (0.10, 0.27, 0.66), 0.75, False, 0.0,
                  (0.42, 0.33, 0.22)),
    "mars": Look(Relief(0.20, 90, 0.20, 26.0, 170.0, 23), ((0.300, 0.120, 0.052), (0.400, 0.180, 0.085)), 0.9, 620, 2.9,
                 (1.0, 0.90, 0.78), 0.7, 30.0, (0.62, 0.44, 0.30), (0.36, 0.24, 0.17), 0.55, False, 0.1),
    TEST_FLOOR: Look(Relief(0.0, 0, 0.0, 0.0, 160.0, 3), ((0.150, 0.155, 0.165), (0.215, 0.222, 0.235)), 0.0, 0, 2.9,
                     (1.0, 0.97, 0.93), 3.0, 40.0, (0.42, 0.44, 0.47), (0.20, 0.22, 0.25), 0.8, False, 0.0, None, 1.0),
}


def stage_for(world: str) -> str:
    """The stage of a world: its own where there is one, else the test floor."""
    return world if world in LOOKS else TEST_FLOOR


def add_stage(scene: bpy.types.Scene, world: str = "moon", *, origin: tuple[float, float] = (0.0, 0.0),
              heading_rad: float = -math.pi / 2, length_m: float = 60.0, aside_m: float = 0.0,
              ground_z: float = 0.0) -> bpy.types.Collection:
    """Add ground, rocks, sun and sky for a walk from `origin` [m] along `heading_rad` (from +X; -pi/2 is -Y) of `length_m`, up to
    `aside_m` to either side, on level ground at z = `ground_z`, in one new collection, which is returned; the scene gets the sky,
    the AgX view and the exposure. Raises InputError for an unknown world, or a length out of range."""
    if world not in LOOKS:
        raise unknown_name("stage", world, LOOKS)
    length_m = check_number("Stage length", length_m, 1.0, 2000.0, "m")
    look = LOOKS[world]
    collection = bpy.data.collections.new(f"Stage {world}")
    scene.collection.children.link(collection)
    place = Matrix.Translation((*origin, ground_z)) @ Matrix.Rotation(heading_rad, 4, "Z")
    collection.objects.link(_ground(world, look, length_m, aside_m, place))
    _rocks(collection, world, look, length_m, aside_m, place)
    collection.objects.link(_sun(world, look, heading_rad))
    scene.world = sky_world(f"Sky {world}", look.horizon, look.zenith, look.sky_strength, look.stars)
    view = scene.view_settings
    view.view_transform, view.look, view.exposure = "AgX", "AgX - Medium High Contrast", look.exposure
    return collection


def _mesh(name: str, points: np.ndarray, faces: np.ndarray, material: bpy.types.Material) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points, [], faces.tolist())
    mesh.materials.append(material)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), dtype=bool))
    mesh.update()
    return mesh


def _ground(world: str, look: Look, length_m: float, aside_m: float, place: Matrix) -> bpy.types.Object:
    step = max(0.11, length_m / 500.0)
    points, faces = grid(length_m, step, look.relief, aside_m)
    name = f"Ground {world}"
    material = (ground_material(name, *look.ground, look.grain, look.path) if look.tiles_m is None
                else tiles_material(name, *look.ground, look.tiles_m))
    ground = bpy.data.objects.new(name, _mesh(name, points, faces, material))
    ground.matrix_world = place
    return ground


def _rocks(collection: bpy.types.Collection, world: str, look: Look, length_m: float, aside_m: float, place: Matrix) -> None:
    material = rock_material(f"Rock {world}", look.ground[0])
    generator = np.random.default_rng(look.relief.seed)
    meshes = [_mesh(f"Rock {world} {k}", *rock_points(generator), material) for k in range(ROCK_KINDS)]
    rocks = scatter_rocks(look.rocks, ROCK_KINDS, length_m, look.relief.seed, aside_m)
    z = heights(rocks.places[:, 0].copy(), rocks.places[:, 1].copy(), length_m, look.relief, aside_m)
    for (along, across), height, size, turn, kind in zip(rocks.places, z, rocks.sizes, rocks.turns, rocks.kinds, strict=True):
        rock = bpy.data.objects.new(f"Rock {world}", meshes[kind])
        rock.matrix_world = (place @ Matrix.Translation((along, across, height + 0.15 * size))
                             @ Matrix.Rotation(turn, 4, "Z") @ Matrix.Scale(size, 4))
        collection.objects.link(rock)


def _sun(world: str, look: Look, heading_rad: float) -> bpy.types.Object:
    """The sun stands ahead and to the left of the walker, so that the shadow falls back to the right."""
    light = bpy.data.lights.new(f"Sun {world}", "SUN")
    light.energy, light.color, light.angle = look.sun_strength, look.sun_colour, math.radians(look.sun_angle_deg)
    sun = bpy.data.objects.new(f"Sun {world}", light)
    sun.rotation_euler = _shining(heading_rad + math.radians(52.0), look.sun_elevation_deg)
    return sun


def _shining(azimuth: float, elevation_deg: float) -> Euler:
    elevation = math.radians(elevation_deg)
    towards = Vector((math.cos(azimuth) * math.cos(elevation), math.sin(azimuth) * math.cos(elevation), math.sin(elevation)))
    return towards.to_track_quat("Z", "Y").to_euler()


BLACK = 0.01
"""A sky darker than this [linear, strength included] lights nothing."""
SUN_STRENGTH, SUN_ASIDE_DEG, SUN_ELEVATION_DEG, SKY = 3.0, 50.0, 42.0, 0.25
"""The plain light: a sun from the side of the camera, and a grey sky against black shadows."""


def is_dark(scene: bpy.types.Scene) -> bool:
    """Whether pictures of a scene would be black: no lamp, no sky, nothing that glows; a suit's lights light no scene."""
    shown = [item for item in scene.objects if not item.hide_render]
    if any(item.type == "LIGHT" and item.data.energy > 0.0 for item in shown):
        return False
    if _sky(scene.world) > BLACK:
        return False
    around = [item for item in shown if item.find_armature() is None and (item.parent is None or item.parent.type != "ARMATURE")]
    materials = {slot.material for item in around for slot in item.material_slots if slot.material is not None}
    return not any(_glows(material) for material in materials)


def add_plain_light(scene: bpy.types.Scene) -> bpy.types.Object:
    """Add a sun that shines from beside the scene's camera, and a grey sky; returns the sun."""
    light = bpy.data.lights.new("Plain Sun", "SUN")
    light.energy, light.angle = SUN_STRENGTH, math.radians(3.0)
    sun = bpy.data.objects.new("Plain Sun", light)
    back = Vector((0.0, 1.0, 0.0)) if scene.camera is None else scene.camera.matrix_world.to_3x3().col[2]
    sun.rotation_euler = _shining(math.atan2(back.y, back.x) + math.radians(SUN_ASIDE_DEG), SUN_ELEVATION_DEG)
    scene.collection.objects.link(sun)
    scene.world = bpy.data.worlds.new("Plain Sky")
    nodes = with_nodes(scene.world)
    nodes.fill(nodes.of_type("BACKGROUND"), {"Color": (SKY, SKY, SKY, 1.0)})
    return sun


def _sky(world: bpy.types.World | None) -> float:
    """How bright a sky is, about; 1 for one that a texture paints."""
    if world is None:
        return 0.0
    if not world.use_nodes or world.node_tree is None:
        return max(world.color)
    found = 0.0
    for node in world.node_tree.nodes:
        if node.type == "BACKGROUND":
            colour, strength = node.inputs["Color"], node.inputs["Strength"]
            found = max(found, (1.0 if colour.is_linked else max(colour.default_value[:3]))
                        * (1.0 if strength.is_linked else strength.default_value))
    return found


def _glows(material: bpy.types.Material) -> bool:
    for node in material.node_tree.nodes if material.node_tree is not None else ():
        if node.type in ("EMISSION", "BSDF_PRINCIPLED"):
            names = ("Color", "Strength") if node.type == "EMISSION" else ("Emission Color", "Emission Strength")
            colour, strength = (node.inputs[name] for name in names)
            if ((colour.is_linked or max(colour.default_value[:3]) > 0.0)
                    and (strength.is_linked or strength.default_value > 0.0)):
                return True
    return False


MARGIN_M = 8.0
"""How far the mesh goes on beyond the way walked, to every side."""
FINEST_M, MOST_CELLS = 0.03, 700
"""Distance of the mesh's points, as wide is a step's edge; and cells along a side at most: long ways make them coarser."""


def lay_ground(stage: bpy.types.Collection, armature: bpy.types.Object, figure: Figure, take: Take) -> None:
    """Put the take's ground in the place of a stage's level one, and take away what would float or sink in it."""
    ground = next(item for item in stage.objects if item.name.startswith("Ground"))
    for item in [item for item in stage.objects if item.name.startswith("Rock")]:
        bpy.data.objects.remove(item)
    points, faces = ground_patch(take)
    scale = figure.own_body(take.body.mass_kg).leg_length_m / take.body.leg_length_m
    to_world = np.array(armature.matrix_world, dtype=float)
    world = figure.in_armature(scale * points) @ to_world[:3, :3].T + to_world[:3, 3]
    mesh = bpy.data.meshes.new(ground.name)
    mesh.from_pydata(world, [], faces.tolist())
    for material in ground.data.materials:
        mesh.materials.append(material)
    mesh.update()
    ground.data = mesh
    ground.matrix_world.identity()


def add_sample_ground(scene: bpy.types.Scene, name: str, to_scene: np.ndarray) -> bpy.types.Object:
    """A mesh of one of the sample grounds, in the scene; `to_scene` (4, 4) takes a take's places [m] there."""
    points, faces = box_mesh(sample_ground(name))
    mesh = bpy.data.meshes.new(name.title())
    mesh.from_pydata(points, [], faces.tolist())
    ground = bpy.data.objects.new(name.title(), mesh)
    ground.matrix_world = Matrix(to_scene.tolist())
    scene.collection.objects.link(ground)
    return ground


def ground_patch(take: Take) -> tuple[np.ndarray, np.ndarray]:
    """Points (N, 3) [m] of the ground around a take's way, in the take's own axes, and quads (M, 4) of their indices."""
    way = take.com_m[:, :2]
    low, high = way.min(axis=0) - MARGIN_M, way.max(axis=0) + MARGIN_M
    step = max(FINEST_M, float((high - low).max()) / MOST_CELLS)
    xs, ys = (np.arange(a, b + step, step) for a, b in zip(low, high, strict=True))
    x, y = np.meshgrid(xs, ys, indexing="ij")
    points = np.stack([x, y, make_ground(take.shot.world.ground).height(x, y)], axis=-1).reshape(-1, 3)
    corner = (np.arange(len(xs) - 1)[:, None] * len(ys) + np.arange(len(ys) - 1)).reshape(-1, 1)
    return points, corner + np.array([0, len(ys), len(ys) + 1, 1])
