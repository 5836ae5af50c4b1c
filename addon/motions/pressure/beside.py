# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure that was measured while a clip was captured: when in the clip it begins, how its mat lay on the clip's ground, and the
same pressure on that ground."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ...errors import InputError
from .images import Pressure

LAG_STEP_S = 1.0 / 120.0
"""How finely lags are tried: a tenth of a mat's frame."""
LEAST_OVERLAP_S, LEAST_SHARE = 1.5, 0.6
"""Time that clip and pressure must have in common, and its share of the shorter one."""
LEAST_CORRELATION = 0.5
"""Of the forces, at the best lag: below it nobody can tell (people who only stand reach 0.35, motions 0.55)."""
APART_S = 0.3
"""Lags nearer to the best one are no other answer."""
MOST_CORRELATION = 0.999
ROUNDS, NEAR_M = 12, 0.01
"""Of the fit of places, and how near one is that counts whole."""
FINE = 4
"""Parts along each side that a cell is cut into when it is turned."""


@dataclass(frozen=True)
class Lag:
    """When in the clip the first frame of pressure is [s], how well the forces agree then (correlation), and at the next best
    time that is another one."""

    start_s: float
    correlation: float
    next_best: float


@dataclass(frozen=True, eq=False)
class Lie:
    """How a mat lies on a clip's ground: turned by so much about the upward axis [rad], then moved (2,) [m]; and how far places
    are off then, in the middle (median) [m]."""

    turn_rad: float
    shift_m: np.ndarray
    off_m: float

    def placed(self, places_m: np.ndarray) -> np.ndarray:
        """Places (..., 2) of the mat on the ground."""
        return places_m @ _turn(self.turn_rad).T + self.shift_m


def window_means(values: np.ndarray, step_s: float, begins_s: np.ndarray, lasts_s: float) -> np.ndarray:
    """Means of values (T, ...), `step_s` apart from 0 on, over windows (K,) that begin at those times; the last value stays."""
    flat = values.reshape(len(values), -1)
    whole = np.concatenate([np.zeros((1, flat.shape[1])), np.cumsum(flat, axis=0)]) * step_s
    at = np.arange(len(whole)) * step_s
    ends = [np.stack([np.interp(begins_s + more, at, column) for column in whole.T], axis=-1) for more in (0.0, lasts_s)]
    return ((ends[1] - ends[0]) / lasts_s).reshape(len(begins_s), *values.shape[1:])


def best_lag(felt: np.ndarray, rate_hz: float, expected_n: np.ndarray, step_s: float, what: str) -> Lag:
    """When pressure, whose force is `felt` (K,) in any unit, begins in a clip with the vertical force `expected_n` (T,): the time
    at which both agree best, the longer they agree the better (Fisher's transform of the correlation over its deviation).

    Raises InputError, naming the pressure by `what`, where they have too little time in common, or agree nowhere."""
    lasts_s = (len(expected_n) - 1) * step_s
    window_s, frames = 1.0 / rate_hz, np.arange(len(felt)) / rate_hz
    least = max(LEAST_OVERLAP_S, LEAST_SHARE * min(len(felt) / rate_hz, lasts_s)) * rate_hz
    lags = np.arange(-len(felt) / rate_hz + LEAST_OVERLAP_S, lasts_s - LEAST_OVERLAP_S + LAG_STEP_S, LAG_STEP_S)
    found = np.full((2, len(lags)), -np.inf)
    for i, lag in enumerate(lags):
        inside = (frames + lag > -1e-9) & (frames + lag + window_s < lasts_s + 1e-9)
        if inside.sum() >= least:
            agree = _correlation(felt[inside], window_means(expected_n, step_s, frames[inside] + lag, window_s))
            found[:, i] = agree, math.atanh(min(agree, MOST_CORRELATION)) * math.sqrt(float(inside.sum()))
    if not np.isfinite(found).any():
        raise InputError(f"{what} and its clip have less than {least / rate_hz:.1f} s in common: it lasts "
                         f"{len(felt) / rate_hz:.1f} s, the clip {lasts_s:.1f} s. Record both at once.")
    best = int(found[1].argmax())
    other = np.where(np.abs(lags - lags[best]) > APART_S, found[1], -np.inf)
    lag = Lag(round(float(lags[best]), 4), float(found[0, best]), max(float(found[0, int(other.argmax())]), 0.0))
    if lag.correlation < LEAST_CORRELATION:
        raise InputError(f"Nobody can tell when in its clip {what} begins: at the best time, {lag.start_s:.2f} s, its force and "
                         f"that of the clip's motion have a correlation of {lag.correlation:.2f}, under {LEAST_CORRELATION:g}. "
                         "Say it (`# start_s`, or `starts_s` in the list of motions), or see whether it is of that clip.")
    return lag


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    """Pearson's; 0 where nothing changes."""
    a, b = one - one.mean(), other - other.mean()
    size = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / size if size > 0.0 else 0.0


