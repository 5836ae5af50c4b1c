# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigs that cannot be baked, each in its own way; and every number of a scene that a button could touch."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from blender_scene import bpy, load
from lope.addon.rigs.read.actions import curves_of

RIG = "rigs/kaykit_rogue.glb"


def rig(desk: Path | None = None, source: str = RIG):
    """A rig in a fresh file, active, with its take noted where the desk is there."""
    armature = load(source)
    armature.animation_data_clear()
    for action in list(bpy.data.actions):
        bpy.data.actions.remove(action)
    bpy.context.view_layer.objects.active = armature
    if desk is not None:
        armature.lope.take_path = str(desk)
    return armature


def linked_rig(folder: Path, take: Path | None = None):
    """The rig in a fresh file that links it from another one in `folder`, active."""
    name = rig(take).name
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "library.blend"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    with bpy.data.libraries.load(str(folder / "library.blend"), link=True) as (_, into):
        into.objects = [name]
    item = into.objects[0]
    bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.objects.active = item
    bpy.context.view_layer.update()
    return item


def numbers(items, name: str, size: int = 1, kind: type = np.float32) -> bytes:
    """What all items of a collection of Blender's have under a name, `size` numbers each."""
    found = np.empty(size * len(items), kind)
    items.foreach_get(name, found)
    return (found + 0).tobytes()  # 0 and -0 are the same


def state() -> dict:
    """Every number of the scene that a bake could touch."""
    actions = {a.name: {(c.data_path, c.array_index, i): (
        numbers(c.keyframe_points, "co", 2), numbers(c.keyframe_points, "interpolation", kind=np.int32),
        numbers(c.keyframe_points, "type", kind=np.int32)) for i, c in enumerate(curves_of(a))} for a in bpy.data.actions}
    found = {"actions": actions, "frames": (bpy.context.scene.frame_start, bpy.context.scene.frame_end)}
    for item in bpy.data.objects:
        data = item.animation_data
        tracks = [[(s.name, s.action and s.action.name, s.frame_start, s.frame_end) for s in track.strips]
                  for track in (data.nla_tracks if data is not None else ())]
        found[item.name] = (tuple(map(tuple, item.matrix_basis)), data and data.action and data.action.name,
                            data is not None and data.action_slot and data.action_slot.identifier, tracks,
                            item.hide_viewport, item.data and item.data.name)
        if item.type == "ARMATURE":
            bones = item.pose.bones
            found[item.name, "pose"] = numbers(bones, "matrix_basis", 16), [
                (b.rotation_mode, [(c.type, c.influence, c.mute) for c in b.constraints]) for b in bones]
            found[item.name, "rest"] = numbers(item.data.bones, "matrix_local", 16), numbers(item.data.bones, "length")
    return found


def hide(armature):
    armature.hide_set(True)


def hide_in_viewports(armature):
    armature.hide_viewport = True


def scale_unevenly(armature):
    armature.scale = (1.0, 1.0, 1.3)
    bpy.context.view_layer.update()


def mirror(armature):
    armature.scale = (-1.0, -1.0, -1.0)
    bpy.context.view_layer.update()


def animate_scale(armature):
    for frame, size in ((1, 1.0), (20, 1.5)):
        armature.scale = (size,) * 3
        armature.keyframe_insert("scale", frame=frame)
    bpy.context.scene.frame_set(1)


def animate_scale_in_the_nla(armature):
    animate_scale(armature)
    data = armature.animation_data
    strip = data.nla_tracks.new().strips.new("size", 1, data.action)
    strip.action_slot, data.action = data.action_slot, None
    bpy.context.view_layer.update()


def shrink_a_bone(armature):
    """Blender itself drops bones of no length when Edit Mode is left, so this one is next to nothing."""
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bone = armature.data.edit_bones["lowerleg.l"]
    for child in bone.children:
        child.use_connect = False
    bone.tail = bone.head + (bone.tail - bone.head).normalized() * 2e-6
    bpy.ops.object.mode_set(mode="OBJECT")


def drive_a_bone(armature):
    armature.pose.bones["chest"].driver_add("rotation_quaternion", 0)
    bpy.context.view_layer.update()
