# SPDX-License-Identifier: GPL-3.0-or-later
"""What is left of a muscle's force after months without gravity, where that was measured.

Sizes: bed rest of 90 days without exercise, 13 people (Muir, Judex, Qin and Rubin 2011, "Postural instability caused by extended
bed rest is alleviated by brief daily exposure to low magnitude mechanical signals", Gait & Posture 33, table 3, controls).
Hip extensors: 213 days on Mir, with exercise (Koryak 2020, "Isokinetic force and work capacity after long-duration space
station Mir and short-term International Space Station missions", AMHP 91). Course: the logarithm of the days, up to 120 (Marusic
et al. 2021, "Nonuniform loss of muscle strength and atrophy during bed rest", J Appl Physiol 131), after which no more is lost
(LeBlanc et al. 2000, "Muscle volume, MRI relaxation times (T2), and body composition after spaceflight", J Appl Physiol 89:
volumes reach a new steady state by 4 months or less).

Not known: hip flexors, abductors, adductors and rotators, whose volume alone was measured, and arms, which hardly change
(Gopalakrishnan et al. 2010). They keep their force here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

MEASURED_DAYS = 90.0
STEADY_DAYS = 120.0
DAYS_IN_A_MONTH = 30.4
TURN_DAYS = 2.2
"""Of ln(1 + days / TURN_DAYS): least squares of what knee extensors lost in bed (Marusic 2021, table 1: 8.6 and 4.1 % in 5 days,
14.5 in 10, 14.5 in 14; Mulder 2006: 20.5 in 56, the leg that was not tested; Muir 2011: 25.7 in 90), off by 2.2 % on average."""

LOST = {
    "knee_extensors": 1.0 - 81.0 / 109.0,
    "knee_flexors": 1.0 - 51.0 / 64.0,
    "hamstrings": 1.0 - 51.0 / 64.0,
    "plantar_flexors": 1.0 - 52.9 / 72.5,
    "dorsiflexors": 1.0 - 20.5 / 22.1,
    "trunk_extensors": 1.0 - 218.0 / 249.0,
    "trunk_flexors": 1.0 - 119.0 / 132.0,
}
"""Share of the torque lost in `MEASURED_DAYS`, of concentric tests at 60 degrees a second, of the ankle at 30."""
LOST_IN_THE_END = {"hip_extensors": 0.16}
"""Share lost when nothing more is: at 30 degrees a second."""


def course(months: float) -> float:
    """How much of the loss of `MEASURED_DAYS` there is after so many months: 0 at first, 1 then, and steady from `STEADY_DAYS`
    on."""
    days = min(months * DAYS_IN_A_MONTH, STEADY_DAYS)
    return math.log1p(days / TURN_DAYS) / math.log1p(MEASURED_DAYS / TURN_DAYS)


def left_of_force(groups: Iterable[str], months: float) -> float:
    """Share of its greatest force that a muscle of these groups has left after so many months: that of the group that lost
    most, 1 where nothing was measured."""
    steady = course(STEADY_DAYS / DAYS_IN_A_MONTH)
    losses = LOST | {group: lost / steady for group, lost in LOST_IN_THE_END.items()}
    return 1.0 - course(months) * max((losses.get(group, 0.0) for group in groups), default=0.0)
