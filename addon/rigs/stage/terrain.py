# SPDX-License-Identifier: GPL-3.0-or-later
"""Ground as numbers: a grid that is fine along the walking corridor and coarse to the horizon, with craters and hills.
Coordinates: `along` the corridor, `across` it, height; metres. Within the corridor, where a take walks, the height is 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...maths.curves import smoothstep


@dataclass(frozen=True)
class Relief:
    """Shape of a ground: roll of the land [m], crater count and depth per radius, height of the far hills [m]."""

    roll_m: float
    craters: int
    crater_depth: float
    hills_m: float
    hills_from_m: float
    seed: int


CORRIDOR_HALF_WIDTH_M = 0.9
_BLEND_M = 2.6
_REACH_M = 900.0


def ticks(low: float, high: float, step: float, growth: float = 1.22) -> np.ndarray:
    """Even places from `low` to `high`, then steps growing geometrically out to the horizon on both sides."""
    even = np.linspace(low, high, int(np.ceil((high - low) / step)) + 1)
    out = np.cumsum(step * growth ** np.arange(1, 200))
    out = out[: np.searchsorted(out, _REACH_M)]
    return np.concatenate([low - out[::-1], even, high + out])


def value_noise(x: np.ndarray, y: np.ndarray, size: float, generator: np.random.Generator) -> np.ndarray:
    """Smooth random field in [-1, 1] with features of `size` [m]: values on a 64 x 64 torus, cubic between."""
    lattice = generator.uniform(-1.0, 1.0, (64, 64))
    u, v = x / size, y / size
    i, j = np.floor(u).astype(int), np.floor(v).astype(int)
    fu, fv = smoothstep(u - i), smoothstep(v - j)
    corner = lambda a, b: lattice[(i + a) % 64, (j + b) % 64]  # noqa: E731
    low = corner(0, 0) * (1 - fu) + corner(1, 0) * fu
    high = corner(0, 1) * (1 - fu) + corner(1, 1) * fu
    return low * (1 - fv) + high * fv


def crater_profile(distance: np.ndarray) -> np.ndarray:
    """Height of a bowl with a raised rim over distance / radius; depth 1, rim 0.22, nothing beyond 2.2 radii."""
    bowl = np.minimum(distance**2 * 1.22 - 1.0, 0.22)
    rim = 0.22 * np.exp(-(((distance - 1.0) / 0.42) ** 2))
    return np.where(distance < 1.0, bowl, rim) * smoothstep((2.2 - distance) / 0.8)


def heights(along: np.ndarray, across: np.ndarray, length_m: float, relief: Relief, aside_m: float = 0.0) -> np.ndarray:
    """Height [m] of the ground at places; 0 within the corridor, wider by `aside_m` to both sides, whatever the relief."""
    across = across - np.clip(across, -aside_m, aside_m)
    generator = np.random.default_rng(relief.seed)
    fade = smoothstep((np.abs(across) - CORRIDOR_HALF_WIDTH_M) / _BLEND_M)  # 0 within the corridor, 1 well outside it
    z = relief.roll_m * (value_noise(along, across, 11.0, generator) + 0.45 * value_noise(along, across, 3.7, generator)
                         + 0.16 * value_noise(along, across, 1.3, generator))
    side = generator.choice([-1.0, 1.0], relief.craters)
    radius = 0.18 * (1.0 - generator.uniform(0.0, 0.98, relief.craters)) ** -0.62
    gap = CORRIDOR_HALF_WIDTH_M + 0.3 + 2.0 * radius + generator.exponential(9.0, relief.craters)
    centre = generator.uniform(-14.0, length_m + 14.0, relief.craters)
    for s, r, g, c in zip(side, radius, gap, centre, strict=True):
        near = (np.abs(along - c) < 2.2 * r) & (np.abs(across - s * g) < 2.2 * r)
        if near.any():
            z[near] += relief.crater_depth * r * crater_profile(np.hypot(along[near] - c, across[near] - s * g) / r)
    far = np.hypot(along - np.clip(along, 0.0, length_m), across)
    rise = smoothstep((far - relief.hills_from_m) / 320.0)
    hills = 0.5 + 0.5 * value_noise(along, across, 170.0, generator) + 0.25 * value_noise(along, across, 60.0, generator)
    return fade * z + rise * relief.hills_m * np.maximum(hills, 0.0)


def grid(length_m: float, step_m: float, relief: Relief, aside_m: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Points (V, 3) of the ground (along, across, height) and its quads (F, 4), seen from above counter-clockwise."""
    a, b = ticks(-9.0, length_m + 9.0, 2.0 * step_m), ticks(-9.0 - aside_m, 9.0 + aside_m, step_m)
    along, across = np.meshgrid(a, b, indexing="ij")
    points = np.stack([along, across, heights(along, across, length_m, relief, aside_m)], axis=-1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(len(a) - 1), np.arange(len(b) - 1), indexing="ij")
    start = (i * len(b) + j).ravel()
    return points, np.column_stack([start, start + len(b), start + len(b) + 1, start + 1])


