# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of a creature's gait as a problem: short trials of a generation, long ones from many starts; and that by the quick
law."""

from __future__ import annotations

import hashlib
import json
import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Generic, Protocol, TypeVar

import mujoco
import numpy as np

from ..bodies.body import Body
from ..bodies.model import build_model
from ..locomotion.controller import Physics
from ..locomotion.creature.controller import begin, noise_of
from ..locomotion.creature.felt import FIELDS, Felt, Layout, Senses
from ..locomotion.creature.law import RAMP, CreatureLaw
from ..locomotion.creature.parameters import HIGH, LOW, TICK_STEPS, creature_physics, time_unit_s
from ..specs.shot import Push, World
from ..worlds.ground import make_ground
from .creature_objective import RUN, WALK, Judge, Wish
from .population import Population, evaluations
from .search import BatchProblem, Evaluation, Plan

CURRENT = mujoco.mjtStage.mjSTAGE_VEL.value
"""Places and velocities are those at the end of a tick, as a controller in the loop has them."""
FALL_SHARE, FALL_TILT_RAD, TURNED = 0.65, 0.9, 0.5
"""Who is lower than this share of the height in standing, with the trunk tilted by more, or off its heading by more than this
cosine, has fallen: a little sooner than in a shot."""

Watch = Callable[[Felt, np.ndarray, float, np.ndarray], None]
"""Sees what is felt, torques (N, nv - 6), the time [s] and who still stands (N,) at every tick."""


class CreaturePopulation(Population):
    """N walkers of one creature."""

    looks_every = 5

    def __init__(self, body: Body, world: World, n: int, threads: int = 1, finer: Physics | None = None) -> None:
        usual = creature_physics(body, world.gravity_m_s2)
        physics = finer or usual
        model = build_model(body, world, physics)
        super().__init__(body, world, n, model, TICK_STEPS * usual.step_s, threads)
        self._ground = make_ground(world.ground)
        self.time_unit_s = time_unit_s(body.leg_length_m, world.gravity_m_s2)

    def noise(self, seed: Sequence[int], size: float, rows: int = 1) -> np.ndarray:
        """Velocities (rows, nv) to be added at the start, as a shot of that noise has them."""
        draw, leg_m = np.random.default_rng(seed), self.body.leg_length_m
        return np.array([noise_of(self.body, leg_m, self.world.gravity_m_s2, size, draw) for _ in range(rows)])

    def run(self, parameters: np.ndarray, seconds: float, speed_m_s: float, *, turn_rad_s: float = 0.0,
            noise: np.ndarray | None = None, watch: Watch | None = None) -> np.ndarray:
        """Walk with parameters (N, K) for so long at a speed; the times (N,) [s] of their falls, or `seconds`. `noise` (nv,) or
        (N, nv) is added to the velocities at the start."""
        law = self._law = self._law_of(parameters)
        law.speed_m_s[:] = speed_m_s
        self._turn_rad_s, self._watch = turn_rad_s, watch
        self._senses = Senses(law.layout)
        self._batch_of((*FIELDS, "sensordata", "qfrc_applied"), begin(self.body, 0.0, self._ground), noise,
                       persistent=True)  # so that `CURRENT` costs nothing
        self._damping = self._batch.expand("dof_damping")
        self._batch.forward()
        self._felt = self._senses.read(self._bound.__getitem__, self._force)
        self._reset(self._felt)
        self._low_m = FALL_SHARE * self._felt.com[:, 2]
        return self._walked(seconds)

    def _law_of(self, parameters: np.ndarray) -> CreatureLaw:
        """The law of parameters (N, K), which is told where to go and how fast."""
        return CreatureLaw(self.body, parameters, self.n, self.world.gravity_m_s2)

    def _reset(self, felt: Felt) -> None:
        self._law.reset(felt)

    def _tick(self, time_s: float, ids: np.ndarray, alive: np.ndarray) -> None:
        self._law.heading[:] = self._turn_rad_s * time_s
        torque = self._act(self._felt, time_s, ids)
        self._felt = self._senses.read(self._bound.__getitem__, self._feel(ids))
        if self._watch is not None:
            self._watch(self._felt, torque, time_s + self.tick_s, alive)

    def _act(self, felt: Felt, time_s: float, ids: np.ndarray) -> np.ndarray:
        """Move those `ids` on by one tick; the torques (N, nv - 6) [N m]."""
        root = self.body.root_freedom
        torque, damping = self._law.step(felt, time_s)
        self._bound["qfrc_applied"][:, root:], self._damping[:, root:] = torque, damping
        self._step(ids, TICK_STEPS, CURRENT)
        return torque

    def _fallen(self) -> np.ndarray:
        """Who (N,) is too low, has the trunk tilted too far, or has turned away from its heading."""
        felt, heading = self._felt, self._law.heading
        ground_m = 0.0 if self._ground.level else np.array([float(self._ground.height(x, y)) for x, y in felt.com[:, :2]])
        trunk = felt.turn[:, self._law.layout.trunk]
        turned = np.cos(heading) * trunk[:, 0, 0] + np.sin(heading) * trunk[:, 1, 0]
        return ~((felt.com[:, 2] - ground_m > self._low_m) & (trunk[:, 2, 2] > math.cos(FALL_TILT_RAD)) & (turned > TURNED))


WORST = ("force_peak", "lap")
"""Figures of which the worst start's is told, of others the mean."""
SPEED_OFF = 0.1
"""A gait that passes misses its speed by no more than this share."""
LAP_FREE, WIDTH_FREE, TRUNK_FREE_RAD, STEP_SHARE, DOUBLE_SHARE = 0.025, 0.02, 0.1, 0.75, 0.6
"""Legs that come into each other as deep as this of the leg's length, as flesh gives way, steps that are so much wider than
asked, a trunk that is off by so much, and steps and double support of this share of what is asked still pass."""


