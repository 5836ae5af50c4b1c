# SPDX-License-Identifier: GPL-3.0-or-later
"""Search of a reflex walker: for a speed, or for the one that effort chooses, under any gravity, from a walker that there is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from ..bodies.makers import make_body
from ..errors import InputError
from ..locomotion.reflex.controller import ReflexController
from ..locomotion.reflex.law import ReflexLaw
from ..locomotion.reflex.parameters import HIGH, LOW, ORDER, STEP, named, vector_of
from ..locomotion.reflex.units import conditioned
from ..locomotion.reflex.walkers import read_walker
from ..reading import read_json
from ..reports.measures import measure
from ..reports.needs import cost_of_transport
from ..reports.strides import end_of_walking_s
from ..sim.simulation import Simulation
from ..sim.take import Take
from ..specs.motions.reflex import Reflex, Trial, Walker, walker_file
from ..specs.muscles import Condition
from ..specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot, World
from .population import evaluations
from .reflex_trials import EffortJudge, Judge, ReflexPopulation, Wish
from .search import STOPPED, BatchProblem, Evaluation, Plan, Result, Run

SECONDS, TRIAL_S = 8.0, 20.0
"""Length of a trial of the search on Earth, elsewhere as much longer as all is slower, and of the walker's own when it is
found."""
NOISE = 0.02
"""Deviation of the start's velocities, another in every generation [m/s, and half as much in rad/s]: what stands does so off its
start too."""
SETTLED_S = 3.0
"""From here on a walker's own trial is measured."""
LAST_TRIAL = ("Stopped: the best so far are still tried for {0} s, to choose and write one; that takes a minute or two. A second "
              "Ctrl-C leaves at once and writes none; --resume goes on from {1}.")
DIGITS = 6
"""Significant digits of a walker's parameters in its file."""


@dataclass(frozen=True)
class ReflexProblem:
    """What is searched. Without a speed effort chooses it. `condition` is what is other than healthy, `wish` weighs parts of the
    cost otherwise (`reflex_trials.Wish`), `change` alters every law before it begins. Trials last `seconds`, with
    velocities at the start off by `noise` [m/s, rad/s], both of their usual size where nothing is said, and pelvises `held` in
    the plane so firmly (0 to 1). Parameters whose names begin with one of `kept` stay as they are."""

    world: World
    speed_m_s: float | None
    start: Mapping[str, float]
    body: BodySpec = field(default_factory=BodySpec)
    condition: Condition | None = None
    wish: Mapping[str, Any] = field(default_factory=dict)
    change: Callable[[ReflexLaw], None] | None = None
    seconds: float | None = None
    noise: float | None = None
    held: float = 0.0
    kept: tuple[str, ...] = ()

    @property
    def slow(self) -> float:
        """How many times longer everything takes than on Earth."""
        return math.sqrt(EARTH_GRAVITY_M_S2 / self.world.gravity_m_s2)

    def altered(self, law: ReflexLaw) -> None:
        """Alter a law before it begins."""
        if self.condition is not None:
            conditioned(law.muscles.routing, self.condition)
        if self.change is not None:
            self.change(law)


class ReflexTrials(BatchProblem):
    """The search of a problem: its parameters but those that are kept, in their `STEP`s from the start, a generation in one
    batch."""

    converges = False  # trials in which all fall at once cost the same for generations

    def __init__(self, asked: ReflexProblem, plan: Plan) -> None:
        self.asked, self._seed, self._begin = asked, plan.seed, vector_of(asked.start)
        self._free = np.array([i for i, name in enumerate(ORDER) if not (asked.kept and name.startswith(asked.kept))])
        self.seconds = round(SECONDS * asked.slow, 1) if asked.seconds is None else asked.seconds
        self._noise = NOISE / asked.slow if asked.noise is None else asked.noise
        self.noisy = bool(self._noise)
        self._judge = EffortJudge if asked.speed_m_s is None else Judge
        self._wish = Wish(1.0 if asked.speed_m_s is None else asked.speed_m_s, **asked.wish)
        self._body = make_body(asked.body)
        self._population = self._walkers(plan.population)

    @property
    def size(self) -> int:
        """Number of unknowns."""
        return len(self._free)

    @property
    def bounds(self) -> tuple[list[float], list[float]]:
        """The parameters' ranges."""
        low, high = ((ends - self._begin)[self._free] / STEP[self._free] for ends in (LOW, HIGH))
        return np.minimum(low, -1e-6).tolist(), np.maximum(high, 1e-6).tolist()

    @property
    def stamp(self) -> dict[str, Any]:
        """See `Problem.stamp`."""
        asked = self.asked
        return {"world": asdict(asked.world), "body": asdict(asked.body), "speed_m_s": asked.speed_m_s,
                "start": self._begin.tolist(), "wish": asdict(self._wish),
                "condition": None if asked.condition is None else asdict(asked.condition),
                "change": getattr(asked.change, "__qualname__", None), "seconds": self.seconds, "noise": self._noise,
                "held": asked.held, "kept": asked.kept}

    def strategy(self, seed: int) -> dict[str, Any]:
        """The generator that cma itself would seed, so that a seed finds what it always found."""
        return {"randn": np.random.RandomState(seed).randn, "CMA_diagonal": 60}

    def vectors(self, xs: np.ndarray) -> np.ndarray:
        """Parameters (N, K), within their ranges, of points (N, size) of the search."""
        found = np.tile(self._begin, (len(xs), 1))
        found[:, self._free] += STEP[self._free] * xs
        return np.clip(found, LOW, HIGH)

    def point(self, vector: np.ndarray) -> np.ndarray:
        """The point (size,) of parameters (K,)."""
        return ((vector - self._begin) / STEP)[self._free]

    def tried(self, xs: np.ndarray, generation: int) -> list[Evaluation]:
        """A generation (N, size), all off the same start, another one in every generation."""
        noise = None
        if self._noise:
            draw = np.random.default_rng((self._seed, generation))
            noise = self._noise * draw.standard_normal(self._body.degrees_of_freedom)
            noise[6:] *= 0.5
        return self._walked(self._population, xs, self.seconds, noise=noise, held=self.asked.held)

    def judged(self, xs: np.ndarray) -> list[Evaluation]:
        """Each of a few (K, size) in a trial of `TRIAL_S` off nobody's start."""
        return self._walked(self._walkers(len(xs)), xs, TRIAL_S)

    def _walkers(self, n: int) -> ReflexPopulation:
        return ReflexPopulation(self._body, self.asked.world, n)

    def _walked(self, population: ReflexPopulation, xs: np.ndarray, seconds: float, **rest: Any) -> list[Evaluation]:
        judge = self._judge(self._wish, len(xs))
        fallen_s = population.run(self.vectors(xs), seconds, change=self.asked.altered, watch=judge.watch, **rest)
        return evaluations(judge.parts(fallen_s, seconds), fallen_s / seconds)


