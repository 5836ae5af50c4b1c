# SPDX-License-Identifier: GPL-3.0-or-later
"""A take's loose objects in a scene, each with an action of its own, and what is carried: the scene's own where they are there,
else boxes and spheres made for it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...maths.rotations import matrix_from_quat, quat_from_matrix
from ...sim.take import Take
from ...specs.bake_options import BakeOptions
from ...specs.disturbances import LooseObject
from ...specs.load import HAND
from ..read.actions import animation_of, curves_of, frame_rate
from .action import ActionWriter, Keys, key_kinds
from .artist_keys import keep
from .load import hang, let_go, swinging, unit_of
from .own_motion import channels
from .placing import GROUP, BakedMotion, baked_motion, basis_of, figure_for
from .provenance import START_KEY, shot_of, written_frames

MADE_KEY = "lope_loose"
"""Property of actions, meshes and materials that Lope made for loose objects."""
COLLECTION = "Loose Objects"
ALIKE = 0.02
"""An object of the scene is the one that was simulated if its sides differ by no more than this share."""
STILL_M = 1e-3
"""What moves and turns its edges by less than this gets one key."""
CARDBOARD = (0.42, 0.27, 0.14, 1.0)
KINEMATIC = "rigid_body.kinematic"
LEFT_OUT = ("The loose objects were left as they are: a loop, or a walk on the spot, does not come by where they were touched; "
            "bake the whole way for that.")


def bake_along(scene: bpy.types.Scene, armature: bpy.types.Object, action: bpy.types.Action, take: str | Path,
               options: BakeOptions, bones: dict[str, str] | None = None) -> tuple[list[bpy.types.Object], str | None]:
    """`bake_load` and `bake_objects` of the take that an action was just baked from; and a sentence where loose ones could not be
    keyed."""
    shot = shot_of(action)
    held = bake_load(scene, armature, Take.load(take) if shot.carry else None, bones, None if options.loop else action)
    if not shot.loose:
        return held, None
    if options.loop or options.root_motion == "in_place":
        return held, LEFT_OUT
    return [*held, *bake_objects(scene, armature, Take.load(take), bones)], None


def put_down(armature: bpy.types.Object) -> None:
    """Let go of what an armature carries: an object of the scene goes back where it was, a box that was made for it is gone."""
    for item in let_go(armature):
        if MADE_KEY in item.data:
            bpy.data.objects.remove(item)


def bake_load(scene: bpy.types.Scene, armature: bpy.types.Object, take: Take | None, bones: dict[str, str] | None = None,
              action: bpy.types.Action | None = None) -> list[bpy.types.Object]:
    """Hang what is carried in a take on the armature that it is baked on, and let go of what was carried before; gives it: the
    scene's own object of its name and size, else a box. What hangs from a hand swings over the frames of an `action`. Raises
    RigError where the armature has no bone for it."""
    put_down(armature)
    if take is None:
        return []
    load, figure = take.body.carries.load, figure_for(armature, take.body, bones, scene)
    deep, wide, high = load.edges_m
    one = LooseObject(load.name, size_m=(wide, deep, high), mass_kg=load.mass_kg)
    item = object_for(scene, one, unit_of(armature, take.body, figure))
    if load.place != HAND or action is None:
        hang(item, armature, take.body, figure, bones)
        return [item]
    first, last = (round(frame) for frame in written_frames(action))
    frames = np.arange(first, last + 1, dtype=float)
    times = (frames - float(action[START_KEY])) / frame_rate(scene) + float(take.time_s[0])
    poses = hang(item, armature, take.body, figure, bones, swinging(take, times))
    _write(item, one, frames, *poses, called="swings")
    return [item]


def bake_objects(scene: bpy.types.Scene, armature: bpy.types.Object, take: Take,
                 bones: dict[str, str] | None = None) -> list[bpy.types.Object]:
    """Key the loose objects of a take that is baked on the armature; gives them: the scene's own of the same name and size,
    others made in a collection of their own. An action of the artist's stays in the file, one of Lope's is written anew. Raises
    RigError where the armature holds no bake of the take, or one that does not go where the take goes."""
    if not take.shot.loose:
        return []
    baked = baked_motion(armature, take, scene, bones)
    first, last = (round(frame) for frame in written_frames(baked.action))
    frames = np.arange(first, last + 1, dtype=float)
    return key_objects(scene, baked, take, frames)


def key_objects(scene: bpy.types.Scene, baked: BakedMotion, take: Take, frames: np.ndarray,
                given: Mapping[int, bpy.types.Object] | None = None) -> list[bpy.types.Object]:
    """Key the loose objects of a take in these frames, those `given` by row in place of the ones called alike; gives them."""
    times = frames / frame_rate(scene) - baked.scene_s + baked.first_s
    unit = float(np.cbrt(np.linalg.det(baked.matrix[:3, :3])))
    items = []
    for i, one in enumerate(take.shot.loose):
        item = (given or {}).get(i) or object_for(scene, one, unit)
        places, turns = _world(baked, take.time_s, take.object_pose[:, i], times)
        _write(item, one, frames, *_of_object(item, places, turns))
        items.append(item)
    return items


def box_of(item: bpy.types.Object) -> tuple[np.ndarray, np.ndarray]:
    """Middle (3,) of an object's bounding box in its own axes, scaled, and its edges (3,), in Blender units."""
    scale = np.array(item.matrix_world.to_scale(), dtype=float)
    corners = np.array(item.bound_box, dtype=float) * scale
    return 0.5 * (corners.min(axis=0) + corners.max(axis=0)), np.ptp(corners, axis=0)


def object_for(scene: bpy.types.Scene, one: LooseObject, unit: float) -> bpy.types.Object:
    """The scene's own object of a loose object's name and size, in Blender units of `unit` a metre; else one that is made."""
    return _own(scene, one, unit) or _made(scene, one, unit)


