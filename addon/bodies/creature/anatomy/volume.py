# SPDX-License-Identifier: GPL-3.0-or-later
"""The room inside of meshes, as points on a grid: what a creature weighs, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from .skin import Skin

CELLS = 90
"""Cells along the longest side of the box about the meshes: a thousandth part of the volume is seen."""
LEAST_CLOSED = 0.7
"""Share of the columns of cells that must go in and out of the meshes as often: of less, the meshes are no closed skin."""
_WELD = 1e-5
"""Of the box: vertices nearer than this are one; importers part them at the seams of textures."""


@dataclass(frozen=True)
class Room:
    """Points inside of meshes: `inside` is whose part each is, as a Skin, `cell_m3` the volume [m^3] that each stands for."""

    inside: Skin
    cell_m3: float


def room_in(meshes: Sequence[tuple[np.ndarray, np.ndarray]], skin: Skin, cells: int = CELLS) -> Room | None:
    """The room inside of some meshes, vertices (V, 3) [m] and triangles (T, 3), shared by the nearest point of their skin; None
    where they are not closed."""
    meshes = [(vertices, triangles) for vertices, triangles in meshes if len(triangles)]
    if not meshes or not len(skin.places):
        return None
    places = np.concatenate([vertices for vertices, _ in meshes])
    offsets = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    faces = np.concatenate([triangles + offset for (_, triangles), offset in zip(meshes, offsets, strict=False)])
    low, high = places[faces].min(axis=(0, 1)), places[faces].max(axis=(0, 1))
    cell = float((high - low).max()) / cells
    if cell <= 0.0:
        return None
    corners = places[outward(places, faces, _WELD * cell * cells)]
    columns, heights, signs = _crossings(corners, low, cell)
    points, closed = _between(columns, heights, signs, low, cell)
    if closed < LEAST_CLOSED or not len(points):
        return None
    owners = skin.owners[cKDTree(skin.places).query(points)[1]]
    return Room(Skin(points, owners), cell**3 / closed)


def outward(places: np.ndarray, faces: np.ndarray, near: float) -> np.ndarray:
    """The faces (T, 3), those of each connected piece turned so that it has a volume above zero."""
    welded = np.unique(np.round(places / max(near, 1e-12)).astype(np.int64), axis=0, return_inverse=True)[1].reshape(-1)
    corner = welded[faces]
    count = int(welded.max()) + 1
    edges = np.concatenate([corner[:, [0, 1]], corner[:, [1, 2]]])
    joined = coo_matrix((np.ones(len(edges)), edges.T), shape=(count, count))
    piece = connected_components(joined, directed=False)[1][corner[:, 0]]
    a, b, c = (places[faces[:, i]] - places.mean(axis=0) for i in range(3))
    volumes = np.bincount(piece, np.einsum("ij,ij->i", a, np.cross(b, c)))
    return np.where((volumes[piece] < 0.0)[:, None], faces[:, ::-1], faces)


def _crossings(corners: np.ndarray, low: np.ndarray, cell: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where upright lines through the cells' middles cross triangles (T, 3, 3): the lines' cells (K, 2), heights (K,), and
    +1 where they go in."""
    flat = (corners[:, :, :2] - low[:2]) / cell - (0.5 + 0.0137, 0.5 + 0.0071)  # no line runs through an edge
    ahead, beside = flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
    area = ahead[:, 0] * beside[:, 1] - ahead[:, 1] * beside[:, 0]
    first, last = np.ceil(flat.min(axis=1)).astype(int), np.floor(flat.max(axis=1)).astype(int)
    cells, heights, signs = [np.empty((0, 2), int)], [np.empty(0)], [np.empty(0)]
    for i in np.flatnonzero((np.abs(area) > 1e-12) & (first <= last).all(axis=1)):
        grid = np.stack(np.meshgrid(*map(np.arange, first[i], last[i] + 1), indexing="ij"), -1).reshape(-1, 2)
        off = grid - flat[i, 0]
        u = (off[:, 0] * beside[i, 1] - off[:, 1] * beside[i, 0]) / area[i]
        v = (ahead[i, 0] * off[:, 1] - ahead[i, 1] * off[:, 0]) / area[i]
        hit = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0)
        a, b, c = corners[i, :, 2]
        cells.append(grid[hit])
        heights.append(a + u[hit] * (b - a) + v[hit] * (c - a))
        signs.append(np.full(int(hit.sum()), -np.sign(area[i])))
    return np.concatenate(cells), np.concatenate(heights), np.concatenate(signs)


def _between(columns: np.ndarray, heights: np.ndarray, signs: np.ndarray, low: np.ndarray,
             cell: float) -> tuple[np.ndarray, float]:
    """Points (K, 3) a cell apart wherever a line is inside of something, and the share of the lines that come out again."""
    if not len(columns):
        return np.empty((0, 3)), 0.0
    order = np.lexsort((heights, columns[:, 1], columns[:, 0]))
    columns, heights, signs = columns[order], heights[order], signs[order]
    start = np.flatnonzero(np.r_[True, (np.diff(columns, axis=0) != 0).any(axis=1)])
    points, whole = [np.empty((0, 3))], 0
    for a, b in zip(start, np.r_[start[1:], len(columns)], strict=True):
        deep = np.cumsum(signs[a:b])
        if abs(deep[-1]) > 0.5:
            continue
        whole += 1
        inside = np.flatnonzero(deep[:-1] > 0.5)
        level = (heights[a:b] - low[2]) / cell - 0.5
        z = np.concatenate([np.empty(0), *(np.arange(np.ceil(level[i]), level[i + 1]) for i in inside)])
        x, y = columns[a]
        points.append(np.column_stack([np.full(len(z), x), np.full(len(z), y), z]))
    return low + cell * (np.concatenate(points) + 0.5), whole / len(start)
