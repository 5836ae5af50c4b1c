# SPDX-License-Identifier: GPL-3.0-or-later
"""Speeds at which each gait stands, over gravity: found by simulating (`scripts/tools/find_ranges.py`), in `presets/ranges`.

A row of a file holds the lowest and the highest speed at one gravity as v / sqrt(g l), the square root of the Froude number.
Between rows both are interpolated over the logarithm of gravity; beyond the outermost rows they stay.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..bodies.body import Body
from ..checks import Number, Part, Series, Text, Whole, check_number
from ..errors import InputError
from ..specs.presets import PRESETS, names_in, read_preset
from ..specs.settings import Checked, setting
from ..specs.shot import GRAVITY_RANGE_M_S2
from .proportions import proportions, unlike, usual

FORMAT = 1
FOLDER = PRESETS / "ranges"
OWN_SLACK, OWN_ROOM = 1.02, 1.1
"""A gait's own speed counts as inside its range up to the first factor beyond it: the range is interpolated and rounded.
Where it is outside, a speed is taken that is inside by the second."""


TOP_HEAVY = 1.6
"""Height of the standing body's centre of mass over the length of its legs, above which gaits with flight are not promised:
people have 1.1, of bodies between nothing is known, a dwarf of 1.35 stood in all, and a doll of 1.9 fell in most."""
GROUNDED = ("walk", "turn")
"""Gaits without flight."""
OTHERS = 0.75
"""Share of the highest speed up to which gaits with flight are promised to other bodies than the one on which it was found: at
their own speeds on Earth, 0.85 to 0.91 of it, many fell within 10 s, and stood at 0.85 of those."""


@dataclass(frozen=True)
class RangeRow(Checked):
    """A row of a file."""

    FIELD = "row field"
    gravity_m_s2: float = setting(rule=Number(*GRAVITY_RANGE_M_S2, "m/s^2"))
    low: float = setting(rule=Number(0.0, 10.0))
    high: float = setting(rule=Number(0.0, 10.0))


@dataclass(frozen=True)
class RangesPreset(Checked):
    """What a range file holds."""

    FIELD = "speed range field"
    format: int = setting(rule=Whole(1))
    gait: str = setting(rule=Text())
    strides: int = setting(rule=Whole(1))
    rows: tuple[RangeRow, ...] = setting(rule=Series(Part(RangeRow), each="Row {i}"))
    source: str = setting(rule=Text())


@dataclass(frozen=True)
class RangeTable:
    """Lowest and highest dimensionless speed (n,) of a gait at gravities (n,) [m/s^2], rising."""

    gait: str
    gravity_m_s2: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    def at(self, gravity_m_s2: float, leg_length_m: float) -> tuple[float, float]:
        """Lowest and highest speed [m/s] under a gravity with a leg of that length."""
        unit, place, known = math.sqrt(gravity_m_s2 * leg_length_m), math.log(gravity_m_s2), np.log(self.gravity_m_s2)
        return unit * float(np.interp(place, known, self.low)), unit * float(np.interp(place, known, self.high))


def feasible_range(gait: str, gravity_m_s2: float, leg_length_m: float) -> tuple[float, float] | None:
    """Lowest and highest speed [m/s] at which the gait was found to stand; None for a gait without a stored range."""
    if gait not in names_in(FOLDER):
        return None
    return read_ranges(FOLDER / f"{gait}.json").at(gravity_m_s2, leg_length_m)


def top_heavy(body: Body) -> bool:
    """Whether a body is so high above its legs that the speeds at which others fly say nothing about it."""
    return proportions(body).mass_height > TOP_HEAVY


def promised_range(gait: str, gravity_m_s2: float, body: Body) -> tuple[float, float] | None:
    """Lowest and highest speed [m/s] at which a gait is promised to stand on a body; None where nothing is known of the gait, or
    of bodies like this one (`proportions.unlike`)."""
    known = feasible_range(gait, gravity_m_s2, body.leg_length_m)
    if known is None or unlike(body) is not None:
        return None
    low, high = known
    return known if gait in GROUNDED or usual(body) else (low, max(low, OTHERS * high))


def held_speed(gait: str, own_m_s: float, gravity_m_s2: float, leg_length_m: float) -> float:
    """A gait's own speed [m/s], or, where it was found to fall at it, one at which it stands: the nearest, with some room."""
    known = feasible_range(gait, gravity_m_s2, leg_length_m)
    if known is None or known[0] / OWN_SLACK <= own_m_s <= known[1] * OWN_SLACK:
        return own_m_s
    low, high = known
    room = min(OWN_ROOM, math.sqrt(high / low))
    return low * room if own_m_s < low else high / room


def gaits_for(speed_m_s: float, gravity_m_s2: float, leg_length_m: float) -> list[str]:
    """Gaits whose stored range holds that speed."""
    found = []
    for name in names_in(FOLDER):
        low, high = read_ranges(FOLDER / f"{name}.json").at(gravity_m_s2, leg_length_m)
        if low <= speed_m_s <= high:
            found.append(name)
    return found


def check_feasible(gait: str, speed_m_s: float, gravity_m_s2: float, leg_length_m: float) -> None:
    """Raises InputError, with the range and the gaits that would do it, for a speed at which the gait does not stand."""
    known = feasible_range(gait, gravity_m_s2, leg_length_m)
    if known is None or _rounded_down(known[0]) <= speed_m_s <= _rounded_up(known[1]):
        return
    others = [name for name in gaits_for(speed_m_s, gravity_m_s2, leg_length_m) if name != gait]
    instead = f"{' or '.join(others)} can do it" if others else "no other gait's stored range holds that speed"
    raise InputError(
        f"A speed of {speed_m_s:g} m/s is outside what {gait} can do under {gravity_m_s2:g} m/s^2 with legs of "
        f"{leg_length_m:.2f} m: {_rounded_down(known[0]):.2f} to {_rounded_up(known[1]):.2f} m/s; {instead}. "
        "Choose another speed or gait, or force it.")


def _rounded_down(speed: float) -> float:
    return math.floor(100.0 * speed) / 100.0


def _rounded_up(speed: float) -> float:
    return math.ceil(100.0 * speed) / 100.0


@lru_cache(maxsize=64)
def read_ranges(path: Path) -> RangeTable:
    """A range file, checked. Raises InputError naming the file and the fault."""
    rows = read_preset(path, RangesPreset, "speed range file", newest=FORMAT, called="gait").rows
    if not rows:
        raise InputError(f"The speed range file {path} must hold at least one row.")
    for i, row in enumerate(rows):
        check_number(f"High in row {i} of {path}", row.high, row.low, 10.0, "(no unit), not below low")
    gravity = tuple(float(row.gravity_m_s2) for row in rows)
    if sorted(set(gravity)) != list(gravity):
        raise InputError(f"The rows of {path} must be sorted by gravity, each gravity once.")
    return RangeTable(path.stem, gravity, tuple(float(row.low) for row in rows), tuple(float(row.high) for row in rows))


def write_ranges(path: Path, gait: str, rows: list[dict[str, float]], strides: int, source: str) -> None:
    """Write a range file; `rows` hold gravity_m_s2, low and high. Raises InputError where the place cannot be written."""
    rows = sorted(rows, key=lambda row: row["gravity_m_s2"])
    lines = ",\n".join("    " + json.dumps(row) for row in rows)
    head = {"format": FORMAT, "gait": gait, "strides": strides, "source": source}
    text = json.dumps(head, indent=2)[:-2] + f',\n  "rows": [\n{lines}\n  ]\n}}\n'
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"The speed ranges cannot be written to {path}: {error.strerror or error}.") from error
