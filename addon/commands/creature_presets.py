# SPDX-License-Identifier: GPL-3.0-or-later
"""What `lope presets` tells of creatures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..bodies.creature import known
from ..bodies.creature.body import make_creature
from ..specs.presets import known_file

FOLDER = known.FOLDER


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
