# SPDX-License-Identifier: GPL-3.0-or-later
"""How well push responses by example answer: what is found, how it is played, and pushes that come in the midst of another.

    scripts/check responses [found feet second ...] [--library NAME|FILE.npz] [--clips FOLDER]

`found`: leave-one-out: each response of the library is taken out of it, and its push is answered by the others: the direction of
the one that is found, before it is turned, and its strategy; and where the motion that is played goes. Nine in ten of those that
have a stronger one must be found within 30 degrees and in place or by steps as they were. `feet`: pushes from all sides are
played: no foot goes through the ground, or slides by more than 1 cm. `second`: a push in the midst of the response to another: is
it answered, does the body go on without a jump, and its feet. `--clips` does the same with the library of a folder of clips. """

from __future__ import annotations

import argparse
import cmath
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lope.addon.bodies.body import joint_quaternions, root_pose
from lope.addon.bodies.kinematics import centre_of_mass, segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.motions.responses import STRATEGIES, Played, Response, find, load_library, play
from lope.addon.motions.responses.feet import Faults, faults_of
from lope.addon.motions.responses.measuring import index_folder, momenta
from lope.addon.motions.responses.response import IN_PLACE, unit_m_s
from lope.addon.specs.shot import BodySpec
from lope.scripts.suites.runner import Case, Figures, Row, Suite, Table, at_least, at_most, is_

BODY = make_body(BodySpec())
UNIT = unit_m_s(BODY)
WITHIN_DEG = 30.0
CLASS_M_S = 0.14
"""Strengths as near as this are of one class: 50 N for 0.2 s on 75 kg."""
SECOND_S = (0.15, 0.35, 0.6, 1.0)


def way_of(com: np.ndarray) -> complex:
    """Where a centre of mass (N, 3) goes: to its farthest place."""
    away = com[:, :2] - com[0, :2]
    return complex(*away[int(np.hypot(*away.T).argmax())])


def com_of(played: Played) -> np.ndarray:
    """Its centre of mass (N, 3)."""
    root, turn = root_pose(BODY, played.qpos)
    return centre_of_mass(BODY, *segment_poses(BODY, root, turn, joint_quaternions(BODY, played.qpos)))


def off_deg(a: complex, b: complex) -> float:
    """Angle between two ways."""
    return abs(math.degrees(cmath.phase(a * b.conjugate())))


def allowed_as(response: Response) -> tuple[str, ...]:
    """What is allowed where a response is to be answered: of one that was limited, nothing stronger."""
    return STRATEGIES[:STRATEGIES.index(response.strategy) + 1] if response.limited else STRATEGIES


def load(args: argparse.Namespace) -> None:
    """The library."""
    args.loaded = load_library(args.library) if args.clips is None else index_folder(
        args.clips, sorted(Path(args.clips).glob("*.bvh")))


def found(case: Case, args: argparse.Namespace) -> Figures:
    """What answers a response's push in its place."""
    left = case.what
    best = find(args.loaded.without([left.name]), left.push * UNIT, BODY, allowed=allowed_as(left))
    if best is None:
        return {"strategy": left.strategy, "found": None}
    com, _, _ = momenta(left.channels, left.step * math.sqrt(BODY.leg_length_m / 9.81))
    return {"strategy": left.strategy, "found": best.response.name, "by": best.strategy,
            "off_deg": off_deg(way_of(com_of(play(best, BODY))), way_of(com)), "from_push_deg": math.degrees(best.off_rad),
            "stronger_m_s": (best.response.strength - left.strength) * UNIT}


