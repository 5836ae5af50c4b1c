# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether who stands stays up: quiet standing, and pushes from all sides, as a table and as a map.

    scripts/check standing [quiet|leg|slope|map|steady ...] [--seconds 60] [--worlds earth ...] [--step 50] [--most 400]
                           [--directions 16] [--seeds 1] [--stance NAME=VALUE,...] [--height 1.8] [--mass 75]
                           [--engine mujoco] [--out FILE.json] [--picture FILE.png]

`quiet`: so many seconds (Earth's, longer where things fall slowly) with start noise: no step, and how far the body drifts; `leg`:
the same on one leg, 30 s at most; `slope`: on ten degrees, up, across and down, 30 s at most. `map`: pushes of
0.2 s at the chest in steps of so many newtons from so many directions, with force times mass over 75 kg and gravity over
Earth's, time over the root of that; of each whether it stood, with how many steps, how near the legs came, the ground's most
over m g, the fastest ankle [m/s] and the time from the push's beginning to the first lift [s] (`-`: none). `steady`: 80 % of
what a person stands, with another mass, shank, less friction, again and again. Exit code 1 where more than three in a hundred
of the map fall, or any of the others.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import replace

import numpy as np

from lope.addon.errors import LopeError
from lope.addon.files import write_whole, written_whole
from lope.addon.options.motions.stand import stance_from
from lope.addon.reports.feet import leg_gap_m
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions.stand import STAND
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Push, Shot, World
from lope.addon.worlds.planets import load_world

QUIET_S, SHORT_S, SLOPE_DEG = 60.0, 30.0, 10.0
AFTER_S, PUSHED_S, PUSH_S, NOISE = 6.0, 1.0, 0.2, 0.1
DRIFT_M, MAY_FALL, PASS_M, LIFT_M = 0.05, 0.03, -0.02, 0.015
"""Farthest that a quiet body goes; how many of a map may fall; how far capsules of the legs may be in one another; a foot in the
air whose ankle went so far is lifted."""
FACTORS = {0.0: 450.0, 90.0: 400.0, 180.0: 350.0}
"""Pushes [N] on 75 kg by direction of which `steady` takes 80 %."""


def shot(args: argparse.Namespace, world: World, **values) -> Shot:
    """A shot of somebody who stands."""
    return Shot(world=world, controller="standing", stand=stance_from(args.stance, STAND), engine=args.engine,
                body=BodySpec(height_m=args.height, mass_kg=args.mass), **values)


def scale(args: argparse.Namespace, world: World) -> tuple[float, float]:
    """Factors of forces, and of times."""
    ratio = world.gravity_m_s2 / EARTH_GRAVITY_M_S2
    return ratio * args.mass / 75.0, 1.0 / math.sqrt(ratio)


def pushed(args: argparse.Namespace, world: World, force_n: float, degrees: float, seed: int = 0) -> Take:
    """A take of one push."""
    force, slow = scale(args, world)
    way = force * force_n * complex(math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
    push = Push(PUSHED_S, round(PUSH_S * slow, 3), (way.real, way.imag, 0.0))
    return simulate(shot(args, world, pushes=(push,), duration_s=round(PUSHED_S + AFTER_S * slow, 2), seed=seed,
                         noise=NOISE if args.seeds > 1 else 0.0))


def still(args: argparse.Namespace, world: World, seconds: float, seed: int, words: str = "") -> bool:
    """Whether nobody steps or drifts while nothing happens; a line is printed."""
    _, slow = scale(args, world)
    take = simulate(shot(args, world, duration_s=round(seconds * slow, 1), noise=NOISE, seed=seed))
    off = 100.0 * np.hypot(*(take.com_m[:, :2] - take.com_m[0, :2]).T)
    feet = [take.segment_poses[0][:, take.body.index[foot.segment], :2] for foot in take.body.feet]
    slid = 100.0 * max(float(np.hypot(*(foot - foot[0]).T).max()) for foot in feet)
    print(f"{world.name:10} {words}seed {seed}, {args.engine}, {take.time_s[-1]:.0f} s: {'fell' if take.fell else 'stood'}, "
          f"{take.stats['steps_taken']} steps, COM at most {off.max():.1f} cm off, {np.std(off):.2f} cm deviation, feet "
          f"{slid:.1f} cm", flush=True)
    return not take.fell and take.stats["steps_taken"] == 0 and off.max() < 100.0 * DRIFT_M


def quiet(args: argparse.Namespace) -> tuple[int, int, float]:
    """Quiet standing on every world."""
    found = [still(args, load_world(name), args.seconds, seed) for name in args.worlds for seed in range(args.seeds)]
    return sum(found), len(found), 0.0


def leg(args: argparse.Namespace) -> tuple[int, int, float]:
    """On one leg."""
    found = []
    for side in "LR":
        there = argparse.Namespace(**{**vars(args), "stance": [*args.stance, f"leg={side}"]})
        found += [still(there, load_world(name), min(args.seconds, SHORT_S), seed, f"leg {side} ")
                  for name in args.worlds for seed in range(args.seeds)]
    return sum(found), len(found), 0.0


def slope(args: argparse.Namespace) -> tuple[int, int, float]:
    """On a slope."""
    found = []
    for towards in (0.0, 90.0, 180.0):
        ground = GroundSpec(kind="slope", slope_deg=SLOPE_DEG, direction_deg=towards)
        found += [still(args, replace(load_world(name), ground=ground), min(args.seconds, SHORT_S), seed, f"slope {towards:.0f} ")
                  for name in args.worlds for seed in range(args.seeds)]
    return sum(found), len(found), 0.0


def figures(take: Take) -> tuple[float, float, float | None]:
    """The ground's most over m g, the fastest ankle as measured [m/s], and the time from the push's beginning to the first lift
    of a foot that goes somewhere [s], None without one."""
    time_s, body = take.time_s, take.body
    ground = float(take.grf_n[:, :, 2].sum(axis=1).max()) / (body.mass_kg * take.shot.world.gravity_m_s2)
    after, fastest, lift = time_s > PUSHED_S, 0.0, math.inf
    for k, foot in enumerate(body.feet):
        ankle = take.segment_poses[0][:, body.index[foot.segment]]
        fastest = max(fastest, float(np.linalg.norm(np.gradient(ankle, time_s, axis=0), axis=1).max()))
        stood = ankle[np.searchsorted(time_s, PUSHED_S)]
        lifted = after & ~take.contact[:, k] & (np.linalg.norm(ankle - stood, axis=1) > LIFT_M)
        if lifted.any():
            lift = min(lift, float(time_s[lifted.argmax()]) - PUSHED_S)
    return ground, fastest, None if lift == math.inf else lift


def grid(args: argparse.Namespace) -> tuple[int, int, float]:
    """The map of every world."""
    good = tried = 0
    cells = []
    for name in args.worlds:
        world = load_world(name)
        for k in range(args.directions):
            degrees, row = 360.0 * k / args.directions, []
            for force in np.arange(args.step, args.most + 1e-9, args.step).tolist():
                for seed in range(args.seeds):
                    take = pushed(args, world, force, degrees, seed)
                    gap, stats = leg_gap_m(take), take.stats
                    ground, ankle, lift = figures(take)
                    good, tried = good + (not take.fell), tried + 1
                    row.append(f"{force:.0f} {'falls' if take.fell else stats['strategy']}"
                               f"{'' if gap > PASS_M else f' ({100 * gap:.0f} cm)'}"
                               f" [{ground:.1f} {ankle:.1f} {'-' if lift is None else f'{lift:.2f}'}]")
                    cells.append({"world": name, "force_n": force, "degrees": degrees, "seed": seed, "fell": take.fell,
                                  "strategy": stats["strategy"], "steps": stats["steps_taken"], "leg_gap_m": round(gap, 3),
                                  "ground_over_weight": round(ground, 2), "ankle_m_s": round(ankle, 2),
                                  "first_lift_s": None if lift is None else round(lift, 3)})
            print(f"{name} {degrees:5.1f}: {', '.join(row)}", flush=True)
    if args.out:
        write_whole(args.out, json.dumps(cells, indent=1) + "\n", "table")
    if args.picture:
        draw(cells, args.picture)
    return good, tried, MAY_FALL


def steady(args: argparse.Namespace) -> tuple[int, int, float]:
    """Robustness without change."""
    good = tried = 0
    for name in args.worlds:
        world = load_world(name)
        cases = {"as it is": (world, args.mass), "mass -5 %": (world, 0.95 * args.mass), "mass -10 %": (world, 0.9 * args.mass),
                 "friction 0.4": (replace(world, friction=0.4), args.mass)}
        for words, (there, mass) in cases.items():
            for degrees, force in FACTORS.items():
                body = argparse.Namespace(**{**vars(args), "mass": mass})
                force_n, _ = scale(args, world)
                take = pushed(body, there, 0.8 * force * force_n / scale(body, world)[0], degrees)
                good, tried = good + (not take.fell), tried + 1
                print(f"{name} {words}, {degrees:.0f} degrees: {'falls' if take.fell else 'stands'}", flush=True)
    return good, tried, 0.0


COLOURS = {"ankles": "#2c7fb8", "hips": "#41b6c4", "step": "#a1dab4", "steps": "#fecc5c"}


def draw(cells: list[dict], path: str) -> None:
    """The map as a picture: a polar dial a world, coloured by strategy, falls as crosses."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    worlds = list(dict.fromkeys(cell["world"] for cell in cells))
    figure, axes = plt.subplots(1, len(worlds), figsize=(4.6 * len(worlds), 4.8), subplot_kw={"projection": "polar"},
                                squeeze=False)
    for axis, world in zip(axes[0], worlds, strict=True):
        axis.set_theta_zero_location("N")
        for cell in (cell for cell in cells if cell["world"] == world):
            mark = {"marker": "x", "color": "#d7301f"} if cell["fell"] else {"marker": "o", "color": COLOURS[cell["strategy"]]}
            axis.scatter(math.radians(cell["degrees"]), cell["force_n"], s=42, **mark)
        axis.set_title(f"{world}: N on 75 kg, as on Earth", fontsize=9)
    for strategy, colour in COLOURS.items():
        axes[0][0].scatter([], [], color=colour, label=strategy)
    axes[0][0].scatter([], [], color="#d7301f", marker="x", label="falls")
    figure.legend(loc="lower center", ncols=5, fontsize=8, frameon=False)
    with written_whole(path, "picture") as partial:
        figure.savefig(partial, dpi=90)


CHECKS = {"quiet": quiet, "leg": leg, "slope": slope, "map": grid, "steady": steady}


def main() -> int:
    """Run the checks and print a line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checks", nargs="*", default=["quiet"], metavar="CHECK", help=f"of {', '.join(CHECKS)} (default: quiet)")
    parser.add_argument("--worlds", nargs="+", default=["earth"], metavar="NAME")
    parser.add_argument("--seconds", type=float, default=QUIET_S, metavar="S")
    parser.add_argument("--step", type=float, default=50.0, metavar="N")
    parser.add_argument("--most", type=float, default=400.0, metavar="N")
    parser.add_argument("--directions", type=int, default=16, metavar="N")
    parser.add_argument("--seeds", type=int, default=1, metavar="N")
    parser.add_argument("--stance", action="append", default=[], metavar="NAME=VALUE,...")
    parser.add_argument("--height", type=float, default=1.8, metavar="M")
    parser.add_argument("--mass", type=float, default=75.0, metavar="KG")
    parser.add_argument("--engine", default="mujoco", metavar="NAME")
    parser.add_argument("--out", metavar="FILE.json")
    parser.add_argument("--picture", metavar="FILE.png")
    args = parser.parse_args()
    unknown = set(args.checks) - set(CHECKS)
    if unknown:
        parser.error(f"there is no check named {', '.join(sorted(unknown))}")
    try:
        results = {name: CHECKS[name](args) for name in args.checks}
    except LopeError as error:
        parser.error(str(error))
    for name, (good, tried, _) in results.items():
        print(f"{name}: {good} of {tried}")
    return int(any(good < (1.0 - may) * tried for good, tried, may in results.values()))


if __name__ == "__main__":
    sys.exit(main())
