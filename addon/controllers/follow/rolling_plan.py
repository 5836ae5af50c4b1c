# SPDX-License-Identifier: GPL-3.0-or-later
"""The centre of mass of a stream, planned anew from where the running plan is: the least squares of `com_plan.py` over a window
that begins now, in the running plan's place and with its velocity, quick enough for a body that is steered while it walks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.linalg import solveh_banded

from ..tracking.planners.foot_geometry import FootGeometry
from .clip import FollowedClip
from .com_plan import BALLISTIC_WEIGHT, LEAST_FORCE, MOST_FORCE, NODE_EVERY, ComPlan, bounded_height
from .divergence import divergence
from .height_plan import plan_height
from .momentum import shift_of
from .pressure import pressure_wish
from .prints import Prints
from .schedule import Schedule, flights
from .settings import PlanSettings

PASSES = 2
"""Rounds in which the pressure between two standing feet is taken from the solution before; the last plan is near already."""
PINNED = 3
"""Nodes that go on from the running plan by its place, velocity and acceleration."""
PIN_WEIGHT = 1e9
"""Far more than what pulls at them: pivots of nodes so close have coefficients of 1e3."""
HEIGHT_FADE_S = 0.3
"""Time over which the height comes from the running plan's to the window's own."""
BANDS = 4


class Running(NamedTuple):
    """Where a plan is now: place, velocity and acceleration (x + iy), height and its rate, in metres and clip seconds."""

    place: complex
    velocity: complex
    pull: complex
    height: float
    rising: float


def running(com: ComPlan, time_s: float, moved: complex = 0j) -> Running:
    """Where a plan is at a time that is moved over the ground (x + iy [m])."""
    now = com.at(time_s)
    return Running(now.place + moved, now.velocity, complex(com.place(time_s, 2)), now.height, now.rising)


def roll_com(
    window: FollowedClip, momentum: np.ndarray, schedule: Schedule, prints: Prints, geometry: FootGeometry, gravity: float,
    settings: PlanSettings, now: Running | None, omega: float | None,
) -> ComPlan:
    """The centre of mass over a window of a stream, whose angular momentum over mass is (N, 3), from where it is `now` on; at a
    stream's begin there is no running plan and no pendulum's rate `omega`, which stays the stream's."""
    rows = slice(None, None, NODE_EVERY)
    times, step = window.times_s[rows], NODE_EVERY * window.step_s
    in_air = [span for span in flights(schedule) if span[1] > times[0] and span[0] < times[-1]]
    height = plan_height(window, in_air, gravity) if in_air else bounded_height(window, gravity, settings)
    if now is not None:
        height = _from_now(height, times, now)
    if omega is None:
        omega = float(np.sqrt(gravity / height(times).mean()))
    place = window.com_m[rows, 0] + 1j * window.com_m[rows, 1]
    shift = shift_of(momentum, window.step_s, gravity, settings.pivot_m)[rows]
    most = MOST_FORCE if in_air else settings.height_acceleration
    rising = np.clip(height(times, 2), max(-most, LEAST_FORCE - 1.0) * gravity, most * gravity)
    square = (gravity + rising) / height(times)
    wish = pressure_wish(window, schedule, prints, geometry, times, step, place, settings)
    pressure = wish.pressure
    squares = _Squares(place, wish.weight, square, wish.aloft, step, settings, now)
    for _ in range(PASSES):
        found = squares.solve(wish.wanted(pressure) + shift)
        if not wish.settled.any():
            break
        pressure = found - _second(found, step) / square - shift
    growing = divergence(times, height, wish.aloft, gravity, omega) if in_air else None
    ends = "not-a-knot" if now is None else ((1, now.velocity), (2, 0.0))
    return ComPlan(CubicSpline(times, found, bc_type=ends), height, CubicSpline(times, shift), omega, gravity, growing)


def _from_now(height: CubicSpline, times: np.ndarray, now: Running) -> CubicSpline:
    """A height that begins in the running plan's, and comes to its own within `HEIGHT_FADE_S`."""
    share = np.clip((times - times[0]) / HEIGHT_FADE_S, 0.0, 1.0)
    away, rate = now.height - float(height(times[0])), now.rising - float(height(times[0], 1))
    values = height(times) + away * (1.0 - share**2 * (3.0 - 2.0 * share)) + rate * HEIGHT_FADE_S * share * (1.0 - share) ** 2
    return CubicSpline(times, values, bc_type=((1, now.rising), (2, 0.0)))


def _second(values: np.ndarray, step: float) -> np.ndarray:
    """Second differences (K,), those of the ends their neighbours'."""
    inner = (values[2:] - 2.0 * values[1:-1] + values[:-2]) / step**2
    return np.concatenate([inner[:1], inner, inner[-1:]])


class _Squares:
    """The least squares of `com_plan`, summed up band by band once for all that is wanted of the pivots."""

    def __init__(
        self, place: np.ndarray, weight: np.ndarray, square: np.ndarray, flying: np.ndarray, step: float, settings: PlanSettings,
        now: Running | None,
    ) -> None:
        count = len(place)
        self._bands, self._right = np.zeros((BANDS + 1, count)), np.zeros(count, dtype=complex)
        self._add(np.ones((count, 1)), 0, np.where(flying, 1e-4, 1.0) * settings.com_weight, place)
        bend = 1.0 / (step**2 * square[1:-1])
        self._pivots = np.stack([-bend, 1.0 + 2.0 * bend, -bend], axis=1)
        self._weight = weight[1:-1]
        self._add(self._pivots, 0, self._weight, np.zeros(count - 2))
        before, own, after = self._pivots[:-2], self._pivots[1:-1], self._pivots[2:]
        rough = np.zeros((count - 4, 5))
        rough[:, :3] += before
        rough[:, 1:4] -= 2.0 * own
        rough[:, 2:] += after
        self._add(rough / step**2, 0, np.full(count - 4, settings.smooth_weight), np.zeros(count - 4))
        self._add(np.tile([1.0, -2.0, 1.0], (count - 2, 1)) / step**2, 0, BALLISTIC_WEIGHT * flying[1:-1], np.zeros(count - 2))
        if now is not None:
            ahead = step * np.arange(PINNED)
            self._add(np.ones((PINNED, 1)), 0, np.full(PINNED, PIN_WEIGHT),
                      now.place + ahead * now.velocity + 0.5 * ahead**2 * now.pull)

    def _add(self, rows: np.ndarray, first: int, weight: np.ndarray, wanted: np.ndarray) -> None:
        """Add rows (R, m), of which each stands one column further than the one before, the first at column `first`."""
        count, width = rows.shape
        for p in range(width):
            for q in range(p, width):
                self._bands[BANDS - (q - p), first + q:first + q + count] += weight * rows[:, p] * rows[:, q]
        self._right += self._sums(rows, first, weight, wanted)

    def _sums(self, rows: np.ndarray, first: int, weight: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        found = np.zeros(len(self._right), dtype=complex)
        for p in range(rows.shape[1]):
            found[first + p:first + p + len(rows)] += weight * rows[:, p] * wanted
        return found

    def solve(self, pivots: np.ndarray) -> np.ndarray:
        """Places (K,) with pivots near those wanted (K,)."""
        right = self._right + self._sums(self._pivots, 0, self._weight, pivots[1:-1])
        found = solveh_banded(self._bands, np.column_stack([right.real, right.imag]))
        return found[:, 0] + 1j * found[:, 1]

