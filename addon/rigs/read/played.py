# SPDX-License-Identifier: GPL-3.0-or-later
"""An action played on a copy of its armature, in a scene of its own: where the object and its bones are at some frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import bpy
import numpy as np

MOVES = 1e-5
"""An object whose matrix changes by more than this over an action is moved by it."""


def played(armature: bpy.types.Object, action: bpy.types.Action, bones: Iterable[str],
           frames: Sequence[int]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """World matrices (T, 4, 4) of the object, and of each bone its pose's (T, 4, 4), armature space, while it plays the action
    alone, without its strips. The scene at hand stays as it is."""
    scene = bpy.data.scenes.new("Lope sampling")
    copy = armature.copy()
    try:
        scene.collection.objects.link(copy)
        data = copy.animation_data_create()
        for track in list(data.nla_tracks):
            data.nla_tracks.remove(track)
        data.action = action
        if data.action_slot is None and action.slots:
            data.action_slot = next((slot for slot in action.slots if slot.target_id_type == "OBJECT"), None)
        layer = scene.view_layers[0]
        poses: dict[str, list[np.ndarray]] = {bone: [] for bone in bones}
        stands: list[np.ndarray] = []
        for frame in frames:
            scene.frame_set(frame)
            evaluated = copy.evaluated_get(layer.depsgraph)
            stands.append(np.array(evaluated.matrix_world, dtype=float))
            for bone, found in poses.items():
                found.append(np.array(evaluated.pose.bones[bone].matrix, dtype=float))
    finally:
        bpy.data.objects.remove(copy)
        bpy.data.scenes.remove(scene)
    return np.array(stands), {bone: np.array(found) for bone, found in poses.items()}


def carried(stands: np.ndarray) -> np.ndarray:
    """From the armature's space in each frame to that in the first one (T, 4, 4), of its world matrices (T, 4, 4); nothing at all
    where the object stays."""
    if np.abs(stands - stands[0]).max() < MOVES:
        return np.broadcast_to(np.eye(4), stands.shape)
    return np.linalg.inv(stands[0]) @ stands
