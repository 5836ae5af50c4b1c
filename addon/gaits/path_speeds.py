# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast and with which steps a gait goes where its path bends (slower before a tight turn, and short steps in it) and on
slopes and stairs; and the path a shot goes, or the circle of a gait that goes in circles, from where the take before ended."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np

from ..errors import InputError
from ..motions.library import load_gait
from ..specs.path import Footprint, GroundSpec, PathSpec
from ..specs.shot import EARTH_GRAVITY_M_S2, Shot
from ..worlds.paths import Circle, Laid, Path, SampledLine, laid, make_path, rounded
from .froude import GaitVariables
from .ranges import feasible_range

UPHILL_LOSS = 1.15
"""Share of the speed that is lost per slope (rise over run) uphill: 0.50 to 0.45 m/s at 5 degrees on the Moon (Kim 2017,
chapter VI). Downhill the speed of level ground is kept; the thesis's walker got faster there."""
LEAST_SHARE = 0.4
"""Share of the speed kept on the steepest slopes."""
MOST_CLIMB = 0.25
"""Largest rise of one step that skips treads, over the leg's length."""


def ground_wishes(
    gait: GaitVariables, ground: GroundSpec, path: PathSpec, speed_m_s: float | None, frequency_hz: float | None
) -> tuple[float | None, float | None]:
    """Speed [m/s] and stride frequency [1/s] to ask for on a ground, from what was asked (None: nothing) and the gait that
    this gives on level ground. Uphill it is slower; on stairs the steps are as long as treads, at the level's frequency."""
    if ground.kind == "slope":
        share = max(1.0 - UPHILL_LOSS * uphill_slope(ground, path), LEAST_SHARE)
        return (share * gait.speed_m_s if speed_m_s is None and share < 1.0 else speed_m_s), frequency_hz
    run = run_along(ground, path)
    if run is None or frequency_hz is not None:
        return speed_m_s, frequency_hz
    stride = 2.0 * tread_step(0.5 * gait.stride_length_m, run, ground.rise_m, gait.leg_length_m)
    if speed_m_s is None:
        return stride * gait.stride_frequency_hz, gait.stride_frequency_hz
    return speed_m_s, speed_m_s / stride


def uphill_slope(ground: GroundSpec, path: PathSpec) -> float:
    """Largest slope (rise over run) that the way goes up; 0 on ground without one slope. A way that turns meets it all."""
    if ground.kind != "slope":
        return 0.0
    steepest = math.tan(math.radians(ground.slope_deg))
    if path.kind != "straight":
        return abs(steepest)
    return max(steepest * math.cos(math.radians(path.heading_deg - ground.direction_deg)), 0.0)


def run_along(ground: GroundSpec, path: PathSpec) -> float | None:
    """Length [m] of a tread along a straight way; None where there are no treads or the way goes rather along them."""
    if ground.kind != "steps" or ground.rise_m == 0.0 or path.kind != "straight":
        return None
    share = abs(math.cos(math.radians(path.heading_deg - ground.direction_deg)))
    return ground.run_m / share if share > 0.5 else None


def tread_step(step_m: float, run_m: float, rise_m: float, leg_length_m: float) -> float:
    """The length nearest to a step's [m] that is a whole number of treads, or of which a tread is a whole number."""
    if run_m > step_m:
        return run_m / max(round(run_m / step_m), 1)
    most = max(int(MOST_CLIMB * leg_length_m / max(abs(rise_m), 1e-9)), 1)
    return run_m * min(max(round(step_m / run_m), 1), most)


MOST_CENTRIPETAL = 0.1
"""Largest v^2 / (g R) of a circle: what the walk takes on every planet; on Jupiter it falls at 0.12 (docs/notes/turning.md)."""
LEAST_TURN_RADIUS_LEGS = 0.5
"""Least radius over leg length at any speed: the inner foot would step on the outer one's way."""


def tightest_radius_m(speed_m_s: float, gravity_m_s2: float, leg_length_m: float) -> float:
    """Radius [m] of the tightest circle that a gait of that speed can go."""
    return max(speed_m_s**2 / (MOST_CENTRIPETAL * gravity_m_s2), LEAST_TURN_RADIUS_LEGS * leg_length_m)


def turns_too_tightly(path: Path, gait: GaitVariables, gravity_m_s2: float) -> bool:
    """Whether a path has a turn tighter than the gait can take at its speed."""
    return path.tightest[0] * tightest_radius_m(gait.speed_m_s, gravity_m_s2, gait.leg_length_m) > 1.0 + 1e-6


