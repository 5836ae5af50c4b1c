# SPDX-License-Identifier: GPL-3.0-or-later
"""Put a take's prints and dust into a scene, in a collection of their own that a second time replaces."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix

from ...take import Take
from ...worlds.dust import Air, air_of
from ...worlds.ground import make_ground
from ..bake.placement import baked_motion
from .footfalls import kicks, prints
from .grains import grains_of
from .made import MADE_KEY, attribute, collection_for, new_object
from .nodes import dust_nodes, prints_nodes
from .print_mesh import print_mesh
from .soils import dust_material, print_material, rim_m

OF_KEY = "lope_marks_of"
"""Property of the collection: the action whose marks these are."""
SOLE_BEYOND_M = 0.008
"""How far a boot goes beyond its contact points."""


def add_marks(scene: bpy.types.Scene, armature: bpy.types.Object, take: Take, *, bones: dict[str, str] | None = None,
              dust: float = 1.0, with_prints: bool = True, air: Air | str | None = "world") -> bpy.types.Collection:
    """Add the prints and the dust of a take that is baked on the armature; gives their collection.

    What an earlier call added for the same action is replaced; what somebody else put into the collection, or renamed, or
    copied, stays. `dust` is how much of it, 0 for none. `air` is the world's unless it is given. Raises RigError where the
    armature holds no bake of this take.
    """
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
    """One object of all grains, a point each where it starts."""
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
