# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of a clip in which steps are alike: its period, from the primary frequency of one hip, and where it is steadiest."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..errors import ClipError
from ..maths.periodic import basis_at

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
    """Frames of a clip in which steps are alike."""

    start_s: float
    period_s: float
    cycles: float
    frame_time_s: float

    @property
    def rows(self) -> slice:
        """Its frames."""
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
    """The period [s] of the primary frequency of an angle (T,): of the largest part of its spectrum. Raises ClipError for one
    that hardly moves."""
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
