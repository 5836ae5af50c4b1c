# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of a creature's gait: CMA-ES on numbers between 0 and 1, judged by its middle and its best, repeatable, stoppable
and resumable.

A search is a function of its seed and of the costs it was told, so its checkpoint holds only those: to resume asks the same
questions again, gives the noted answers, and goes on from there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ..errors import InputError
from ..files import write_whole
from ..reading import DAMAGED, read_json, taken_apart

SCHEMA, FORMAT = "lope-creature-search", 1
REACHED, GENERATIONS, TIME, STOPPED, SETTLED = "reached", "generations", "time", "stopped", "converged"
"""Why a search ended: its gait passes all thresholds; generations or minutes are used up; the user; nothing new comes."""
CHECK_EVERY = 8
"""Generations after which middle and best are judged at the latest, once any walker of a trial still stands at its end."""


@dataclass(frozen=True)
class Plan:
    """How to search: so many generations at most of `population` walkers, first steps of `sigma` over each number's range, and
    so many minutes of processor time."""

    generations: int = 400
    population: int = 14
    sigma: float = 0.07
    minutes: float = 5.0
    seed: int = 1


@dataclass(frozen=True)
class Tried:
    """How N walkers did: what each costs (N,), how many still stood, which of them seem `good` enough to be judged (N,), and what
    a generation's best has cost part by part."""

    costs: np.ndarray
    stood: int
    good: np.ndarray
    parts: Mapping[str, float]


@dataclass(frozen=True)
class Judged:
    """How one gait did from many starts: its cost, whether it passes all thresholds, and the figures that are stored."""

    cost: float
    passes: bool
    figures: Mapping[str, Any]


class Problem(Protocol):
    """What is searched: `size` numbers between 0 and 1. `stamp` says what it is, for a checkpoint of it alone to be taken up."""

    size: int
    stamp: Mapping[str, Any]

    def tried(self, xs: np.ndarray, generation: int) -> Tried:
        """A generation (N, size) in a short trial."""

    def judged(self, xs: np.ndarray) -> list[Judged]:
        """Each of a few (K, size) in long trials from many starts."""


@dataclass
class Champion:
    """The best that was judged, and in which generation it was found (0: the start itself)."""

    x: np.ndarray
    judged: Judged
    generation: int = 0


