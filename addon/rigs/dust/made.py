# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that Lope makes beside an action, in a collection of their own that a second time replaces."""

from __future__ import annotations

import bpy
import numpy as np

MADE_KEY = "lope_made"
"""Property of the collection: names of what Lope put into it, one a line."""


def collection_for(scene: bpy.types.Scene, key: str, action: str, title: str) -> bpy.types.Collection:
    """The collection for what belongs to an action, in the scene, without what Lope had put into it before; its property `key` is
    the action's name."""
    found = next((one for one in scene.collection.children_recursive if one.get(key) == action), None)
    if found is None:
        found = bpy.data.collections.new(f"{title} {action}")
        found[key] = action
        scene.collection.children.link(found)
    for name in str(found.get(MADE_KEY, "")).splitlines():
        item = found.objects.get(name)
        if item is not None and item.library is None:
            _remove(item)
    return found


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
    """An attribute of a mesh's points."""
    made = mesh.attributes.new(name, kind, "POINT")
    made.data.foreach_set("vector" if kind == "FLOAT_VECTOR" else "value", np.ascontiguousarray(values, np.float32).ravel())


def _remove(item: bpy.types.Object) -> None:
    """Take away an object with its mesh, nodes and materials, as far as nobody else uses them."""
    mesh = item.data
    groups = [modifier.node_group for modifier in item.modifiers if modifier.type == "NODES" and modifier.node_group is not None]
    materials = [material for material in mesh.materials if material is not None]
    bpy.data.objects.remove(item)
    for room, things in ((bpy.data.meshes, [mesh]), (bpy.data.node_groups, groups), (bpy.data.materials, materials)):
        for thing in things:
            if not thing.users:
                room.remove(thing)
