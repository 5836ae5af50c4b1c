# SPDX-License-Identifier: GPL-3.0-or-later
"""A step of the database made to land where the user's foot landed, knees bent as they were (Yin 2007, appendix C).

Places are in the body's frame: x forward, y left, z up; a leg's vector goes from hip to ankle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...maths.quaternions import quat_from_rotvec

HALVINGS = 12
"""How often a shift that legs do not reach is halved before the step stays as it was."""
LEAST_DROP = 1e-9


@dataclass(frozen=True, eq=False)
class StepChange:
    """What a step is changed by: `lead` and `stance` (4,) turn the hips of the leading and of the standing leg, in the frame in
    which the legs' vectors are given; the root sinks by `drop_m`; the ankle is moved by `reached_m` (2,), of which the leading
    leg does the share `lead_share`."""

    lead: np.ndarray
    stance: np.ndarray
    drop_m: float
    reached_m: np.ndarray
    lead_share: float


def step_change(lead_m: np.ndarray, stance_m: np.ndarray, shift_m: np.ndarray) -> StepChange:
    """How both legs (3,) turn at their hips so that the leading ankle lands `shift_m` (2,) aside of where it did, both hips as
    much lower. What is beyond their reach is left out: `reached_m` tells what is done."""
    shift = np.asarray(shift_m, dtype=float)
    for _ in range(HALVINGS):
        share = lead_share(lead_m, stance_m, shift)
        if share is not None:
            new_lead = _swung(lead_m, share * shift)
            new_stance = _swung(stance_m, (share - 1.0) * shift)
            if new_lead is not None and new_stance is not None:
                return StepChange(turn_between(lead_m, new_lead), turn_between(stance_m, new_stance),
                                  float(new_lead[2] - lead_m[2]), shift, share)
        shift = 0.5 * shift
    still = np.array([1.0, 0.0, 0.0, 0.0])
    return StepChange(still, still, 0.0, np.zeros(2), 0.5)


def lead_share(lead_m: np.ndarray, stance_m: np.ndarray, shift_m: np.ndarray) -> float | None:
    """The share of the shift that the leading leg does so that both hips sink alike; None where no share from 0 to 1 does it.

    Heights over the ankles after it are sqrt(L^2 - |b + alpha c|^2) and sqrt(L^2 - |b + (alpha - 1) c|^2); their difference is to
    be what it was. Squared twice this is a quadratic in alpha; what squaring brought in is tested away."""
    c = np.asarray(shift_m, dtype=float)
    square = float(c @ c)
    if square < 1e-18:
        return 0.5
    b1, b2 = np.asarray(lead_m[:2], dtype=float), np.asarray(stance_m[:2], dtype=float)
    length1, length2 = float(lead_m @ lead_m), float(stance_m @ stance_m)
    a, lin1, const1 = -square, -2.0 * float(b1 @ c), length1 - float(b1 @ b1)
    lin2, const2 = 2.0 * square - 2.0 * float(b2 @ c), length2 - float(b2 @ b2) - square + 2.0 * float(b2 @ c)
    gap = abs(float(stance_m[2])) - abs(float(lead_m[2]))

    def off(alpha: float) -> float:
        under1, under2 = a * alpha**2 + lin1 * alpha + const1, a * alpha**2 + lin2 * alpha + const2
        return math.inf if under1 < 0.0 or under2 < 0.0 else math.sqrt(under1) - math.sqrt(under2) + gap

    p, q = lin1 - lin2, const1 - const2 - gap**2
    roots = np.roots([p**2 - 4.0 * gap**2 * a, 2.0 * p * q - 4.0 * gap**2 * lin2, q**2 - 4.0 * gap**2 * const2])
    if abs(gap) < LEAST_DROP:
        roots = np.array([-q / p]) if p else np.array([])
    fitting = [float(root.real) for root in np.atleast_1d(roots)
               if abs(root.imag) < 1e-6 and -1e-9 <= root.real <= 1.0 + 1e-9 and abs(off(float(root.real))) < 1e-6]
    return min(fitting, key=lambda alpha: abs(alpha - 0.5)) if fitting else None


def turn_between(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The least turn (4,) that takes the direction of one vector (3,) to that of another."""
    axis = np.cross(one, other)
    sine, cosine = float(np.linalg.norm(axis)), float(one @ other)
    return quat_from_rotvec(axis / sine * math.atan2(sine, cosine)) if sine > 1e-12 else np.array([1.0, 0.0, 0.0, 0.0])


def _swung(leg_m: np.ndarray, shift_m: np.ndarray) -> np.ndarray | None:
    """A leg as long as it was whose ankle is moved over the ground; None where it does not reach."""
    flat = leg_m[:2] + shift_m
    under = float(leg_m @ leg_m - flat @ flat)
    return None if under <= 0.0 else np.array([*flat, math.copysign(math.sqrt(under), leg_m[2])])
