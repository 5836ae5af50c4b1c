# SPDX-License-Identifier: GPL-3.0-or-later
"""The arrows of pushes and hits: whither they point, and how long they are, when it is their turn."""

from __future__ import annotations

import bpy
import numpy as np


def arrow_at(item: bpy.types.Object, frame: float, scene: bpy.types.Scene) -> tuple[np.ndarray, float]:
    """An object's Z axis in the world (3,), and its length in units of the scene, at a frame.

    At the frame that is shown it counts as it lies there, keyed or not. The scene stays at its frame: at any other one the
    object is evaluated in a scene of its own, with its parents and constraints.
    """
    moves = item.animation_data is not None or item.parent is not None or len(item.constraints) > 0
    if frame == scene.frame_current_final or not moves:
        return _read(item)
    aside = bpy.data.scenes.new("Lope arrow")
    try:
        aside.collection.objects.link(item)
        whole = int(np.floor(frame))
        aside.frame_set(whole, subframe=frame - whole)
        return _read(item.evaluated_get(aside.view_layers[0].depsgraph))
    finally:
        bpy.data.scenes.remove(aside)


def _read(item: bpy.types.Object) -> tuple[np.ndarray, float]:
    axis = np.array(item.matrix_world.to_3x3().col[2], dtype=float)
    if item.type != "EMPTY":
        return axis, float(item.dimensions[2])
    return axis, float(item.empty_display_size) * float(np.linalg.norm(axis))
