# SPDX-License-Identifier: GPL-3.0-or-later
"""A character and its motion for a game engine: an FBX or glTF file through Blender's own exporters, with the travel on one root.

A copy is exported, made for it and taken away again: the bones that bend the skin, their motion sampled frame by frame as it is
seen (constraints, controls and NLA strips included), at the engine's unit, standing on the origin at first and facing -Y. Its
root carries the travel: the rig's own root bone where it has one, else the armature object, which engines take for a bone. The
root goes over the ground with the hips, without their sway, and turns as they do; where object or root bone carried the travel
already it goes as they did.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix
from scipy.ndimage import gaussian_filter1d

from ...errors import InputError, RigError, unknown_name
from ...files import written_whole
from ...maths.rotations import about_z, plane_angle
from ..bake.action import ActionWriter, Keys
from ..bake.own_motion import continuous_quaternions
from ..bake.placing import hips_of, shown_figure
from ..read.actions import animation_of, frame_rate
from ..read.armature import metres_per_unit
from ..read.figure import Figure
from ..read.poses import shown

SMOOTH_S = 0.7
"""Standard deviation of the Gaussian that takes sway out of the root's way."""
CARRIES = 0.5
"""Object or root bone carry the travel where they go over this share of the hips' way."""
TO_BLENDER = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""From the body's axes (x forward, y left, z up) to those of a character that faces -Y."""
NAMELESS = "Armature"
"""An armature object of this name is no bone in Unreal."""


@dataclass(frozen=True)
class Engine:
    """How an engine takes characters: the file's ending, units in a metre, what an armature object is called that carries the
    travel (None: as it is called), whether the skin hangs on the armature, and what writes the file."""

    title: str
    ending: str
    units_per_m: float
    root: str | None
    skin_hangs: bool
    write: Callable[[Path, str], Any]


def _fbx(path: Path, _clip: str, **how: Any) -> None:
    bpy.ops.export_scene.fbx(
        filepath=str(path), use_selection=True, object_types={"ARMATURE", "MESH"}, add_leaf_bones=False, bake_anim=True,
        bake_anim_use_all_bones=True, bake_anim_use_nla_strips=False, bake_anim_use_all_actions=False,
        bake_anim_force_startend_keying=True, bake_anim_step=1.0, bake_anim_simplify_factor=0.0, **how)


def _glb(path: Path, clip: str) -> None:
    bpy.ops.export_scene.gltf(
        filepath=str(path), export_format="GLB", use_selection=True, use_active_scene=True, export_yup=True,
        export_animations=True, export_animation_mode="ACTIVE_ACTIONS", export_nla_strips_merged_animation_name=clip,
        export_force_sampling=True, export_frame_step=1, export_optimize_animation_size=False, export_anim_slide_to_zero=True,
        export_extras=False)


ENGINES: Mapping[str, Engine] = {
    "unreal": Engine("Unreal", ".fbx", 100.0, "root", True,
                     partial(_fbx, apply_scale_options="FBX_SCALE_NONE", axis_forward="-Y", axis_up="Z")),
    "unity": Engine("Unity", ".fbx", 1.0, None, True,
                    partial(_fbx, apply_scale_options="FBX_SCALE_ALL", axis_forward="-Z", axis_up="Y")),
    "godot": Engine("Godot", ".glb", 1.0, None, False, _glb),
}
"""Unreal counts in centimetres; in glTF a skin goes with its bones alone, and validators warn of one that hangs on anything."""


@dataclass(frozen=True)
class Exported:
    """What was written: the file, the clip's name, its first and last frame in the scene, and what carries the travel."""

    path: Path
    clip: str
    frames: tuple[int, int]
    root: str


@dataclass(frozen=True)
class Motion:
    """A character's motion in the exported copy's space, in its unit: matrices of the root (T, 4, 4) and of each bone (T, 4, 4)
    by name; at rest the matrix `rest` (4, 4) takes armature space there."""

    root: np.ndarray
    bones: dict[str, np.ndarray]
    rest: np.ndarray


