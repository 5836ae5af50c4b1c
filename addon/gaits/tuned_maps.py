# SPDX-License-Identifier: GPL-3.0-or-later
"""Tuned displacement maps on disk: one JSON file a gait, its maps a function of gravity."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..checks import Anything, Choice, Number, Part, Series, Table, Text, Whole
from ..errors import InputError
from ..specs.condition import Condition
from ..specs.condition_presets import condition_names, load_condition
from ..specs.presets import PRESETS, named_file, read_preset
from ..specs.settings import Checked, setting
from ..specs.shot import GAIT_LAWS, GRAVITY_RANGE_M_S2, PEOPLE, Shot
from .displacement import AXES, LARGEST, POINTS

SCHEMA, FORMAT = "lope-tuning", 1
TUNING_FOLDER = PRESETS / "tuning"
USER_FOLDER = "LOPE_TUNING"
"""Environment variable naming a folder whose tuning files go before those of `TUNING_FOLDER`: Blender's user has one."""
SAME_GRAVITY = 1e-3
"""Gravities whose logarithms differ by less are the same world."""
NEAR_GRAVITY = 0.05
"""The same for the use of a map by the gait law people, whose frequency is another at every gravity."""


@dataclass(frozen=True)
class TunedMap(Checked):
    """One search's result: the map's `points` (6, 3) over leg length, where it was tuned, how, and what it brought.

    `before` and `after` hold the cost and its terms without and with the map; `search` the search's own figures.
    """

    FIELD = "tuned map field"
    world: str = setting(rule=Text())
    gravity_m_s2: float = setting(rule=Number(*GRAVITY_RANGE_M_S2, "m/s^2"))
    points: tuple[tuple[float, ...], ...] = setting(rule=Series(Series(Number(-LARGEST, LARGEST, "leg lengths"), AXES), POINTS))
    before: dict[str, Any] = setting(rule=Table(Anything()))
    after: dict[str, Any] = setting(rule=Table(Anything()))
    search: dict[str, Any] = setting(rule=Table(Anything()))
    gait_law: str = setting("similar", rule=Choice("gait law", GAIT_LAWS))
    """The law of the gait that it was tuned for."""


@dataclass(frozen=True)
class TuningFile(Checked):
    """What a tuning file holds."""

    FIELD = "tuning file field"
    schema: str = setting(rule=Choice("schema", (SCHEMA,)))
    format: int = setting(rule=Whole(1))
    gait: str = setting(rule=Text())
    maps: tuple[TunedMap, ...] = setting(rule=Series(Part(TunedMap), each="Map {i}"))


def tuning_file(gait: str, condition: Condition | None = None) -> Path:
    """Where the maps of a built-in gait are stored, of one in a condition that ships beside the healthy one's: the user's own
    file where there is one, else the shipped one. Raises InputError for a name that is a path."""
    name = file_name(gait, condition)
    own = named_file(Path(os.environ.get(USER_FOLDER) or TUNING_FOLDER), "gait", name)
    return own if own.is_file() else named_file(TUNING_FOLDER, "gait", name)


def file_name(gait: str, condition: Condition | None) -> str:
    """What a file of tuned maps is called, without its ending. Raises InputError for a condition that does not ship as it is."""
    if condition is None or condition.plain:
        return gait
    if condition.name not in condition_names() or load_condition(condition.name) != condition:
        raise InputError(f"Maps are kept for conditions as they ship, and {condition.name} is none: say with --out where this "
                         "one goes.")
    return f"{gait}-{condition.name}"


def read_maps(path: Path) -> list[TunedMap]:
    """The maps in a file, from the least gravity to the greatest. Raises InputError saying what is wrong with the file."""
    maps = read_preset(path, TuningFile, "tuning file", newest=FORMAT, called=None).maps
    return sorted(maps, key=lambda entry: entry.gravity_m_s2)


