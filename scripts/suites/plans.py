# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the plan is what is then simulated: the first landings of every gait on every world, level ground.

    scripts/check plans [--gaits walk run] [--worlds moon mars] [--landings 4] [--limit 0.05] [--start standing]

Prints the largest distance [m] and delay [s] of planned landings from simulated ones for each pair; exit code 1 where one is
farther off than the limit, or cannot be planned.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

import numpy as np

from lope.addon.errors import LopeError
from lope.addon.sim.simulation import preview, simulate
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world, world_names

GAITS = ("walk", "run", "turn", "lope", "skip", "hop")


def compare(gait: str, world: str, landings: int, start: str) -> tuple[str, str, float, float, str]:
    """Gait, world, the largest distance [m] and delay [s], and what went wrong."""
    shot = Shot(gait=gait, world=load_world(world), start=start, duration_s=60.0)
    try:
        plan = preview(shot)
        steps = np.flatnonzero(plan.footstep_time_s > 0.0)[:landings]
        enough = plan.footstep_time_s[steps[-1]] + 0.5 / plan.stride_frequency_hz
        take = simulate(replace(shot, duration_s=max(float(enough), 0.5)))
    except (LopeError, ArithmeticError, IndexError) as error:
        return gait, world, np.inf, np.inf, repr(error)
    if len(take.plan_footstep_m) < landings:
        return gait, world, np.inf, np.inf, f"{len(take.plan_footstep_m)} landings, fell: {take.fell}"
    off = np.linalg.norm(take.plan_footstep_m[:landings, :2] - plan.footstep_m[steps, :2], axis=1)
    late = take.plan_footstep_time_s[:landings] - plan.footstep_time_s[steps]
    sides = take.plan_footstep_side[:landings] == plan.footstep_side[steps]
    told = "" if sides.all() else "the other foot lands"
    return gait, world, float(off.max()), float(np.abs(late).max()), told or " ".join(f"{100 * x:.1f}" for x in off)


def main() -> int:
    """Compare, print, and judge."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gaits", nargs="+", default=GAITS)
    parser.add_argument("--worlds", nargs="+", default=[name for name in world_names() if name != "custom"])
    parser.add_argument("--landings", type=int, default=4)
    parser.add_argument("--limit", type=float, default=0.05, metavar="M")
    parser.add_argument("--start", default="moving")
    args = parser.parse_args()
    pairs = [(gait, world) for gait in args.gaits for world in args.worlds]
    wrong = 0
    with ProcessPoolExecutor(2) as pool:
        for gait, world, off, late, told in pool.map(
                compare, *zip(*pairs, strict=True), [args.landings] * len(pairs), [args.start] * len(pairs)):
            wrong += not off <= args.limit
            print(f"{gait:5} {world:16} {off:7.3f} m {late:7.3f} s  {told}", flush=True)
    print(f"{len(pairs) - wrong} of {len(pairs)} within {args.limit:g} m")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