def lie_of(mat_m: np.ndarray, ground_m: np.ndarray) -> Lie:
    """The turn and the shift that bring places on the mat (N, 2) nearest to places on the ground (N, 2), N at least 2. Single
    places that are far off, such as a foot taken for the other one, count less: what is least is the sum of the distances."""
    weights = np.ones(len(mat_m))
    for _ in range(ROUNDS):
        lie = _fit(mat_m, ground_m, weights)
        off = np.linalg.norm(lie.placed(mat_m) - ground_m, axis=1)
        weights = 1.0 / np.maximum(off, NEAR_M)
    return Lie(lie.turn_rad, lie.shift_m, float(np.median(off)))


def _fit(mat_m: np.ndarray, ground_m: np.ndarray, weights: np.ndarray) -> Lie:
    """The same by least squares (Kabsch 1976, in a plane)."""
    shares = weights / weights.sum()
    middle, goal = shares @ mat_m, shares @ ground_m
    a, b = mat_m - middle, ground_m - goal
    turn = math.atan2(float(shares @ (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])), float(shares @ (a * b).sum(axis=1)))
    shift = goal - _turn(turn) @ middle
    return Lie(turn, shift, 0.0)


def on_ground(pressure: Pressure, lie: Lie) -> Pressure:
    """A mat's pressure on the ground that it lies on, in cells along the ground's axes. Each cell is cut into small ones, each of
    which goes whole to where it lies: neither the force nor, within a small one's width, its centre change."""
    rows, columns = pressure.rows_m, pressure.columns_m
    part = (np.arange(FINE) + 0.5) / FINE - 0.5
    fine = np.stack(np.meshgrid((rows[:, None] + part * pressure.pitch_m[0]).ravel(),
                                (columns[:, None] + part * pressure.pitch_m[1]).ravel(), indexing="ij"), axis=-1)
    places = lie.placed(fine)
    pitch = np.array(pressure.pitch_m)
    low = places.reshape(-1, 2).min(axis=0)
    at = np.floor((places - low) / pitch).astype(int)
    shape = at.reshape(-1, 2).max(axis=0) + 1
    cell = (at[..., 0] * shape[1] + at[..., 1]).reshape(len(rows), FINE, len(columns), FINE)
    into = cell.transpose(0, 2, 1, 3).reshape(len(rows) * len(columns), -1)
    images = np.zeros((len(pressure), shape[0] * shape[1]))
    flat = pressure.images.reshape(len(pressure), -1) / FINE**2
    for column in into.T:
        order = np.argsort(column, kind="stable")
        goal, first = np.unique(column[order], return_index=True)
        images[:, goal] += np.add.reduceat(flat[:, order], first, axis=1)
    origin = low + 0.5 * pitch
    return replace(pressure, images=images.reshape(len(pressure), *shape), origin_m=(float(origin[0]), float(origin[1])))


def _turn(angle_rad: float) -> np.ndarray:
    return np.array([[math.cos(angle_rad), -math.sin(angle_rad)], [math.sin(angle_rad), math.cos(angle_rad)]])
