# SPDX-License-Identifier: GPL-3.0-or-later
"""The one search for all that is tuned: CMA-ES over a problem's unknowns, repeatable, stoppable, resumable. A search is a
function of its seed and of the costs it was told, so a checkpoint holds only those: resuming asks the same questions again, gives
the noted answers, and goes on from there (Hansen 2016, "The CMA evolution strategy: a tutorial"). Who answers a generation's
questions: the problem itself where it tries all of them in one batch, else this process, several of this machine, or an executor
such as the pool of a farm."""

from __future__ import annotations

import json
import math
import multiprocessing
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cached_property
from importlib.util import find_spec
from multiprocessing import connection
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from ..errors import InputError, JobError
from ..files import read_json, reading, write_whole
from ..gaits.tuned_maps import write_json

SCHEMA, FORMAT = "lope-search", 2
POLL_S = 0.5
"""How often a wait for other processes looks whether the user wants to stop."""
RACE_MARGIN = 1.2
"""A trial is out of the race when it costs this much more than the worst of the last generation's better half did then."""
PATIENCE, GAIN = 12, 0.005
"""The search has converged when this many generations brought the best cost down by less than this fraction."""
REACHED, GENERATIONS, TIME, CONVERGED, STOPPED = "reached", "generations", "time", "converged", "stopped"
"""Why a search ended: what was asked for is met; generations or minutes are used up; nothing new comes; the user."""

C = TypeVar("C")
Told = Callable[[float, str], None]
"""Hears the share that is done and what is being done; it may raise KeyboardInterrupt."""


@dataclass(frozen=True)
class Evaluation:
    """Outcome of one trial. `race` is what trials are compared by before they are complete; an incomplete one was given up
    and its `cost` is what it had come to. `passes` says that it met all that is asked for. Of a search with a checkpoint the
    `detail` is plain JSON values: `stood`, the share of the trial without a fall, `lost`, the engine's sentence, `parts`."""

    cost: float
    race: float
    complete: bool = True
    detail: dict[str, Any] = field(default_factory=dict)
    passes: bool = False


UNTRIED = Evaluation(math.inf, math.inf, False)


class Problem(ABC):
    """What is searched: `size` unknowns of order one, zero being what there is already. It is picklable,
    since other processes try it too, and a dataclass, or has a `stamp` of its own."""

    bound: float = 1.0
    edge = 0.0
    """How far within the bounds a search begins, where its start lies on one."""
    noisy = False
    """Whether trials differ from generation to generation, so that costs of different ones do not compare."""

    converges = True
    """Whether a search ends when nothing new comes; else it takes all its generations."""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many unknowns there are."""

    @property
    def start(self) -> np.ndarray:
        """Where the search begins (size,)."""
        return np.zeros(self.size)

    @property
    def bounds(self) -> tuple[Any, Any]:
        """Least and greatest, of all unknowns or of each (size,)."""
        return -self.bound, self.bound

    @property
    def stamp(self) -> Mapping[str, Any]:
        """What makes it this problem and no other, in JSON values: only its own checkpoint is taken up."""
        return asdict(cast(Any, self))

    def strategy(self, seed: int) -> dict[str, Any]:
        """Options of the evolution strategy that are other than usual."""
        return {}


class SingleProblem(Problem):
    """A problem whose candidates are tried one at a time, in as many processes as there are workers."""

    @abstractmethod
    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        """The cost of the unknowns (size,); it may be given up as soon as its race exceeds the limit."""


def summed(first: float, cases: Sequence[C], limit: float | None, cost_of: Callable[[C], float]) -> tuple[float, list[float]]:
    """A `first` cost with those of cases one after the other, given up when the sum exceeds the limit; and each one's."""
    cost, costs = first, list[float]()
    for case in cases:
        if limit is not None and cost > limit:
            break
        costs.append(cost_of(case))
        cost += costs[-1]
    return cost, costs


class BatchProblem(Problem):
    """A problem that tries a whole generation at once."""

    judged_every: int | None = None
    """Generations after which middle and best are judged at the latest, once any of a trial still stands at its end; None leaves
    that to whoever searches."""

    @abstractmethod
    def tried(self, xs: np.ndarray, generation: int) -> list[Evaluation]:
        """A generation (N, size) in short trials; one that `passes` is worth a long one."""

    @abstractmethod
    def judged(self, xs: np.ndarray) -> list[Evaluation]:
        """Each of a few (K, size) in long trials."""

    def said(self, judged: Evaluation) -> str:
        return f"cost {judged.cost:.2f} in a long trial"


