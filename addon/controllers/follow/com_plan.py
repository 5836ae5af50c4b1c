# SPDX-License-Identifier: GPL-3.0-or-later
"""The centre of mass that goes with a clip's own steps: near the clip's, and with the centre of pressure under the feet that
stand.

The clip's own, differentiated twice, asks for a centre of pressure 5 to 25 cm off the standing foot. A linear least squares over
nodes in time finds one that moves a few centimetres from it and asks for a pressure on the foot's line: with the pivot
p = c - c'' / omega^2 and omega^2 = (g + z'') / z (Popovic, Goswami and Herr 2005), in flight c'' = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d
from scipy.sparse import diags, identity, vstack

from ..tracking.planners.foot_geometry import FootGeometry
from .clip import FollowedClip
from .divergence import Divergence, divergence
from .height_plan import plan_height, second_differences, solve_banded
from .known_push import KnownPush, chest_height, pushing
from .momentum import pivot_shift
from .pressure import pressure_wish
from .prints import Prints
from .schedule import Schedule, flights
from .settings import PlanSettings

NODE_EVERY = 2
"""Samples of the clip from node to node: 60 a second."""
PASSES = 6
"""Rounds in which the pressure between two standing feet is taken from the solution before."""
BALLISTIC_WEIGHT = 1e-2
"""Weight of horizontal acceleration in flight: it wins over all that pulls there."""
STEP_SMOOTHING_S = 0.25
"""Low-pass of the height that leaves no rise and fall of a step."""
LEAST_FORCE, MOST_FORCE = 0.2, 3.0
"""Least vertical force over the weight, and most acceleration over gravity, that a clip with flights is taken to have on the
ground: less is the capture's noise about a landing."""


class Moment(NamedTuple):
    """The plan at one time: place, velocity, capture point, pivot and its shift from the pressure (x + iy), height, its rate and
    second derivative; in metres and seconds of the clip."""

    place: complex
    velocity: complex
    capture: complex
    pivot: complex
    shift: complex
    height: float
    rising: float
    bend: float


@dataclass(frozen=True)
class ComPlan:
    """Splines over the clip's time: `place` (x + iy [m]) and `height` [m] of the centre of mass, `shift` of the centroidal moment
    pivot from the centre of pressure, what a known push adds to it included; `omega` [1 / clip s] is the pendulum's rate, one for
    the whole clip, and `gravity` that in the clip's time [m / clip s^2]. Of a clip that flies pivot and capture point go with the
    force at every moment, in a jump far from the weight (`diverging`); else with that one rate, as the noise of the height would
    go into it."""

    place: CubicSpline
    height: CubicSpline
    shift: CubicSpline
    omega: float
    gravity: float
    diverging: Divergence | None = None

    @property
    def flies(self) -> bool:
        """Whether the clip has flights."""
        return self.diverging is not None

    def lead_s(self, time_s: float) -> float:
        """How far ahead of the centre of mass its capture point is, over the velocity [clip s]."""
        return 1.0 / self.omega if self.diverging is None else self.diverging.lead(time_s)

    def grown(self, start_s: float, end_s: float) -> float:
        """By the exponential of how much an error of the capture point grows from one time to another."""
        return self.omega * (end_s - start_s) if self.diverging is None else self.diverging.grown(start_s, end_s)

    def pivot(self, times: np.ndarray) -> np.ndarray:
        """Centroidal moment pivot (...,) at times (...,)."""
        square = self.omega**2
        if self.flies:
            square = np.maximum(self.gravity + self.height(times, 2), LEAST_FORCE * self.gravity) / self.height(times)
        return self.place(times) - self.place(times, 2) / square

    @cached_property
    def _pieces(self) -> list[list[list[float]]]:
        """The polynomials of place (x, y), height and shift (x, y), node by node, the highest power first."""
        parts = [self.place.c.real, self.place.c.imag, self.height_pieces, self.shift.c.real, self.shift.c.imag]
        return np.stack(parts, axis=2).transpose(1, 2, 0).tolist()

    @property
    def height_pieces(self) -> np.ndarray:
        """The height's polynomials (4, K - 1) on the nodes of the place."""
        if len(self.height.x) == len(self.place.x):
            return self.height.c
        return CubicSpline(self.place.x, self.height(self.place.x)).c

    @cached_property
    def _level(self) -> np.ndarray:
        """The height at the nodes without its rise and fall in every step [m]."""
        nodes = self.place.x
        return gaussian_filter1d(self.height(nodes), STEP_SMOOTHING_S / (nodes[1] - nodes[0]), mode="nearest")

    def level(self, time_s: float) -> float:
        """Height without its rise and fall in every step [m]."""
        return float(np.interp(time_s, self.place.x, self._level))

    def at(self, time_s: float) -> Moment:
        """The plan at one time, without an array: a plan step asks for all of it at once."""
        nodes, start = self._pieces, float(self.place.x[0])
        step = float(self.place.x[1]) - start
        row = min(max(int((time_s - start) / step), 0), len(nodes) - 1)
        u = time_s - start - row * step
        (x, y, z, sx, sy) = nodes[row]
        value = [((a * u + b) * u + c) * u + d for a, b, c, d in (x, y, z, sx, sy)]
        rate = [(3.0 * a * u + 2.0 * b) * u + c for a, b, c, _ in (x, y, z)]
        second = [6.0 * a * u + 2.0 * b for a, b, _, _ in (x, y, z)]
        place, pull = complex(value[0], value[1]), complex(second[0], second[1])
        velocity = complex(rate[0], rate[1])
        square, capture = self.omega**2, place + velocity / self.omega
        if self.diverging is not None:
            square = max(self.gravity + second[2], LEAST_FORCE * self.gravity) / value[2]
            capture = place + velocity * self.diverging.lead(time_s)
        return Moment(place, velocity, capture, place - pull / square, complex(value[3], value[4]),
                      value[2], rate[2], second[2])

    def capture(self, times: np.ndarray) -> np.ndarray:
        """Capture point (...,) at times (...,)."""
        return self.place(times) + self.place(times, 1) / self.omega


