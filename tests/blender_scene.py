# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes for the Blender tests: an empty file, imported rigs, and measuring bones through the evaluated pose."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest

os.environ.setdefault("BLENDER_USER_RESOURCES", tempfile.mkdtemp(prefix="lope_blender_"))
bpy = pytest.importorskip("bpy", reason="Blender's Python module is not installed")

MOTION = Path(__file__).resolve().parents[1].parent / "shared" / "motion"
FACING_MINUS_Y = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""Body axes in the world of a character that faces -Y."""

rigify_generated = False
"""Whether Rigify has generated a rig in this process; Blender's module then hangs at the interpreter's end."""


@cache
def _factory_settings() -> None:
    """Once in a process is enough: tests change none, and Blender loads all its add-ons anew with them."""
    bpy.ops.wm.read_factory_settings(use_empty=True)


def empty_file() -> None:
    """An empty file with factory settings."""
    _factory_settings()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def fresh_scene(fps: int = 25, fps_base: float = 1.0):
    """An empty file; returns its scene."""
    empty_file()
    return set_rate(fps, fps_base)


def set_rate(fps: int, fps_base: float = 1.0):
    """Set the frame rate; returns the scene."""
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = fps, fps_base
    return scene


@cache
def _generated(source: str) -> Path:
    """A file with what Rigify generates of a metarig, once in a process: it takes seconds."""
    global rigify_generated
    metarig = load(source.removesuffix(" rig"))
    bpy.context.view_layer.objects.active = metarig
    rigify_generated = True
    bpy.ops.pose.rigify_generate()
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.data.objects.remove(metarig)
    path = Path(tempfile.mkdtemp(prefix="lope_rig_")) / "rig.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    return path


def load(source: str, fps: int = 25):
    """A fresh scene with one armature: a file below the reference data; "rigify" or "rigify human", the metarigs; or
    "rigify rig" or "rigify human rig", what Rigify generates of them. Skips where the file is absent."""
    if source.endswith(" rig"):
        bpy.ops.wm.read_homefile(filepath=str(_generated(source)))  # so the open file has no name
        set_rate(fps)
        return next(item for item in bpy.data.objects if item.type == "ARMATURE")
    fresh_scene()
    if source.startswith("rigify"):
        bpy.ops.preferences.addon_enable(module="rigify")
        metarigs = bpy.ops.object
        (metarigs.armature_human_metarig_add if "human" in source else metarigs.armature_basic_human_metarig_add)()
    else:
        path = MOTION / source
        if not path.is_file():
            pytest.skip(f"the reference data {source} is not here")
        if path.suffix == ".glb":
            bpy.ops.import_scene.gltf(filepath=str(path))
        elif path.suffix == ".fbx":
            bpy.ops.import_scene.fbx(filepath=str(path))
        else:
            bpy.ops.preferences.addon_enable(module="io_anim_bvh")
            bpy.ops.import_anim.bvh(filepath=str(path), update_scene_fps=True, use_fps_scale=False, rotate_mode="NATIVE")
    set_rate(fps)
    return next(item for item in bpy.data.objects if item.type == "ARMATURE")


def build_armature(bones: dict[str, tuple], name: str = "Rig"):
    """An armature object in the present scene from name -> (head, tail, parent or None)."""
    data = bpy.data.armatures.new(name)
    item = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(item)
    bpy.context.view_layer.objects.active = item
    bpy.ops.object.mode_set(mode="EDIT")
    for bone, (head, tail, parent) in bones.items():
        made = data.edit_bones.new(bone)
        made.head, made.tail = head, tail
        made.parent = data.edit_bones[parent] if parent else None
    bpy.ops.object.mode_set(mode="OBJECT")
    return item


def rest_in_world(armature) -> dict[str, np.ndarray]:
    """World matrices (4, 4) of every bone at rest."""
    bpy.context.view_layer.update()
    world = np.array(armature.matrix_world)
    return {bone.name: world @ np.array(bone.matrix_local) for bone in armature.data.bones}


def pose_in_world(armature, frame: int) -> dict[str, np.ndarray]:
    """World matrices (4, 4) of every bone in the evaluated pose at a frame."""
    bpy.context.scene.frame_set(frame)
    evaluated = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    world = np.array(evaluated.matrix_world)
    return {bone.name: world @ np.array(bone.matrix) for bone in evaluated.pose.bones}


def turn_between(rest: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """Rotation (3, 3) from one matrix (4, 4) to another of the same scale."""
    return pose[:3, :3] @ np.linalg.inv(rest[:3, :3])


def angle_deg(a: np.ndarray, b: np.ndarray) -> float:
    """Angle between two rotations (3, 3), from their chord (exact for small angles)."""
    return float(np.degrees(2.0 * np.arcsin(min(1.0, np.linalg.norm(a - b) / np.sqrt(8.0)))))


def curves(action, target) -> dict[tuple[str, int], object]:
    """F-curves of an object's slot in an action, by path and index."""
    bag = action.layers[0].strips[0].channelbag(target.animation_data.action_slot)
    return {(curve.data_path, curve.array_index): curve for curve in bag.fcurves}