@dataclass(frozen=True)
class Plan:
    """How to search: at most so many `generations` of `population` tries, first steps of `sigma` in the problem's units.
    `workers` are processes, or threads of a batch, and do not change the result. A cost of `until` or less is good enough: the
    generation that reaches it is the last. `minutes` of processor time count where a generation is tried in one batch. An
    executor that answers no trial for `patience_s` hangs. 400 trials: on two cores a quarter of an hour for a walk on the Moon,
    where ten strides take longest (Lee et al. 2014 gave theirs 100 to 200 generations). The usual population for 18 unknowns
    would be 12."""

    generations: int = 40
    population: int = 10
    sigma: float = 0.5
    seed: int = 0
    workers: int = 1
    until: float | None = None
    minutes: float = math.inf
    patience_s: float = 3600.0


@dataclass
class Champion:
    """The best that was judged in long trials, and in which generation it was found (0: the start itself)."""

    x: np.ndarray
    judged: Evaluation
    generation: int = 0


class Search:
    """One search; `go` takes it on. `before` is what the start costs, where that is known. `best` is the cheapest try so far and
    `x` (size,) its unknowns, of a noisy problem those of the latest generation; `champion` the best of long trials; `log` has a
    row a generation; `cpu_s` is processor time, counted where generations are tried in one batch. A `checkpoint` is written after
    every generation; with `resume` one that is there is taken up. Raises InputError without the package cma, and for a
    checkpoint of another search."""

    def __init__(self, problem: SingleProblem | BatchProblem, plan: Plan, before: Evaluation | None = None, *,
                 checkpoint: Path | None = None, resume: bool = False, executor: Executor | None = None) -> None:
        if find_spec("cma") is None:
            raise InputError("Tuning needs the package cma, which is not installed: pip install 'lope[tune]'.")
        self.problem, self.plan, self.before = problem, plan, before
        self._batch = problem if isinstance(problem, BatchProblem) else None
        self._checkpoint, self._executor = checkpoint, executor
        self.best, self.x = before or UNTRIED, problem.start
        self.champion: Champion | None = None
        self.log: list[dict[str, Any]] = []
        self.checks: list[dict[str, Any]] = []
        self.cpu_s, self.ended = 0.0, ""
        self._told: Told | None = None
        self._began = time.monotonic(), 0.0
        self._stamp = {} if checkpoint is None else _stamp(problem, plan)
        if resume and checkpoint is not None and checkpoint.is_file():
            self._take_up(checkpoint)

    @cached_property
    def _cma(self) -> Any:
        """The evolution strategy, its randomness its own; its package takes a second to load: a start that passes needs none."""
        import cma

        draw, problem, (low, high) = np.random.default_rng(self.plan.seed), self.problem, self.problem.bounds
        options = {"popsize": self.plan.population, "bounds": [low, high], "CMA_mirrors": 0, "verbose": -9, "seed": np.nan,
                   "randn": lambda *shape: draw.standard_normal(shape), "maxiter": np.inf, "verb_log": 0,
                   **problem.strategy(self.plan.seed)}
        begin = np.clip(problem.start, np.add(low, problem.edge), np.subtract(high, problem.edge))
        return cma.CMAEvolutionStrategy(begin, self.plan.sigma, options)

    @property
    def mean(self) -> np.ndarray:
        """The middle of the present distribution (size,)."""
        return np.clip(self._cma.result.xfavorite, *self.problem.bounds)

    @property
    def found(self) -> np.ndarray:
        """What the search has come to (size,): the best judged where that stands from any start, else the best try."""
        stands = self.champion is not None and self.champion.judged.detail.get("stood") != 0
        return self.champion.x if stands and self.champion is not None else self.x

    @property
    def evaluations(self) -> int:
        return sum(len(row["costs"]) for row in self.log)

    @property
    def share(self) -> float:
        """How much of what the plan allows is used up, 0 to 1."""
        return min(max(len(self.log) / max(self.plan.generations, 1), self.cpu_s / (60.0 * self.plan.minutes)), 1.0)

    def figures(self) -> dict[str, Any]:
        """What a report tells of every search."""
        costs = {} if self.before is None else {"cost_before": self.before.cost, "cost_after": self.best.cost}
        return {**costs, "evaluations": self.evaluations, "generations": len(self.log), "seed": self.plan.seed,
                "population": self.plan.population, "sigma": self.plan.sigma, "ended": self.ended}

    def go(self, told: Told | None = None) -> str:
        """Search on to an end, whose name is given back. `told` hears of every try, of a batch and of long trials at their end.
        A stop (KeyboardInterrupt) keeps what there is. Raises JobError where the processes are lost."""
        self._told, self._began = told, (time.monotonic(), self.share)
        try:
            with _answering(self.problem, self.plan, self._executor) as answers:
                while True:
                    due = self._due()
                    if due:
                        self.check(due)
                        self._tell_check()
                    self.ended = self._end()
                    if self.ended:
                        break
                    self._generation(answers)
        except KeyboardInterrupt:
            self.ended = STOPPED
        return self.ended

    def check(self, xs: Sequence[np.ndarray]) -> None:
        """Judge a few (size,) in long trials; the best of them and of the champion is the champion."""
        if self._batch is None:
            raise TypeError("Only a problem that is tried in batches has long trials.")
        begun = time.process_time()
        found = self._batch.judged(np.array(xs))
        self.cpu_s += time.process_time() - begun
        self.checks.append({"generation": len(self.log), "x": np.array(xs).tolist(), "judged": [asdict(one) for one in found]})
        self._crown(self.checks[-1])
        self._save()

    def _due(self) -> list[np.ndarray]:
        """What is worth long trials now: the start at first; then middle and best, where the best seems good and a check has not
        just failed, or where some still stand and the last check is long ago."""
        if self._batch is None or self._batch.judged_every is None:
            return []
        if not self.checks:
            return [self.problem.start]
        if not self.log:
            return []
        row, since = self.log[-1], len(self.log) - self.checks[-1]["generation"]
        late = since >= self._batch.judged_every or self.share >= 1.0
        return [self.mean, self.x] if (row["passes"] and since >= 2) or (row["stood"] > 0 and late) else []

    def _end(self) -> str:
        """Why the search is over; nothing while it is not."""
        reached = self.plan.until is not None and self.best.cost <= self.plan.until
        if reached or (self.champion is not None and self.champion.judged.passes):
            return REACHED
        if len(self.log) >= self.plan.generations:
            return GENERATIONS
        if self.share >= 1.0:
            return TIME
        return CONVERGED if self.problem.converges and (self._stands_still() or self._cma.stop()) else ""

    def _stands_still(self) -> bool:
        """Whether the last `PATIENCE` generations brought next to nothing."""
        history = [(self.before or UNTRIED).cost, *(row["so_far"] for row in self.log)]
        return not self.problem.noisy and len(history) > PATIENCE and history[-1] > (1.0 - GAIN) * history[-1 - PATIENCE]

    def _generation(self, answers: Answers) -> None:
        begun = time.process_time()
        xs, found = self._cma.ask(), list[Evaluation]()
        for answer in answers(xs, len(self.log), self._limit()):
            found.append(answer)
            if self._batch is None:
                self._tell(len(found) / len(xs))
        costs = [one.cost for one in found]
        self._cma.tell(xs, costs)
        first = int(np.argmin(costs))
        for i in [first] if self.problem.noisy else range(len(xs)):
            if self.problem.noisy or (found[i].complete and found[i].cost < self.best.cost):
                self.best, self.x = found[i], np.array(xs[i])
        self.log.append({
            "generation": len(self.log) + 1, "costs": costs, "races": [one.race for one in found], "best": round(costs[first], 3),
            "so_far": self.best.cost, "stood": sum(one.detail.get("stood", 0.0) >= 1.0 for one in found),
            "longest": max(one.detail.get("stood", 0.0) for one in found), "lost": sum("lost" in one.detail for one in found),
            "passes": found[first].passes, "sigma": round(float(self._cma.sigma), 4),
            "parts": found[first].detail.get("parts", {})})
        if self._batch is not None:
            self.cpu_s += time.process_time() - begun
        self._save()
        if self._batch is not None:
            self._tell()

    def _limit(self) -> float | None:
        """Race above which a trial is given up: by the last generation's better half: the order of answers does not matter."""
        return RACE_MARGIN * sorted(self.log[-1]["races"])[self._cma.sp.weights.mu - 1] if self.log else None

    def _tell(self, part: float = 0.0) -> None:
        """Tell how far it is, a part of a generation further than what is done: best cost and time left."""
        if self._told is None:
            return
        began_s, from_share = self._began
        share = min(self.share + part / self.plan.generations, 1.0)
        minutes = (time.monotonic() - began_s) / max(share - from_share, 1e-9) * (1.0 - share) / 60.0
        if self._batch is None:
            self._told(share, f"best cost {self.best.cost:.3f} (untuned {(self.before or UNTRIED).cost:.3f}), at most "
                              f"{minutes:.1f} min left")
        else:
            row = self.log[-1]
            self._told(share, f"generation {row['generation']}: best cost {row['best']:.2f}, {row['stood']} of "
                              f"{self.plan.population} stand, at most {minutes:.1f} min left")

    def _tell_check(self) -> None:
        if self._told is not None and self._batch is not None and self.champion is not None:
            self._told(self.share, self._batch.said(self.champion.judged))

    def _crown(self, check: Mapping[str, Any]) -> None:
        """Let the best of a check be the champion, where it beats the one there is."""
        for x, told in zip(check["x"], check["judged"], strict=True):
            judged, held = Evaluation(**told), self.champion
            if held is None or (judged.passes, -judged.cost) > (held.judged.passes, -held.judged.cost):
                self.champion = Champion(np.array(x), judged, check["generation"])

    def _save(self) -> None:
        if self._checkpoint is None:
            return
        best = {"x": self.x.tolist(), **asdict(self.best)} if self.log else None
        write_whole(self._checkpoint, json.dumps({"schema": SCHEMA, "format": FORMAT, "search": self._stamp, "log": self.log,
                                                  "best": best, "checks": self.checks, "cpu_s": self.cpu_s}), "checkpoint")

    def _take_up(self, path: Path) -> None:
        """Bring the search to where its checkpoint was written."""
        with reading(f"{path} cannot be read as a checkpoint", then="Delete it to start anew."):
            data = dict(read_json(path, finite=False))
            if (data.get("schema"), data.get("format")) != (SCHEMA, FORMAT):
                raise InputError(f"{path} is a checkpoint of an earlier Lope, or none at all. Delete it to start anew.")
            other = dict(data["search"])
            unlike = [name for name in {**self._stamp, **other} if self._stamp.get(name) != other.get(name)]
            if unlike:
                raise InputError(f"The checkpoint {path} belongs to another search, which differs in {', '.join(unlike)}. Give "
                                 "the same options, or leave out --resume to start anew.")
            for row in data["log"]:
                if not np.isfinite(np.array(row["costs"], dtype=float)).all():
                    raise ValueError("it holds costs that are no numbers")
                self._cma.tell(self._cma.ask(), row["costs"])
                self.log.append(row)
            for check in data["checks"]:
                self._crown(check)
                self.checks.append(check)
            if self.log:
                best = dict(data["best"])
                self.x, self.best = np.array(best.pop("x"), dtype=float), Evaluation(**best)
            self.cpu_s = float(data["cpu_s"])


