# SPDX-License-Identifier: GPL-3.0-or-later
"""Tuned displacement maps: how a tuned gait leads its feet away from the reference motion's, relative to the body, a function of
gravity, one JSON file a gait. A map has six control points over a foot's own cycle, three in stance and three in swing (Kim 2017,
section 5.2.2; Lee et al. 2014), mirrored for the other foot. In swing the foot's path is shifted. A foot that stands cannot move,
so there the body moves the other way: a foot that should be higher lowers the centre of mass, one that should be further ahead or
out has its centre of pressure further back or in, and lands wider."""

from __future__ import annotations

import json
import math
import os
from bisect import bisect_right
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..checks import Anything, Choice, Number, Part, Series, Table, Text, Whole
from ..errors import InputError
from ..files import write_whole
from ..maths.curves import cubic
from ..maths.splines import periodic_spline
from ..specs.motions import GAIT_LAWS, OF_PEOPLE, PEOPLE
from ..specs.muscles import Condition, condition_names, load_condition
from ..specs.settings import PRESETS, TUNED_FOLDER, Checked, named_file, read_preset, setting
from ..specs.shot import GRAVITY_RANGE_M_S2, Shot
from .froude import StanceTimes

POINTS, AXES = 6, 3
LARGEST = 0.2
"""Largest displacement over leg length: more than twice what a step's own clearance is; beyond it legs meet their reach."""
OUTWARD = {"L": 1.0, "R": -1.0}
SHORTEST_RAMP = 0.25
"""Share of a running foot's stance over which its weight comes and goes, there being no double support that tells."""


def check_points(points: object) -> np.ndarray:
    """`points` as an array (6, 3); raises InputError where they are no finite numbers up to `LARGEST` of that shape."""
    try:
        array = np.array(points, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"The displacement map must be {POINTS} x {AXES} numbers: {error}.") from None
    if array.shape != (POINTS, AXES):
        raise InputError(f"The displacement map must be {POINTS} x {AXES} numbers, got the shape {array.shape}.")
    if not np.isfinite(array).all() or np.abs(array).max() > LARGEST:
        raise InputError(f"The displacement map must hold numbers within +-{LARGEST:g} leg lengths, got {array.tolist()}.")
    return array


class DisplacementMap:
    """A map for one body and gait. `points` (6, 3): forward, outward, up over leg length, at the middles of the thirds of
    stance and of swing; `toe_off` is the phase since strike at which a foot leaves the ground."""

    def __init__(self, points: np.ndarray | None, toe_off: float, leg_length_m: float) -> None:
        self.points = np.zeros((POINTS, AXES)) if points is None else check_points(points)
        self.moves = bool(self.points.any())
        self.toe_off = toe_off
        thirds = (np.arange(3) + 0.5) / 3.0
        phases = np.concatenate([toe_off * thirds, toe_off + (1.0 - toe_off) * thirds])
        closed = np.concatenate([self.points, self.points[:1]]) * leg_length_m
        self._spline = periodic_spline(np.append(phases, phases[0] + 1.0), closed)
        self._knots, self._cubics = self._spline.knots.tolist(), self._spline.coefficients.transpose(1, 2, 0).tolist()
        self._swing_ends: dict[float, tuple[list[float], list[float]]] = {}

    def outward(self, since_strike: float | np.ndarray) -> np.ndarray:
        """Displacement (..., 3) [m] forward, outward, up at phases (...,) since the foot's own strike; periodic."""
        return self._spline(since_strike)

    def offset(self, since_strike: float | np.ndarray, side: str) -> np.ndarray:
        """Displacement (..., 3) [m] of the foot on a side, x forward, y left, z up, at phases (...,) since its strike."""
        return self.outward(since_strike) * (1.0, OUTWARD[side], 1.0)

    def swing_offset(self, since_strike: float, side: str, toe_off: float | None = None) -> tuple[float, float, float]:
        """`offset` for a foot on its way from toe-off to strike, less what its ends, which stand on the ground, have: zero
        at both, so that it leaves from and lands on its footsteps."""
        start = self.toe_off if toe_off is None else toe_off
        if start not in self._swing_ends:
            self._swing_ends[start] = self._outward(start), self._outward(1.0)
        s = min(max((since_strike - start) / (1.0 - start), 0.0), 1.0)
        share = cubic(s)
        x, y, z = (at - (1.0 - share) * off - share * strike for at, off, strike in
                   zip(self._outward(start + s * (1.0 - start)), *self._swing_ends[start], strict=True))
        return x, OUTWARD[side] * y, z

    def _outward(self, since_strike: float) -> list[float]:
        """`outward` at one phase, without the cost of arrays."""
        first, knots = self._knots[0], self._knots
        phase = first + (since_strike - first) % 1.0
        i = min(bisect_right(knots, phase) - 1, len(knots) - 2)
        t = phase - knots[i]
        return [((a * t + b) * t + c) * t + d for a, b, c, d in self._cubics[i]]

    def widening_m(self) -> float:
        """How much wider apart the feet stand [m]: twice the outward displacement at the strike."""
        return 2.0 * float(self.outward(0.0)[1])

    def cop_shifts(self, times: StanceTimes, frequency_hz: float) -> tuple[complex, complex, complex]:
        """Shifts of the centre of pressure from the foot, forward + i outward [m], at the ends of double support, of the flat
        foot and of the whole step (`times`): over a foot displaced by D it is -D from the foot, as the pendulum stays."""
        shifts = -self.outward(np.cumsum(times) * frequency_hz)
        double, flat, whole = (complex(x, y) for x, y, _ in shifts)
        return double, flat, whole

    def stance_cop_shift(self, shares: np.ndarray, side: str) -> np.ndarray:
        """The same (...,), forward + i left [m], at shares (...,) of the stance of the foot on a side."""
        if not self.moves:
            return np.zeros(np.shape(shares), dtype=complex)
        offset = self.offset(self.toe_off * np.clip(shares, 0.0, 1.0), side)
        return -(offset[..., 0] + 1j * offset[..., 1])

    def body_rise(self, since_strikes: np.ndarray) -> np.ndarray:
        """Rise (...,) [m] of the centre of mass at phases (..., 2) since strikes: minus standing feet's, by their weights."""
        since = np.mod(since_strikes, 1.0)
        double = self.toe_off - 0.5
        ramp = double if double > 0.02 else SHORTEST_RAMP * self.toe_off
        up, down = np.clip(since / ramp, 0.0, 1.0), np.clip((self.toe_off - since) / ramp, 0.0, 1.0)
        weight = cubic(np.minimum(up, down))
        total = np.maximum(weight.sum(axis=-1), 1.0)
        return -(weight * self.outward(since)[..., 2]).sum(axis=-1) / total