GRID_M = 0.1
"""Distance of the places along a path at which its bends are looked at."""
WINDOW_LEGS = 0.4
"""How far ahead of a bend, over the leg's length, it is gone through already: half a step."""
BRAKING_G = 0.04
"""How quickly the speed changes along the path, over gravity: a tenth of the walk's speed a step (first guess)."""
MOST_TURN_RAD = 0.7
"""Largest turn of the path over one step: hips turn no further (first guess; the walk stood in circles with 1.2)."""
STEP_GROWTH = 0.25
"""How much longer steps become over the way behind such a turn, and shorter before it (first guess)."""
LEAST_RADIUS_LEGS = 0.3
"""Radius over leg length to which sharper corners are rounded: with steps as short as this asks for, circles of 0.2 stood."""
MOST_ROUNDED_LEGS = 1.0
"""Corners are rounded to this radius over leg length at most: beyond it another way would be gone than is drawn."""
SLOWEST_FLYING = 0.33
"""Speed over sqrt(g l) that a gait with flight keeps in bends: slower ones stood on straights, and fell in tight bends."""
MARKED = 0.1
"""Peaks and lows of the speed along a path that stand out by this, over the speed wished for, are told."""
SPEED_GRID = 1.03
"""Ratio of the speeds that are gone at one after the other."""
GaitAt = Callable[[float, float | None, float], GaitVariables]
"""Gait variables at a speed [m/s], with a stride frequency [1/s] or the speed's own, under a gravity [m/s^2]."""


class Bends:
    """What the bends of a path allow legs of `leg_m`: a speed over sqrt(g), a step's length, at most `most_step_m`."""

    def __init__(self, path: Path, leg_m: float, most_step_m: float = math.inf) -> None:
        if isinstance(path, SampledLine):
            count = max(int(path.length / GRID_M), 1) + 1
            self._s = np.linspace(0.0, path.length, count)
            sharp = np.maximum(_highest(path, self._s, WINDOW_LEGS * leg_m), 1e-6)
        else:
            self._s, sharp = np.zeros(1), np.array([max(path.tightest[0], 1e-6)])
        self._square = _relaxed(MOST_CENTRIPETAL / sharp, self._s, 2.0 * BRAKING_G)
        self._step_m = _relaxed(np.minimum(MOST_TURN_RAD / sharp, most_step_m), self._s, STEP_GROWTH)

    def speed(self, s: float) -> float:
        """Speed over sqrt(g) [m^0.5] at a length."""
        return math.sqrt(float(np.interp(s, self._s, self._square)))

    def step_m(self, s: float) -> float:
        """Longest step [m] there."""
        return float(np.interp(s, self._s, self._step_m))


def _highest(path: SampledLine, s: np.ndarray, window_m: float) -> np.ndarray:
    """Largest curvature (N,) [1/m], without sign, within a window around lengths (N,)."""
    low, high = np.searchsorted(path.s, s - window_m), np.searchsorted(path.s, s + window_m, side="right")
    return np.array([np.abs(path.curvatures[a:max(b, a + 1)]).max() for a, b in zip(low, high, strict=True)])


def _relaxed(values: np.ndarray, s: np.ndarray, rate: float) -> np.ndarray:
    """Values (N,) cut so that they change along lengths (N,) by no more than a rate."""
    values = values.copy()
    for order in (range(len(values)), range(len(values) - 1, -1, -1)):
        for a, b in pairwise(order):
            values[b] = min(values[b], values[a] + rate * abs(s[b] - s[a]))
    return values


class Pacing:
    """Gait variables along a path by the law `gait_at`: those wished for, slower and shorter in bends, at least `slowest_m_s`."""

    def __init__(self, bends: Bends, gait_at: GaitAt, slowest_m_s: float = 0.0) -> None:
        self._bends, self._slowest = bends, slowest_m_s
        self._at = lru_cache(maxsize=256)(gait_at)

    def gait(self, wish: GaitVariables, s: float, gravity_m_s2: float) -> GaitVariables:
        """The gait for the step that begins at a length s [m], where `wish` is what would be gone on a straight."""
        step_m = self._bends.step_m(s)
        most = min(math.sqrt(gravity_m_s2) * self._bends.speed(s), 2.0 * wish.stride_frequency_hz * step_m)
        if most >= wish.speed_m_s and step_m >= 0.5 * wish.stride_length_m:
            return wish
        speed = min(max(_below(most), self._slowest), wish.speed_m_s)
        gait = self._at(speed, None, gravity_m_s2)
        if 0.5 * gait.stride_length_m <= step_m:
            return gait
        return self._at(speed, 0.5 * speed / _below(step_m), gravity_m_s2)


@dataclass(frozen=True)
class Way:
    """A path as a gait goes it, at its own speed without `pacing`; `footprints` are landings that are locked."""

    path: Path
    pacing: Pacing | None = None
    footprints: tuple[Footprint, ...] = ()

    def first(self, wish: GaitVariables, gravity_m_s2: float) -> GaitVariables:
        """The gait at the path's begin, where `wish` is that on a straight."""
        return wish if self.pacing is None else self.pacing.gait(wish, 0.0, gravity_m_s2)

    def print_lengths(self, wish: GaitVariables, gravity_m_s2: float) -> Callable[[int], float] | None:
        """Lengths of the path [m] at which footprints of a paced walk lie, by number; None where its steps are all alike."""
        if (pacing := self.pacing) is None:
            return None
        known = [0.0]

        def at(number: int) -> float:
            while len(known) <= number:
                known.append(known[-1] + 0.5 * pacing.gait(wish, known[-1], gravity_m_s2).stride_length_m)
            return known[number] if number >= 0 else 0.5 * number * pacing.gait(wish, 0.0, gravity_m_s2).stride_length_m

        return at


