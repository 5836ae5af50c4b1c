# SPDX-License-Identifier: GPL-3.0-or-later
"""The way on the ground as a curve by its length: where it goes, how it turns, and where on it a place lies. A drawn line is
rounded as somebody walks it who cannot turn more tightly than a radius: it is pursued (Coulter 1992, "Implementation of the pure
pursuit path tracking algorithm", CMU-RI-TR-92-01), on the arc that leads to a point that runs ahead along the line, always a
radius away; where the line turns back on itself that point comes back, too. On arcs and straights the pursuit keeps to the
line."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..errors import InputError
from ..maths.rotations import plane_angle
from ..specs.path import PathSpec

SAMPLE_M = 0.02
"""Distance of the samples by which a line is measured and searched."""
SEARCH_M = 2.0
"""How far from the last place on a line the next is looked for: a line may cross itself."""


class SampledLine:
    """Samples at lengths `s` (N,) [m], rising from 0: places (N,), headings (N,) [rad] that never jump, curvatures (N,) [1/m];
    straight beyond the ends. The next place is looked for up to `search_m` from the last one."""

    def __init__(self, s: np.ndarray, points: np.ndarray, headings: np.ndarray, curvatures: np.ndarray,
                 search_m: float = SEARCH_M) -> None:
        self.s, self.points, self.headings, self.curvatures, self._search_m = s, points, headings, curvatures, search_m
        self.length = float(s[-1])
        worst = int(np.abs(curvatures).argmax())
        self.tightest = float(abs(curvatures[worst])), float(s[worst])

    def point(self, s: float) -> complex:
        inside = min(max(s, 0.0), self.length)
        place = complex(np.interp(inside, self.s, self.points))
        return place + (s - inside) * cmath.exp(1j * self.heading(inside))

    def heading(self, s: float) -> float:
        return float(np.interp(s, self.s, self.headings))

    def curvature(self, s: float) -> float:
        return float(np.interp(s, self.s, self.curvatures, left=0.0, right=0.0))

    def locate(self, place: complex, near: float | None = None) -> float:
        low, high = 0, len(self.s)
        if near is not None:
            low, high = np.searchsorted(self.s, (near - self._search_m, near + self._search_m)).tolist()
            low, high = min(low, len(self.s) - 2), max(high, 2)
        nearest = low + int(np.abs(self.points[low:high] - place).argmin())
        s = float(self.s[nearest])
        along = ((place - self.points[nearest]) * cmath.exp(-1j * float(self.headings[nearest]))).real
        if 0 < nearest < len(self.s) - 1:
            return s + min(max(along, -SAMPLE_M), SAMPLE_M)
        outward = along < 0.0 if nearest == 0 else along > 0.0
        return s + along if outward else s + min(max(along, -SAMPLE_M), SAMPLE_M)


LEAST_DISTANCE_M = 0.05
"""Least distance of the points that a smooth line goes through."""


class Path(Protocol):
    """A curve on the ground by its length s [m] from the start, straight before it and behind its end (a circle: round). Places
    are x + iy [m]; `length` may be infinite; `heading` [rad] never jumps; `curvature` [1/m] is positive to the left; `tightest`
    is the largest one, without sign, and where it is."""

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
        return s * cmath.exp(1j * self.heading_rad)

    def heading(self, s: float) -> float:
        return self.heading_rad

    def curvature(self, s: float) -> float:
        return 0.0

    def locate(self, place: complex, near: float | None = None) -> float:
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
        return self.centre - 1j * self.radius_m * cmath.exp(1j * self.heading(s))

    def heading(self, s: float) -> float:
        return self.heading_rad + s / self.radius_m

    def curvature(self, s: float) -> float:
        return 1.0 / self.radius_m

    def locate(self, place: complex, near: float | None = None) -> float:
        away = 1j * (place - self.centre) / self.radius_m
        expected = self.heading(near or 0.0)
        return (near or 0.0) + self.radius_m * cmath.phase(away * cmath.exp(-1j * expected)) if away else near or 0.0


@dataclass(frozen=True)
class Laid:
    """A path laid with its start on another place, turned by an angle [rad]."""

    path: Path
    start: complex
    turned_rad: float

    @property
    def length(self) -> float:
        """See `Path`."""
        return self.path.length

    @property
    def tightest(self) -> tuple[float, float]:
        """See `Path`."""
        return self.path.tightest

    def point(self, s: float) -> complex:
        return self.start + self.path.point(s) * cmath.exp(1j * self.turned_rad)

    def heading(self, s: float) -> float:
        return self.path.heading(s) + self.turned_rad

    def curvature(self, s: float) -> float:
        return self.path.curvature(s)

    def locate(self, place: complex, near: float | None = None) -> float:
        return self.path.locate((place - self.start) * cmath.exp(-1j * self.turned_rad), near)


class SmoothLine(SampledLine):
    """From the origin at a heading through points: cubic splines with continuous curvature over the way between them; straight
    before the start, and behind an end without curvature. Of points on each other one is taken."""

    def __init__(self, points: tuple[tuple[float, float], ...], heading_rad: float = 0.0) -> None:
        from scipy.interpolate import CubicSpline  # loads for a third of a second, and most walks go straight

        knots = _apart([0j, *(complex(*point) for point in points)])
        gaps = np.abs(np.diff(knots))
        spline = CubicSpline(np.concatenate([[0.0], np.cumsum(gaps)]), knots,
                             bc_type=((1, cmath.exp(1j * heading_rad)), (2, 0.0)))
        chord = np.linspace(0.0, gaps.sum(), max(3, math.ceil(gaps.sum() / SAMPLE_M) + 1))
        speed = np.abs(spline(chord, 1))
        middle = np.abs(spline(0.5 * (chord[1:] + chord[:-1]), 1))
        step = chord[1] - chord[0]  # Simpson's rule
        s = np.concatenate([[0.0], np.cumsum(step / 6.0 * (speed[:-1] + 4.0 * middle + speed[1:]))])
        first, second = spline(chord, 1), spline(chord, 2)
        headings = np.unwrap(plane_angle(first.imag, first.real))
        headings += heading_rad - headings[0]
        super().__init__(s, spline(chord), headings, (np.conj(first) * second).imag / speed**3)


def _apart(places: list[complex]) -> np.ndarray:
    """Places without those within `LEAST_DISTANCE_M` of the one before. Raises InputError where only the first is left."""
    kept = [places[0]]
    for place in places[1:]:
        if abs(place - kept[-1]) >= LEAST_DISTANCE_M:
            kept.append(place)
    if kept[-1] != places[-1] and len(kept) > 2:
        kept[-1] = places[-1]
    if len(kept) < 2:
        raise InputError(f"All points of the path lie within {LEAST_DISTANCE_M:g} m of the origin, where the path starts; give "
                         "it one that is further away.")
    return np.array(kept)


def laid(path: Path, start: complex, turned_rad: float) -> Path:
    """A path with its start on another place, turned by an angle [rad]."""
    if isinstance(path, SampledLine):
        return SampledLine(path.s, start + path.points * cmath.exp(1j * turned_rad), path.headings + turned_rad, path.curvatures)
    return Laid(path, start, turned_rad)


def make_path(spec: PathSpec, gait_radius_m: float = 0.0) -> Path:
    """The curve of a PathSpec; the default one, and a circle of radius 0, is the circle of `gait_radius_m` (left positive; 0:
    straight) that the gait goes. Raises InputError for none of those, or points on each other."""
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


MOST_WAY = 3.0
"""Way of the pursuit over the line's length, and as many turns, after which it ends wherever it is."""
SEARCH_RADII = 4.0
"""How far along such a way the next place is looked for, over the radius: less than once round the tightest turn."""
BACK_PER_MISS, BACK_LEAST_M = 8.0, 1.0
"""A line's end behind a last hook is led to by moving the way before it, along so many times the distance missed."""


