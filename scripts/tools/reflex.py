# SPDX-License-Identifier: GPL-3.0-or-later
"""Reflex walkers: what gaits effort chooses under other gravities, how one goes with weak muscles, and presets of them.

    scripts/tools/reflex.py gravity search --out FOLDER [--from slow_walk] [--generations 40]
    scripts/tools/reflex.py gravity draw FOLDER --picture docs/pictures/reflex-gravity.png
    scripts/tools/reflex.py weakness search --out FOLDER [--from walk] [--generations 30]
    scripts/tools/reflex.py weakness table FOLDER
    scripts/tools/reflex.py preset FILE.json --name walk-1.0 --out presets/reflex [--speed 1.0] [--gravity 9.81] [--source "..."]

Searches go world by world, or case by case, and on where they were stopped. `gravity`: each world begins with the walker of
a world before, scaled to its gravity (addon/locomotion/reflex/controller.py), so at the Froude-similar speed;
nobody asks for one.
The objective is metabolic energy a metre and no fall (addon/search/reflex.py). Beside it stands what was measured on
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
from pathlib import Path

import numpy as np

from lope.addon.errors import LopeError
from lope.addon.gaits.tuned_maps import write_json
from lope.addon.locomotion.reflex.controller import scaled as scaled_walker
from lope.addon.locomotion.reflex.law import ReflexLaw
from lope.addon.locomotion.reflex.parameters import named
from lope.addon.locomotion.reflex.walkers import checked, load_walker, read_walker
from lope.addon.progress import Progress
from lope.addon.reports.norms import joint_angles
from lope.addon.reports.strides import end_of_walking_s, strikes_s
from lope.addon.search.reflex import DIGITS, TRIAL_S, ReflexProblem, ReflexTrials, measured_walker, trial_take, tune_reflex
from lope.addon.search.search import Plan, Run, Search
from lope.addon.sim.simulation import simulate
from lope.addon.sim.take import Take
from lope.addon.specs.motions import Reflex, Walker, walker_file
from lope.addon.specs.muscles import Change, Condition, scaled
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Shot, World

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


def search_gravities(options: argparse.Namespace) -> None:
    """World by world."""
    options.out.mkdir(parents=True, exist_ok=True)
    for name, gravity, before in STAGES:
        generations = options.generations // 2 if name in BETWEEN else options.generations
        if found(options.out, name) >= generations:
            continue
        start = load_walker(options.start or "slow_walk") if before is None else read_walker(options.out / f"{before}.json")
        problem = ReflexProblem(World(name if name in ("earth", "mars", "moon") else "custom", gravity), None,
                                scaled_walker(start.parameters, gravity, start.gravity_m_s2))
        if searched(name, problem, generations, options, f"scripts/tools/reflex.py gravity: least metabolic energy a metre under "
                    f"{gravity:g} m/s^2, from {start.name}"):
            return


def search_weaknesses(options: argparse.Namespace) -> None:
    """Case by case."""
    start = load_walker(options.start or "walk")
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
    print(f"{name}: {done.report['speed_m_s']:.2f} m/s, {done.report['trial']}", flush=True)
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

    found = sorted(rows(options.folder), key=lambda row: row["gravity"])
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
    with written_whole(options.picture, "picture") as partial:
        figure.savefig(partial, dpi=80)


def made(options: argparse.Namespace) -> Walker:
    """The walker, as it did on MuJoCo. Raises LopeError for one that fell there."""
    numbers = json.loads(options.file.read_text(encoding="utf-8"))["parameters"]
    parameters = {name: float(f"{value:.{DIGITS}g}") for name, value in numbers.items()}
    walker = checked(Walker(options.name, options.speed, 0.9, parameters, options.gravity, **(
        {"summary": options.summary} if options.summary else {})))
    world = World("earth" if options.gravity == EARTH_GRAVITY_M_S2 else "custom", options.gravity)
    for engine in ("pybullet", "mujoco"):
        take = simulate(Shot(motion=Reflex(walker), world=world, duration_s=options.seconds, engine=engine))
        found = measured_walker(take, walker, options.source)
        print(f"{engine}: stood {end_of_walking_s(take):.2f} s at {found.speed_m_s:.2f} m/s, {found.trial}")
    if take.fell:
        raise SystemExit("It fell: not written.")
    return found


def preset(options: argparse.Namespace) -> None:
    """Write the preset."""
    walker = made(options)
    options.out.mkdir(parents=True, exist_ok=True)
    write_json(options.out / f"{options.name}.json", walker_file(walker))


def searching(parser: argparse.ArgumentParser, generations: int, sigma: float) -> None:
    """The options of a search."""
    parser.add_argument("--from", dest="start", help="the walker to begin with, a name or a file")
    parser.add_argument("--out", type=Path, required=True, help="folder of walkers, checkpoints and reports")
    parser.add_argument("--generations", type=int, default=generations)
    parser.add_argument("--population", type=int, default=14)
    parser.add_argument("--sigma", type=float, default=sigma)


def options_of() -> argparse.Namespace:
    """The command line."""
    parser = parser_of(__doc__)
    subjects = parser.add_subparsers(required=True)
    gravity, weakness = (subjects.add_parser(name).add_subparsers(required=True) for name in ("gravity", "weakness"))
    one = gravity.add_parser("search")
    searching(one, 40, 0.3)
    one.set_defaults(run=search_gravities)
    one = weakness.add_parser("search")
    searching(one, 30, 0.4)
    one.add_argument("--case", action="append", default=[], choices=list(CASES))
    one.set_defaults(run=search_weaknesses)
    for verb in (gravity.add_parser("draw"), weakness.add_parser("table")):
        verb.add_argument("folder", type=Path)
        verb.set_defaults(run=table)
    gravity.choices["draw"].add_argument("--picture", default="reflex-gravity.png")
    gravity.choices["draw"].set_defaults(run=draw)
    one = subjects.add_parser("preset")
    one.add_argument("file", type=Path)
    one.add_argument("--name", required=True)
    one.add_argument("--out", type=Path, required=True, help="folder")
    one.add_argument("--speed", type=float, default=1.25, help="that it was searched for [m/s]")
    one.add_argument("--gravity", type=float, default=EARTH_GRAVITY_M_S2)
    one.add_argument("--seconds", type=float, default=TRIAL_S)
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
