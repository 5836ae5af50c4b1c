# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground as the planner and the measures see it (heights, normals, where a sole rests and where a foot may land), and as
engines need it: a plane, boxes, or patches of heights; and walls of loose boxes on it."""

from __future__ import annotations

import cmath
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from ..checks import check_number
from ..errors import InputError
from ..maths.curves import runs
from ..maths.rotations import rotation_between
from ..specs.disturbances import MOST_OBJECTS, LooseObject
from ..specs.path import GroundSpec

STAIRS_LENGTH_M, MOST_TREADS = 150.0, 500
"""Steps go on for so far, or for so many treads; the last tread has no end."""
EDGE_MARGIN_M = 0.02
"""Distance from an edge that a planned sole keeps, so that a foot that lands a little off still stands on its tread."""
RISER_MARGIN_M, PLAY_M = 0.03, 0.05
"""The same from a riser that the tip comes near to, and how much room a foot has on a tread that does not carry all of it."""
SHORT_SOLES, HANGING = 1.4, 0.22
"""Lengths of the sole up to which a tread is short, going down: then the foot stands with its toes over the edge, by so much of
the sole, or the heel behind would come down on that edge."""
KEPT_RUNS = 0.8
"""How far from a tread, over the run, a foothold is still led to it."""
CARRY_SAMPLES, HANGS_M = 28, 0.015
"""Places along the sole, 1 cm apart under a man's, and how much lower the ground is where it carries nothing."""
SEARCHED_M = np.array(sorted(np.linspace(-0.16, 0.16, 17).round(2), key=abs))
"""How far ahead and behind a foothold is looked for on a height field, the nearest first."""
ROUGH_M = 0.012
"""How far off a plane the ground under a sole may be that stands on it as on level ground."""
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
    """What a sole rests on: the ground's height [m] at the point under the ankle and its unit normal; and from how far back to
    how far ahead of there it carries the sole [m], where it does not carry all of it."""

    height_m: float = 0.0
    normal: tuple[float, float, float] = (0.0, 0.0, 1.0)
    back_m: float = -math.inf
    front_m: float = math.inf

    @property
    def level(self) -> bool:
        """Whether its normal is upright."""
        return self.normal[2] == 1.0

    @property
    def whole(self) -> bool:
        """Whether it carries all of the sole."""
        return self.back_m == -math.inf and self.front_m == math.inf

    def height_at(self, shift: complex) -> float:
        """Height [m] of the supporting plane a horizontal way `shift` (complex, world) from the point under the ankle."""
        x, y, z = self.normal
        return self.height_m - (x * shift.real + y * shift.imag) / z


LEVEL_SUPPORT = Support()


class Ground(ABC):
    """A height over every place. `plane`: one normal everywhere; `level`: moreover height 0 and normal up. `rise_m` is the
    highest step in it: what a foot would have to climb at once."""

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
        """The plane nearest (least squares) to heights under a sole turned by `yaw` [rad], its ankle over `place`."""
        spots = sole_spots(sole) * cmath.exp(1j * yaw)
        heights = self.height(place.real + spots.real, place.imag + spots.imag)
        columns = np.column_stack([np.ones(len(spots)), spots.real, spots.imag])
        (height, along_x, along_y), *_ = np.linalg.lstsq(columns, heights, rcond=None)
        return self.carrying(Support(float(height), tuple(normals(along_x, along_y).tolist())), place, yaw, sole)

    def carrying(self, support: Support, place: complex, yaw: float, sole: Sole) -> Support:
        """`support` with how far back and ahead it carries the sole: where the ground under either side is no lower than it."""
        along = np.linspace(sole.heel_m, sole.tip_m, CARRY_SAMPLES)
        spots = (along + 1j * np.array([[sole.half_width_m], [-sole.half_width_m]])) * cmath.exp(1j * yaw)
        x, y, z = support.normal
        plane = support.height_m - (x * spots.real + y * spots.imag) / z
        low = (self.height(place.real + spots.real, place.imag + spots.imag) < plane - HANGS_M).any(axis=0)
        if not low.any() or low.all():
            return support
        start, end = max(runs(~low), key=lambda run: run[1] - run[0])
        return replace(support, back_m=-math.inf if start == 0 else float(along[start]),
                       front_m=math.inf if end == len(along) else float(along[end - 1]))

    def foothold(self, place: complex, yaw: float, sole: Sole, keep: complex | None = None, best: bool = False) -> complex:
        """The place nearest to `place` where the sole rests, on the tread of `keep` if given; without edges itself. The `best`
        one is in the middle of a tread that leaves a foot little room."""
        return place


