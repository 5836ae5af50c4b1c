# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan as lines and labels: footprints, the way of the centre of mass and of the cart. Plain numpy, in a take's places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ..controllers.controller import Plan

SIDES = "LR"
OUTLINE = ((-0.5, 0.11), (-0.42, 0.17), (-0.2, 0.13), (0.1, 0.17), (0.3, 0.2), (0.44, 0.14), (0.5, 0.02), (0.46, -0.1),
           (0.3, -0.17), (0.1, -0.13), (-0.2, -0.12), (-0.42, -0.15), (-0.5, -0.11))
"""A left footprint (along, across) in foot lengths, from its middle; the inner side is across < 0."""
ANKLE_AT = -0.22
"""Where the ankle stands over the footprint, along it, in foot lengths from its middle."""
FOOT_SHARE = 0.152
"""Length of a foot as a share of stature (Winter, "Biomechanics and Motor Control of Human Movement", fig. 4.1)."""
ABOVE_GROUND_M = 0.004


@dataclass(frozen=True)
class Drawing:
    """Places of a take [m]: polylines (N, 3) of `com` and `cart`, closed `prints` (N, K, 3) with their `sides`, label
    places (N, 3), and which prints are `locked`; `speeds` [m/s] at places (x, y, speed) of the path."""

    com: np.ndarray
    cart: np.ndarray
    prints: np.ndarray
    sides: tuple[str, ...]
    labels: np.ndarray
    words: tuple[str, ...] = field(default=())
    locked: frozenset[int] = frozenset()
    speeds: tuple[tuple[float, float, float], ...] = ()


def draw(plan: Plan, height_m: float, words: tuple[str, ...] = (), locked: frozenset[int] = frozenset()) -> Drawing:
    """The drawing of a plan. The body's `height_m` gives the size of the feet, `words` are shown below; `locked` are the
    numbers of footprints that the artist has laid."""
    length = FOOT_SHARE * height_m
    angle = np.asarray(plan.footstep_heading_rad, dtype=float)
    outline = np.array(OUTLINE)
    across = np.where(np.asarray(plan.footstep_side) == 0, 1.0, -1.0)
    local = length * np.stack([np.broadcast_to(outline[:, 0] - ANKLE_AT, (len(angle), len(outline))),
                               outline[:, 1] * across[:, None]], axis=-1)
    c, s = np.cos(angle)[:, None], np.sin(angle)[:, None]
    turned = np.stack([local[..., 0] * c - local[..., 1] * s, local[..., 0] * s + local[..., 1] * c,
                       np.full(local.shape[:2], ABOVE_GROUND_M)], axis=-1)
    places = np.asarray(plan.footstep_m, dtype=float)[:, None, :] + turned
    cart = np.array(plan.cart_m, dtype=float)
    cart[:, 2] = cart[:, 2] + ABOVE_GROUND_M
    return Drawing(np.asarray(plan.com_m, dtype=float), cart, places, tuple(SIDES[int(side)] for side in plan.footstep_side),
                   places.mean(axis=1), words, locked, () if plan.along is None else plan.along.marks)


def segments(polyline: np.ndarray, closed: bool = False) -> np.ndarray:
    """Pairs of ends (2 M, 3) of a polyline's pieces, as line batches take them."""
    ends = np.roll(polyline, -1, axis=0) if closed else polyline[1:]
    starts = polyline if closed else polyline[:-1]
    return np.stack([starts, ends], axis=1).reshape(-1, 3)
