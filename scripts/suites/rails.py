# SPDX-License-Identifier: GPL-3.0-or-later
"""How bodies on rails take hits: a ball of 4.19 kg on arm, chest, head and thigh, in clips, on worlds, a line each; and the same
motion without a hit.

    scripts/check rails CLIP.bvh ... [--worlds earth moon] [--speeds 3 6 9] [--parts arm chest head thigh] [--engine mujoco]
                        [--at 0.4] [--looseness 1] [--setting GROUP.NAME=VALUE ...] [--takes FOLDER]

The ball comes at so much of the clip, from where the hips face. `peak` is the largest root mean square over the coordinates of
the struck chain of how far they are from the same run without a hit, `joint` the joint that turns farthest, `back` when that
root mean square is below 5 degrees for good, after the ball has touched. Exit code 1 where a motion that nobody
hits is not played to 0.2 degrees, or a chain is not back within a second.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.locomotion.hit.played import played_clip
from lope.addon.locomotion.settings import read_settings
from lope.addon.maths.rotations import matrix_from_quat, quat_conjugate, quat_multiply
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.disturbances import Hit, Reaction
from lope.addon.specs.motions.clip import Follow
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world

PARTS = {
    "arm": ("forearm_L", ("clavicle_L", "upper_arm_L", "forearm_L", "hand_L"), 180.0),
    "chest": ("chest", ("lower_spine", "chest"), 180.0),
    "head": ("head", ("neck", "head"), 180.0),
    "thigh": ("thigh_L", ("thigh_L", "shank_L", "foot_L"), 180.0),
}
"""What is struck, the chain that yields, and the way the ball flies, from where the hips face [deg]."""
BACK_DEG, BACK_S, DRIFT_DEG = 5.0, 1.0, 0.2


def off_deg(take: Take, free: Take, chain: tuple[str, ...]) -> dict[str, np.ndarray]:
    """How far each joint of a chain is from where it is in the other take (T, 3), rotation vectors [deg]."""
    names, count = take.body.joint_segments, min(len(take.time_s), len(free.time_s))
    found = {}
    for name in chain:
        row = names.index(name)
        turn = quat_multiply(quat_conjugate(free.joint_quaternions[:count, row]), take.joint_quaternions[:count, row])
        turn = turn * np.where(turn[:, :1] < 0.0, -1.0, 1.0)
        size = np.linalg.norm(turn[:, 1:], axis=1, keepdims=True)
        found[name] = np.degrees(2.0 * np.arctan2(size, turn[:, :1]) / np.maximum(size, 1e-12) * turn[:, 1:])
    return found


def judged(take: Take, free: Take, chain: tuple[str, ...]) -> tuple[float, float, str, float, str]:
    """Largest root mean square [deg], largest turn [deg] and whose, when the chain is back [s], and what was struck first."""
    off = off_deg(take, free, chain)
    coordinates = sum(1 if take.body.segment(name).joint == "hinge" else 3 for name in chain)
    mean = np.sqrt(sum((turn**2).sum(axis=1) for turn in off.values()) / coordinates)
    most = {name: float(np.linalg.norm(turn, axis=1).max()) for name, turn in off.items()}
    farthest = max(most, key=lambda name: most[name])
    strikes = take.stats.get("strikes", [])
    if not strikes:
        return 0.0, 0.0, "-", 0.0, "nothing"
    since = take.time_s[:len(mean)] - strikes[0]["time_s"]
    late = since[mean > BACK_DEG]
    return float(mean.max()), most[farthest], farthest, float(late.max()) if len(late) else 0.0, strikes[0]["segment"]


def main() -> int:
    """Run them all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=Path, nargs="+", metavar="CLIP")
    parser.add_argument("--worlds", nargs="+", default=("earth", "moon"))
    parser.add_argument("--speeds", nargs="+", type=float, default=(3.0, 6.0, 9.0))
    parser.add_argument("--parts", nargs="+", default=tuple(PARTS), choices=PARTS)
    parser.add_argument("--engine", default=Shot().engine)
    parser.add_argument("--at", type=float, default=0.4)
    parser.add_argument("--looseness", type=float, default=1.0)
    parser.add_argument("--setting", action="append", default=[])
    parser.add_argument("--takes", type=Path)
    args = parser.parse_args()
    bad = 0
    for clip in args.clips:
        for world in args.worlds:
            shot = Shot(world=load_world(world), follow=Follow(str(clip), time="clip"), controller="hit", until_end=True,
                        engine=args.engine, reaction=Reaction(law="rails", looseness=args.looseness),
                        gains=read_settings(args.setting) or None)
            began = time.process_time()
            free = simulate(shot)
            cpu = (time.process_time() - began) / free.time_s[-1]
            drift = free.channels["hit_off_motion_deg"].values.max()
            print(f"{clip.stem} {world}: without a hit {drift:.5f} deg off, {cpu:.3f} s of CPU a second", flush=True)
            bad += drift > DRIFT_DEG
            played = played_clip(shot, make_body(shot.body))
            at_s = round(args.at * played.duration_s, 2)
            x = matrix_from_quat(played.clip.root_quaternion[int(args.at * len(played.clip.root_quaternion))])[:, 0]
            facing = math.atan2(x[1], x[0])
            for part in args.parts:
                segment, chain, turn = PARTS[part]
                way = facing + math.radians(turn)
                for speed in args.speeds:
                    hit = Hit(at_s, segment, speed_m_s=speed, direction=(math.cos(way), math.sin(way), 0.0))
                    take = simulate(replace(shot, hits=(hit,)))
                    peak, most, joint, back, struck = judged(take, free, chain)
                    late = back > BACK_S
                    bad += late
                    print(f"  {part:6}{speed:3.0f} m/s  peak {peak:5.1f}  joint {most:4.0f} {joint:12} back {back:5.2f} s"
                          + ("  LATE" if late else "") + ("" if struck == segment else f"  (struck {struck})"), flush=True)
                    if args.takes is not None:
                        args.takes.mkdir(parents=True, exist_ok=True)
                        take.save(args.takes / f"{clip.stem}-{world}-{part}-{speed:g}.npz")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