def _stamp(problem: Problem, plan: Plan) -> dict[str, Any]:
    """What has to agree for a search to be taken up again, as JSON has it."""
    return json.loads(json.dumps({"problem": type(problem).__name__, **problem.stamp, "population": plan.population,
                                  "sigma": plan.sigma, "seed": plan.seed}))


Answers = Callable[[Sequence[np.ndarray], int, float | None], Iterable[Evaluation]]
"""Answers the questions of a generation, in their order; a trial may be given up above the limit."""


@contextmanager
def _answering(problem: SingleProblem | BatchProblem, plan: Plan, executor: Executor | None) -> Iterator[Answers]:
    """Who answers: a batch, somebody else's executor, which stays open, processes of this machine, or this one. Whatever they
    are at, the processes end with this."""
    if isinstance(problem, BatchProblem):
        yield lambda xs, generation, limit: problem.tried(np.array(xs), generation)
    elif executor is not None:  # the problem travels with every question, so any worker can answer it
        yield lambda xs, generation, limit: _answered([executor.submit(problem.evaluate, x, limit) for x in xs], plan.patience_s)
    elif plan.workers > 1:
        pool = LocalPool(problem, plan.workers)
        try:
            yield lambda xs, generation, limit: pool.evaluate(xs, limit)
        finally:
            pool.close()
    else:
        yield lambda xs, generation, limit: (problem.evaluate(x, limit) for x in xs)


