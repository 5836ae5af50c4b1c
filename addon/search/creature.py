# SPDX-License-Identifier: GPL-3.0-or-later
"""Search of a creature's quick gait, and what is stored of it: for a speed, in a world, from the nearest gait that there is."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..bodies.creature.body import CreatureBody
from ..bodies.makers import make_body
from ..errors import InputError
from ..locomotion.creature.controller import USUAL
from ..locomotion.creature.parameters import START, time_unit_s, values_of, vector_of
from ..locomotion.creature.stored import OWN, by_likeness, proportions, read_gait, rounded
from ..specs.motions import CreatureGait, CreatureTrial, creature_gait_file
from ..specs.shot import BodySpec, Push, World
from .creature_muscles_problem import BY_MUSCLES, MuscleProblem
from .creature_objective import Wish, usual_gait
from .creature_problem import QUICK, GaitProblem, QuickProblem, Trials
from .search import Plan, Result, Run, Search

UNTUNED = "the untuned law"
RACED = 6
"""A search begins at whichever does best in a short trial: the untuned law, or one of so many stored gaits, the nearest ones."""
Best = Callable[[CreatureGait], None]


@dataclass(frozen=True)
class CreatureProblem:
    """What is searched: a creature's body in a world, the speed [m/s] it is to go at (None: what a simulation takes by itself),
    `pushes` that come in every trial (`Population.draw_shoves`), `wish` for what else is asked otherwise than usual
    (`creature_objective.Wish`), `start` where it begins (None: where it does best of the untuned law and the nearest gaits)."""

    body: BodySpec
    world: World = field(default_factory=World)
    speed_m_s: float | None = None
    pushes: Sequence[Push] = ()
    wish: Mapping[str, Any] = field(default_factory=dict)
    start: CreatureGait | None = None


class CreatureSearch:
    """The search of a problem by the quick law; `search` is made by whoever runs it, `gait` is what it has come to."""

    usual = QUICK

    def __init__(self, problem: CreatureProblem, plan: Plan, trials: Trials | None = None) -> None:
        self.problem, body = problem, make_body(problem.body)
        self.body, self.leg_m, gravity = body, body.leg_length_m, problem.world.gravity_m_s2
        self._unit_m_s = self.leg_m / time_unit_s(self.leg_m, gravity)
        speed = USUAL if problem.speed_m_s is None else problem.speed_m_s / self._unit_m_s
        self.wish = Wish(**{"speed": speed, "gait": usual_gait(speed), **problem.wish})
        self.speed_m_s = speed * self._unit_m_s
        self.tries = self._tries(plan, trials)
        self.tries.pushes = problem.pushes
        self.began = self._begin()
        self.search: Search

    def _tries(self, plan: Plan, trials: Trials | None) -> GaitProblem[Any]:
        return QuickProblem(self.body, self.problem.world, self.wish, plan, trials)

    def _begin(self) -> str:
        """Let the search begin at the start that is given, else at the creature's own stored gait, or at whichever does best in a
        short trial; what that is called."""
        given = self.problem.start or self._own()
        if given is not None:
            self.tries.begin_at(self._point(given))
            return given.name
        starts = [(self.tries.point(START), UNTUNED), *((self._point(gait), gait.name) for gait in self._near())]
        best = 0 if len(starts) == 1 else int(np.nanargmin(self.tries.raced(np.array([point for point, _ in starts]))))
        self.tries.begin_at(starts[best][0])
        return starts[best][1]

    def _own(self) -> CreatureGait | None:
        """The stored gait that was found for this very body, speed and gravity and stood from all its starts: no other one could
        do better than pass, and whether it does so is seen in the first long trial."""
        unlike_by, gait = next(iter(by_likeness(self.body, self.wish.speed, gravity_m_s2=self.problem.world.gravity_m_s2)),
                               (math.inf, None))
        if gait is None or gait.trial is None or unlike_by > OWN:
            return None
        alike = math.isclose(gait.gravity_m_s2, self.problem.world.gravity_m_s2, rel_tol=1e-6)
        return gait if alike and gait.trial.stood == gait.trial.starts else None

    def _near(self) -> list[CreatureGait]:
        return [gait for _, gait in by_likeness(self.body, self.wish.speed)[:RACED]]

    def _point(self, gait: CreatureGait) -> np.ndarray:
        """The point (size,) of a gait."""
        return self.tries.point(vector_of(gait.parameters))

    def _numbers(self, x: np.ndarray) -> dict[str, Any]:
        """What a gait holds of the numbers of a point (size,)."""
        return {"parameters": rounded(values_of(self.tries.vectors(x[None])[0]))}

    def gait(self, name: str, source: str = "", x: np.ndarray | None = None) -> CreatureGait:
        """The gait of a point of the search, of what it has come to where none is said, as it is stored."""
        champion, creature = self.search.champion, self.problem.body.creature
        x = self.search.found if x is None else x
        own = None if champion is None or not np.array_equal(x, champion.x) else champion.judged.detail
        trial = None if own is None else trial_of(own, self._unit_m_s, self.leg_m, self.search.cpu_s)
        speed_m_s = self.wish.speed * self._unit_m_s if trial is None or trial.speed_m_s is None else trial.speed_m_s
        return CreatureGait(name, name if creature is None else creature.name, round(min(max(speed_m_s, 0.0), 15.0), 3),
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


def tune_creature(problem: CreatureProblem, run: Run, *, best: Best | None = None, trials: Trials | None = None,
                  searcher: type[CreatureSearch] = CreatureSearch) -> Result:
    """Search, and write the gait that is found. It ends as soon as a gait passes all thresholds, or with the plan's minutes or
    generations; `best(gait)` gets the best so far each generation. A search that is taken up without its checkpoint begins at the
    gait in the run's file. `searcher` searches a quick gait, or one by muscles, with its own `trials`."""
    if run.resume and problem.start is None and run.out.is_file() and not run.checkpoint.is_file():
        problem = replace(problem, start=read_gait(run.out))
    searching = searcher(problem, run.plan, trials)
    search = searching.search = run.search(searching.tries)
    run.says(f"A gait is searched at {searching.speed_m_s:.2f} m/s, {searching.wish.speed:.2f} of the root of gravity times leg.")

    def told(share: float, words: str) -> None:
        if run.callback is not None:
            run.callback(share, words)
        if best is not None:
            best(searching.gait(run.out.stem))

    search.go(told)
    gait = searching.gait(run.out.stem)
    figures: Mapping[str, Any] = {} if search.champion is None else search.champion.judged.detail
    report = {"creature": gait.creature, "gait": gait.name, "speed_asked_m_s": round(searching.speed_m_s, 4),
              "speed_m_s": gait.speed_m_s, "dimensionless_speed": round(gait.dimensionless_speed, 3),
              "world": problem.world.name, "gravity_m_s2": gait.gravity_m_s2, "began_at": searching.began,
              "trial": creature_gait_file(gait).get("trial", {}), "stood": figures.get("stood", 0),
              "starts": figures.get("starts", 0), "lacks": figures.get("lacks", ["a long trial"]),
              "best_costs": [row["best"] for row in search.log], "cpu_s": round(search.cpu_s, 1)}
    return run.done(search, report, creature_gait_file(gait))


