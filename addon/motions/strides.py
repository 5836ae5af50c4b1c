# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole strides of a clip: found from its contacts, the unsteady ones left out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..bodies.human.landmarks import SIDES
from ..errors import ClipError
from ..maths.curves import basis_at, runs
from ..maths.rotations import quat_conjugate, quat_multiply, rotvec_from_quat
from .retarget import Motion, speeds

LEGS = ("hip_L", "hip_R", "knee_L", "knee_R")
"""Angles by which steps are compared."""
SLOWEST_HZ, FASTEST_HZ = 0.25, 2.5
MOST_CYCLES, LEAST_CYCLES = 7.0, 1.5
"""The thesis has 3 to 7 cycles."""
STEADY_RAD = math.radians(4.0)
"""Root mean square over both legs between a stretch and its mean cycle up to which the longest one is taken; else the steadiest
of the shortest, up to `UNSTEADY_RAD`."""
UNSTEADY_RAD = math.radians(12.0)
COARSE, HARMONICS = 4, 8
"""Harmonics with which stretches are compared, and which a curve has at most."""
BEGINNINGS = 8
"""So many beginnings are tried in a cycle."""
PERIODS = np.linspace(0.85, 1.15, 31)
LEAST_SWING_RAD = math.radians(3.0)


@dataclass(frozen=True)
class Stretch:
    start_s: float
    period_s: float
    cycles: float
    frame_time_s: float

    @property
    def rows(self) -> slice:
        first = round(self.start_s / self.frame_time_s)
        return slice(first, first + round(self.cycles * self.period_s / self.frame_time_s) + 1)

    @property
    def since_s(self) -> np.ndarray:
        """Times (T,) [s] of its frames from its beginning."""
        return np.arange(self.rows.stop - self.rows.start) * self.frame_time_s

    @property
    def since_middle_s(self) -> np.ndarray:
        """Times (T,) [s] of its frames from its middle."""
        return self.since_s - 0.5 * float(self.since_s[-1])

    @property
    def phases(self) -> np.ndarray:
        """Cycles (T,) since its beginning."""
        return self.since_s / self.period_s


def primary_period(values: np.ndarray, frame_time_s: float, path: str) -> float:
    """The period [s] of the primary frequency of an angle (T,): of the largest part of its spectrum. """
    moved = values - values.mean()
    if np.std(moved) < LEAST_SWING_RAD:
        raise ClipError(f"{path} has no steps: the right thigh swings by {np.degrees(np.ptp(values)):.0f} degrees. A gait "
                        "needs a clip of like steps.")
    size = 16 * len(values)
    power = np.abs(np.fft.rfft(moved * np.hanning(len(values)), size))
    hz = np.fft.rfftfreq(size, frame_time_s)
    power[(hz < max(SLOWEST_HZ, 1.0 / (len(values) * frame_time_s))) | (hz > FASTEST_HZ)] = 0.0
    return float(1.0 / hz[np.argmax(power)])


def steadiest(legs: np.ndarray, which: int, frame_time_s: float, path: str) -> Stretch:
    """The longest stretch of a clip, of up to seven cycles, in which the angles (T, 4) of both legs repeat. `which` of them
    tells the frequency. Raises ClipError where there is none."""
    period, lasts = primary_period(legs[:, which], frame_time_s, path), (len(legs) - 1) * frame_time_s
    most = min(MOST_CYCLES, math.floor(2.0 * lasts / period) / 2.0)
    if most < LEAST_CYCLES:
        raise ClipError(f"{path} is too short: its {lasts:.1f} s hold {lasts / period:.1f} cycles of {period:.2f} s, and a "
                        f"gait needs {LEAST_CYCLES:g}, better three or more.")
    best = None
    for cycles in np.arange(most, LEAST_CYCLES - 0.25, -0.5):
        starts = np.arange(0.0, lasts - cycles * period + 1e-9, period / BEGINNINGS)
        error, found = min((_refined(legs, Stretch(float(start), period, float(cycles), frame_time_s)) for start in starts),
                           key=lambda one: one[0], default=(math.inf, None))
        if found is not None and (best is None or error < best[0]):
            best = error, found
        if error < STEADY_RAD:
            break
    if best is None or best[0] > UNSTEADY_RAD:
        told = math.degrees(math.inf if best is None else best[0])
        raise ClipError(f"{path} has no like steps: its legs are {told:.0f} degrees off their mean cycle of {period:.2f} s at "
                        f"best (expected at most {math.degrees(UNSTEADY_RAD):.0f}).")
    return best[1]


