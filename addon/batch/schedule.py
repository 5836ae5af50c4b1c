# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be begun next: shots and rigs with the stages that are left to them, in queues, waiting for one another. How long a
list will take: from what its own stages took so far, and before that from what was measured elsewhere."""

from __future__ import annotations

import os
import statistics
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..options.render_options import frames_from, size_from
from .made import Made
from .plan import BAKE, RENDER, REPORT, RIG, SIMULATE, Plan, PlannedRig, PlannedShot
from .shot_list import RIGS
from .state import Attempt
from .steps import BLENDER_STAGES, outputs
from .verdict import physics, settled, sheet_file

QUEUED = (RIG, SIMULATE, BAKE)
"""Stages that take one worker each, in the order in which they are begun when several could be."""


@dataclass
class Unit:
    """A rig or a shot on its way, or with None the list's own sheet: its name in the state, and the stages that are left."""

    name: str
    planned: PlannedShot | PlannedRig | None
    left: deque[str]

    @property
    def shot(self) -> PlannedShot:
        """The shot on its way. Raises TypeError for a rig and for the sheet."""
        if not isinstance(self.planned, PlannedShot):
            raise TypeError(f"{self.name} is no shot.")
        return self.planned


class Schedule:
    """The queues of one plan, from what the state knows. `rigs` holds what preparing each rig found, None where it failed;
    `simulated` the report of every simulation that is done."""

    def __init__(self, plan: Plan, latest: Mapping[tuple[str, str], Attempt]) -> None:
        self._plan = plan
        self.ready: dict[str, deque[Unit]] = {stage: deque() for stage in (*QUEUED, REPORT, RENDER)}
        self.waiting: dict[str, list[Unit]] = {}
        self.rigs: dict[str, dict[str, Any] | None] = {
            name: latest[name, RIG].report for name, rig in plan.rigs.items()
            if settled(RIG, rig, rig.key, latest.get((name, RIG)))}
        self.simulated: dict[str, dict[str, Any]] = {
            shot.name: latest[shot.name, SIMULATE].report for shot in plan.shots
            if settled(SIMULATE, shot, shot.keys.get(SIMULATE, ""), latest.get((shot.name, SIMULATE)))}
        wanted: dict[str, Unit] = {}
        units = []
        for shot in plan.shots:
            left = deque(stage for stage, key in shot.keys.items()
                         if not settled(stage, shot, key, latest.get((shot.name, stage))))
            units.append(Unit(shot.name, shot, self._allowed(shot, left)))
            if units[-1].left and shot.rig is not None and shot.rig.unit not in self.rigs:
                wanted[shot.rig.unit] = Unit(shot.rig.unit, shot.rig, deque([RIG]))
        self.units = [unit for unit in (*wanted.values(), *units) if unit.left]
        self.stages = sum(len(unit.left) for unit in self.units)
        for unit in self.units:
            self.queue(unit)

    def check_results(self, made: Made) -> None:
        """Raises InputError where what is to be done would be written elsewhere than among the results, by way of a link, or
        over what Lope did not make."""
        for folder in (made.out / RIGS, *(shot.folder for shot in self._plan.shots)):
            made.check_inside(folder)
        paths = [path for unit in self.units if unit.planned is not None for stage in unit.left
                 for path in outputs(stage, unit.planned)]
        made.check_free([*paths, sheet_file(self._plan)] if paths and self._plan.list.sheet else paths)

    def _allowed(self, shot: PlannedShot, left: deque[str]) -> deque[str]:
        """The stages left to a shot; where its simulation fell or stands under the gate only the report, which tells why."""
        report = self.simulated.get(shot.name)
        if report is None or physics(shot, report) is None:
            return left
        return deque(stage for stage in left if stage == REPORT)

    def queue(self, unit: Unit) -> None:
        """Put a unit where its next stage is begun from, or waits for its rig. A shot whose rig failed goes nowhere."""
        shot = unit.planned
        if isinstance(shot, PlannedShot):
            unit.left = self._allowed(shot, unit.left)
        if not unit.left:
            return
        stage = unit.left[0]
        rig = shot.rig if isinstance(shot, PlannedShot) else None
        of_rig = rig if rig is not None and (stage == BAKE or (stage == SIMULATE and rig.spec.file is not None)) else None
        if of_rig is not None and of_rig.unit not in self.rigs:
            self.waiting.setdefault(of_rig.unit, []).append(unit)
        elif of_rig is None or self.rigs[of_rig.unit] is not None:
            self.ready[stage].append(unit)

    def rig_known(self, name: str, report: dict[str, Any] | None) -> None:
        """A rig is ready, or failed (None): its shots go on."""
        self.rigs[name] = report
        for unit in self.waiting.pop(name, []):
            self.queue(unit)

    def rig_of(self, unit: Unit) -> dict[str, Any] | None:
        """What preparing a shot's rig found; None for a shot without one."""
        rig = unit.planned.rig if isinstance(unit.planned, PlannedShot) else None
        return self.rigs.get(rig.unit) if rig is not None else None

    def next(self, running: int, workers: int, blender_busy: bool, rendering: bool) -> Unit | None:
        """The unit whose next stage may begin now, taken out of its queue; None where nothing may. A render has the machine for
        itself: it begins when nothing runs and nothing else can."""
        if rendering or running >= workers:
            return None
        for stage in QUEUED:
            if self.ready[stage] and not (blender_busy and stage in BLENDER_STAGES):
                return self.ready[stage].popleft()
        return self.ready[RENDER].popleft() if self.ready[RENDER] and not running else None