def _own(scene: bpy.types.Scene, one: LooseObject, unit: float) -> bpy.types.Object | None:
    item = scene.objects.get(one.name)
    if item is None or item.type != "MESH":
        return None
    edges = np.array(one.size_m) * unit
    found = box_of(item)[1]
    if one.shape == "sphere":
        found = np.full(3, found.max())
    return item if np.all(np.abs(found - edges) <= ALIKE * edges) else None


def _made(scene: bpy.types.Scene, one: LooseObject, unit: float) -> bpy.types.Object:
    import bmesh

    mesh = bpy.data.meshes.new(one.name)
    made = bmesh.new()
    if one.shape == "sphere":
        bmesh.ops.create_uvsphere(made, u_segments=24, v_segments=12, radius=0.5)
    else:
        bmesh.ops.create_cube(made, size=1.0)
    for vertex in made.verts:
        vertex.co *= Vector(one.size_m) * unit
    made.to_mesh(mesh)
    made.free()
    mesh.polygons.foreach_set("use_smooth", [one.shape == "sphere"] * len(mesh.polygons))
    mesh.materials.append(_material())
    mesh[MADE_KEY] = True
    item = bpy.data.objects.new(one.name, mesh)
    _collection(scene).objects.link(item)
    return item


def _collection(scene: bpy.types.Scene) -> bpy.types.Collection:
    found = next((one for one in scene.collection.children_recursive if MADE_KEY in one), None)
    if found is None:
        found = bpy.data.collections.new(COLLECTION)
        found[MADE_KEY] = True
        scene.collection.children.link(found)
    return found


def _material() -> bpy.types.Material:
    found = next((one for one in bpy.data.materials if MADE_KEY in one and one.library is None), None)
    if found is None:
        found = bpy.data.materials.new("Cardboard")
        found.use_nodes = True
        shader = next(node for node in found.node_tree.nodes if node.type == "BSDF_PRINCIPLED")
        shader.inputs["Base Color"].default_value = CARDBOARD
        shader.inputs["Roughness"].default_value = 0.9
        found.diffuse_color = CARDBOARD
        found[MADE_KEY] = True
    return found


def _world(baked: BakedMotion, samples: np.ndarray, poses: np.ndarray, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """World places (T, 3) in Blender units and rotations (T, 3, 3) at times [s] of poses (N, 7) at samples (N,) [s]."""
    places = np.column_stack([np.interp(times, samples, poses[:, k]) for k in range(3)])
    quats = poses[:, 3:] * np.cumprod(np.concatenate(
        [[1.0], np.where(np.sum(poses[1:, 3:] * poses[:-1, 3:], axis=1) < 0.0, -1.0, 1.0)]))[:, None]
    between = np.column_stack([np.interp(times, samples, quats[:, k]) for k in range(4)])  # samples are 10 ms apart
    axes = baked.matrix[:3, :3] / np.cbrt(np.linalg.det(baked.matrix[:3, :3]))
    turns = matrix_from_quat(between / np.linalg.norm(between, axis=1, keepdims=True))
    return baked.to_world(places), axes @ turns


def _of_object(item: bpy.types.Object, places: np.ndarray, turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The object's own location (T, 3) and rotation, w-x-y-z (T, 4), where the middle of its bounding box is at world places and
    its axes are turned so. What it hangs on counts as it stands now."""
    middle, _ = box_of(item)
    origins = places - turns @ middle
    above = Matrix.Identity(4) if item.parent is None else item.parent.matrix_world @ item.matrix_parent_inverse
    down = np.array(above.inverted(), dtype=float)
    upright = np.array(above.to_quaternion().inverted().to_matrix(), dtype=float)
    return origins @ down[:3, :3].T + down[:3, 3], quat_from_matrix(upright @ turns)


def _write(item: bpy.types.Object, one: LooseObject, frames: np.ndarray, places: np.ndarray, quats: np.ndarray,
           called: str = "falls") -> None:
    old = animation_of(item).action
    mine = old is not None and MADE_KEY in old
    writer = ActionWriter(f"{item.name} {called}", item, "update" if mine else "new")
    writer.clear(lambda curve: True)
    prop, values = channels(quats, item.rotation_mode)
    away = np.abs(places - places[0]).max() + np.abs(quats - quats[0]).max() * max(one.size_m)
    rows = slice(None) if away > STILL_M else slice(0, 1)
    kinds = key_kinds(frames, ())
    for path, series in (("location", places), (prop, values)):
        for index in range(series.shape[1]):
            writer.write(path, GROUP, index, Keys(frames[rows], series[rows, index], kinds[rows]))
    if item.rigid_body is not None:
        writer.write(KINEMATIC, GROUP, 0, Keys(frames[:1], np.ones(1), kinds[:1], interpolation="CONSTANT"))
    writer.action[MADE_KEY] = True
    writer.action.use_frame_range = True
    writer.action.frame_start, writer.action.frame_end = float(frames[0]), float(frames[-1])
    writer.assign()
    if old is not None and not mine and old.library is None:
        keep(old, asked=False)


def start_of(item: bpy.types.Object) -> Matrix:
    """World matrix of an object before any of Lope's keys move it: at the first of them, else as it stands."""
    data = animation_of(item)
    if data.action is None or MADE_KEY not in data.action:
        return item.matrix_world.copy()
    values = {(curve.data_path, curve.array_index): curve.keyframe_points[0].co[1]
              for curve in curves_of(data.action, data.action_slot)}
    above = Matrix.Identity(4) if item.parent is None else item.parent.matrix_world @ item.matrix_parent_inverse
    return above @ basis_of(item, values)