@dataclass(frozen=True)
class Trials:
    """How long trials last, in sqrt(L / g): those of a generation `short_t` from where the ramp ends in which a walk takes up its
    speed, those from `starts` starts `long_t` in all (30 s of a leg of 1 m on Earth), these at least `long_s` seconds and as
    long as those of a generation; judged from `settled_t` behind the ramp on. `noise` is that of a shot: 1 is 0.15 m/s and
    0.15 rad/s of a leg of 1 m."""

    short_t: float = 14.0
    long_t: float = 95.0
    long_s: float = 30.0
    settled_t: float = 4.0
    starts: int = 8
    noise: float = 1.0


class Judging(Protocol):
    def parts(self, stood: np.ndarray) -> dict[str, np.ndarray]:
        """The cost (N,) of each part, of walkers that stood for these shares (N,) of their trial."""

    def figures(self) -> dict[str, np.ndarray]:
        """What is told of each walker (N,); nothing where nothing was judged."""


J = TypeVar("J", bound=Judging)


class GaitProblem(BatchProblem, Generic[J]):
    """A gait of a body in a world, as it is wished for: numbers between their bounds are 0 to 1. A law says what its numbers are,
    how populations walk by them, and who judges them."""

    noisy, edge, judged_every = True, 1e-3, 8
    most_lost: int | None = None
    """So many of the starts may fall before a gait is given up in its long trial; None gives up nobody."""
    pushes: Sequence[Push] = ()
    """What comes in every trial (`Population.draw_shoves`)."""

    def __init__(self, body: Body, world: World, wish: Wish, plan: Plan, trials: Trials) -> None:
        self.body, self.world, self.wish, self.seed, self.trials = body, world, wish, plan.seed, trials
        self._threads, self._start = plan.workers, np.full(self.size, 0.5)
        self._layout, self._population = Layout(body), self._walkers(plan.population)
        unit = self.time_unit_s = self._population.time_unit_s
        self.speed_m_s = wish.speed * body.leg_length_m / unit
        self.settled_t = RAMP * wish.speed + trials.settled_t
        self.short_s = (RAMP * wish.speed + trials.short_t) * unit
        self.long_s = max(trials.long_t * unit, trials.long_s, self.short_s)

    @property
    def start(self) -> np.ndarray:
        return self._start

    def begin_at(self, point: np.ndarray) -> None:
        """Let the search begin at a point (size,)."""
        self._start = np.clip(np.asarray(point, dtype=float), 0.0, 1.0)

    @property
    def bounds(self) -> tuple[float, float]:
        return 0.0, 1.0

    @property
    def stamp(self) -> Mapping[str, Any]:
        tree = hashlib.sha256(json.dumps(self.body.to_dict(), sort_keys=True).encode()).hexdigest()
        return {"body_sha256": tree, "world": asdict(self.world), "wish": asdict(self.wish), "trials": asdict(self.trials),
                "start": self._start.tolist(), "pushes": [asdict(push) for push in self.pushes]}

    @abstractmethod
    def vectors(self, xs: np.ndarray) -> np.ndarray:
        """Numbers of the law (N, K) of points (N, size) of the search."""

    @abstractmethod
    def point(self, vector: np.ndarray) -> np.ndarray:
        """The point (size,) of the quick law's numbers (K,)."""

    @abstractmethod
    def _walkers(self, n: int) -> CreaturePopulation:
        """So many walkers."""

    @abstractmethod
    def _judge(self, n: int, seconds: float, population: CreaturePopulation) -> tuple[J, Watch]:
        """Who judges so many walkers in a trial of so many seconds, and how he sees them."""

    @abstractmethod
    def _good(self, judge: J, stood: np.ndarray) -> np.ndarray:
        """Which walkers (N,), that stood for these shares (N,) of their trial, pass by their own figures."""

    @abstractmethod
    def _lacks(self, stands: np.ndarray, told: Mapping[str, np.ndarray], figures: Mapping[str, Any]) -> list[str]:
        """What a gait lacks that stands from some starts (N,), by the figures `told` of each (N,) and the means in `figures`."""

    def _walk(self, population: CreaturePopulation, xs: np.ndarray, seconds: float, noise: np.ndarray) -> tuple[J, np.ndarray]:
        """How walkers (N, size) did: their judge, and the shares (N,) of the trial that they stood for."""
        judge, watch = self._judge(len(xs), seconds, population)
        ended_s = population.run(self.vectors(xs), seconds, self.speed_m_s, turn_rad_s=self.wish.turn / self.time_unit_s,
                                 noise=noise, watch=watch)
        return judge, ended_s / seconds

    def tried(self, xs: np.ndarray, generation: int) -> list[Evaluation]:
        """See `BatchProblem.tried`: all of a generation have the same start, another one in every generation."""
        noise = self._population.noise((self.seed, generation), self.trials.noise)
        self._population.draw_shoves(self.pushes, (self.seed, generation), self.short_s)
        judge, stood = self._walk(self._population, xs, self.short_s, noise)
        return evaluations(judge.parts(stood), stood, self._good(judge, stood))

    def raced(self, xs: np.ndarray) -> np.ndarray:
        """What each of a few (K, size) costs in a short trial: where a search had best begin."""
        population = self._walkers(len(xs))
        judge, stood = self._walk(population, xs, self.short_s, population.noise((self.seed, 10**6 + 1), self.trials.noise))
        return np.sum(list(judge.parts(stood).values()), axis=0)

    def judged(self, xs: np.ndarray) -> list[Evaluation]:
        """See `BatchProblem.judged`: each from the same starts; one that falls too often is given up."""
        starts, most = self.trials.starts, self.most_lost
        population = self._walkers(starts * len(xs))
        noise = np.tile(population.noise((self.seed, 10**6), self.trials.noise, starts), (len(xs), 1))
        population.draw_shoves(self.pushes, (self.seed, 10**6), self.long_s, starts, len(xs))
        if most is not None:
            population.given_up = lambda fell: np.repeat(fell.reshape(-1, starts).sum(axis=1) > most, starts)
        judge, stood = self._walk(population, np.repeat(xs, starts, axis=0), self.long_s, noise)
        costs, told = np.sum(list(judge.parts(stood).values()), axis=0), judge.figures()
        return [self._summed(costs[own], stood[own], {name: value[own] for name, value in told.items()})
                for own in (slice(i * starts, (i + 1) * starts) for i in range(len(xs)))]

    def said(self, judged: Evaluation) -> str:
        told = judged.detail
        lacks = ", ".join(told["lacks"])
        return (f"the best so far stands {told['stood']} of {told['starts']} starts for {told['seconds']:g} s"
                f"{'; it lacks ' + lacks if lacks else ', as asked'}")

    def _summed(self, costs: np.ndarray, stood: np.ndarray, told: Mapping[str, np.ndarray]) -> Evaluation:
        """What is said of one gait's starts: figures of those that stood, and what is lacking."""
        stands = stood >= 1.0
        figures: dict[str, Any] = {"starts": len(stood), "stood": int(stands.sum()), "seconds": round(self.long_s, 2),
                                   "shortest_s": round(float(stood.min()) * self.long_s, 2)}
        lacks = [] if told and stands.all() else ["standing"]
        known = {name: value[stands & np.isfinite(value)] for name, value in told.items()}
        figures |= {name: float(value.max() if name in WORST else value.mean()) for name, value in known.items() if len(value)}
        if stands.any() and told:
            lacks += self._lacks(stands, told, figures)
        figures["lacks"], cost = lacks, float(np.mean(costs))
        return Evaluation(cost, cost, True, figures, not lacks)