def tune_reflex(problem: ReflexProblem, run: Run, source: str = "") -> Result:
    """Search, and write the walker that is found, with how it did in a trial of its own. Of the middle, the best of the last
    generation and the start the one is taken that does best in a long trial; where a search is taken up, so is a walker that
    the run's file holds already, so that a worse one never takes its place. Raises InputError where nobody has stood long
    enough to be measured."""
    trials = ReflexTrials(problem, run.plan)
    others = [trials.point(vector_of(read_walker(run.out).parameters))] if run.resume and run.out.is_file() else []
    search = run.search(trials)
    if search.go(run.callback) == STOPPED:
        run.says(LAST_TRIAL.format(f"{TRIAL_S:g}", run.checkpoint))
    search.check([search.mean, search.x, trials.start, *others])
    short = {key: float(f"{value:.{DIGITS}g}") for key, value in named(trials.vectors(search.found[None])[0]).items()}
    walker = walked(problem, short, run.out.stem, source)
    report = {"walker": walker.name, "speed_asked_m_s": problem.speed_m_s, "speed_m_s": walker.speed_m_s,
              "stride_frequency_hz": walker.stride_frequency_hz, "world": problem.world.name,
              "gravity_m_s2": problem.world.gravity_m_s2, "trial": walker_file(walker).get("trial", {}),
              "best_costs": [row["best"] for row in search.log], "cpu_s": search.cpu_s}
    return run.done(search, report, walker_file(walker))


def read_parameters(path: Path) -> dict[str, float]:
    """The named parameters of a walker's file, whatever else is in it."""
    return {str(k): float(v) for k, v in read_json(path)["parameters"].items()}


def walked(problem: ReflexProblem, parameters: Mapping[str, float], name: str, source: str = "") -> Walker:
    """A walker as it does in a trial of its own, of `TRIAL_S`. Raises InputError where it does not walk long enough to be
    measured."""
    stand_in = Walker(name, problem.speed_m_s or 1.0, 1.0, dict(parameters), problem.world.gravity_m_s2)
    if problem.body != BodySpec():
        stand_in = replace(stand_in, leg_length_m=make_body(problem.body).leg_length_m)
    return measured_walker(trial_take(problem, stand_in), stand_in, source)


def trial_take(problem: ReflexProblem, walker: Walker) -> Take:
    """A walker's own trial, of `TRIAL_S`, in what is changed for the problem."""
    simulation = Simulation(
        Shot(motion=Reflex(walker), body=problem.body, world=problem.world, duration_s=TRIAL_S, condition=problem.condition)
    )
    if problem.change is not None:
        law = cast(ReflexController, simulation.controller).law
        problem.change(law)
        law.reset(simulation.engine.qpos[None], simulation.engine.qvel[None])
    try:
        while not simulation.over:
            simulation.step()
    finally:
        simulation.close()
    return simulation.take()


def measured_walker(take: Take, walker: Walker, source: str = "") -> Walker:
    """The walker with the speed, stride frequency and trial of its take. Raises InputError for a take without a whole stride."""
    found, stood_s = measure(take), end_of_walking_s(take)
    if found["mean_speed_m_s"] is None:
        raise InputError(f"The reflex walker fell after {stood_s:.1f} s, before a whole stride could be measured: search for "
                         "longer, or from another walker.")
    rows = (take.time_s > min(SETTLED_S, 0.5 * stood_s)) & (take.time_s <= stood_s)
    cost = cost_of_transport(take, rows)
    trial = Trial(round(stood_s, 2), take.shot.duration_s, None if cost is None else round(cost, 3),
                  round(0.5 * found["stride_length_m"], 3))
    return replace(walker, speed_m_s=round(found["mean_speed_m_s"], 3), trial=trial, source=source or walker.source,
                   stride_frequency_hz=round(found["stride_frequency_hz"], 3))
