# SPDX-License-Identifier: GPL-3.0-or-later
"""Speeds at which each gait stands, over gravity: found by simulating (`scripts/tools/find_ranges.py`), in `presets/ranges`. A
row holds the lowest and the highest speed at one gravity as v / sqrt(g l); between rows both are interpolated over the logarithm
of gravity, beyond the outermost they stay. And on which bodies: those like the zoo of rigs and public ones on which every gait
was tried on Earth, Mars and the Moon (`scripts/check stands`, docs/notes/proportions.md). No other body is promised anything."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ..bodies.body import Body
from ..checks import Number, Part, Series, Text, Whole, check_number
from ..errors import InputError
from ..specs.settings import PRESETS, Checked, names_in, read_preset, setting
from ..specs.shot import GRAVITY_RANGE_M_S2


@dataclass(frozen=True)
class Proportions:
    """Over legs' length: heights of the mass and ankles, distance of the hips, how far soles go ahead of and behind ankles."""

    mass_height: float
    hips: float
    ankles: float
    toes: float
    heels: float


TRIED = {"mass_height": (1.0, 1.35), "hips": (0.1, 0.45), "ankles": (0.05, 0.2), "toes": (0.12, 0.35), "heels": (0.02, 0.15)}
"""Between which proportions bodies were tried and stood, rounded outwards. A public figure of 1.41, whose centre of mass is too
high, fell in a walk on the Moon, and dolls of 1.7 and 1.9 with hips 0.9 and 1.1 apart in walks on Earth."""
HIGH_MASS = "Not promised to stand: its centre of mass is {0} leg lengths high, {1} to {2} in the bodies that were tried; {3}"
HIPS_APART = "Not promised to stand: its hips are {0} leg lengths apart, {1} to {2} in the bodies that were tried; {3}"
HIGH_ANKLES = "Not promised to stand: its ankles are {0} leg lengths high, {1} to {2} in the bodies that were tried; {3}"
TOES_AHEAD = "Not promised to stand: its toes reach {0} leg lengths ahead, {1} to {2} in the bodies that were tried; {3}"
HEELS_BACK = "Not promised to stand: its heels reach {0} leg lengths back, {1} to {2} in the bodies that were tried; {3}"
STANDS = "such bodies stand, and mostly fall as soon as they go"
WALKS = "such bodies stand and walk, and mostly fall where they leave the ground"
GOES = "such bodies stand; where they fall as they go, try slower"
FAR_HIPS = 0.9
"""Distance of the hips from which on bodies mostly stand and no more: toys of 0.9, 1.1 and 2.0 fell in walks on Earth."""
UNLIKE = {"mass_height": HIGH_MASS, "hips": HIPS_APART, "ankles": HIGH_ANKLES, "toes": TOES_AHEAD, "heels": HEELS_BACK}
USUAL, NEAR = Proportions(1.130, 0.204, 0.079, 0.215, 0.079), 0.02
"""The body on which `scripts/tools/find_ranges.py` found the speeds, and how far from it another one counts as the same."""


def proportions(body: Body) -> Proportions:
    """Of a body with legs. Raises BodyError for one without feet."""
    at: dict[str, np.ndarray] = {}
    com = np.zeros(3)
    for part in body.segments:  # parents come first; in the neutral pose all frames have the body's axes
        at[part.name] = np.array([0.0, 0.0, body.pelvis_height_m]) if part.parent is None else at[part.parent] + part.offset
        com += part.mass_kg / body.mass_kg * (at[part.name] + part.com)
    leg, foot = body.leg_length_m, body.feet[0]
    hips = [at[one.leg[0]][1] for one in body.feet]
    points = [body.contact_points[i] for i in foot.points]
    sole = [at[point.segment][0] + point.position[0] - at[foot.segment][0] for point in points]
    return Proportions(*(float(length) / leg for length in (
        com[2], max(hips) - min(hips), -body.sole_height_m, max(sole), -min(sole))))


def unlike(body: Body) -> str | None:
    """Which of its proportions no body had on which gaits were tried, and what such bodies do at best, in a sentence; None where
    there is none."""
    built = proportions(body)
    best = STANDS if built.hips >= FAR_HIPS else WALKS if built.mass_height > TOP_HEAVY else GOES
    for name, (low, high) in TRIED.items():
        share = getattr(built, name)
        if not low <= share <= high:
            return UNLIKE[name].format(f"{share:.2f}", f"{low:.2f}", f"{high:.2f}", best)
    return None


def usual(body: Body) -> bool:
    """Whether a body is built like the one on which the ranges of speed were found."""
    built = proportions(body)
    return all(abs(getattr(built, name) - share) <= NEAR for name, share in vars(USUAL).items())


FORMAT = 1
FOLDER = PRESETS / "ranges"
OWN_SLACK, OWN_ROOM = 1.02, 1.1
"""Up to the first factor beyond it an own speed counts as in the (rounded) range; outside, one inside by the second is taken."""


TOP_HEAVY = 1.6
"""Height of the centre of mass over leg length above which no flight is promised: people have 1.1; one of 1.9 fell in most."""
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
    """Lowest and highest speed [m/s] promised for a gait on a body; None where nothing is known of it, or of bodies alike."""
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
