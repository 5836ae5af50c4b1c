#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How a reflex walker comes to go with weak muscles, and without what was left out of it (Wang et al. 2012, section 6).

    scripts/reflex_weakness search --from walk --out FOLDER [--generations 30]    case by case; goes on where it was stopped
    scripts/reflex_weakness table FOLDER                                              the table, as Markdown

Every case is the same search from the same walker for the same speed; the first has nothing changed, and is what others are
compared with.
"""

import argparse
import json
import sys
from pathlib import Path

import own_python

try:
    import numpy as np

    from lope.addon.controllers.reflex.law import ReflexLaw
    from lope.addon.controllers.reflex.parameters import named
    from lope.addon.controllers.reflex.search import Plan
    from lope.addon.controllers.reflex.walkers import load_walker, read_walker
    from lope.addon.errors import LopeError
    from lope.addon.progress import Progress
    from lope.addon.reports.norms import joint_angles
    from lope.addon.reports.strides import end_of_walking_s, strikes_s
    from lope.addon.specs.condition import Change, Condition, scaled
    from lope.addon.specs.reflex import Walker
    from lope.addon.specs.shot import World
    from lope.addon.take import Take
    from lope.addon.tuning.reflex import ReflexProblem, ReflexSearch, trial_take, tune_reflex
    from lope.addon.tuning.search import SearchSettings
except ImportError as absent:
    own_python.start_again(absent)


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


def search(options: argparse.Namespace) -> None:
    """Case by case; one that has as many generations is done."""
    folder, start = Path(options.out), load_walker(options.start)
    folder.mkdir(parents=True, exist_ok=True)
    for name, changed in CASES.items():
        if options.case and name not in options.case:
            continue
        report = folder / f"{name}.report.json"
        if report.is_file() and json.loads(report.read_text(encoding="utf-8"))["generations"] >= options.generations:
            continue
        begin = folder / f"{name}.begin.json"
        if not begin.is_file():
            begin.write_text(json.dumps(led_there(start, changed, options)), encoding="utf-8")
        problem = ReflexProblem(World(), start.speed_m_s, json.loads(begin.read_text(encoding="utf-8")), **changed)
        progress = Progress(sys.stderr, False)
        try:
            found = tune_reflex(problem, SearchSettings(options.generations, options.population, options.sigma, 1),
                                out=folder / f"{name}.json", checkpoint=folder / f"{name}.checkpoint.json", resume=True,
                                callback=progress, keep=True, source=f"scripts/reflex_weakness: {name}, from {start.name}")
        finally:
            progress.close()
        report.write_text(json.dumps(found.report, indent=1), encoding="utf-8")
        print(f"{name}: {found.report['speed_m_s']:.2f} m/s, {found.report['trial']}", flush=True)
        if found.stopped:
            return


def led_there(start: Walker, changed: dict, options: argparse.Namespace) -> dict[str, float]:
    """The parameters with which a case begins: those of a walker that was led there by weaker changes, since with the whole of it
    the first one falls at once."""
    parameters = start.parameters
    for amount in HALFWAY if "condition" in changed else ():
        part = {**changed, "condition": scaled(changed["condition"], amount)}
        stage = ReflexSearch(ReflexProblem(World(), start.speed_m_s, parameters, **part), Plan(
            max(2, options.generations // 3), options.population, STAGE_S, options.sigma))
        stage.go(lambda row, amount=amount: print(f"  {amount:g} of it: best {row['best']}, {row['stand']} stand", flush=True))
        parameters = named(stage.best)
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
    folder, head = Path(options.folder), None
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


def main() -> int:
    """Exit code 2 for bad input."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    searching = verbs.add_parser("search")
    searching.add_argument("--from", dest="start", default="walk", help="the walker to begin with, a name or a file")
    searching.add_argument("--out", required=True, help="folder of walkers, checkpoints and reports")
    searching.add_argument("--generations", type=int, default=30)
    searching.add_argument("--population", type=int, default=14)
    searching.add_argument("--sigma", type=float, default=0.4)
    searching.add_argument("--case", action="append", default=[], choices=list(CASES))
    showing = verbs.add_parser("table")
    showing.add_argument("folder")
    options = parser.parse_args()
    try:
        search(options) if options.verb == "search" else table(options)
    except LopeError as error:
        print(f"reflex_weakness: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
