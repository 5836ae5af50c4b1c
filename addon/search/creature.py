# SPDX-License-Identifier: GPL-3.0-or-later
"""Search of a creature's quick gait, and what is stored of it: for a speed, in a world, from the nearest gait that there is.

Search of a creature's gait by muscles: it begins at a quick gait, whose wishes the muscles are asked for.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..bodies.creature.body import CreatureBody
from ..bodies.makers import make_body
from ..errors import InputError
from ..gaits.tuned_maps import write_json
from ..locomotion.creature.controller import USUAL
from ..locomotion.creature.parameters import START, straight_leg_m, time_unit_s, values_of, vector_of
from ..locomotion.creature.stored import by_likeness, nearest_few, proportions, read_gait, rounded
from ..specs.motions.creature import CreatureGait, CreatureTrial, creature_gait_file
from ..specs.shot import BodySpec, World
from .creature_muscles_problem import MuscleProblem
from .creature_objective import Wish, usual_gait
from .creature_problem import QuickProblem
from .creature_search import STOPPED, Plan, Problem, Search
from .maps import Result

UNTUNED = "the untuned law"
RACED = 6
"""A search begins at whichever does best in a short trial: the untuned law, or one of so many stored gaits, the nearest ones."""
Told = Callable[[float, str], None]
Best = Callable[[CreatureGait], None]


@dataclass(frozen=True)
class CreatureProblem:
    """What is searched: a creature's body in a world, the speed [m/s] it is to go at (None: what a
    simulation takes by itself), `wish` for what else is
    asked otherwise than usual (`controllers.creature.objective.Wish`), `start` where the search begins (None: where it
    does best of the untuned law and the nearest stored gaits)."""

    body: BodySpec
    world: World = field(default_factory=World)
    speed_m_s: float | None = None
    wish: Mapping[str, Any] = field(default_factory=dict)
    start: CreatureGait | None = None


class CreatureSearch:
    """The search of a problem; `go` takes it on, `gait` is what it has come to. `trials` says how long trials last."""

    def __init__(self, problem: CreatureProblem, plan: Plan, *, checkpoint: Path | None = None, resume: bool = False,
                 threads: int = 1, trials: Any = None) -> None:
        self.problem, body = problem, make_body(problem.body)
        self.body, self.leg_m, gravity = body, straight_leg_m(body), problem.world.gravity_m_s2
        self._unit_m_s = self.leg_m / time_unit_s(self.leg_m, gravity)
        speed = USUAL if problem.speed_m_s is None else problem.speed_m_s / self._unit_m_s
        self.wish = Wish(**{"speed": speed, "gait": usual_gait(speed), **problem.wish})
        self.speed_m_s = speed * self._unit_m_s
        start, self.began = self._begin(plan, threads, trials)
        self.search = Search(self.tries, plan, start, checkpoint, resume)

    def _begin(self, plan: Plan, threads: int, trials: Any) -> tuple[np.ndarray, str]:
        """Make what is searched, `tries`; where the search begins (size,), and what that is called."""
        quick = self.quick = QuickProblem(self.body, self.problem.world, self.wish, population=plan.population, seed=plan.seed,
                                          threads=threads, trials=trials)
        self.tries: Problem = quick
        given = self.problem.start
        if given is not None:
            return quick.point(vector_of(given.parameters)), given.name
        near = nearest_few(self.body, self.wish.speed, RACED)
        starts = [(quick.point(START), UNTUNED), *((quick.point(vector_of(gait.parameters)), gait.name) for gait in near)]
        if not near:
            return starts[0]
        costs = quick.raced(np.array([point for point, _ in starts]))
        return starts[int(np.nanargmin(costs))]

    def _numbers(self, x: np.ndarray) -> dict[str, Any]:
        """What a gait holds of the numbers of a point (size,)."""
        return {"parameters": rounded(values_of(self.quick.vectors(x[None])[0]))}

    def gait(self, name: str, source: str = "", x: np.ndarray | None = None) -> CreatureGait:
        """The gait of a point of the search, of what it has come to where none is said, as it is stored."""
        champion, creature = self.search.champion, self.problem.body.creature
        x = self.search.found if x is None else x
        own = champion is not None and np.array_equal(x, champion.x)
        trial = None if champion is None or not own else trial_of(champion.judged.figures, self._unit_m_s, self.leg_m,
                                                                 self.search.cpu_s)
        speed_m_s = self.wish.speed * self._unit_m_s if trial is None or trial.speed_m_s is None else trial.speed_m_s
        return CreatureGait(
            name, name if creature is None else creature.name, round(min(max(speed_m_s, 0.0), 15.0), 3),
            self.problem.world.gravity_m_s2, leg_length_m=round(self.leg_m, 5), mass_kg=round(self.body.mass_kg, 3),
            proportions=proportions(self.body), trial=trial, source=source or f"lope tune, from {self.began}", **self._numbers(x))


def trial_of(figures: Mapping[str, Any], unit_m_s: float, leg_m: float, cpu_s: float) -> CreatureTrial:
    """What is stored of a long trial's figures, whose speeds are over `unit_m_s` and times over the leg's."""
    def told(name: str, scale: float = 1.0) -> float | None:
        value = figures.get(name)
        return None if value is None or not math.isfinite(value) else round(float(value) * scale, 4)

    return CreatureTrial(figures["starts"], figures["stood"], figures["seconds"], told("speed", unit_m_s),
                         told("step", leg_m / unit_m_s), told("step_width"), told("force_peak"), told("double_support"),
                         told("flight"), told("stance_leg"), told("clearance"), round(cpu_s, 1))


def tune_creature(problem: CreatureProblem, plan: Plan, *, out: Path, checkpoint: Path, resume: bool = False, threads: int = 1,
                  callback: Told | None = None, best: Best | None = None, says: Callable[[str], None] = lambda sentence: None,
                  trials: Any = None, searcher: type[CreatureSearch] = CreatureSearch) -> Result:
    """Search, and write the gait that is found to `out`. It ends as soon as a gait passes all thresholds, or with the plan's
    minutes or generations; a stop (KeyboardInterrupt) ends it at once with the best so far, and with `resume` a checkpoint that
    is there is taken up. `callback(share, words)` tells how far it is, `best(gait)` gets the best so far each generation.
    `searcher` is what searches: for a quick gait, or for one by muscles, whose `trials` are its own."""
    began = time.monotonic()
    if resume and not checkpoint.is_file():
        says(f"There is no checkpoint {checkpoint}: the search begins anew.")
    if resume and problem.start is None and out.is_file() and not checkpoint.is_file():
        problem = CreatureProblem(problem.body, problem.world, problem.speed_m_s, problem.wish, read_gait(out))
    if not resume:
        checkpoint.unlink(missing_ok=True)
    searching = searcher(problem, plan, checkpoint=checkpoint, resume=resume, threads=threads, trials=trials)
    search = searching.search
    says(f"A gait is searched at {searching.speed_m_s:.2f} m/s, {searching.wish.speed:.2f} of the root of gravity times leg.")

    def told(row: dict[str, Any]) -> None:
        if callback is not None:
            callback(min(search.cpu_s / (60.0 * plan.minutes), 1.0), row_words(row, plan))
        if best is not None:
            best(searching.gait(out.stem))

    ended = search.go(told)
    gait = searching.gait(out.stem)
    write_json(out, creature_gait_file(gait))
    if ended != STOPPED:
        checkpoint.unlink(missing_ok=True)
    champion = search.champion
    figures: Mapping[str, Any] = {} if champion is None else champion.judged.figures
    report = {"creature": gait.creature, "gait": gait.name, "speed_asked_m_s": round(searching.speed_m_s, 4),
              "speed_m_s": gait.speed_m_s, "dimensionless_speed": round(gait.dimensionless_speed, 3),
              "world": problem.world.name, "gravity_m_s2": gait.gravity_m_s2, "began_at": searching.began,
              "trial": creature_gait_file(gait).get("trial", {}), "stood": figures.get("stood", 0),
              "starts": figures.get("starts", 0), "lacks": figures.get("lacks", ["a long trial"]),
              "generations": len(search.log), "population": plan.population, "seed": plan.seed,
              "best_costs": [row["best"] for row in search.log], "cpu_s": round(search.cpu_s, 1), "ended": ended}
    return Result({**report, "wall_s": time.monotonic() - began}, ended == STOPPED)


def row_words(row: Mapping[str, Any], plan: Plan) -> str:
    """What is said of a generation, or of a long trial."""
    if "judged" in row:
        told = row["judged"]
        lacks = ", ".join(told["lacks"])
        return (f"the best so far stands {told['stood']} of {told['starts']} starts for {told['seconds']:g} s"
                f"{'; it lacks ' + lacks if lacks else ', as asked'}")
    return f"generation {row['generation']}: best cost {row['best']:.2f}, {row['stood']} of {plan.population} stand"


MUSCLES_RACED = 3
"""A search begins at whichever does best in a short trial: the untuned law, or one of so many stored gaits of each kind."""
POPULATION, SIGMA = 20, 0.05
"""As Geijtenbeek 2013 has it; and first steps over each number's range, of which larger ones lose most walkers."""


