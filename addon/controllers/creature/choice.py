# SPDX-License-Identifier: GPL-3.0-or-later
"""What a creature goes by where a shot does not say it: muscles where some were searched for it, else the quick law."""

from __future__ import annotations

import math
from dataclasses import replace

from ...bodies.makers import make_body
from ...specs.creature_gait import CONTROLLERS
from ...specs.shot import Shot
from .controller import asked_speed_m_s
from .stored import by_likeness, gait_of, scaled
from .timing import straight_leg_m

BY_TORQUES, BY_MUSCLES = CONTROLLERS
SAME = 0.1
"""Muscles that were searched for a body no more unlike than this are its own (first guess)."""
NO_MUSCLES = "No gait by muscles is stored for it: it goes by torques at its joints, the quick law."
WITH_MUSCLES = "It goes by muscles, in the stored gait {0}."
WALK, FAST = "a walk", "fast: it may bounce"
FAST_FROUDE = 0.25
"""Froude number of the speed beyond which searched gaits bounced (a prototype: v over sqrt(g L) of about .5)."""


def pace_of(shot: Shot) -> tuple[float, float, str]:
    """The speed [m/s] that a creature is asked for, its Froude number [v^2 / (g L), L the straight leg without its foot], and
    what that means."""
    body = make_body(shot.body)
    speed = asked_speed_m_s(shot, body)
    number = speed**2 / (shot.world.gravity_m_s2 * straight_leg_m(body))
    return speed, number, FAST if number > FAST_FROUDE else WALK


def chosen(shot: Shot, quick: bool) -> tuple[Shot, str]:
    """A creature's shot with the gait that is stored for it and the controller that the gait is for; and in sentences, each on a
    line, which that is, nothing of one that the shot names itself. `quick` leaves muscles out. Raises LopeError for a gait that
    cannot be used."""
    if shot.creature is not None:
        own = not quick and shot.creature.muscles is not None
        return replace(shot, controller=BY_MUSCLES if own else BY_TORQUES), ""
    body, gravity = make_body(shot.body), shot.world.gravity_m_s2
    speed = None if shot.speed_m_s is None else shot.speed_m_s / math.sqrt(gravity * straight_leg_m(body))
    unlike_by, gait = next(iter(() if quick else by_likeness(body, speed, muscles=True, gravity_m_s2=gravity)), (math.inf, None))
    if gait is not None and unlike_by <= SAME:
        gait = scaled(gait, body, gravity)
        return replace(shot, creature=gait, controller=BY_MUSCLES), WITH_MUSCLES.format(gait.name)
    shot = replace(shot, controller=BY_TORQUES)
    gait, where = gait_of(shot, body)
    told = where if quick else f"{NO_MUSCLES}\n{where}".rstrip()
    return replace(shot, creature=gait), told