QUICK = Plan(400, 14, 0.07, seed=1, minutes=5.0)
"""How a gait by the quick law is searched; first steps are over each number's range."""


class QuickProblem(GaitProblem[Judge]):
    """A gait by the quick law, whose numbers between their bounds are searched."""

    most_lost = 1  # one that passes has lost none

    def __init__(self, body: Body, world: World, wish: Wish, plan: Plan = QUICK, trials: Trials | None = None) -> None:
        super().__init__(body, world, wish, plan, trials or Trials())
        self._least = Judge(wish, self._layout, body, world.gravity_m_s2, 1, 0.0)

    @property
    def size(self) -> int:
        return len(LOW)

    def _walkers(self, n: int) -> CreaturePopulation:
        return CreaturePopulation(self.body, self.world, n, self._threads)

    def vectors(self, xs: np.ndarray) -> np.ndarray:
        """Numbers of the law (N, K) of points (N, K) of the search."""
        return LOW + (HIGH - LOW) * np.clip(xs, 0.0, 1.0)

    def point(self, vector: np.ndarray) -> np.ndarray:
        """The point (K,) of numbers of the law (K,)."""
        return np.clip((vector - LOW) / (HIGH - LOW), 0.0, 1.0)

    def _judge(self, n: int, seconds: float, population: CreaturePopulation) -> tuple[Judge, Watch]:
        judge = Judge(self.wish, self._layout, self.body, self.world.gravity_m_s2, n, self.settled_t)
        return judge, judge.watch

    def _good(self, judge: Judge, stood: np.ndarray) -> np.ndarray:
        told = judge.figures()
        return np.array([share >= 1.0 and not self.lacks({name: value[k] for name, value in told.items()})
                         for k, share in enumerate(stood)], dtype=bool)

    def _lacks(self, stands: np.ndarray, told: Mapping[str, np.ndarray], figures: Mapping[str, Any]) -> list[str]:
        return self.lacks({name: figures.get(name, math.nan) for name in told})

    def lacks(self, told: Mapping[str, float]) -> list[str]:
        """What a gait with these figures lacks of what was wished for, in words; nothing of one that passes."""
        wish = self.wish
        checks = {
            "speed": abs(told["speed"] - wish.speed) <= SPEED_OFF * max(wish.speed, 0.1),
            "soft landings": told["force_peak"] <= wish.force_peak, "straight legs": told["stance_leg"] >= self._least.stance_leg,
            "narrow steps": told["step_width"] <= self._least.step_width + WIDTH_FREE,
            "toes clear of the ground": told["clearance"] >= wish.clearance, "legs clear of each other": told["lap"] <= LAP_FREE,
            "calm steps": told["speed"] * told["step"] >= STEP_SHARE * wish.step_length,
            "an upright trunk": abs(told["pitch"] - wish.trunk_pitch) <= TRUNK_FREE_RAD,
            "double support": wish.gait != WALK or told["double_support"] >= DOUBLE_SHARE * wish.double_support,
            "no flight": wish.gait != WALK or told["flight"] <= 0.02, "flight": wish.gait != RUN or told["flight"] >= wish.flight,
        }
        return [name for name, holds in checks.items() if not holds]
