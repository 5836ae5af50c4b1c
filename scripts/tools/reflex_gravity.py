#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What gait does effort choose under other gravities? Search reflex walkers whose speed nobody asks for; draw what they come to.

    scripts/reflex_gravity search --from slow_walk --out FOLDER [--generations 40]    world by world; goes on where it was stopped
    scripts/reflex_gravity draw FOLDER --picture docs/pictures/reflex-gravity.png

Each world begins with the walker of a world before, scaled to its gravity (addon/controllers/reflex/scaling.py), so at the
Froude-similar speed. The objective is metabolic energy a metre and no fall (addon/controllers/reflex/effort.py). Beside it stands
what was measured on people; each point says by whom and by what means, since harness, treadmill and parabola are different
experiments.
"""

import argparse
import json
import math
import sys
from pathlib import Path

import own_python

try:
    from lope.addon.controllers.reflex.scaling import scaled
    from lope.addon.controllers.reflex.walkers import load_walker, read_walker
    from lope.addon.errors import LopeError
    from lope.addon.progress import Progress
    from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, World
    from lope.addon.tuning.reflex import ReflexProblem, tune_reflex
    from lope.addon.tuning.search import SearchSettings
except ImportError as absent:
    own_python.start_again(absent)

STAGES = (("earth", 9.81, None), ("0.55g", 5.4, "earth"), ("mars", 3.71, "0.55g"), ("1.25g", 12.26, "earth"),
          ("1.5g", 14.715, "1.25g"), ("0.25g", 2.45, "mars"), ("moon", 1.62, "0.25g"))
"""Name, gravity and what each begins with, in the order of the search. Scaled from Earth a walker stands unsearched from 0.55 to
1.2 g; further off it is led there by halfway stages, as Wang et al. lead theirs from speed to speed."""
BETWEEN = ("0.55g", "1.25g", "0.25g")
"""Stages that are halfway, with half of the generations."""
SPEED, COST, RATIO = "speed_m_s", "cost_j_kg_m", "cost_over_earth"
PEOPLE = (
    (SPEED, 1.0, 1.30, "people on Earth, of their own choice"),
    (SPEED, 0.4, 0.94, "parabolic flight, best exchange of energies\n(Cavagna, Willems and Heglund 1998)"),
    (SPEED, 0.165, 0.6, "Apollo crews, suited, walking (secondary source)"),
    (COST, 1.0, 3.3, "people on Earth, gross, at 1.3 m/s"),
    (COST, 0.165, 2.0, "suspended, running and skipping\n(Pavei, Biancardi and Minetti 2015)"),
    (RATIO, 0.25, 0.67, "harness on the trunk, walking, equal speed\n(Farley and McMahon 1992)"),
    (RATIO, 0.25, 0.28, "the same, running"),
)
"""What was measured on people: quantity, gravity over Earth's, value, by whom and how."""


def search(options: argparse.Namespace) -> None:
    """World by world; one whose walker is written and has as many generations is done."""
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    for name, gravity, before in STAGES:
        generations = options.generations // 2 if name in BETWEEN else options.generations
        report = folder / f"{name}.report.json"
        if report.is_file() and json.loads(report.read_text(encoding="utf-8"))["generations"] >= generations:
            continue
        start = load_walker(options.start) if before is None else read_walker(folder / f"{before}.json")
        problem = ReflexProblem(World(name if name in ("earth", "mars", "moon") else "custom", gravity), None,
                                scaled(start.parameters, gravity, start.gravity_m_s2))
        progress = Progress(sys.stderr, False)
        try:
            found = tune_reflex(problem, SearchSettings(generations, options.population, options.sigma, 1),
                                out=folder / f"{name}.json", checkpoint=folder / f"{name}.checkpoint.json", resume=True,
                                callback=progress, keep=True,
                                source=f"scripts/reflex_gravity: least metabolic energy a metre under {gravity:g} m/s^2, "
                                f"from {start.name}")
        finally:
            progress.close()
        report.write_text(json.dumps(found.report, indent=1), encoding="utf-8")
        print(f"{name}: {found.report['speed_m_s']:.2f} m/s, {found.report['trial']}")
        if found.stopped:
            return