def export_character(scene: bpy.types.Scene, armature: bpy.types.Object, engine: str, path: Path,
                     frames: tuple[int, int] | None = None) -> Exported:
    """Write a character with the motion of `frames` (default: its action's, else the scene's) for an engine of `ENGINES`. Raises
    InputError for other engines or a failed write, RigError for an armature that is no figure."""
    if engine not in ENGINES:
        raise unknown_name("engine", engine, ENGINES)
    how = ENGINES[engine]
    if path.suffix.lower() != how.ending:
        raise InputError(f"A character for {how.title} is written as {how.ending}; got {path.name!r}.")
    action = animation_of(armature).action
    if frames is None:
        frames = (scene.frame_start, scene.frame_end) if action is None else _whole(action.frame_range)
    clip = armature.name if action is None else action.name
    figure = shown_figure(armature, scene)
    motion = sampled(scene, armature, figure, frames, how.units_per_m)
    root = figure.root if figure.root in motion.bones else None
    with _copy(scene, armature, motion, root, clip, how) as copy, written_whole(path, "file for the engine") as partial_path:
        try:
            how.write(partial_path, clip)
        except RuntimeError as error:
            raise InputError(f"Blender cannot write {path}: {str(error).strip().splitlines()[-1]}") from error
        return Exported(path, clip, frames, copy.name if root is None else root)


def _whole(ends: Any) -> tuple[int, int]:
    return round(ends[0]), round(ends[1])


def sampled(scene: bpy.types.Scene, armature: bpy.types.Object, figure: Figure, frames: tuple[int, int],
            units_per_m: float) -> Motion:
    """The motion that an armature shows over `frames` (first, last). The scene's frame is put back."""
    names, hips, kept = exported_bones(armature, figure), hips_of(armature, figure), scene.frame_current
    stands, seen = shown(scene, armature, [*names, hips], range(frames[0], frames[1] + 1))
    scene.frame_set(kept)
    poses = {name: seen[name] for name in names}
    size = float(np.cbrt(np.linalg.det(stands[0, :3, :3])))
    unit = metres_per_unit(scene) * units_per_m
    world = stands @ seen[hips]
    facing = (world[:, :3, :3] @ figure.bone[hips].rotation.T @ figure.axes[:, 0])[:, :2]
    ground = (stands[0] @ np.append(figure.ground, 1.0))[2]
    root = _way(stands, poses.get(figure.root or ""), world[:, :3, 3], np.unwrap(plane_angle(facing[:, 1], facing[:, 0])),
                ground, frame_rate(scene))
    begin = np.linalg.inv(root[0])
    rest = np.eye(4)
    rest[:3, :3] = unit * size * TO_BLENDER @ figure.axes.T
    rest[:3, 3] = -rest[:3, :3] @ figure.ground
    return Motion(_rigid(begin @ root, unit), {name: _rigid(begin @ stands @ pose, unit) for name, pose in poses.items()}, rest)


def exported_bones(armature: bpy.types.Object, figure: Figure) -> list[str]:
    """The bones that bend the skin, parents first, and the one that can carry the travel; all where none bends anything."""
    bones = armature.data.bones
    kept = [bone.name for bone in bones if bone.use_deform or bone.name == figure.root]
    return kept if any(bones[name].use_deform for name in kept) else [bone.name for bone in bones]


def _rigid(matrices: np.ndarray, unit: float) -> np.ndarray:
    """The same poses (T, 4, 4) in other units, without size or stretch: engines take none, and what hangs on a bone that
    is stretched begins where it did."""
    out = matrices.copy()
    u, _, v = np.linalg.svd(matrices[:, :3, :3])
    out[:, :3, :3] = u @ v
    out[:, :3, 3] *= unit
    return out


