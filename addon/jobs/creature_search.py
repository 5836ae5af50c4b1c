# SPDX-License-Identifier: GPL-3.0-or-later
"""The task that searches a creature's gait, and shows what it has come to as lines over time (`viewport.sketch` plays them)."""

from __future__ import annotations

import math
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..children.protocol import Task
from ..children.server import Line
from ..errors import InputError
from ..gaits.tuned_maps import write_json
from ..locomotion.creature.stored import read_gait
from ..reports.retry import attempt
from ..search.creature import CreatureProblem, CreatureSearch, tune_creature
from ..search.search import Run
from ..sim.take import Take
from ..specs.motions import Creature, CreatureGait, creature_gait_file
from ..specs.shot import EARTH_GRAVITY_M_S2, Shot
from .beside import body_lines

RATE_HZ = 15.0
"""Poses in a second that are told: lines that jump less than this cannot be judged."""
DIGITS = 3
ASIDE, RIGHT = 0.5, np.array([0.0, -1.0])
"""How far beside its armature it goes, over its height, and which way that is: shots begin facing x."""


def sketched(take: Take, lasts_s: float) -> dict[str, Any]:
    """The last `lasts_s` of a take, up to a fall, as plain values: `ends` (N, S, 2, 3) [m] of lines from joint to joint and to
    their tips, of a walker that goes in place, half its height right of its start; `sides` of the lines; `rate_hz`."""
    end_s = float(take.time_s[-1])
    if take.stats.get("time_fell_s") is not None:
        end_s = min(end_s, float(take.stats["time_fell_s"]))
    times = np.arange(max(end_s - lasts_s, 0.0), end_s + 1e-9, 1.0 / RATE_HZ)
    rows = np.clip(np.searchsorted(take.time_s, times - 1e-9), 0, len(take.time_s) - 1)
    ends, sides = body_lines(take, rows)
    aside = ASIDE * float(ends[..., 2].max()) * RIGHT
    way = np.linspace(take.root_position_m[rows[0], :2], take.root_position_m[rows[-1], :2], len(rows))
    ends[..., :2] += take.root_position_m[0, :2] + aside - way[:, None, None]
    return {"rate_hz": RATE_HZ, "ends": ends.round(DIGITS).tolist(), "sides": list(sides)}


CHECKPOINT = ".search"
"""Ending of the file from which a search that was ended goes on: no gait's."""
DRAFTS = "drafts"
WALKED_S, SHOWN_S = 9.0, 4.0
"""Seconds of the walk simulated after the ramp from rest, and shown of it, on Earth; both scale with 1 / sqrt(g)."""
AGAIN_S = 5.0
"""Nothing new is shown sooner than this after the last [s]: it takes the search's own time."""


def find_gait(task: Task, line: Line) -> dict[str, Any]:
    """Search a gait for the creature, world and speed of the shot, for `minutes` of processor time, from where an earlier search
    was given up. Ended early, the gait shown last goes to `out`; else one that stands, unless a steadier one is there; none that
    falls from every start. The report is the search's, and whether a gait is `kept`. Raises LopeError for a creature that cannot
    walk."""
    shot, out = Shot.from_dict(task.shot), Path(task.out)
    shown = _Shown(shot, line)

    def told(share: float, words: str) -> None:
        shown.words = words
        line.progress(share, words)
        if line.ended():
            raise KeyboardInterrupt

    line.progress(0.0, "it walks as it would without a search")
    shown.show(shot.motion_as(Creature).gait)  # whatever it has now, while the first gaits are tried
    problem = CreatureProblem(shot.body, shot.world, shot.motion.speed_m_s)
    plan = replace(CreatureSearch.usual, minutes=float(task.options["minutes"]), seed=shot.seed + 1,
                   workers=max(1, (os.cpu_count() or 1) - 1))
    checkpoint = out.with_suffix(CHECKPOINT)
    draft = out.parent / DRAFTS / out.name  # a gait is called as its file
    draft.parent.mkdir(parents=True, exist_ok=True)
    line.progress(0.0, "the first gaits are tried, which takes up to a minute")
    run = Run(plan, draft, checkpoint, resume=True, callback=told)
    try:
        found = tune_creature(problem, run, best=shown.best)
    except InputError:
        if not checkpoint.is_file():
            raise
        checkpoint.unlink()  # of another drawing, or another Lope: it says no more about this one
        found = tune_creature(problem, replace(run, resume=False), best=shown.best)
    if found.stopped and shown.gait is not None:
        write_json(draft, creature_gait_file(shown.gait))
    taken = read_gait(draft)
    if found.stopped or 0 < _stood(draft) >= _stood(out):
        draft.replace(out)
    return {**found.report, "speed_m_s": taken.speed_m_s, "trial": creature_gait_file(taken).get("trial", {}),
            "kept": out.is_file()}


def _stood(path: Path) -> int:
    """From how many starts the gait of a file stands; 0 of none."""
    if not path.is_file():
        return 0
    trial = read_gait(path).trial
    return 0 if trial is None or trial.stood is None else trial.stood


class _Shown:
    """What a search has come to, shown as it walks; the same is not shown twice. `gait` is the last that was."""

    def __init__(self, shot: Shot, line: Line) -> None:
        slow = math.sqrt(EARTH_GRAVITY_M_S2 / shot.world.gravity_m_s2)
        self._line, self._lasts_s = line, SHOWN_S * slow
        self._shot = replace(shot, motion=replace(shot.motion_as(Creature), controller=Creature.CONTROLLERS[0], gait=None),
                             duration_s=WALKED_S * slow, pushes=(), noise=0.0, after_fall="end", objects=())
        self.gait: CreatureGait | None = None
        self._at_s = -math.inf
        self.words = ""

    def best(self, gait: CreatureGait) -> None:
        """Show a gait, unless it is the last one again, or comes too soon after it."""
        again = self.gait is not None and gait.parameters == self.gait.parameters
        if again or time.monotonic() - self._at_s < AGAIN_S or self._line.ended():
            return
        self.gait = gait
        self.show(gait)

    def show(self, gait: CreatureGait | None) -> None:
        """Let a gait be seen as it walks; None is the untuned law."""
        take = attempt(self._shot.with_motion(gait=gait), cancelled=self._line.ended)
        self._line.show({**sketched(take, self._lasts_s), "words": self.words})
        self._at_s = time.monotonic()