def rows(folder: Path) -> list[dict]:
    """What is known of each world that was searched: gravity, speed, Froude number, cost, step length, time stood."""
    out = []
    for name, gravity, _ in STAGES:
        path = folder / f"{name}.json"
        if path.is_file():
            walker = read_walker(path)
            trial = walker.trial
            out.append({"world": name, "gravity": gravity / EARTH_GRAVITY_M_S2, "speed_m_s": walker.speed_m_s,
                        "froude": walker.speed_m_s**2 / (gravity * 0.8838), "stride_frequency_hz": walker.stride_frequency_hz,
                        "step_length_m": trial.step_length_m, "cost_j_kg_m": trial.cost_of_transport_j_kg_m,
                        "stood_s": trial.stood_s, "asked_s": trial.asked_s})
    return out


def draw(options: argparse.Namespace) -> None:
    """The figure and a table."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    found = sorted(rows(Path(options.folder)), key=lambda row: row["gravity"])
    print("| world | g | speed m/s | Froude | stride Hz | step m | J/kg/m | stood s |\n|---|---|---|---|---|---|---|---|")
    for row in found:
        print(f"| {row['world']} | {row['gravity']:.3f} | {row['speed_m_s']:.2f} | {row['froude']:.2f} | "
              f"{row['stride_frequency_hz']:.2f} | {row['step_length_m']:.2f} | {row['cost_j_kg_m']:.2f} | {row['stood_s']:g} |")
    panels = {SPEED: "speed [m/s]", COST: "metabolic cost, gross [J/kg/m]", RATIO: "the same over that on Earth",
              "step_length_m": "step length [m]"}
    figure, axes = plt.subplots(1, len(panels), figsize=(16, 5.6))
    earth = next((row for row in found if row["world"] == "earth"), None)
    for row in found:
        row[RATIO] = row[COST] / earth[COST] if earth else math.nan
    standing = [row for row in found if row["stood_s"] >= row["asked_s"] - 0.05]
    fallen = [row for row in found if row not in standing]
    for axis, (key, label) in zip(axes, panels.items(), strict=True):
        axis.plot([row["gravity"] for row in found], [row[key] for row in found], "--", color="0.6", zorder=1)
        axis.scatter([row["gravity"] for row in standing], [row[key] for row in standing], color="tab:blue", zorder=3,
                     label="reflex walkers, speed left to effort")
        if fallen:
            axis.scatter([row["gravity"] for row in fallen], [row[key] for row in fallen], facecolors="none",
                         edgecolors="tab:blue", zorder=3, label="the same, fell in its trial of 20 s")
        if earth and key == SPEED:
            curve = [0.05 + 0.05 * k for k in range(31)]
            axis.plot(curve, [earth[SPEED] * math.sqrt(x) for x in curve], color="0.8", label="dynamic similarity")
        for k, (_, gravity, value, who) in enumerate(one for one in PEOPLE if one[0] == key):
            axis.scatter([gravity], [value], marker="^", color=f"C{k + 1}", zorder=4, label=who)
        axis.set(xlabel="gravity [g]", ylabel=label, xlim=(0.0, 1.6), ylim=(0.0, None))
        axis.grid(alpha=0.3)
        axis.legend(fontsize=7.5, loc="upper left", bbox_to_anchor=(0.0, -0.16), frameon=False)
    figure.tight_layout()
    figure.savefig(options.picture, dpi=80)


def main() -> int:
    """Exit code 2 for bad input."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    searching = verbs.add_parser("search")
    searching.add_argument("--from", dest="start", default="slow_walk", help="the walker to begin with, a name or a file")
    searching.add_argument("--out", required=True, help="folder of walkers, checkpoints and reports")
    searching.add_argument("--generations", type=int, default=40)
    searching.add_argument("--population", type=int, default=14)
    searching.add_argument("--sigma", type=float, default=0.3)
    drawing = verbs.add_parser("draw")
    drawing.add_argument("folder")
    drawing.add_argument("--picture", default="reflex-gravity.png")
    options = parser.parse_args()
    try:
        search(options) if options.verb == "search" else draw(options)
    except LopeError as error:
        print(f"reflex_gravity: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
