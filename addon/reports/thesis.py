# SPDX-License-Identifier: GPL-3.0-or-later
"""What Kim 2017 printed, and where its figures contradict one another.

Kim, Y., "Physics-based Animation of Full-body Human Locomotion in Altered Gravity", Master's thesis, Ewha Womans University,
2017: Table 1 (bodies), Table 2 (speeds, stride frequencies, stride lengths), section 6.3 (changes of the ground force in the
text). Facts only.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..gaits.froude import froude_number

WORLDS = {"moon": 1.62, "mars": 3.71, "earth": 9.81, "neptune": 11.15, "jupiter": 24.79}
"""The five worlds, gravity in m/s^2."""

LEG_LENGTH_M = {"walk": 0.82, "run": 0.93, "turn": 1.00}
"""Table 1."""

AGREES = 0.03
"""Speed and frequency times length agree within this share where nothing but the rounding of two decimals lies between."""


@dataclass(frozen=True)
class PrintedRow:
    """A row of Table 2: speed, strides a second, stride length."""

    speed_m_s: float
    frequency_hz: float
    length_m: float

    @property
    def product_m_s(self) -> float:
        """The speed that frequency and length give: it must be the speed printed."""
        return self.frequency_hz * self.length_m

    @property
    def contradicts_itself(self) -> bool:
        """Whether speed and frequency times length differ by more than rounding can explain."""
        return abs(self.product_m_s / self.speed_m_s - 1.0) > AGREES


WALK_ROWS = {"moon": PrintedRow(0.50, 0.52, 0.96), "mars": PrintedRow(0.80, 0.74, 1.08),
             "earth": PrintedRow(1.28, 0.89, 1.44), "neptune": PrintedRow(1.30, 1.01, 1.25),
             "jupiter": PrintedRow(1.32, 0.76, 1.06)}
RUN_ROWS = {"moon": PrintedRow(1.09, 0.54, 2.05), "mars": PrintedRow(1.10, 0.63, 1.75),
            "earth": PrintedRow(0.97, 0.93, 1.05), "neptune": PrintedRow(1.07, 1.26, 1.35),
            "jupiter": PrintedRow(0.91, 1.31, 1.22)}
TURN_ROWS = {"moon": PrintedRow(0.51, 0.66, 0.78), "mars": PrintedRow(0.58, 0.66, 0.87),
             "earth": PrintedRow(0.70, 0.85, 0.82), "neptune": PrintedRow(0.42, 0.84, 0.73)}
TABLE_2 = {"walk": WALK_ROWS, "run": RUN_ROWS, "turn": TURN_ROWS}
"""Turning on Jupiter has no row: it fell."""

FORCE_CHANGE_PERCENT = {
    "walk": {"moon": -75.0, "mars": -65.0, "neptune": 15.0, "jupiter": 130.0},
    "run": {"moon": -59.0, "mars": -26.0, "neptune": 41.0, "jupiter": 54.0},
    "turn": {"moon": -80.0, "mars": -65.0, "neptune": 170.0},
}
"""Ground reaction force against the Earth's, from the text of section 6.3; it does not say whether mean or peak."""

TURN_RADIUS_M = {"moon": 3.5, "mars": 2.5, "earth": 1.0}
"""Radius of the turn, text to Figure 18."""


def expected_change_percent(world: str) -> float:
    """Change of the mean vertical force against the Earth's that any periodic gait must have: that of gravity."""
    return 100.0 * (WORLDS[world] / WORLDS["earth"] - 1.0)


def printed_froude(gait: str, world: str) -> float:
    """Froude number of a printed speed, with the thesis's own leg length."""
    return froude_number(TABLE_2[gait][world].speed_m_s, WORLDS[world], LEG_LENGTH_M[gait])
