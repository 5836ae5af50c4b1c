# SPDX-License-Identifier: GPL-3.0-or-later
"""The way on the ground as a curve by its length: where it goes, how it turns, and where on it a place lies."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.interpolate import CubicSpline

from ..errors import InputError
from ..maths.angles import plane_angle
from ..specs.path import PathSpec

SAMPLE_M = 0.02
"""Distance of the samples by which a smooth line is measured and searched."""
LEAST_DISTANCE_M = 0.05
"""Least distance of the points that a smooth line goes through."""
SEARCH_M = 2.0
"""How far from the last place on a smooth line the next is looked for: a line may cross itself."""


class Path(Protocol):
    """A curve on the ground by its length s [m] from the start, before which and behind whose end it goes on straight (a
    circle: round). Places are complex, x + iy [m].

    `length` is infinite where there is no end. `heading` [rad] never jumps: after a whole turn to the left it is larger by
    2 pi. `curvature` [1/m] is positive to the left. `tightest` is the largest curvature, without sign, and where it is.
    """

    @property
    def length(self) -> float: ...

    @property
    def tightest(self) -> tuple[float, float]: ...

    def point(self, s: float) -> complex:
        """The place at a length."""

    def heading(self, s: float) -> float:
        """The tangent's direction at a length [rad]."""

    def curvature(self, s: float) -> float:
        """Turn over way at a length [1/m]."""

    def locate(self, place: complex, near: float | None = None) -> float:
        """Length at the point of the path nearest to a place; of a path that comes back to itself the one around `near`."""


def tangent(path: Path, s: float) -> complex:
    """Unit vector along a path at a length."""
    return cmath.exp(1j * path.heading(s))


def offset(path: Path, s: float, place: complex) -> float:
    """How far [m] a place lies to the left of a path's point at a length."""
    return ((place - path.point(s)) / tangent(path, s)).imag


@dataclass(frozen=True)
class Line:
    """Straight on from the origin at a heading [rad]."""

    heading_rad: float = 0.0
    length = math.inf
    tightest = (0.0, 0.0)

    def point(self, s: float) -> complex:
        """See `Path.point`."""
        return s * cmath.exp(1j * self.heading_rad)

    def heading(self, s: float) -> float:
        """See `Path.heading`."""
        return self.heading_rad

    def curvature(self, s: float) -> float:
        """See `Path.curvature`."""
        return 0.0

    def locate(self, place: complex, near: float | None = None) -> float:
        """See `Path.locate`."""
        return (place / cmath.exp(1j * self.heading_rad)).real


@dataclass(frozen=True)
class Circle:
    """Round a circle of `radius_m`, positive to the left, that leaves the origin at a heading [rad]."""

    radius_m: float
    heading_rad: float = 0.0
    length = math.inf

    @property
    def tightest(self) -> tuple[float, float]:
        """See `Path`."""
        return 1.0 / abs(self.radius_m), 0.0

    @property
    def centre(self) -> complex:
        """The circle's centre."""
        return 1j * self.radius_m * cmath.exp(1j * self.heading_rad)

    def point(self, s: float) -> complex:
        """See `Path.point`."""
        return self.centre - 1j * self.radius_m * cmath.exp(1j * self.heading(s))

    def heading(self, s: float) -> float:
        """See `Path.heading`."""
        return self.heading_rad + s / self.radius_m

    def curvature(self, s: float) -> float:
        """See `Path.curvature`."""
        return 1.0 / self.radius_m

    def locate(self, place: complex, near: float | None = None) -> float:
        """See `Path.locate`."""
        away = 1j * (place - self.centre) / self.radius_m
        expected = self.heading(near or 0.0)
        return (near or 0.0) + self.radius_m * cmath.phase(away * cmath.exp(-1j * expected)) if away else near or 0.0


