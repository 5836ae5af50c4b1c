# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground as the planner and the measures see it: heights, normals, where a sole rests and where a foot may land."""

from __future__ import annotations

import cmath
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError
from ..specs.ground import GroundSpec

STAIRS_LENGTH_M, MOST_TREADS = 150.0, 500
"""Steps go on for so far, or for so many treads; the last tread has no end."""
EDGE_MARGIN_M = 0.02
"""Distance from an edge that a planned sole keeps, so that a foot that lands a little off still stands on its tread."""
SOLE_SAMPLES = 5
"""Places along each side of the sole at which the ground is sampled: less than 6 cm apart under a man's foot."""


@dataclass(frozen=True)
class Sole:
    """Extent of a foot's sole from the point under its ankle [m]: to the heel (negative), to the tip, and to either side."""

    heel_m: float
    tip_m: float
    half_width_m: float


@dataclass(frozen=True)
class Support:
    """What a sole rests on: the ground's height [m] at the point under the ankle and its unit normal."""

    height_m: float = 0.0
    normal: tuple[float, float, float] = (0.0, 0.0, 1.0)

    @property
    def level(self) -> bool:
        """Whether its normal is upright."""
        return self.normal[2] == 1.0

    def height_at(self, shift: complex) -> float:
        """Height [m] of the supporting plane a horizontal way `shift` (complex, world) from the point under the ankle."""
        x, y, z = self.normal
        return self.height_m - (x * shift.real + y * shift.imag) / z


LEVEL_SUPPORT = Support()


