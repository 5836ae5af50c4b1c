# SPDX-License-Identifier: GPL-3.0-or-later
"""CMA-ES over a problem on several processes: repeatable whatever their number, stoppable, resumable.

The search is a function of its seed and of the costs it was told, so a checkpoint holds only the costs: resuming asks the
same questions again, gives the noted answers, and goes on from there (Hansen 2016, "The CMA evolution
strategy: a tutorial").

Who evaluates a search's questions: this process, several of this machine, or an executor such as the pool of a farm.
"""

from __future__ import annotations

import json
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from multiprocessing import connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from ..errors import InputError, JobError
from ..gaits.tuned_maps import write_json
from ..reading import DAMAGED, read_json, taken_apart

if TYPE_CHECKING:
    from .trial import Evaluation


POLL_S = 0.5
"""How often a wait for the processes looks whether the user wants to stop."""


class Problem(Protocol):
    """What is searched: picklable, `size` unknowns of order one within +-`bound`, zero being what there is already."""

    @property
    def size(self) -> int: ...

    @property
    def bound(self) -> float: ...

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        """The cost of the unknowns (size,); it may be given up as soon as its race exceeds the limit."""


class Pool(Protocol):
    """Evaluates one problem."""

    def evaluate(self, xs: Sequence[np.ndarray], limit: float | None) -> Iterator[Evaluation]:
        """Evaluations in the order of the questions."""

    def close(self) -> None:
        """Give up what has not been evaluated."""


class LocalPool:
    """Processes of this machine; with one worker no process is started. Raises JobError where one is ended from outside."""

    def __init__(self, problem: Problem, workers: int) -> None:
        self._problem, self._workers = problem, dict[Any, multiprocessing.process.BaseProcess]()
        context = multiprocessing.get_context("spawn")
        for _ in range(workers if workers > 1 else 0):
            ours, its = context.Pipe()
            process = context.Process(target=_serve, args=(problem, its), daemon=True)
            process.start()
            its.close()  # so that the end of the process ends the pipe
            self._workers[ours] = process

    def evaluate(self, xs: Sequence[np.ndarray], limit: float | None) -> Iterator[Evaluation]:
        """Evaluations in the order of the questions."""
        if not self._workers:
            yield from (self._problem.evaluate(x, limit) for x in xs)
            return
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
        """End the processes, whatever they are at."""
        for pipe, process in self._workers.items():
            process.terminate()
            process.join()
            pipe.close()


class ExecutorPool:
    """Someone else's executor, which stays open; the problem travels with every question, so any worker can answer it. Raises
    JobError where it answers none for `patience_s`."""

    def __init__(self, problem: Problem, executor: Executor, patience_s: float) -> None:
        self._problem, self._executor, self._patience_s = problem, executor, patience_s

    def evaluate(self, xs: Sequence[np.ndarray], limit: float | None) -> Iterator[Evaluation]:
        """Evaluations in the order of the questions."""
        yield from _answered([self._executor.submit(self._problem.evaluate, x, limit) for x in xs], self._patience_s)

    def close(self) -> None:
        """Nothing to end: the executor belongs to the caller."""


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


def _serve(problem: Problem, pipe: Any) -> None:
    """In a worker: answer questions one by one; leave the stop key to the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        question = pipe.recv()
        try:
            pipe.send(problem.evaluate(*question))
        except Exception as error:
            pipe.send(error)


SCHEMA, FORMAT = "lope-tuning-checkpoint", 1
RACE_MARGIN = 1.2
"""A trial is out of the race when it costs this much more than the worst of the last generation's better half did then."""
PATIENCE, GAIN = 12, 0.005
"""The search has converged when this many generations brought the best cost down by less than this fraction."""

Callback = Callable[[float, str], None]


@dataclass(frozen=True)
class SearchSettings:
    """`sigma` is the search's first step in the problem's units. `workers` does not change the result. A cost of `until` or
    less is good enough: the generation that reaches it is the last. An executor that answers no trial for `patience_s` hangs.

    400 trials: on two cores a quarter of an hour for a walk on the Moon, where ten strides take longest (Lee et al. 2014
    gave theirs 100 to 200 generations). The usual population for 18 unknowns would be 12.
    """

    iterations: int = 40
    population: int = 10
    sigma: float = 0.5
    seed: int = 0
    workers: int = 1
    until: float | None = None
    patience_s: float = 3600.0


@dataclass
class Progress:
    """Where a search is: its best so far and the costs told, generation by generation."""

    best: Evaluation
    x: np.ndarray
    history: list[float] = field(default_factory=list)
    generations: list[dict[str, list[float]]] = field(default_factory=list)
    evaluations: int = 0
    ended: str = "iterations"
    """Why it ended: "iterations" used up, "converged", "reached" the cost asked for, or "stopped" by the user."""

    @property
    def lost(self) -> int:
        """How many of the trials the physics engine lost; a checkpoint of an earlier Lope did not count them."""
        return int(sum(sum(generation.get("lost", ())) for generation in self.generations))


@contextmanager
def _pool(problem: Problem, settings: SearchSettings, executor: Executor | None) -> Iterator[Pool]:
    pool = LocalPool(problem, settings.workers) if executor is None else ExecutorPool(problem, executor, settings.patience_s)
    try:
        yield pool
    finally:
        pool.close()


