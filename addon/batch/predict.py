# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a list will take: from what its own stages took so far, and before that from what was measured elsewhere."""

from __future__ import annotations

import os
import statistics
from collections.abc import Iterable
from typing import Any

from ..options.render_options import frames_from, size_from
from .plan import BAKE, RENDER, REPORT, RIG, SIMULATE, PlannedRig, PlannedShot
from .schedule import Schedule

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
    """A time as people say it."""
    if seconds < 90.0:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"
