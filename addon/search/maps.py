# SPDX-License-Identifier: GPL-3.0-or-later
"""Tuning the displacement map of one gait in one world, from the untuned trial to the stored result."""

from __future__ import annotations

import time
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..gaits.tuned_maps import TunedMap, store_map
from ..specs.shot import Shot
from .search import Callback, SearchSettings, search
from .trial import CostWeights, Evaluation, MapProblem


@dataclass(frozen=True)
class Result:
    """What a tuning run brought: `report` holds plain JSON values; `stopped` by the user before its end."""

    report: dict[str, Any]
    stopped: bool


def tune_map(
    shot: Shot, settings: SearchSettings, *, strides: int, weights: CostWeights, out: Path, checkpoint: Path,
    resume: bool = False, callback: Callback | None = None, executor: Executor | None = None,
) -> Result:
    """Search a map and store it in the tuning file `out`; the checkpoint goes when the search has come to its end. The
    trials run on the `executor` where one is given.

    Raises InputError for a shot that cannot be simulated, KeyboardInterrupt when stopped before the untuned trial is over.
    """
    began = time.monotonic()
    problem = MapProblem.over_strides(shot, strides, weights)
    if callback:
        callback(0.0, "the untuned gait")
    before = problem.evaluate(np.zeros(problem.size))
    problem = problem.against(before)
    progress = search(problem, before, settings, checkpoint=checkpoint, resume=resume, callback=callback, executor=executor)
    points, after = problem.points(progress.x).tolist(), progress.best
    figures = {"strides": strides, "evaluations": progress.evaluations, "generations": len(progress.generations),
               "seed": settings.seed, "population": settings.population, "sigma": settings.sigma, "ended": progress.ended}
    store_map(out, shot.gait, TunedMap(shot.world.name, shot.world.gravity_m_s2, tuple(map(tuple, points)), evaluated(before),
                                       evaluated(after), figures, shot.gait_law))
    if progress.ended != "stopped":
        checkpoint.unlink(missing_ok=True)
    report = {"gait": shot.gait, "gait_law": shot.gait_law, "world": shot.world.name, "gravity_m_s2": shot.world.gravity_m_s2,
              "cost_before": before.cost, "cost_after": after.cost, "before": before.detail, "after": after.detail,
              "points": points, "trials_lost": progress.lost, **figures, "wall_s": time.monotonic() - began}
    return Result(report, progress.ended == "stopped")


def evaluated(evaluation: Evaluation) -> dict[str, Any]:
    """Cost and terms of an evaluation, for a file."""
    return {"cost": evaluation.cost, **evaluation.detail}