def _refined(legs: np.ndarray, stretch: Stretch) -> tuple[float, Stretch | None]:
    """The stretch with the period near its own at which the legs repeat best, and how well."""
    best: tuple[float, Stretch | None] = (math.inf, None)
    for factor in PERIODS:
        one = Stretch(stretch.start_s, stretch.period_s * float(factor), stretch.cycles, stretch.frame_time_s)
        if one.rows.stop > len(legs):
            continue
        basis = basis_at(one.phases, COARSE)
        part = legs[one.rows]
        error = float(np.sqrt(np.mean(np.square(part - basis @ np.linalg.lstsq(basis, part, rcond=None)[0]))))
        if error < best[0]:
            best = error, one
    return best


def drifting(values: np.ndarray, stretch: Stretch) -> np.ndarray:
    """The mean at the stretch's middle and the drift a second (2, ...) of values (T, ...) that swing about it with the cycle."""
    basis = np.column_stack([basis_at(stretch.phases, COARSE), stretch.since_middle_s])
    return np.linalg.lstsq(basis, values, rcond=None)[0][[0, -1]]


def fitted(values: np.ndarray, phases: np.ndarray, accuracy_rad: float) -> np.ndarray:
    """Coefficients (2 H + 1,) of values (T,): of all that fit best, the largest, as many as leave out less than the accuracy."""
    basis = basis_at(phases, HARMONICS)
    all_ = np.linalg.lstsq(basis, values, rcond=1e-6)[0]
    sizes = np.hypot(all_[1:HARMONICS + 1], all_[HARMONICS + 1:])
    kept = np.zeros(HARMONICS, dtype=bool)
    for k in np.argsort(-sizes):
        if math.sqrt(0.5 * float(np.square(sizes[~kept]).sum())) < accuracy_rad:
            break
        kept[k] = True
    most = int(np.flatnonzero(kept).max(initial=-1)) + 1
    chosen = np.tile(kept[:most], 2)
    basis = basis_at(phases, most)[:, np.r_[True, chosen]]
    found = np.zeros(2 * most + 1)
    found[np.r_[True, chosen]] = np.linalg.lstsq(basis, values, rcond=None)[0]
    return found


LOW_PER_LEG = 0.035  # a point this near the ground may be touching it ...
SLOW_M_S, SLOW_SHARE = 0.40, 0.45  # ... if it is slower than this, or than this share of the figure's own speed
GAP_S = 0.07  # shorter gaps in a contact are noise
BOUT_S = 0.10  # shorter contacts are noise


@dataclass(frozen=True)
class Contact:
    """One stance of one foot: times [s]; not a number where the clip begins or ends within the stance. A foot whose heel never
    touches has `flat_s` = `strike_s` and `heel_off_s` = `strike_s`."""

    side: str
    strike_s: float
    flat_s: float
    heel_off_s: float
    toe_off_s: float


def find_contacts(motion: Motion) -> list[Contact]:
    """All stances of both feet, in order of their strikes; those already under way at the first frame come first."""
    points = motion.sole_points()
    travel = float(np.median(speeds(motion.root_position * [1.0, 1.0, 0.0], motion.frame_time_s)))
    slow = max(SLOW_M_S, SLOW_SHARE * travel)
    low = LOW_PER_LEG * motion.skeleton.leg_length_m
    found = []
    for i, side in enumerate(SIDES):
        excess = {part: _excess(motion, points, i, side, part, low, slow) for part in ("heel", "ball", "toe")}
        found += _stances(side, excess, motion.frame_time_s)
    return sorted(found, key=lambda c: c.strike_s if np.isfinite(c.strike_s) else -1.0)


def _excess(motion: Motion, points: np.ndarray, foot: int, side: str, part: str, low: float, slow: float) -> np.ndarray:
    """(T,) Height or speed of a part of a foot over its threshold, whichever is more; below 1 the part touches."""
    rows = [k for k, p in enumerate(motion.body.contact_points) if p.side == side and p.kind == part]
    places = points[:, rows].mean(axis=1)
    height = points[:, rows, 2].min(axis=1)
    resting = motion.resting[:, foot]
    if resting.any():
        height = height - np.median(height[resting])
    return np.maximum(height / low, speeds(places, motion.frame_time_s) / slow)