def rock_points(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A rock of about unit size: points (98, 3) and triangles (192, 3) of a dented, flattened ball."""
    rows, columns = 8, 14
    polar = np.linspace(0.0, np.pi, rows + 1)[1:-1]
    turn = np.arange(columns) * 2 * np.pi / columns
    ball = np.stack([np.outer(np.sin(polar), np.cos(turn)), np.outer(np.sin(polar), np.sin(turn)),
                     np.outer(np.cos(polar), np.ones(columns))], axis=-1).reshape(-1, 3)
    ball = np.vstack([ball, [0, 0, 1.0], [0, 0, -1.0]])
    for _ in range(9):  # facets: cut by random planes
        normal = generator.normal(size=3)
        normal /= np.linalg.norm(normal)
        depth = generator.uniform(0.55, 0.9)
        ball -= np.maximum(ball @ normal - depth, 0.0)[:, None] * normal
    ball *= [1.0, generator.uniform(0.6, 0.95), generator.uniform(0.45, 0.75)]
    r, c = np.meshgrid(np.arange(rows - 2), np.arange(columns), indexing="ij")
    p, q = (r * columns + c).ravel(), (r * columns + (c + 1) % columns).ravel()
    sides = np.concatenate([np.column_stack([p, p + columns, q + columns]), np.column_stack([p, q + columns, q])])
    first, last = np.arange(columns), (rows - 2) * columns + np.arange(columns)
    top = np.column_stack([first, np.roll(first, -1), np.full(columns, len(ball) - 2)])
    base = np.column_stack([np.roll(last, -1), last, np.full(columns, len(ball) - 1)])
    return ball, np.concatenate([sides, top, base])


STAIR = 40, 0.15, 0.32
"""Number, rise and run [m] of the sample stair's treads."""
PLATE_M, BESIDE_M = (-6.0, 40.0), 6.0
"""How far the samples' ground goes on behind and ahead, and to either side."""
SLABS, SLABS_M = 150, (1.0, 16.0, 1.5)
"""Number of the rubble's flat stones; from where to where along the way they lie, and how far to either side."""


def sample_ground(name: str) -> list[tuple[float, float, float, float, float]]:
    """Boxes for somebody to walk on who stands at the origin, each from where to where along the way and across it, and its
    height [m]: a "stair", or "rubble" of flat stones; the first is the level ground."""
    (back, ahead), side = PLATE_M, BESIDE_M
    ground = [(back, ahead, -side, side, 0.0)]
    if name == "stair":
        count, rise, run = STAIR
        return ground + [((i + 1) * run, ahead, -side, side, (i + 1) * rise) for i in range(count)]
    generator = np.random.default_rng(3)
    near, far, aside = SLABS_M
    low = generator.uniform((near, -aside), (far, aside), (SLABS, 2))
    size, height = generator.uniform(0.25, 0.7, (SLABS, 2)), generator.uniform(0.01, 0.06, SLABS)
    return ground + [(x, x + long, y, y + wide, high) for (x, y), (long, wide), high in zip(
        low.tolist(), size.tolist(), height.tolist(), strict=True)]


def box_mesh(boxes: list[tuple[float, float, float, float, float]]) -> tuple[np.ndarray, np.ndarray]:
    """Points (8 n, 3) [m] and quads (6 n, 4) of boxes as `sample_ground` has them, that reach a little below the ground."""
    points = np.array([(x, y, z) for start, end, right, left, high in boxes for z in (-0.1, high)
                       for x, y in ((start, right), (end, right), (end, left), (start, left))])
    faces = np.array([[3, 2, 1, 0], [4, 5, 6, 7], *([i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4] for i in range(4))])
    return points, (8 * np.arange(len(boxes))[:, None, None] + faces).reshape(-1, 4)


@dataclass(frozen=True)
class Scatter:
    """Rocks to place: (N, 2) along and across, their size [m], turn [rad] and kind."""

    places: np.ndarray
    sizes: np.ndarray
    turns: np.ndarray
    kinds: np.ndarray


def scatter_rocks(count: int, kinds: int, length_m: float, seed: int, aside_m: float = 0.0) -> Scatter:
    """Rocks beside the corridor, many small and few large, more of them near it."""
    generator = np.random.default_rng(seed)
    sizes = 0.022 * (1.0 - generator.uniform(0.0, 0.992, count)) ** -0.55
    away = CORRIDOR_HALF_WIDTH_M + aside_m + 0.25 + 1.5 * sizes
    across = generator.choice([-1.0, 1.0], count) * (away + generator.exponential(5.0, count))
    places = np.column_stack([generator.uniform(-12.0, length_m + 12.0, count), across])
    return Scatter(places, sizes, generator.uniform(0.0, 2 * np.pi, count), generator.integers(0, kinds, count))