def rounded(line: SampledLine, radius_m: float) -> SampledLine:
    """The way along a line with no turn tighter than a radius [m]; it begins and ends where the line does."""
    places = np.array(_pursued(line, radius_m))
    miss = complex(line.points[-1]) - places[-1]
    way = SAMPLE_M * (len(places) - 1)
    back = min(BACK_PER_MISS * abs(miss) + BACK_LEAST_M, way)
    share = np.clip((SAMPLE_M * np.arange(len(places)) - way + back) / back, 0.0, 1.0)
    places = places + miss * share**2 * (3.0 - 2.0 * share)
    s = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(places)))])
    slopes = np.gradient(places, s)
    headings = np.unwrap(plane_angle(slopes.imag, slopes.real))
    headings += 2.0 * math.pi * round((float(line.headings[0]) - headings[0]) / (2.0 * math.pi))
    return SampledLine(s, places, headings, np.gradient(headings, s), min(SEARCH_M, SEARCH_RADII * radius_m))


def _pursued(line: SampledLine, radius_m: float) -> list[complex]:
    """Places of the pursuit, `SAMPLE_M` apart."""
    points, ahead, last = line.points.tolist(), 0, len(line.points) - 1
    place, heading, places = points[0], float(line.headings[0]), [points[0]]
    most = int(MOST_WAY * (line.length + 2.0 * math.pi * radius_m) / SAMPLE_M)
    while len(places) < most:
        while ahead < last and abs(points[ahead] - place) < radius_m:
            ahead += 1
        way = points[ahead] - place
        distance, bearing = abs(way), math.remainder(cmath.phase(way) - heading, 2.0 * math.pi)
        behind = abs(bearing) > 0.5 * math.pi
        if ahead == last and (distance < SAMPLE_M or (behind and distance < 2.0 * radius_m)) and len(places) > 2:
            break
        curvature = math.copysign(1.0, bearing) if behind else 2.0 * radius_m * math.sin(bearing) / distance
        turn = min(max(curvature, -1.0), 1.0) * SAMPLE_M / radius_m
        place += SAMPLE_M * cmath.exp(1j * (heading + 0.5 * turn))
        heading += turn
        places.append(place)
    return places
