# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of the quick creatures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...bodies.body import Body
from ...bodies.makers import make_body
from ...errors import InputError
from ...specs.shot import Shot
from ..controller import Part, Physics, Setup, Steerable
from .controller import FASTEST, CreatureController, asked_speed_m_s, run_up_of
from .parameters import GROUP, CreatureNumbers, creature_physics, straight_leg_m


def make(setup: Setup) -> CreatureController:
    """The controller of a setup. Raises BodyError for a body that has no two legs alike."""
    return CreatureController(setup)


def check_parts(parts: Sequence[Part], body: Body) -> None:
    """A creature has no gait of the planner's to key. Raises InputError."""
    raise InputError("A creature has one gait, which goes at any speed: steer it, and take the keys out.")


def physics(shot: Shot) -> Physics:
    """Steps of two milliseconds for a leg of a metre on Earth, and the time that it gets under way in."""
    body = make_body(shot.body)
    return replace(creature_physics(body, shot.world.gravity_m_s2), run_up_s=run_up_of(shot, body)[0])


def plan(shot: Shot) -> None:
    """Nobody knows its steps beforehand."""
    return None


def steerable(shot: Shot) -> Steerable:
    """From standing on to the fastest that it is asked to go."""
    body = make_body(shot.body)
    unit_m_s = math.sqrt(shot.world.gravity_m_s2 * straight_leg_m(body))
    return Steerable(asked_speed_m_s(shot, body), 0.0, max(FASTEST * unit_m_s, asked_speed_m_s(shot, body)))


def settings() -> dict[str, Any]:
    """The numbers of the law."""
    return {GROUP: CreatureNumbers()}


def searched(shot: Shot) -> tuple[str, ...]:
    """Nothing for a search of gains: a creature's gait is searched as a whole, by `lope tune --creature`."""
    return ()
