# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk that spares a leg: the same motion, hurried through while that leg stands and slowed while the other does.

People with one sore leg stand on it for a shorter time, and so it bears less (antalgic gait; Perry and Burnfield 2010, "Gait
analysis").
"""

from __future__ import annotations

import dataclasses

import numpy as np

from ..maths.periodic import coefficients_of
from ..specs.condition import FOOT, LEFT, PAIN, RIGHT, Condition
from .cycle import ContactPhases, Cycle

SAMPLES = 256
MOST_SPARED = 0.14
"""Share of the cycle by which the good foot strikes earlier at most: beyond it the sore leg's step is a hop."""
HALF_SPARED = 15.0
"""Pain of a foot, in weights of effort, with which half of that is spared (first guess)."""
OF_MUSCLES = 0.43
"""What pain of a muscle counts beside a foot's: it hurts only as far as it pulls (first guess)."""


def spared_share(condition: Condition | None) -> float:
    """By what share of the cycle the right foot strikes earlier, so that the left is spared; negative the other way. The worst
    pain of a side over the other's counts."""
    worst = {LEFT: 0.0, RIGHT: 0.0}
    for change in condition.changes if condition else ():
        if change.kind == PAIN:
            for side in change.sides:
                worst[side] = max(worst[side], change.value * (1.0 if change.target == FOOT else OF_MUSCLES))
    over = worst[LEFT] - worst[RIGHT]
    return MOST_SPARED * over / (abs(over) + HALF_SPARED)


def sparing(cycle: Cycle, share: float) -> Cycle:
    """The cycle in which the right foot strikes by `share` of it earlier than half a cycle after the left; the same for 0. All
    phases move along smoothly, and the pelvis with them, so that a standing foot stands."""
    if share == 0.0:
        return cycle
    dense = np.linspace(-1.0, 2.0, 6001)
    dense_new = dense - share * np.sin(np.pi * dense) ** 2
    phases = np.arange(SAMPLES) / SAMPLES
    was = np.interp(phases, dense_new, dense)
    values = cycle.evaluate(was)
    values[:, 0] += (was - phases) * cycle.stride_length_m / cycle.leg_length_m
    spectrum = np.fft.rfft(values, axis=0) / SAMPLES
    contacts = {side: ContactPhases(*(float(np.interp(e, dense, dense_new)) % 1.0 for e in dataclasses.astuple(p)))
                for side, p in cycle.contact_phases.items()}
    return dataclasses.replace(cycle, coefficients=coefficients_of(spectrum, cycle.harmonics), contact_phases=contacts)
