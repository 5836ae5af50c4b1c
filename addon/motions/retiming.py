# SPDX-License-Identifier: GPL-3.0-or-later
"""A walk with another duty factor: the same motion, its double supports shorter or longer and its single supports the reverse."""

from __future__ import annotations

import dataclasses

import numpy as np
from scipy.interpolate import PchipInterpolator

from ..maths.periodic import coefficients_of
from .cycle import ContactPhases, Cycle

SAMPLES = 256
SHORTEST_DOUBLE = 0.03
"""Least double support that is made, a fraction of the cycle."""
SAME = 1e-6
"""Duty factors that differ by less are the same."""


def with_duty_factor(cycle: Cycle, duty_factor: float) -> Cycle:
    """The cycle with each foot down for `duty_factor` of it, the mean of both; a cycle that is no walk, and one that has it
    already, is given back.

    Strikes stay, toe-offs move, and the phase runs slower or faster between them, smoothly. The pelvis goes with it, so that a
    standing foot stands.
    """
    doubles = [_double(cycle, side, other) for side, other in (("L", "R"), ("R", "L"))]
    change = max(duty_factor - cycle.duty_factor, SHORTEST_DOUBLE - min(doubles))
    if abs(change) < SAME or min(doubles) <= 0.0:
        return cycle
    knots = [(0.0, 0.0)]
    for p, other in ((cycle.contact_phases["L"], "R"), (cycle.contact_phases["R"], "L")):
        off = p.strike + _double(cycle, "L" if other == "R" else "R", other)
        knots += [(p.strike, p.strike), (off + change, off)]
    new, old = (np.array(column) for column in zip(*sorted(set(_in_cycle(knots))), strict=True))
    tiled = [np.concatenate([column - 1.0, column, column + 1.0]) for column in (new, old)]
    warp = PchipInterpolator(*tiled)
    phases = np.arange(SAMPLES) / SAMPLES
    was = warp(phases)
    values = cycle.evaluate(was)
    values[:, 0] += (was - phases) * cycle.stride_length_m / cycle.leg_length_m
    spectrum = np.fft.rfft(values, axis=0) / SAMPLES
    dense = np.linspace(-0.5, 1.5, 4001)
    dense_was = warp(dense)

    def later(phase: float) -> float:
        return float(np.interp(phase, dense_was, dense)) % 1.0

    contacts = {side: ContactPhases(p.strike, *(later(e) for e in (p.flat, p.heel_off, p.toe_off)))
                for side, p in cycle.contact_phases.items()}
    return dataclasses.replace(cycle, coefficients=coefficients_of(spectrum, cycle.harmonics), contact_phases=contacts,
                               own_duty_factor=cycle.reference_duty_factor)


def _double(cycle: Cycle, side: str, other: str) -> float:
    """Double support after a side's strike, a fraction of the cycle; 0 or less where there is none."""
    strike, off = cycle.contact_phases[side].strike, cycle.contact_phases[other].toe_off
    return (off - strike + 0.5) % 1.0 - 0.5


def _in_cycle(knots: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Pairs of new and old phase with the new one in [0, 1), the old one moved alike."""
    return [(round(n % 1.0, 12), round(o - (n - n % 1.0), 12)) for n, o in knots]