def way_s(way: Way, wish: GaitVariables, gravity_m_s2: float) -> float:
    """Time [s] to the end of a path at the gait's speed, or the bends'."""
    if way.pacing is None:
        return way.path.length / wish.speed_m_s
    s, time_s = 0.0, 0.0
    while s < way.path.length:
        gait = way.pacing.gait(wish, s, gravity_m_s2)
        s, time_s = s + 0.5 * gait.stride_length_m, time_s + 0.5 / gait.stride_frequency_hz
    return time_s


@dataclass(frozen=True)
class Along:
    """How fast a path is gone: length [m], least speed [m/s], and (x, y, speed) at the start and its lows and highs."""

    length_m: float
    slowest_m_s: float
    marks: tuple[tuple[float, float, float], ...]


def along(way: Way, wish: GaitVariables, gravity_m_s2: float) -> Along | None:
    """How fast a way with tight bends is gone; None for one that is gone at one speed."""
    if way.pacing is None:
        return None
    count = max(int(way.path.length / GRID_M), 1) + 1 if math.isfinite(way.path.length) else 1
    s = np.arange(count) * GRID_M
    speeds = np.array([way.pacing.gait(wish, x, gravity_m_s2).speed_m_s for x in s.tolist()])
    least = MARKED * wish.speed_m_s
    marked = sorted({0, *_turning_points(speeds, least), *_turning_points(-speeds, least)})
    marks = [(complex(way.path.point(float(s[i]))), float(speeds[i])) for i in marked]
    return Along(way.path.length, float(speeds.min()), tuple((place.real, place.imag, speed) for place, speed in marks))


def _turning_points(values: np.ndarray, least: float) -> list[int]:
    """Indices of the peaks of values (N,) that stand out by so much."""
    from scipy.signal import find_peaks  # loads for half a second, and only paths with tight bends need it

    return [int(i) for i in find_peaks(values, prominence=least, plateau_size=1)[0]]


def slowest_flying_m_s(gait: str | None, gravity_m_s2: float, leg_m: float) -> float:
    """Least speed [m/s] that a gait with flight is slowed down to in bends; None for one without a name."""
    known = None if gait is None else feasible_range(gait, gravity_m_s2, leg_m)
    least = SLOWEST_FLYING * math.sqrt(gravity_m_s2 * leg_m)
    return least if known is None else max(known[0], least)


def bent_way(path: Path, leg_m: float, gait_at: GaitAt, most_step_m: float = math.inf, slowest_m_s: float = 0.0,
             gravity_m_s2: float = EARTH_GRAVITY_M_S2) -> Way:
    """The way along a path that bends too tightly or is too short: steps no longer than `most_step_m`, too tight corners rounded.
    Raises InputError where that leaves the path for a gait no slower than `slowest_m_s`."""
    least = max(slowest_m_s**2 / (MOST_CENTRIPETAL * gravity_m_s2), LEAST_RADIUS_LEGS * leg_m)
    if path.tightest[0] * least > 1.0 and least > MOST_ROUNDED_LEGS * leg_m:
        raise InputError(f"The path has a turn of a radius of {1.0 / path.tightest[0]:.2f} m, and this gait needs {least:.2f} "
                         f"m: it goes no slower than {slowest_m_s:.2f} m/s here. Walk it, or widen the path.")
    if path.tightest[0] * least > 1.0:
        bare = path.path if isinstance(path, Laid) else path
        if isinstance(bare, Circle):
            wider = Circle(math.copysign(least, bare.radius_m), bare.heading_rad)
            path = replace(path, path=wider) if isinstance(path, Laid) else wider
        elif isinstance(path, SampledLine):
            path = rounded(path, least)
    return Way(path, Pacing(Bends(path, leg_m, most_step_m), gait_at, slowest_m_s))


def _below(value: float) -> float:
    """The next lower of values on a grid, so that the gait changes by small steps, and not at every one."""
    return SPEED_GRID ** math.floor(math.log(value) / math.log(SPEED_GRID))


def shot_path(shot: Shot, leg_length_m: float) -> Path:
    """The path of a shot for a body with that leg, from where it goes on. Raises InputError for an unknown path or gait."""
    legs = 0.0 if shot.motion.file else load_gait(shot.motion.name).circle_radius_legs
    path = make_path(shot.motion.path, legs * leg_length_m)
    return path if shot.motion.after is None else laid(path, shot.motion.after.place, math.radians(shot.motion.after.heading_deg))