class Plane(Ground):
    """A plane through the origin that rises by `along_x` and `along_y` per metre."""

    plane = True

    def __init__(self, along_x: float = 0.0, along_y: float = 0.0) -> None:
        self._slope = along_x, along_y
        self.level = along_x == along_y == 0.0
        self._normal = tuple(normals(along_x, along_y).tolist())

    def height(self, x, y):
        return self._slope[0] * np.asarray(x) + self._slope[1] * np.asarray(y)

    def slope(self, x, y):
        shape = np.broadcast_shapes(np.shape(x), np.shape(y))
        return np.full(shape, self._slope[0]), np.full(shape, self._slope[1])

    def under(self, place, yaw, sole):
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
        return self.tread_rise_m * self.tread(x, y)

    def slope(self, x, y):
        """See `Ground.slope`: treads are level."""
        level = np.zeros(np.broadcast_shapes(np.shape(x), np.shape(y)))
        return level, level

    def under(self, place, yaw, sole):
        """See `Ground.under`: the tread that most of the sole is on."""
        spots = place + sole_spots(sole) * cmath.exp(1j * yaw)
        return self.carrying(Support(float(np.median(self.height(spots.real, spots.imag)))), place, yaw, sole)

    def foothold(self, place, yaw, sole, keep=None, best=False):
        """See `Ground.foothold`. On a tread that is little longer than the sole the foot keeps off the riser, going up with its
        tip; going down its ball comes to the edge. A place more than `KEPT_RUNS` away is not led back to the tread of `keep`."""
        reach = (sole_spots(sole) * cmath.exp(1j * yaw) / self.direction).real
        back, front = float(reach.min()), float(reach.max())
        along = (place / self.direction).real
        kept = along if keep is None else (keep / self.direction).real
        if abs(kept - along) > KEPT_RUNS * self.run_m:
            kept = along
        near = math.floor((kept + 0.5 * (back + front)) / self.run_m)
        rooms = [self._room(min(max(tread, 0), self.count), back, front) for tread in (near - 1, near, near + 1)]
        least, most = min(rooms, key=lambda room: abs(min(max(kept, room[0]), room[1]) - kept))
        wanted = 0.5 * (least + most) if best and most - least <= PLAY_M + 1e-9 else min(max(along, least), most)
        return place + (wanted - along) * self.direction

    def _room(self, tread: int, back: float, front: float) -> tuple[float, float]:
        """From where to where [m] along the way a foot may stand on a tread whose sole reaches from `back` to `front`."""
        start = tread * self.run_m if tread else -math.inf
        end = (tread + 1) * self.run_m if tread < self.count else math.inf
        least, most = start - back + EDGE_MARGIN_M, end - front - EDGE_MARGIN_M
        if self.run_m < SHORT_SOLES * (front - back):
            if self.tread_rise_m > 0.0:
                most = end - front - RISER_MARGIN_M
                least = most - PLAY_M
            else:
                most = end - front + HANGING * (front - back)
                least = max(start - back + RISER_MARGIN_M, most - PLAY_M)
        return least, max(most, least)


