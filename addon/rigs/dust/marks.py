# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints and dust of a take in a scene, in a collection of their own that a second time replaces. Geometry nodes work out each
moment from the frame alone: nothing is simulated, cached or keyed. The law of flight is `grains.flight`."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix

from ...sim.take import Take
from ...worlds.ground import make_ground
from ...worlds.planets import Air, air_of
from ..bake.placing import baked_motion
from ..node_tree import Nodes
from .grains import PUFF_TIME_S, grains_of, kicks, prints
from .prints import dust_material, print_material, print_mesh, rim_m

MADE_KEY = "lope_made"
"""Property of the collection: names of what Lope put into it, one a line."""


def collection_for(scene: bpy.types.Scene, key: str, of: str | bpy.types.Object, title: str) -> bpy.types.Collection:
    """The collection in the scene for what belongs to an action, by name, or to an object, emptied of what Lope made before."""
    found = next((one for one in scene.collection.children_recursive if one.get(key) == of), None)
    if found is None:
        found = bpy.data.collections.new(f"{title} {of if isinstance(of, str) else of.name}")
        found[key] = of
        scene.collection.children.link(found)
    clear(found)
    return found


def clear(collection: bpy.types.Collection) -> int:
    """Take away what Lope put into a collection, with what only that uses; gives how many. What others touched stays."""
    found = [item for name in str(collection.get(MADE_KEY, "")).splitlines()
             if (item := collection.objects.get(name)) is not None and item.library is None]
    things = {room: dict.fromkeys(thing for item in found for thing in used(item) if thing is not None)
              for room, used in _USED.items()}
    for item in found:
        bpy.data.objects.remove(item)
    for room, some in things.items():
        for thing in some:
            if not thing.users:
                getattr(bpy.data, room).remove(thing)
    return len(found)


_USED = {
    "meshes": lambda item: [item.data],
    "actions": lambda item: [item.animation_data and item.animation_data.action],
    "node_groups": lambda item: [modifier.node_group for modifier in item.modifiers if modifier.type == "NODES"],
    "materials": lambda item: list(item.data.materials),
}
"""What an object uses, users before what they use."""


def new_object(name: str, mesh: bpy.types.Mesh, collection: bpy.types.Collection, material: bpy.types.Material,
               nodes: bpy.types.NodeTree) -> bpy.types.Object:
    """An object with its nodes, in the collection; nobody picks it by chance."""
    mesh.materials.append(material)
    item = bpy.data.objects.new(name, mesh)
    collection.objects.link(item)
    modifier = item.modifiers.new("Lope", "NODES")
    modifier.node_group = nodes
    item.hide_select = True
    return item


def attribute(mesh: bpy.types.Mesh, name: str, kind: str, values: np.ndarray) -> None:
    made = mesh.attributes.new(name, kind, "POINT")
    made.data.foreach_set("vector" if kind == "FLOAT_VECTOR" else "value", np.ascontiguousarray(values, np.float32).ravel())


class Tree(Nodes):
    def __init__(self, name: str) -> None:
        super().__init__(bpy.data.node_groups.new(name, "GeometryNodeTree"))
        for what in ("INPUT", "OUTPUT"):
            self.tree.interface.new_socket("Geometry", in_out=what, socket_type="NodeSocketGeometry")
        self.start = self.tree.nodes.new("NodeGroupInput").outputs[0]
        self._end = self.tree.nodes.new("NodeGroupOutput")

    def named(self, name: str, data_type: str = "FLOAT") -> bpy.types.NodeSocket:
        return self.node("GeometryNodeInputNamedAttribute", name, data_type=data_type).outputs[0]

    @property
    def seconds(self) -> bpy.types.NodeSocket:
        """The scene's time [s]: frame over frame rate."""
        return self.node("GeometryNodeInputSceneTime").outputs["Seconds"]

    def without(self, geometry, gone) -> bpy.types.NodeSocket:
        """Geometry without the points for which `gone` is true."""
        return self.node("GeometryNodeDeleteGeometry", geometry, gone).outputs[0]

    def while_there(self, time, begin, end, operation: str = "GREATER_THAN") -> bpy.types.NodeSocket:
        """The points whose time has begun and not ended, which it has where it is `operation` than the end."""
        early, late = (self.node("FunctionNodeCompare", time, limit, data_type="FLOAT", operation=which).outputs[0]
                       for limit, which in ((begin, "LESS_THAN"), (end, operation)))
        return self.without(self.start, self.node("FunctionNodeBooleanMath", early, late, operation="OR").outputs[0])

    def moved(self, geometry, by) -> bpy.types.NodeSocket:
        return self.node("GeometryNodeSetPosition", named={"Geometry": geometry, "Offset": by}).outputs[0]

    def ring(self, corners: int, radius: float) -> bpy.types.NodeSocket:
        return self.node("GeometryNodeCurvePrimitiveCircle", named={"Resolution": corners, "Radius": radius}).outputs[0]

    def finish(self, geometry, material: bpy.types.Material) -> bpy.types.NodeTree:
        made = self.node("GeometryNodeSetMaterial", geometry, None, material).outputs[0]
        self.tree.links.new(made, self._end.inputs[0])
        return self.tree


def prints_nodes(name: str, material: bpy.types.Material) -> bpy.types.NodeTree:
    """Prints: none before its foot comes, whole when it is down. Attributes: `start`, `down` [s], `lift` (vector)."""
    tree = Tree(name)
    time, start, down = tree.seconds, tree.named("start"), tree.named("down")
    there = tree.without(tree.start, tree.node("FunctionNodeCompare", time, start, data_type="FLOAT",
                                               operation="LESS_THAN").outputs[0])
    span = tree.math("MAXIMUM", tree.math("SUBTRACT", down, start), 1e-3)
    done = tree.node("ShaderNodeClamp", tree.math("DIVIDE", tree.math("SUBTRACT", time, start), span)).outputs[0]
    missing = tree.scaled(tree.named("lift", "FLOAT_VECTOR"), tree.math("SUBTRACT", done, 1.0))
    return tree.finish(tree.moved(there, missing), material)


