# SPDX-License-Identifier: GPL-3.0-or-later
"""Tuning the displacement map of one gait in one world: trials of its first strides, given up early when out of the race."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..gaits.tuned_maps import AXES, POINTS, TunedMap, store_map
from ..locomotion.gait.shot_gait import Controls, shot_controls, shot_cycle
from ..motions.cycle import Cycle
from ..sim.simulation import Simulation
from ..specs.shot import Shot
from .gait_cost import CostWeights, Terms, terms_of
from .search import Evaluation, Result, Run, SingleProblem

if TYPE_CHECKING:
    from ..locomotion.gait.controller import TrackingController

UNIT = 0.02
"""Displacement over leg length that one unit of the search stands for: some 2 cm of a grown man's leg."""
BOUND = 5.0
"""Largest number the search may try: a tenth of the leg's length."""
DIGITS = 5
"""Digits of a map's points: a hundredth of a millimetre."""
LOOK_SHARE = 0.4
"""Fraction of the strides after which a trial is compared with the last generation's."""


@dataclass(frozen=True)
class MapProblem(SingleProblem):
    """Search of a displacement map for a shot's gait over the shot's whole length: 18 unknowns, in `UNIT`s. `reference` are the
    untuned gait's terms; without them every trial is its own reference."""

    shot: Shot
    weights: CostWeights = CostWeights()
    reference: Terms | None = None

    size = POINTS * AXES
    bound = BOUND

    @classmethod
    def over_strides(cls, shot: Shot, strides: int, weights: CostWeights) -> MapProblem:
        """The problem of a shot's first strides, however long it is. Raises LopeError for one that cannot be simulated."""
        simulation = Simulation(shot.with_motion(tuned=False))
        simulation.close()
        frequency_hz = cast("TrackingController", simulation.controller).gait.stride_frequency_hz
        return cls(replace(shot.with_motion(tuned=False), duration_s=strides / frequency_hz), weights)

    def points(self, x: np.ndarray) -> np.ndarray:
        """The map's points (6, 3) of the search's unknowns (18,), to the digits that are stored."""
        return np.round(UNIT * np.reshape(x, (POINTS, AXES)), DIGITS) + 0.0

    def against(self, untuned: Evaluation) -> MapProblem:
        """The problem measured by the untuned gait's evaluation."""
        return replace(self, reference=Terms(untuned.detail["terms"], untuned.detail["stood"]))

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        """The cost of a map, simulated up to a fall, or up to `LOOK_SHARE` of the time if it costs more than `limit` there."""
        return self.cost_of(replace(shot_controls(self.shot), displacement=self.points(x)), limit)

    def cost_of(self, controls: Controls, limit: float | None = None) -> Evaluation:
        cycle, look_s = shot_cycle(self.shot), LOOK_SHARE * self.shot.duration_s
        with Simulation(self.shot, controls) as simulation:
            simulation.run_to(look_s)
            look = self._cost_now(simulation, cycle)
            if simulation.ended:
                return look
            if limit is not None and look.cost > limit:
                return replace(look, complete=False)
            simulation.run_to(self.shot.duration_s)
        return replace(self._cost_now(simulation, cycle), race=look.cost)

    def _cost_now(self, simulation: Simulation, cycle: Cycle) -> Evaluation:
        """Evaluation of what has been simulated; a fall, or a loss by the engine, costs by the whole time."""
        take = simulation.take()
        terms = terms_of(take, cycle, self.shot.duration_s)
        cost = terms.total(self.reference or terms, self.weights)
        lost = {} if take.lost is None else {"lost": take.lost}
        return Evaluation(cost, cost, True, {"terms": dict(terms.values), "stood": terms.stood, **lost})


def tune_map(shot: Shot, run: Run, *, strides: int, weights: CostWeights) -> Result:
    """Search a map and store it in the tuning file of the run. Raises InputError for a shot that cannot be simulated,
    KeyboardInterrupt when stopped before the untuned trial is over."""
    problem = MapProblem.over_strides(shot, strides, weights)
    before = run.first(problem, "the untuned gait")
    problem = problem.against(before)
    search = run.search(problem, before)
    search.go(run.callback)
    points, after = problem.points(search.x).tolist(), search.best
    figures = {"strides": strides, **{name: value for name, value in search.figures().items() if not name.startswith("cost")}}
    store_map(run.out, shot.motion.name, TunedMap(shot.world.name, shot.world.gravity_m_s2, tuple(map(tuple, points)),
                                           evaluated(before), evaluated(after), figures, shot.motion.law))
    return run.done(search, {
        "gait": shot.motion.name, "gait_law": shot.motion.law, "world": shot.world.name, "gravity_m_s2": shot.world.gravity_m_s2,
        "before": before.detail, "after": after.detail, "points": points, "strides": strides,
        "trials_lost": sum(row["lost"] for row in search.log)})


def evaluated(evaluation: Evaluation) -> dict[str, Any]:
    return {"cost": evaluation.cost, **evaluation.detail}
