# SPDX-License-Identifier: GPL-3.0-or-later
"""Search of a reflex walker: for a speed, or for the one that effort chooses, under any gravity, from a walker that there is.

The search of the reflex law's numbers: CMA-ES, a whole generation in one batch, saved as it goes and taken up again.

A search is a function of its seed and of the costs it was told, so its checkpoint holds only those: to resume asks the same
questions again, gives the noted answers, and goes on from there.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from ..bodies.body import Body
from ..bodies.makers import make_body
from ..errors import InputError
from ..files import write_whole
from ..gaits.tuned_maps import write_json
from ..locomotion.reflex.controller import ReflexController
from ..locomotion.reflex.law import ReflexLaw
from ..locomotion.reflex.parameters import HIGH, LOW, ORDER, STEP, named, vector_of
from ..locomotion.reflex.units import conditioned
from ..locomotion.reflex.walkers import read_walker
from ..reading import DAMAGED, read_json
from ..reports.measures import measure
from ..reports.needs import cost_of_transport
from ..reports.strides import end_of_walking_s
from ..sim.simulation import Simulation
from ..sim.take import Take
from ..specs.motions.reflex import CONTROLLERS, Trial, Walker, walker_file
from ..specs.muscles import Condition
from ..specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot, World
from .maps import Result
from .reflex_trials import EffortJudge, Judge, Population, Wish
from .search import Callback as Told
from .search import SearchSettings

FORMAT = 1
SCHEMA, CHECKPOINT_FORMAT = "lope-reflex-search", 1


@dataclass(frozen=True)
class Plan:
    """How to search: so many generations of `population` walkers for `seconds`, first steps of `sigma` times each parameter's,
    with velocities at the start off by `noise` [m/s, rad/s], and pelvises `held` in the plane so firmly (0 to 1).
    Parameters whose names begin with one of `kept` stay as they are."""

    generations: int = 50
    population: int = 16
    seconds: float = 10.0
    sigma: float = 0.5
    noise: float = 0.0
    held: float = 0.0
    seed: int = 1
    kept: tuple[str, ...] = ()


class Search:
    """One search; `go` takes it on, a generation each. A `checkpoint` that is given keeps it; one that is there is taken up.
    `judge` sums up what a run costs, `change` alters every law before it begins (`Population.run`). Raises InputError for the
    checkpoint of another search."""

    judge: type[Judge] = Judge
    change: Callable[[ReflexLaw], None] | None = None

    def __init__(self, body: Body, world: World, wish: Wish, plan: Plan, start: np.ndarray,
                 checkpoint: Path | None = None) -> None:
        self.body, self.world, self.wish, self.plan, self._checkpoint = body, world, wish, plan, checkpoint
        self._start = np.asarray(start, dtype=float)
        self.log: list[dict[str, Any]] = []
        self._population = Population(body, world, plan.population)
        self._free = np.array([i for i, name in enumerate(ORDER) if not name.startswith(plan.kept)] if plan.kept else
                              range(len(ORDER)))
        low, high = ((ends - self._start)[self._free] / STEP[self._free] for ends in (LOW, HIGH))
        inside = [np.minimum(low, -1e-6).tolist(), np.maximum(high, 1e-6).tolist()]
        self._cma = _strategy(len(self._free), plan, inside)
        self.best, self.best_cost, self.cpu_s = self._start, np.inf, 0.0
        self._told: list[list[float]] = []
        if checkpoint is not None and checkpoint.is_file():
            self._replay(_read(checkpoint, self._stamp()))

    def mean(self) -> np.ndarray:
        """The middle of the present distribution, within the ranges."""
        return self._vectors([self._cma.result.xfavorite])[0]

    def _vectors(self, xs: Sequence[np.ndarray]) -> np.ndarray:
        """Parameters (N, K), within their ranges, of the search's own points."""
        found = np.tile(self._start, (len(xs), 1))
        found[:, self._free] += STEP[self._free] * np.array(xs)
        return np.clip(found, LOW, HIGH)

    def go(self, told: Callable[[dict[str, Any]], None] = lambda row: None) -> None:
        """Search on until all generations are done."""
        plan = self.plan
        while len(self.log) < plan.generations:
            begun = time.process_time()
            xs = self._cma.ask()
            tries = self._vectors(xs)
            costs, fallen_s, parts = self._tried(tries)
            i = self._tell(xs, tries, costs.tolist())
            self.cpu_s += time.process_time() - begun
            row = {"generation": len(self.log), "best": round(float(costs[i]), 2), "middle": round(float(np.median(costs)), 2),
                   "stand": int((fallen_s >= plan.seconds).sum()), "longest_s": round(float(fallen_s.max()), 2),
                   "sigma": round(float(self._cma.sigma), 4), "cpu_s": round(self.cpu_s, 1),
                   "parts": {name: round(float(part[i]), 2) for name, part in parts.items()}}
            self.log.append(row)
            self._save()
            told(row)

    def _tell(self, xs: Sequence[np.ndarray], tries: np.ndarray, costs: list[float]) -> int:
        """Give a generation's costs to the strategy and note them; gives the index of its best."""
        self._cma.tell(xs, costs)
        self._told.append(costs)
        i = int(np.argmin(costs))
        if self.plan.noise or costs[i] < self.best_cost:  # with noise costs of different generations do not compare
            self.best, self.best_cost = tries[i], costs[i]
        return i

    def _tried(self, tries: np.ndarray) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
        judge = self.judge(self.wish, len(tries))
        noise = None
        if self.plan.noise:
            draw = np.random.default_rng((self.plan.seed, len(self.log)))
            noise = self.plan.noise * draw.standard_normal(self.body.degrees_of_freedom)
            noise[6:] *= 0.5
        fallen_s = self._population.run(tries, self.plan.seconds, noise=noise, held=self.plan.held, change=self.change,
                                       watch=judge.watch)
        parts = judge.parts(fallen_s, self.plan.seconds)
        return np.nan_to_num(np.sum(list(parts.values()), axis=0), nan=1e3), fallen_s, parts

    def _stamp(self) -> dict[str, Any]:
        """What has to agree for a search to be taken up again, plain JSON values."""
        plan = {name: value for name, value in asdict(self.plan).items() if name != "generations"}
        found = {"schema": SCHEMA, "format": CHECKPOINT_FORMAT, "world": asdict(self.world), "wish": asdict(self.wish),
                 "plan": plan, "start": self._start.tolist(), "judge": self.judge.__name__,
                 "body": {"kind": self.body.kind, "mass_kg": self.body.mass_kg, "leg_length_m": self.body.leg_length_m}}
        return json.loads(json.dumps(found))

    def _save(self) -> None:
        if self._checkpoint is None:
            return
        data = {**self._stamp(), "told": self._told, "log": self.log, "cpu_s": self.cpu_s}
        write_whole(self._checkpoint, json.dumps(data), "checkpoint")

    def _replay(self, data: Mapping[str, Any]) -> None:
        """Bring the strategy to where a checkpoint was written."""
        for costs in data["told"]:
            xs = self._cma.ask()
            self._tell(xs, self._vectors(xs), costs)
        self.log, self.cpu_s = data["log"], data["cpu_s"]

    def result(self, vector: np.ndarray, name: str) -> dict[str, Any]:
        """What is stored of a search: a preset of the reflex law."""
        return {"format": FORMAT, "name": name, "wish": asdict(self.wish), "plan": asdict(self.plan),
                "generations": len(self.log), "cpu_s": round(self.cpu_s, 1), "parameters": named(vector)}


