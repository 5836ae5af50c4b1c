# SPDX-License-Identifier: GPL-3.0-or-later
"""The pressure of a take on the ground of a scene, as objects that render: geometry nodes show at every frame the cells loaded
then, in materials that glow, so that no light changes their colours."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Color, Matrix, Vector

from ...reports.pressure import HEAVY, LIGHT
from ...reports.pressure_on_ground import CENTRE_M, FEET, RING_M, OnGround, on_ground, seen_under
from ...sim.take import Take
from ...worlds.ground import Ground, make_ground
from ..bake.placing import BakedMotion, baked_motion
from ..node_tree import with_nodes
from .marks import MADE_KEY, Tree, attribute, collection_for, new_object

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
    return tree.finish(tree.node("GeometryNodeCurveToMesh", curves, tree.ring(4, LINE_M)).outputs[0], material)


def mixed_material(name: str, by: str, colours: str) -> bpy.types.Material:
    """A material that glows in `COLOURS[colours]`, mixed by the attribute `by` from 0 to 1."""
    material = bpy.data.materials.new(name)
    nodes = with_nodes(material)
    low, high = COLOURS[colours]
    nodes.tree.nodes.clear()
    shown = [Color([a + i / STEPS * (b - a) for a, b in zip(low, high, strict=True)]) for i in range(STEPS + 1)]
    stops = [(i / STEPS, tuple(colour.from_srgb_to_scene_linear())) for i, colour in enumerate(shown)]
    glow = nodes.node("ShaderNodeEmission", named={"Color": nodes.ramp(nodes.attribute(by), stops)})
    nodes.node("ShaderNodeOutputMaterial", named={"Surface": glow.outputs[0]})
    material.diffuse_color = (*stops[0][1], 1.0)
    return material


def _there(tree: Tree) -> bpy.types.NodeSocket:
    """What is there at the scene's time."""
    return tree.while_there(tree.seconds, tree.named("start"), tree.named("end"), "GREATER_EQUAL")


def _laid(tree: Tree, thing: bpy.types.NodeSocket, material: bpy.types.Material,
          size: bpy.types.NodeSocket | None) -> bpy.types.NodeTree:
    """The group that lays a thing at each point that is there, turned and sized as the point says."""
    points = tree.node("GeometryNodeMeshToPoints", _there(tree)).outputs[0]
    laid = tree.node("GeometryNodeInstanceOnPoints", named={
        "Points": points, "Instance": thing, "Rotation": tree.named("turn", "FLOAT_VECTOR"), "Scale": size})
    return tree.finish(tree.node("GeometryNodeRealizeInstances", laid.outputs[0]).outputs[0], material)


OF_KEY = "lope_pressure_of"
"""Property of the collection: the action whose pressure this is."""
EARLY_S = 1e-4
"""So much earlier cells are shown, lest a frame of the scene at their very time miss them."""


def add_pressure(scene: bpy.types.Scene, armature: bpy.types.Object, take: Take) -> bpy.types.Collection:
    """Add the pressure under a take that is baked on the armature, cells, outlines of feet and its centre, in place of what an
    earlier call added; gives their collection. Raises RigError, or InputError where nothing presses."""
    baked, picture = baked_motion(armature, take, scene), seen_under(take)
    ground = make_ground(take.shot.world.ground)
    collection = collection_for(scene, OF_KEY, baked.action.name, "Pressure")
    made = [_cells(picture, ground, baked, collection), _outlines(picture, ground, baked, collection),
            _centres(picture, ground, baked, collection)]
    for item in made:
        item.matrix_world = Matrix(baked.matrix.tolist())
        item.visible_shadow = False
    collection[MADE_KEY] = "\n".join(item.name for item in made)
    return collection


