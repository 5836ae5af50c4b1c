# SPDX-License-Identifier: GPL-3.0-or-later
"""The planets and moons that Lope knows by name, one JSON file each in `presets/worlds`, and the gravity of a world over a shot.
Bodies lighter than Ceres have no file: a step there is a leap. A world that spins, `orbit-station`, has the gravity that is asked
for: "orbit-station:0.3" is three tenths of Earth's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..checks import Number, Text, Whole, check_number
from ..errors import InputError
from ..specs.settings import PRESETS, Checked, known_file, names_in, setting
from ..specs.settings import read_preset as read_file
from ..specs.shot import EARTH_GRAVITY_M_S2, GRAVITY_RANGE_M_S2, WORLD_GRAVITY_RANGE_M_S2, World

FORMAT = 1
FOLDER = PRESETS / "worlds"
CUSTOM = "custom"
"""Name of a world made from a bare gravity."""


@dataclass(frozen=True)
class WorldPreset(Checked):
    """`settable`: gravity may be chosen as a fraction of Earth's, the file's is the default; `friction` is its ground's,
    `air_kg_m3` the density of the air on it."""

    FIELD = "world preset field"
    format: int = setting(rule=Whole(1))
    name: str = setting(rule=Text())
    label: str = setting(rule=Text())
    gravity_m_s2: float = setting(rule=Number(*WORLD_GRAVITY_RANGE_M_S2, "m/s^2"))
    source: str = setting(rule=Text())
    settable: bool = setting(False)
    friction: float = setting(World().friction, 0.1, 2.0)
    air_kg_m3: float = setting(0.0, 0.0, 100.0, "kg/m^3")


def world_names() -> list[str]:
    """Names of all known worlds, from the lightest to the heaviest."""
    presets = [read_preset(path) for path in FOLDER.glob("*.json")]
    return [p.name for p in sorted(presets, key=lambda p: (p.gravity_m_s2, p.name))]


def preset_of(name: str) -> WorldPreset | None:
    """What the file of the world of that name holds; None for a world without one."""
    return read_preset(FOLDER / f"{name}.json") if name in names_in(FOLDER) else None


def label_of(name: str) -> str:
    """A world's name as people write it: "Moon"."""
    preset = preset_of(name)
    return name.title() if preset is None else preset.label


def load_world(name: str) -> World:
    """The world of that name in any case, with ":FRACTION" of Earth's gravity if settable. Raises InputError."""
    stem, colon, fraction = str(name).strip().lower().partition(":")
    preset = read_preset(known_file(FOLDER, "world", stem))
    gravity = _set_gravity(preset, fraction) if colon else float(preset.gravity_m_s2)
    return World(name=preset.name, gravity_m_s2=gravity, friction=preset.friction)


def _set_gravity(preset: WorldPreset, fraction: str) -> float:
    """Gravity [m/s^2] of a settable world at a fraction of Earth's."""
    if not preset.settable:
        raise InputError(
            f"The gravity of {preset.label} cannot be set to {fraction} g; for any other gravity use a custom world.")
    try:
        share = float(fraction)
    except ValueError:
        raise InputError(f"The gravity of {preset.name} is set as {preset.name}:FRACTION of Earth's, such as "
                         f"{preset.name}:0.3; got {fraction!r}.") from None
    least, most = (g / EARTH_GRAVITY_M_S2 for g in GRAVITY_RANGE_M_S2)
    return check_number(f"Gravity of {preset.name}", share, least, most, "g") * EARTH_GRAVITY_M_S2


def world_from_gravity(gravity_m_s2: float) -> World:
    """A world named "custom" with that gravity [m/s^2]. Raises InputError outside `GRAVITY_RANGE_M_S2`."""
    return World(name=CUSTOM, gravity_m_s2=check_number("Gravity", gravity_m_s2, *GRAVITY_RANGE_M_S2, "m/s^2"))


def read_preset(path: Path) -> WorldPreset:
    """What a world's file holds. Raises InputError naming the file and the fault."""
    return read_file(path, WorldPreset, "world preset", newest=FORMAT)


def air_density(world: World) -> float:
    """Density [kg/m^3] of a world's air at the ground; a custom world has the Earth's from half of its gravity on."""
    preset = preset_of(world.name)
    if preset is not None:
        return preset.air_kg_m3
    like_earth = world.gravity_m_s2 > 0.5 * EARTH_GRAVITY_M_S2
    return read_preset(FOLDER / "earth.json").air_kg_m3 if like_earth else 0.0


def gravity_at(world: World, time_s: float) -> float:
    """Gravity [m/s^2] of a world at a time of the shot."""
    import numpy as np

    times, gravities = zip((0.0, world.gravity_m_s2), *world.gravity_ramp, strict=True)
    return float(np.interp(time_s, times, gravities))
