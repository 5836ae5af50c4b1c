# SPDX-License-Identifier: GPL-3.0-or-later
"""What balls do to somebody who stands or walks: how far the struck chain flies, when it is back, and who falls.

    scripts/check hits [stand|walk|CLIP.bvh ...] [--segments upper_arm_L chest head thigh_L] [--speeds 3 6 9]
                       [--worlds earth moon] [--direction -1,0,0] [--mass 4.19] [--time 1] [--seconds 4]
                       [--engine mujoco] [--law balance] [--low 0.15] [--hold 0.15] [--back 0.25] [--looseness 1]
                       [--out FILE.json]

Every shot is simulated with the ball and without it. What is told: the root mean square over the coordinates of the struck
chain's joints of the angles between the two, at most, how long after the hit it was back under 5 degrees to stay so for 0.3 s,
and when it was last over them; beside it the first two against the pose that was wanted, as a take tells it by itself. Exit
code 1 where somebody who stands falls, where an arm flies less than 25 or more than 60 degrees off, or where it is not back at
the pose that is wanted within 0.7 s: who is pushed off balance flings the arms out on purpose, and on the Moon for seconds.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

from lope.addon.errors import LopeError
from lope.addon.files import write_whole
from lope.addon.reports.hits import HitFound, hits_of
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.disturbances import BALL_KG, LAWS, Hit, Reaction
from lope.addon.specs.motions.clip import Follow
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Shot
from lope.addon.worlds.planets import load_world

ARM_DEG, BACK_S = (25.0, 60.0), 0.7
"""What a struck arm must do."""
CLIP = ".bvh"
"""Of a file whose motion is followed by somebody who may be caught."""
MOTIONS = {"stand": {"controller": "standing"}, "walk": {"gait": "walk"}}


def shot(args: argparse.Namespace, motion: str, world: str, *hits: Hit) -> Shot:
    """The shot of a motion on a world."""
    reaction = Reaction(law=args.law, low=args.low, hold_s=args.hold, back_s=args.back, looseness=args.looseness)
    if motion.endswith(CLIP):
        return Shot(world=load_world(world), engine=args.engine, until_end=True, hits=hits, reaction=reaction,
                    controller="follow", follow=Follow(motion, catch=True))
    return Shot(world=load_world(world), engine=args.engine, duration_s=args.seconds, hits=hits, reaction=reaction,
                **MOTIONS[motion])


def row(args: argparse.Namespace, motion: str, world: str, without: Take, segment: str, speed: float) -> dict:
    """What one ball did."""
    clip = motion.endswith(CLIP)
    time_s = args.time * math.sqrt(EARTH_GRAVITY_M_S2 / load_world(world).gravity_m_s2) if clip else args.time
    hit = Hit(time_s, segment, args.mass, speed, tuple(float(x) for x in args.direction.split(",")))
    take = simulate(shot(args, motion, world, hit))
    found: HitFound = hits_of(take, without)[0]
    own = hits_of(take)[0]
    arm = any(found.segment.startswith(name) for name in ("clavicle", "upper_arm", "forearm", "hand"))
    fine = not (take.fell and (motion == "stand" or clip))
    if arm and found.peak_deg is not None:
        fine &= ARM_DEG[0] <= found.peak_deg <= ARM_DEG[1] and own.back_s is not None and own.back_s <= BACK_S
    return {"motion": motion, "world": world, "segment": segment, "speed_m_s": speed, "struck": found.segment,
            "time_s": found.time_s, "impulse_ns": found.impulse_ns, "peak_deg": found.peak_deg, "back_s": found.back_s,
            "last_s": found.last_s,
            "own_peak_deg": own.peak_deg, "own_back_s": own.back_s, "fell": take.fell,
            "steps": take.stats.get("steps_taken"), "handed_over_s": take.stats.get("handed_over_s"),
            "spliced_back_s": take.stats.get("spliced_back_s"), "followed": take.stats.get("followed_fraction"), "fine": fine}


def main() -> int:
    """Print a line for each ball."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("motions", nargs="*", default=["stand"], metavar="MOTION",
                        help=f"of {', '.join(MOTIONS)}, or a clip's file (default: stand)")
    parser.add_argument("--segments", nargs="+", default=["upper_arm_L", "chest", "head", "thigh_L"], metavar="NAME")
    parser.add_argument("--speeds", nargs="+", type=float, default=[3.0, 6.0, 9.0], metavar="M/S")
    parser.add_argument("--worlds", nargs="+", default=["earth"], metavar="NAME")
    parser.add_argument("--direction", default="-1,0,0", metavar="X,Y,Z")
    parser.add_argument("--mass", type=float, default=BALL_KG, metavar="KG")
    parser.add_argument("--time", type=float, default=1.0, metavar="S")
    parser.add_argument("--seconds", type=float, default=4.0, metavar="S")
    parser.add_argument("--engine", default="mujoco", metavar="NAME")
    parser.add_argument("--law", default="balance", choices=LAWS)
    for name in ("low", "hold", "back", "looseness"):
        default = getattr(Reaction(), name if hasattr(Reaction(), name) else f"{name}_s")
        parser.add_argument(f"--{name}", type=float, default=default)
    parser.add_argument("--out", metavar="FILE.json")
    args = parser.parse_args()
    unknown = {motion for motion in args.motions if not motion.endswith(CLIP)} - set(MOTIONS)
    if unknown:
        parser.error(f"there is no motion named {', '.join(sorted(unknown))}")
    rows = []
    try:
        for motion in args.motions:
            for world in args.worlds:
                without = simulate(shot(args, motion, world))
                for segment in args.segments:
                    for speed in args.speeds:
                        rows.append(one := row(args, motion, world, without, segment, speed))
                        print(f"{Path(motion).stem} {world} {segment} {speed:g} m/s: {_said(one)}", flush=True)
    except LopeError as error:
        parser.error(str(error))
    if args.out:
        write_whole(args.out, json.dumps(rows, indent=1) + "\n", "table")
    print(f"{sum(one['fine'] for one in rows)} of {len(rows)}")
    return int(not all(one["fine"] for one in rows))


def _said(one: dict) -> str:
    """A row in words."""
    back = "not back" if one["back_s"] is None else f"back {one['back_s']:.2f} s"
    last = "to the end" if one["last_s"] is None else f"{one['last_s']:.2f} s"
    own = "not" if one["own_back_s"] is None else f"{one['own_back_s']:.2f} s"
    steps = "" if one["steps"] is None else f", {one['steps']} steps"
    return (f"{one['struck']} {one['impulse_ns']:.0f} N s, {one['peak_deg']:.0f} deg, {back}, last {last} (off the wish "
            f"{one['own_peak_deg'] or 0.0:.0f} deg, {own}), {'FELL' if one['fell'] else 'up'}{steps}{_caught(one)}"
            f"{'' if one['fine'] else '  <--'}")


def _caught(one: dict) -> str:
    """When a clip was given up and taken up again."""
    if one["handed_over_s"] is None:
        return ""
    return f", given up {_times(one['handed_over_s'])}, taken up {_times(one['spliced_back_s'])}"


def _times(times: list[float]) -> str:
    return " ".join(f"{time:.2f}" for time in times) or "never"


if __name__ == "__main__":
    sys.exit(main())
