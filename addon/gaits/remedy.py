# SPDX-License-Identifier: GPL-3.0-or-later
"""What to change in a shot in which the character fell, so that it may stand: one change, the likeliest first."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..specs.reflex import CONTROLLERS as BY_REFLEX
from ..specs.shot import EARTH_GRAVITY_M_S2, Shot
from .ranges import feasible_range, held_speed

ECHO_S = 4.0
"""A fall so soon after a push began is put down to it, on Earth (first guess: about four steps); scales with 1 / sqrt(g)."""
PUSH_SHARE = 0.6
NEARER = 0.85
"""How far a speed goes at a time towards the middle of its range, and downwards where no range is known (first guess)."""
MIDDLE = 1.05
"""Within this factor of its range's middle no other speed is better."""


@dataclass(frozen=True)
class Remedy:
    """One change: a field of the Shot and what it shall be; None leaves it to the program. The field `push_share` stands for
    the force of every push, and its value is the share that is kept."""

    field: str
    value: float | str | None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return dict(vars(self))


def remedy(shot: Shot, fell_s: float, speed_m_s: float | None, leg_length_m: float) -> Remedy | None:
    """The change to try after a fall at a time [s]; `speed_m_s` is the speed that was planned. None where nothing is known."""
    gravity = shot.world.gravity_m_s2
    echo_s = ECHO_S * math.sqrt(EARTH_GRAVITY_M_S2 / gravity)
    if any(0.0 <= fell_s - push.start_s <= push.duration_s + echo_s for push in shot.pushes):
        return Remedy("push_share", PUSH_SHARE)
    if shot.stride_frequency_hz is not None:
        return Remedy("stride_frequency_hz", None)
    if shot.noise > 0.0:
        return Remedy("noise", 0.0)
    if shot.follow is not None or shot.controller in BY_REFLEX:  # who goes by reflexes has one speed
        return None
    going = shot.speed_m_s or speed_m_s
    known = feasible_range(shot.gait, gravity, leg_length_m) if shot.motion is None else None
    better = None if going is None else _better_speed(shot, going, known, leg_length_m)
    if better is not None:
        return Remedy("speed_m_s", float(f"{better:.3g}"))
    return Remedy("gait", "walk") if shot.motion is None and shot.gait != "walk" else None


def _better_speed(shot: Shot, speed_m_s: float, known: tuple[float, float] | None, leg_length_m: float) -> float | None:
    """A speed inside the range and nearer to its middle; None where this one is there."""
    if known is None:
        return NEARER * speed_m_s
    held = held_speed(shot.gait, speed_m_s, shot.world.gravity_m_s2, leg_length_m)
    if held != speed_m_s:
        return held
    middle = math.sqrt(max(known[0], 1e-3) * known[1])
    if speed_m_s > MIDDLE * middle:
        return max(NEARER * speed_m_s, middle)
    return min(speed_m_s / NEARER, middle) if speed_m_s < middle / MIDDLE else None
