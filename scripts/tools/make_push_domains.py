# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure what pushes the standing controller takes under each gravity, and keep it as `presets/push_domains/WORLD.json`.

    scripts/tools/make_push_domains.py [--worlds moon mars earth jupiter] [--directions 16] [--most 1.6] [--step 0.1333]
                              [--picture FILE.png] [--only-picture]

Pushes of 0.2 s at the chest, as impulse over mass in steps [m/s on Earth], from the left half of so many directions (the right
half is its mirror image; a check of that is `scripts/check standing map`). Speeds go with the root of gravity over Earth's, times
with its inverse. After two falls in a row harder pushes of a direction are not tried. The picture has the domains of all worlds
that are kept, over the Froude number.
"""

from __future__ import annotations

from lope.scripts.tools.common import parser_of

# isort: split
import argparse
import json
import math
import sys

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.files import write_whole
from lope.addon.gaits.push_domain import FOLDER, FORMAT, STRATEGIES, measured
from lope.addon.reports.plots import need_matplotlib, png
from lope.addon.sim.simulation import simulate
from lope.addon.specs.motions import Stand
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Push, Shot, World
from lope.addon.worlds.planets import load_world

START_S, PUSH_S, AFTER_S, FALLS_IN_A_ROW = 0.5, 0.2, 6.0, 2


def outcome(world: World, slow: float, speed_m_s: float, degrees: float) -> str:
    """One push: the steps taken as a digit, or x."""
    push_s = round(PUSH_S * slow, 3)
    force = Shot().body.mass_kg * speed_m_s / push_s
    way = force * complex(math.cos(math.radians(degrees)), math.sin(math.radians(degrees)))
    take = simulate(
        Shot(
            motion=Stand(),
            world=world,
            pushes=(Push(START_S, push_s, (way.real, way.imag, 0.0)),),
            duration_s=round(START_S + AFTER_S * slow, 2),
        )
    )
    return "x" if take.fell else str(min(take.stats["steps_taken"], 9))


def row(world: World, slow: float, speeds: list[float], degrees: float) -> str:
    """All pushes from one direction."""
    found = ""
    for speed in speeds:
        found += "x" if found.endswith("x" * FALLS_IN_A_ROW) else outcome(world, slow, speed, degrees)
    print(f"{world.name} {degrees:5.1f}: {found}", flush=True)
    return found


def measure(name: str, args: argparse.Namespace) -> None:
    """The map of one world, to its file."""
    world, count = load_world(name), args.directions
    slow = math.sqrt(EARTH_GRAVITY_M_S2 / world.gravity_m_s2)
    speeds = [round(k * args.step / slow, 4) for k in range(1, 1 + round(args.most / args.step))]
    half = [row(world, slow, speeds, 360.0 * k / count) for k in range(count // 2 + 1)]
    outcomes = half + half[1:-1][::-1]
    data = {"format": FORMAT, "world": name, "gravity_m_s2": world.gravity_m_s2,
            "leg_m": round(make_body(Shot().body).leg_length_m, 4), "push_s": round(PUSH_S * slow, 3),
            "directions_deg": [360.0 * k / count for k in range(count)], "speeds_m_s": speeds, "outcomes": outcomes,
            "source": "scripts/tools/make_push_domains.py, the standard body, feet beside each other"}
    FOLDER.mkdir(exist_ok=True)
    lines = ",\n".join(f' "{key}": {json.dumps(value)}' for key, value in data.items())
    write_whole(FOLDER / f"{name}.json", "{\n" + lines + "\n}\n", "push domain")


def main() -> int:
    """Measure, write and draw."""
    parser = parser_of(__doc__)
    parser.add_argument("--worlds", nargs="+", default=["moon", "mars", "earth", "jupiter"], metavar="NAME")
    parser.add_argument("--directions", type=int, default=16, metavar="N")
    parser.add_argument("--most", type=float, default=1.6, metavar="M/S")
    parser.add_argument("--step", type=float, default=round(0.4 / 3.0, 4), metavar="M/S")
    parser.add_argument("--picture", metavar="FILE.png")
    parser.add_argument("--only-picture", action="store_true")
    args = parser.parse_args()
    if args.directions % 2:
        parser.error("the number of directions must be even")
    for name in [] if args.only_picture else args.worlds:
        measure(name, args)
    if args.picture:
        draw_domains(args.picture)
    return 0


COLOURS = ("#2c7fb8", "#41b6c4", "#a1dab4", "#ffeda0")


def draw_domains(path: str) -> None:
    """A dial a world, ahead at the top, with one scale: impulse over mass, over sqrt(g leg)."""
    need_matplotlib()
    from matplotlib.figure import Figure

    maps = measured()
    figure = Figure(figsize=(3.3 * len(maps), 4.0))
    axes = figure.subplots(1, len(maps), subplot_kw={"projection": "polar"}, squeeze=False)
    most = max(float(d.limits_m_s.max()) / math.sqrt(p.gravity_m_s2 * p.leg_m) for p, d in maps)
    for axis, (preset, domain) in zip(axes[0], maps, strict=True):
        unit = math.sqrt(preset.gravity_m_s2 * preset.leg_m)
        axis.set_theta_zero_location("N")
        round_ = np.append(domain.directions_rad, math.tau)
        for k in range(len(STRATEGIES) - 1, -1, -1):
            edge = domain.limits_m_s[k] / unit
            axis.fill(round_, np.append(edge, edge[0]), color=COLOURS[k], label=STRATEGIES[k], linewidth=0)
        axis.set_ylim(0.0, 1.05 * most)
        rings = np.linspace(0.0, most, 5)[1:]
        axis.set_yticks(rings, [f"{ring * unit:.2g}" for ring in rings], fontsize=7)
        axis.set_xticks(np.radians((0, 90, 180, 270)), ("ahead", "left", "back", "right"), fontsize=8)
        axis.set_title(f"{preset.world.capitalize()}, {preset.gravity_m_s2:.3g} m/s²\nimpulse over mass [m/s]", fontsize=9)
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles[::-1], labels[::-1], loc="lower center", ncols=len(labels), fontsize=9, frameon=False)
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    write_whole(path, png(figure), "picture")


if __name__ == "__main__":
    sys.exit(main())