class SmoothLine:
    """From the origin at a heading through points: cubic splines with continuous curvature over the way between the points;
    straight before the start and, where it ends without curvature, behind the end."""

    def __init__(self, points: tuple[tuple[float, float], ...], heading_rad: float = 0.0) -> None:
        knots = np.concatenate([[0j], [complex(*point) for point in points]])
        gaps = np.abs(np.diff(knots))
        if gaps.min() < LEAST_DISTANCE_M:
            i = int(gaps.argmin())
            before = "the origin, where the path starts" if i == 0 else f"point {i - 1}"
            raise InputError(f"Point {i} of the path lies {gaps[i]:.2g} m from {before}; points of a path need at least "
                             f"{LEAST_DISTANCE_M:g} m between them. Leave it out.")
        spline = CubicSpline(np.concatenate([[0.0], np.cumsum(gaps)]), knots,
                             bc_type=((1, cmath.exp(1j * heading_rad)), (2, 0.0)))
        chord = np.linspace(0.0, gaps.sum(), max(3, math.ceil(gaps.sum() / SAMPLE_M) + 1))
        speed = np.abs(spline(chord, 1))
        middle = np.abs(spline(0.5 * (chord[1:] + chord[:-1]), 1))
        step = chord[1] - chord[0]  # Simpson's rule
        self._s = np.concatenate([[0.0], np.cumsum(step / 6.0 * (speed[:-1] + 4.0 * middle + speed[1:]))])
        self._points, first, second = spline(chord), spline(chord, 1), spline(chord, 2)
        self._headings = np.unwrap(plane_angle(first.imag, first.real))
        self._headings += heading_rad - self._headings[0]
        self._curvatures = (np.conj(first) * second).imag / speed**3
        self.length = float(self._s[-1])
        worst = int(np.abs(self._curvatures).argmax())
        self.tightest = float(abs(self._curvatures[worst])), float(self._s[worst])

    def point(self, s: float) -> complex:
        """See `Path.point`."""
        inside = min(max(s, 0.0), self.length)
        place = complex(np.interp(inside, self._s, self._points))
        return place + (s - inside) * cmath.exp(1j * self.heading(inside))

    def heading(self, s: float) -> float:
        """See `Path.heading`."""
        return float(np.interp(s, self._s, self._headings))

    def curvature(self, s: float) -> float:
        """See `Path.curvature`."""
        return float(np.interp(s, self._s, self._curvatures, left=0.0, right=0.0))

    def locate(self, place: complex, near: float | None = None) -> float:
        """See `Path.locate`."""
        low, high = 0, len(self._s)
        if near is not None:
            low, high = np.searchsorted(self._s, (near - SEARCH_M, near + SEARCH_M)).tolist()
            low, high = min(low, len(self._s) - 2), max(high, 2)
        nearest = low + int(np.abs(self._points[low:high] - place).argmin())
        s = float(self._s[nearest])
        along = ((place - self._points[nearest]) * cmath.exp(-1j * float(self._headings[nearest]))).real
        if 0 < nearest < len(self._s) - 1:
            return s + min(max(along, -SAMPLE_M), SAMPLE_M)
        outward = along < 0.0 if nearest == 0 else along > 0.0
        return s + along if outward else s + min(max(along, -SAMPLE_M), SAMPLE_M)


def make_path(spec: PathSpec, gait_radius_m: float = 0.0) -> Path:
    """The curve of a PathSpec, for a gait that of its own goes round a circle of `gait_radius_m`, left positive; 0: straight.

    That circle is taken for the default PathSpec, and for a circle of radius 0. Raises InputError where such a gait has none,
    or for points that lie on each other.
    """
    heading = math.radians(spec.heading_deg)
    if spec.kind == "circle" or (gait_radius_m and spec == PathSpec()):
        radius = spec.radius_m or gait_radius_m
        if not radius:
            raise InputError("A circle of radius 0 takes the radius of the gait, and this gait has none; give the path a radius "
                             "in m, positive to the left.")
        return Circle(radius, heading)
    if spec.kind == "points":
        return SmoothLine(spec.points_m, heading)
    return Line(heading)
