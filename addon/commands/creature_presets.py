# SPDX-License-Identifier: GPL-3.0-or-later
"""What `lope presets` tells of creatures and of their gaits."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

from ..bodies.creature import known
from ..bodies.creature.body import make_creature
from ..controllers.creature import stored
from ..specs.presets import known_file

FOLDER, GAITS_FOLDER = known.FOLDER, stored.FOLDER


def show_creature(name: str) -> dict[str, Any]:
    """What a creature is, its sizes, its parts of each kind, and its template."""
    path = known_file(FOLDER, "creature", name)
    told = json.loads(path.read_text(encoding="utf-8"))
    body = make_creature(known.creature_from_file(path))
    creature = body.creature
    return {"name": name, "summary": told["summary"], "source": told["source"], "mass_kg": round(body.mass_kg, 2),
            "leg_length_m": round(body.leg_length_m, 3), "degrees_of_freedom": body.degrees_of_freedom,
            "leg": [part.name for part in creature.legs[0]],
            "segments": {kind: len(creature.of_kind(kind)) for kind in ("trunk", "neck", "head", "tail", "arm")},
            "template": {key: value for key, value in told.items() if key not in ("format", "name", "summary", "source")}}


def creature_line(details: dict[str, Any]) -> str:
    """What a list says of one."""
    return f"{details['mass_kg']:.0f} kg on legs of {details['leg_length_m']:.2f} m: {details['summary']}"


def check_creature_file(path: Path) -> object:
    """A creature's file. Raises InputError for one that holds none, or one that cannot walk."""
    return make_creature(known.creature_from_file(path))


def show_creature_gait(name: str) -> dict[str, Any]:
    """Whose gait it is and what moves it, how fast it goes, how it did in its trial, and the numbers of its law."""
    gait = stored.load_gait(name)
    figures = {} if gait.trial is None else dataclasses.asdict(gait.trial)
    trial = {key: value for key, value in figures.items() if value is not None}
    by = "torques" if gait.muscles is None else "muscles"
    return {"name": gait.name, "summary": f"{gait.creature} by {by}", "creature": gait.creature, "moved_by": by,
            "source": gait.source, "speed_m_s": gait.speed_m_s, "dimensionless_speed": round(gait.dimensionless_speed, 3),
            "gravity_m_s2": gait.gravity_m_s2, "leg_length_m": gait.leg_length_m, "mass_kg": gait.mass_kg,
            "trial": trial, "parameters": gait.parameters}


def creature_gait_line(details: dict[str, Any]) -> str:
    """What a list says of one."""
    trial = details["trial"]
    stood = f"; {trial['stood']} of {trial['starts']} starts stood for {trial['seconds']:.0f} s" if "stood" in trial else ""
    return (f"{details['summary']}, {details['speed_m_s']:.2f} m/s under "
            f"{details['gravity_m_s2']:.2f} m/s^2{stood}")