def plan_com(
    clip: FollowedClip, schedule: Schedule, prints: Prints, geometry: FootGeometry, gravity: float, settings: PlanSettings,
    quicker: float = 1.0, pushes: Sequence[KnownPush] = (),
) -> ComPlan:
    """The centre of mass of a clip's steps under a gravity in the clip's time [m / clip s^2], with push-offs into flights that
    are `quicker` than in that time. Known pushes move it as they move the clip's."""
    rows = slice(None, None, NODE_EVERY)
    times, step = clip.times_s[rows], NODE_EVERY * clip.step_s
    flying = flights(schedule)
    height = plan_height(clip, flying, gravity, quicker) if flying else bounded_height(clip, gravity, settings)
    place = clip.com_m[rows, 0] + 1j * clip.com_m[rows, 1]
    shift = pivot_shift(clip, gravity, settings.pivot_m)[rows]
    most = MOST_FORCE * quicker**2 if flying else settings.height_acceleration
    rising = np.clip(height(times, 2), max(-most, LEAST_FORCE - 1.0) * gravity, most * gravity)
    square = (gravity + rising) / height(times)
    if pushes:
        felt = np.array([pushing(pushes, time) for time in times.tolist()])
        shift = shift - chest_height(clip)[rows] / height(times) * felt / square
    wish = pressure_wish(clip, schedule, prints, geometry, times, step, place, settings)
    pressure = wish.pressure
    for _ in range(PASSES):
        found = _solve(place, wish.wanted(pressure) + shift, wish.weight, square, wish.aloft, step, settings)
        pressure = found - second_differences(len(found), step) @ found / square - shift
        if not wish.settled.any():
            break
    omega = float(np.sqrt(gravity / height(times).mean()))
    growing = divergence(times, height, wish.aloft, gravity, omega) if flying else None
    return ComPlan(CubicSpline(times, found), height, CubicSpline(times, shift), omega, gravity, growing)


def bounded_height(clip: FollowedClip, gravity: float, settings: PlanSettings) -> CubicSpline:
    """The clip's height of the centre of mass, smoothed until a foot that stands can give and take its acceleration."""
    smoothing = 1.0
    while True:
        height = CubicSpline(clip.times_s, gaussian_filter1d(clip.com_m[:, 2], smoothing, mode="nearest"))
        if np.quantile(np.abs(height(clip.times_s, 2)), 0.98) <= settings.height_acceleration * gravity:
            return height
        smoothing *= 1.3


def _solve(
    place: np.ndarray, wanted: np.ndarray, weight: np.ndarray, square: np.ndarray, flying: np.ndarray, step: float,
    settings: PlanSettings,
) -> np.ndarray:
    """Places (K,) of least squares: near `place`, with pivots near `wanted` by `weight` (K,), without acceleration in flight."""
    second = second_differences(len(place), step)
    pivots = identity(len(place), format="csr") - diags(1.0 / square) @ second
    smooth = (second @ pivots)[2:-2] * np.sqrt(settings.smooth_weight)
    near = np.sqrt(np.where(flying, 1e-4, 1.0) * settings.com_weight)
    ballistic = diags(np.sqrt(BALLISTIC_WEIGHT) * flying) @ second
    rows = vstack([diags(near), diags(np.sqrt(weight)) @ pivots, smooth, ballistic]).tocsr()
    normal = rows.T @ rows
    right = rows[:len(place)].T @ (near * place) + rows[len(place):2 * len(place)].T @ (np.sqrt(weight) * wanted)
    found = solve_banded(normal, np.column_stack([right.real, right.imag]))
    return found[:, 0] + 1j * found[:, 1]