@dataclass
class Search:
    """One search; `go` takes it on. `log` has a row a generation."""

    problem: Problem
    plan: Plan
    start: np.ndarray
    checkpoint: Path | None = None
    resume: bool = False
    log: list[dict[str, Any]] = field(default_factory=list)
    cpu_s: float = 0.0
    ended: str = ""
    champion: Champion | None = None
    best: np.ndarray = field(init=False)
    """The best of the latest generation that was tried: the champion where none is judged."""

    def __post_init__(self) -> None:
        self.start = np.clip(np.asarray(self.start, dtype=float), 0.0, 1.0)
        self.best = self.start
        self._told: list[dict[str, Any]] = []
        self._checks: dict[int, dict[str, Any]] = {}
        self._cma = _strategy(self.start, self.plan)
        if self.resume and self.checkpoint is not None and self.checkpoint.is_file():
            told = _read(self.checkpoint, self._stamp())
            with taken_apart(self.checkpoint, "a checkpoint", "Delete it to start anew."):
                self._replay(told)

    def mean(self) -> np.ndarray:
        """The middle of the present distribution."""
        return np.clip(self._cma.result.xfavorite, 0.0, 1.0)

    @property
    def found(self) -> np.ndarray:
        """What the search has come to (size,): the best judged where it stands from any start, else the best of the last
        trial."""
        stands = self.champion is not None and self.champion.judged.figures.get("stood") != 0
        return self.champion.x if stands and self.champion is not None else self.best

    def go(self, told: Callable[[dict[str, Any]], None] = lambda row: None) -> str:
        """Search on to an end, whose name is given back. A stop (KeyboardInterrupt) keeps what there is."""
        try:
            if 0 not in self._checks:
                self._check(np.array([self.start]), told)
            while True:
                if self._wants_check():
                    self._check(np.array([self.mean(), self.best]), told)
                if self._over():
                    break
                self._generation()
                told(self.log[-1])
        except KeyboardInterrupt:
            self.ended = STOPPED
        return self.ended

    def _over(self) -> bool:
        if self.champion is not None and self.champion.judged.passes:
            self.ended = REACHED
        elif len(self.log) >= self.plan.generations:
            self.ended = GENERATIONS
        elif self.cpu_s >= 60.0 * self.plan.minutes:
            self.ended = TIME
        elif self._cma.stop():
            self.ended = SETTLED
        return bool(self.ended)

    def _generation(self) -> None:
        """Ask, try, tell."""
        begun = time.process_time()
        asked = self._cma.ask()
        xs = np.array(asked)
        tried = self.problem.tried(xs, len(self.log))
        costs = np.where(np.isfinite(tried.costs), tried.costs, 1e3)
        self._cma.tell(asked, costs.tolist())
        i = int(np.argmin(costs))
        self.best = xs[i]
        self.cpu_s += time.process_time() - begun
        row = {"generation": len(self.log) + 1, "best": round(float(costs[i]), 3), "middle": round(float(np.median(costs)), 3),
               "stood": tried.stood, "good": bool(tried.good[i]), "sigma": round(float(self._cma.sigma), 4),
               "cpu_s": round(self.cpu_s, 2), "parts": {name: round(value, 3) for name, value in tried.parts.items()},
               "x": self.found.tolist()}
        self._told.append({"costs": costs.tolist(), "row": {k: v for k, v in row.items() if k != "x"}})
        self.log.append(row)
        self._save()

    def _wants_check(self) -> bool:
        """Whether middle and best are worth long trials now: the best seems good, and a check has not just failed."""
        if not self.log:
            return False
        row, since = self.log[-1], len(self.log) - max(self._checks)
        last = len(self.log) >= self.plan.generations or self.cpu_s >= 60.0 * self.plan.minutes
        return (row["good"] and since >= 2) or (row["stood"] > 0 and (since >= CHECK_EVERY or last))

    def _check(self, xs: np.ndarray, told: Callable[[dict[str, Any]], None]) -> None:
        """Judge a few in long trials; the best of them and of the champion is the champion."""
        begun = time.process_time()
        found = self.problem.judged(xs)
        self.cpu_s += time.process_time() - begun
        self._checks[len(self.log)] = {"x": xs.tolist(), "judged": [
            {"cost": one.cost, "passes": one.passes, "figures": dict(one.figures)} for one in found], "cpu_s": self.cpu_s}
        self._crown(xs, found, len(self.log))
        self._save()
        champion = self.champion
        if champion is not None:
            told({"generation": len(self.log), "judged": dict(champion.judged.figures), "cost": round(champion.judged.cost, 3),
                  "passes": champion.judged.passes, "cpu_s": round(self.cpu_s, 2), "x": champion.x.tolist()})

    def _crown(self, xs: np.ndarray, found: list[Judged], generation: int) -> None:
        for x, judged in zip(xs, found, strict=True):
            held = self.champion
            if held is None or (judged.passes, -judged.cost) > (held.judged.passes, -held.judged.cost):
                self.champion = Champion(np.array(x), judged, generation)

    def _stamp(self) -> dict[str, Any]:
        """What has to agree for a search to be taken up again."""
        plan = self.plan
        return {"schema": SCHEMA, "format": FORMAT, "problem": json.loads(json.dumps(dict(self.problem.stamp))),
                "start": self.start.tolist(), "population": plan.population, "sigma": plan.sigma, "seed": plan.seed}

    def _save(self) -> None:
        if self.checkpoint is None:
            return
        data = {**self._stamp(), "told": self._told, "cpu_s": self.cpu_s, "checks": {str(k): v for k, v in self._checks.items()}}
        write_whole(self.checkpoint, json.dumps(data), "checkpoint")

    def _replay(self, data: Mapping[str, Any]) -> None:
        """Bring the strategy to where a checkpoint was written."""
        for entry in data["told"]:
            asked = self._cma.ask()
            self._cma.tell(asked, entry["costs"])
            self.best = np.array(asked[int(np.argmin(entry["costs"]))])
            self._told.append(entry)
            self.log.append({**entry["row"], "x": self.best.tolist()})
        for generation, check in sorted((int(k), v) for k, v in data["checks"].items()):
            self._checks[generation] = check
            self._crown(np.array(check["x"]), [Judged(**one) for one in check["judged"]], generation)
        self.cpu_s = float(data["cpu_s"])


def _strategy(start: np.ndarray, plan: Plan) -> Any:
    """The evolution strategy, its randomness its own. Raises InputError without the package."""
    try:
        import cma
    except ImportError:
        raise InputError("Tuning needs the package cma, which is not installed: pip install 'lope[tune]'.") from None
    rng = np.random.default_rng(plan.seed)
    options = {"popsize": plan.population, "bounds": [0.0, 1.0], "CMA_mirrors": 0, "verbose": -9, "seed": np.nan,
               "randn": lambda *shape: rng.standard_normal(shape), "maxiter": np.inf, "verb_log": 0}
    return cma.CMAEvolutionStrategy(np.clip(start, 1e-3, 1.0 - 1e-3), plan.sigma, options)


def _read(path: Path, stamp: Mapping[str, Any]) -> dict[str, Any]:
    """A checkpoint of the same search. Raises InputError for any other file."""
    try:
        data = read_json(path, finite=False)
        known = {name: data[name] for name in stamp}
        _ = data["told"], data["checks"], data["cpu_s"]
    except DAMAGED as error:
        raise InputError(f"The checkpoint {path} cannot be read ({error!r}); delete it to start anew.") from error
    if known != stamp:
        raise InputError(f"The checkpoint {path} belongs to another search: its creature, world, speed, wishes, start, "
                         "population, step or seed differ. Give the same options, or leave out --resume to start anew.")
    return data
