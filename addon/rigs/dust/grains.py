# SPDX-License-Identifier: GPL-3.0-or-later
"""The dust of a take: which grains its kicks send off, when, how fast and where to, and how long they fly. Drawn from the shot's
seed; their flight is `worlds.dust`'s."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...maths.rotations import rotation_between
from ...worlds.dust import HALVINGS, Air, flight, landing_s, relaxation_s
from ...worlds.ground import Ground, Plane
from .footfalls import STRIKE, Kick

GRAINS_A_STRIKE, GRAINS_A_LEAVING, FULL_SPEED_M_S = 1500, 3200, 1.0
"""Grains of a foot that lands or leaves at that speed; fewer of a slower one, down to none (by eye)."""
CURTAIN_DEG, CURTAIN_SPREAD_DEG = 40.0, 5.0
"""Elevation at which grains leave: of an impact's curtain about 45 degrees, hardly depending on the grain (Housen and Holsapple
2011), a little lower before a foot that swings ahead. As all leave alike they stay a sheet: the look of dust without air."""
FAN_DEG = 30.0
"""Spread of directions before a leaving foot (first guess)."""
RING_SHARE, FAN_SHARE = 1.1, 1.6
"""Speed of the fastest grains over the foot's: about a landing sole, and before a leaving one, which squeezes and flings them (by
eye: at a lope on the Moon dust flies shin-high, as in the Apollo films)."""
SLOWEST = 0.25
"""Slowest grain over the fastest."""
GRAIN_M = (18e-6, 60e-6)
"""Diameters of the grains that stay in the air (lunar soil: half of its mass is finer than 70 micrometres; Carrier 1973)."""
SHOWN_M = (0.0012, 0.0034)
"""Radii of what is drawn for a clump of grains without air."""
PUFF_M, PUFFS, PUFF_S, PUFF_TIME_S = (0.035, 0.075), 0.009, (0.7, 1.9), 0.45
"""In air: radii of what is drawn, how many of them for a grain without, how long they last at most, and how fast they spread."""
PUFF_SPREAD_M = (0.10, 0.10, 0.06)
"""How far the air's whirl about a foot carries dust: forth and back, aside, up (first guess)."""
SOLE_M = (0.13, 0.045)
"""Half length and half width of the ring of a landing sole."""
DEEPEST_M, LOOKS = 2.0, 48
"""On ground that is not level: how far below its start a grain may come down, as at a step's edge, and at how many moments of its
flight it is looked whether it has."""


@dataclass(frozen=True)
class Grains:
    """Grains (N,): when [s] and where (N, 3) [m] they start, how fast (N, 3) [m/s], how far the air's whirl takes them (N, 3)
    [m], for how long they fly [s], how they are braked (relaxation [s]), under which gravity, and the radius that they are drawn
    with [m]."""

    start_s: np.ndarray
    place: np.ndarray
    velocity: np.ndarray
    spread: np.ndarray
    life_s: np.ndarray
    relaxation_s: np.ndarray
    gravity_m_s2: np.ndarray
    radius_m: np.ndarray

    def at(self, time_s: float) -> tuple[np.ndarray, np.ndarray]:
        """Which of the grains fly at a time (K,), and where (K, 3) [m]."""
        age = time_s - self.start_s
        rows = np.flatnonzero((age >= 0.0) & (age <= self.life_s))
        ways = [flight(age[[row]], self.velocity[[row]], self.gravity_m_s2[row], self.relaxation_s[[row]])[0] for row in rows]
        whirl = -np.expm1(-age[rows] / PUFF_TIME_S)[:, None] * self.spread[rows]
        return rows, self.place[rows] + np.array(ways).reshape(-1, 3) + whirl


def grains_of(kicks: Sequence[Kick], seed: int, air: Air | None, amount: float = 1.0, ground: Ground | None = None) -> Grains:
    """The grains of some kicks; `amount` times as many as usual. They leave and come down on the `ground`, level where none is
    given. The same seed gives the same grains."""
    ground = ground or Plane()
    parts = [_of_kick(kick, np.random.default_rng([seed, number]), air, amount, ground) for number, kick in enumerate(kicks)]
    whole = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else [np.zeros(0)] * 8
    whole[1:4] = [column.reshape(-1, 3) for column in whole[1:4]]
    return Grains(*whole)


