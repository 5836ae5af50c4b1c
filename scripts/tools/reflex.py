# SPDX-License-Identifier: GPL-3.0-or-later
"""Reflex walkers: led from speed to speed or gravity to gravity, gone with weak muscles, and presets of them.

    scripts/tools/reflex.py continue --from walk --out FOLDER --speeds 1.35 1.42 1.5 [--seconds 20]
    scripts/tools/reflex.py continue --from slow_walk --out FOLDER --gravities 11.3 12.3 13.7 14.7
    scripts/tools/reflex.py draw FILE.json ... --picture docs/pictures/reflex-gravity.png
    scripts/tools/reflex.py weakness search --out FOLDER [--from walk] [--generations 30]
    scripts/tools/reflex.py weakness table FOLDER
    scripts/tools/reflex.py preset FILE.json --name walk-1.0 --out presets/reflex [--speed 1.0] [--gravity 9.81] [--source "..."]

Searches go stage by stage, or case by case, and on where they were stopped. `continue`: each stage begins with the walker of the
one before, scaled to its gravity (addon/locomotion/reflex/controller.py), and ends as soon as one stands from all starts it is
judged from; where none does better than the start, the next stage begins with that. Under gravities nobody asks for a speed: the
objective is metabolic energy a metre and no fall (addon/search/reflex.py). `draw` puts beside it what was measured on
people; each point says by whom and by what means, since harness, treadmill and parabola are different experiments. `weakness`
(Wang et al. 2012, section 6): every case is the same search from the same walker for the same speed; the first has nothing
changed and is what others are compared with. `preset` tries what a search stored for 20 s on both engines, measures it and writes
its file; one that falls is not written.
"""

from __future__ import annotations

from lope.addon.files import write_whole, written_whole
from lope.scripts.tools.common import parser_of

# isort: split
import argparse
import json
import math
import sys
from dataclasses import fields, replace
from pathlib import Path

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.errors import LopeError
from lope.addon.gaits.tuned_maps import write_json
from lope.addon.locomotion.reflex.controller import scaled as scaled_walker
from lope.addon.locomotion.reflex.law import ReflexLaw
from lope.addon.locomotion.reflex.parameters import named
from lope.addon.locomotion.reflex.walkers import checked, load_walker, read_walker
from lope.addon.progress import Progress
from lope.addon.reports.norms import joint_angles
from lope.addon.reports.strides import end_of_walking_s, strikes_s
from lope.addon.search.reflex import DIGITS, TRIAL_S, ReflexProblem, ReflexTrials, Wish, measured_walker, trial_take, tune_reflex
from lope.addon.search.search import Plan, Run, Search
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Reflex, Walker, walker_file
from lope.addon.specs.muscles import Change, Condition, scaled
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, SAGITTAL, BodySpec, Push, Shot, World

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


def weak(target: str, share: float) -> Condition:
    """A group on both sides that has so much of its force."""
    return Condition(f"{target} x {share:g}", (Change("weak", target, "both", share),))


CASES = {
    "healthy": {},
    "plantar_flexors": {"condition": weak("plantar_flexors", 0.25)},
    "hamstrings": {"condition": weak("hamstrings", 0.25)},
    "vasti": {"condition": weak("vasti", 0.1)},
    "no_effort": {"wish": {"effort": 0.0}},
    "no_delays": {"change": ReflexLaw.feel_at_once},
}
SIGNS = {"healthy": "", "plantar_flexors": "crouch", "hamstrings": "straighter knee in stance (2 against 9 degrees)",
         "vasti": "quadriceps avoidance", "no_effort": "stiffer, dearer", "no_delays": "ankle torque too early, short steps"}
"""What Wang et al. saw."""
HALFWAY, STAGE_S = (0.4, 0.7, 0.9), 5.0
"""Shares of a weakness by which a walker is led to it, and how long those trials are [s]."""
SKIPPED_S, EARLY = 4.0, 0.4
"""What comes before is not measured; the part of the stance in which the knee gives way under the load."""


