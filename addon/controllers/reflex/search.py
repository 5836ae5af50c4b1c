# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of the reflex law's numbers: CMA-ES, a whole generation in one batch, saved as it goes and taken up again."""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...bodies.body import Body
from ...specs.shot import World
from .law import ReflexLaw
from .objective import Judge, Wish
from .parameters import HIGH, LOW, ORDER, STEP, named
from .population import Population

FORMAT = 1


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
    """One search; `go` takes it on generation by generation. Its whole state is in `checkpoint`, if one is given. `judge` sums up
    what a run costs, `change` alters every law before it begins (`Population.run`)."""

    judge: type[Judge] = Judge
    change: Callable[[ReflexLaw], None] | None = None

    def __init__(self, body: Body, world: World, wish: Wish, plan: Plan, start: np.ndarray,
                 checkpoint: Path | None = None) -> None:
        import cma

        self.body, self.world, self.wish, self.plan, self._checkpoint = body, world, wish, plan, checkpoint
        self._start, self.log = np.asarray(start, dtype=float), []
        self._population = Population(body, world, plan.population)
        self._free = np.array([i for i, name in enumerate(ORDER) if not name.startswith(plan.kept)] if plan.kept else
                              range(len(ORDER)))
        low, high = ((ends - self._start)[self._free] / STEP[self._free] for ends in (LOW, HIGH))
        inside = [np.minimum(low, -1e-6).tolist(), np.maximum(high, 1e-6).tolist()]
        self._cma = cma.CMAEvolutionStrategy(np.zeros(len(self._free)), plan.sigma, {
            "popsize": plan.population, "seed": plan.seed, "bounds": inside, "CMA_diagonal": 60, "verbose": -9})
        self.best, self.best_cost, self.cpu_s = self._start, np.inf, 0.0
        if checkpoint is not None and checkpoint.is_file():
            with checkpoint.open("rb") as file:
                self._cma, self.log, self.best, self.best_cost, self.cpu_s, self._start = pickle.load(file)

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
            self._cma.tell(xs, costs.tolist())
            i = int(np.argmin(costs))
            if plan.noise or costs[i] < self.best_cost:  # with noise costs of different generations do not compare
                self.best, self.best_cost = tries[i], float(costs[i])
            self.cpu_s += time.process_time() - begun
            row = {"generation": len(self.log), "best": round(float(costs[i]), 2), "middle": round(float(np.median(costs)), 2),
                   "stand": int((fallen_s >= plan.seconds).sum()), "longest_s": round(float(fallen_s.max()), 2),
                   "sigma": round(float(self._cma.sigma), 4), "cpu_s": round(self.cpu_s, 1),
                   "parts": {name: round(float(part[i]), 2) for name, part in parts.items()}}
            self.log.append(row)
            self._save()
            told(row)

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

    def _save(self) -> None:
        if self._checkpoint is None:
            return
        new = self._checkpoint.with_suffix(".new")
        with new.open("wb") as file:
            pickle.dump((self._cma, self.log, self.best, self.best_cost, self.cpu_s, self._start), file)
        new.replace(self._checkpoint)

    def result(self, vector: np.ndarray, name: str) -> dict[str, Any]:
        """What is stored of a search: a preset of the reflex law."""
        return {"format": FORMAT, "name": name, "wish": asdict(self.wish), "plan": asdict(self.plan),
                "generations": len(self.log), "cpu_s": round(self.cpu_s, 1), "parameters": named(vector)}


def read_parameters(path: Path) -> dict[str, float]:
    """The named parameters of a stored result."""
    return {str(k): float(v) for k, v in json.loads(path.read_text())["parameters"].items()}
