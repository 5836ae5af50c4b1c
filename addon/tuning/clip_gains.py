# SPDX-License-Identifier: GPL-3.0-or-later
"""The gains of one motion: a controller that follows clips, searched over shots of the same clip (Lee 2014 tuned every motion by
hand)."""

from __future__ import annotations

import time
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..controllers.motion_gains import motion_gains
from ..controllers.registry import ENTRIES, find_controller
from ..controllers.settings import Values
from ..errors import InputError
from ..reports.measures import measure
from ..simulate import simulate
from ..specs.shot import Shot
from ..take import Take
from .gains import FALL, MISSING, STRAYING, Gain, GainProblem, unknown_gains, written
from .maps import Result
from .search import Callback, SearchSettings, search
from .trial import Evaluation

NOISES = (0.0, 0.03)
"""Noise on the start of the shots of one trial: the clip as it is, and one that is a little off."""
JOINT_UNIT_DEG, WAY_UNIT_M, SLIP_UNIT_MM = 5.0, 0.3, 20.0
"""What costs 1 each: error of the joints, distance from the clip's way, slip a step."""


@dataclass(frozen=True)
class WideGain(Gain):
    """An unknown of which little is known: gains of one motion are a tenth or ten times those of another."""

    SPREAD: ClassVar[float] = 0.8


@dataclass(frozen=True)
class ClipGainProblem(GainProblem):
    """Search of the gains of one clip; what its shots set beside them stays."""

    def evaluate(self, x: np.ndarray, limit: float | None = None) -> Evaluation:
        """See `GainProblem.evaluate`."""
        found = self.values(x)
        cost, stands = STRAYING * float(np.square(x).sum()), True
        costs, lost = list[float](), list[str]()
        for shot in self.shots:
            if limit is not None and cost > limit:
                break
            if not stands:  # gains that fall as it is are not tried on what is harder
                costs.append(FALL + MISSING)
            else:
                take = simulate(replace(shot, gains=_with(shot.gains, found)))
                costs.append(clip_cost(take))
                stands = not take.fell and take.lost is None
                lost += [] if take.lost is None else [f"shot {len(costs)}: {take.lost}"]
            cost += costs[-1]
        return Evaluation(cost, cost, len(costs) == len(self.shots), {"shots": costs, **({"lost": lost} if lost else {})})


def _with(given: Values | None, found: Values) -> dict[str, dict[str, float]]:
    """Settings that are given, with those that were found in their places."""
    own = {group: dict(values) for group, values in (given or {}).items()}
    for group, values in found.items():
        own.setdefault(group, {}).update(values)
    return own


def clip_cost(take: Take) -> float:
    """Cost of one take of a followed clip: the time missing after a fall, and how far body and feet were from the clip."""
    cost = 0.0
    if take.fell or take.lost is not None:
        end_s = take.stats["time_fell_s"] if take.fell else float(take.time_s[-1])
        cost += FALL + MISSING * (1.0 - min(end_s / take.shot.duration_s, 1.0))
    found = measure(take)
    for name, unit in (("joint_error_rms_deg", JOINT_UNIT_DEG), ("com_off_plan_m_mean", WAY_UNIT_M),
                       ("foot_slip_mm_per_step", SLIP_UNIT_MM)):
        if found[name] is not None:
            cost += found[name] / unit
    return cost


def clip_problem(shot: Shot, seed: int) -> ClipGainProblem:
    """The search of a shot's clip, from its stored gains and the shot's own on. Raises InputError for a controller that has the
    same gains for every clip."""
    entry = find_controller(shot.controller)
    if not entry.per_motion:
        raise InputError(f"The controller {entry.name} has the same gains for every clip; those of {' and '.join(_per_motion())} "
                         "are searched clip by clip: choose it with --controller.")
    groups = {name: group for name, group in entry.changed(motion_gains(shot)).items() if name in entry.searched(shot)}
    gains = unknown_gains(groups, WideGain)
    return ClipGainProblem(gains, tuple(replace(shot, noise=noise, seed=seed) for noise in NOISES))


def _per_motion() -> list[str]:
    return [entry.name for entry in ENTRIES.values() if entry.per_motion]


def tune_clip(
    shot: Shot, settings: SearchSettings, *, out: Path, checkpoint: Path, resume: bool = False, callback: Callback | None = None,
    executor: Executor | None = None, told: dict[str, Any] | None = None,
) -> Result:
    """Search the gains of a shot's clip and write them to `out`, with what else is `told` of them.

    Raises InputError for a shot that follows no clip, LopeError for one that cannot be simulated.
    """
    began = time.monotonic()
    problem = clip_problem(shot, settings.seed)
    if callback:
        callback(0.0, "the present gains")
    before = problem.evaluate(np.zeros(problem.size))
    progress = search(problem, before, settings, checkpoint=checkpoint, resume=resume, callback=callback, executor=executor)
    named = {"controller": shot.controller, **(told or {}), "world": shot.world.name, "engine": shot.engine}
    return written(named, problem, before, progress, settings, out, checkpoint, began)