class Ground(ABC):
    """A height over every place. `plane`: one normal everywhere; `level`: moreover height 0 and normal up.

    `rise_m` is the highest step in it: what a foot would have to climb at once.
    """

    plane = level = False
    rise_m = 0.0

    @abstractmethod
    def height(self, x: np.ndarray | float, y: np.ndarray | float) -> np.ndarray:
        """Heights (...,) [m] at places (...,) [m]."""

    def normal(self, x: np.ndarray | float, y: np.ndarray | float) -> np.ndarray:
        """Unit normals (..., 3), upward, at places (...,) [m]."""
        return normals(*self.slope(x, y))

    @abstractmethod
    def slope(self, x: np.ndarray | float, y: np.ndarray | float) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of the height along x and along y, (...,) each, at places (...,) [m]."""

    def under(self, place: complex, yaw: float, sole: Sole) -> Support:
        """What a sole turned by `yaw` [rad] rests on with its ankle over `place`: the plane nearest to the ground's heights
        (least squares) from heel to tip, left and right."""
        spots = sole_spots(sole) * cmath.exp(1j * yaw)
        heights = self.height(place.real + spots.real, place.imag + spots.imag)
        columns = np.column_stack([np.ones(len(spots)), spots.real, spots.imag])
        (height, along_x, along_y), *_ = np.linalg.lstsq(columns, heights, rcond=None)
        return Support(float(height), tuple(normals(along_x, along_y).tolist()))

    def foothold(self, place: complex, yaw: float, sole: Sole, keep: complex | None = None) -> complex:
        """The place nearest to `place` at which the whole sole rests, on the tread of the foothold `keep` where that is
        given; where there are no edges, `place` itself."""
        return place


class Plane(Ground):
    """A plane through the origin that rises by `along_x` and `along_y` per metre."""

    plane = True

    def __init__(self, along_x: float = 0.0, along_y: float = 0.0) -> None:
        self._slope = along_x, along_y
        self.level = along_x == along_y == 0.0
        self._normal = tuple(normals(along_x, along_y).tolist())

    def height(self, x, y):
        """See `Ground.height`."""
        return self._slope[0] * np.asarray(x) + self._slope[1] * np.asarray(y)

    def slope(self, x, y):
        """See `Ground.slope`."""
        shape = np.broadcast_shapes(np.shape(x), np.shape(y))
        return np.full(shape, self._slope[0]), np.full(shape, self._slope[1])

    def under(self, place, yaw, sole):
        """See `Ground.under`."""
        return LEVEL_SUPPORT if self.level else Support(float(self.height(place.real, place.imag)), self._normal)


class Steps(Ground):
    """Treads across `direction` (a unit complex number); the ground before the first edge and the last tread have no end."""

    def __init__(self, rise_m: float, run_m: float, direction: complex) -> None:
        self.tread_rise_m, self.run_m, self.direction = rise_m, run_m, direction
        self.rise_m = abs(rise_m)
        self.count = min(math.ceil(STAIRS_LENGTH_M / run_m), MOST_TREADS)

    def tread(self, x: ArrayLike, y: ArrayLike) -> np.ndarray:
        """Number (...,) of the tread at places (...,) [m]; 0 is the ground before the first edge."""
        along = np.asarray(x) * self.direction.real + np.asarray(y) * self.direction.imag
        return np.clip(np.floor(along / self.run_m), 0, self.count)

    def height(self, x, y):
        """See `Ground.height`."""
        return self.tread_rise_m * self.tread(x, y)

    def slope(self, x, y):
        """See `Ground.slope`: treads are level."""
        level = np.zeros(np.broadcast_shapes(np.shape(x), np.shape(y)))
        return level, level

    def under(self, place, yaw, sole):
        """See `Ground.under`: the tread that most of the sole is on."""
        spots = place + sole_spots(sole) * cmath.exp(1j * yaw)
        return Support(float(np.median(self.height(spots.real, spots.imag))))

    def foothold(self, place, yaw, sole, keep=None):
        """See `Ground.foothold`. A sole longer than the tread touches no riser and hangs over the open edge."""
        reach = (sole_spots(sole) * cmath.exp(1j * yaw) / self.direction).real
        back, front = float(reach.min()) - EDGE_MARGIN_M, float(reach.max()) + EDGE_MARGIN_M
        along = (place / self.direction).real
        middle = (along if keep is None else (keep / self.direction).real) + 0.5 * (back + front)
        tread = min(max(math.floor(middle / self.run_m), 0), self.count)
        least = tread * self.run_m - back if tread else -math.inf
        most = (tread + 1) * self.run_m - front if tread < self.count else math.inf
        if least <= most:
            wanted = min(max(along, least), most)
        else:
            wanted = most if self.tread_rise_m > 0.0 else least
        return place + (wanted - along) * self.direction


class Field(Ground):
    """Heights (rows, columns) on a grid, rows along x; each cell is cut into two triangles along its diagonal from lowest x
    and y to highest, as MuJoCo cuts it. Beyond the border its heights go on."""

    def __init__(self, heights_m: np.ndarray, spacing_m: float, origin_m: tuple[float, float]) -> None:
        self.heights_m, self.spacing_m, self.origin_m = np.asarray(heights_m, dtype=float), spacing_m, origin_m
        self.rise_m = float(max(np.abs(np.diff(self.heights_m, axis=axis)).max() for axis in (0, 1)))

    def height(self, x, y):
        """See `Ground.height`."""
        (u, v), (low, along_x, along_y) = self._cell(x, y)
        return low + u * along_x + v * along_y

    def slope(self, x, y):
        """See `Ground.slope`."""
        _, (_, along_x, along_y) = self._cell(x, y)
        inside_x, inside_y = self._inside(x, y)
        return along_x / self.spacing_m * inside_x, along_y / self.spacing_m * inside_y

    def _inside(self, x, y):
        """Whether places (...,) lie between the first and last row, and between the first and last column."""
        rows, columns = self.heights_m.shape
        at_x = (np.asarray(x) - self.origin_m[0]) / self.spacing_m
        at_y = (np.asarray(y) - self.origin_m[1]) / self.spacing_m
        return (at_x >= 0.0) & (at_x <= rows - 1), (at_y >= 0.0) & (at_y <= columns - 1)

    def _cell(self, x, y):
        """Places (u, v) within their cells (0 to 1), and the plane of the triangle there: its value at the cell's corner of
        lowest x and y, and its rises over the cell along x and y."""
        rows, columns = self.heights_m.shape
        at_x = np.clip((np.asarray(x, dtype=float) - self.origin_m[0]) / self.spacing_m, 0.0, rows - 1.0)
        at_y = np.clip((np.asarray(y, dtype=float) - self.origin_m[1]) / self.spacing_m, 0.0, columns - 1.0)
        at_x, at_y = np.broadcast_arrays(at_x, at_y)
        i = np.minimum(at_x.astype(int), rows - 2)
        j = np.minimum(at_y.astype(int), columns - 2)
        u, v, h = at_x - i, at_y - j, self.heights_m
        low, high, east, north = h[i, j], h[i + 1, j + 1], h[i + 1, j], h[i, j + 1]
        lower = u >= v
        return (u, v), (low, np.where(lower, east - low, high - north), np.where(lower, high - east, north - low))


def make_ground(spec: GroundSpec) -> Ground:
    """The ground that a spec describes."""
    direction = cmath.exp(1j * math.radians(spec.direction_deg))
    if spec.kind == "slope":
        rise = math.tan(math.radians(spec.slope_deg)) * direction
        return Plane(rise.real, rise.imag)
    if spec.kind == "steps" and spec.rise_m != 0.0:
        return Steps(spec.rise_m, spec.run_m, direction)
    if spec.kind == "field":
        return Field(np.array(spec.heights_m, dtype=float), spec.spacing_m, spec.origin_m)
    return Plane()


def check_walkable(spec: GroundSpec, knee_height_m: float, friction: float) -> None:
    """Raises InputError for ground with a step higher than the knee, or a slope on which no foot would hold."""
    rise = make_ground(spec).rise_m
    if rise > knee_height_m:
        what = "height field rises" if spec.kind == "field" else "steps rise"
        raise InputError(f"The {what} by {rise:.2f} m at once, which is higher than the character's knee at "
                         f"{knee_height_m:.2f} m: make the steps lower or the character taller.")
    steepness = math.tan(math.radians(abs(spec.slope_deg))) if spec.kind == "slope" else 0.0
    if steepness >= friction:
        raise InputError(f"Nothing stands on a slope of {spec.slope_deg:g} degrees with a friction of {friction:g}: it must "
                         f"exceed the slope's tangent, {steepness:.2f}.")


def normals(along_x: np.ndarray | float, along_y: np.ndarray | float) -> np.ndarray:
    """Unit normals (..., 3) of surfaces that rise by (...,) per metre along x and y."""
    along_x, along_y = np.broadcast_arrays(along_x, along_y)
    upward = np.stack([-along_x, -along_y, np.ones(along_x.shape)], axis=-1)
    return upward / np.sqrt((upward**2).sum(axis=-1, keepdims=True))


@lru_cache
def sole_spots(sole: Sole) -> np.ndarray:
    """Places on a sole, forward + i left of the point under the ankle: `SOLE_SAMPLES` along either side."""
    along = np.linspace(sole.heel_m, sole.tip_m, SOLE_SAMPLES)
    return np.concatenate([along + 1j * sole.half_width_m, along - 1j * sole.half_width_m])