SECONDS_PER = {RIG: 3.0, SIMULATE: 0.3, REPORT: 0.05, BAKE: 0.5, RENDER: 0.15}
"""Seconds for one of a stage's `amount`, before the list has figures of its own: measured on a machine with two cores."""
START_S = 3.0
"""Until a station has loaded what it needs, measured there."""
FRAME_RATE = 24
"""Frames a second of Blender's new files."""
SMALL_PICTURE = 90_000
"""Pixels times samples that Cycles renders there in the time that it takes to prepare the scene for a picture."""


def amount(stage: str, planned: PlannedShot | PlannedRig | None) -> float:
    """How much work a stage is: simulated seconds, baked seconds, pictures weighed by their size; 1 for the others."""
    if not isinstance(planned, PlannedShot) or stage == REPORT:
        return 1.0
    seconds = planned.whole.duration_s
    if stage != RENDER:
        return seconds
    values = planned.listed.render or {}
    frames = len(frames_from(values["frames"])) if "frames" in values else max(1, round(seconds * FRAME_RATE))
    width, height = size_from(values["size"]) if "size" in values else (1920, 1080)
    return frames * (1.0 + width * height * values.get("samples", 16) / SMALL_PICTURE)


def slowed() -> float:
    """How many times as long anything takes as on this machine when it does nothing else; 1 where that is not known."""
    if not hasattr(os, "getloadavg"):
        return 1.0
    return 1.0 + os.getloadavg()[0] / (os.cpu_count() or 1)


def rates(done: Iterable[tuple[str, float, dict[str, Any]]], times: float = 1.0) -> dict[str, float]:
    """Seconds for one of each stage's amount, the median of what was (stage, seconds, report); where nothing was, `times`
    what was measured elsewhere."""
    found: dict[str, list[float]] = {}
    for stage, seconds, report in done:
        if report.get("amount"):
            found.setdefault(stage, []).append(seconds / report["amount"])
    elsewhere = {stage: times * seconds for stage, seconds in SECONDS_PER.items()}
    return elsewhere | {stage: statistics.median(values) for stage, values in found.items()}


def predicted_s(schedule: Schedule, per: dict[str, float], workers: int) -> dict[str, float]:
    """Seconds that each unit still needs by its name, and under "" the whole list with that many workers."""
    units = schedule.units
    found = {unit.name: sum((per[stage] * amount(stage, unit.planned) for stage in unit.left), 0.0) for unit in units}
    simulations = sum((per[SIMULATE] * amount(SIMULATE, unit.planned) for unit in units if SIMULATE in unit.left), 0.0)
    stations = START_S * ((simulations > 0.0) + any(stage != SIMULATE for unit in units for stage in unit.left))
    return found | {"": simulations / workers + sum(found.values()) - simulations + stations}


def told(seconds: float) -> str:
    if seconds < 90.0:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"
