# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground as engines need it: a plane, boxes, or patches of heights; the very surface that `ground.Ground` tells."""

from __future__ import annotations

import cmath
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .ground import Field, Ground, Plane, Steps

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
