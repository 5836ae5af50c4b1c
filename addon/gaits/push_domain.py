# SPDX-License-Identifier: GPL-3.0-or-later
"""What pushes somebody who stands can take, from where, and how: the domain map of the strategies (Yin 2007, section 6.5). A push
is its impulse over the body's mass [m/s]; its direction is where it drives the body, in its own axes (0 ahead, a quarter turn to
the left). Maps are measured by `scripts/tools/make_push_domains.py`, one a gravity; between two of them pushes go by the Froude
number, v / sqrt(g leg), and gravity by its logarithm."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..checks import Number, Series, Text, Whole
from ..specs.settings import PRESETS, Checked, read_preset, setting
from ..specs.shot import GRAVITY_RANGE_M_S2

FORMAT = 1
FOLDER = PRESETS / "push_domains"
FALLS = -1
IN_PLACE, ONE_STEP, TWO_STEPS, MORE_STEPS = 0, 1, 2, 3
STRATEGIES = ("in place", "one step", "two steps", "more steps")
"""Names of the domains, from the innermost, by the steps taken."""


@dataclass(frozen=True)
class DomainPreset(Checked):
    """What a file holds: `outcomes`, a text a direction, a character a speed: steps taken (9: more than eight), x for a fall."""

    FIELD = "field of a push domain"
    format: int = setting(rule=Whole(1))
    world: str = setting(rule=Text())
    gravity_m_s2: float = setting(rule=Number(0.25, GRAVITY_RANGE_M_S2[1], "m/s^2"))
    leg_m: float = setting(rule=Number(0.1, 3.0, "m"))
    push_s: float = setting(rule=Number(0.001, 5.0, "s"))
    directions_deg: tuple[float, ...] = setting(rule=Series(Number(0.0, 360.0, "deg")))
    speeds_m_s: tuple[float, ...] = setting(rule=Series(Number(0.0, 50.0, "m/s")))
    outcomes: tuple[str, ...] = setting(rule=Series(Text()))
    source: str = setting(rule=Text())


@dataclass(frozen=True)
class PushDomain:
    """For each of `directions_rad` (D,) speeds (4, D) [m/s] up to which pushes end in place, with 1, 2, more steps."""

    gravity_m_s2: float
    directions_rad: np.ndarray
    limits_m_s: np.ndarray

    def limit_m_s(self, steps: int | None, direction_rad: float) -> float:
        """The hardest push from a direction that so many steps are enough for; None: any number."""
        row = self.limits_m_s[MORE_STEPS if steps is None else min(steps, MORE_STEPS)]
        return float(np.interp(direction_rad % math.tau, [*self.directions_rad, math.tau], [*row, row[0]]))

    def towards(self, directions_rad: np.ndarray) -> np.ndarray:
        """The limits (4, D) [m/s] at other directions (D,)."""
        return np.array([[self.limit_m_s(k, float(way)) for way in directions_rad] for k in range(len(STRATEGIES))])

    def strategy(self, direction_rad: float, speed_m_s: float, steps: int | None = None) -> int:
        """How a push ends where at most so many steps may be taken: `IN_PLACE` to `MORE_STEPS`, or `FALLS`."""
        most = MORE_STEPS if steps is None else min(steps, MORE_STEPS)
        return next((k for k in range(most + 1) if speed_m_s <= self.limit_m_s(k, direction_rad)), FALLS)

    def outline(self, strategy: int) -> np.ndarray:
        """The edge (D, 2) of a domain in the body's own axes, ahead and left [m/s]."""
        row = self.limits_m_s[strategy]
        return np.stack((row * np.cos(self.directions_rad), row * np.sin(self.directions_rad)), axis=1)


def limits(preset: DomainPreset) -> np.ndarray:
    """The speeds (4, D) [m/s] of a map: the last one before the first push that takes more."""
    found = np.zeros((len(STRATEGIES), len(preset.directions_deg)))
    for d, text in enumerate(preset.outcomes):
        for strategy in range(len(STRATEGIES)):
            for speed, code in zip(preset.speeds_m_s, text, strict=True):
                if code == "x" or (strategy < MORE_STEPS and int(code) > strategy):
                    break
                found[strategy, d] = speed
    return np.maximum.accumulate(found, axis=0)


@cache
def measured() -> tuple[tuple[DomainPreset, PushDomain], ...]:
    """The maps that there are, from the lightest gravity."""
    presets = sorted((read_preset(path, DomainPreset, "push domain", newest=FORMAT, called="world")
                      for path in FOLDER.glob("*.json")), key=lambda preset: preset.gravity_m_s2)
    return tuple((preset, PushDomain(preset.gravity_m_s2, np.radians(preset.directions_deg), limits(preset)))
                 for preset in presets)


def find_domain(gravity_m_s2: float, leg_m: float) -> PushDomain:
    """What a body on legs of a length takes under a gravity: a map scaled, or between the two nearest."""
    maps = measured()
    at = np.log([preset.gravity_m_s2 for preset, _ in maps])
    where = float(np.interp(math.log(gravity_m_s2), at, np.arange(len(maps))))
    low = min(int(where), len(maps) - 1)
    high = min(low + 1, len(maps) - 1)
    finer = max(maps[low][1], maps[high][1], key=lambda domain: len(domain.directions_rad)).directions_rad
    lighter, heavier = (domain.towards(finer) / math.sqrt(preset.gravity_m_s2 * preset.leg_m)
                        for preset, domain in (maps[low], maps[high]))
    between = lighter + (where - low) * (heavier - lighter)
    return PushDomain(gravity_m_s2, finer, math.sqrt(gravity_m_s2 * leg_m) * between)