def _stances(side: str, excess: dict[str, np.ndarray], dt: float) -> list[Contact]:
    foot = np.minimum.reduce(list(excess.values()))
    stances = []
    for start, end in _bouts(foot < 1.0, dt):
        strike = _crossing(foot, start, dt) if start > 0 else np.nan
        off = _crossing(foot, end, dt) if end < len(foot) else np.nan
        heel = np.flatnonzero(excess["heel"][start:end] < 1.0) + start
        ball = np.flatnonzero(np.minimum(excess["ball"], excess["toe"])[start:end] < 1.0) + start
        if len(heel) and len(ball):
            both = max(heel[0], ball[0])
            later = excess["heel"] if heel[0] > ball[0] else np.minimum(excess["ball"], excess["toe"])
            flat = strike if both == start else _crossing(later, both, dt)
            heel_off = off if heel[-1] == end - 1 else _crossing(excess["heel"], heel[-1] + 1, dt)
        else:
            flat = heel_off = strike
        stances.append(Contact(side, strike, flat, max(heel_off, flat) if np.isfinite(flat) else heel_off, off))
    return stances


def _bouts(touching: np.ndarray, dt: float) -> list[tuple[int, int]]:
    """Frame ranges [start, end) of contact, short gaps closed, short contacts dropped."""
    bouts: list[list[int]] = []
    for start, end in runs(touching):
        if bouts and (start - bouts[-1][1]) * dt < GAP_S:
            bouts[-1][1] = end
        else:
            bouts.append([int(start), int(end)])
    return [(s, e) for s, e in bouts if (e - s) * dt >= BOUT_S or s == 0 or e == len(touching)]


def _crossing(excess: np.ndarray, frame: int, dt: float) -> float:
    """Time [s] at which `excess` passes 1 between frame - 1 and `frame`."""
    before, after = excess[frame - 1] - 1.0, excess[frame] - 1.0
    share = before / (before - after) if before * after < 0.0 else 0.5
    return float((frame - 1 + share) * dt)


OPPOSITE_RANGE = (0.32, 0.68)  # the other foot lands about half way; hops and gallops do not
SLOWEST_SHARE = 0.75  # strides slower than this share of the steady speed start or stop the walk
DURATION_SPREAD = 0.2  # a stride this much longer or shorter than the usual one is no repetition
MISMATCH_RAD = np.radians(13.0)  # root mean square over the legs' joints between a stride's two ends
MIN_SPEED_M_S = 0.15
LEAST_SHARE_OF_TRAVEL = 0.6  # strides slower than this share of the clip's mean speed are not what it shows
LEG_SEGMENTS = ("thigh", "shank", "foot")


class NotCyclic(ClipError):
    """A clip steps along, but none of its strides ends as it began."""


@dataclass(frozen=True)
class Stride:
    """From one strike of a foot to its next. `opposite` is the other foot's strike as a fraction of the stride."""

    side: str
    start_s: float
    end_s: float
    opposite: float
    speed_m_s: float
    mismatch_rad: float

    @property
    def duration_s(self) -> float:
        return self.end_s - self.start_s


