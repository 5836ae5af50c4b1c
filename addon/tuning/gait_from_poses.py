# SPDX-License-Identifier: GPL-3.0-or-later
"""From key poses to a gait that walks: a mixture to begin with, a search from there towards the poses, and what had to give."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import InputError
from ..specs.pose_gait import CONTROLLERS, PoseGait, PoseState
from ..specs.settings import settings_of
from ..specs.shot import BodySpec, Shot, World
from ..worlds.planets import load_world
from .budget import SEARCHING, Budget
from .from_poses import STARTS, Given, Told, starts
from .pose_fit import WEIGHTS, PosesProblem, Walked, poses_of, run, sag_of, slow_in, trials, upright, walked
from .search import SearchSettings, search
from .trial import Evaluation

POPULATION, SIGMA = 10, 0.5
"""Trials of one generation of the search, and its first step."""
TRIED_ALWAYS = 4
"""Mixtures that are tried also where one of them stands already."""
PROOF_S = 30.0
"""So long, on Earth, a gait has to stand before it is given, in each world; longer where things fall slowly."""
SHOWN_RAD = math.radians(3.0)
"""What is less off its pose is not told."""
BEGUN, SEARCHED = 0.08, 0.9
"""Share of the way at which the search begins, and ends."""


@dataclass(frozen=True)
class Made:
    """A gait made of poses: what of them gave, the largest first, and figures: its speed on Earth [m/s], the poses' mean distance
    [degrees], the worlds in which it falls, evaluations, and time of the processor [s]."""

    gait: PoseGait
    gave: list[Given]
    figures: dict[str, Any]


def worlds_tried() -> tuple[World, ...]:
    """Where a gait has to stand: on Earth and on the Moon."""
    return World(), load_world("moon")


def make_gait(drawn: PoseGait, base: PoseGait, budget: Budget | None = None, told: Told | None = None,
              body: BodySpec | None = None) -> Made:
    """The gait nearest to the poses of `drawn` that was found to walk, on the standard body or another; `told(share, words)` may
    raise KeyboardInterrupt, which ends the search with the best so far. Raises InputError where not even the base's legs walk
    under the poses' upper body."""
    budget, worlds, began, cpu = budget or Budget(), worlds_tried(), time.monotonic(), time.process_time()
    body = body or BodySpec()

    def say(low: float, high: float, share: float, words: str) -> None:
        if told is not None:
            told(low + (high - low) * min(share, 1.0), words)

    def searching(share: float, words: str) -> None:
        say(BEGUN, SEARCHED, share, SEARCHING)
        if budget.minutes is not None and time.monotonic() - began > 60.0 * budget.minutes:
            raise KeyboardInterrupt

    shots = trials(worlds, budget.seed, body)
    start, before = begun(drawn, base, shots, lambda share: say(0.0, BEGUN, share, "trying where to begin"))
    problem = PosesProblem(drawn, start, shots, sag_of(start, before.detail["walked"]))
    settings = SearchSettings(iterations=max(budget.evaluations // POPULATION, 0), population=POPULATION, sigma=SIGMA,
                              seed=budget.seed)
    progress = search(problem, before, settings, callback=searching)
    best = problem.gait_at(progress.x) if progress.evaluations else start
    last = progress.best.detail["walked"]
    found, seen = _proved([*([] if last is None else [upright(best, drawn, last)]), best, start], worlds, body, lambda share: say(
        SEARCHED, 1.0, share, "walking half a minute on Earth and on the Moon"))
    names = [world.name for world, each in zip(worlds, seen, strict=True) if each is None]
    first = next((each for each in seen if each is not None), None)
    gave = [] if first is None else off_poses(drawn, first)
    figures: dict[str, Any] = {
        "falls_on": names, "evaluations": progress.evaluations, "cost": round(progress.best.cost, 2),
        "cpu_s": round(time.process_time() - cpu, 1), "asked_m_s": drawn.speed_m_s}
    if first is not None:
        figures |= {"speed_m_s": round(first.speed_m_s, 2), "off_deg": round(mean_off_deg(drawn, first), 1)}
        found = at_own_speed(found, first.speed_m_s)
    return Made(found, gave, figures)


def begun(drawn: PoseGait, base: PoseGait, shots: tuple[Shot, ...],
          told: Callable[[float], None]) -> tuple[PoseGait, Evaluation]:
    """The mixture of poses and base that costs least, and its evaluation. Raises InputError where each of them falls at once."""
    problem = PosesProblem(drawn, drawn, shots)
    best: tuple[PoseGait, Evaluation] | None = None
    for i, gait in enumerate(starts(base, drawn)):
        told(i / len(STARTS))
        if i >= TRIED_ALWAYS and best is not None and best[1].detail["walked"] is not None:
            break
        found = problem.judge(gait, None if best is None else best[1].cost)
        if best is None or (found.complete and found.cost < best[1].cost):
            best = gait, found
    if best is None or best[1].detail["walked"] is None:
        raise InputError(f"With these poses' upper body not even the legs of the gait {base.name} go: give them less of a "
                         "lean or a reach, or more time from pose to pose.")
    return best


def _proved(gaits: Sequence[PoseGait], worlds: Sequence[World], body: BodySpec,
            told: Callable[[float], None]) -> tuple[PoseGait, list[Walked | None]]:
    """The first gait that stands everywhere, or the one that stands in most worlds, and how it goes in each; None where it
    falls."""
    tried: list[tuple[PoseGait, list[Walked | None]]] = []
    for i, gait in enumerate(gaits):
        seen: list[Walked | None] = []
        for k, world in enumerate(worlds):
            told((i + k / len(worlds)) / len(gaits))
            take = run(Shot(pose_gait=gait, controller=CONTROLLERS[0], start="standing", body=body, world=world,
                            duration_s=round(PROOF_S * slow_in(world, body), 1)))
            seen.append(None if take.fell or take.lost is not None else walked(take))
        tried.append((gait, seen))
        if all(each is not None for each in seen):
            break
    return max(tried, key=lambda one: sum(each is not None for each in one[1]))


def at_own_speed(gait: PoseGait, speed_m_s: float) -> PoseGait:
    """The gait with the speed that it goes at as its own; the feedback asks for the same as before."""
    own = round(speed_m_s, 2)
    return replace(gait, speed_m_s=own, ahead_m_s=round(gait.ahead_m_s + gait.speed_m_s - own, 3))


def off_poses(drawn: PoseGait, seen: Walked) -> list[Given]:
    """How far the walking body is from each pose, joint by joint, the largest first."""
    known, off = settings_of(PoseState), seen.mean - poses_of(drawn)
    given = [Given(i + 1, known[name].words, float(off[i, k]))
             for i in range(len(drawn.states)) for k, name in enumerate(WEIGHTS)]
    return sorted((one for one in given if abs(one.angle_rad) > SHOWN_RAD), key=lambda one: -abs(one.angle_rad))


def mean_off_deg(drawn: PoseGait, seen: Walked) -> float:
    """How far it is from the poses in the mean over their angles [degrees], by how much each shows."""
    shows = np.array(list(WEIGHTS.values()))
    off = np.abs(seen.mean - poses_of(drawn))
    return math.degrees(float((off * shows).sum(axis=1).mean() / shows.sum()))
