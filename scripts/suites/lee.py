# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the controller lee goes along clips: clips by worlds, a line each, with the gains that are stored for them; with
--layers each of its layers is switched off in turn. Fails where a clip falls, or where it loses no step without one of the layers
that it cannot do without.

    scripts/check lee CLIP.bvh|FOLDER ... [--only TEXT ...] [--worlds earth moon ...] [--engine ideal] [--layers]
                      [--seeds 1] [--noise 0.03] [--setting GROUP.NAME=VALUE ...] [--takes FOLDER]
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from lope.addon.errors import LopeError
from lope.addon.locomotion.motion_gains import stored_file
from lope.addon.locomotion.settings import read_settings
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions.clip import Follow
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world

NEEDED = ("synchronisation", "stance_hip", "swing_hip", "stance_ankle")
"""Layers without which the walk has to lose steps; without the others it may only look worse (Lee 2014, 3.4)."""
LAYERS = (*NEEDED, "swing_height", "foot_level", "reference_acceleration")


def clips_of(places: list[Path], only: list[str]) -> list[Path]:
    """The clips of some files and folders whose names hold one of some texts."""
    found = [clip for place in places for clip in (sorted(place.glob("*.bvh")) if place.is_dir() else [place])]
    return [clip for clip in found if not only or any(text in clip.stem for text in only)]


def steps_of(take: Take) -> int:
    """Steps that were done before the fall: of a body that is falling, the foot that comes down is no step."""
    end = take.stats["time_fell_s"]
    times = take.plan_footstep_time_s
    return int((times < (np.inf if end is None else end - FALLING_S)).sum())


FALLING_S = 0.5
"""How long a fall takes, about, until it counts as one."""


def row(name: str, take: Take, cpu_s: float) -> str:
    """One run in a line."""
    fell = take.stats["time_fell_s"]
    error, off_m = (take.channels[f"follow_{what}"].values for what in ("joint_error_deg", "com_off_plan_m"))
    end = f"fell {fell:5.2f} of {take.shot.duration_s:5.2f} s" if fell is not None else "lost" if take.lost else "stands"
    timing = take.stats["touchdown_timing_ms_median"] or 0.0
    return (f"{name:46} {end:22} steps {steps_of(take):2d}  followed {take.stats['followed_fraction']:4.0%}  "
            f"joints {np.sqrt(np.mean(error**2)):4.1f} deg  com {100 * off_m.mean():5.1f} cm  timing {timing:4.0f} ms  "
            f"torque {np.abs(take.torque_nm).max():5.0f} N m  {cpu_s / max(take.time_s[-1], 1e-9):4.2f} s/s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=Path, nargs="+")
    parser.add_argument("--only", nargs="*", default=[], metavar="TEXT", help="clips whose names hold one of these")
    parser.add_argument("--worlds", nargs="*", default=["earth"])
    parser.add_argument("--engine", default="ideal")
    parser.add_argument("--layers", action="store_true", help="also without each of its layers")
    parser.add_argument("--seeds", type=int, default=1, help="runs of each; the first has no noise (default: 1)")
    parser.add_argument("--noise", type=float, default=0.03, help="noise of the others' start (default: 0.03)")
    parser.add_argument("--slope", type=float, default=0.0, help="degrees")
    parser.add_argument("--setting", action="append", default=[], metavar="GROUP.NAME=VALUE")
    parser.add_argument("--takes", type=Path, help="keep the takes in this folder")
    args = parser.parse_args()
    ground = GroundSpec(kind="slope", slope_deg=args.slope) if args.slope else GroundSpec()
    failed = []

    def run(clip: Path, world: str, seed: int, more: list[str], words: str) -> int | None:
        """Steps of one run; prints its line. None where the clip is refused."""
        place = load_world(world)
        shot = Shot(world=type(place)(place.name, place.gravity_m_s2, place.friction, ground), follow=Follow(str(clip)),
                    controller="lee", until_end=True, engine=args.engine, seed=seed, noise=args.noise if seed else 0.0,
                    gains=read_settings([*args.setting, *more]) or None)
        start_s = time.process_time()
        try:
            take = simulate(shot)
        except LopeError as error:
            print(f"{words:46} refused: {error}", flush=True)
            failed.append(words)
            return None
        print(row(words, take, time.process_time() - start_s), flush=True)
        if (take.fell or take.lost is not None) and not more:
            failed.append(words)
        if args.takes:
            args.takes.mkdir(parents=True, exist_ok=True)
            take.save(args.takes / f"{words.replace(' ', '-')}.npz")
        return steps_of(take)

    for clip in clips_of(args.clips, args.only):
        own = "" if stored_file("lee", clip) else " (general gains)"
        for world in args.worlds:
            for seed in range(args.seeds):
                whole = run(clip, world, seed, [], f"{clip.stem}{own} {world} {seed}")
                for layer in LAYERS if args.layers and whole is not None else ():
                    steps = run(clip, world, seed, [f"lee.{layer}=0"], f"{clip.stem} {world} {seed} -{layer}")
                    if layer in NEEDED and steps is not None and steps >= (whole or 0):
                        failed.append(f"{clip.stem} does without {layer}")
    print("failed: " + ", ".join(failed) if failed else "all stood")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