SCHEMA, FORMAT = "lope-tuning", 1
TUNING_FOLDER = PRESETS / "tuning"
SAME_GRAVITY = 1e-3
"""Gravities whose logarithms differ by less are the same world."""
NEAR_GRAVITY = 0.05
"""The same for the use of a map by the gait law people, whose frequency is another at every gravity."""


@dataclass(frozen=True)
class TunedMap(Checked):
    """One search's result: `points` (6, 3) over leg length, costs `before` and `after` with terms, and the `search`'s figures."""

    FIELD = "tuned map field"
    world: str = setting(rule=Text())
    gravity_m_s2: float = setting(rule=Number(*GRAVITY_RANGE_M_S2, "m/s^2"))
    points: tuple[tuple[float, ...], ...] = setting(rule=Series(Series(Number(-LARGEST, LARGEST, "leg lengths"), AXES), POINTS))
    before: dict[str, Any] = setting(rule=Table(Anything()))
    after: dict[str, Any] = setting(rule=Table(Anything()))
    search: dict[str, Any] = setting(rule=Table(Anything()))
    gait_law: str = setting("similar", rule=Choice("gait law", GAIT_LAWS))


@dataclass(frozen=True)
class TuningFile(Checked):
    """What a tuning file holds."""

    FIELD = "tuning file field"
    schema: str = setting(rule=Choice("schema", (SCHEMA,)))
    format: int = setting(rule=Whole(1))
    gait: str = setting(rule=Text())
    maps: tuple[TunedMap, ...] = setting(rule=Series(Part(TunedMap), each="Map {i}"))


def tuning_file(gait: str, condition: Condition | None = None) -> Path:
    """Where the maps of a built-in gait (in a condition) are: the user's file, else the shipped one. Raises InputError."""
    name = file_name(gait, condition)
    own = named_file(Path(os.environ.get(TUNED_FOLDER) or TUNING_FOLDER), "gait", name)
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
    """Add a map to a file, for the one of the same law and gravity. Raises InputError where it cannot be written."""
    _write_maps(path, gait, [*_others(path, tuned.gravity_m_s2, tuned.gait_law), tuned])


def drop_map(path: Path, gait: str, gravity_m_s2: float, gait_law: str = "similar") -> None:
    """Take the map of a law at a gravity out of a file; without maps it goes. Raises InputError where that cannot be."""
    kept = _others(path, gravity_m_s2, gait_law)
    if kept:
        _write_maps(path, gait, kept)
    else:
        path.unlink(missing_ok=True)


def write_json(path: Path, data: dict[str, Any]) -> None:
    """Write a JSON file whole or not at all. Raises InputError where it cannot be written."""
    write_whole(path, json.dumps(data, indent=1, allow_nan=False) + "\n", "tuning result")


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
    """The points (6, 3) a shot's feet are displaced by; None where it asks for none, or its gait, as a clip, has none. By the
    gait law people those tuned for it near that gravity, else, `as_similar`, the similar gait's."""
    path = tuning_file(shot.motion.name)
    shipped = shot.condition is not None and shot.condition.name in condition_names() and (
        load_condition(shot.condition.name) == shot.condition)
    if shipped and (in_it := tuning_file(shot.motion.name, shot.condition)).is_file():
        path = in_it
    if not shot.motion.tuned or shot.motion.file is not None or not path.is_file():
        return None
    maps, gravity = _cached_maps(path, path.stat().st_mtime_ns), shot.world.gravity_m_s2
    if shot.motion.law in OF_PEOPLE:
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