def store_map(path: Path, gait: str, tuned: TunedMap) -> None:
    """Add a map to a file, in place of the one tuned for the same law at the same gravity. Raises InputError where it cannot be
    written."""
    _write_maps(path, gait, [*_others(path, tuned.gravity_m_s2, tuned.gait_law), tuned])


def drop_map(path: Path, gait: str, gravity_m_s2: float, gait_law: str = "similar") -> None:
    """Take the map tuned for a law at a gravity out of a file; a file without maps goes.
    Raises InputError where that cannot be."""
    kept = _others(path, gravity_m_s2, gait_law)
    if kept:
        _write_maps(path, gait, kept)
    else:
        path.unlink(missing_ok=True)


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Write a JSON file whole or not at all. Raises InputError where it cannot be written."""
    partial = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(json.dumps(data, indent=1, allow_nan=False) + "\n", encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise InputError(f"The tuning result cannot be written to {path}: {error.strerror or error}.") from error


def stored_at(path: Path, gravity_m_s2: float, gait_law: str = "similar") -> TunedMap | None:
    """The map tuned for a law at that very gravity; None where there is none."""
    maps = read_maps(path) if path.is_file() else []
    return next((entry for entry in maps if _same(entry, gravity_m_s2, gait_law)), None)


def interpolated(maps: list[TunedMap], gravity_m_s2: float) -> np.ndarray | None:
    """Points (6, 3) at a gravity: linear in log g between the tuned ones, the nearest beyond them; None without maps."""
    if not maps:
        return None
    places = [math.log(entry.gravity_m_s2) for entry in maps]
    columns = np.array([entry.points for entry in maps]).reshape(len(maps), -1).T
    return np.array([np.interp(math.log(gravity_m_s2), places, column) for column in columns]).reshape(-1, 3)


def shot_points(shot: Shot, as_similar: bool = True) -> np.ndarray | None:
    """The points (6, 3) a shot's feet are to be displaced by; None where it asks for none or its gait has none.

    Maps belong to built-in gaits: a shot with a clip of its own has none. The gait law people takes a map that was tuned for it
    near that gravity; else, where its gait is as the similar one (`as_similar`), that one's.
    """
    path = tuning_file(shot.gait)
    shipped = shot.condition is not None and shot.condition.name in condition_names() and (
        load_condition(shot.condition.name) == shot.condition)
    if shipped and (in_it := tuning_file(shot.gait, shot.condition)).is_file():
        path = in_it
    if not shot.tuned or shot.motion is not None or not path.is_file():
        return None
    maps, gravity = _cached_maps(path, path.stat().st_mtime_ns), shot.world.gravity_m_s2
    if shot.gait_law == PEOPLE:
        own = [entry for entry in maps if entry.gait_law == PEOPLE and abs(math.log(entry.gravity_m_s2 / gravity)) < NEAR_GRAVITY]
        if own or not as_similar:
            return interpolated(own, gravity)
    return interpolated([entry for entry in maps if entry.gait_law != PEOPLE], gravity)


@lru_cache(maxsize=32)
def _cached_maps(path: Path, _stamp: int) -> list[TunedMap]:
    return read_maps(path)


def _others(path: Path, gravity_m_s2: float, gait_law: str) -> list[TunedMap]:
    """The maps in a file that were not tuned for a law at a gravity."""
    return [] if not path.is_file() else [entry for entry in read_maps(path) if not _same(entry, gravity_m_s2, gait_law)]


def _write_maps(path: Path, gait: str, maps: list[TunedMap]) -> None:
    ordered = sorted(maps, key=lambda entry: entry.gravity_m_s2)
    write_json(path, {"schema": SCHEMA, "format": FORMAT, "gait": gait, "maps": [asdict(entry) for entry in ordered]})


def _same(entry: TunedMap, gravity_m_s2: float, gait_law: str) -> bool:
    return entry.gait_law == gait_law and abs(math.log(entry.gravity_m_s2 / gravity_m_s2)) < SAME_GRAVITY
