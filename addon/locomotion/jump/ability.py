# SPDX-License-Identifier: GPL-3.0-or-later
"""What jump a body can do by its own strength, on its own legs, and over the ground that is there: told before it is tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ...errors import InputError
from ...specs.motions import LEAST_UP_M, Jump
from ..legged.foot_geometry import Terrain
from ..tracking.weights import torque_limits
from .plan import TUCKS, JumpPlan, Legs, feet_at, plan_jump
from .turning import lean_through

POWER_W_KG = 65.0
"""The most power that legs give, over the bare body's mass: trained men reach 54 to 65 W/kg in jumps (Harman et al. 1991)."""
MOMENTS = 12
"""Moments of a push-off at which its strength is looked at."""
MISSED = 0.02
"""A jump is too far that misses more than this of the leg's length."""
CLEAR_M, LOOKS = 0.02, np.linspace(0.1, 0.95, 18)
"""So far feet keep off the ground on their way, and where of the flight that is looked at."""
ROUNDS, MARGIN = 8, 0.98
"""What it can instead is sought in so many halvings, and said with a margin."""


def strain(plan: JumpPlan, legs: Legs, limits: np.ndarray, body_kg: float) -> float:
    """The most of its strength that a push-off takes: of the joints' torques, `limits` (nv - 6,) [N m], or the legs' power."""
    poses, last, most = legs.poses, len(plan.pitch) - 1, 0.0
    poses.swing(0.0, 0.0)
    for i in np.linspace(0, last, MOMENTS + 1).astype(int)[1:].tolist():
        (high, speed, second), feet = plan.height_m[:, i].tolist(), legs.on_ground(float(plan.pitch[i]))
        poses.squat(legs.rest_m - high)
        q = poses.build((float(plan.ahead_m[0, i]), 0.0, high), 0.0, 0j, feet)
        places = {side: np.array([plan.pressure_m[i], legs.place(side, 0.0).place.imag, 0.0]) for side in SIDES}
        push = max(legs.gravity_m_s2 + second, 0.0)
        most = max(most, push * float(np.abs(poses.moments(q, places) / limits).max()),
                   push * speed * legs.mass_kg / (POWER_W_KG * body_kg))
    return most


def greatest(low: float, high: float, can: Callable[[float], bool]) -> float:
    """The greatest of what can be between two numbers, of which the lower one can."""
    for _ in range(ROUNDS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if can(middle) else (low, middle)
    return MARGIN * low


def planned(legs: Legs, jump: Jump, state: BodyState, rest: complex, way: complex, terrain: Terrain) -> JumpPlan:
    """The jump of a body that rests over a place and faces some `way`. Raises InputError for one that it cannot do, with what it
    can."""
    body, up, ahead = state.body, jump.up_m, jump.ahead_m
    limits, level = torque_limits(body, legs.gravity_m_s2), _level(legs, ahead, rest, way, terrain)

    if up < level + LEAST_UP_M + MISSED * legs.leg_m:
        raise InputError(f"The ground is {level:.2f} m higher where this jump lands, and it rises {up:g} m: ask for more.")

    def fits(plan: JumpPlan) -> bool:
        return plan.missed_m <= MISSED * legs.leg_m and strain(plan, legs, limits, body.bare_mass_kg) <= 1.0

    plan = plan_jump(legs, up, ahead, level)
    if fits(plan):
        return _clear(plan, legs, rest, way, terrain)
    if not fits(plan_jump(legs, up, 0.0, 0.0)):
        if not fits(plan_jump(legs, LEAST_UP_M, 0.0, 0.0)):
            raise InputError("These legs are not strong enough here for any jump: take the load off, or choose a lighter "
                             "world.")
        most = greatest(LEAST_UP_M, up, lambda up_m: fits(plan_jump(legs, up_m, 0.0, 0.0)))
        raise InputError(f"These legs are strong enough here for a rise of {most:.2f} m, and {up:g} m is asked: ask for less, or "
                         "take some of the load off.")
    most = greatest(0.0, ahead, lambda ahead_m: fits(plan_jump(legs, up, ahead_m, level)))
    raise InputError(f"A jump that rises {up:g} m goes {most:.2f} m ahead here at most, and {ahead:g} m is asked: ask for less.")


def _level(legs: Legs, ahead: float, rest: complex, way: complex, terrain: Terrain) -> float:
    """How much higher [m] the ground is where the feet land."""
    places = [replace(step, place=rest + way * step.place) for step in (legs.place(side, ahead) for side in SIDES)]
    return sum(terrain.footstep(step).support.height_m for step in places) / len(SIDES) - terrain.level_m


def _clear(plan: JumpPlan, legs: Legs, rest: complex, way: complex, terrain: Terrain) -> JumpPlan:
    """The plan with feet drawn up until they clear the ground on their way. Raises InputError where they never do."""
    short = 0.0
    for tuck in TUCKS if not terrain.ground.plane else TUCKS[:1]:
        plan.tuck_m, short = tuck * legs.leg_m, 0.0
        for share in LOOKS.tolist() if not terrain.ground.plane else ():
            time_s = plan.off_s + share * plan.flight_s
            high, on = float(plan.at(plan.height_m, time_s)[0]), float(plan.at(plan.ahead_m, time_s)[0])
            for side, foot in feet_at(plan, legs, time_s, (on, 0.0, high)).items():
                geometry, (x, y, _) = legs.feet[side], foot.ankle.tolist()
                spots = [rest + way * complex(x + along, y) for along in (geometry.heel_x - CLEAR_M, 0.0, geometry.tip_x)]
                ground = max(float(terrain.ground.height(spot.real, spot.imag)) for spot in spots) - terrain.level_m
                short = max(short, ground + CLEAR_M - geometry.lowest(foot))
        if short <= 0.0:
            lean_through(plan, legs)
            return plan
    raise InputError(f"On their way the feet would strike ground that is {short:.2f} m too high for them: jump higher, or from "
                     "nearer.")