class CreatureMuscleSearch(CreatureSearch):
    """The search of a problem by muscles; see `CreatureSearch`."""

    def _begin(self, plan: Plan, threads: int, trials: Any) -> tuple[np.ndarray, str]:
        if not isinstance(self.body, CreatureBody):
            raise InputError("Muscles are laid on a creature as it is drawn: name one with --creature.")
        muscled = self.muscled = MuscleProblem(self.body, self.problem.world, self.wish, population=plan.population,
                                               seed=plan.seed, threads=threads, trials=trials)
        self.tries = muscled
        given = self.problem.start
        if given is not None:
            return self._point(given), given.name
        near = [gait for of_muscles in (True, False)
                for _, gait in by_likeness(self.body, self.wish.speed, muscles=of_muscles)[:MUSCLES_RACED]]
        starts = [(muscled.point(START), UNTUNED), *((self._point(gait), gait.name) for gait in near)]
        if not near:
            return starts[0]
        costs = muscled.raced(np.array([point for point, _ in starts]))
        return starts[int(np.nanargmin(costs))]

    def _point(self, gait: CreatureGait) -> np.ndarray:
        """The point of a gait; of muscles only what this creature has too."""
        numbers = self.muscled.numbers
        known = {group: {name: value for name, value in named.items() if (group, name) in numbers.names}
                 for group, named in (gait.muscles or {}).items()}
        return self.muscled.point(vector_of(gait.parameters), numbers.vector_of({g: n for g, n in known.items() if n}))

    def _numbers(self, x: np.ndarray) -> dict[str, Any]:
        quick, muscles = self.muscled.values(x)
        return {"parameters": rounded(quick), "muscles": {group: rounded(named) for group, named in muscles.items()}}
