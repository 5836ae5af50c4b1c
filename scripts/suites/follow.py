# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether clips are followed to their ends: clips by worlds by seeds, a line each. Fails where more than `--may-fall` of them
fall.

    scripts/check follow CLIP.bvh|FOLDER ... [--only TEXT ...] [--worlds earth moon ...] [--seeds 3] [--noise 0.02]
                         [--takes FOLDER] [--flights]
    scripts/check follow PRESSURE.npz ... --database DB.npz [--worlds earth moon ...]

With `--flights` a second line tells of flights of 0.1 s and more: their times over 2 v / g, how far momentum and angular momentum
are kept in them, and how deep soles are in the ground at worst; what is more than 1 % or 5 mm off is marked with a !.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from lope.addon.errors import LopeError
from lope.addon.locomotion.settings import read_settings
from lope.addon.reports.feet import depths_m, flights, momentum_change
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions.clip import Follow
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world

WORLDS = ("earth", "moon", "mars", "jupiter")
LEAST_FLIGHT_S = 0.1
"""Shorter moments in the air are a foot's chatter on the ground."""
MOST_PERCENT, MOST_MM = 1.0, 5.0
"""What a flight may be off free fall and a kept momentum, and how deep a sole may be."""


def clips_of(places: list[Path], only: list[str]) -> list[Path]:
    """The clips of some files and folders whose names hold one of some texts."""
    found = [clip for place in places for clip in (sorted(place.glob("*.bvh")) if place.is_dir() else [place])]
    return [clip for clip in found if not only or any(text in clip.stem for text in only)]


def row(name: str, take: Take, cpu_s: float) -> str:
    """One run in a line."""
    fell, rows = take.stats["time_fell_s"], slice(None)
    error = take.channels["follow_joint_error_deg"].values[rows]
    off_m = take.channels["follow_com_off_plan_m"].values[rows]
    weight = take.body.mass_kg * take.shot.world.gravity_m_s2
    fz = take.grf_n[1:, :, 2].sum(axis=1).mean() / weight if len(take.time_s) > 1 else np.nan
    end = f"fell {fell:6.2f} of {take.shot.duration_s:6.2f} s" if fell is not None else "lost" if take.lost else "stands"
    timing = take.stats["touchdown_timing_ms_median"]
    return (f"{name:48} {end:26} followed {take.stats['followed_fraction']:4.0%}  joints {np.sqrt(np.mean(error**2)):4.1f} deg  "
            f"com {100 * off_m.mean():5.1f} cm  foot {100 * take.stats['foot_off_print_m_max']:5.1f} cm  "
            f"timing {0.0 if timing is None else timing:4.0f} ms  Fz {fz:5.3f}  {cpu_s / max(take.time_s[-1], 1e-9):5.2f} s/s")


def flown(take: Take) -> str:
    """The flights of one run in a line."""
    found = [flight for flight in flights(take) if flight.duration_s >= LEAST_FLIGHT_S]
    off = max((abs(flight.over_ballistic - 1.0) for flight in found), default=0.0)
    changes = [change for flight in found if (change := momentum_change(take, flight)) is not None]
    linear, angular = (max((change[i] for change in changes), default=0.0) for i in (0, 1))
    deep_m = float(depths_m(take).max())
    told = ", ".join(f"{flight.duration_s:.2f}" for flight in found)
    return (f"    {len(found)} flights ({told} s): time {_marked(100 * off, MOST_PERCENT)} % off 2 v / g  "
            f"momentum {_marked(100 * linear, MOST_PERCENT)} %  angular {_marked(100 * angular, MOST_PERCENT)} %  "
            f"soles {_marked(1e3 * deep_m, MOST_MM)} mm deep")


def _marked(value: float, most: float) -> str:
    return f"{value:.1f}{'!' if value > most else ''}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=Path, nargs="+")
    parser.add_argument("--database", metavar="DB.npz", help="the motions by which pressure is read, in place of clips")
    parser.add_argument("--only", nargs="*", default=[], metavar="TEXT", help="clips whose names hold one of these")
    parser.add_argument("--worlds", nargs="*", default=WORLDS)
    parser.add_argument("--seeds", type=int, default=1, help="runs of each; the first has no noise (default: 1)")
    parser.add_argument("--noise", type=float, default=0.02, help="noise of the others' start (default: 0.02)")
    parser.add_argument("--engine", default="mujoco")
    parser.add_argument("--slope", type=float, default=0.0, help="degrees")
    parser.add_argument("--flight", default=Follow.flight)
    parser.add_argument("--time", default="planet")
    parser.add_argument("--setting", action="append", default=[], metavar="GROUP.NAME=VALUE")
    parser.add_argument("--flights", action="store_true", help="tell of flights, too")
    parser.add_argument("--takes", type=Path, help="keep the takes in this folder")
    parser.add_argument("--may-fall", type=float, default=0.05, help="share of the runs that may fall (default: 0.05)")
    args = parser.parse_args()
    ground = GroundSpec(kind="slope", slope_deg=args.slope) if args.slope else GroundSpec()
    runs = fell = 0
    for clip in clips_of(args.clips, args.only):
        for world in args.worlds:
            for seed in range(args.seeds):
                place = load_world(world)
                follow = Follow(str(clip), flight=args.flight, time=args.time, database=args.database)
                shot = Shot(world=type(place)(place.name, place.gravity_m_s2, place.friction, ground), follow=follow,
                            controller="follow", until_end=True, engine=args.engine, seed=seed, noise=args.noise if seed else 0.0,
                            gains=read_settings(args.setting) or None)
                name, start_s = f"{clip.stem} {world} {seed}", time.process_time()
                runs += 1
                try:
                    take = simulate(shot)
                except LopeError as error:
                    print(f"{name:48} refused: {error}", flush=True)
                    fell += 1
                    continue
                fell += take.fell or take.lost is not None
                print(row(name, take, time.process_time() - start_s), flush=True)
                if args.flights:
                    print(flown(take), flush=True)
                if args.takes:
                    args.takes.mkdir(parents=True, exist_ok=True)
                    take.save(args.takes / f"{name.replace(' ', '-')}.npz")
    print(f"{runs - fell} of {runs} followed to the end")
    return 1 if fell > args.may_fall * runs else 0


if __name__ == "__main__":
    sys.exit(main())
