# SPDX-License-Identifier: GPL-3.0-or-later
"""Search of a reflex walker from a walker that there is, or from Geyer and Herr's gains; a scan of a few numbers; a start that
is the walk's own; who stands.

    scripts/tools/search_reflex.py search NAME [--from FILE.json] [--speed 1.25] [--planar] [--only NUMBER ...]
                                          [--set NUMBER=VALUE ...]
    scripts/tools/search_reflex.py scan --from FILE.json --speed 1.25 on_HFL=.5,.7,.9 land_thigh=.1,.2
    scripts/tools/search_reflex.py begin --from FILE.json --out FILE.json [--planar] [--set NUMBER=VALUE ...]
    scripts/tools/search_reflex.py stand FILE.json ... [--seconds 20] [--starts 8] [--noise 0.03]

`search` writes NAME.checkpoint.json, NAME.log (a line of JSON a generation) and, each generation, NAME.json: the middle of what
it has come to, which stands where best samples do not. Begun again with the same NAME and options it goes on. With `--planar`
a body in the sagittal plane walks, which takes a seventh of the time. `scan` walks all combinations in one batch and tells the
cheapest; where a search of all numbers creeps, it finds steps of several at once. `begin` reads the numbers of the start off the
walk itself, just after it has landed on its left foot, tries some moments, and writes the walker that does best off noisy starts:
a walk that stands once it is under way often falls in its first steps. `stand` tells after how long each file's walker falls from
noisy starts, how fast it goes, and what it costs. All tell how many simulated seconds a processor second they took.
"""

from __future__ import annotations

from lope.scripts.tools.common import parser_of

# isort: split
import argparse
import itertools
import json
import math
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.files import read_json, write_whole
from lope.addon.locomotion.reflex.law import STANDARD_PACE_M_S, ReflexLaw, is_planar
from lope.addon.locomotion.reflex.parameters import HIGH, LOW, ORDER, START, named, vector_of
from lope.addon.locomotion.reflex.units import NAMES
from lope.addon.search.reflex import Judge, ReflexPopulation, ReflexProblem, ReflexTrials, Wish
from lope.addon.search.search import Plan, Search
from lope.addon.specs.shot import SAGITTAL, BodySpec, World


def begun(options: argparse.Namespace) -> dict[str, float]:
    """The numbers to begin with."""
    values = named(START) | (read_parameters(Path(options.start)) if options.start else {})
    for name, value in (text.split("=") for text in options.set):
        if name not in ORDER:
            raise SystemExit(f"There is no number {name} of the reflexes: see addon/locomotion/reflex/parameters.py.")
        values[name] = float(value)
    return values


def noisy(options: argparse.Namespace, degrees_of_freedom: int) -> np.ndarray:
    """Velocities (starts, nv) to add at the start, the first none."""
    noise = options.noise * np.random.default_rng(5).standard_normal((options.starts, degrees_of_freedom))
    noise[:, 3 if options.planar else 6:] *= 0.5
    noise[0] = 0.0
    return noise


def kind_of(options: argparse.Namespace) -> str:
    """The kind of body that walks."""
    return SAGITTAL if options.planar else "human"


def search(options: argparse.Namespace) -> None:
    """Search, and go on where a search of the name was."""
    kept = tuple(name for name in ORDER if name not in options.only) if options.only else ("begin_",)
    plan = Plan(options.generations, options.population, options.sigma, options.seed)
    trials = ReflexTrials(ReflexProblem(
        World(), options.speed, begun(options), BodySpec(kind=kind_of(options)), wish={"effort": options.effort},
        seconds=options.seconds, noise=options.noise, kept=kept), plan)
    out = Path(options.name)
    one = Search(trials, plan, checkpoint=out.with_suffix(".checkpoint.json"), resume=True)

    def told(share: float, words: str) -> None:
        row = json.dumps({name: value for name, value in one.log[-1].items() if name not in ("costs", "races")})
        print(row, flush=True)
        with out.with_suffix(".log").open("a", encoding="utf-8") as log:
            log.write(f"{row}\n")
        walker = {"format": 1, "name": out.stem, "problem": trials.stamp, "plan": asdict(plan), "generations": len(one.log),
                  "cpu_s": round(one.cpu_s, 1), "parameters": named(trials.vectors(one.mean[None])[0])}
        write_whole(out.with_suffix(".json"), json.dumps(walker, indent=1), "walker")

    one.go(told)