def continued(options: argparse.Namespace) -> None:
    """Stage by stage."""
    options.out.mkdir(parents=True, exist_ok=True)
    walker = load_walker(options.start)
    body = BodySpec(kind=SAGITTAL if options.planar else "human")
    for value in options.speeds or options.gravities:
        gravity, speed = (walker.gravity_m_s2, value) if options.speeds else (value, None)
        world = World() if gravity == EARTH_GRAVITY_M_S2 else World("custom", gravity)
        problem = ReflexProblem(world, speed, scaled_walker(walker.parameters, gravity, walker.gravity_m_s2), body,
                                wish=dict(options.wish), seconds=options.seconds, ends=not options.wish, kept=tuple(options.kept),
                                pushes=(Push(0.0, options.push[1], (options.push[0], 0.0, 0.0)),) if options.push else (),
                                starts=options.starts)
        stage = f"{value:g}"
        if found(options.out, stage) == 0 and searched(stage, problem, options.generations, options, (
                f"scripts/tools/reflex.py continue: {f'{speed:g} m/s' if speed else 'least energy a metre'} under "
                f"{gravity:g} m/s^2, from {walker.name}")):
            return
        walker = read_walker(options.out / f"{stage}.json")


def search_weaknesses(options: argparse.Namespace) -> None:
    """Case by case."""
    start = load_walker(options.start)
    options.out.mkdir(parents=True, exist_ok=True)
    for name, changed in CASES.items():
        if (options.case and name not in options.case) or found(options.out, name) >= options.generations:
            continue
        begin = options.out / f"{name}.begin.json"
        if not begin.is_file():
            write_whole(begin, json.dumps(led_there(start, changed, options)), "report")
        problem = ReflexProblem(World(), start.speed_m_s, json.loads(begin.read_text(encoding="utf-8")), **changed)
        if searched(name, problem, options.generations, options, f"scripts/tools/reflex.py weakness: {name}, from {start.name}"):
            return


def found(folder: Path, name: str) -> int:
    """The generations of a search that there is a report of."""
    report = folder / f"{name}.report.json"
    return json.loads(report.read_text(encoding="utf-8"))["generations"] if report.is_file() else 0


def searched(name: str, problem: ReflexProblem, generations: int, options: argparse.Namespace, source: str) -> bool:
    """Search a walker and write it with its report; whether the search was stopped."""
    progress = Progress(sys.stderr, False)
    try:
        run = Run(Plan(generations, options.population, options.sigma, 1), options.out / f"{name}.json",
                  options.out / f"{name}.checkpoint.json", resume=True, callback=progress, kept=True)
        done = tune_reflex(problem, run, source)
    finally:
        progress.close()
    write_whole(options.out / f"{name}.report.json", json.dumps(done.report, indent=1), "report")
    told = {key: done.report[key] for key in ("speed_m_s", "stood", "trial", "ended", "generations", "cpu_s")}
    print(f"{name}: {told}", flush=True)
    return done.stopped


