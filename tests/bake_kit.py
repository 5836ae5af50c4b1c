# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of bakes share: a rig with a take of its own body, hand keys on it, and every number of an action."""

from __future__ import annotations

from bake_check import body_of
from blender_scene import bpy, load
from lope.addon.rigs.read.actions import curves_of
from lope.addon.rigs.read.armature import read_figure
from synthetic_take import synthetic_take

RIG = "rigs/kaykit_rogue.glb"


def rig_and_take(source: str = RIG, **options):
    armature = load(source)
    if armature.animation_data is not None:
        armature.animation_data_clear()
    return armature, synthetic_take(body_of(read_figure(armature)), **options)


def keys(curve) -> list[tuple[float, float]]:
    return [tuple(point.co) for point in curve.keyframe_points]


def everything(action) -> dict:
    """Every number of every key of an action."""
    def parts(key):
        return tuple(key.co), tuple(key.handle_left), tuple(key.handle_right), key.interpolation, key.type

    return {(c.data_path, c.array_index): [parts(key) for key in c.keyframe_points] for c in curves_of(action)}


def hand_keyed(armature) -> bpy.types.Action:
    """An action with hand keys on a baked channel, on a finger-like other bone and on the object."""
    pose = armature.pose.bones
    for frame, value in ((-20, 0.3), (10, -0.2), (60, 0.4)):
        pose["chest"].rotation_mode = "QUATERNION"
        pose["chest"].rotation_quaternion = (1.0, value, 0.0, 0.0)
        pose["chest"].keyframe_insert("rotation_quaternion", frame=frame)
        pose["handslot.l"].location = (value, 0.0, 0.0)
        pose["handslot.l"].keyframe_insert("location", frame=frame)
        armature.location.z = 0.0
        armature.keyframe_insert("location", index=2, frame=frame)
    return armature.animation_data.action
