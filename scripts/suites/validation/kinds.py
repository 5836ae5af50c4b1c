# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be done with a case: walk a shot and measure it, find the largest push survived, or compare with the norms.

Each function gives plain JSON values. A shot that Lope refuses, or that breaks it, is told in a sentence.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace
from math import cos, radians, sin
from pathlib import Path
from typing import Any

from lope.addon.errors import LopeError
from lope.addon.reports.gait_measures import measure_gait
from lope.addon.reports.measures import measure
from lope.addon.reports.norms import curves_of_take, scores
from lope.addon.simulate import preview, simulate
from lope.addon.specs.shot import Push, Shot
from lope.addon.take import Take
from lope.addon.worlds.planets import load_world

from .case import ROOT, Case
from .effort import effort
from .poses import pose_distance_deg

PUSH_S = 0.2
BEFORE_STRIDES, AFTER_STRIDES, AFTER_S = 2, 4, 6.0


def run(job: tuple[str, Case], folder: Path, version: str) -> dict[str, Any]:
    """The result of a (key, case): `stood`, `error` (a sentence or None) and what its kind adds. Takes go to `folder`."""
    key, case = job
    start = time.process_time()
    result = {"key": key, "version": version, "name": case.name, "kind": case.kind, "stood": False, "error": None}
    try:
        result |= KINDS[case.kind](case, folder / f"{key}.npz")
    except LopeError as error:
        result["error"] = str(error).replace(f"{ROOT.parent}/", "")
    except Exception as error:  # a fault in one case must not cost the others' results
        result["error"] = f"A fault in Lope ({type(error).__name__}: {error})."
    return result | {"cpu_s": round(time.process_time() - start, 2)}


def walk(case: Case, path: Path) -> dict[str, Any]:
    """Simulate and measure."""
    take = simulate(case.shot)
    return _measured(take, case, path)


def norms(case: Case, path: Path) -> dict[str, Any]:
    """Simulate, measure, and the mean standard scores of hip, knee and ankle."""
    take = simulate(case.shot)
    found = scores(curves_of_take(take), Path(case.options["norms"]))
    return {**_measured(take, case, path), "scores": {joint: score.sd for joint, score in found.items()},
            "adult_deg": {joint: score.adult_deg for joint, score in found.items()}}


def push(case: Case, path: Path) -> dict[str, Any]:
    """The largest of `levels_m_s` (impulse over mass, ascending) after which the character still stands.

    The level at `first` is tried first; then the interval between the largest that stood and the smallest that fell is
    halved, which takes it that who falls at one level falls at all greater ones.
    """
    levels = case.options["levels_m_s"]
    stood, fell = -1, len(levels)
    tried = {}
    at = case.options["first"]
    while True:
        tried[str(levels[at])] = survives = not simulate(pushed(case.shot, case.options, levels[at])).fell
        stood, fell = (at, fell) if survives else (stood, at)
        if fell - stood == 1:
            return {"stood": True, "survived_m_s": levels[stood] if stood >= 0 else 0.0, "tried": tried}
        at = (stood + fell) // 2


def pushed(shot: Shot, options: dict, level_m_s: float) -> Shot:
    """The shot with a push of that impulse over mass at a phase of the planned cycle, towards a direction (90 is left)."""
    stride_s = 1.0 / preview(shot).stride_frequency_hz
    start = (BEFORE_STRIDES + options["phase"]) * stride_s
    force, angle = level_m_s * shot.body.mass_kg / PUSH_S, radians(options["direction_deg"])
    blow = Push(start, PUSH_S, (force * cos(angle), force * sin(angle), 0.0))
    return replace(shot, pushes=(blow,), duration_s=start + PUSH_S + max(AFTER_S, AFTER_STRIDES * stride_s))


def poses(case: Case, path: Path) -> dict[str, Any]:
    """Simulate the shot and the same on the Earth; how far their poses are apart at equal phase [deg]."""
    takes = [simulate(replace(case.shot, world=load_world(name))) for name in (case.shot.world.name, "earth")]
    return {**_measured(takes[0], case, path), "gaits": [take.shot.gait for take in takes],
            "apart_deg": pose_distance_deg(*takes)}


def efforts(case: Case, path: Path) -> dict[str, Any]:
    """Simulate the shot by both gait laws; the effort of each, with the gait that people choose by name."""
    found, first = {}, None
    for law in ("people", "similar"):
        take = simulate(replace(case.shot, gait_law=law))
        first = first or take
        cost = effort(take)
        found[law] = {"cost_j_kg_m": cost.cost_j_kg_m, "speed_m_s": cost.speed_m_s, "gait": take.shot.gait}
    return {**_measured(first, case, path), "efforts": found}


def bench(case: Case, path: Path) -> dict[str, Any]:
    """Processor time of the whole simulation over bare stepping, from scripts/bench."""
    done = subprocess.run([sys.executable, ROOT / "scripts" / "bench", "--json", "--seconds", str(case.shot.duration_s)],
                          capture_output=True, text=True)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return {"error": f"scripts/bench gave no report: {done.stderr.strip()[-300:]}"}
    worlds = {name: value for name, value in report.items() if isinstance(value, dict)}
    return {"stood": True, "ratios": {name: value["tracking_over_physics"] for name, value in worlds.items()}}


def _measured(take: Take, case: Case, path: Path) -> dict[str, Any]:
    """Measures of a take, which is written down where the case asks for it."""
    if case.keep:
        path.parent.mkdir(parents=True, exist_ok=True)
        take.save(path)
    return {"stood": not take.fell, "measures": measure(take) | measure_gait(take)}


KINDS = {"walk": walk, "norms": norms, "push": push, "bench": bench, "poses": poses, "efforts": efforts}