def scan(options: argparse.Namespace) -> None:
    """Walk all combinations; tell the cheapest."""
    axes = [(name, [float(v) for v in values.split(",")]) for name, values in (text.split("=") for text in options.axes)]
    values, body = begun(options), make_body(BodySpec(kind=kind_of(options)))
    grid = [dict(zip((name for name, _ in axes), one, strict=True)) for one in itertools.product(*(v for _, v in axes))]
    tries = np.repeat([vector_of(values | one) for one in grid], options.starts, axis=0)
    walked(body, grid, tries, options)


STEADY_S, STEP_S = 4.0, 0.3
"""From here on a walk is looked at; a foot lands no sooner after its last landing than this."""
LANDED, AHEAD = 0.05, 0.25
"""A left foot that carries this share of the weight, and is so far ahead of the right one [m], has landed."""
MOMENTS_S = (0.0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03)
"""After the landing, one of these is the start."""


def begin(options: argparse.Namespace) -> None:
    """Let a walker start as it is when it has just landed."""
    values, body = begun(options), make_body(BodySpec(kind=kind_of(options)))
    landed = landings(body, values, options)
    labels, tries = ["as before"], [values]
    for moment_s in MOMENTS_S:
        own = values | landed[moment_s]
        faster = own["begin_speed"] - values["begin_speed"]  # which is what land_speed counts from
        labels += [f"{1e3 * moment_s:g} ms", f"{1e3 * moment_s:g} ms, its speed as before"]
        tries += [own | {"land_thigh": own["land_thigh"] + own["land_speed"] * faster / STANDARD_PACE_M_S},
                  own | {"begin_speed": values["begin_speed"]}]
    vectors = np.clip([vector_of(one) for one in tries], LOW, HIGH)
    best = walked(body, labels, np.repeat(vectors, options.starts, axis=0), options)
    walker = {"format": 1, "name": Path(options.out).stem, "parameters": named(vectors[best])}
    write_whole(Path(options.out), json.dumps(walker, indent=1), "walker")


def landings(body, values: dict[str, float], options: argparse.Namespace) -> dict[float, dict[str, float]]:
    """The numbers of the start by moment: means over the landings of the walker that stands longest. Raises SystemExit for one
    that falls before its walk is steady."""
    told, landed = [], []

    def watch(law: ReflexLaw, qpos: np.ndarray, qvel: np.ndarray, force_n: np.ndarray, alive: np.ndarray) -> None:
        away = law.felt.away
        landed.append((law.load[:, 0] > LANDED) & (away[:, 1, 0] - away[:, 0, 0] > AHEAD))
        told.append(start_of(law, qvel))

    noise, population = noisy(options, body.degrees_of_freedom), ReflexPopulation(body, World(), options.starts)
    fallen_s = population.run(np.tile(vector_of(values), (options.starts, 1)), 2.5 * STEADY_S, noise=noise, watch=watch)
    which, step_s = int(np.argmax(fallen_s)), population.tick_s
    down = np.array(landed)[:, which]
    first, last = round(STEADY_S / step_s), round((fallen_s[which] - STEP_S) / step_s)
    rows = [k for k in np.flatnonzero(down[1:] & ~down[:-1]) + 1 if first < k < last]
    rows = [k for i, k in enumerate(rows) if i == 0 or k - rows[i - 1] > STEP_S / step_s]
    if not rows:
        raise SystemExit(f"It falls from every start, at the latest after {fallen_s[which]:.1f} s: its walk is never steady.")
    return {moment_s: {name: float(np.mean([told[k + round(moment_s / step_s)][name][which] for k in rows])) for name in told[0]}
            for moment_s in MOMENTS_S}