def _way(stands: np.ndarray, carrier: np.ndarray | None, hips: np.ndarray, heading: np.ndarray, ground: float,
         rate: float) -> np.ndarray:
    """Matrices (T, 4, 4) of the root over the ground: upright, facing -Y where the character faces ahead."""
    places = hips.copy()
    for carried in ((stands @ carrier if carrier is not None else stands)[:, :3], stands[:, :3]):
        if np.linalg.norm(np.ptp(carried[:, :2, 3], axis=0)) > CARRIES * max(np.linalg.norm(np.ptp(hips[:, :2], axis=0)), 1e-9):
            places = carried[:, :, 3].copy()
            turned = carried[:, :, :3] @ np.linalg.inv(carried[0, :, :3])
            heading = _even(heading, rate)[0] + np.unwrap(plane_angle(turned[:, 1, 0], turned[:, 0, 0]))
            break
    else:
        places, heading = _even(places, rate), _even(heading, rate)
        places[:, 2] = ground
    root = np.broadcast_to(np.eye(4), (len(places), 4, 4)).copy()
    root[:, :3, :3], root[:, :3, 3] = about_z(heading + 0.5 * np.pi), places
    return root


def _even(values: np.ndarray, rate: float) -> np.ndarray:
    """Values over time (T, ...) without their sway: a Gaussian over their departures from even travel."""
    share = np.linspace(0.0, 1.0, len(values)).reshape(-1, *[1] * (values.ndim - 1))
    line = values[0] + share * (values[-1] - values[0])
    return line + gaussian_filter1d(values - line, max(SMOOTH_S * rate, 0.1), axis=0, mode="nearest")


@contextlib.contextmanager
def _copy(scene: bpy.types.Scene, armature: bpy.types.Object, motion: Motion, root: str | None, clip: str,
          how: Engine) -> Iterator[bpy.types.Object]:
    """The copy that is exported, selected in a scene of its own that is the one at hand; all of it is taken away afterwards."""
    window = bpy.context.window
    if window is None:
        raise RigError("This Blender has no window, not even a hidden one, and its exporters need one.")
    before, own = window.scene, bpy.data.scenes.new(clip)
    name = NAMELESS if root is not None and how.root is not None else how.root or armature.name
    other = bpy.data.objects.get((name, None))  # who has the name lends it
    made: list[Any] = []
    try:
        own.render.fps, own.render.fps_base = scene.render.fps, scene.render.fps_base
        own.unit_settings.scale_length = 1.0 / how.units_per_m
        own.frame_start, own.frame_end = 0, len(motion.root) - 1
        if other is not None:
            other.name = f"{name} (lent)"
        copy = bpy.data.objects.new(name, armature.data.copy())
        made += [copy.data, copy]
        own.collection.objects.link(copy)
        window.scene = own
        _trim(copy, motion)
        _skin(own, armature, copy, motion, made)
        if not how.skin_hangs:
            for skin in copy.children:
                skin.parent = None
        made.append(_move(copy, motion, root, clip))
        for item in own.objects:
            item.select_set(True)
        own.view_layers[0].objects.active = copy
        own.frame_set(0)
        yield copy
    finally:
        window.scene = before
        bpy.data.scenes.remove(own)
        for item in reversed(made):
            _remove(item)
        if other is not None:
            other.name = name


def _remove(item: Any) -> None:
    kinds = {bpy.types.Object: "objects", bpy.types.Armature: "armatures", bpy.types.Mesh: "meshes", bpy.types.Action: "actions"}
    getattr(bpy.data, next(name for kind, name in kinds.items() if isinstance(item, kind))).remove(item)


def _trim(copy: bpy.types.Object, motion: Motion) -> None:
    """Leave the exported bones alone, each on the nearest one above it that stays; at rest where the copy rests."""
    bpy.context.view_layer.objects.active = copy
    bpy.ops.object.mode_set(mode="EDIT")
    bones = copy.data.edit_bones
    for bone in bones:
        bone.use_connect = False
        while bone.parent is not None and bone.parent.name not in motion.bones:
            bone.parent = bone.parent.parent
    for bone in [bone for bone in bones if bone.name not in motion.bones]:
        bones.remove(bone)
    for bone in bones:
        bone.inherit_scale, bone.use_inherit_rotation, bone.use_local_location = "FULL", True, True
    bpy.ops.object.mode_set(mode="OBJECT")
    copy.data.transform(Matrix(motion.rest))


