# SPDX-License-Identifier: GPL-3.0-or-later
"""Search of a creature's gait by muscles: it begins at a quick gait, whose wishes the muscles are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..bodies.creature.body import CreatureBody
from ..controllers.creature.parameters import START, vector_of
from ..controllers.creature.search import Plan
from ..controllers.creature.stored import by_likeness, rounded
from ..controllers.creature_muscles.problem import MuscleProblem
from ..errors import InputError
from ..specs.creature_gait import CreatureGait
from .creature import UNTUNED, CreatureSearch

RACED = 3
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
                for _, gait in by_likeness(self.body, self.wish.speed, muscles=of_muscles)[:RACED]]
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
