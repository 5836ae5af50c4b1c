# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether gaits change within one motion, on the astronaut and on rigs: by shots that go on from one another, and by keys.

    scripts/check passages [chained keyed] [OUT [RIG.glb ...]] [--law people] [--only TEXT] [--key-seeds N]

On Earth a walk becomes a run and a walk again; on the Moon a walk becomes a lope and stops. `chained`: shots that go on one after
the other are baked on the rig, OUT/NAME.blend, and measured: at every joint of two shots how far any segment is off, and turned
off, a sample and a picture (1/24 s) later, of where the shot before would have had it had it gone on uncut; and of the bake how
far any bone is off where the pictures before and after would have it (their cubic), beside the largest of the motion around,
which is as uneven. No joint of the bake may be off by more than 1 cm or 2 degrees and more than the motion beside it, unless the
motion goes there anyway: a picture later it is as near to the shot before. `keyed`: the same in one shot by keys, and with
--key-seeds that many times more, each started a little different (noise 0.03). None may fall. """

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from lope.addon.maths.rotations import quat_conjugate, quat_multiply
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read.armature import read_figure
from lope.addon.rigs.shots.open_rig import open_rig
from lope.addon.sim.sequence import after_take
from lope.addon.sim.simulation import Simulation
from lope.addon.sim.take import Take
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.motions import Gait
from lope.addon.specs.shot import Shot
from lope.addon.specs.steering import Key
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.runner import STANDS, Case, Figures, Suite, Table, is_, simulated

RATE, BESIDE = 24, 20
PLACE_M, TURN_DEG = 0.01, 2.0
NOISE = 0.03
WAYS = {
    "walk-run-walk": ("earth", [("walk", 2.9, "moving"), ("run", 5.3, "moving"), ("walk", 6.0, "moving")],
                      (Key(2.9, "run"), Key(8.2, "walk")), 14.2, "moving"),
    "walk-lope-stop": ("moon", [("walk", 4.1, "moving"), ("lope", 8.3, "moving"), ("lope", 24.0, "standing")],
                       (Key(4.1, "lope"),), 36.0, "standing"),
}
"""World; the shots of the chain with their lengths and ends; the keys that ask for the same in one shot, its length and end."""


def ways(args: argparse.Namespace) -> Iterator[tuple[str, tuple[Path | None, str, int | None]]]:
    """Every rig and way."""
    args.out.mkdir(parents=True, exist_ok=True)
    for rig in (None, *args.rigs):
        for way in WAYS:
            yield f"{'astronaut' if rig is None else rig.stem}-{way}", (rig, way, None)


def keyed_ways(args: argparse.Namespace) -> Iterator[tuple[str, tuple[Path | None, str, int | None]]]:
    """The same, and with noise."""
    for name, (rig, way, _) in ways(args):
        yield name, (rig, way, None)
        yield from ((f"{name}-{seed}", (rig, way, seed)) for seed in range(args.key_seeds))


def opened(rig: Path | None, shot: Shot) -> tuple[bpy.types.Object, Shot]:
    """The rig in a new file of 24 pictures a second, and the shot on its body."""
    armature = open_rig(None if rig is None else str(rig), None)
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = RATE, 1.0
    return armature, replace(shot, body=read_figure(armature, scene=bpy.context.scene).body_spec())


def chained(case: Case, args: argparse.Namespace) -> Figures:
    """Shots that go on from one another, baked one after the other."""
    rig, way, _ = case.what
    world, chain, *_ = WAYS[way]
    armature, plain = opened(rig, Shot(motion=Gait(law=args.law), world=load_world(world)))
    joints, offs, after, before, at = [], [], None, None, 1.0
    for number, (gait, seconds, stop) in enumerate(chain):
        take, uncut = _simulated(replace(plain.with_motion(name=gait, stop=stop, after=after), duration_s=seconds))
        if before is not None:
            offs.append(_off(before, take))
        before, path = uncut, args.out / f"{case.name}-{number}.npz"
        take.save(path)
        if take.fell or take.lost:
            return {"fell_s": take.stats["time_fell_s"] or float(take.time_s[-1]), "gait": gait}
        bake_take(armature, path, options=BakeOptions(go_on=number > 0), scene=bpy.context.scene)
        at += seconds * RATE
        joints.append(at)
        after = after_take(path)
    bpy.ops.wm.save_as_mainfile(filepath=str(args.out / f"{case.name}.blend"), check_existing=False)
    figures: Figures = {"fell_s": None, "jumps": 0}
    for number, (joint, (said, near)) in enumerate(zip(joints, offs, strict=False), 1):
        place_m, turn_deg, beside_m, beside_deg = _jump(armature, int(joint))
        figures["jumps"] += not ((place_m < max(PLACE_M, beside_m) and turn_deg < max(TURN_DEG, beside_deg)) or near)
        figures |= {f"joint_{number}_cm": 100.0 * place_m, f"joint_{number}_deg": turn_deg,
                    f"beside_{number}_cm": 100.0 * beside_m, f"beside_{number}_deg": beside_deg,
                    f"off_the_shot_before_{number}": said}
    return figures


def _simulated(shot: Shot) -> tuple[Take, Take]:
    """The take of a shot, and the same gone on with for two pictures."""
    simulation = Simulation(shot)
    for _ in range(round(shot.duration_s / simulation.control_step_s) + 1):
        if not simulation.ended:
            simulation.step()
    take = simulation.take()
    for _ in range(round(2.0 / RATE / simulation.control_step_s)):
        if not simulation.ended:
            simulation.step()
    simulation.close()
    return take, simulation.take()


def _off(before: Take, take: Take) -> tuple[str, bool]:
    """How far any segment of a take is off and turned off, a sample and a picture after its start, the one before it gone on; and
    whether the last is within bounds."""
    said, names, near = [], [segment.name for segment in take.body.segments], False
    for later_s in (0.01, 1.0 / RATE):
        row = int(np.abs(take.time_s - later_s).argmin())
        was = int(np.abs(before.time_s - before.shot.duration_s).argmin()) + row
        (place, turn), (other, turned) = ([x[at] for x in one.segment_poses] for one, at in ((before, was), (take, row)))
        away = np.linalg.norm(place - other, axis=-1)
        apart = np.linalg.norm(quat_multiply(quat_conjugate(turn), turned)[:, 1:], axis=-1)
        angles = np.degrees(2.0 * np.arcsin(np.minimum(apart, 1.0)))
        said.append(f"after {1e3 * later_s:.0f} ms {100.0 * away.max():.2f} cm ({names[int(away.argmax())]}), "
                    f"{angles.max():.2f} deg ({names[int(angles.argmax())]})")
        near = bool(away.max() < PLACE_M and angles.max() < TURN_DEG)
    return ", ".join(said), near


def keyed(case: Case, args: argparse.Namespace) -> Figures:
    """The same in one shot, by keys."""
    rig, way, seed = case.what
    world, _, keys, seconds, stop = WAYS[way]
    _, shot = opened(
        rig,
        Shot(
            motion=Gait("walk", law=args.law, keys=keys, stop=stop),
            world=load_world(world),
            duration_s=seconds,
            noise=0.0 if seed is None else NOISE,
            seed=seed or 0,
        ),
    )
    take, figures = simulated(shot, case, args)
    take.save(args.out / f"{case.name}-keyed.npz")
    return figures | {"gait_at_end": take.stats["gait_at_end"], "end_m_s": float(np.hypot(*take.com_velocity_m_s[-1, :2]))}


def _jump(armature: bpy.types.Object, joint: int) -> tuple[float, float, float, float]:
    """How far the picture after a joint is off the cubic through the two before and the two after it: greatest place [m] and turn
    [deg] of any bone; and the greatest of the pictures beside it."""
    frames = range(joint - BESIDE - 2, joint + BESIDE + 4)
    places, turns = [], []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        bones = [bone for bone in armature.pose.bones if bone.bone.use_deform]
        places.append([armature.matrix_world @ bone.head for bone in bones])
        turns.append([(armature.matrix_world @ bone.matrix).to_quaternion() for bone in bones])
    places, turns = np.array(places), np.array(turns)
    for row in range(1, len(turns)):
        turns[row] *= np.where((turns[row] * turns[row - 1]).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    off, turned = (np.linalg.norm(x[2:-2] - (4.0 * (x[1:-3] + x[3:-1]) - x[:-4] - x[4:]) / 6.0, axis=-1).max(axis=1)
                   for x in (places, turns))
    turned = np.degrees(2.0 * np.arcsin(np.minimum(turned, 1.0)))
    near = np.zeros(len(off), dtype=bool)
    near[BESIDE - 1:BESIDE + 3] = True
    return float(off[near].max()), float(turned[near].max()), float(off[~near].max()), float(turned[~near].max())


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("out", nargs="?", type=Path, default=Path("out/passages"), metavar="OUT",
                        help="folder for takes and Blender files (default: %(default)s)")
    parser.add_argument("rigs", nargs="*", type=Path, metavar="RIG", help="rigs beside the astronaut")
    parser.add_argument("--law", default="people", help="gait law (default: people)")
    parser.add_argument("--key-seeds", type=int, default=0, metavar="N", help="keyed shots with noise at their start")


SUITE = Suite({"chained": Table(ways, chained, STANDS | {"jumps": is_(0)}), "keyed": Table(keyed_ways, keyed, STANDS)}, options,
              {"only": ["astronaut-walk-run-walk"]}, jobs=0)