def find_strides(motion: Motion, contacts: list[Contact] | None = None) -> list[Stride]:
    """The steady strides of a clip, in order of time. Raises ClipError where there are none, saying why."""
    contacts = find_contacts(motion) if contacts is None else contacts
    path = motion.clip.path
    strikes = {side: [c.strike_s for c in contacts if c.side == side and np.isfinite(c.strike_s)] for side in "LR"}
    counted = (f"the left foot lands {len(strikes['L'])} times, the right {len(strikes['R'])} times in "
               f"{motion.clip.duration_s:.1f} s")
    if not strikes["L"] or not strikes["R"]:
        raise ClipError(f"{path} has no steps: {counted}. A gait needs a clip of walking or running.")
    if max(len(s) for s in strikes.values()) < 2:
        raise ClipError(f"{path} is too short: {counted}, and a stride needs two landings of the same foot. Use a longer "
                        "clip.")
    whole = _candidates(motion, strikes)
    if not whole:
        raise ClipError(f"{path} is no walk or run: the feet do not land in turn ({counted}).")
    fast = [s for s in whole if s.speed_m_s > MIN_SPEED_M_S]
    if not fast:
        raise ClipError(f"{path} steps on the spot: its fastest stride travels at {max(s.speed_m_s for s in whole):.2f} m/s."
                        " A gait needs a clip that gets somewhere.")
    alike = [s for s in fast if s.mismatch_rad < MISMATCH_RAD]
    if not alike:
        least = np.degrees(min(s.mismatch_rad for s in fast))
        raise NotCyclic(f"{path} is not cyclic: between start and end of its most regular stride the leg joints differ by "
                        f"{least:.0f} degrees (expected at most {np.degrees(MISMATCH_RAD):.0f}).")
    steady = float(np.median(sorted((s.speed_m_s for s in alike), reverse=True)[: (len(alike) + 1) // 2]))
    if steady < LEAST_SHARE_OF_TRAVEL * travel_speed(motion):
        raise ClipError(f"{path} is not cyclic: its only regular strides travel at {steady:.2f} m/s, but the figure moves "
                        f"at {travel_speed(motion):.2f} m/s on average.")
    kept = [s for s in alike if s.speed_m_s >= SLOWEST_SHARE * steady]
    usual = float(np.median([s.duration_s for s in kept]))
    return [s for s in kept if abs(s.duration_s / usual - 1.0) < DURATION_SPREAD]


def travel_speed(motion: Motion) -> float:
    """Mean speed of the pelvis along its path [m/s], its sway smoothed away over half a second."""
    width = max(1, min(motion.clip.frames // 2, round(0.5 / motion.frame_time_s)))
    kernel = np.ones(width) / width
    path = np.column_stack([np.convolve(motion.root_position[:, k], kernel, mode="valid") for k in (0, 1)])
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum() / ((len(path) - 1) * motion.frame_time_s))


def _candidates(motion: Motion, strikes: dict[str, list[float]]) -> list[Stride]:
    found = []
    for side, other in (("L", "R"), ("R", "L")):
        for start, end in zip(strikes[side], strikes[side][1:], strict=False):
            inside = [t for t in strikes[other] if start < t < end]
            if len(inside) != 1:
                continue
            opposite = (inside[0] - start) / (end - start)
            if OPPOSITE_RANGE[0] <= opposite <= OPPOSITE_RANGE[1]:
                found.append(Stride(side, start, end, opposite, _speed(motion, start, end), _mismatch(motion, start, end)))
    return sorted(found, key=lambda s: s.start_s)


def _at(values: np.ndarray, time_s: float, frame_time_s: float) -> np.ndarray:
    """Rows of `values` (T, ...) interpolated at a time."""
    place = np.clip(time_s / frame_time_s, 0.0, len(values) - 1.0)
    i = min(int(place), len(values) - 2)
    return values[i] + (place - i) * (values[i + 1] - values[i])


def _speed(motion: Motion, start: float, end: float) -> float:
    """Way along the path over time [m/s], taken in halves so that the body's sway does not lengthen it."""
    places = np.array([_at(motion.root_position, t, motion.frame_time_s)[:2] for t in np.linspace(start, end, 3)])
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum() / (end - start))


def _mismatch(motion: Motion, start: float, end: float) -> float:
    """Root mean square angle [rad] of the leg joints between two times."""
    rows = [i for i, name in enumerate(motion.body.joint_segments) if name[:-2] in LEG_SEGMENTS]
    a, b = (_at(motion.joint_quaternions[:, rows], t, motion.frame_time_s) for t in (start, end))
    a, b = (q / np.linalg.norm(q, axis=-1, keepdims=True) for q in (a, b))
    angles = np.linalg.norm(rotvec_from_quat(quat_multiply(quat_conjugate(a), b)), axis=-1)
    return float(np.sqrt(np.mean(angles**2)))


FOREVER_S = 1e6
"""Time of a stance's end that is not shown."""


@dataclass(frozen=True)
class Stance:
    """One stance of one foot [clip s]; `-FOREVER_S` and `FOREVER_S` where it is under way at the ends of what is shown."""

    side: str
    strike_s: float
    flat_s: float
    heel_off_s: float
    off_s: float