def start_of(law: ReflexLaw, qvel: np.ndarray) -> dict[str, np.ndarray]:
    """The numbers of the start (N,), were this state it: speeds, joints, and activations, the left leg in front."""
    felt, velocity, legs = law.felt, law.posture.velocity(qvel), ("front", "back")
    flexion = np.array([math.pi, math.pi, 0.5 * math.pi]) - felt.leg
    found = {"begin_speed": velocity[:, 0], "begin_up": velocity[:, 2], "begin_lean": felt.pelvis[:, 1],
             "begin_hip_rate": -felt.leg_rate[:, 1, 0], "begin_knee_rate": -felt.leg_rate[:, 1, 1]}
    found |= {f"begin_{joint}_{leg}": flexion[:, row, k] for row, leg in enumerate(legs)
              for k, joint in enumerate(("hip", "knee", "ankle"))}
    found |= {f"begin_{unit}_{leg}": law.muscles.activation[:, row, k] for row, leg in enumerate(legs)
              for k, unit in enumerate(NAMES) if f"begin_{unit}_{leg}" in ORDER}
    return {name: value.copy() for name, value in found.items()} | (
        {} if is_planar(law.body) else {"begin_left": velocity[:, 1].copy()})


def stand(options: argparse.Namespace) -> None:
    """Walk each file's walker off noisy starts."""
    tries = np.repeat([vector_of(read_parameters(Path(file))) for file in options.files], options.starts, axis=0)
    walked(make_body(BodySpec(kind=kind_of(options))), options.files, tries, options)


def walked(body, labels: list, tries: np.ndarray, options: argparse.Namespace) -> int:
    """Run them all, and tell of each label: falls, speed, parts of the cost; the cheapest first, whose place is given back."""
    judge = Judge(Wish(options.speed), len(tries))
    noise = np.tile(noisy(options, body.degrees_of_freedom), (len(labels), 1))
    population = ReflexPopulation(body, World(), len(tries))
    begun = time.process_time()
    fallen_s = population.run(tries, options.seconds, noise=noise, watch=judge.watch)
    print(f"{fallen_s.sum() / (time.process_time() - begun):.0f} simulated s a processor second")
    parts = judge.parts(fallen_s, options.seconds)
    by_label = {name: part.reshape(len(labels), -1) for name, part in parts.items()}
    costs = np.sum(list(by_label.values()), axis=0).mean(axis=1)
    speeds, falls = (values.reshape(len(labels), -1) for values in (judge.speeds_m_s(), fallen_s))
    for i in np.argsort(costs)[:20]:
        told = ", ".join(f"{name} {part[i].mean():.1f}" for name, part in by_label.items() if part[i].mean() >= 0.05)
        print(f"{labels[i]}: cost {costs[i]:.1f}, {speeds[i].mean():.2f} m/s, stands "
              f"{' '.join(f'{t:.1f}' for t in falls[i])} s ({told})")
    return int(np.argmin(costs))


def main() -> None:
    """Read the options; do it."""
    parser = parser_of(__doc__)
    verbs = parser.add_subparsers(required=True)
    for verb, seconds, starts in ((search, 6.0, 1), (scan, 4.0, 1), (begin, 4.0, 14), (stand, 20.0, 8)):
        one = verbs.add_parser(verb.__name__)
        one.set_defaults(verb=verb)
        one.add_argument("--seconds", type=float, default=seconds)
        one.add_argument("--speed", type=float, default=1.25)
        one.add_argument("--noise", type=float, default=0.02)
        one.add_argument("--planar", action="store_true")
        one.add_argument("--starts", type=int, default=starts)
        if verb is not stand:
            one.add_argument("--from", dest="start")
            one.add_argument("--set", nargs="*", default=[])
        if verb is search:
            one.add_argument("name")
            one.add_argument("--only", nargs="*", default=[])
            one.add_argument("--generations", type=int, default=60)
            one.add_argument("--population", type=int, default=16)
            one.add_argument("--sigma", type=float, default=0.4)
            one.add_argument("--effort", type=float, default=1.0)
            one.add_argument("--seed", type=int, default=1)
        elif verb is scan:
            one.add_argument("axes", nargs="+")
        elif verb is begin:
            one.add_argument("--out", required=True)
        else:
            one.add_argument("files", nargs="+")
    options = parser.parse_args()
    options.verb(options)


def read_parameters(path: Path) -> dict[str, float]:
    """The named parameters of a walker's file, whatever else is in it."""
    return {str(k): float(v) for k, v in read_json(path, finite=False)["parameters"].items()}


if __name__ == "__main__":
    main()
