# SPDX-License-Identifier: GPL-3.0-or-later
"""The planets and moons that Lope knows by name: one JSON file each in `presets/worlds`.

Ceres is the lightest; bodies below it (Enceladus, Phobos and the like) have no file: a step there is a leap. A world that
spins, `orbit-station`, has the gravity that is asked for: "orbit-station:0.3" is three tenths of Earth's.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ..checks import check_number
from ..errors import InputError, unknown_name
from ..specs.shot import EARTH_GRAVITY_M_S2, GRAVITY_RANGE_M_S2, WORLD_GRAVITY_RANGE_M_S2, World

FORMAT = 1
FOLDER = Path(__file__).resolve().parents[2] / "presets" / "worlds"
CUSTOM = "custom"
"""Name of a world made from a bare gravity."""

FIELDS: dict[str, type | tuple[type, ...]] = {
    "format": int, "name": str, "label": str, "gravity_m_s2": (int, float), "source": str,
}
"""The schema of a world file: every field is required, no other is allowed but OPTIONAL ones."""
OPTIONAL: dict[str, type | tuple[type, ...]] = {"settable": bool}
"""`settable`: the gravity may be chosen as a fraction of Earth's; the file's is the one without a choice."""


def world_names() -> list[str]:
    """Names of all known worlds, from the lightest to the heaviest."""
    presets = [read_preset(path) for path in FOLDER.glob("*.json")]
    return [p["name"] for p in sorted(presets, key=lambda p: (p["gravity_m_s2"], p["name"]))]


def load_world(name: str) -> World:
    """The world of that name, in any case ("Moon", "moon"), with ":FRACTION" of Earth's gravity where that can be set.

    Raises InputError listing the known ones, or for a fraction that cannot be.
    """
    stem, colon, fraction = str(name).strip().lower().partition(":")
    path = FOLDER / f"{stem}.json"
    if path.name not in {p.name for p in FOLDER.glob("*.json")}:
        raise unknown_name("world", stem, world_names())
    preset = read_preset(path)
    gravity = _set_gravity(preset, fraction) if colon else float(preset["gravity_m_s2"])
    return World(name=preset["name"], gravity_m_s2=gravity)


def _set_gravity(preset: dict[str, Any], fraction: str) -> float:
    """Gravity [m/s^2] of a settable world at a fraction of Earth's."""
    if not preset.get("settable", False):
        raise InputError(
            f"The gravity of {preset['label']} cannot be set to {fraction} g; for any other gravity use a custom world.")
    try:
        share = float(fraction)
    except ValueError:
        raise InputError(f"The gravity of {preset['name']} is set as {preset['name']}:FRACTION of Earth's, such as "
                         f"{preset['name']}:0.3; got {fraction!r}.") from None
    least, most = (g / EARTH_GRAVITY_M_S2 for g in GRAVITY_RANGE_M_S2)
    return check_number(f"Gravity of {preset['name']}", share, least, most, "g") * EARTH_GRAVITY_M_S2


def world_from_gravity(gravity_m_s2: float) -> World:
    """A world named "custom" with that gravity [m/s^2]. Raises InputError outside `GRAVITY_RANGE_M_S2`."""
    return World(name=CUSTOM, gravity_m_s2=check_number("Gravity", gravity_m_s2, *GRAVITY_RANGE_M_S2, "m/s^2"))


def read_preset(path: Path) -> dict[str, Any]:
    """A world file's fields, checked against `FIELDS`. Raises InputError naming the file and the fault."""
    try:
        preset = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"The world preset {path} cannot be read: {error}.") from error
    if not isinstance(preset, dict) or set(preset) - set(OPTIONAL) != set(FIELDS):
        raise InputError(f"The world preset {path} must hold exactly the fields {', '.join(FIELDS)}.")
    for field, kind in {**FIELDS, **{f: OPTIONAL[f] for f in OPTIONAL if f in preset}}.items():
        if not isinstance(preset[field], kind) or (isinstance(preset[field], bool) and kind is not bool):
            raise InputError(f"In the world preset {path} the field {field!r} has the wrong type: {preset[field]!r}.")
    if preset["format"] > FORMAT:
        raise InputError(
            f"The world preset {path} has format {preset['format']}; this Lope reads up to {FORMAT}. Update Lope.")
    if preset["name"] != path.stem:
        raise InputError(f"The world preset {path} calls itself {preset['name']!r}; its name must be its file's name.")
    check_number(f"Gravity of {path}", preset["gravity_m_s2"], *WORLD_GRAVITY_RANGE_M_S2, "m/s^2")
    return preset
