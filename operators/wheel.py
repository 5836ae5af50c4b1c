# SPDX-License-Identifier: GPL-3.0-or-later
"""From what the hands do to what is wished for: keys held, a 3D mouse, an object to go to, a click. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..addon.specs.shot import EARTH_GRAVITY_M_S2

FASTER, SLOWER, LEFT, RIGHT = "faster", "slower", "left", "right"
KEYS = {"UP_ARROW": FASTER, "W": FASTER, "DOWN_ARROW": SLOWER, "S": SLOWER, "LEFT_ARROW": LEFT, "A": LEFT,
        "RIGHT_ARROW": RIGHT, "D": RIGHT}
"""What a key does while it is held, by Blender's name of it."""
NUMBERS = {name: number for number, digit in enumerate(
    ("ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"), start=1)
    for name in (digit, f"NUMPAD_{number}")}
"""Keys that choose a gait by its place."""
FASTER_G = 0.08
"""How fast a held key changes the speed that is wished for, over gravity: on Earth by 0.8 m/s in a second (first guess)."""
TURN_RAD_S = 0.9
"""How fast a held key turns on Earth, elsewhere with the square root of gravity (first guess)."""
TOLD_M_S = 0.05
"""A speed that is on its way is told anew when it has changed by so much: far less than a step would feel."""
TOLD_RAD_S = 0.05
"""The same of a rate of turning."""
DIGITS = 3
HOMING = 1.5
"""Rate of turning towards an object over the angle that is left [1/s] (first guess)."""
NEAR_S = 1.5
"""An object that is nearer than one goes in this time is gone to more slowly (first guess)."""
AMIDST = 0.35
"""A click no farther beside the trunk than this share of the body's height on the screen hits it from where one looks."""


@dataclass(frozen=True)
class Reach:
    """What may be wished for: speeds from `low_m_s` to `high_m_s`, how fast a speed is changed and how fast one turns, gaits by
    name, each with its own speed, in the order of the number keys, the names of wishes that the controller takes, and the highest
    speed of each gait where they differ."""

    low_m_s: float
    high_m_s: float
    faster_m_s2: float
    turn_rad_s: float
    gaits: tuple[tuple[str, float], ...] = ()
    takes: tuple[str, ...] = ()
    highest_m_s: tuple[float, ...] = ()

    def top_m_s(self, gait: str | None) -> float:
        """The highest speed that may be wished for in a gait, None for the first one."""
        if not self.highest_m_s:
            return self.high_m_s
        names = [name for name, _ in self.gaits]
        return min(self.highest_m_s[names.index(gait) if gait in names else 0], self.high_m_s)


@dataclass(frozen=True)
class Wheel:
    """How the wheel stands."""

    speed_m_s: float
    turn_rad_s: float = 0.0
    gait: str | None = None


def reach_of(gravity_m_s2: float, speeds: tuple[float, float], gaits: Sequence[tuple[str, float]], takes: Sequence[str],
             faster_m_s2: float | None = None, highest_m_s: Sequence[float] = ()) -> Reach:
    """What may be wished for under a gravity, at speeds between the lowest and the highest [m/s]; a held key changes the speed by
    `faster_m_s2`, None for what is usual under that gravity."""
    return Reach(*speeds, FASTER_G * gravity_m_s2 if faster_m_s2 is None else faster_m_s2,
                 TURN_RAD_S * math.sqrt(gravity_m_s2 / EARTH_GRAVITY_M_S2), tuple(gaits), tuple(takes), tuple(highest_m_s))


def amounts(held: Collection[str]) -> tuple[float, float]:
    """How much faster and how much to the left the held keys (Blender's names) ask for, from -1 to 1."""
    acts = {KEYS[key] for key in held if key in KEYS}
    return float((FASTER in acts) - (SLOWER in acts)), float((LEFT in acts) - (RIGHT in acts))


def turned(wheel: Wheel, faster: float, left: float, seconds: float, reach: Reach) -> Wheel:
    """The wheel after it was held so for some time: a speed stays where it was brought, a turn ends with its key."""
    speed = min(max(wheel.speed_m_s + faster * reach.faster_m_s2 * seconds, reach.low_m_s), reach.top_m_s(wheel.gait))
    return replace(wheel, speed_m_s=speed, turn_rad_s=left * reach.turn_rad_s)


def chosen(wheel: Wheel, key: str, reach: Reach) -> Wheel:
    """The wheel after a number key, which may be none, or one without a gait: the gait, at its own speed."""
    place = NUMBERS.get(key, 0)
    if not 0 < place <= len(reach.gaits):
        return wheel
    gait, speed = reach.gaits[place - 1]
    return replace(wheel, gait=gait, speed_m_s=speed)


def towards(wheel: Wheel, away_m: tuple[float, float], heading_rad: float, top_m_s: float, reach: Reach) -> Wheel:
    """The wheel that goes to something that lies `away_m` (x, y) from a body heading so, at `top_m_s` until it is near."""
    distance = math.hypot(*away_m)
    off = math.remainder(math.atan2(away_m[1], away_m[0]) - heading_rad, 2.0 * math.pi)
    turn = min(max(HOMING * off, -reach.turn_rad_s), reach.turn_rad_s)
    speed = min(max(min(top_m_s, distance / NEAR_S), reach.low_m_s), reach.high_m_s)
    return replace(wheel, speed_m_s=speed, turn_rad_s=turn if distance > 0.0 else 0.0)


def to_tell(told: Wheel, wheel: Wheel, settled: bool, reach: Reach) -> dict[str, float | str]:
    """What has to be told of a wheel that was `told` last, of what the controller takes; `settled` where no hand changes it."""
    wish: dict[str, float | str] = {}
    speed, turn = round(wheel.speed_m_s, DIGITS), round(wheel.turn_rad_s, DIGITS)
    if abs(speed - told.speed_m_s) >= TOLD_M_S or (settled and speed != told.speed_m_s):
        wish["speed_m_s"] = speed
    if abs(turn - told.turn_rad_s) >= TOLD_RAD_S or (turn == 0.0 and told.turn_rad_s != 0.0):
        wish["turn_rad_s"] = turn
    if wheel.gait is not None and wheel.gait != told.gait:
        wish["gait"] = wheel.gait
    return {name: value for name, value in wish.items() if name in reach.takes}


def now_told(told: Wheel, wish: Mapping[str, Any]) -> Wheel:
    """The wheel as it is known to the controller, which was told a wish."""
    return replace(told, **wish)


def push_way(beside: float, tall: float, right: tuple[float, float], ahead: tuple[float, float]) -> tuple[float, float]:
    """Direction (x, y), of length 1, of a push by a click so far `beside` the trunk on the screen, to the right, of a body so
    `tall` there: away from who looks, or from a click at its side towards it. `right`, `ahead`: the view's, on the ground."""
    amid = abs(beside) <= AMIDST * tall
    x, y = ahead if amid else right
    length = math.hypot(x, y) * (-1.0 if beside > 0.0 and not amid else 1.0)
    return (x / length, y / length) if length else (1.0, 0.0)