def _skin(own: bpy.types.Scene, armature: bpy.types.Object, copy: bpy.types.Object, motion: Motion, made: list[Any]) -> None:
    """Copies of all meshes that go with the armature, on its copy: skins, and things that hang on a bone."""
    into = Matrix(motion.rest) @ armature.matrix_world.inverted()
    for mesh in [item for item in bpy.data.objects if item.type == "MESH" and item.users_scene
                 and (item.parent == armature or item.find_armature() == armature)]:
        skin = mesh.copy()
        skin.data = mesh.data.copy()
        skin.animation_data_clear()
        made += [skin.data, skin]
        own.collection.objects.link(skin)
        at_rest = mesh.matrix_world if mesh.parent_type != "BONE" else _where_at_rest(armature, mesh)
        skin.parent, skin.parent_type, skin.matrix_parent_inverse = copy, "OBJECT", Matrix()
        skin.data.transform(into @ at_rest, shape_keys=True)
        skin.matrix_basis = Matrix()
        bends = [modifier for modifier in skin.modifiers if modifier.type == "ARMATURE"]
        for modifier in bends:
            modifier.object = copy
        if not bends:
            skin.modifiers.new("Armature", "ARMATURE").object = copy
        if mesh.parent_type == "BONE" and mesh.parent_bone in motion.bones:
            skin.vertex_groups.clear()
            skin.vertex_groups.new(name=mesh.parent_bone).add(range(len(skin.data.vertices)), 1.0, "REPLACE")


def _where_at_rest(armature: bpy.types.Object, mesh: bpy.types.Object) -> Matrix:
    """Where a mesh that hangs on a bone is while the armature rests."""
    posed = armature.pose.bones[mesh.parent_bone]
    return armature.matrix_world @ posed.bone.matrix_local @ posed.matrix.inverted() @ armature.matrix_world.inverted() @ (
        mesh.matrix_world)


def _move(copy: bpy.types.Object, motion: Motion, root: str | None, clip: str) -> bpy.types.Action:
    """Key the copy's motion on every frame: the travel on its root bone, or on the object; returns the action."""
    carries = np.broadcast_to(np.eye(4), motion.root.shape) if root is not None else motion.root
    held = np.linalg.inv(carries)
    writer = ActionWriter(clip, copy)
    copy.rotation_mode = "QUATERNION"
    _key(writer, "", copy.name, carries)
    poses = {name: held @ pose for name, pose in motion.bones.items()}
    if root is not None:
        at_rest = np.array(copy.data.bones[root].matrix_local, dtype=float)
        poses[root] = motion.root @ at_rest
    for bone in copy.data.bones:
        copy.pose.bones[bone.name].rotation_mode = "QUATERNION"
        rest, pose = np.array(bone.matrix_local, dtype=float), poses[bone.name]
        if bone.parent is not None:
            rest = np.linalg.inv(np.array(bone.parent.matrix_local, dtype=float)) @ rest
            pose = np.linalg.inv(poses[bone.parent.name]) @ pose
        _key(writer, f"{copy.pose.bones[bone.name].path_from_id()}.", bone.name, np.linalg.inv(rest) @ pose)
    writer.assign()
    return writer.action


def _key(writer: ActionWriter, path: str, group: str, matrices: np.ndarray) -> None:
    """Keys on every frame from 0 on of the place, turn and size that matrices (T, 4, 4) are of."""
    parts = [Matrix(matrix).decompose() for matrix in matrices]
    frames = np.arange(float(len(parts)))
    plain = np.zeros(len(parts), dtype=np.int32)
    columns = {"location": np.array([part[0] for part in parts]),
               "rotation_quaternion": continuous_quaternions(np.array([part[1] for part in parts])),
               "scale": np.array([part[2] for part in parts])}
    for name, values in columns.items():
        for axis, column in enumerate(values.T):
            writer.write(f"{path}{name}", group, axis, Keys(frames, column, plain))
