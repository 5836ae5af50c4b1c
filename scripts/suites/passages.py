# SPDX-License-Identifier: GPL-3.0-or-later
"""Change gaits within one motion, on the astronaut and on rigs of your own: by shots that go on from one another, and by keys.

    scripts/check passages OUT [RIG.glb ...] [--law people]

On Earth a walk becomes a run and a walk again; on the Moon a walk becomes a lope and stops. Each is baked on its rig,
OUT/NAME.blend (shots that go on one after the other), and measured: who fell; at every joint of two shots how far any segment
is off, and turned off, within one picture (1/24 s) of where the shot before would have had it had it gone on uncut; and of the
bake how far any bone is off where the pictures before and after would have it (their cubic), beside the largest of the motion
around, which is as uneven. With --seeds the keyed shots are gone that many times more, each started a little different (noise
0.03). Exit code 1 where one fell, or a joint of the bake is off by more than 1 cm or 2 degrees, more than the motion beside it,
and the motion did not go there anyway: a picture later it is as far off the shot before.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from lope.addon.maths.rotations import quat_conjugate, quat_multiply
from lope.addon.rigs.bake.bake import bake_take
from lope.addon.rigs.read.armature import read_figure
from lope.addon.rigs.shots.open_rig import open_rig
from lope.addon.sim.continuation import after_take
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.sim.take import Take
from lope.addon.specs.bake_options import BakeOptions
from lope.addon.specs.keys import Key
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world

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


def main() -> int:
    """Check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT", help="folder for takes and Blender files")
    parser.add_argument("rigs", nargs="*", type=Path, metavar="RIG", help="rigs beside the astronaut")
    parser.add_argument("--law", default="people", help="gait law (default: people)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only ways whose name holds it")
    parser.add_argument("--seeds", type=int, default=0, metavar="N", help="keyed shots with noise at their start")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    wrong = 0
    for rig in (None, *options.rigs):
        for way, (world, chain, keys, seconds, stop) in WAYS.items():
            if options.only in way:
                name = f"{'astronaut' if rig is None else rig.stem}-{way}"
                plain = Shot(world=load_world(world), gait_law=options.law)
                wrong += not _chained(name, rig, plain, chain, options.out)
                keyed = replace(plain, keys=keys, duration_s=seconds, stop=stop)
                wrong += not _keyed(name, rig, keyed, options.out)
                wrong += sum(not _keyed(f"{name}-{seed}", rig, replace(keyed, noise=NOISE, seed=seed), options.out)
                             for seed in range(options.seeds))
    return 1 if wrong else 0


def _figure(rig: Path | None, shot: Shot) -> tuple[bpy.types.Object, Shot]:
    """The rig in a new file of 24 pictures a second, and the shot on its body."""
    armature = open_rig(None if rig is None else str(rig), None)
    bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = RATE, 1.0
    return armature, replace(shot, body=read_figure(armature, scene=bpy.context.scene).body_spec())


def _chained(name: str, rig: Path | None, plain: Shot, chain: list[tuple[str, float, str]], out: Path) -> bool:
    """Shots that go on from one another, baked one after the other; says how they went."""
    armature, plain = _figure(rig, plain)
    joints, offs, after, before, at = [], [], None, None, 1.0
    for number, (gait, seconds, stop) in enumerate(chain):
        take, uncut = _simulated(replace(plain, gait=gait, duration_s=seconds, stop=stop, after=after))
        if before is not None:
            offs.append(_off(before, take))
        before = uncut
        path = out / f"{name}-{number}.npz"
        take.save(path)
        if take.fell or take.lost:
            print(f"{name}: {gait} fell after {take.stats['time_fell_s']} s", flush=True)
            return False
        bake_take(armature, path, options=BakeOptions(go_on=number > 0), scene=bpy.context.scene)
        at += seconds * RATE
        joints.append(at)
        after = after_take(path)
    bpy.ops.wm.save_as_mainfile(filepath=str(out / f"{name}.blend"), check_existing=False)
    well = True
    for joint, offs_there in zip(joints, offs, strict=False):
        place_m, turn_deg, beside_m, beside_deg = _jump(armature, int(joint))
        fine = (place_m < max(PLACE_M, beside_m) and turn_deg < max(TURN_DEG, beside_deg)) or offs_there[1]
        well = well and fine
        print(f"{name}: stands; joint at frame {joint:.1f}: {100.0 * place_m:.2f} cm, {turn_deg:.2f} deg off (beside it up to "
              f"{100.0 * beside_m:.2f} cm, {beside_deg:.2f} deg){'' if fine else ' JUMP'}; off the shot before {offs_there[0]}",
              flush=True)
    return well


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


def _keyed(name: str, rig: Path | None, shot: Shot, out: Path) -> bool:
    """The same in one shot, by keys."""
    _, shot = _figure(rig, shot)
    take = simulate(replace(shot, gait="walk"))
    take.save(out / f"{name}-keyed.npz")
    speed = float(np.hypot(*take.com_velocity_m_s[-1, :2]))
    print(f"{name}, keyed: {'fell after ' + format(take.stats['time_fell_s'], '.2f') + ' s' if take.fell else 'stands'}, ends "
          f"in a {take.stats['gait_at_end']} at {speed:.2f} m/s", flush=True)
    return not (take.fell or take.lost)


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


if __name__ == "__main__":
    sys.exit(main())
