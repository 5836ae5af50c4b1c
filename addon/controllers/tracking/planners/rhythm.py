# SPDX-License-Identifier: GPL-3.0-or-later
"""The clock of a gait: phase, stance foot, and how long the parts of a step last, hurried or not."""

from __future__ import annotations

from ....gaits.stance_times import StanceTimes
from .foot_path import FootPath
from .footsteps import double_factor
from .gait_tables import GaitTables

OTHER = {"L": "R", "R": "L"}
SIGN = {"L": 1, "R": -1}


class Rhythm:
    """Phase in [0, 1) of the cycle, the foot in stance, and the present hurry (1 is the gait's own frequency)."""

    def __init__(self, tables: GaitTables, frequency_hz: float, double_hurry: float) -> None:
        self._tables, self.frequency, self._double_hurry = tables, frequency_hz, double_hurry
        self._heel_rise = {side: FootPath(tables, side, 0.0).heel_rise() for side in ("L", "R")}
        self._fractions = {side: self._parts(side) for side in ("L", "R")}
        self._times: tuple[float, dict[str, StanceTimes]] = 0.0, {}
        self.stance, self.phase, self.hurry = "L", 0.0, 1.0

    def fractions(self, side: str) -> tuple[float, float]:
        """Double support and whole duration of the step that begins at `side`'s strike, as fractions of the cycle."""
        return self._fractions[side]

    def _parts(self, side: str) -> tuple[float, float]:
        own, other = self._tables.phases[side], self._tables.phases[OTHER[side]]
        whole = (other.strike - own.strike) % 1.0
        return max(other.toe_off - (1.0 - whole), 0.02), whole

    def stance_times(self, side: str) -> StanceTimes:
        """Durations of the step on `side` without hurry."""
        if self._times[0] != self.frequency:
            self._times = self.frequency, {side: self._durations(side) for side in ("L", "R")}
        return self._times[1][side]

    def _durations(self, side: str) -> StanceTimes:
        double, whole = self.fractions(side)
        flat = min(max(self._heel_rise[side], double + 0.02), whole - 0.02) - double
        return StanceTimes(*(share / self.frequency for share in (double, flat, whole - double - flat)))

    @property
    def rate(self) -> float:
        """Rate of the phase now [1/s]."""
        double, _ = self.fractions(self.stance)
        in_double = self.local < double
        return self.frequency * (double_factor(self.hurry, self._double_hurry) if in_double else self.hurry)

    @property
    def local(self) -> float:
        """Phase since the stance foot's strike."""
        return self._tables.phases[self.stance].since_strike(self.phase)

    @local.setter
    def local(self, value: float) -> None:
        self.phase = (self._tables.phases[self.stance].strike + value) % 1.0

    @property
    def elapsed_s(self) -> float:
        """Time since the strike that the phase stands for, without hurry."""
        return self.local / self.frequency

    def change_feet(self) -> None:
        """The swing foot has struck: it is in stance now, and the hurry is over."""
        self.stance, self.hurry = OTHER[self.stance], 1.0
        self.local = 0.0
