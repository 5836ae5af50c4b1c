# SPDX-License-Identifier: GPL-3.0-or-later
"""How well push responses by example answer: what is found, how it is played, and pushes that come in the midst of another.

    scripts/check responses [found|feet|second ...] [--library NAME|FILE.npz] [--clips FOLDER] [--out FILE.json]

`found`: leave-one-out: each response of the library is taken out of it, and its push is answered by the others: the direction of
the one that is found, before it is turned, and its strategy; and where the motion that is played goes. `feet`: pushes from all
sides are played: does a foot go through the ground, or slide by more than 1 cm. `second`: a push in the midst of the response to
another: is it answered, does the body go on without a jump, and its feet. `--clips` does the same with the library of a folder of
clips. Exit code 1 where fewer than nine in ten are found within 30 degrees and in place or by steps as they were, where a foot is
at fault, or a body jumps.
"""

from __future__ import annotations

import argparse
import cmath
import json
import math
import sys
from pathlib import Path

import numpy as np

from lope.addon.bodies.body import joint_quaternions, root_pose
from lope.addon.bodies.kinematics import centre_of_mass, segment_poses
from lope.addon.bodies.makers import make_body
from lope.addon.errors import LopeError
from lope.addon.files import write_whole
from lope.addon.motions.responses import STRATEGIES, Library, Played, Response, find, load_library, play
from lope.addon.motions.responses.feet import Faults, faults_of
from lope.addon.motions.responses.measuring import index_folder, momenta
from lope.addon.motions.responses.response import IN_PLACE, unit_m_s
from lope.addon.specs.shot import BodySpec

BODY = make_body(BodySpec())
UNIT = unit_m_s(BODY)
RIGHT, WITHIN_DEG = 0.9, 30.0
SLIDE_M, THROUGH_M, JUMP_M, HURRY_M_S2 = 0.01, 0.001, 0.005, 60.0
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


def found(library: Library) -> tuple[list[dict], bool]:
    """Leave-one-out."""
    rows = []
    for left in library.responses:
        rest = library.without([left.name])
        best = find(rest, left.push * UNIT, BODY, allowed=allowed_as(left))
        row = {"left_out": left.name, "strategy": left.strategy, "found": None if best is None else best.response.name}
        if best is not None:
            com, _, _ = momenta(left.channels, left.step * math.sqrt(BODY.leg_length_m / 9.81))
            row |= {"by": best.strategy, "off_deg": round(off_deg(way_of(com_of(play(best, BODY))), way_of(com)), 1),
                    "from_push_deg": round(math.degrees(best.off_rad), 1),
                    "stronger_m_s": round((best.response.strength - left.strength) * UNIT, 3)}
        rows.append(row)
    there = [row for row in rows if row["found"] is not None]
    near = [row for row in there if row["from_push_deg"] <= WITHIN_DEG]
    same = [row for row in near if row["by"] == row["strategy"]]
    kind = [row for row in near if (row["by"] in IN_PLACE) == (row["strategy"] in IN_PLACE)]
    for row in there:
        if row not in same:
            print(f"  {row['left_out']} ({row['strategy']}): {row['found']} ({row['by']})")
    for row in rows:
        if row["found"] is None:
            print(f"  {row['left_out']} ({row['strategy']}): none is as strong")
    share = len(same) / max(len(there), 1)
    print(f"{library.name}: {len(rows)} left out, {len(there)} have a stronger one; within {WITHIN_DEG:g} degrees {len(near)}, "
          f"of these in place or by steps as it was {len(kind)}, by the very strategy {len(same)}: {100 * share:.0f} %")
    ways = [row["off_deg"] for row in there]
    print(f"  the way of the centre of mass that is played, against the one left out: median {np.median(ways):.0f} degrees off, "
          f"{sum(way <= WITHIN_DEG for way in ways)} within {WITHIN_DEG:g}; of the same strength, within {CLASS_M_S:g} m/s, "
          f"{sum(abs(row['stronger_m_s']) <= CLASS_M_S for row in there)} of {len(there)}")
    return rows, len(kind) / max(len(there), 1) >= RIGHT


def told(seen: Faults) -> dict[str, float]:
    """Faults as figures of a row."""
    return {"through_mm": round(-1e3 * seen.lowest_m, 2), "slid_mm": round(1e3 * seen.slid_m, 1)}


