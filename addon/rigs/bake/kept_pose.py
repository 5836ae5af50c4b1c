# SPDX-License-Identifier: GPL-3.0-or-later
"""How an armature stands, as plain values that a file can hold: what is shown on it for a while is taken back from them, to the
last value, also after undo, or in a file that was saved meanwhile."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

from ..read.figure import Figure
from .tracks import REST

Kept = dict[str, Any]


def kept_pose(armature: bpy.types.Object, figure: Figure) -> Kept:
    """Every bone's channels that are not at rest, its constraints' influence, the rig's switches, how the armature is shown."""
    switches = {} if figure.controls is None else {
        f"{prop.bone}\n{prop.name}": armature.pose.bones[prop.bone][prop.name] for prop in figure.controls.properties
        if prop.bone in armature.pose.bones and prop.name in armature.pose.bones[prop.bone]}
    bones = {}
    for bone in armature.pose.bones:
        values = {prop: list(getattr(bone, prop)) for prop, rest in REST.items() if tuple(getattr(bone, prop)) != rest}
        if values:
            bones[bone.name] = values
    influences = {f"{bone.name}\n{constraint.name}": constraint.influence
                  for bone in armature.pose.bones for constraint in bone.constraints}
    return {"bones": bones, "influences": influences, "switches": switches, "position": armature.data.pose_position}


def put_back(armature: bpy.types.Object, kept: Kept) -> None:
    """Let an armature stand so again; bones and constraints that are no longer there are left out."""
    bones = armature.pose.bones
    for bone in bones:
        values = kept["bones"].get(bone.name, {})
        for prop, rest in REST.items():
            _put(bone, prop, values.get(prop, rest))
    for path, influence in kept["influences"].items():
        name, constraint = path.split("\n")
        if name in bones and constraint in bones[name].constraints:
            _put(bones[name].constraints[constraint], "influence", influence)
    for path, value in kept["switches"].items():
        name, switch = path.split("\n")
        if name in bones and switch in bones[name]:
            bones[name][switch] = value
    armature.data.pose_position = kept["position"]
    armature.update_tag(refresh={"DATA"})


def _put(owner: Any, prop: str, value: Any) -> None:
    """Set what differs, so that a library override gains nothing of what it does not change."""
    now = getattr(owner, prop)
    if (tuple(now) if isinstance(value, Iterable) else now) != (tuple(value) if isinstance(value, Iterable) else value):
        setattr(owner, prop, value)
