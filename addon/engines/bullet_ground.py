# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground of a World as Bullet's static bodies. Bullet itself is handed in: it greets whoever imports it."""

from __future__ import annotations

import math
from types import ModuleType

from ..specs.shot import World
from ..worlds.ground import Field, make_ground
from ..worlds.ground_shapes import Box, Patch, Slab, field_mesh, ground_shapes

FIELD_MARGIN_M = 0.0
"""Bullet would thicken triangles by 4 cm, which lifts the feet off the ground that the planner knows."""


def build_ground(bullet: ModuleType, client: int, world: World) -> None:
    """Add the ground of `world` to the simulation `client`: a plane, boxes for steps, one mesh for a height field."""
    at = {"physicsClientId": client}
    ground = make_ground(world.ground)
    if isinstance(ground, Field):
        vertices, triangles = field_mesh(ground)
        shape = bullet.createCollisionShape(
            bullet.GEOM_MESH, vertices=vertices.tolist(), indices=triangles.ravel().tolist(),
            flags=bullet.GEOM_FORCE_CONCAVE_TRIMESH, **at)
        bodies = [bullet.createMultiBody(0.0, shape, **at)]
        bullet.changeDynamics(bodies[0], -1, collisionMargin=FIELD_MARGIN_M, **at)
    else:
        bodies = [_shape_body(bullet, shape, at) for shape in ground_shapes(ground)]
    for body in bodies:
        bullet.changeDynamics(body, -1, lateralFriction=world.friction, restitution=0.0, **at)


def _shape_body(bullet: ModuleType, shape: Slab | Box | Patch, at: dict[str, int]) -> int:
    """Body id of a box or an endless plane. Raises TypeError for a patch of heights: Bullet's field is one mesh."""
    if isinstance(shape, Patch):
        raise TypeError("A patch of heights is no shape of its own in Bullet.")
    if isinstance(shape, Box):
        box = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=shape.half, **at)
        turn = (0.0, 0.0, math.sin(0.5 * shape.yaw), math.cos(0.5 * shape.yaw))
        return bullet.createMultiBody(0.0, box, basePosition=shape.centre, baseOrientation=turn, **at)
    plane = bullet.createCollisionShape(bullet.GEOM_PLANE, planeNormal=shape.normal, **at)
    return bullet.createMultiBody(0.0, plane, basePosition=(0.0, 0.0, shape.height_m), **at)
