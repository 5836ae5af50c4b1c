# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of a muscled creature's gait as a problem: the quick law's numbers and the muscles' together, seeded by a quick
gait; thresholds of Geijtenbeek 2013 say when it is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from ...bodies.creature.body import CreatureBody
from ...bodies.creature.muscles import creature_muscles
from ...bodies.muscles.metabolic import BASAL_W_KG
from ...specs.shot import World
from ..creature import parameters as quick
from ..creature.felt import Felt
from ..creature.objective import Wish
from ..creature.population import Population, Watch
from ..creature.problem import GaitProblem, Trials
from .numbers import ROUTING, MuscleNumbers
from .objective import MEASURES, MuscleJudge
from .population import WHOLE, Kind, MusclePopulation

TRIALS = Trials(short_t=16.5, long_t=63.0, long_s=20.0, settled_t=4.0, starts=4, noise=0.5)
"""Those of a generation last 10 s of a leg of 1 m on Earth at the usual speed, those from many starts 20 s."""


class MuscleProblem(GaitProblem[MuscleJudge]):
    """A gait of a muscled body: its numbers are the quick law's and then the muscles'. What `kind` does not let be free is not
    searched: routing that is fixed stays in the middle."""

    def __init__(self, body: CreatureBody, world: World, wish: Wish, *, population: int = 20, seed: int = 1, threads: int = 1,
                 trials: Trials | None = None, kind: Kind = WHOLE) -> None:
        self.kind, self._threads, self._muscled = kind, threads, body
        self.numbers = MuscleNumbers(creature_muscles(body, world.gravity_m_s2))
        self._low = np.concatenate([quick.LOW, self.numbers.low])
        self._high = np.concatenate([quick.HIGH, self.numbers.high])
        fixed = () if kind.free else self.numbers.rows([ROUTING])
        self._free = np.setdiff1d(np.arange(len(self._low)), np.asarray(fixed, dtype=int) + len(quick.LOW))
        self._middle = np.concatenate([quick.START, self.numbers.start])
        self.size = len(self._free)
        super().__init__(body, world, wish, population, seed, trials or TRIALS)
        self.stamp = {**self.stamp, "kind": asdict(kind), "size": self.size}

    def _walkers(self, n: int) -> MusclePopulation:
        return MusclePopulation(self._muscled, self.world, n, self._threads, self.kind)

    def vectors(self, xs: np.ndarray) -> np.ndarray:
        """Numbers (N, K + Q) of points (N, size) of the search."""
        found = np.tile(self._middle, (len(xs), 1))
        low, high = self._low[self._free], self._high[self._free]
        found[:, self._free] = low + (high - low) * np.clip(xs, 0.0, 1.0)
        return found

    def point(self, parameters: np.ndarray, muscles: np.ndarray | None = None) -> np.ndarray:
        """The point (size,) of the quick law's numbers (K,) and the muscles' (Q,), as at the start where none are given."""
        vector = np.concatenate([parameters, self.numbers.start if muscles is None else muscles])
        low, high = self._low[self._free], self._high[self._free]
        return np.clip((vector[self._free] - low) / (high - low), 0.0, 1.0)

    def values(self, x: np.ndarray) -> tuple[dict[str, float], dict[str, dict[str, float]]]:
        """The numbers of a point by name: the quick law's, and the muscles' by group, all of them: where a search begins may
        change, what it found shall not."""
        vector = self.vectors(np.asarray(x)[None])[0]
        count = len(quick.LOW)
        muscles: dict[str, dict[str, float]] = {}
        for (group, name), value in zip(self.numbers.names, vector[count:], strict=True):
            muscles.setdefault(group, {})[name] = float(value)
        return quick.values_of(vector[:count]), muscles

    def _judge(self, n: int, seconds: float, population: Population) -> tuple[MuscleJudge, Watch]:
        assert isinstance(population, MusclePopulation)
        judge = MuscleJudge(self.wish, self._layout, self.body, self.world.gravity_m_s2, n, self.settled_t,
                            seconds / self.time_unit_s)
        basal_w = BASAL_W_KG["wang"] * self.body.mass_kg

        def watch(felt: Felt, torque: np.ndarray, time_s: float, alive: np.ndarray) -> None:
            judge.watch(felt, torque, population.spent_w + basal_w, time_s, alive)

        return judge, watch

    def _good(self, judge: MuscleJudge, stood: np.ndarray) -> np.ndarray:
        return (stood >= 1.0) & judge.passes()

    def _lacks(self, stands: np.ndarray, told: Mapping[str, np.ndarray], figures: Mapping[str, Any]) -> list[str]:
        return [name for name, one in MEASURES.items() if one.threshold > 0.0
                and not (told["speed_off" if name == "speed" else name][stands] <= one.threshold).all()]
