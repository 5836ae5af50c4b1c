# SPDX-License-Identifier: GPL-3.0-or-later
"""Who evaluates a search's questions: this process, several of this machine, or an executor such as the pool of a farm."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, wait
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:  # the command line asks for settings before anything is simulated
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
    """Processes of this machine; with one worker no process is started."""

    def __init__(self, problem: Problem, workers: int) -> None:
        self._problem = problem
        context = multiprocessing.get_context("spawn")
        self._pool = context.Pool(workers, _begin, (problem,)) if workers > 1 else None

    def evaluate(self, xs: Sequence[np.ndarray], limit: float | None) -> Iterator[Evaluation]:
        """Evaluations in the order of the questions."""
        if self._pool is None:
            yield from (self._problem.evaluate(x, limit) for x in xs)
            return
        answers = self._pool.imap(_evaluate, [(x, limit) for x in xs])
        for _ in xs:
            while True:
                try:
                    yield answers.next(POLL_S)
                    break
                except multiprocessing.TimeoutError:
                    continue

    def close(self) -> None:
        """End the processes, whatever they are at."""
        if self._pool is not None:
            self._pool.terminate()
            self._pool.join()


class ExecutorPool:
    """Someone else's executor, which stays open; the problem travels with every question, so any worker can answer it."""

    def __init__(self, problem: Problem, executor: Executor) -> None:
        self._problem, self._executor = problem, executor

    def evaluate(self, xs: Sequence[np.ndarray], limit: float | None) -> Iterator[Evaluation]:
        """Evaluations in the order of the questions."""
        answers = [self._executor.submit(self._problem.evaluate, x, limit) for x in xs]
        for answer in answers:
            while not wait([answer], POLL_S).done:
                pass
            yield answer.result()

    def close(self) -> None:
        """Nothing to end: the executor belongs to the caller."""


_problem: list[Problem] = []


def _begin(problem: Problem) -> None:
    """In a worker: keep the problem; leave the stop key to the process that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _problem[:] = [problem]


def _evaluate(question: tuple[np.ndarray, float | None]) -> Evaluation:
    """In a worker: answer one question."""
    return _problem[0].evaluate(*question)
