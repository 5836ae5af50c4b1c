# SPDX-License-Identifier: GPL-3.0-or-later
"""What overlays draw, in a take's places, in plain numpy: a walker as lines over time, a response to a push as poses, a plan as
lines and labels; and what lies under the mouse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..locomotion.controller import Plan
    from ..specs.shot import Push


SKETCH_HOLD_S = 0.4
"""How long the last pose is held before it is played again."""
LEFT, RIGHT, MIDDLE = "L", "R", ""


@dataclass(frozen=True)
class Sketch:
    """Lines of a body over time: `ends` (N, S, 2, 3) [m], `rate_hz`; `sides` of the S lines, "L", "R" or ""; and `words`."""

    rate_hz: float
    ends: np.ndarray
    sides: tuple[str, ...]
    words: str = ""

    @classmethod
    def of(cls, view: Mapping[str, Any], words: str = "") -> Sketch | None:
        """What a search shows of its best walker; None while it shows none."""
        if not view.get("ends"):
            return None
        return cls(float(view["rate_hz"]), np.array(view["ends"], dtype=float), tuple(view["sides"]), words)

    def row(self, seconds: float) -> int:
        lasts_s = (len(self.ends) - 1) / self.rate_hz
        return min(round(seconds % (lasts_s + SKETCH_HOLD_S) * self.rate_hz), len(self.ends) - 1)

    def lines(self, row: int, side: str) -> np.ndarray:
        """Pairs of ends (2 M, 3) of a pose's lines of one side, as line batches take them."""
        chosen = [index for index, one in enumerate(self.sides) if one == side]
        return self.ends[row, chosen].reshape(-1, 3)


HOLD_S = 0.7
"""How long the last pose is held before it is played again."""


@dataclass(frozen=True)
class Playback:
    """Poses from the push on, `rate_hz`: places of the root (N, 3) [m], and orientations (N, S, 4), the root's in the world,
    others relative to their parents. One that is not yet `whole` is played once, its last pose held."""

    rate_hz: float
    root_m: np.ndarray
    turns: np.ndarray
    whole: bool = True

    @property
    def lasts_s(self) -> float:
        return (len(self.root_m) - 1) / self.rate_hz

    def row(self, seconds: float) -> int:
        at = seconds % (self.lasts_s + HOLD_S) if self.whole else seconds
        return min(round(at * self.rate_hz), len(self.root_m) - 1)


SIDES = "LR"
OUTLINE = ((-0.5, 0.11), (-0.42, 0.17), (-0.2, 0.13), (0.1, 0.17), (0.3, 0.2), (0.44, 0.14), (0.5, 0.02), (0.46, -0.1),
           (0.3, -0.17), (0.1, -0.13), (-0.2, -0.12), (-0.42, -0.15), (-0.5, -0.11))
"""A left footprint (along, across) in foot lengths, from its middle; the inner side is across < 0."""
ANKLE_AT = -0.22
"""Where the ankle stands over the footprint, along it, in foot lengths from its middle."""
FOOT_SHARE = 0.152
"""Length of a foot as a share of stature (Winter, "Biomechanics and Motor Control of Human Movement", fig. 4.1)."""
ABOVE_GROUND_M = 0.004
WEIGHT_SHARE = 0.55
"""Height of a standing person's centre of mass as a share of stature (Winter, table 4.1, gives 0.54 to 0.56)."""
ARROW_M_PER_NS, SHORTEST_ARROW_M, LONGEST_ARROW_M, BARBS_M = 0.02, 0.5, 1.5, 0.08
"""A push's arrow: its length a newton second, within bounds, and how far its barbs stand off."""


@dataclass(frozen=True)
class Drawing:
    """Places of a take [m]: polylines (N, 3) of `com` and `cart`, closed `prints` (N, K, 3) with their `sides`, label
    places (N, 3), and which prints are `locked`; `speeds` [m/s] at places (x, y, speed) of the path; `arrows` of pushes as pairs
    of ends (2 M, 3)."""

    com: np.ndarray
    cart: np.ndarray
    prints: np.ndarray
    sides: tuple[str, ...]
    labels: np.ndarray
    words: tuple[str, ...] = field(default=())
    locked: frozenset[int] = frozenset()
    speeds: tuple[tuple[float, float, float], ...] = ()
    arrows: np.ndarray = field(default_factory=lambda: np.empty((0, 3)))