def feet(library: Library) -> tuple[list[dict], bool]:
    """Pushes from all sides, each with all strategies and without a step."""
    rows = []
    for k in range(24):
        for speed in np.arange(0.1, library.strongest * UNIT, 0.1).tolist():
            for allowed in (STRATEGIES, IN_PLACE):
                best = find(library, cmath.rect(speed, 2.0 * math.pi * k / 24), BODY, allowed=allowed)
                if best is not None:
                    played = play(best, BODY)
                    seen = faults_of(BODY, played.qpos)
                    stays = allowed is not IN_PLACE or bool(played.contacts.all())
                    rows.append({"degrees": 15 * k, "m_s": round(speed, 2), "steps": allowed is STRATEGIES,
                                 "found": best.response.name, **told(seen), "stays": stays})
    bad = [row for row in rows if row["slid_mm"] > 1e3 * SLIDE_M or row["through_mm"] > 1e3 * THROUGH_M or not row["stays"]]
    for row in bad:
        print(f"  {row}")
    print(f"{library.name}: {len(rows)} pushes played: through the ground by {max(row['through_mm'] for row in rows):.2f} mm at "
          f"most, slid {max(row['slid_mm'] for row in rows):.1f} mm at most, {len(bad)} with a fault")
    return rows, not bad


def second(library: Library) -> tuple[list[dict], bool]:
    """A push in the midst of another."""
    rows = []
    speeds = [share * library.strongest * UNIT for share in (0.3, 0.6)]
    for first_way, speed in ((w, s) for w in range(0, 360, 45) for s in speeds):
        start = find(library, cmath.rect(speed, math.radians(first_way)), BODY)
        if start is None:
            continue
        one = play(start, BODY)
        for time_s in SECOND_S:
            now = one.at(time_s)
            for way in range(0, 360, 90):
                push = cmath.rect(0.3 * library.strongest * UNIT, math.radians(way))
                best = find(library, push, BODY, now=now)
                row = {"first": first_way, "m_s": round(speed, 2), "at_s": time_s, "second": way, "found": None}
                rows.append(row)
                if best is None:
                    continue
                two = play(best, BODY, now=now)
                seen = faults_of(BODY, two.qpos)
                places = np.concatenate([one.qpos[max(one.index(time_s) - 2, 0):one.index(time_s), :3], two.qpos[:, :3]])
                hurry = np.abs(np.diff(places, n=2, axis=0)).max() / two.step_s**2
                row |= {"found": best.response.name, **told(seen),
                        "jump_mm": round(1e3 * float(np.abs(two.qpos[0, :3] - one.qpos[one.index(time_s), :3]).max()), 2),
                        "hurry_m_s2": round(float(hurry), 1)}
    there = [row for row in rows if row["found"] is not None]
    bad = [row for row in there if row["slid_mm"] > 1e3 * SLIDE_M or row["through_mm"] > 1e3 * THROUGH_M
           or row["jump_mm"] > 1e3 * JUMP_M or row["hurry_m_s2"] > HURRY_M_S2]
    for row in bad:
        print(f"  {row}")
    worst = {name: max(row[name] for row in there) for name in ("slid_mm", "through_mm", "jump_mm", "hurry_m_s2")}
    print(f"{library.name}: {len(rows)} second pushes, {len(there)} answered, {len(bad)} with a fault; at most {worst}")
    return rows, not bad


CHECKS = {"found": found, "feet": feet, "second": second}


def main() -> int:
    """Do the checks that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", metavar="|".join(CHECKS), default=[])
    parser.add_argument("--library", default="standing", metavar="NAME|FILE.npz")
    parser.add_argument("--clips", metavar="FOLDER")
    parser.add_argument("--out", metavar="FILE.json")
    args = parser.parse_args()
    try:
        library = load_library(args.library) if args.clips is None else index_folder(
            args.clips, sorted(Path(args.clips).glob("*.bvh")))
        results = {name: CHECKS[name](library) for name in args.what or CHECKS}
    except LopeError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyError as error:
        print(f"There is no check {error}: expected some of {', '.join(CHECKS)}.", file=sys.stderr)
        return 2
    if args.out:
        text = json.dumps({name: rows for name, (rows, _) in results.items()}, indent=1)
        write_whole(args.out, text + "\n", "table")
    return 0 if all(fine for _, fine in results.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