class Field(Ground):
    """Heights (rows, columns) on a grid, rows along x; cells cut along the diagonal of lowest to highest x and y as MuJoCo's."""

    def __init__(self, heights_m: np.ndarray, spacing_m: float, origin_m: tuple[float, float]) -> None:
        self.heights_m, self.spacing_m, self.origin_m = np.asarray(heights_m, dtype=float), spacing_m, origin_m
        self.rise_m = float(max(np.abs(np.diff(self.heights_m, axis=axis)).max() for axis in (0, 1)))

    def height(self, x, y):
        (u, v), (low, along_x, along_y) = self._cell(x, y)
        return low + u * along_x + v * along_y

    def slope(self, x, y):
        _, (_, along_x, along_y) = self._cell(x, y)
        inside_x, inside_y = self._inside(x, y)
        return along_x / self.spacing_m * inside_x, along_y / self.spacing_m * inside_y

    def foothold(self, place, yaw, sole, keep=None, best=False):
        """See `Ground.foothold`: the nearest place ahead or behind where the sole lies within `ROUGH_M` of a plane, or the one
        where it does most nearly; `keep` and `best` make no difference."""
        turn = cmath.exp(1j * yaw)
        places = place + turn * SEARCHED_M
        spots = places[:, None] + sole_spots(sole) * turn
        heights = self.height(spots.real, spots.imag)
        rough = np.abs(heights @ _off_plane(sole)).max(axis=1)
        fits = np.flatnonzero(rough < ROUGH_M)
        return complex(places[fits[0] if len(fits) else rough.argmin()])

    def _inside(self, x, y):
        """Whether places (...,) lie between the first and last row, and between the first and last column."""
        rows, columns = self.heights_m.shape
        at_x = (np.asarray(x) - self.origin_m[0]) / self.spacing_m
        at_y = (np.asarray(y) - self.origin_m[1]) / self.spacing_m
        return (at_x >= 0.0) & (at_x <= rows - 1), (at_y >= 0.0) & (at_y <= columns - 1)

    def _cell(self, x, y):
        """Places (u, v) within cells (0 to 1), and the triangle's plane: its value at the lowest corner and its two rises."""
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
def _off_plane(sole: Sole) -> np.ndarray:
    """The matrix (k, k) from heights at a sole's spots to how far they are off the plane nearest to them."""
    spots = sole_spots(sole)
    columns = np.column_stack([np.ones(len(spots)), spots.real, spots.imag])
    return np.eye(len(spots)) - columns @ np.linalg.pinv(columns)


@lru_cache
def sole_spots(sole: Sole) -> np.ndarray:
    """Places on a sole, forward + i left of the point under the ankle: `SOLE_SAMPLES` along either side."""
    along = np.linspace(sole.heel_m, sole.tip_m, SOLE_SAMPLES)
    return np.concatenate([along + 1j * sole.half_width_m, along - 1j * sole.half_width_m])


FAR_M = 300.0
"""How far the treads' ends and the border of a height field go on."""
BOX_DEPTH_M = 1.0
"""Thickness of a tread."""


@dataclass(frozen=True)
class Slab:
    """An endless plane: its height at the origin and its unit normal (3,)."""

    height_m: float
    normal: tuple[float, float, float]


@dataclass(frozen=True)
class Box:
    """A box turned by `yaw` [rad] about the vertical: centre (3,) and half sizes (3,) [m]."""

    centre: tuple[float, float, float]
    half: tuple[float, float, float]
    yaw: float


@dataclass(frozen=True)
class Patch:
    """Heights (rows, columns) [m] evenly spread from `low` to `high` (x, y), rows along x."""

    low: tuple[float, float]
    high: tuple[float, float]
    heights_m: np.ndarray


def ground_shapes(ground: Ground) -> Sequence[Slab | Box | Patch]:
    """The shapes whose upper surface is the ground."""
    if isinstance(ground, Plane):
        return [Slab(0.0, tuple(ground.normal(0.0, 0.0).tolist()))]
    if isinstance(ground, Steps):
        return tread_shapes(ground)
    if isinstance(ground, Field):
        return field_patches(ground)
    raise TypeError(f"No shapes are known for a ground of type {type(ground).__name__}.")


