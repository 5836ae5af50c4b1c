# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a foot that steps: without a jump however often its landing moves, round the other foot, no faster than it may be.

It is a cubic from rest to rest: its peak speed is 1.5 times its mean one, where a quintic's is 1.875 times, and a leg that may
not go faster than a person's is as much sooner where it must land."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..tracking.planners.foot_geometry import FootPose, Footstep

ROUNDS, LONGER = 4, 1.15
"""A swing that would be too fast is made longer so many times, by this at most each."""
SAMPLES = 12
"""Moments of what is left of a swing at which its speed is looked at."""

Motion = tuple[complex, complex]
"""Place and velocity on the level."""


def quintic(share: float) -> float:
    """From 0 to 1 with neither velocity nor acceleration at its ends."""
    s = min(max(share, 0.0), 1.0)
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


def fastest(way: complex, bow: complex, duration_s: float) -> float:
    """Peak speed [m/s] of a swing over a way that goes aside by `bow` at its middle."""
    shares = [(k + 0.5) / (2 * SAMPLES) for k in range(2 * SAMPLES)]
    return max(abs(6.0 * s * (1.0 - s) * way + 32.0 * s * (1.0 - s) * (1.0 - 2.0 * s) * bow)
               for s in shares) / duration_s


@dataclass
class Swing:
    """One step of a foot from `lift` to `target`. `crossing` tells which way it goes by the other foot (`catching.Catch`), `bow`
    how far it goes aside at its middle (x + iy [m]); one that `holds` ends in the air."""

    start_s: float
    end_s: float
    lift: FootPose
    target: Footstep
    catches: bool
    crossing: str
    bow: complex = 0j
    holds: bool = False
    lowered_m: float = 0.0
    lowering_m_s: float = 0.0
    _since_s: float = field(init=False)
    _way: tuple[complex, ...] = field(init=False)

    def __post_init__(self) -> None:
        x, y, _ = self.lift.ankle.tolist()
        self._since_s, self._way = self.start_s, (complex(x, y),)

    def share(self, time_s: float) -> float:
        """Fraction of its time that has passed."""
        return (time_s - self.start_s) / (self.end_s - self.start_s)

    def at(self, time_s: float) -> Motion:
        """Place and velocity of the ankle on the level; where it is to land after its end."""
        whole, left = self.end_s - self.start_s, self.end_s - self._since_s
        s, u = min((time_s - self._since_s) / left, 1.0), min(max(self.share(time_s), 0.0), 1.0)
        place = speed = 0j
        for factor in reversed(self._way):
            speed = speed * s + place
            place = place * s + factor
        return (place + 16.0 * (u * (1.0 - u)) ** 2 * self.bow,
                speed / left + 32.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / whole * self.bow)

    def aim(self, time_s: float, ankle: complex, bow: complex, most_m_s: float) -> None:
        """From now on the ankle goes to another place, and aside by another `bow`, without a jump; later than planned where that
        would be faster than it may be."""
        now = self.at(time_s)
        for _ in range(ROUNDS):
            self._turn(time_s, now, ankle, bow)
            left = self.end_s - time_s
            peak = max(abs(self.at(time_s + left * k / SAMPLES)[1]) for k in range(1, SAMPLES))
            if peak <= most_m_s:
                return
            self.end_s = time_s + left * min(peak / most_m_s, LONGER)
        self._turn(time_s, now, ankle, bow)

    def _turn(self, time_s: float, now: Motion, ankle: complex, bow: complex) -> None:
        """A cubic from a motion, less what the bow gives of it, to rest at a place."""
        self._since_s, self._way, self.bow = time_s, (0j,), bow
        left = self.end_s - time_s
        place, speed = (a - b for a, b in zip(now, self.at(time_s), strict=True))
        off = ankle - place
        self._way = place, speed * left, 3.0 * off - 2.0 * speed * left, -2.0 * off + speed * left
