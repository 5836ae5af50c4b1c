# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether baked motions look right on rigs: soles on the ground, wrists, trunk and head against the preset's, no joint jumps, and
no skin is torn.

    scripts/check bakes FILE... [--gaits walk run] [--worlds earth moon] [--seconds 6] [--kept FOLDER] [--blends FOLDER]

Simulates each gait with each rig's own body (takes are kept in --kept and used again), bakes it at 24 frames a second and reads
the rig back as it moves. Of each: farthest that the lowest skin of a loaded foot is off the ground, and deepest under it; bend
and twist of the wrists and twist of the forearms; amplitude of trunk and head, and the preset's; largest step of a joint between
two frames, and its largest jump, by which a step departs from the one before, and the gait's own; how much further
than at rest a vertex gets from its bone. """

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from lope.addon.bodies.human.landmarks import SIDES, neutral_alignments
from lope.addon.files import temporary_folder
from lope.addon.motions.library import load_gait
from lope.addon.rigs.bake.bake import bake_take, free_bones
from lope.addon.rigs.bake.hands import forearm_twists
from lope.addon.rigs.read.armature import match_of, metres_per_unit, read_figure
from lope.addon.rigs.read.figure import Figure
from lope.addon.rigs.shots.open_rig import open_rig
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.baked import Baked, faults, measures, preset_jump
from lope.scripts.suites.runner import Case, Figures, Suite, Table, is_, slowness

FPS = 24
UNDER_WAY_S = 2.0
"""Trunk and head are compared from then on, with the square root of Earth's over the world's gravity: before, the gait starts."""


def measure(case: Case, args: argparse.Namespace) -> Figures:
    """The measures of one rig, gait and world."""
    rig, gait = case.what
    armature = open_rig(str(rig), None)
    if armature.animation_data is not None:
        armature.animation_data.action = None  # its drivers are the rig's own
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = FPS, 1.0
    figure, slow = read_figure(armature), min(slowness(case.world), 2.0)
    shot = Shot(
        motion=Gait(gait),
        body=figure.body_spec(75.0, args.height),
        world=load_world(case.world),
        duration_s=round(args.seconds * slow, 2),
    )
    take = kept(shot, args.kept)
    action = bake_take(armature, take)
    frames = np.arange(action.frame_range[0], action.frame_range[1] + 1.0)
    if args.blends is not None:
        args.blends.mkdir(parents=True, exist_ok=True)
        bpy.ops.wm.save_as_mainfile(filepath=str((args.blends / f"{rig.stem}_{gait}_{case.world}.blend").resolve()), copy=True)
    found = measures(read_baked(armature, figure, take, frames), load_gait(gait), int(UNDER_WAY_S * slow * FPS))
    found["preset_jump_deg"] = preset_jump(load_gait(gait), take.stats["planned_stride_frequency_hz"], FPS)
    return found | {"faults": ", ".join(faults(found)) or None, "took_fall_s": take.stats["time_fell_s"] if take.fell else None}


def kept(shot: Shot, folder: Path) -> Take:
    """The shot's take, simulated once."""
    key = hashlib.sha256(json.dumps(shot.to_dict(), sort_keys=True, default=str).encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{key}.npz"
    if not path.is_file():
        simulate(shot).save(path)
    return Take.load(path)


def read_baked(armature: bpy.types.Object, figure: Figure, take: Take, frames: np.ndarray) -> Baked:
    """The motion over `frames` (T,) of a bake of `take` whose first sample lies at the first of them."""
    scene = bpy.context.scene
    joint_of = figure.bone_of if figure.controls is None else match_of(armature).joint_of
    rest = {s: figure.bone[bone].rotation for s, bone in joint_of.items()}
    neutral = neutral_alignments(figure.points)
    to_armature = figure.axes
    bone_of = {segment: bone for segment, bone in joint_of.items() if segment in neutral}
    for name, twist in sorted(forearm_twists(figure, free_bones(armature))[1].items(), key=lambda item: item[1].share):
        bone_of[f"forearm_end_{twist.side}"] = name  # of several, the one next to the wrist
        rest[f"forearm_end_{twist.side}"] = figure.bone[name].rotation
        neutral[f"forearm_end_{twist.side}"] = neutral[f"forearm_{twist.side}"]
    turns: dict[str, list[np.ndarray]] = {segment: [] for segment in bone_of}
    soles: dict[str, list[float]] = {side: [] for side in SIDES}
    skins, hung, torn = _skins(armature, joint_of), [Hung.of(mesh, armature) for mesh in _meshes(armature)], []
    size = max((one.size for one in hung), default=1.0)
    ground = float((np.array(armature.matrix_world) @ [*figure.ground, 1.0])[2])
    metres = metres_per_unit(scene)
    for frame in frames:
        scene.frame_set(int(frame))
        graph = bpy.context.evaluated_depsgraph_get()
        moved = armature.evaluated_get(graph)
        for segment in turns:
            away = np.array(moved.pose.bones[bone_of[segment]].matrix)[:3, :3] @ rest[segment].T
            turns[segment].append(to_armature.T @ _pure(away) @ to_armature @ neutral[segment].T)
        torn.append(max((one.further(moved, graph) for one in hung), default=0.0) / size)
        heights = _soles(graph, skins)
        for side in SIDES:
            soles[side].append((heights[side] - ground) * metres)
    return Baked({s: np.stack(rows) for s, rows in turns.items()}, {s: np.array(rows) for s, rows in soles.items()},
                 _loads(take, frames, scene.render.fps / scene.render.fps_base), np.array(torn), figure.controls is not None)


def _pure(matrix: np.ndarray) -> np.ndarray:
    """The rotation of a matrix (3, 3) that may scale."""
    u, _, vt = np.linalg.svd(matrix)
    return u @ vt


@dataclass(frozen=True)
class Hung:
    """A mesh that hangs on an armature: for each vertex (V,) which of `bones` moves most of it, -1 for none, and how far from
    that one it is at rest; its `size` at rest along the longest axis. Lengths are the armature's."""

    mesh: bpy.types.Object
    bones: tuple[str, ...]
    bone: np.ndarray
    at_rest: np.ndarray
    size: float

    @classmethod
    def of(cls, mesh: bpy.types.Object, armature: bpy.types.Object) -> Hung:
        bones = tuple(bone.name for bone in armature.data.bones if bone.use_deform)
        number = {mesh.vertex_groups[name].index: i for i, name in enumerate(bones) if name in mesh.vertex_groups}
        heaviest = [max(((g.weight, number[g.group]) for g in v.groups if g.group in number), default=(0.0, -1))
                    for v in mesh.data.vertices]
        bone = np.array([which if weight > 0.0 else -1 for weight, which in heaviest], dtype=int)
        places = _places(mesh.data, armature.matrix_world.inverted() @ mesh.matrix_world)
        ends = np.array([[armature.data.bones[name].head_local, armature.data.bones[name].tail_local] for name in bones])
        return cls(mesh, bones, bone, _from_bone(places, bone, ends), float(np.ptp(places, axis=0).max()))

    def further(self, moved: bpy.types.Object, graph: bpy.types.Depsgraph) -> float:
        """The most that a vertex is further from its bone than at rest, in the armature's lengths."""
        mesh = self.mesh.evaluated_get(graph)
        places = _places(mesh.data, moved.matrix_world.inverted() @ mesh.matrix_world)
        ends = np.array([[moved.pose.bones[name].head, moved.pose.bones[name].tail] for name in self.bones])
        away = (_from_bone(places, self.bone, ends) - self.at_rest)[self.bone >= 0]
        return float(away.max(initial=0.0))


def _places(mesh: bpy.types.Mesh, to: Any) -> np.ndarray:
    """Places (V, 3) of a mesh's vertices by a matrix."""
    places = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", places)
    matrix = np.array(to)
    return places.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]


