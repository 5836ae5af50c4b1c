# SPDX-License-Identifier: GPL-3.0-or-later
"""How two legs share a step that lands elsewhere, knees bent as they were (Yin 2007, appendix C).

Places are in the body's frame: x forward, y left, z up; a leg's vector goes from hip to ankle.
"""

from __future__ import annotations

import math

import numpy as np

LEAST_DROP = 1e-9
"""Hips that are nearer to one height [m] share by a linear equation."""


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
