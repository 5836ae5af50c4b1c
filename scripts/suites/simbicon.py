# SPDX-License-Identifier: GPL-3.0-or-later
"""What of Yin 2007's acceptance rows L1 to L26 (gaits from key poses) can be measured in a few minutes, a line or more each.

    scripts/check simbicon [L11 L13 ...] [--clip CLIP.bvh] [--along FILE.json] [--seconds 20]

Rows: L11 a diagonal push of 350 N for 0.2 s, L13 turning by 0.9 sin(pi t / 12) rad, L14 offsets of the hips, and then a push, L15
ranges of the gains, in steps of 0.1 from the walk's, L16 longer thighs, L23 how much faster than the clock, L24 a backpack, L26
other starts; L18 a clip's curves (--clip); L11 and L16 of the gait that was made of one (--along). They are told, and not judged:
what must hold stands in docs/validation.md. The planar body: `planar`; push maps, speeds, changes, learning: `pose_gaits`.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.gaits.pose_gaits import load_pose_gait
from lope.addon.motions.bvh import read_bvh
from lope.addon.motions.key_poses import clip_curves
from lope.addon.motions.retarget import retarget
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions import KeyPoses
from lope.addon.specs.pose_gait import PoseGait
from lope.addon.specs.shot import BodySpec, Push, Shot
from lope.addon.specs.steering import Steering
from lope.scripts.suites.runner import Case, Figures, Suite, Table, simulated

RANGES = {"cd": (-0.71, 1.4), "cv": (0.03, 0.59), "cd_outward": (-1.29, 1.13), "cv_outward": (-0.06, 0.48)}
"""The thesis's limits of the gains, all states together."""
TURNING = tuple(Steering(0.5 * i, turn_rad_s=0.9 * math.pi / 12.0 * math.cos(math.pi * (0.5 * i + 0.25) / 12.0))
                for i in range(48))


def whole(gait: PoseGait | str, **values: Any) -> Shot:
    """A shot of a gait on the whole body."""
    gait = load_pose_gait(gait) if isinstance(gait, str) else gait
    return Shot(motion=KeyPoses(gait, start="standing"), **values)


def came(take: Take) -> Figures:
    """How fast a take went in its second half, ahead and to the left."""
    rows = take.time_s > 0.5 * take.time_s[-1]
    ahead, left = (take.com_m[rows][-1, :2] - take.com_m[rows][0, :2]) / float(np.ptp(take.time_s[rows]))
    return {"ahead_m_s": float(ahead), "left_m_s": float(left)}


def one_shot(case: Case, args: argparse.Namespace) -> Figures:
    """A shot, and how it came out."""
    take, figures = simulated(case.what, case, args)
    figures |= came(take)
    if take.shot.motion.steering:
        w, x, y, z = take.segment_poses[1][:, 0].T
        yaw = np.unwrap(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
        off = yaw - 0.9 * np.sin(np.pi * take.time_s / 12.0)
        figures["heading_off_deg"] = math.degrees(float(np.sqrt(np.mean(np.square(off)))))
    return figures


def diagonal(args: argparse.Namespace) -> Iterator[tuple[str, Shot]]:
    """L11: from each of the four corners, at four times."""
    force = 350.0 / math.sqrt(2.0)
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        for i in range(4):
            push = Push(5.0 + 0.15 * i, 0.2, (x * force, y * force, 0.0))
            yield (f"to {'front' if x > 0 else 'back'} {'left' if y > 0 else 'right'} at {push.start_s:.2f} s",
                   whole(args.along, duration_s=11.0, pushes=(push,)))


def offsets(args: argparse.Namespace) -> Iterator[tuple[str, Shot]]:
    """L14: hips of the in-place walk turned by 0.08 rad forward and 0.10 rad to the left; then a push forward and to the
    right."""
    gait = load_pose_gait("in_place")
    sides = tuple(replace(s, swing_hip=s.swing_hip + 0.08,
                          swing_hip_outward=s.swing_hip_outward + (0.1 if s.swing == "L" else -0.1)) for s in gait.cycle)
    turned = replace(gait, symmetric=False, states=sides)
    yield "hips +0.08 and +0.10 rad", whole(turned, duration_s=args.seconds)
    yield "the same, 250 N", whole(turned, duration_s=12.0, pushes=(Push(5.3, 0.2, (250.0, -250.0, 0.0)),))


def gain(case: Case, args: argparse.Namespace) -> Figures:
    """L15: how far a gain of all states may go."""
    gait, found = load_pose_gait("walk"), []
    for way in (-1.0, 1.0):
        value = getattr(gait.states[0], case.what)
        while abs(value) < 2.0 and not simulate(whole(replace(gait, states=tuple(
                replace(s, **{case.what: round(value + 0.1 * way, 3)}) for s in gait.states)), duration_s=12.0)).fell:
            value = round(value + 0.1 * way, 3)
        found.append(value)
    thesis = RANGES[case.what]
    return {"from": found[0], "to": found[1], "thesis_from": thesis[0], "thesis_to": thesis[1]}


def thighs(share: float) -> dict[str, tuple[float, float, float]]:
    """The standard body's landmarks with thighs longer by a share: all above the knees is so much higher."""
    marks = {name: tuple(map(float, place)) for name, place in make_body(BodySpec()).landmarks.items()}
    more = share * (marks["hip_L"][2] - marks["knee_L"][2])
    below = ("knee", "ankle", "heel", "toe")
    return {name: (x, y, z if name.startswith(below) else z + more) for name, (x, y, z) in marks.items()}


def curves(case: Case, args: argparse.Namespace) -> Figures:
    """L17, L18."""
    found = clip_curves(retarget(read_bvh(Path(case.what))))
    return {"cycles": found.cycles, "period_s": found.curves.period_s, "legs_off_deg": math.degrees(found.error_legs_rad),
            "harmonics": max(found.harmonics.values()), "left_down": found.curves.touch_left,
            "right_down": found.curves.touch_right}


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--clip", metavar="CLIP.bvh")
    parser.add_argument("--along", default="walk", metavar="FILE.json")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S")


def row(cases: Callable[[argparse.Namespace], Any]) -> Table:
    """A row of shots."""
    return Table(cases, one_shot)


SUITE = Suite({
    "L11": row(diagonal),
    "L13": row(lambda args: [("walk turned", whole("walk", duration_s=24.0, steering=TURNING))]),
    "L14": row(offsets),
    "L15": Table(lambda args: ((name, name) for name in RANGES), gain),
    "L16": row(lambda args: ((f"thighs {share:+.0%}", whole(args.along, duration_s=args.seconds, body=BodySpec(
        landmarks=thighs(share)))) for share in (0.0, 0.05, 0.1, 0.15))),
    "L18": Table(lambda args: [(Path(args.clip).stem, args.clip)] if args.clip else [("no --clip", None)],
                 lambda case, args: curves(case, args) if args.clip else {}),
    "L23": row(lambda args: [("walk", whole("walk", duration_s=20.0))]),
    "L24": row(lambda args: ((f"suit {suit}", whole("walk", duration_s=args.seconds, suit=suit))
                             for suit in ("none", "apollo-a7lb"))),
    "L26": row(lambda args: ((f"from {speed:.1f} m/s", whole(replace(
        load_pose_gait("walk"), start_m_s=speed, start_spread=0.3 if speed else 0.0), duration_s=args.seconds))
        for speed in (0.0, 0.5, 1.0))),
}, options, {"seconds": 5.0, "only": ["thighs +0%", "suit none", "from 0.0"]}, takes=True)
