# SPDX-License-Identifier: GPL-3.0-or-later
"""What people do under other gravities, as published: facts to hold takes against, each with its source."""

from __future__ import annotations

from dataclasses import dataclass

from ..specs.shot import EARTH_GRAVITY_M_S2

KRAM = "Kram, Domingo and Ferris 1997, J. Exp. Biol. 200:821"
CARR = "Carr and McGee 2009, PLoS ONE 4:e6614"
DE_WITT = "De Witt et al. 2014, J. Exp. Biol. 217:3200"
DONELAN = "Donelan and Kram 1997, J. Exp. Biol. 200:3193"
POLET = "Polet et al. 2018, J. Exp. Biol. 221:jeb162024"
CAVAGNA = "Cavagna, Willems and Heglund 1998, Nature 393:636"
APOLLO = "Working on the Moon, astronaut mobility (workingonthemoon.com, 2010)"

MOON_SHARE = 1.62 / EARTH_GRAVITY_M_S2
STEADY_SHARE = 0.4
"""Above this share of the Earth's gravity the walk-run transition stays near one Froude number (Carr and McGee 2009)."""
TRANSITION_FROUDE = 0.5
"""Froude number at which people begin to run, from 0.4 g to 1 g (Kram et al. 1997)."""
MOON_TRANSITION_FROUDE = (0.9, 1.39)
"""The same on the Moon: 0.9 in simulated 1/6 g (Carr and McGee 2009) to 1.39 in parabolic flight (De Witt et al.
2014)."""
DE_WITT_MOON, DE_WITT_SPREAD = 1.39, 0.45
SUITED_FROUDE = 0.36
"""Transition of the suited Apollo crews (Carr and McGee 2009): the suit carries itself."""
WALKING_LIMIT_FROUDE = 1.0
"""A point mass on a stiff leg leaves the ground above this (the inverted pendulum's limit)."""
OPTIMAL_FROUDE = 0.25
MARS_WALK_M_S, EARTH_WALK_M_S = 0.94, 1.53
"""Optimal walking speeds (Cavagna et al. 1998)."""
DUTY_FACTOR_SHARE = 0.10
"""Duty factors at equal Froude number are nearly the same under 0.25 to 1 g (Donelan and Kram 1997); held against 10 %."""


@dataclass(frozen=True)
class ApolloRun:
    """A stretch walked or run by a suited astronaut: speed [m/s], least and most where it is not known better."""

    mission: str
    what: str
    least_m_s: float
    most_m_s: float


APOLLO_RUNS = (
    ApolloRun("Apollo 11", "run, 22 m", 1.00, 1.00),
    ApolloRun("Apollo 12", "return walk, 310 m", 3.3 / 3.6, 5.5 / 3.6),
    ApolloRun("Apollo 12", "run, 220 m", 1.10, 1.10),
    ApolloRun("Apollo 14", "short run, 15 m", 1.00, 1.00),
    ApolloRun("Apollo 15", "skip, 20 m", 5.1 / 3.6, 5.1 / 3.6),
    ApolloRun("Apollo 15", "lope, 40 m", 5.3 / 3.6, 5.3 / 3.6),
    ApolloRun("Apollo 15", "lope, 45 m, the fastest", 7.0 / 3.6, 7.0 / 3.6),
)
"""Distances from maps and orbiter pictures, times from the recordings: a few per cent to a tenth uncertain."""


def transition_band(gravity_m_s2: float) -> tuple[float, float]:
    """Least and most Froude number of the walk-run transition under a gravity.

    Half from `STEADY_SHARE` up; below, straight lines to the Moon's two values, and on at the Moon's below it: lower
    gravities
    have not been measured.
    """
    share = gravity_m_s2 / EARTH_GRAVITY_M_S2
    low = min(max((STEADY_SHARE - share) / (STEADY_SHARE - MOON_SHARE), 0.0), 1.0)
    least, most = (TRANSITION_FROUDE + low * (end - TRANSITION_FROUDE) for end in MOON_TRANSITION_FROUDE)
    return least, most
