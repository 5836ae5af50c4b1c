# SPDX-License-Identifier: GPL-3.0-or-later
"""What jump a body can do by its own strength and on its own legs: told before it is tried."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...errors import InputError
from ...specs.motions import LEAST_UP_M, Jump
from ..tracking.weights import torque_limits
from .plan import JumpPlan, Legs, plan_jump
from .turning import lean_through

POWER_W_KG = 65.0
"""The most power that legs give, over the bare body's mass: trained men reach 54 to 65 W/kg in jumps (Harman et al. 1991)."""
MOMENTS = 12
"""Moments of a push-off at which its strength is looked at."""
MISSED = 0.02
"""A jump is too far that misses more than this of the leg's length."""
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


def planned(legs: Legs, jump: Jump, body: Body) -> JumpPlan:
    """The jump of a body that stands. Raises InputError for one that it cannot do, with what it can."""
    up, ahead, limits = jump.up_m, jump.ahead_m, torque_limits(body, legs.gravity_m_s2)

    def fits(plan: JumpPlan) -> bool:
        return plan.missed_m <= MISSED * legs.leg_m and strain(plan, legs, limits, body.bare_mass_kg) <= 1.0

    plan = plan_jump(legs, up, ahead)
    if fits(plan):
        lean_through(plan, legs)
        return plan
    if not fits(plan_jump(legs, up, 0.0)):
        if not fits(plan_jump(legs, LEAST_UP_M, 0.0)):
            raise InputError("These legs are not strong enough here for any jump: take the load off, or choose a lighter "
                             "world.")
        most = greatest(LEAST_UP_M, up, lambda up_m: fits(plan_jump(legs, up_m, 0.0)))
        raise InputError(f"These legs are strong enough here for a rise of {most:.2f} m, and {up:g} m is asked: ask for less, or "
                         "take some of the load off.")
    most = greatest(0.0, ahead, lambda ahead_m: fits(plan_jump(legs, up, ahead_m)))
    raise InputError(f"A jump that rises {up:g} m goes {most:.2f} m ahead here at most, and {ahead:g} m is asked: ask for less.")

