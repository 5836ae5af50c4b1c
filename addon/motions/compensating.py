# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk whose pelvis drops beside a weak hip, and whose trunk leans over it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np

from ..bodies.body import Body
from ..maths.curves import smoothstep
from ..maths.periodic import coefficients_of
from .channels import layout
from .cycle import Cycle
from .lean import NECK, SPINE

SAMPLES = 256
UP = {"L": 1.0, "R": -1.0}
"""Sign of the roll about the forward axis by which the pelvis comes up on a side, and so down on the other."""
ROOT_ROLL = 3
"""Channel of the root's rotation about the forward axis."""


def compensating(cycle: Cycle, body: Body, drop_rad: Mapping[str, float], lean_rad: Mapping[str, float]) -> Cycle:
    """The cycle in which the pelvis drops by so much more [rad] on the other side while a leg stands alone, and the trunk leans
    over it by so much; the head stays upright. The same for nothing."""
    if not any((*drop_rad.values(), *lean_rad.values())):
        return cycle
    phases = np.arange(SAMPLES) / SAMPLES
    rolls, leans = np.zeros((2, SAMPLES))
    for side, other in (("L", "R"), ("R", "L")):
        alone = _alone(cycle, side, other, phases)
        rolls += UP[side] * drop_rad[side] * alone
        leans += UP[side] * lean_rad[side] * alone
    coefficients = cycle.coefficients.copy()
    for names, values in ((SPINE, -rolls - leans), (NECK, leans)):
        present = [name for name in names if name in body.index]
        for name in present:  # rotation vectors of the trunk lie so near each other that they may be added
            coefficients[layout().slices[name].start] += _series(values, cycle.harmonics) / len(present)
    coefficients[ROOT_ROLL] += _series(rolls, cycle.harmonics)
    return dataclasses.replace(cycle, coefficients=coefficients)


def _alone(cycle: Cycle, side: str, other: str, phases: np.ndarray) -> np.ndarray:
    """1 while a side's foot stands alone, 0 while the other's does, smoothly between: over the double supports and a little
    more."""
    own, that = cycle.contact_phases[side], cycle.contact_phases[other]
    since = (phases - own.strike) % 1.0
    off, strike, own_off = ((at - own.strike) % 1.0 for at in (that.toe_off, that.strike, own.toe_off))
    return np.where(since < strike, smoothstep(since / max(1.5 * off, 0.05)),
                    1.0 - smoothstep((since - strike) / max(own_off - strike, 0.05)))


def _series(values: np.ndarray, harmonics: int) -> np.ndarray:
    """Fourier coefficients (2 H + 1,) of values over the cycle."""
    return coefficients_of(np.fft.rfft(values[:, None], axis=0) / len(values), harmonics)[0]