MUSCLES_RACED = 3
"""A search begins at whichever does best in a short trial: the untuned law, or one of so many stored gaits of each kind."""


class CreatureMuscleSearch(CreatureSearch):
    """The search of a problem by muscles; see `CreatureSearch`."""

    usual = BY_MUSCLES
    tries: MuscleProblem

    def _own(self) -> None:
        """None: by muscles a search goes for more than standing."""

    def _tries(self, plan: Plan, trials: Trials | None) -> MuscleProblem:
        if not isinstance(self.body, CreatureBody):
            raise InputError("Muscles are laid on a creature as it is drawn: name one with --creature.")
        return MuscleProblem(self.body, self.problem.world, self.wish, plan, trials)

    def _near(self) -> list[CreatureGait]:
        return [gait for of_muscles in (True, False)
                for _, gait in by_likeness(self.body, self.wish.speed, muscles=of_muscles)[:MUSCLES_RACED]]

    def _point(self, gait: CreatureGait) -> np.ndarray:
        """The point of a gait; of muscles only what this creature has too."""
        numbers = self.tries.numbers
        known = {group: {name: value for name, value in named.items() if (group, name) in numbers.names}
                 for group, named in (gait.muscles or {}).items()}
        return self.tries.point(vector_of(gait.parameters), numbers.vector_of({g: n for g, n in known.items() if n}))

    def _numbers(self, x: np.ndarray) -> dict[str, Any]:
        quick, muscles = self.tries.values(x)
        return {"parameters": rounded(quick), "muscles": {group: rounded(named) for group, named in muscles.items()}}
