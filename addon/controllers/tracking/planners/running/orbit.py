# SPDX-License-Identifier: GPL-3.0-or-later
"""The periodic orbit of a running gait: heights and footholds, each of which needs the other, brought to agree."""

from __future__ import annotations

from .....bodies.body import Body
from ..gait_tables import GaitTables
from .contact_schedule import ContactClock
from .footholds import Footholds
from .heights import ACCELERATION_FRACTIONS, RunningHeights
from .settings import RunningSettings

FITTING_ROUNDS = 2


def fit_orbit(
    tables: GaitTables, body: Body, clock: ContactClock, speed_m_s: float, gravity_m_s2: float, settings: RunningSettings,
    slope: float,
) -> tuple[RunningHeights, Footholds]:
    """Heights and footholds at a speed under a gravity, over ground that rises by `slope` per metre of the way."""
    heights = RunningHeights(tables, body, clock, gravity_m_s2, settings, slope)
    footholds = Footholds(tables, body, clock, heights, complex(speed_m_s), settings)
    for _ in range(FITTING_ROUNDS):
        steps = range(len(clock.steps))
        heights.fit_reach([footholds.orbit.at(k, footholds.velocity) for k in steps],
                          [footholds.orbit_coms(k, ACCELERATION_FRACTIONS) for k in steps])
        footholds.solve_orbit(heights)
    return heights, footholds
