# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of the reflex law's numbers: CMA-ES, a whole generation in one batch, saved as it goes and taken up again.

A search is a function of its seed and of the costs it was told, so its checkpoint holds only those: to resume asks the same
questions again, gives the noted answers, and goes on from there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...bodies.body import Body
from ...errors import InputError
from ...specs.shot import World
from .law import ReflexLaw
from .objective import Judge, Wish
from .parameters import HIGH, LOW, ORDER, STEP, named
from .population import Population

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
        new = self._checkpoint.with_name(f"{self._checkpoint.name}.new")
        new.write_text(json.dumps({**self._stamp(), "told": self._told, "log": self.log, "cpu_s": self.cpu_s}), encoding="utf-8")
        new.replace(self._checkpoint)

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
        data = json.loads(path.read_text(encoding="utf-8"))
        known = {name: data[name] for name in stamp}
        _ = [row["best"] for row in data["log"]]
        told = np.array(data["told"], dtype=float).reshape(len(data["log"]), stamp["plan"]["population"])
        whole = np.isfinite(told).all() and np.isfinite(data["cpu_s"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"The checkpoint {path} cannot be read ({error!r}); delete it to start anew.") from error
    if known != stamp:
        raise InputError(f"The checkpoint {path} belongs to another search: its world, body, condition, speed, start, "
                         "population, step or seed differ. Give the same options, or leave out --resume to start anew.")
    if not whole:
        raise InputError(f"The checkpoint {path} holds costs that are no numbers; delete it to start anew.")
    return data


def read_parameters(path: Path) -> dict[str, float]:
    """The named parameters of a stored result."""
    return {str(k): float(v) for k, v in json.loads(path.read_text())["parameters"].items()}
