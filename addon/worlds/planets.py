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
    """`settable`: gravity may be chosen as a fraction of Earth's, the file's is the default; `friction` is its ground's."""

    FIELD = "world preset field"
    format: int = setting(rule=Whole(1))
    name: str = setting(rule=Text())
    label: str = setting(rule=Text())
    gravity_m_s2: float = setting(rule=Number(*WORLD_GRAVITY_RANGE_M_S2, "m/s^2"))
    source: str = setting(rule=Text())
    settable: bool = setting(False)
    friction: float = setting(World().friction, 0.1, 2.0)


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


@dataclass(frozen=True)
class Air:
    """What grains and hair go through at the ground: viscosity [Pa s], mean free path [m] and density [kg/m^3]."""

    viscosity_pa_s: float
    free_path_m: float
    density_kg_m3: float


EARTHS = Air(1.81e-5, 6.6e-8, 1.217)
MARSS = Air(1.06e-5, 4.3e-6, 0.02)
AIRS = {"earth": EARTHS, "orbit-station": EARTHS, "mars": MARSS, "titan": Air(6.3e-6, 9e-9, 5.4),
        "venus": Air(3.4e-5, 1.7e-9, 65.0)}
"""Worlds with air at the ground. Viscosities of air at 288 K, CO2 at 210 K and 735 K, N2 at 94 K; mean free paths by kinetic
theory from them and the pressures of NASA's planetary fact sheets (1013, 6.1, 92,000 and 1,467 hPa), densities from there. The
others have none to speak of."""

LIKE_MARS_G, LIKE_EARTH_G = 0.28, 0.61
"""Gravities [g] from which a world without a name has air like Mars and like the Earth: halfway between Moon, Mars and Earth."""


def air_of(world: str, gravity_m_s2: float) -> Air | None:
    """The air of a world by its name, of one that nobody knows by its gravity; None for none."""
    if world in AIRS:
        return AIRS[world]
    if preset_of(world) is not None:
        return None
    share = gravity_m_s2 / EARTH_GRAVITY_M_S2
    return EARTHS if share >= LIKE_EARTH_G else MARSS if share >= LIKE_MARS_G else None


def gravity_at(world: World, time_s: float) -> float:
    """Gravity [m/s^2] of a world at a time of the shot."""
    import numpy as np

    times, gravities = zip((0.0, world.gravity_m_s2), *world.gravity_ramp, strict=True)
    return float(np.interp(time_s, times, gravities))