def _strategy(size: int, plan: Plan, inside: list[list[float]]) -> Any:
    """The evolution strategy within bounds `inside`, two lists of `size`, its randomness its own. Raises InputError without the
    package."""
    try:
        import cma
    except ImportError:
        raise InputError("Tuning needs the package cma, which is not installed: pip install 'lope[tune]'.") from None
    rng = np.random.RandomState(plan.seed)  # the generator that cma would seed, so that a seed finds what it always found
    return cma.CMAEvolutionStrategy(np.zeros(size), plan.sigma, {
        "popsize": plan.population, "seed": np.nan, "randn": rng.randn, "bounds": inside, "CMA_diagonal": 60, "verbose": -9})


def _read(path: Path, stamp: Mapping[str, Any]) -> dict[str, Any]:
    """A checkpoint of the same search. Raises InputError for any other file."""
    try:
        data = read_json(path, finite=False)
        known = {name: data[name] for name in stamp}
        _ = [row["best"] for row in data["log"]]
        told = np.array(data["told"], dtype=float).reshape(len(data["log"]), stamp["plan"]["population"])
        whole = np.isfinite(told).all() and np.isfinite(data["cpu_s"])
    except DAMAGED as error:
        raise InputError(f"The checkpoint {path} cannot be read ({error!r}); delete it to start anew.") from error
    if known != stamp:
        raise InputError(f"The checkpoint {path} belongs to another search: its world, body, condition, speed, start, "
                         "population, step or seed differ. Give the same options, or leave out --resume to start anew.")
    if not whole:
        raise InputError(f"The checkpoint {path} holds costs that are no numbers; delete it to start anew.")
    return data


