# SPDX-License-Identifier: GPL-3.0-or-later
"""The clock of a gait: phase, stance foot, and how long the parts of a step last, their timing adapted or not."""

from __future__ import annotations

from ....gaits.stance_times import StanceTimes
from .foot_path import FootPath
from .footsteps import double_factor
from .gait_tables import GaitTables

OTHER = {"L": "R", "R": "L"}
SIGN = {"L": 1, "R": -1}


class Rhythm:
    """Phase in [0, 1) of the cycle, the foot in stance, and the present factor on the phase rate (1 is the gait's own)."""

    def __init__(self, tables: GaitTables, frequency_hz: float, double_support_timing: float) -> None:
        self._tables, self.frequency, self._double_support_timing = tables, frequency_hz, double_support_timing
        self._heel_rise = {side: FootPath(tables, side, 0.0).heel_rise() for side in ("L", "R")}
        self._fractions = {side: self._parts(side) for side in ("L", "R")}
        self._times: tuple[float, dict[str, StanceTimes]] = 0.0, {}
        self.stance, self.phase, self.rate_factor = "L", 0.0, 1.0

    def fractions(self, side: str) -> tuple[float, float]:
        """Double support and whole duration of the step that begins at `side`'s strike, as fractions of the cycle."""
        return self._fractions[side]

    def _parts(self, side: str) -> tuple[float, float]:
        own, other = self._tables.phases[side], self._tables.phases[OTHER[side]]
        whole = (other.strike - own.strike) % 1.0
        return max(other.toe_off - (1.0 - whole), 0.02), whole

    def stance_times(self, side: str) -> StanceTimes:
        """Durations of the step on `side` at the gait's own rate."""
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
        factor = self.rate_factor
        return self.frequency * (double_factor(factor, self._double_support_timing) if in_double else factor)

    @property
    def local(self) -> float:
        """Phase since the stance foot's strike."""
        return self._tables.phases[self.stance].since_strike(self.phase)

    @local.setter
    def local(self, value: float) -> None:
        self.phase = (self._tables.phases[self.stance].strike + value) % 1.0

    @property
    def elapsed_s(self) -> float:
        """Time since the strike that the phase stands for, at the gait's own rate."""
        return self.local / self.frequency

    def change_feet(self) -> None:
        """The swing foot has struck: it is in stance now, and its timing the gait's own."""
        self.stance, self.rate_factor = OTHER[self.stance], 1.0
        self.local = 0.0
