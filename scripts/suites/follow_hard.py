# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether clips are followed under pushes, on slopes, on other legs, under a load that the controller does not know, and on other
friction: a line each. Fails where more than `--may-fall` of them fall.

    scripts/check follow_hard CLIP.bvh ... [--kinds push slope legs shorter load friction] [--world earth] [--scale 1.0]
                              [--repeat --seconds 44] [--setting GROUP.NAME=VALUE] [--takes FOLDER]

Pushes come every 4 s for 40 s from one side, those that Lee 2014 withstood; a clip goes round for them with `--repeat`.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from lope.addon.errors import LopeError
from lope.addon.locomotion.settings import read_settings
from lope.addon.sim.simulation import Simulation
from lope.addon.sim.take import Take
from lope.addon.specs.motions.clip import Follow
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world
from lope.scripts.suites.hidden import Case, cases

KINDS = ("push", "slope", "legs", "shorter", "load", "friction")


def run(case: Case, shot: Shot) -> Take:
    """The take of a case. Raises LopeError for one that cannot be simulated."""
    simulation = Simulation(case.shot(shot), plant=None)
    if case.plant is not None:
        simulation.close()
        simulation = Simulation(case.shot(shot), plant=case.plant(simulation.body))
    try:
        steps = round(simulation.shot.duration_s / simulation.control_step_s)
        while not simulation.ended and steps >= 0:
            simulation.step()
            steps -= 1
    finally:
        simulation.close()
    return simulation.take()


def row(name: str, take: Take, cpu_s: float) -> str:
    """One run in a line."""
    fell = take.stats["time_fell_s"]
    error = take.channels["follow_joint_error_deg"].values
    off_m = take.channels["follow_com_off_plan_m"].values
    end = f"fell {fell:6.2f} of {take.shot.duration_s:6.2f} s" if fell is not None else "lost" if take.lost else "stands"
    return (f"{name:56} {end:26} joints {np.sqrt(np.mean(error**2)):4.1f} deg  com {100 * off_m.mean():5.1f} cm  "
            f"most {100 * off_m.max():5.1f} cm  {cpu_s / max(take.time_s[-1], 1e-9):5.2f} s/s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=Path, nargs="+")
    parser.add_argument("--kinds", nargs="*", default=KINDS, choices=KINDS)
    parser.add_argument("--only", nargs="*", default=[], metavar="TEXT", help="cases whose names hold one of these")
    parser.add_argument("--world", default="earth")
    parser.add_argument("--scale", type=float, default=1.0, help="of the pushes (default: 1)")
    parser.add_argument("--push-s", type=float, default=42.0, help="no push begins later (default: 42)")
    parser.add_argument("--seconds", type=float, help="of each run (default: the whole clip)")
    parser.add_argument("--setting", action="append", default=[], metavar="GROUP.NAME=VALUE")
    parser.add_argument("--repeat", action="store_true", help="let the clip go round")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--noise", type=float, default=0.0, help="of the start (default: none)")
    parser.add_argument("--takes", type=Path, help="keep the takes in this folder")
    parser.add_argument("--may-fall", type=float, default=0.0, help="share of the runs that may fall (default: 0)")
    args = parser.parse_args()
    runs = fell = 0
    for clip in args.clips:
        shot = Shot(world=load_world(args.world), follow=Follow(str(clip), repeat=args.repeat), controller="follow",
                    until_end=args.seconds is None, duration_s=args.seconds or Shot().duration_s, seed=args.seed,
                    noise=args.noise, gains=read_settings(args.setting) or None)
        for case in cases(args.scale, args.push_s):
            if case.kind not in args.kinds or (args.only and not any(text in case.name for text in args.only)):
                continue
            name, start_s = f"{clip.stem} {args.world} {case.name}", time.process_time()
            runs += 1
            try:
                take = run(case, shot)
            except LopeError as error:
                print(f"{name:56} refused: {error}", flush=True)
                fell += 1
                continue
            fell += take.fell or take.lost is not None
            print(row(name, take, time.process_time() - start_s), flush=True)
            if args.takes:
                args.takes.mkdir(parents=True, exist_ok=True)
                take.save(args.takes / f"{name.replace(' ', '-').replace('%', '')}.npz")
    print(f"{runs - fell} of {runs} followed to the end")
    return 1 if fell > args.may_fall * runs else 0


if __name__ == "__main__":
    sys.exit(main())
