# SPDX-License-Identifier: GPL-3.0-or-later
"""The planets and moons that Lope knows by name: one JSON file each in `presets/worlds`.

Bodies whose gravity lies outside `shot.GRAVITY_RANGE_M_S2` (0.05 to 3 g) have no file: Enceladus, Rhea, Titania, Ceres,
Phobos and the like are too light to walk on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..errors import InputError, unknown_name
from ..shot import GRAVITY_RANGE_M_S2, World, check_number

FORMAT = 1
FOLDER = Path(__file__).resolve().parents[2] / "presets" / "worlds"
CUSTOM = "custom"
"""Name of a world made from a bare gravity."""

FIELDS: dict[str, type | tuple[type, ...]] = {
    "format": int, "name": str, "label": str, "gravity_m_s2": (int, float), "source": str,
}
"""The schema of a world file: every field is required, no other is allowed."""


def world_names() -> list[str]:
    """Names of all known worlds, from the lightest to the heaviest."""
    presets = [read_preset(path) for path in FOLDER.glob("*.json")]
    return [p["name"] for p in sorted(presets, key=lambda p: (p["gravity_m_s2"], p["name"]))]


def load_world(name: str) -> World:
    """The world of that name, in any case ("Moon", "moon"). Raises InputError listing the known ones."""
    path = FOLDER / f"{str(name).strip().lower()}.json"
    if path.name not in {p.name for p in FOLDER.glob("*.json")}:
        raise unknown_name("world", name, world_names())
    preset = read_preset(path)
    return World(name=preset["name"], gravity_m_s2=float(preset["gravity_m_s2"]))


def world_from_gravity(gravity_m_s2: float) -> World:
    """A world named "custom" with that gravity [m/s^2]. Raises InputError outside `GRAVITY_RANGE_M_S2`."""
    return World(name=CUSTOM, gravity_m_s2=check_number("Gravity", gravity_m_s2, *GRAVITY_RANGE_M_S2, "m/s^2"))


def read_preset(path: Path) -> dict[str, Any]:
    """A world file's fields, checked against `FIELDS`. Raises InputError naming the file and the fault."""
    try:
        preset = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"The world preset {path} cannot be read: {error}.") from error
    if not isinstance(preset, dict) or set(preset) != set(FIELDS):
        raise InputError(f"The world preset {path} must hold exactly the fields {', '.join(FIELDS)}.")
    for field, kind in FIELDS.items():
        if not isinstance(preset[field], kind) or isinstance(preset[field], bool):
            raise InputError(f"In the world preset {path} the field {field!r} has the wrong type: {preset[field]!r}.")
    if preset["format"] > FORMAT:
        raise InputError(
            f"The world preset {path} has format {preset['format']}; this Lope reads up to {FORMAT}. Update Lope.")
    if preset["name"] != path.stem:
        raise InputError(f"The world preset {path} calls itself {preset['name']!r}; its name must be its file's name.")
    check_number(f"Gravity of {path}", preset["gravity_m_s2"], *GRAVITY_RANGE_M_S2, "m/s^2")
    return preset