def _of_kick(kick: Kick, generator: np.random.Generator, air: Air | None, amount: float,
             ground: Ground) -> tuple[np.ndarray, ...]:
    speed = float(np.linalg.norm(kick.velocity_m_s))
    most, share = (GRAINS_A_STRIKE, RING_SHARE) if kick.kind == STRIKE else (GRAINS_A_LEAVING * kick.share, FAN_SHARE)
    count = int(most * amount * min(speed / FULL_SPEED_M_S, 1.5) * (1.0 if air is None else PUFFS) + generator.random())
    turn = np.arctan2(kick.ahead[1], kick.ahead[0])
    if kick.kind == STRIKE:
        azimuth = generator.uniform(0.0, 2.0 * np.pi, count)
        ring = np.stack([SOLE_M[0] * np.cos(azimuth), SOLE_M[1] * np.sin(azimuth)], axis=1)
    else:
        azimuth = np.radians(FAN_DEG) * generator.normal(size=count)
        turn = np.arctan2(kick.velocity_m_s[1], kick.velocity_m_s[0])
        ring = generator.uniform(-0.5, 0.5, (count, 2)) * SOLE_M[1]
    elevation = np.radians(CURTAIN_DEG + CURTAIN_SPREAD_DEG * generator.normal(size=count))
    fast = share * speed * (SLOWEST + (1.0 - SLOWEST) * generator.random(count)**1.6)
    velocity = fast[:, None] * np.stack([np.cos(elevation) * np.cos(azimuth + turn), np.cos(elevation) * np.sin(azimuth + turn),
                                         np.sin(elevation)], axis=1)
    place = np.zeros((count, 3)) + kick.place
    place[:, 0] += np.cos(turn) * ring[:, 0] - np.sin(turn) * ring[:, 1]
    place[:, 1] += np.sin(turn) * ring[:, 0] + np.cos(turn) * ring[:, 1]
    size, gravity = generator.uniform(*GRAIN_M, count), np.full(count, kick.gravity_m_s2)
    relaxation = relaxation_s(air, size)
    spread, low = np.zeros((count, 3)), np.zeros(count)
    if air is not None:
        spread = np.array(PUFF_SPREAD_M) * generator.normal(size=(count, 3)) * min(speed, 1.5)
        spread[:, 2] = np.abs(spread[:, 2])
        low = spread[:, 2]
    if ground.level:
        life = landing_s(velocity, low, kick.gravity_m_s2, relaxation)
    else:
        up = ground.normal(*kick.place[:2])
        velocity = velocity @ rotation_between(np.array([0.0, 0.0, 1.0]), np.asarray(up, float)).T
        place[:, 2] = ground.height(*place[:, :2].T)
        life = _landing_on(ground, place, velocity, low, kick.gravity_m_s2, relaxation)
    if air is not None:
        life = np.minimum(life, generator.uniform(*PUFF_S, count))
    radius = generator.uniform(*(SHOWN_M if air is None else PUFF_M), count)
    return np.full(count, kick.time_s), place, velocity, spread, life, relaxation, gravity, radius


def _landing_on(ground: Ground, place: np.ndarray, velocity: np.ndarray, low: np.ndarray, gravity_m_s2: float,
                relaxation: np.ndarray) -> np.ndarray:
    """When grains (N,) [s] that start at places (N, 3), `low` (N,) [m] more over them, are on ground that is not level: at the
    first of some looks, and then by halving. One that flies beyond `DEEPEST_M` ends there."""
    def above(time_s: np.ndarray) -> np.ndarray:
        at = place + flight(time_s, velocity, gravity_m_s2, relaxation)
        return at[:, 2] + low > ground.height(at[:, 0], at[:, 1])

    last = landing_s(velocity, low + DEEPEST_M, gravity_m_s2, relaxation)
    early, late, flying = np.zeros_like(last), last.copy(), np.ones(len(last), dtype=bool)
    for look in range(1, LOOKS + 1):
        time = last * look / LOOKS
        landed = flying & ~above(time)
        late[landed] = time[landed]
        flying &= ~landed
        early[flying] = time[flying]
    for _ in range(HALVINGS):
        middle = 0.5 * (early + late)
        up = above(middle)
        early, late = np.where(up, middle, early), np.where(up, late, middle)
    return early
