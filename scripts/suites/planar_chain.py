# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the planar body goes through the chain of gaits of Yin 2007 (section 7.4), without its back-flip, and does not fall.

    scripts/check planar_chain [LIST.toml] [--seeds 0] [--noise 0.05] [--search]

The chain is the first shot of the list, docs/lists/planar-chain.toml. `--seeds 5` also starts it so many times with noise.
`--search` prints the lines `steer` of a chain like it: each change is asked for at the earliest time, from `--stay` seconds
after the one before, at which the next gait stands until its own change; where there is none, a change before is tried later.
Exit code 1 where the chain falls.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from lope.addon.batch.plan import plan_list
from lope.addon.batch.shot_list import read_list
from lope.addon.sim.simulation import Simulation, simulate
from lope.addon.specs.keys import Steering
from lope.addon.specs.motions.key_poses import PoseGait
from lope.addon.specs.shot import Shot

LIST = Path(__file__).resolve().parents[1] / "docs" / "lists" / "planar-chain.toml"
STEP_S, TRIES, LASTS_S = 0.06, 48, 3.0
"""Times at which a change is tried, how many, and how long the next gait must stand."""


def until(simulation: Simulation, time_s: float) -> bool:
    """Whether it comes to a time standing."""
    while simulation.time_s < time_s - 1e-9 and not simulation.over:
        simulation.step()
    return simulation.time_fell_s is None


def branched(answer: Callable[[], list[float] | bool | None]) -> list[float] | bool | None:
    """What a function answers in a process that branches off here: the simulation itself stays where it is."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        said: list[float] | bool | None = None
        try:
            said = answer()
        finally:
            os.write(there, json.dumps(said).encode())
            os._exit(0)
    os.close(there)
    with os.fdopen(here) as told:
        said = json.loads(told.read())
    os.waitpid(child, 0)
    return said


def search(simulation: Simulation, chain: Sequence[PoseGait], stay_s: float) -> list[float] | None:
    """Times [s] of the changes to the gaits of the chain, from where the simulation is; None where there are none."""
    if not chain:
        return [] if until(simulation, simulation.time_s + LASTS_S) else None
    began = simulation.time_s
    for i in range(TRIES):
        if not until(simulation, began + stay_s + i * STEP_S):
            return None
        at = round(simulation.time_s, 3)

        def later(at: float = at) -> list[float] | None:
            simulation.wish(Steering(at, gait=chain[0].name, pose_gait=chain[0]))
            if not branched(lambda: until(simulation, at + LASTS_S)):
                return None
            print(f"{at:.3f},{chain[0].name}", file=sys.stderr, flush=True)
            rest = search(simulation, chain[1:], stay_s)
            return None if rest is None else [at, *rest]

        found = branched(later)
        if isinstance(found, list):
            return found
    return None


def told(shot: Shot) -> bool:
    """Whether it stands; prints the gaits and when they came."""
    take = simulate(shot)
    changes = take.stats.get("pose_changes", [])
    print(f"noise {shot.noise:g}, seed {shot.seed}: {len(changes)} of {len(shot.steering)} changes, "
          + (f"fell at {take.stats['time_fell_s']:.2f} s" if take.fell else f"stands at {take.time_s[-1]:.1f} s"), flush=True)
    if not shot.noise:
        print(", ".join([shot.called, *(f"{name} {time_s:.2f}" for time_s, name in changes)]))
    return not take.fell


def main() -> int:
    """Run the chain, or search it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list", nargs="?", type=Path, default=LIST, metavar="LIST.toml")
    parser.add_argument("--seeds", type=int, default=0, metavar="N")
    parser.add_argument("--noise", type=float, default=0.05)
    parser.add_argument("--stay", type=float, default=2.4, metavar="S")
    parser.add_argument("--search", action="store_true")
    args = parser.parse_args()
    shot = shot_of(args.list)
    if args.search:
        chain = [one.pose_gait for one in shot.steering if one.pose_gait is not None]
        times = search(Simulation(replace(shot, steering=(), duration_s=600.0)), chain, args.stay)
        if times is None:
            return 1
        print("steer = [" + ", ".join(f'"{time_s:g},{gait.name}"' for time_s, gait in zip(times, chain, strict=True)) + "]")
        return 0
    good = told(shot)
    noisy = [told(replace(shot, noise=args.noise, seed=seed)) for seed in range(args.seeds)]
    if noisy:
        print(f"{sum(noisy)} of {len(noisy)} with noise stand")
    return int(not good)


def shot_of(path: Path) -> Shot:
    """The first shot of a list."""
    planned = plan_list(read_list(path)).shots[0]
    if planned.shot is None:
        sys.exit(planned.problem)
    return planned.shot


if __name__ == "__main__":
    sys.exit(main())
