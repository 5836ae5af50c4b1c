# SPDX-License-Identifier: GPL-3.0-or-later
"""A search problem that needs no simulation: the distance from a hidden place."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass

import numpy as np

from lope.addon.search.search import Evaluation, Plan, Search, SingleProblem


@dataclass(frozen=True)
class Bowl(SingleProblem):
    """Cost: the squared distance from a place, plus one."""

    place: tuple[float, ...] = (0.7, -0.4, 0.2)
    bound: float = 2.0

    @property
    def size(self) -> int:
        """Number of unknowns."""
        return len(self.place)

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        """The cost; given up where it exceeds the limit."""
        cost = 1.0 + float(np.square(np.asarray(x) - self.place).sum())
        return Evaluation(cost, cost, limit is None or cost <= limit, {"x": list(map(float, x))})


def searched(problem: SingleProblem, before: Evaluation, plan: Plan, callback=None, **rest) -> Search:
    """A search, gone to its end."""
    search = Search(problem, before=before, plan=plan, **rest)
    search.go(callback)
    return search


class Stopped(Bowl):
    """The same, but the user stops it at the tenth question."""

    calls = 0

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        Stopped.calls += 1
        if Stopped.calls == 10:
            raise KeyboardInterrupt
        return super().evaluate(x, limit)


class Fatal(Bowl):
    """The same, but what answers its questions is killed."""

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        os.kill(os.getpid(), signal.SIGKILL)
        return super().evaluate(x, limit)
