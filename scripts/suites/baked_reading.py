# SPDX-License-Identifier: GPL-3.0-or-later
"""A baked motion read back from Blender: bones and skin of the rig as they move, frame by frame."""

from __future__ import annotations

import bpy
import numpy as np

from lope.addon.bodies.human.landmarks import SIDES, neutral_alignments
from lope.addon.rigs.bake.pronation import forearm_twists
from lope.addon.rigs.bake.ready import free_bones
from lope.addon.rigs.read.armature import match_of, metres_per_unit
from lope.addon.rigs.read.figure import Figure
from lope.addon.take import Take

from .measures import Baked


def read_baked(armature: bpy.types.Object, figure: Figure, take: Take, frames: np.ndarray) -> Baked:
    """The motion over `frames` (T,) of a bake of `take` whose first sample lies at the first of them."""
    scene = bpy.context.scene
    joint_of = figure.bone_of if figure.controls is None else match_of(armature).joint_of
    rest = {s: np.array(armature.data.bones[bone].matrix_local)[:3, :3] for s, bone in joint_of.items()}
    neutral = neutral_alignments(figure.points)
    to_armature = figure.axes
    bone_of = {segment: bone for segment, bone in joint_of.items() if segment in neutral}
    for name, twist in sorted(forearm_twists(figure, free_bones(armature))[1].items(), key=lambda item: item[1].share):
        bone_of[f"forearm_end_{twist.side}"] = name  # of several, the one next to the wrist
        rest[f"forearm_end_{twist.side}"] = np.array(armature.data.bones[name].matrix_local)[:3, :3]
        neutral[f"forearm_end_{twist.side}"] = neutral[f"forearm_{twist.side}"]
    turns: dict[str, list[np.ndarray]] = {segment: [] for segment in bone_of}
    soles: dict[str, list[float]] = {side: [] for side in SIDES}
    skins = _skins(armature, joint_of)
    ground = float((np.array(armature.matrix_world) @ [*figure.ground, 1.0])[2])
    metres = metres_per_unit(scene)
    for frame in frames:
        scene.frame_set(int(frame))
        graph = bpy.context.evaluated_depsgraph_get()
        moved = armature.evaluated_get(graph)
        for segment in turns:
            away = np.array(moved.pose.bones[bone_of[segment]].matrix)[:3, :3] @ rest[segment].T
            turns[segment].append(to_armature.T @ _pure(away) @ to_armature @ neutral[segment].T)
        heights = _soles(graph, skins)
        for side in SIDES:
            soles[side].append((heights[side] - ground) * metres)
    return Baked({s: np.stack(rows) for s, rows in turns.items()}, {s: np.array(rows) for s, rows in soles.items()},
                 _loads(take, frames, scene.render.fps / scene.render.fps_base), figure.controls is not None)


def _pure(matrix: np.ndarray) -> np.ndarray:
    """The rotation of a matrix (3, 3) that may scale."""
    u, _, vt = np.linalg.svd(matrix)
    return u @ vt


def _skins(armature: bpy.types.Object, joint_of: dict[str, str]) -> dict[str, list[tuple[str, np.ndarray]]]:
    """Side -> meshes (by name) and their vertices that hang mostly on the foot."""
    below = {side: {joint_of[f"foot_{side}"], *(b.name for b in armature.data.bones[joint_of[f"foot_{side}"]].children_recursive)}
             for side in SIDES}
    for side in SIDES:
        if f"toes_{side}" in joint_of:
            below[side].add(joint_of[f"toes_{side}"])
    found: dict[str, list[tuple[str, np.ndarray]]] = {side: [] for side in SIDES}
    for mesh in bpy.data.objects:
        if mesh.type != "MESH" or not any(m.type == "ARMATURE" and m.object == armature for m in mesh.modifiers):
            continue
        if any(m.type not in ("ARMATURE",) for m in mesh.modifiers if m.show_viewport):
            continue
        for side in SIDES:
            groups = {g.index for g in mesh.vertex_groups if g.name in below[side]}
            rows = [v.index for v in mesh.data.vertices if sum(g.weight for g in v.groups if g.group in groups) > 0.5]
            if rows:
                found[side].append((mesh.name, np.array(rows)))
    return found


def _soles(graph: bpy.types.Depsgraph, skins: dict[str, list[tuple[str, np.ndarray]]]) -> dict[str, float]:
    """Side -> height of the lowest skin in scene units; not a number where a foot has none, for then nobody sees its sole."""
    heights = {}
    for side in SIDES:
        lows = []
        for name, rows in skins[side]:
            mesh = bpy.data.objects[name].evaluated_get(graph)
            places = np.empty(3 * len(mesh.data.vertices), dtype=np.float32)
            mesh.data.vertices.foreach_get("co", places)
            world = np.array(mesh.matrix_world)
            lows.append(float((places.reshape(-1, 3)[rows] @ world[2, :3] + world[2, 3]).min()))
        heights[side] = min(lows, default=np.nan)
    return heights


def _loads(take: Take, frames: np.ndarray, rate: float) -> dict[str, np.ndarray]:
    """Side -> share (T,) of the weight on it at the frames: the least of the samples next to each, so that it does stand."""
    after = np.clip(np.searchsorted(take.time_s, take.time_s[0] + (frames - frames[0]) / rate), 1, len(take.time_s) - 1)
    weight = take.body.mass_kg * take.shot.world.gravity_m_s2
    found = {}
    for side in SIDES:
        mine = [i for i, p in enumerate(take.body.contact_points) if p.side == side]
        force = take.contact_point_force_n[:, mine].sum(axis=1) / weight
        found[side] = np.minimum(force[after - 1], force[after])
    return found