def shares(rows: list[Row], args: argparse.Namespace) -> Iterator[Row]:
    """Of those that have a stronger one, how many are found as they were; the way of the centre of mass that is played."""
    there = [row.figures for row in rows if row.figures["found"] is not None]
    near = [row for row in there if row["from_push_deg"] <= WITHIN_DEG]
    kind = sum((row["by"] in IN_PLACE) == (row["strategy"] in IN_PLACE) for row in near)
    ways, count = [row["off_deg"] for row in there], max(len(there), 1)
    yield Row("found", "all", {
        "stronger": len(there), "near": len(near),
        "by_the_very_strategy": sum(row["by"] == row["strategy"] for row in near) / count,
        "in_place_or_by_steps": kind / count, "way_off_median_deg": float(np.median(ways)),
        "ways_near": sum(way <= WITHIN_DEG for way in ways),
        "of_same_strength": sum(abs(row["stronger_m_s"]) <= CLASS_M_S for row in there)}, {"in_place_or_by_steps": at_least(0.9)})


def told(seen: Faults) -> Figures:
    """Faults as figures of a row."""
    return {"through_mm": -1e3 * seen.lowest_m, "slid_mm": 1e3 * seen.slid_m}


def feet_cases(args: argparse.Namespace) -> Iterator[tuple[str, tuple[complex, tuple[str, ...]]]]:
    """Pushes from all sides, each with all strategies and without a step."""
    for k in range(0, 24, args.every):
        for speed in np.arange(0.1, args.loaded.strongest * UNIT, 0.1).tolist():
            for allowed in (STRATEGIES, IN_PLACE):
                yield (f"{15 * k} degrees {speed:.1f} m/s{'' if allowed is STRATEGIES else ' in place'}",
                       (cmath.rect(speed, 2.0 * math.pi * k / 24), allowed))


def feet(case: Case, args: argparse.Namespace) -> Figures:
    """A push that is played."""
    push, allowed = case.what
    best = find(args.loaded, push, BODY, allowed=allowed)
    if best is None:
        return {"found": None}
    played = play(best, BODY)
    stays = allowed is not IN_PLACE or bool(played.contacts.all())
    return {"found": best.response.name, **told(faults_of(BODY, played.qpos)), "stays": stays}


def second_cases(args: argparse.Namespace) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    """A push in the midst of another."""
    for first in range(0, 360, 45 * args.every):
        for share in (0.3, 0.6):
            for time_s in SECOND_S:
                for way in range(0, 360, 90):
                    yield f"{first} degrees x {share:g}, {way} at {time_s:g} s", (first, share, time_s, way)


def second(case: Case, args: argparse.Namespace) -> Figures:
    """The answer to the second push."""
    first, share, time_s, way = case.what
    strongest = args.loaded.strongest * UNIT
    start = find(args.loaded, cmath.rect(share * strongest, math.radians(first)), BODY)
    if start is None:
        return {"found": None}
    one = play(start, BODY)
    now, at = one.at(time_s), one.index(time_s)
    best = find(args.loaded, cmath.rect(0.3 * strongest, math.radians(way)), BODY, now=now)
    if best is None:
        return {"found": None}
    two = play(best, BODY, now=now)
    places = np.concatenate([one.qpos[max(at - 2, 0):at, :3], two.qpos[:, :3]])
    return {"found": best.response.name, **told(faults_of(BODY, two.qpos)),
            "jump_mm": 1e3 * float(np.abs(two.qpos[0, :3] - one.qpos[at, :3]).max()),
            "hurry_m_s2": float(np.abs(np.diff(places, n=2, axis=0)).max() / two.step_s**2)}


def options(parser: argparse.ArgumentParser) -> None:
    """The suite's own."""
    parser.add_argument("--library", default="standing", metavar="NAME|FILE.npz")
    parser.add_argument("--clips", metavar="FOLDER")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every so manieth direction")


FEET = {"through_mm": at_most(1.0), "slid_mm": at_most(10.0), "stays": is_(True)}
SUITE = Suite({"found": Table(lambda args: ((left.name, left) for left in args.loaded.responses), found, begin=load, end=shares),
               "feet": Table(feet_cases, feet, FEET, begin=load),
               "second": Table(second_cases, second, FEET | {"jump_mm": at_most(5.0), "hurry_m_s2": at_most(60.0)}, begin=load)},
              options, {"every": 8})