def search(
    problem: Problem, start: Evaluation, settings: SearchSettings, *, checkpoint: Path | None = None, resume: bool = False,
    callback: Callback | None = None, executor: Executor | None = None,
) -> Progress:
    """Search from zero, whose evaluation is `start`. `callback(fraction, words)` is called after every evaluation.

    An `executor` takes the place of the `settings.workers` processes and changes the result no more than they do. A
    user's stop (KeyboardInterrupt) ends it with the best so far. The checkpoint is written after every generation; with
    `resume` one that is there is taken up. Raises InputError for a checkpoint of another search, JobError where the processes are
    lost.
    """
    strategy = _strategy(problem, settings)
    progress = Progress(start, np.zeros(problem.size), [start.cost])
    stamp = _stamp(problem, settings)
    if resume and checkpoint is not None and checkpoint.is_file():
        told = _read_checkpoint(checkpoint, stamp)
        with taken_apart(checkpoint, "a checkpoint", "Delete it to start anew."):
            _replay(strategy, progress, told)
    clock, begun_at = time.monotonic(), len(progress.generations)
    try:
        with _pool(problem, settings, executor) as pool:
            while len(progress.generations) < settings.iterations:
                if settings.until is not None and progress.best.cost <= settings.until:
                    progress.ended = "reached"
                    break
                if _converged(progress.history) or strategy.stop():
                    progress.ended = "converged"
                    break
                xs = strategy.ask()
                answers = []
                for answer in pool.evaluate(xs, _limit(progress, strategy.sp.weights.mu)):
                    answers.append(answer)
                    if callback:
                        done = len(progress.generations) + len(answers) / len(xs)
                        callback(done / settings.iterations, _words(progress, done - begun_at, settings.iterations - done,
                                                                    time.monotonic() - clock))
                _tell(strategy, progress, xs, answers)
                if checkpoint is not None:
                    _write_checkpoint(checkpoint, stamp, progress)
    except KeyboardInterrupt:
        progress.ended = "stopped"
    return progress


def _strategy(problem: Problem, settings: SearchSettings) -> Any:
    """The evolution strategy, its randomness its own."""
    try:
        import cma
    except ImportError:
        raise InputError("Tuning needs the package cma, which is not installed: pip install 'lope[tune]'.") from None
    rng = np.random.default_rng(settings.seed)
    options = {"popsize": settings.population, "bounds": [-problem.bound, problem.bound], "CMA_mirrors": 0, "verbose": -9,
               "seed": np.nan, "randn": lambda *shape: rng.standard_normal(shape), "maxiter": np.inf, "verb_log": 0}
    return cma.CMAEvolutionStrategy(np.zeros(problem.size), settings.sigma, options)


def _tell(strategy: Any, progress: Progress, xs: Sequence[np.ndarray], answers: Sequence[Evaluation]) -> None:
    """Give a generation's answers to the strategy and note them."""
    costs = [answer.cost for answer in answers]
    strategy.tell(xs, costs)
    progress.evaluations += len(answers)
    progress.generations.append({"costs": costs, "races": [answer.race for answer in answers],
                                 "lost": [float("lost" in answer.detail) for answer in answers]})
    for x, answer in zip(xs, answers, strict=True):
        if answer.complete and answer.cost < progress.best.cost:
            progress.best, progress.x = answer, np.array(x)
    progress.history.append(progress.best.cost)


def _limit(progress: Progress, parents: int) -> float | None:
    """Race above which a trial is given up: from the last generation's better half, so that the order of answers does not
    matter."""
    if not progress.generations:
        return None
    return RACE_MARGIN * sorted(progress.generations[-1]["races"])[parents - 1]


def _converged(history: Sequence[float]) -> bool:
    """Whether the last `PATIENCE` generations brought next to nothing."""
    return len(history) > PATIENCE and history[-1] > (1.0 - GAIN) * history[-1 - PATIENCE]


def _words(progress: Progress, done: float, left: float, spent_s: float) -> str:
    """Best cost and time left."""
    first = progress.history[0]
    minutes = spent_s / done * left / 60.0
    return f"best cost {progress.best.cost:.3f} (untuned {first:.3f}), at most {minutes:.1f} min left"


def _stamp(problem: Problem, settings: SearchSettings) -> dict[str, Any]:
    """What has to agree for a search to be taken up again."""
    found = {"problem": json.loads(json.dumps(asdict(cast(Any, problem)))), "sigma": settings.sigma, "seed": settings.seed,
             "population": settings.population}
    return {"schema": SCHEMA, "format": FORMAT, "search": found}


def _write_checkpoint(path: Path, stamp: dict[str, Any], progress: Progress) -> None:
    best = {"x": progress.x.tolist(), **asdict(progress.best)}
    write_json(path, {**stamp, "generations": progress.generations, "best": best, "history": progress.history})


def _read_checkpoint(path: Path, stamp: dict[str, Any]) -> dict[str, Any]:
    """A checkpoint of the same search. Raises InputError for any other file."""
    try:
        data = read_json(path)
        known = {name: data[name] for name in stamp}
        _ = data["generations"], data["best"]["x"], data["history"]
    except DAMAGED as error:
        raise InputError(f"The checkpoint {path} cannot be read ({error!r}); delete it to start anew.") from error
    if known != stamp:
        raise InputError(f"The checkpoint {path} belongs to another search: its shot, weights, population, step, seed or "
                         "untuned cost differ. Give the same options, or leave out --resume to start anew.")
    return data


def _replay(strategy: Any, progress: Progress, data: dict[str, Any]) -> None:
    """Bring the strategy to where a checkpoint was written."""
    for generation in data["generations"]:
        strategy.tell(strategy.ask(), generation["costs"])
        progress.evaluations += len(generation["costs"])
    best = dict(data["best"])
    progress.x = np.array(best.pop("x"))
    from .trial import Evaluation

    progress.best, progress.generations, progress.history = Evaluation(**best), data["generations"], data["history"]