class LocalPool:
    """Processes of this machine. Raises JobError where one is ended from outside."""

    def __init__(self, problem: SingleProblem, workers: int) -> None:
        self._workers = dict[Any, multiprocessing.process.BaseProcess]()
        context = multiprocessing.get_context("spawn")
        for _ in range(workers):
            ours, its = context.Pipe()
            process = context.Process(target=_serve, args=(problem, its), daemon=True)
            process.start()
            its.close()  # so that the end of the process ends the pipe
            self._workers[ours] = process

    def evaluate(self, xs: Sequence[np.ndarray], limit: float | None) -> Iterator[Evaluation]:
        """Evaluations in the order of the questions."""
        idle: list[Any] = list(self._workers)
        asked: dict[Any, int] = {}
        answers: dict[int, Evaluation | Exception] = {}
        coming = iter(enumerate(xs))
        for number in range(len(xs)):
            while number not in answers:
                try:
                    for pipe, (at, x) in zip(idle, coming, strict=False):
                        pipe.send((x, limit))
                        asked[pipe] = at
                    idle = list(connection.wait(list(asked), POLL_S))
                    answers |= {asked.pop(pipe): pipe.recv() for pipe in idle}
                except (EOFError, OSError):
                    raise JobError("A process of the search was ended from outside, perhaps for want of memory. Take the search "
                                   "up again with --resume, and with fewer --workers if that happens again.") from None
            answer = answers.pop(number)
            if isinstance(answer, Exception):
                raise answer
            yield answer

    def close(self) -> None:
        for pipe, process in self._workers.items():
            process.terminate()
            process.join()
            pipe.close()