def _cells(picture: OnGround, ground: Ground, baked: BakedMotion, collection: bpy.types.Collection) -> bpy.types.Object:
    """A point for every loaded cell of every frame, where it lies, how the ground is turned there, and how much it presses."""
    frames = range(len(picture.frames))
    places = np.concatenate([picture.middles_m(frame) for frame in frames])
    mesh = _points("Pressure", on_ground(places, ground.height), picture, baked, [len(one.cells) for one in picture.frames])
    attribute(mesh, "share", "FLOAT", np.concatenate([one.pressure for one in picture.frames]) / picture.most)
    attribute(mesh, "turn", "FLOAT_VECTOR", _turns(ground, places))
    material = mixed_material("Pressure", "share", "pressure")
    return new_object("Pressure", mesh, collection, material, tiles_nodes("Lope Pressure", material, picture.pitch_m))


def _outlines(picture: OnGround, ground: Ground, baked: BakedMotion, collection: bpy.types.Collection) -> bpy.types.Object:
    ends = [[picture.outline_m(frame, foot) for foot in range(len(FEET))] for frame in range(len(picture.frames))]
    places = on_ground(np.concatenate([one for pair in ends for one in pair]), ground.height, 2.0)
    mesh = _points("Pressure Outlines", places, picture, baked, [sum(map(len, pair)) for pair in ends])
    mesh.edges.add(len(places) // 2)
    mesh.edges.foreach_set("vertices", np.arange(len(places), dtype=np.int32))
    attribute(mesh, "share", "FLOAT", np.concatenate([np.full(len(one), foot) for pair in ends for foot, one in enumerate(pair)]))
    material = mixed_material("Pressure Outlines", "share", "feet")
    return new_object(mesh.name, mesh, collection, material, lines_nodes("Lope Pressure Outlines", material))


def _centres(picture: OnGround, ground: Ground, baked: BakedMotion, collection: bpy.types.Collection) -> bpy.types.Object:
    """Two points for every frame's centre of pressure, of the ring and of the dot in it."""
    presses = np.array([bool(np.isfinite(one.centre_m).all()) for one in picture.frames])
    centres = np.array([one.centre_m for one in picture.frames])[presses]
    ring, dot = (on_ground(centres, ground.height, above) for above in (2.5, 3.0))
    places = np.stack([ring, dot], axis=1).reshape(-1, 3)
    mesh = _points("Pressure Centre", places, picture, baked, (2 * presses).tolist())
    attribute(mesh, "share", "FLOAT", np.tile([0.0, 1.0], len(centres)))
    attribute(mesh, "size", "FLOAT", np.tile([RING_M, CENTRE_M], len(centres)))
    attribute(mesh, "turn", "FLOAT_VECTOR", np.repeat(_turns(ground, centres), 2, axis=0))
    material = mixed_material("Pressure Centre", "share", "centre")
    return new_object(mesh.name, mesh, collection, material, discs_nodes("Lope Pressure Centre", material))


def _points(name: str, places: np.ndarray, picture: OnGround, baked: BakedMotion, counts: list[int]) -> bpy.types.Mesh:
    """A mesh of points (N, 3) of a take, so many of each frame, with the time [s] of the scene from and until which each is
    there; the last frame stays for another one's time, as `OnGround.at` has it."""
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(places))
    mesh.vertices.foreach_set("co", np.ascontiguousarray(places, np.float32).ravel())
    starts = baked.seconds(picture.start_s + np.arange(len(counts) + 1) / picture.rate_hz) - EARLY_S
    ends = starts[1:].copy()
    ends[-1] += 1.0 / picture.rate_hz
    for called, values in (("start", starts[:-1]), ("end", ends)):
        attribute(mesh, called, "FLOAT", np.repeat(values, counts))
    mesh.update()
    return mesh


def _turns(ground: Ground, places: np.ndarray) -> np.ndarray:
    """Euler angles (N, 3) that lay something level on the ground at places (N, 2)."""
    normals = np.broadcast_to(ground.normal(places[:, 0], places[:, 1]), (len(places), 3))
    found, which = np.unique(normals.round(4), axis=0, return_inverse=True)
    turns = [Vector((0.0, 0.0, 1.0)).rotation_difference(Vector(normal)).to_euler() for normal in found]
    return np.array(turns).reshape(-1, 3)[which.ravel()]
