# SPDX-License-Identifier: GPL-3.0-or-later
"""What of Yin 2007's acceptance rows L1 to L26 (gaits from key poses) can be measured in a few minutes, a line or more each.

    scripts/check simbicon [L11 L13 ...] [--clip CLIP.bvh] [--along FILE.json] [--seconds 20]

Rows: L11 a diagonal push, L13 turning, L14 offsets, L15 ranges of the gains, L16 longer thighs, L23 how much faster than the
clock, L24 a backpack, L26 other starts; L18 a clip's curves (--clip); L11 and L16 of the gait that was made of one (--along).
The planar body: scripts/check planar, scripts/check planar_chain; push maps, speeds, changes, learning: scripts/check pose_gaits.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.errors import LopeError
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.motions.bvh import read_bvh
from lope.addon.motions.key_poses import clip_curves
from lope.addon.motions.retarget import retarget
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.keys import Steering
from lope.addon.specs.motions.key_poses import PoseGait
from lope.addon.specs.shot import BodySpec, Push, Shot

RANGES = {"cd": (-0.71, 1.4), "cv": (0.03, 0.59), "cd_outward": (-1.29, 1.13), "cv_outward": (-0.06, 0.48)}
"""The thesis's limits of the gains, all states together."""
Lines = Iterator[str]


def whole(gait: PoseGait, **values) -> Take:
    """A take of a gait on the whole body."""
    return simulate(Shot(pose_gait=gait, controller="pose_gait", start="standing", **values))


def came(take: Take) -> str:
    """How a take came out."""
    if take.fell or take.lost is not None:
        return f"fell at {take.time_s[-1]:.1f} s"
    rows = take.time_s > 0.5 * take.time_s[-1]
    way = take.com_m[rows][-1, :2] - take.com_m[rows][0, :2]
    ahead, left = way / float(np.ptp(take.time_s[rows]))
    return f"stood {take.time_s[-1]:.0f} s, {ahead:+.2f} m/s" + (f", {left:+.2f} to the left" if abs(left) > 0.03 else "")


def along(args: argparse.Namespace) -> PoseGait:
    """The gait that was made of a clip, or the walk."""
    return load_pose_gait(args.along or "walk")


def pace(args: argparse.Namespace) -> Lines:
    """L23."""
    began = time.process_time()
    take = whole(load_pose_gait("walk"), duration_s=20.0)
    yield f"walk: {take.time_s[-1] / (time.process_time() - began):.1f} times as fast as the clock of one processor"


def diagonal(args: argparse.Namespace) -> Lines:
    """L11: 350 N for 0.2 s, from each of the four corners, at four times."""
    gait, force = along(args), 350.0 / math.sqrt(2.0)
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        came_out = [not whole(gait, duration_s=11.0, pushes=(Push(5.0 + 0.15 * i, 0.2, (x * force, y * force, 0.0)),)).fell
                    for i in range(4)]
        yield f"{gait.name}, 350 N to {'front' if x > 0 else 'back'} {'left' if y > 0 else 'right'}: {sum(came_out)} of 4 stand"