def led_there(start: Walker, changed: dict, options: argparse.Namespace) -> dict[str, float]:
    """The parameters with which a case begins: those of a walker that was led there by weaker changes, since with the whole of it
    the first one falls at once."""
    parameters = start.parameters
    for amount in HALFWAY if "condition" in changed else ():
        part = {**changed, "condition": scaled(changed["condition"], amount)}
        plan = Plan(max(2, options.generations // 3), options.population, options.sigma, 1)
        trials = ReflexTrials(ReflexProblem(World(), start.speed_m_s, parameters, seconds=STAGE_S, noise=0.0, **part), plan)
        stage = Search(trials, plan)
        stage.go(lambda share, words, amount=amount: print(f"  {amount:g} of it: {words}", flush=True))
        parameters = named(trials.vectors(stage.x[None])[0])
    return dict(parameters)


def figures(take: Take) -> dict[str, float]:
    """Means over stances of both legs: knee flexion [deg] least and mean in stance and greatest in its early part; largest
    dorsiflexion; largest force of the vasti and of the calf over their own; hip flexion's mean."""
    found: dict[str, list[float]] = {name: [] for name in (
        "knee least", "knee early most", "knee mean", "dorsiflexion most", "trunk lean", "vasti kN", "calf kN")}
    force, names = take.channels["muscle_force"].values, take.stats["muscles"]
    for row, foot in enumerate(take.body.feet):
        angles = joint_angles(take.body, take.segment_poses[1], foot.side)
        for start in strikes_s(take, row):
            after = np.flatnonzero((take.time_s > start + 0.1) & ~take.contact[:, row])
            if start < SKIPPED_S or not len(after) or take.time_s[after[0]] > end_of_walking_s(take):
                continue
            rows = slice(int(np.searchsorted(take.time_s, start)), int(after[0]))
            knee = angles["knee"][rows]
            found["knee least"].append(knee.min())
            found["knee early most"].append(knee[:max(2, int(EARLY * len(knee)))].max())
            found["knee mean"].append(knee.mean())
            found["dorsiflexion most"].append(angles["ankle"][rows].max())
            found["trunk lean"].append(angles["pelvis"][rows].mean())
            found["vasti kN"].append(1e-3 * force[rows, names.index(f"vasti_{foot.side}")].max())
            found["calf kN"].append(1e-3 * max(force[rows, names.index(f"{calf}_{foot.side}")].max()
                                               for calf in ("soleus", "gastrocnemius")))
    return {name: float(np.mean(values)) if values else float("nan") for name, values in found.items()}


def table(options: argparse.Namespace) -> None:
    """A line a case."""
    folder, head = options.folder, None
    for name, changed in CASES.items():
        path = folder / f"{name}.json"
        if not path.is_file():
            continue
        walker = read_walker(path)
        found = figures(trial_take(ReflexProblem(World(), walker.speed_m_s, {}, **changed), walker))
        trial = walker.trial
        if head is None:
            head = list(found)
            print(f"| case | stood s | m/s | stride Hz | J/kg/m | {' | '.join(head)} | seen by Wang et al. |")
            print("|" + "---|" * (6 + len(head)))
        cells = [f"{found[key]:.1f}" for key in head]
        print(f"| {name} | {trial.stood_s:g} | {walker.speed_m_s:.2f} | {walker.stride_frequency_hz:.2f} | "
              f"{trial.cost_of_transport_j_kg_m:.2f} | {' | '.join(cells)} | {SIGNS[name]} |")


def rows(files: list[Path]) -> list[dict]:
    """What is known of each walker: gravity, speed, Froude number, cost, step length, time stood."""
    out = []
    for path in files:
        walker = read_walker(path)
        gravity, trial = walker.gravity_m_s2, walker.trial
        out.append({"world": path.stem, "gravity": gravity / EARTH_GRAVITY_M_S2, "speed_m_s": walker.speed_m_s,
                    "froude": walker.speed_m_s**2 / (gravity * 0.8838), "stride_frequency_hz": walker.stride_frequency_hz,
                    "step_length_m": trial.step_length_m, "cost_j_kg_m": trial.cost_of_transport_j_kg_m,
                    "stood_s": trial.stood_s, "asked_s": trial.asked_s})
    return out


def draw(options: argparse.Namespace) -> None:
    """The figure and a table."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    found = sorted(rows(options.files), key=lambda row: row["gravity"])
    print("| world | g | speed m/s | Froude | stride Hz | step m | J/kg/m | stood s |\n|---|---|---|---|---|---|---|---|")
    for row in found:
        print(f"| {row['world']} | {row['gravity']:.3f} | {row['speed_m_s']:.2f} | {row['froude']:.2f} | "
              f"{row['stride_frequency_hz']:.2f} | {row['step_length_m']:.2f} | {row['cost_j_kg_m']:.2f} | {row['stood_s']:g} |")
    panels = {SPEED: "speed [m/s]", COST: "metabolic cost, gross [J/kg/m]", RATIO: "the same over that on Earth",
              "step_length_m": "step length [m]"}
    figure, axes = plt.subplots(1, len(panels), figsize=(16, 5.6))
    earth = next((row for row in found if row["gravity"] == 1.0), None)
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
    with written_whole(options.picture, "picture") as partial:
        figure.savefig(partial, dpi=80)


def made(options: argparse.Namespace) -> Walker:
    """The walker, as it did on MuJoCo. Raises LopeError for one that fell there."""
    numbers = json.loads(options.file.read_text(encoding="utf-8"))["parameters"]
    parameters = {name: float(f"{value:.{DIGITS}g}") for name, value in numbers.items()}
    walker = checked(Walker(options.name, options.speed, 0.9, parameters, options.gravity, **(
        {"summary": options.summary} if options.summary else {})))
    world = World("earth" if options.gravity == EARTH_GRAVITY_M_S2 else "custom", options.gravity)
    body = BodySpec(kind=SAGITTAL if options.planar else "human")
    walker = replace(walker, leg_length_m=make_body(body).leg_length_m)
    for engine in ("mujoco",) if options.planar else ("pybullet", "mujoco"):
        take = simulate(Shot(motion=Reflex(walker), body=body, world=world, duration_s=options.seconds, engine=engine))
        print(f"{engine}: stood {end_of_walking_s(take):.2f} s, {take.com_m[-1, 0] / take.time_s[-1]:.2f} m/s from its start on")
    if take.fell:
        raise SystemExit("It fell: not written.")
    found = measured_walker(take, walker, options.source)
    print(f"{found.speed_m_s:.2f} m/s, {found.trial}")
    return found


def preset(options: argparse.Namespace) -> None:
    """Write the preset."""
    walker = made(options)
    options.out.mkdir(parents=True, exist_ok=True)
    write_json(options.out / f"{options.name}.json", walker_file(walker))


def searching(parser: argparse.ArgumentParser, generations: int, sigma: float) -> None:
    """The options of a search."""
    parser.add_argument("--from", dest="start", default="walk", help="the walker to begin with, a name or a file")
    parser.add_argument("--out", type=Path, required=True, help="folder of walkers, checkpoints and reports")
    parser.add_argument("--generations", type=int, default=generations)
    parser.add_argument("--population", type=int, default=14)
    parser.add_argument("--sigma", type=float, default=sigma)


def weighed(text: str) -> tuple[str, float]:
    """PART=WEIGHT. Raises ValueError for anything else, or a part of the cost that there is not."""
    part, _, weight = text.partition("=")
    if part not in {field.name for field in fields(Wish)} - {"speed_m_s", "apart_m"}:
        raise ValueError(part)
    return part, float(weight)


def options_of() -> argparse.Namespace:
    """The command line."""
    parser = parser_of(__doc__)
    subjects = parser.add_subparsers(required=True)
    one = subjects.add_parser("continue")
    searching(one, 40, 0.3)
    what = one.add_mutually_exclusive_group(required=True)
    what.add_argument("--speeds", type=float, nargs="+", metavar="M/S")
    what.add_argument("--gravities", type=float, nargs="+", metavar="M/S^2")
    one.add_argument("--seconds", type=float, help="of a trial")
    one.add_argument("--push", type=float, nargs=2, metavar=("N", "S"), help="of every trial, when and whereto as drawn")
    one.add_argument("--starts", type=int, default=1, help="trials of each walker in a generation, pushed in as many directions")
    one.add_argument("--planar", action="store_true")
    one.add_argument("--wish", type=weighed, nargs="+", default=[], metavar="PART=WEIGHT",
                     help="of the cost otherwise; then a stage takes all its generations")
    one.add_argument("--kept", nargs="+", default=[], metavar="NUMBER", help="stays as it is, with all whose names begin so")
    one.set_defaults(run=continued)
    one = subjects.add_parser("draw")
    one.add_argument("files", nargs="+", type=Path)
    one.add_argument("--picture", default="reflex-gravity.png")
    one.set_defaults(run=draw)
    weakness = subjects.add_parser("weakness").add_subparsers(required=True)
    one = weakness.add_parser("search")
    searching(one, 30, 0.4)
    one.add_argument("--case", action="append", default=[], choices=list(CASES))
    one.set_defaults(run=search_weaknesses)
    one = weakness.add_parser("table")
    one.add_argument("folder", type=Path)
    one.set_defaults(run=table)
    one = subjects.add_parser("preset")
    one.add_argument("file", type=Path)
    one.add_argument("--name", required=True)
    one.add_argument("--out", type=Path, required=True, help="folder")
    one.add_argument("--speed", type=float, default=1.25, help="that it was searched for [m/s]")
    one.add_argument("--gravity", type=float, default=EARTH_GRAVITY_M_S2)
    one.add_argument("--seconds", type=float, default=TRIAL_S)
    one.add_argument("--planar", action="store_true")
    one.add_argument("--summary", default="")
    one.add_argument("--source", default="")
    one.set_defaults(run=preset)
    return parser.parse_args()


def main() -> int:
    """Exit code 2 for bad input."""
    options = options_of()
    try:
        options.run(options)
    except LopeError as error:
        print(f"reflex: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
