# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a foot must land to catch a body that falls, and which foot: the capture point when it lands. With the centre of pressure
at r the capture point xi = c + v / omega goes as xi(T) = r + (xi - r) e^(omega T), and the centre of mass as c(T) = r + (xi - r)
e^(omega T) / 2 + (c - r - (xi - r) / 2) e^(-omega T) (Pratt et al. 2006; Englsberger et al. 2015)."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

from ...bodies.human.landmarks import SIDES
from ..legged.foot_geometry import Footstep
from .feet import fastest
from .stance import OUT, StandingSettings, nearest

CROSSINGS = BESIDE, BEFORE, BEHIND = "beside", "before", "behind"
"""How a foot goes by the other one: to its own side of it, or across, before it or behind it."""
LOAD_PRICE_M, LOAD_FREE, AGAIN_PRICE_M = 0.10, 0.35, 0.05
"""What a foot costs that carries more than its free share, or has just landed, as a step's miss (first guess)."""
CROSS_PRICE_M = {BESIDE: 0.0, BEFORE: 0.12, BEHIND: 0.16}
"""What a step across costs (first guess)."""
CROSS_LEG = -1.0
"""Farthest that a crossing foot lands on the other side of the standing one, over the leg's length."""
ROUNDS = 4
LEAST_BOW = 0.4
"""A bow is no wider than this makes it where a foot passes the other near an end of its way: over its height there."""


@dataclass(frozen=True)
class Limits:
    """What legs can do: their length, how far hip and ankle can be apart on the level, how fast an ankle goes."""

    leg_m: float
    level_reach_m: float
    swing_m_s: float


@dataclass(frozen=True)
class Catch:
    """A step that catches: the foot, its landing, how long it takes, how it goes by the other foot, how far aside for that, and
    how far from where it was wanted it lands [m]."""

    side: str
    place: complex
    duration_s: float
    crossing: str
    bow: complex
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
        return self.com + self.velocity / self.omega

    def after(self, pressure: complex, time_s: float) -> tuple[complex, complex]:
        """Centre of mass and capture point after a time with the pressure at a place."""
        away, grown = self.capture - pressure, math.exp(self.omega * time_s)
        return (pressure + 0.5 * away * grown + (self.com - pressure - 0.5 * away) / grown, pressure + away * grown)


@dataclass(frozen=True)
class Leg:
    """A leg that may step: its side, where its ankle is, its hip from the centre of mass, how far the middle of its sole is ahead
    of the ankle; the step and the sole's corners of the foot that stands; on which side of that it comes back from across."""

    side: str
    ankle: complex
    hip: complex
    sole_m: float
    standing: Footstep
    corners: list[complex]
    back: str = BESIDE


def catch(
    leg: Leg, falling: Falling, settings: StandingSettings, limits: Limits, crossing: str, least_s: float,
    left_s: float | None = None,
) -> Catch:
    """The step of one leg by the other foot in a way; a swing lasts `least_s` at least, one that has begun `left_s` more."""
    pressure, _ = nearest(falling.capture, leg.corners)
    duration = left_s if left_s is not None else least_s
    sole = leg.sole_m * cmath.exp(1j * falling.heading)
    place = wanted = leg.ankle
    aside = 0j
    for _ in range(1 if left_s is not None else ROUNDS):
        com, capture = falling.after(pressure, duration)
        away = capture - pressure
        wanted = capture + settings.beyond_m * away / max(abs(away), 1e-9) - sole
        if crossing == BESIDE:
            wanted += 1j * OUT[leg.side] * settings.outward_m * cmath.exp(1j * leg.standing.yaw)
        place = reached(leg.side, wanted, leg.standing, com + leg.hip, settings, limits, crossing)
        aside = bow(leg.side, leg.ankle, place, leg.standing, settings.bow * limits.leg_m, crossing, leg.back)
        if left_s is None:
            duration = max(least_s, fastest(place - leg.ankle, aside, 1.0) / limits.swing_m_s)
    return Catch(leg.side, place, duration, crossing, aside, abs(wanted - place))


def reached(
    side: str, wanted: complex, standing: Footstep, hip: complex, settings: StandingSettings, limits: Limits, crossing: str,
) -> complex:
    """The place nearest to the wanted one that the leg reaches, clear of the other foot, on the side of that that is allowed."""
    away = wanted - hip
    if abs(away) > limits.level_reach_m:
        wanted = hip + away * (limits.level_reach_m / abs(away))
    forward = cmath.exp(1j * standing.yaw)
    local = (wanted - standing.place) / forward
    longest = settings.longest * limits.leg_m
    if abs(local) > longest:
        local *= longest / abs(local)
    ahead, out, past = local.real, OUT[side] * local.imag, settings.past * limits.leg_m
    if crossing == BESIDE:
        out = max(out, settings.beside * limits.leg_m)
    else:
        out = max(out, CROSS_LEG * limits.leg_m)
        past *= 1.0 - 0.7 * min(max(-out / (0.5 * limits.leg_m), 0.0), 1.0)
        ahead = max(ahead, past) if crossing == BEFORE else min(ahead, -past)
    return standing.place + forward * complex(ahead, OUT[side] * out)


def bow(side: str, from_: complex, to: complex, standing: Footstep, clear_m: float, crossing: str, back: str = BESIDE) -> complex:
    """How far a swing must go aside, at its middle, to pass a standing foot at a distance: before it or behind it where it goes
    across or comes `back` from across, at its own side otherwise."""
    way, forward = to - from_, cmath.exp(1j * standing.yaw)
    if abs(way) < 1e-6:
        return 0j
    share = ((standing.place - from_) * way.conjugate()).real / abs(way) ** 2
    if not 0.0 < share < 1.0:  # away from it, or not yet there
        return 0j
    start = (from_ - standing.place) / forward
    if crossing != BESIDE:
        towards = forward if crossing == BEFORE else -forward
    elif OUT[side] * start.imag > 0.0:
        towards = 1j * OUT[side] * forward
    elif back != BESIDE:
        towards = forward if back == BEFORE else -forward
    else:
        towards = math.copysign(1.0, start.real) * forward
    normal = 1j * way / abs(way)
    normal *= math.copysign(1.0, (normal * towards.conjugate()).real)
    away = ((from_ + share * way - standing.place) * normal.conjugate()).real
    there = 16.0 * (share * (1.0 - share)) ** 2
    return max(clear_m - away, 0.0) * min(there / LEAST_BOW, 1.0) / max(there, LEAST_BOW) * normal


def choose(options: list[Catch], load: dict[str, float], just_landed: str | None) -> Catch:
    """The step that misses least, with a price on lifting a foot that carries much, on crossing, and on the same foot again.
    `load` is the share of the weight on each foot."""
    def cost(one: Catch) -> float:
        return (one.miss_m + LOAD_PRICE_M * max(0.0, load[one.side] - LOAD_FREE) / (1.0 - LOAD_FREE)
                + CROSS_PRICE_M[one.crossing] + AGAIN_PRICE_M * (one.side == just_landed))

    return min(options, key=lambda one: (cost(one), SIDES.index(one.side)))
