# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of a muscled creature's gait as a problem: the quick law's numbers and the muscles' together, seeded by a quick
gait; thresholds of Geijtenbeek 2013 say when it is found."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ...bodies.creature.body import CreatureBody
from ...bodies.creature.muscles import creature_muscles
from ...bodies.muscles.metabolic import BASAL_W_KG
from ...specs.shot import World
from ..creature import parameters as quick
from ..creature.felt import Felt
from ..creature.layout import Layout
from ..creature.objective import Wish
from ..creature.population import Shove
from ..creature.search import Judged, Tried
from ..creature.timing import straight_leg_m
from .numbers import ROUTING, MuscleNumbers
from .objective import MEASURES, MuscleJudge
from .population import WHOLE, Kind, MusclePopulation


@dataclass(frozen=True)
class MuscleTrials:
    """How long trials last, in sqrt(L / g): `short_t` those of a generation, the ramp included (10 s of a leg of 1 m on Earth),
    `long_t` those from `starts` starts (20 s of it), these at least `long_s` seconds; judged from `settled_t` on. `noise` is
    a shot's."""

    short_t: float = 31.5
    long_t: float = 63.0
    long_s: float = 20.0
    settled_t: float = 19.0
    starts: int = 4
    noise: float = 0.5


class MuscleProblem:
    """A gait of a muscled body in a world, as it is wished for; all numbers between their bounds are 0 to 1: first the quick
    law's, then the muscles'. What `kind` does not let be free is not searched: routing that is fixed stays in the middle."""

    def __init__(self, body: CreatureBody, world: World, wish: Wish, *, population: int = 20, seed: int = 1, threads: int = 1,
                 trials: MuscleTrials | None = None, kind: Kind = WHOLE) -> None:
        self.body, self.world, self.wish, self.seed, self.kind = body, world, wish, seed, kind
        self.trials = MuscleTrials() if trials is None else trials
        self._threads, self._layout = threads, Layout(body)
        self.numbers = MuscleNumbers(creature_muscles(body, world.gravity_m_s2))
        self._low = np.concatenate([quick.LOW, self.numbers.low])
        self._high = np.concatenate([quick.HIGH, self.numbers.high])
        fixed = () if kind.free else self.numbers.rows([ROUTING])
        self._free = np.setdiff1d(np.arange(len(self._low)), np.asarray(fixed, dtype=int) + len(quick.LOW))
        self._middle = np.concatenate([quick.START, self.numbers.start])
        self.size = len(self._free)
        self._population = MusclePopulation(body, world, population, threads, kind)
        unit = self.time_unit_s = self._population.time_unit_s
        self.speed_m_s = wish.speed * straight_leg_m(body) / unit
        self.long_s = max(self.trials.long_t * unit, self.trials.long_s)
        tree = hashlib.sha256(json.dumps(body.to_dict(), sort_keys=True).encode()).hexdigest()
        self.stamp: Mapping[str, Any] = {"body_sha256": tree, "world": asdict(world), "wish": asdict(wish),
                                         "trials": asdict(self.trials), "kind": asdict(kind), "size": self.size}

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

    def walk(self, population: MusclePopulation, vectors: np.ndarray, seconds: float, noise: np.ndarray, *,
             shoves: Sequence[Shove] = (),
             most_falls: Callable[[np.ndarray], np.ndarray] | None = None) -> tuple[MuscleJudge, np.ndarray]:
        """How walkers did: their judge, and the shares (N,) of the trial that they stood for."""
        judge = MuscleJudge(self.wish, self._layout, self.body, self.world.gravity_m_s2, len(vectors), self.trials.settled_t,
                            seconds / self.time_unit_s)
        basal_w = BASAL_W_KG["wang"] * self.body.mass_kg

        def watch(felt: Felt, torque: np.ndarray, time_s: float, alive: np.ndarray) -> None:
            judge.watch(felt, torque, population.spent_w + basal_w, time_s, alive)

        ended_s = population.run(vectors, seconds, self.speed_m_s, turn_rad_s=self.wish.turn / self.time_unit_s, noise=noise,
                                 shoves=shoves, watch=watch, most_falls=most_falls)
        return judge, ended_s / seconds

    def tried(self, xs: np.ndarray, generation: int) -> Tried:
        """See `creature.search.Problem`: all of a generation have the same start, another one in every generation."""
        noise = self._population.noise((self.seed, generation), self.trials.noise)
        judge, stood = self.walk(self._population, self.vectors(xs), self.trials.short_t * self.time_unit_s, noise)
        parts = judge.parts(stood)
        costs = np.sum(list(parts.values()), axis=0)
        i = int(np.nanargmin(costs))
        return Tried(costs, int((stood >= 1.0).sum()), (stood >= 1.0) & judge.passes(),
                     {name: float(part[i]) for name, part in parts.items()})

    def raced(self, xs: np.ndarray) -> np.ndarray:
        """What each of a few (K, size) costs in a short trial: where a search had best begin."""
        population = MusclePopulation(self.body, self.world, len(xs), self._threads, self.kind)
        noise = population.noise((self.seed, 10**6 + 1), self.trials.noise)
        judge, stood = self.walk(population, self.vectors(xs), self.trials.short_t * self.time_unit_s, noise)
        return np.sum(list(judge.parts(stood).values()), axis=0)

    def judged(self, xs: np.ndarray) -> list[Judged]:
        """See `creature.search.Problem`: each from the same starts."""
        starts = self.trials.starts
        population = MusclePopulation(self.body, self.world, starts * len(xs), self._threads, self.kind)
        noise = np.tile(population.noise((self.seed, 10**6), self.trials.noise, starts), (len(xs), 1))
        judge, stood = self.walk(population, np.repeat(self.vectors(xs), starts, axis=0), self.long_s, noise)
        costs, told = np.sum(list(judge.parts(stood).values()), axis=0), judge.figures()
        passes = judge.passes() & (stood >= 1.0)
        return [self._summed(costs[own], stood[own], passes[own], {name: value[own] for name, value in told.items()})
                for own in (slice(i * starts, (i + 1) * starts) for i in range(len(xs)))]

    def _summed(self, costs: np.ndarray, stood: np.ndarray, passes: np.ndarray, told: Mapping[str, np.ndarray]) -> Judged:
        """What is said of one gait's starts: means of those that stood, of the force the worst, and what is lacking."""
        stands = stood >= 1.0
        figures: dict[str, Any] = {"starts": len(stood), "stood": int(stands.sum()), "seconds": round(self.long_s, 2),
                                   "shortest_s": round(float(stood.min()) * self.long_s, 2)}
        lacks = [] if stands.all() else ["standing"]
        if stands.any() and told:
            known = {name: value[stands & np.isfinite(value)] for name, value in told.items()}
            figures |= {name: float(value.mean()) for name, value in known.items() if len(value)}
            if len(known["force_peak"]):
                figures["force_peak"] = float(known["force_peak"].max())
            lacks += [name for name, one in MEASURES.items()
                      if one.threshold > 0.0 and max(told["speed_off" if name == "speed" else name][stands]) > one.threshold]
        figures["lacks"] = lacks
        return Judged(float(np.mean(costs)), bool(passes.all()), figures)