def tread_shapes(ground: Steps) -> list[Slab | Box]:
    """The lowest tread as an endless plane, each other one as a box up to its edges."""
    lowest = 0 if ground.tread_rise_m > 0.0 else ground.count
    shapes: list[Slab | Box] = [Slab(lowest * ground.tread_rise_m, (0.0, 0.0, 1.0))]
    for tread in range(ground.count + 1):
        if tread == lowest:
            continue
        start = tread * ground.run_m if tread else -FAR_M
        end = (tread + 1) * ground.run_m if tread < ground.count else start + FAR_M
        middle = 0.5 * (start + end) * ground.direction
        top = tread * ground.tread_rise_m
        half = 0.5 * (end - start), FAR_M, 0.5 * BOX_DEPTH_M
        shapes.append(Box((middle.real, middle.imag, top - half[2]), half, cmath.phase(ground.direction)))
    return shapes


def field_patches(ground: Field) -> list[Patch]:
    """The field itself and the eight patches around it in which its border's heights go on."""
    heights = ground.heights_m
    sizes = [ground.spacing_m * (count - 1) for count in heights.shape]
    ends = [(start, start + size) for start, size in zip(ground.origin_m, sizes, strict=True)]
    spans = [((low - FAR_M, low), (low, high), (high, high + FAR_M)) for low, high in ends]
    rows, columns = [0, 0], [-1, -1]
    picks: list[list[int] | slice] = [rows, slice(None), columns]
    patches = []
    for along_x, pick_x in zip(spans[0], picks, strict=True):
        for along_y, pick_y in zip(spans[1], picks, strict=True):
            low, high = zip(along_x, along_y, strict=True)
            patches.append(Patch(low, high, np.ascontiguousarray(heights[pick_x][:, pick_y])))
    return patches


def field_mesh(ground: Field) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) [m] and triangles (m, 3), counter-clockwise seen from above, of a field with its border going on."""
    heights = np.pad(ground.heights_m, 1, mode="edge")
    lines = []
    for start, count in zip(ground.origin_m, ground.heights_m.shape, strict=True):
        line = start + ground.spacing_m * np.arange(count)
        lines.append(np.concatenate([[line[0] - FAR_M], line, [line[-1] + FAR_M]]))
    x, y = np.meshgrid(*lines, indexing="ij")
    vertices = np.column_stack([x.ravel(), y.ravel(), heights.ravel()])
    number = np.arange(heights.size).reshape(heights.shape)
    low, east, north, high = (part.ravel() for part in (number[:-1, :-1], number[1:, :-1], number[:-1, 1:], number[1:, 1:]))
    return vertices, np.concatenate([np.column_stack([low, east, high]), np.column_stack([low, high, north])])


GAP_M = 0.004
"""Between boxes beside each other, so that they do not jam."""


def wall(counts: tuple[int, int], size_m: float, mass_kg: float, place: complex, yaw_deg: float, ground: Ground,
         first: int = 1) -> tuple[LooseObject, ...]:
    """A wall of cubes, `counts` columns and rows of them, its foot's middle at x + iy [m], facing `yaw_deg` (0 is +x), standing
    on the ground as it lies there, numbered from `first` on. Raises InputError."""
    columns, rows = counts
    for what, count in (("columns", columns), ("rows", rows)):
        check_number(f"A wall's number of {what}", count, 1, MOST_OBJECTS, "boxes")
    if columns * rows > MOST_OBJECTS:
        raise InputError(f"A wall has at most {MOST_OBJECTS} boxes, got {columns} times {rows}.")
    x, y = place.real, place.imag
    up = np.array(ground.normal(x, y), dtype=float).reshape(3)
    c, s = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    turn = rotation_between(np.array([0.0, 0.0, 1.0]), up) @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, turn.ravel())
    foot = np.array([x, y, float(np.ravel(ground.height(x, y))[0])])
    boxes: list[LooseObject] = []
    for row in range(rows):
        for column in range(columns):
            across = (column - 0.5 * (columns - 1)) * (size_m + GAP_M)
            middle = foot + turn @ np.array([0.0, across, (row + 0.5) * size_m])
            boxes.append(LooseObject(f"Box {first + len(boxes)}", size_m=(size_m,) * 3, mass_kg=mass_kg,
                                     place_m=tuple(middle.tolist()), orientation=tuple(quat.tolist())))
    return tuple(boxes)
