# SPDX-License-Identifier: GPL-3.0-or-later
"""What a bake sets besides transforms: constraints held off, and the switches of a rig with controls (IK or FK, parents)."""

from __future__ import annotations

import json
from collections.abc import Collection

import bpy
import numpy as np

from ..read.maps import Controls
from .action import ActionWriter, Keys, key_kinds
from .chosen import same_limb
from .controls import Chain

CONSTRAINTS_KEY = "lope_constraints"
"""Property of a baked action: JSON of the influences (constraint's path -> value) that the action holds at 0."""

PROPERTIES_KEY = "lope_properties"
"""Property of a baked action: JSON of what the rig's switches (path -> value) were before."""


def hold_constraints(writer: ActionWriter, armature: bpy.types.Object, chain: Chain, chosen: Collection[str],
                     frame: float) -> None:
    """Key the influence of every working constraint of the `chosen` baked bones to 0 and note what it was before any bake.

    An influence that a driver sets is left to it.
    """
    data = armature.animation_data
    earlier = _noted(data, CONSTRAINTS_KEY)
    driven = {driver.data_path for driver in data.drivers} if data is not None else set()
    held = {}
    for bone in (bone for bone in (*chain.segment_of, *chain.poles.values()) if bone in chosen):
        for constraint in armature.pose.bones[bone].constraints:
            path = constraint.path_from_id("influence")
            influence = earlier.get(path, constraint.influence)
            if not constraint.mute and influence > 0.0 and path not in driven:
                held[path] = influence
                writer.write(path, bone, 0, _switch(frame, 0.0), influence)
    if held:
        writer.action[CONSTRAINTS_KEY] = json.dumps({**json.loads(writer.action.get(CONSTRAINTS_KEY, "{}")), **held},
                                                    sort_keys=True)


def set_properties(writer: ActionWriter, armature: bpy.types.Object, controls: Controls, ik: bool, frame: float,
                   target: str, segments: Collection[str]) -> None:
    """Key the rig's switches to what the bake of these `segments` needs, note what they were, and bring helper controls to rest.

    With the target "replace" helper controls keep their keys: they are the animator's own touch on the motion.
    """
    def needed(of: str) -> bool:
        return any(same_limb(of, segment) for segment in segments)

    noted = _noted(armature.animation_data, PROPERTIES_KEY)
    before = {}
    for prop in (prop for prop in controls.properties if needed(prop.of)):
        bone = armature.pose.bones[prop.bone]
        if prop.name in bone:
            path = f'{bone.path_from_id()}["{bpy.utils.escape_identifier(prop.name)}"]'
            before[path] = noted.get(path, float(bone[prop.name]))
            writer.write(path, prop.bone, 0, _switch(frame, prop.ik if ik else prop.fk), float(bone[prop.name]))
    if before:
        writer.action[PROPERTIES_KEY] = json.dumps({**json.loads(writer.action.get(PROPERTIES_KEY, "{}")), **before},
                                                   sort_keys=True)
    if target == "replace":
        return
    for name in (name for name, of in controls.helpers.items() if needed(of)):
        bone = armature.pose.bones.get(name)
        if bone is None:
            continue
        prop = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(bone.rotation_mode,
                                                                                              "rotation_euler")
        for part, rest in (("location", (0.0,) * 3), ("scale", (1.0,) * 3), (prop, _REST_TURN[prop])):
            for index, value in enumerate(rest):
                writer.write(bone.path_from_id(part), name, index, _switch(frame, value, "LINEAR"), value)


_REST_TURN = {"rotation_quaternion": (1.0, 0.0, 0.0, 0.0), "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
              "rotation_euler": (0.0, 0.0, 0.0)}


def _switch(frame: float, value: float, interpolation: str = "CONSTANT") -> Keys:
    """One generated key."""
    at = np.array([frame])
    return Keys(at, np.array([value]), key_kinds(at, ()), interpolation=interpolation)


def _noted(data: bpy.types.AnimData | None, key: str) -> dict[str, float]:
    """What an earlier bake noted on the present action."""
    return json.loads(data.action.get(key, "{}")) if data is not None and data.action is not None else {}