def _answered(answers: Sequence[Future[Evaluation]], patience_s: float) -> Iterator[Evaluation]:
    """Answers in the order of their questions. Raises JobError where none comes for `patience_s`."""
    open_, heard_s = set(answers), time.monotonic()
    for answer in answers:
        while not answer.done():
            done, open_ = wait(open_, POLL_S, FIRST_COMPLETED)
            if done:
                heard_s = time.monotonic()
            elif time.monotonic() - heard_s > patience_s:
                raise JobError(f"No trial of the search was answered for {patience_s / 60.0:.3g} min. Restart the workers that "
                               "hang, and take the search up again with --resume, with more --patience if a trial only needs "
                               "longer.")
        yield answer.result()


def _serve(problem: SingleProblem, pipe: Any) -> None:
    """In a worker: answer questions one by one; leave the stop key to the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        question = pipe.recv()
        try:
            pipe.send(problem.evaluate(*question))
        except Exception as error:
            pipe.send(error)


@dataclass(frozen=True)
class Result:
    """What a search brought: `report` holds plain JSON values; `stopped` by the user before its end."""

    report: dict[str, Any]
    stopped: bool


@dataclass(frozen=True)
class Run:
    """How a search is run: its plan, where its result goes, what it goes on from, who tries, and who is told. `says` gets the
    sentences that cannot wait. A checkpoint goes when its search has ended, unless it is to be `kept`."""

    plan: Plan
    out: Path
    checkpoint: Path
    resume: bool = False
    callback: Told | None = None
    executor: Executor | None = None
    says: Callable[[str], None] = lambda sentence: None
    kept: bool = False
    began_s: float = field(default_factory=time.monotonic)

    def search(self, problem: SingleProblem | BatchProblem, before: Evaluation | None = None) -> Search:
        """The search of a problem, taken up or begun anew. Raises InputError as `Search` does."""
        if not self.resume:
            self.checkpoint.unlink(missing_ok=True)
        elif not self.checkpoint.is_file():
            self.says(f"There is no checkpoint {self.checkpoint}: the search begins anew.")
        return Search(problem, self.plan, before, checkpoint=self.checkpoint, resume=self.resume, executor=self.executor)

    def first(self, problem: SingleProblem, words: str) -> Evaluation:
        """What the start costs, told in these words while it is tried."""
        if self.callback:
            self.callback(0.0, words)
        return problem.evaluate(np.zeros(problem.size))

    def done(self, search: Search, report: Mapping[str, Any], file: Mapping[str, Any] | None = None) -> Result:
        """The end of a search: its file is written, where it is not yet, the checkpoint goes, and the report is made whole."""
        if file is not None:
            write_json(self.out, dict(file))
        if search.ended != STOPPED and not self.kept:
            self.checkpoint.unlink(missing_ok=True)
        return Result({**report, **search.figures(), "wall_s": time.monotonic() - self.began_s}, search.ended == STOPPED)
