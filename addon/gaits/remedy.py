# SPDX-License-Identifier: GPL-3.0-or-later
"""What to change in a shot in which the character fell, so that it may stand: one change, the likeliest first."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from ..specs.motions import Creature, Followed, KeyPoses, Reflex
from ..specs.muscles import DISPLACED, HEALTHY, PAIN, TIGHT, UNLOADED, WEAK
from ..specs.shot import EARTH_GRAVITY_M_S2, NO_SUIT, Shot
from .ranges import feasible_range, held_speed

ECHO_S = 4.0
"""A fall so soon after a push began is put down to it, on Earth (first guess: about four steps); scales with 1 / sqrt(g)."""
PUSH_SHARE = 0.6
NEARER = 0.85
"""How far a speed goes at a time towards the middle of its range, and downwards where no range is known (first guess)."""
MIDDLE = 1.05
"""Within this factor of its range's middle no other speed is better."""
LEAST_SLOWER = 0.01
"""A speed that differs by this share from one that was tried is another one."""
MUCH_SLOWER = 2.0 / 3.0
"""Share of its speed at which a creature may stand that falls (first guess; one rig went from 0 of 8 starts to 8 so)."""
SEARCH = "creature"
"""Field of the remedy that is a search."""
SLOWEST = 0.5
"""Below this share of a creature's own speed no slower one is tried, but another gait sought (first guess)."""
ALIKE_GRAVITY = 1.05
"""A gait that was searched for under a gravity whose ratio is less than this was searched for there."""
CONDITION_SHARE = 0.5
STRONGER = 1.5
"""Strength of the muscles that is tried before torques (first guess)."""
MILD = {WEAK: 0.1, TIGHT: 0.02, PAIN: 5.0, DISPLACED: 0.005, UNLOADED: 1.0}
"""A condition of which no change is further from healthy is not what felled anybody (first guesses)."""


@dataclass(frozen=True)
class Remedy:
    """One change: a field of the Shot and what it shall be, None leaving it to the program. `push_share` stands for every push's
    force, `condition_share` for the condition: the share that is kept; `actuation` None are torques, `creature` None is a gait
    that a search has yet to find."""

    field: str
    value: float | str | None

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return dict(vars(self))


def remedy(shot: Shot, fell_s: float, speed_m_s: float | None, leg_length_m: float,
           tried_m_s: Collection[float] = ()) -> Remedy | None:
    """The change to try after a fall at a time [s]; `speed_m_s` is the speed that was planned, `tried_m_s` are those at which the
    shot fell, too. None where nothing is known."""
    gravity = shot.world.gravity_m_s2
    echo_s = ECHO_S * math.sqrt(EARTH_GRAVITY_M_S2 / gravity)
    if any(0.0 <= fell_s - push.start_s <= push.duration_s + echo_s for push in shot.pushes):
        return Remedy("push_share", PUSH_SHARE)
    if shot.motion.stride_frequency_hz is not None:
        return Remedy("stride_frequency_hz", None)
    if shot.noise > 0.0:
        return Remedy("noise", 0.0)
    going = shot.motion.speed_m_s or speed_m_s
    if shot.controller in Creature.CONTROLLERS:
        return _of_creature(shot, going, tried_m_s)
    if isinstance(shot.motion, KeyPoses) and shot.suit != NO_SUIT:
        return Remedy("suit", NO_SUIT)  # key poses are made on a bare body
    free = not isinstance(shot.motion, (Followed, Reflex))  # who goes by reflexes has one speed
    known = feasible_range(shot.motion.name, gravity, leg_length_m) if shot.motion.file is None else None
    better = _better_speed(shot, going, known, leg_length_m) if free and going is not None else None
    if better is not None and _was_tried(better, tried_m_s):
        better = None
    slower = None if better is None else Remedy("speed_m_s", float(f"{better:.3g}"))
    if slower is not None and going is not None and known is not None and not known[0] <= going <= known[1]:
        return slower  # nobody could
    if (muscles := _by_muscles(shot)) is not None:
        return muscles
    if slower is not None:
        return slower
    return Remedy("gait", "walk") if free and shot.motion.file is None and shot.motion.name != "walk" else None


def much_slower(speed_m_s: float) -> str:
    """The option of a speed [m/s] at which a creature may stand that falls at this one."""
    return f"--speed {MUCH_SLOWER * speed_m_s:.2g}"


def _of_creature(shot: Shot, going: float | None, tried_m_s: Collection[float]) -> Remedy | None:
    """What helps a creature: a gait searched for there, where it goes by another's; then to go slower."""
    gait, body = shot.motion_as(Creature).gait, shot.body.creature
    own = gait is not None and body is not None and gait.creature == body.name
    there = gait is not None and abs(math.log(gait.gravity_m_s2 / shot.world.gravity_m_s2)) < math.log(ALIKE_GRAVITY)
    if not (own and there):
        return Remedy(SEARCH, None)
    slower = None if going is None else NEARER * going
    if slower is None or _was_tried(slower, tried_m_s) or slower < SLOWEST * (gait.speed_m_s if gait else 0.0):
        return Remedy(SEARCH, None)
    return Remedy("speed_m_s", float(f"{slower:.3g}"))


def _by_muscles(shot: Shot) -> Remedy | None:
    """What helps muscles: half of the condition, then more strength, then torques in their place."""
    if shot.condition is not None and any(abs(one.value - HEALTHY[one.kind]) > MILD[one.kind] for one in shot.condition.changes):
        return Remedy("condition_share", CONDITION_SHARE)
    if shot.actuation is None:
        return None
    return Remedy("strength", STRONGER) if (shot.actuation.strength or 1.0) < STRONGER else Remedy("actuation", None)


def _was_tried(speed_m_s: float, tried_m_s: Collection[float]) -> bool:
    """Whether a speed lies among those that were tried."""
    return bool(tried_m_s) and (min(tried_m_s) * (1.0 - LEAST_SLOWER) <= speed_m_s <= max(tried_m_s) * (1.0 + LEAST_SLOWER))


def _better_speed(shot: Shot, speed_m_s: float, known: tuple[float, float] | None, leg_length_m: float) -> float | None:
    """A speed inside the range and nearer to its middle; None where this one is there."""
    if known is None:
        return NEARER * speed_m_s
    held = held_speed(shot.motion.name, speed_m_s, shot.world.gravity_m_s2, leg_length_m)
    if held != speed_m_s:
        return held
    middle = math.sqrt(max(known[0], 1e-3) * known[1])
    if speed_m_s > MIDDLE * middle:
        return max(NEARER * speed_m_s, middle)
    return min(speed_m_s / NEARER, middle) if speed_m_s < middle / MIDDLE else None
