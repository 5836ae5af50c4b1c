# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a foot must land to catch a body that falls, and which foot: the capture point when it lands.

With the centre of pressure at r the capture point xi = c + v / omega goes as xi(T) = r + (xi - r) e^(omega T), and the centre of
mass as c(T) = r + (xi - r) e^(omega T) / 2 + (c - r - (xi - r) / 2) e^(-omega T) (Pratt et al. 2006; Englsberger et al. 2015).
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

from ...bodies.human.landmarks import SIDES
from ..tracking.planners.foot_geometry import Footstep
from .settings import StandingSettings
from .stance import OUT
from .support import nearest

PEAK_SPEED = 1.875
"""Peak of a quintic's speed over its mean."""
LOAD_PRICE_M, LOAD_FREE, CROSS_PRICE_M, AGAIN_PRICE_M = 0.10, 0.35, 0.04, 0.05
"""What a foot costs that carries more than its free share, crosses the other, or has just landed (first guess, as the distance by
which its step misses)."""
CROSS_LEG = -0.9
"""Farthest that a crossing foot lands on the other side of the standing one, over the leg's length."""
ROUNDS = 4


@dataclass(frozen=True)
class Limits:
    """What legs can do: their length, how far hip and ankle can be apart on the level, how fast an ankle goes."""

    leg_m: float
    level_reach_m: float
    swing_m_s: float


@dataclass(frozen=True)
class Catch:
    """A step that catches: the foot, its landing, how long it takes, whether it crosses, and what it misses [m]."""

    side: str
    place: complex
    duration_s: float
    crosses: bool
    miss_m: float


@dataclass(frozen=True)
class Falling:
    """A body as it falls: place and velocity of its centre of mass, the pendulum's rate, its heading."""

    com: complex
    velocity: complex
    omega: float
    heading: float

    @property
    def capture(self) -> complex:
        """The capture point."""
        return self.com + self.velocity / self.omega

    def after(self, pressure: complex, time_s: float) -> tuple[complex, complex]:
        """Centre of mass and capture point after a time with the pressure at a place."""
        away, grown = self.capture - pressure, math.exp(self.omega * time_s)
        return (pressure + 0.5 * away * grown + (self.com - pressure - 0.5 * away) / grown, pressure + away * grown)


def catch(
    side: str, falling: Falling, standing: Footstep, corners: list[complex], ankle: complex, hip: complex, sole_m: float,
    settings: StandingSettings, limits: Limits, slow: float, left_s: float | None = None, least_s: float | None = None,
) -> Catch:
    """The step of one foot while the other stands, whose sole has these corners. `ankle` is where it is now, `hip` its hip from
    the centre of mass, `sole_m` how far a sole's middle is ahead of its ankle; `left_s` is left of a swing that has begun;
    `least_s` is how long a swing takes at least, a step's own time if nothing is said."""
    pressure, _ = nearest(falling.capture, corners)
    least = settings.swing_s * slow if least_s is None else least_s
    duration = left_s if left_s is not None else least
    place, capture, crosses = ankle, falling.capture, False
    for _ in range(1 if left_s is not None else ROUNDS):
        com, capture = falling.after(pressure, duration)
        away = capture - pressure
        beyond = settings.beyond_m * away / max(abs(away), 1e-9)
        foot = cmath.exp(1j * falling.heading)
        wanted = capture + beyond - sole_m * foot
        place, crosses = reached(side, wanted, standing, com + hip, settings, limits)
        if left_s is None:
            duration = max(least, PEAK_SPEED * abs(place - ankle) / limits.swing_m_s)
    sole = place + sole_m * cmath.exp(1j * falling.heading)
    return Catch(side, place, duration, crosses, abs(capture - sole))


def reached(
    side: str, wanted: complex, standing: Footstep, hip: complex, settings: StandingSettings, limits: Limits,
) -> tuple[complex, bool]:
    """The place nearest to the wanted one that the leg reaches, clear of the other foot; and whether it crosses that."""
    away = wanted - hip
    if abs(away) > limits.level_reach_m:
        wanted = hip + away * (limits.level_reach_m / abs(away))
    forward = cmath.exp(1j * standing.yaw)
    local = (wanted - standing.place) / forward
    longest = settings.longest * limits.leg_m
    if abs(local) > longest:
        local *= longest / abs(local)
    out, beside, past = OUT[side] * local.imag, settings.beside * limits.leg_m, settings.past * limits.leg_m
    if out < beside:
        if abs(local.real) < past:
            if out > 0.5 * beside:
                out = beside
            else:
                local = complex(math.copysign(past, local.real), local.imag)
        out = max(out, CROSS_LEG * limits.leg_m)
    return standing.place + forward * complex(local.real, OUT[side] * out), out < 0.0


def bow(from_: complex, to: complex, standing: Footstep, clear_m: float) -> complex:
    """How far a swing must go aside, at its middle, to pass a standing foot at a distance, on the side where it passes."""
    way = to - from_
    off = standing.place - from_
    share = min(max((off * way.conjugate()).real / max(abs(way) ** 2, 1e-9), 0.2), 0.8)
    away = from_ + share * way - standing.place
    lacking = clear_m - abs(away)
    if lacking <= 0.0:
        return 0j
    side = cmath.exp(1j * standing.yaw)
    if abs(way) > 1e-6 and abs(away) > 1e-6:  # square to its way, towards where it passes; where it goes through, in front
        normal = 1j * way / abs(way)
        if abs((normal * side.conjugate()).real) > 0.3:
            ahead = (away * side.conjugate()).real > -0.05
            normal *= math.copysign(1.0, (normal * side.conjugate()).real) * (1.0 if ahead else -1.0)
        else:
            normal *= math.copysign(1.0, (away * normal.conjugate()).real)
        side = normal
    return lacking / max(16.0 * (share * (1.0 - share)) ** 2, 0.4) * side


def choose(options: list[Catch], load: dict[str, float], just_landed: str | None) -> Catch:
    """The step that misses least, with a price on lifting a foot that carries much, on crossing, and on the same foot again.
    `load` is the share of the weight on each foot."""
    def cost(one: Catch) -> float:
        return (one.miss_m + LOAD_PRICE_M * max(0.0, load[one.side] - LOAD_FREE) / (1.0 - LOAD_FREE)
                + CROSS_PRICE_M * one.crosses + AGAIN_PRICE_M * (one.side == just_landed))

    return min(options, key=lambda one: (cost(one), SIDES.index(one.side)))