def turning(args: argparse.Namespace) -> Lines:
    """L13: the heading goes by 0.9 sin(pi t / 12) rad."""
    wishes = tuple(Steering(0.5 * i, turn_rad_s=0.9 * math.pi / 12.0 * math.cos(math.pi * (0.5 * i + 0.25) / 12.0))
                   for i in range(48))
    take = whole(load_pose_gait("walk"), duration_s=24.0, steering=wishes)
    w, x, y, z = take.segment_poses[1][:, 0].T
    yaw = np.unwrap(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
    off = math.degrees(float(np.sqrt(np.mean(np.square(yaw - 0.9 * np.sin(np.pi * take.time_s / 12.0))))))
    yield f"walk turned by 0.9 sin(pi t / 12): {came(take)}, heading off {off:.1f} degrees rms"


def offsets(args: argparse.Namespace) -> Lines:
    """L14: hips of the in-place walk turned by 0.08 rad forward and 0.10 rad to the left; then the push."""
    gait = load_pose_gait("in_place")
    sides = tuple(replace(s, swing_hip=s.swing_hip + 0.08,
                          swing_hip_outward=s.swing_hip_outward + (0.1 if s.swing == "L" else -0.1)) for s in gait.cycle)
    turned = replace(gait, symmetric=False, states=sides)
    yield f"in place, hips by +0.08 and +0.10 rad: {came(whole(turned, duration_s=args.seconds))}"
    pushed = whole(turned, duration_s=12.0, pushes=(Push(5.3, 0.2, (250.0, -250.0, 0.0)),))
    yield f"the same, pushed by 250 N forward and to the right: {came(pushed)}"


def ranges(args: argparse.Namespace) -> Lines:
    """L15: how far a gain of all states may go, in steps of 0.1, from the walk's."""
    gait = load_pose_gait("walk")
    for name, thesis in RANGES.items():
        found = []
        for way in (-1.0, 1.0):
            value = getattr(gait.states[0], name)
            while abs(value) < 2.0 and not whole(replace(gait, states=tuple(
                    replace(s, **{name: round(value + 0.1 * way, 3)}) for s in gait.states)), duration_s=12.0).fell:
                value = round(value + 0.1 * way, 3)
            found.append(value)
        yield f"{name} stands from {found[0]:.2f} to {found[1]:.2f} (thesis {thesis[0]:.2f} to {thesis[1]:.2f})"


def longer_thighs(args: argparse.Namespace) -> Lines:
    """L16."""
    gait = along(args)
    for share in (0.0, 0.05, 0.1, 0.15):
        take = whole(gait, duration_s=args.seconds, body=BodySpec(landmarks=thighs(share)))
        yield f"{gait.name}, thighs {share:+.0%}: {came(take)}"


def thighs(share: float) -> dict[str, tuple[float, float, float]]:
    """The standard body's landmarks with thighs longer by a share: all above the knees is so much higher."""
    marks = {name: tuple(map(float, place)) for name, place in make_body(BodySpec()).landmarks.items()}
    more = share * (marks["hip_L"][2] - marks["knee_L"][2])
    below = ("knee", "ankle", "heel", "toe")
    return {name: (x, y, z if name.startswith(below) else z + more) for name, (x, y, z) in marks.items()}


def curves(args: argparse.Namespace) -> Lines:
    """L17, L18."""
    if args.clip is None:
        yield "no --clip"
        return
    found = clip_curves(retarget(read_bvh(Path(args.clip))))
    yield (f"{Path(args.clip).stem}: {found.cycles:g} cycles of {found.curves.period_s:.2f} s, legs "
           f"{math.degrees(found.error_legs_rad):.1f} degrees off, {max(found.harmonics.values())} harmonics, feet down at "
           f"{found.curves.touch_left:.2f} and {found.curves.touch_right:.2f} with the right hip's flexion at 0.25")


def backpack(args: argparse.Namespace) -> Lines:
    """L24."""
    for suit in ("none", "apollo-a7lb"):
        yield f"walk, suit {suit}: {came(whole(load_pose_gait('walk'), duration_s=args.seconds, suit=suit))}"


def starts(args: argparse.Namespace) -> Lines:
    """L26."""
    for speed in (0.0, 0.5, 1.0):
        gait = replace(load_pose_gait("walk"), start_m_s=speed, start_spread=0.3 if speed else 0.0)
        yield f"walk, from {speed:.1f} m/s: {came(whole(gait, duration_s=args.seconds))}"


ROWS: dict[str, Callable[[argparse.Namespace], Lines]] = {
    "L11": diagonal, "L13": turning, "L14": offsets, "L15": ranges, "L16": longer_thighs, "L18": curves, "L23": pace,
    "L24": backpack, "L26": starts}


def main() -> int:
    """Measure the rows that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", default=list(ROWS), metavar="ROW", help=f"of {', '.join(ROWS)} (default: all)")
    parser.add_argument("--clip", metavar="CLIP.bvh")
    parser.add_argument("--along", metavar="FILE.json")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S")
    args = parser.parse_args()
    unknown = set(args.rows) - set(ROWS)
    if unknown:
        parser.error(f"there is no row {', '.join(sorted(unknown))} here: {', '.join(ROWS)}")
    for row in args.rows:
        try:
            for line in ROWS[row](args):
                print(f"{row:4} {line}", flush=True)
        except LopeError as error:
            print(f"{row:4} {error}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
