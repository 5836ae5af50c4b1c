# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether baked motions look right on rigs: soles on the ground, wrists, trunk and head against the preset's, no joint jumps.

    scripts/check bakes FILE... [--gaits walk run] [--worlds earth moon] [--seconds 6] [--takes FOLDER] [--blends FOLDER]

Simulates each gait with each rig's own body (takes are kept in --takes and used again), bakes it at 24 frames a second and reads
the rig back as it moves. A line for each: farthest that the lowest skin of a loaded foot is off the ground, and deepest under it
[mm]; bend and twist of the wrists and twist of the forearms; amplitude of trunk and head, and the preset's; largest step of a
joint between two frames, and its largest jump, by which a step departs from the one before, and the gait's own [degrees]. Exit
code 1 where a limit is passed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from pathlib import Path

import bpy
import numpy as np

from lope.addon.bodies.human.landmarks import SIDES, neutral_alignments
from lope.addon.errors import LopeError
from lope.addon.files import temporary_folder
from lope.addon.motions.library import load_gait
from lope.addon.rigs.bake.bake import bake_take, free_bones
from lope.addon.rigs.bake.hands import forearm_twists
from lope.addon.rigs.read.armature import match_of, metres_per_unit, read_figure
from lope.addon.rigs.read.figure import Figure
from lope.addon.rigs.shots.open_rig import open_rig
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.baked import Baked, faults, measures, preset_jump

FPS = 24
UNDER_WAY_S = 2.0
"""Trunk and head are compared from then on, with the square root of Earth's over the world's gravity: before, the gait starts."""


def main() -> int:
    """Check and print; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rigs", nargs="+", type=Path, metavar="FILE", help="rigs: .blend, .glb or .fbx")
    parser.add_argument("--gaits", nargs="+", default=["walk", "run", "lope", "skip", "hop"])
    parser.add_argument("--worlds", nargs="+", default=["earth", "moon"])
    parser.add_argument("--seconds", type=float, default=6.0, help="on Earth; longer in lower gravity")
    parser.add_argument("--height", type=float, help="bodies of that height [m], whatever the rig's")
    parser.add_argument("--takes", type=Path, default=temporary_folder("check_bakes"))
    parser.add_argument("--blends", type=Path, help="keep each baked file there")
    options = parser.parse_args()
    options.takes.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for rig in options.rigs:
        for gait in options.gaits:
            for world in options.worlds:
                try:
                    found = one(rig, gait, world, options)
                except LopeError as error:
                    found = {"error": str(error)}
                bad = ["error"] if "error" in found else faults(found)
                wrong += bool(bad)
                print(line(rig.stem, gait, world, found, bad), flush=True)
    print(f"{wrong} with a fault")
    sys.stdout.flush()
    os._exit(1 if wrong else 0)  # Blender's module does not end its interpreter once Rigify has run in it


def one(rig: Path, gait: str, world: str, options: argparse.Namespace) -> dict:
    """The measures of one rig, gait and world."""
    armature = open_rig(str(rig), None)
    if armature.animation_data is not None:
        armature.animation_data.action = None  # its drivers are the rig's own
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = FPS, 1.0
    figure = read_figure(armature)
    slow = float(np.sqrt(9.81 / load_world(world).gravity_m_s2))
    shot = Shot(body=figure.body_spec(75.0, options.height), world=load_world(world), gait=gait,
                duration_s=round(options.seconds * min(slow, 2.0), 2))
    take = kept(shot, options.takes)
    action = bake_take(armature, take)
    frames = np.arange(action.frame_range[0], action.frame_range[1] + 1.0)
    if options.blends is not None:
        options.blends.mkdir(parents=True, exist_ok=True)
        bpy.ops.wm.save_as_mainfile(filepath=str((options.blends / f"{rig.stem}_{gait}_{world}.blend").resolve()), copy=True)
    late = int(UNDER_WAY_S * min(slow, 2.0) * FPS)
    baked = read_baked(armature, figure, take, frames)
    found = measures(baked, load_gait(gait), late)
    found["preset_jump_deg"] = preset_jump(load_gait(gait), take.stats["planned_stride_frequency_hz"], FPS)
    found["fell_s"] = float(take.stats["time_fell_s"]) if take.fell else 0.0
    return found


def kept(shot: Shot, folder: Path) -> Take:
    """The shot's take, simulated once."""
    key = hashlib.sha256(json.dumps(shot.to_dict(), sort_keys=True, default=str).encode()).hexdigest()[:16]
    path = folder / f"{key}.npz"
    if not path.is_file():
        simulate(shot).save(path)
    return Take.load(path)


def line(rig: str, gait: str, world: str, found: dict, bad: list[str]) -> str:
    """One line of the table."""
    head = f"{rig[:24]:24} {gait:5} {world:6}"
    if "error" in found:
        return f"{head} {found['error']}"
    swing = " ".join(f"{part} {found[f'{part}_swing_deg']:4.1f}/{found[f'{part}_preset_deg']:4.1f}" for part in ("trunk", "head")
                     if f"{part}_swing_deg" in found)
    step = f"step {found['step_deg']:4.1f} {found['step_joint']:9}"
    jump = f"jump {found['jump_deg']:4.1f}/{found['preset_jump_deg']:4.1f} {found['jump_joint']:9}"
    wrist = f"wrist {found['wrist_bend_deg']:3.0f} twist {found['wrist_twist_deg']:3.0f} fore {found['forearm_twist_deg']:3.0f}"
    return (f"{head} sole {1e3 * found['sole_loaded_m']:5.1f} deep {1e3 * found['sole_deepest_m']:5.1f} {wrist} {swing} {step} "
            f"{jump}{' FELL' if found['fell_s'] else ''} {'; '.join(bad)}")


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


if __name__ == "__main__":
    sys.exit(main())