def dust_nodes(name: str, material: bpy.types.Material, *, air: bool) -> bpy.types.NodeTree:
    """Grains as points. Attributes: `start`, `life` [s], `velocity`, `gravity`, `spread` (vectors a second, a second squared, and
    plain), `relaxation` [s], `size`. Gives the points `fade`, 1 when they start and 0 at their end."""
    tree = Tree(name)
    age, life = tree.math("SUBTRACT", tree.seconds, tree.named("start")), tree.named("life")
    flying = tree.while_there(age, 0.0, life)
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
    fade = tree.math("SUBTRACT", 1.0, tree.math("DIVIDE", age, life))
    stored = tree.node("GeometryNodeStoreNamedAttribute", named={"Geometry": tree.moved(flying, way), "Name": "fade"},
                       data_type="FLOAT", domain="POINT")
    tree.put(fade, next(s for s in stored.inputs if s.name == "Value" and s.enabled))
    size = tree.named("size")
    if air:
        size = tree.math("MULTIPLY", size, tree.math("MULTIPLY_ADD", whirl, 2.0, 0.6))
    points = tree.node("GeometryNodeMeshToPoints", named={"Mesh": stored.outputs[0], "Radius": size})
    return tree.finish(points.outputs[0], material)


def _rise(tree: Tree, age, time) -> bpy.types.NodeSocket:
    """1 - exp(-age / time)."""
    return tree.math("SUBTRACT", 1.0, tree.math("EXPONENT", tree.math("MULTIPLY", -1.0, tree.math("DIVIDE", age, time))))


OF_KEY = "lope_marks_of"
SOLE_BEYOND_M = 0.008
"""How far a boot goes beyond its contact points."""


def add_marks(scene: bpy.types.Scene, armature: bpy.types.Object, take: Take, *, bones: dict[str, str] | None = None,
              dust: float = 1.0, with_prints: bool = True, air: Air | str | None = "world") -> bpy.types.Collection:
    """Add the prints and the dust (`dust` times as much as usual) of a take that is baked on the armature, in place of what an
    earlier call added; gives their collection. `air` is the world's unless given. Raises RigError where the take is not baked
    there."""
    baked = baked_motion(armature, take, scene, bones)
    world, ground = take.shot.world, make_ground(take.shot.world.ground)
    through = air_of(world.name, world.gravity_m_s2) if air == "world" else air
    collection = collection_for(scene, OF_KEY, baked.action.name, "Dust")
    made = []
    if with_prints:
        found = print_mesh(prints(take), ground.height, rim_m(world.name), SOLE_BEYOND_M, take.shot.seed)
        made.append(_prints(found, baked, world.name, collection, scene))
    if dust > 0.0:
        grains = grains_of(kicks(take), take.shot.seed, through, dust, ground)
        made.append(_dust(grains, baked, world.name, collection, air=through is not None))
    collection[MADE_KEY] = "\n".join(item.name for item in made)
    return collection


def _prints(found, baked, world: str, collection: bpy.types.Collection, scene: bpy.types.Scene) -> bpy.types.Object:
    """One object of all prints. Its axes are those of the stage's ground, whose texture goes on in it."""
    mesh = bpy.data.meshes.new("Prints")
    ground = next((item for item in scene.objects if item.type == "MESH" and item.name.startswith("Ground ")), None)
    place = np.eye(4) if ground is None else np.array(ground.matrix_basis, dtype=float)
    into = np.linalg.inv(place)
    world_points, up = baked.to_world(found.points), baked.direction(np.array([0.0, 0.0, 1.0]))
    mesh.from_pydata(world_points @ into[:3, :3].T + into[:3, 3], [], found.faces.tolist())
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), dtype=bool))
    for name, values in (("start", baked.seconds(found.start_s)), ("down", baked.seconds(found.down_s)),
                         ("pressed", found.pressed), ("cover", found.cover)):
        attribute(mesh, name, "FLOAT", values)
    attribute(mesh, "lift", "FLOAT_VECTOR", found.lift_m[:, None] * (into[:3, :3] @ up))
    mesh.update()
    material = print_material(world)
    item = new_object("Prints", mesh, collection, material, prints_nodes("Lope Prints", material))
    item.matrix_world = Matrix(place.tolist())
    return item


def _dust(grains, baked, world: str, collection: bpy.types.Collection, *, air: bool) -> bpy.types.Object:
    mesh = bpy.data.meshes.new("Dust")
    mesh.from_pydata(baked.to_world(grains.place), [], [])
    down = baked.direction(np.array([0.0, 0.0, -1.0]))
    metre = float(np.linalg.norm(down))
    vectors = {"velocity": baked.direction(grains.velocity), "gravity": grains.gravity_m_s2[:, None] * down,
               "spread": baked.direction(grains.spread)}
    numbers = {"start": baked.seconds(grains.start_s), "life": grains.life_s, "size": metre * grains.radius_m}
    if air:
        numbers["relaxation"] = grains.relaxation_s
    for name, values in numbers.items():
        attribute(mesh, name, "FLOAT", values)
    for name, values in vectors.items():
        attribute(mesh, name, "FLOAT_VECTOR", values)
    material = dust_material(world, air=air)
    item = new_object("Dust", mesh, collection, material, dust_nodes("Lope Dust", material, air=air))
    item.visible_shadow = not air  # puffs are thin, but for Cycles' shadows each is a ball
    return item
