# SPDX-License-Identifier: GPL-3.0-or-later
"""The loose objects of a Shot: meshes of a collection, each as its bounding box, or as a sphere where its rigid body is one."""

from __future__ import annotations

import bpy
import numpy as np

from ..addon.errors import InputError
from ..addon.maths.quaternions import quat_from_matrix
from ..addon.rigs.bake.loose import box_of, start_of
from ..addon.specs.loose import LooseObject
from ..addon.specs.settings import settings_of
from .figures import Placement, plain

_SIZE = settings_of(LooseObject)["size_m"]


def objects_of(settings: bpy.types.PropertyGroup, armature: bpy.types.Object, placement: Placement) -> tuple[LooseObject, ...]:
    """The loose objects that a scene's settings ask for, as they stand before Lope's keys move them, in a take's frame. Passive
    rigid bodies are none, nor is what the armature wears. Raises InputError for a collection without any, and for a flat one."""
    collection = settings.objects
    if collection is None:
        return ()
    meshes = [item for item in collection.all_objects if item.type == "MESH" and not _is_fixed(item)
              and item.parent != armature and item.find_armature() != armature]
    if not meshes:
        raise InputError(f"The collection {collection.name!r} holds no mesh that could be loose: put some into it, or choose "
                         "another collection.")
    return tuple(_object(item, plain(settings.objects_density), placement) for item in meshes)


def _is_fixed(item: bpy.types.Object) -> bool:
    return item.rigid_body is not None and item.rigid_body.type == "PASSIVE"


def _object(item: bpy.types.Object, density: float, placement: Placement) -> LooseObject:
    """One of them. A rigid body knows its mass and friction."""
    world = start_of(item)
    turn = np.array(world.to_quaternion().to_matrix(), dtype=float)
    middle, edges = box_of(item)
    unit = float(np.cbrt(np.linalg.det(placement.matrix[:3, :3])))
    size = edges / unit
    if size.min() < _SIZE.low or size.max() > _SIZE.high:
        raise InputError(f"The loose object {item.name!r} is {' x '.join(f'{x:.3g}' for x in size)} m large; each side must lie "
                         f"between {_SIZE.low:g} and {_SIZE.high:g} m: scale it, or take it out of the collection.")
    place = placement.to_take(turn @ middle + np.array(world.translation, dtype=float))
    quat = quat_from_matrix((placement.matrix[:3, :3] / unit).T @ turn)
    body, extra = item.rigid_body, {}
    if body is not None:
        extra = {"mass_kg": plain(body.mass), "friction": min(plain(body.friction), 2.0)}
    sphere = body is not None and body.collision_shape == "SPHERE"
    sides = np.full(3, size.max()) if sphere else size
    return LooseObject(item.name, "sphere" if sphere else "box", _plain(sides), density_kg_m3=density,
                       place_m=_plain(place), orientation=tuple(float(x) for x in quat), **extra)


def _plain(values: np.ndarray) -> tuple[float, float, float]:
    x, y, z = (round(plain(value), 6) + 0.0 for value in values.tolist())
    return x, y, z