def read_parameters(path: Path) -> dict[str, float]:
    """The named parameters of a stored result."""
    return {str(k): float(v) for k, v in read_json(path)["parameters"].items()}


SECONDS, TRIAL_S = 8.0, 20.0
"""Length of a trial of the search on Earth, elsewhere as much longer as all is slower, and of the walker's own when it is
found."""
NOISE = 0.02
"""Deviation of the start's velocities, another in every generation [m/s, and half as much in rad/s]: what stands does so off its
start too."""
SETTLED_S = 3.0
"""From here on a walker's own trial is measured."""
LAST_TRIAL = ("Stopped: the best so far are still tried for {0} s, to choose and write one; that takes a minute or two. A second "
              "Ctrl-C leaves at once and writes none; --resume goes on from {1}.")
DIGITS = 6
"""Significant digits of a walker's parameters in its file."""


@dataclass(frozen=True)
class ReflexProblem:
    """What is searched. Without a speed effort chooses it. `condition` is what is other than healthy, `wish` weighs parts of the
    cost otherwise (`controllers.reflex.objective.Wish`), `change` alters every law before it begins."""

    world: World
    speed_m_s: float | None
    start: Mapping[str, float]
    body: BodySpec = field(default_factory=BodySpec)
    condition: Condition | None = None
    wish: Mapping[str, Any] = field(default_factory=dict)
    change: Callable[[ReflexLaw], None] | None = None

    def altered(self, law: ReflexLaw) -> None:
        """Alter a law before it begins."""
        if self.condition is not None:
            conditioned(law.muscles.routing, self.condition)
        if self.change is not None:
            self.change(law)


class ReflexSearch(Search):
    """The search of a problem; see `Search`."""

    def __init__(self, problem: ReflexProblem, plan: Plan, checkpoint: Path | None = None) -> None:
        self._problem, self.change = problem, problem.altered
        if problem.speed_m_s is None:
            self.judge = EffortJudge
        wish = Wish(1.0 if problem.speed_m_s is None else problem.speed_m_s, **problem.wish)
        super().__init__(make_body(problem.body), problem.world, wish, plan, vector_of(problem.start), checkpoint)

    def _stamp(self) -> dict[str, Any]:
        """See `Search._stamp`; whatever is other than healthy belongs to it."""
        problem = self._problem
        own = {"body": asdict(problem.body), "condition": None if problem.condition is None else asdict(problem.condition),
               "change": getattr(problem.change, "__qualname__", None)}
        return {**super()._stamp(), **json.loads(json.dumps(own))}

    def found(self, *others: np.ndarray) -> np.ndarray:
        """The best of what the search has come to and `others` in a trial of `TRIAL_S` off nobody's start: the vector (K,)."""
        tries = np.array([self.mean(), self.best, *others])
        judge = self.judge(self.wish, len(tries))
        fallen_s = Population(self.body, self.world, len(tries)).run(tries, TRIAL_S, change=self.change, watch=judge.watch)
        return tries[int(np.argmin(np.nan_to_num(judge.costs(fallen_s, TRIAL_S), nan=np.inf)))]


