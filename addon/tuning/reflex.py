# SPDX-License-Identifier: GPL-3.0-or-later
"""Search of a reflex walker: for a speed, or for the one that effort chooses, under any gravity, from a walker that there is."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from ..bodies.makers import make_body
from ..controllers.reflex.conditions import conditioned
from ..controllers.reflex.controller import ReflexController
from ..controllers.reflex.effort import EffortJudge
from ..controllers.reflex.law import ReflexLaw
from ..controllers.reflex.objective import Wish
from ..controllers.reflex.parameters import named, vector_of
from ..controllers.reflex.population import Population
from ..controllers.reflex.search import Plan, Search
from ..controllers.reflex.walkers import read_walker
from ..errors import InputError
from ..gaits.tuned_maps import write_json
from ..reports.measures import measure
from ..reports.strides import end_of_walking_s
from ..reports.transport import cost_of_transport
from ..simulate import Simulation
from ..specs.condition import Condition
from ..specs.reflex import CONTROLLERS, Trial, Walker, walker_file
from ..specs.shot import EARTH_GRAVITY_M_S2, BodySpec, Shot, World
from ..take import Take
from .maps import Result
from .search import Callback as Told
from .search import SearchSettings

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
    cost otherwise (`controllers.reflex.objective.Wish`), `change` alters every law before it begins."""

    world: World
    speed_m_s: float | None
    start: Mapping[str, float]
    body: BodySpec = field(default_factory=BodySpec)
    condition: Condition | None = None
    wish: Mapping[str, Any] = field(default_factory=dict)
    change: Callable[[ReflexLaw], None] | None = None

    def altered(self, law: ReflexLaw) -> None:
        """Alter a law before it begins."""
        if self.condition is not None:
            conditioned(law.muscles.routing, self.condition)
        if self.change is not None:
            self.change(law)


class ReflexSearch(Search):
    """The search of a problem; see `Search`."""

    def __init__(self, problem: ReflexProblem, plan: Plan, checkpoint: Path | None = None) -> None:
        self._problem, self.change = problem, problem.altered
        if problem.speed_m_s is None:
            self.judge = EffortJudge
        wish = Wish(1.0 if problem.speed_m_s is None else problem.speed_m_s, **problem.wish)
        super().__init__(make_body(problem.body), problem.world, wish, plan, vector_of(problem.start), checkpoint)

    def _stamp(self) -> dict[str, Any]:
        """See `Search._stamp`; whatever is other than healthy belongs to it."""
        problem = self._problem
        own = {"body": asdict(problem.body), "condition": None if problem.condition is None else asdict(problem.condition),
               "change": getattr(problem.change, "__qualname__", None)}
        return {**super()._stamp(), **json.loads(json.dumps(own))}

    def found(self, *others: np.ndarray) -> np.ndarray:
        """The best of what the search has come to and `others` in a trial of `TRIAL_S` off nobody's start: the vector (K,)."""
        tries = np.array([self.mean(), self.best, *others])
        judge = self.judge(self.wish, len(tries))
        fallen_s = Population(self.body, self.world, len(tries)).run(tries, TRIAL_S, change=self.change, watch=judge.watch)
        return tries[int(np.argmin(np.nan_to_num(judge.costs(fallen_s, TRIAL_S), nan=np.inf)))]


def tune_reflex(
    problem: ReflexProblem, settings: SearchSettings, *, out: Path, checkpoint: Path, resume: bool = False,
    callback: Told | None = None, source: str = "", keep: bool = False,
    says: Callable[[str], None] = lambda sentence: None,
) -> Result:
    """Search, and write the walker that is found to `out`, with how it did in a trial of its own. A whole generation walks in one
    batch: `settings.workers` says nothing here. A stop (KeyboardInterrupt) ends it with the best so far; with `resume` a
    checkpoint that is there is taken up, and a walker that `out` holds already is judged beside what is found, so that a worse
    one never takes its place. `says` gets the sentences that cannot wait. A checkpoint that is to `keep` stays for more
    generations later. Raises InputError where nobody has stood long enough to be measured."""
    began, stopped = time.monotonic(), False
    kept = [vector_of(read_walker(out).parameters)] if resume and out.is_file() else []
    if resume and not checkpoint.is_file():
        says(f"There is no checkpoint {checkpoint}: the search begins anew.")
    if not resume:
        checkpoint.unlink(missing_ok=True)
    slow = math.sqrt(EARTH_GRAVITY_M_S2 / problem.world.gravity_m_s2)
    search = ReflexSearch(problem, Plan(settings.iterations, settings.population, round(SECONDS * slow, 1), settings.sigma,
                                        NOISE / slow, seed=settings.seed), checkpoint)
    before = len(search.log)

    def told(row: dict[str, Any]) -> None:
        if callback is not None:
            done = len(search.log)
            left_s = (time.monotonic() - began) / max(done - before, 1) * (settings.iterations - done)
            callback(done / settings.iterations, f"best cost {row['best']:.2f}, {row['stand']} of {settings.population} stand, "
                     f"at most {left_s / 60.0:.1f} min left")

    try:
        search.go(told)
    except KeyboardInterrupt:
        stopped = True
        says(LAST_TRIAL.format(f"{TRIAL_S:g}", checkpoint))
    vector = search.found(vector_of(problem.start), *kept)
    short = {key: float(f"{value:.{DIGITS}g}") for key, value in named(vector).items()}
    walker = walked(problem, short, out.stem, source)
    write_json(out, walker_file(walker))
    if not (stopped or keep):
        checkpoint.unlink(missing_ok=True)
    report = {"walker": walker.name, "speed_asked_m_s": problem.speed_m_s, "speed_m_s": walker.speed_m_s,
              "stride_frequency_hz": walker.stride_frequency_hz, "world": problem.world.name,
              "gravity_m_s2": problem.world.gravity_m_s2, "trial": walker_file(walker).get("trial", {}),
              "generations": len(search.log), "population": settings.population, "seed": settings.seed,
              "best_costs": [row["best"] for row in search.log], "cpu_s": search.cpu_s,
              "ended": "stopped" if stopped else "iterations"}
    return Result({**report, "wall_s": time.monotonic() - began}, stopped)


def walked(problem: ReflexProblem, parameters: Mapping[str, float], name: str, source: str = "") -> Walker:
    """A walker as it does in a trial of its own, of `TRIAL_S`. Raises InputError where it does not walk long enough to be
    measured."""
    stand_in = Walker(name, problem.speed_m_s or 1.0, 1.0, dict(parameters), problem.world.gravity_m_s2)
    if problem.body != BodySpec():
        stand_in = replace(stand_in, leg_length_m=make_body(problem.body).leg_length_m)
    return measured_walker(trial_take(problem, stand_in), stand_in, source)


def trial_take(problem: ReflexProblem, walker: Walker) -> Take:
    """A walker's own trial, of `TRIAL_S`, in what is changed for the problem."""
    simulation = Simulation(Shot(body=problem.body, world=problem.world, controller=CONTROLLERS[0], reflex=walker,
                                 duration_s=TRIAL_S, condition=problem.condition))
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
