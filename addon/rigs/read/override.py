# SPDX-License-Identifier: GPL-3.0-or-later
"""Library overrides of linked characters: the armature with its meshes, or the skin would stand while the bones walk."""

from __future__ import annotations

from collections.abc import Iterator

import bpy


def override_character(armature: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Object | None:
    """Override a linked armature together with what hangs on it; gives the override, active where the linked one was, or None
    where Blender refuses. What was linked no longer shows in the scene.

    A linked collection is overridden as a whole, as Blender's own command does it.
    """
    layer = scene.view_layers[0]
    active = layer.objects.active == armature
    holder = _linked_collection(armature, scene)
    if holder is None:
        for item in _hanging_on(armature, scene):
            item.override_create(remap_local_usages=True)
        made = armature.override_create(remap_local_usages=True)  # last: what hangs on it is remapped to it
    else:
        made = _of_collection(armature, holder, scene)
    if made is not None and active:
        layer.objects.active = made
    return made


def _linked_collection(armature: bpy.types.Object, scene: bpy.types.Scene) -> bpy.types.Collection | None:
    """The topmost linked collection of a scene that holds the armature."""
    return next((one for one in scene.collection.children_recursive
                 if one.library is not None and armature in list(one.all_objects)), None)


def _of_collection(armature: bpy.types.Object, holder: bpy.types.Collection, scene: bpy.types.Scene) -> bpy.types.Object | None:
    """The armature's override among those of a whole linked collection, which takes that one's place."""
    made = holder.override_hierarchy_create(scene, scene.view_layers[0])
    if made is None:
        return None
    for above in (scene.collection, *scene.collection.children_recursive):
        if above.library is None and holder in list(above.children):
            above.children.unlink(holder)
    return next((item for item in made.all_objects
                 if item.override_library is not None and item.override_library.reference == armature), None)


def _hanging_on(armature: bpy.types.Object, scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    """Linked objects of a scene that are carried or bent by the armature."""
    below = set(armature.children_recursive)
    for item in list(scene.objects):
        if item.library is not None and (item in below or any(
                modifier.type == "ARMATURE" and modifier.object == armature for modifier in item.modifiers)):
            yield item