def tune_reflex(
    problem: ReflexProblem, settings: SearchSettings, *, out: Path, checkpoint: Path, resume: bool = False,
    callback: Told | None = None, source: str = "", keep: bool = False,
    says: Callable[[str], None] = lambda sentence: None,
) -> Result:
    """Search, and write the walker that is found to `out`, with how it did in a trial of its own. A whole generation walks in one
    batch: `settings.workers` says nothing here. A stop (KeyboardInterrupt) ends it with the best so far; with `resume` a
    checkpoint that is there is taken up, and a walker that `out` holds already is judged beside what is found, so that a worse
    one never takes its place. `says` gets the sentences that cannot wait. A checkpoint that is to `keep` stays for more
    generations later. Raises InputError where nobody has stood long enough to be measured."""
    began, stopped = time.monotonic(), False
    kept = [vector_of(read_walker(out).parameters)] if resume and out.is_file() else []
    if resume and not checkpoint.is_file():
        says(f"There is no checkpoint {checkpoint}: the search begins anew.")
    if not resume:
        checkpoint.unlink(missing_ok=True)
    slow = math.sqrt(EARTH_GRAVITY_M_S2 / problem.world.gravity_m_s2)
    search = ReflexSearch(problem, Plan(settings.iterations, settings.population, round(SECONDS * slow, 1), settings.sigma,
                                        NOISE / slow, seed=settings.seed), checkpoint)
    before = len(search.log)

    def told(row: dict[str, Any]) -> None:
        if callback is not None:
            done = len(search.log)
            left_s = (time.monotonic() - began) / max(done - before, 1) * (settings.iterations - done)
            callback(done / settings.iterations, f"best cost {row['best']:.2f}, {row['stand']} of {settings.population} stand, "
                     f"at most {left_s / 60.0:.1f} min left")

    try:
        search.go(told)
    except KeyboardInterrupt:
        stopped = True
        says(LAST_TRIAL.format(f"{TRIAL_S:g}", checkpoint))
    vector = search.found(vector_of(problem.start), *kept)
    short = {key: float(f"{value:.{DIGITS}g}") for key, value in named(vector).items()}
    walker = walked(problem, short, out.stem, source)
    write_json(out, walker_file(walker))
    if not (stopped or keep):
        checkpoint.unlink(missing_ok=True)
    report = {"walker": walker.name, "speed_asked_m_s": problem.speed_m_s, "speed_m_s": walker.speed_m_s,
              "stride_frequency_hz": walker.stride_frequency_hz, "world": problem.world.name,
              "gravity_m_s2": problem.world.gravity_m_s2, "trial": walker_file(walker).get("trial", {}),
              "generations": len(search.log), "population": settings.population, "seed": settings.seed,
              "best_costs": [row["best"] for row in search.log], "cpu_s": search.cpu_s,
              "ended": "stopped" if stopped else "iterations"}
    return Result({**report, "wall_s": time.monotonic() - began}, stopped)


def walked(problem: ReflexProblem, parameters: Mapping[str, float], name: str, source: str = "") -> Walker:
    """A walker as it does in a trial of its own, of `TRIAL_S`. Raises InputError where it does not walk long enough to be
    measured."""
    stand_in = Walker(name, problem.speed_m_s or 1.0, 1.0, dict(parameters), problem.world.gravity_m_s2)
    if problem.body != BodySpec():
        stand_in = replace(stand_in, leg_length_m=make_body(problem.body).leg_length_m)
    return measured_walker(trial_take(problem, stand_in), stand_in, source)


def trial_take(problem: ReflexProblem, walker: Walker) -> Take:
    """A walker's own trial, of `TRIAL_S`, in what is changed for the problem."""
    simulation = Simulation(Shot(body=problem.body, world=problem.world, controller=CONTROLLERS[0], reflex=walker,
                                 duration_s=TRIAL_S, condition=problem.condition))
    if problem.change is not None:
        law = cast(ReflexController, simulation.controller).law
        problem.change(law)
        law.reset(simulation.engine.qpos[None], simulation.engine.qvel[None])
    try:
        while not simulation.over:
            simulation.step()
    finally:
        simulation.close()
    return simulation.take()


def measured_walker(take: Take, walker: Walker, source: str = "") -> Walker:
    """The walker with the speed, stride frequency and trial of its take. Raises InputError for a take without a whole stride."""
    found, stood_s = measure(take), end_of_walking_s(take)
    if found["mean_speed_m_s"] is None:
        raise InputError(f"The reflex walker fell after {stood_s:.1f} s, before a whole stride could be measured: search for "
                         "longer, or from another walker.")
    rows = (take.time_s > min(SETTLED_S, 0.5 * stood_s)) & (take.time_s <= stood_s)
    cost = cost_of_transport(take, rows)
    trial = Trial(round(stood_s, 2), take.shot.duration_s, None if cost is None else round(cost, 3),
                  round(0.5 * found["stride_length_m"], 3))
    return replace(walker, speed_m_s=round(found["mean_speed_m_s"], 3), trial=trial, source=source or walker.source,
                   stride_frequency_hz=round(found["stride_frequency_hz"], 3))