def draw(plan: Plan, height_m: float, words: tuple[str, ...] = (), locked: frozenset[int] = frozenset(),
         pendulum: bool = True, pushes: Sequence[Push] = ()) -> Drawing:
    """The drawing of a plan; `height_m` gives the feet's size, `words` are shown below, `locked` the artist's footprints. Only a
    `pendulum` has a cart: elsewhere that line is the pressure, which leaps from foot to foot. The plan knows of no `pushes`:
    their arrows end where it has the body's weight when they begin."""
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
    cart = np.array(plan.cart_m if pendulum else np.empty((0, 3)), dtype=float) + (0.0, 0.0, ABOVE_GROUND_M)
    return Drawing(np.asarray(plan.com_m, dtype=float), cart, places, tuple(SIDES[int(side)] for side in plan.footstep_side),
                   places.mean(axis=1), words, locked, () if plan.along is None else plan.along.marks,
                   _arrows(pushes, np.asarray(plan.time_s), np.asarray(plan.com_m, dtype=float)))


def draw_unplanned(height_m: float, pushes: Sequence[Push]) -> Drawing:
    """The drawing of a shot that has no plan: its pushes' arrows end at the body's weight where it stands at first."""
    none, weight = np.empty((0, 3)), np.array([[0.0, 0.0, WEIGHT_SHARE * height_m]])
    return Drawing(none, none, np.empty((0, len(OUTLINE), 3)), (), none, arrows=_arrows(pushes, np.zeros(1), weight))


def _arrows(pushes: Sequence[Push], time_s: np.ndarray, com_m: np.ndarray) -> np.ndarray:
    """Arrows (6 P, 3) that end where the centre of mass (T, 3) is when the push begins."""
    heads = ([np.interp(push.start_s, time_s, axis) for axis in com_m.T] for push in pushes)
    return np.concatenate([np.empty((0, 3)), *(_arrow(push, np.array(head)) for push, head in zip(pushes, heads, strict=True))])


def _arrow(push: Push, head: np.ndarray) -> np.ndarray:
    """The lines (6, 3) of a push's arrow: a shaft that ends at `head` (3,), and two barbs; none of a push of no force."""
    force = np.asarray(push.force_n, dtype=float)
    size = np.linalg.norm(force)
    if size == 0.0:
        return np.empty((0, 3))
    way = force / size
    aside = np.cross(way, (0.0, 0.0, 1.0) if abs(way[2]) < 0.9 else (1.0, 0.0, 0.0))
    aside *= BARBS_M / np.linalg.norm(aside)
    tail = head - way * np.clip(ARROW_M_PER_NS * size * push.duration_s, SHORTEST_ARROW_M, LONGEST_ARROW_M)
    back = head - 2.0 * BARBS_M * way
    return np.array([tail, head, back + aside, head, back - aside, head])


def segments(polyline: np.ndarray, closed: bool = False) -> np.ndarray:
    """Pairs of ends (2 M, 3) of a polyline's pieces, as line batches take them."""
    ends = np.roll(polyline, -1, axis=0) if closed else polyline[1:]
    starts = polyline if closed else polyline[:-1]
    return np.stack([starts, ends], axis=1).reshape(-1, 3)


def nearest(points: np.ndarray, mouse: Sequence[float], reach: float, first: int = 0) -> int | None:
    """Number, from `first` on, of the point (N, 2) nearest to the mouse within `reach`, or None; unseen points are NaN."""
    away = np.hypot(*(points - np.asarray(mouse, dtype=float)).T)
    if not np.any(away <= reach):
        return None
    return first + int(np.nanargmin(away))


def on_ground(matrix: np.ndarray, origin: np.ndarray, direction: np.ndarray) -> tuple[float, float] | None:
    """Where a ray from `origin` (3,) along `direction` (3,), both in the world, meets the level ground of a take whose
    places `matrix` (4, 4) brings to the world; x and y there [m]. None where it looks along the ground or away from it."""
    inverse = np.linalg.inv(matrix)
    start, way = inverse[:3, :3] @ origin + inverse[:3, 3], inverse[:3, :3] @ direction
    if abs(way[2]) < 1e-6 * np.linalg.norm(way) or start[2] * way[2] > 0.0:
        return None
    at = start - way * (start[2] / way[2])
    return float(at[0]), float(at[1])
