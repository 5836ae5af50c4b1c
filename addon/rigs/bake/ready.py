# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an armature can take a bake now: what stands in the way is said in one sentence, before anything changes."""

from __future__ import annotations

from collections.abc import Mapping

import bpy

from ...errors import RigError
from ..read.armature import check_armature
from ..read.doctor import ERROR, examine
from .pose import BoneChannels
from .tracks import REST


def check_ready(armature: bpy.types.Object, scene: bpy.types.Scene) -> None:
    """Raises RigError for the first finding of the doctor that stops a bake."""
    check_armature(armature)
    for finding in examine(armature, scene):
        if finding.severity == ERROR:
            raise RigError(finding.sentence)


def check_drivers(armature: bpy.types.Object, solved: Mapping[str, BoneChannels]) -> None:
    """Raises RigError where a driver rules a channel that has to be baked."""
    data = armature.animation_data
    paths = {driver.data_path for driver in data.drivers if not driver.mute} if data is not None else set()
    for bone_name in solved if paths else ():
        path = armature.pose.bones[bone_name].path_from_id()
        for prop in REST:
            if f"{path}.{prop}" in paths:
                raise RigError(f"Bone {bone_name!r} of {armature.name!r} is moved by a driver ({path}.{prop}), which "
                               "keys cannot overrule; remove or mute the driver before baking.")


def free_bones(armature: bpy.types.Object) -> set[str]:
    """The bones that no constraint and no driver moves."""
    data = armature.animation_data
    driven = [driver.data_path for driver in data.drivers if not driver.mute] if data is not None else []
    return {bone.name for bone in armature.pose.bones
            if not any(not c.mute for c in bone.constraints)
            and not any(path.startswith(bone.path_from_id() + ".") for path in driven)}
