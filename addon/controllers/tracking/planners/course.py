# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the walker is on its path, which way it faces, and how the path turns under the coming steps."""

from __future__ import annotations

import cmath
from collections.abc import Callable, Sequence

from ....worlds.paths import Path, offset, tangent
from .orbit import stretch

TURN_MARGIN = 2.0
"""Largest rate of the heading over the path's own: a walker pushed towards the middle of a circle does not spin."""


class Course:
    """Follows a path. `s` [m] is the length at the COM, `stance_s` at the foot in stance, `heading` [rad] that of the body.
    `ways` tells the length at which a footprint lies by its number, where steps are not all alike."""

    def __init__(self, path: Path, speed_m_s: float, step_length_m: float, ways: Callable[[int], float] | None = None) -> None:
        self.path, self.speed, self.step_length, self._ways = path, speed_m_s, step_length_m, ways
        self.s = self.stance_s = 0.0
        self.heading = path.heading(0.0)

    def follow(self, com: complex, dt: float) -> None:
        """Take over where the COM is. `dt` [s] since the last call; 0 for the first, which sets the heading at once."""
        self.s = self.path.locate(com, self.s)
        change = self.path.heading(self.s) - self.heading
        if dt > 0.0:
            limit = TURN_MARGIN * self.path.tightest[0] * self.speed * dt
            change = min(max(change, -limit), limit)
        self.heading += change

    def way(self, number: int) -> float:
        """Length of the path at which a footprint of the plan lies; number 0 is at its start."""
        return self.step_length * number if self._ways is None else self._ways(number)

    def stand(self, place: complex) -> None:
        """The foot in stance is at a place now."""
        self.stance_s = self.path.locate(place, self.stance_s)

    def footprint(self, s: float, sign: int, width_m: float, omega: float) -> tuple[complex, float]:
        """Where a foot of the steady gait stands beside the path at a length, on the left (`sign` +1) or right (-1), and the
        path's heading there. In a turn the feet go outside of the COM."""
        curvature = self.path.curvature(s)
        outward = (stretch(curvature * self.speed, omega) - 1.0) / curvature if curvature else 0.0
        return self.path.point(s) + 1j * tangent(self.path, s) * (0.5 * sign * width_m - outward), self.path.heading(s)

    @property
    def forward(self) -> complex:
        """Unit vector of the heading."""
        return cmath.exp(1j * self.heading)

    def cross_track(self, com: complex) -> float:
        """How far [m] the COM is to the left of the path."""
        return offset(self.path, self.s, com)

    @property
    def turn(self) -> float:
        """Turn of the path over a step around the COM [rad]."""
        half = 0.5 * self.step_length
        return self.path.heading(self.s + half) - self.path.heading(self.s - half)

    @property
    def turn_rate(self) -> float:
        """Rate at which the heading turns at the gait's speed [rad/s]."""
        return self.turn * self.speed / self.step_length

    def headings(self, travel: Sequence[complex]) -> list[float]:
        """Headings [rad] of the foot in stance and of the next ones, each a travel (forward + i left) further."""
        s, headings = self.stance_s, [self.path.heading(self.stance_s)]
        for distance in travel:
            s += distance.real
            headings.append(self.path.heading(s))
        return headings