def _from_bone(places: np.ndarray, bone: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """How far places (V, 3) are from the line between the ends (B, 2, 3) of their bones (V,)."""
    head, along = ends[bone, 0], ends[bone, 1] - ends[bone, 0]
    share = np.einsum("vi,vi->v", places - head, along) / np.maximum(np.einsum("vi,vi->v", along, along), 1e-12)
    return np.linalg.norm(places - head - np.clip(share, 0.0, 1.0)[:, None] * along, axis=1)


def _meshes(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """The meshes that an armature moves and no other modifier that is shown."""
    return [mesh for mesh in bpy.data.objects if mesh.type == "MESH"
            and any(m.type == "ARMATURE" and m.object == armature for m in mesh.modifiers)
            and all(m.type == "ARMATURE" for m in mesh.modifiers if m.show_viewport)]


def _skins(armature: bpy.types.Object, joint_of: dict[str, str]) -> dict[str, list[tuple[str, np.ndarray]]]:
    """Side -> meshes (by name) and their vertices that hang mostly on the foot."""
    below = {side: {joint_of[f"foot_{side}"], *(b.name for b in armature.data.bones[joint_of[f"foot_{side}"]].children_recursive)}
             for side in SIDES}
    for side in SIDES:
        if f"toes_{side}" in joint_of:
            below[side].add(joint_of[f"toes_{side}"])
    found: dict[str, list[tuple[str, np.ndarray]]] = {side: [] for side in SIDES}
    for mesh in _meshes(armature):
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


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("rigs", nargs="+", type=Path, metavar="FILE", help="rigs: .blend, .glb or .fbx")
    parser.add_argument("--gaits", nargs="+", default=["walk", "run", "lope", "skip", "hop"])
    parser.add_argument("--seconds", type=float, default=6.0, help="on Earth; longer in lower gravity")
    parser.add_argument("--height", type=float, help="bodies of that height [m], whatever the rig's")
    parser.add_argument("--kept", type=Path, metavar="FOLDER", default=temporary_folder("check_bakes"))
    parser.add_argument("--blends", type=Path, metavar="FOLDER", help="keep each baked file there")


SUITE = Suite({"bakes": Table(lambda args: ((f"{rig.stem} {gait}", (rig, gait)) for rig in args.rigs for gait in args.gaits),
                              measure, {"faults": is_(None)})}, options, {"gaits": ["walk"], "worlds": ["earth"], "seconds": 3.0},
              worlds=("earth", "moon"), jobs=0)
