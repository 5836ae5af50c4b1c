# SPDX-License-Identifier: GPL-3.0-or-later
"""The periodic orbit of the pendulum over the rolling centre of pressure: how the COM sways within a step.

Where the walker is on its path, which way it faces, and how the path turns under the coming steps.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence

import numpy as np

from ....worlds.paths import Path, offset, tangent
from ...legged.capture import backward, remaining
from .footsteps import PREVIEW_STEPS, SIGN, Rhythm, StepPlanner, along_arc, heading_vector, step_geometry

SAMPLES = 64
WARM_UP_STEPS = 10
TURN_GRID = 0.1
"""Turns a step [rad] for which orbits are made; between them they are interpolated."""


class PeriodicOrbit:
    """COM and COM velocity over a step of the steady gait, for steps on either side, straight or turning.

    In a turn the COM keeps its step length; the feet's circle is wider, so that the COM leans inward.
    """

    def __init__(self, steps: StepPlanner, rhythm: Rhythm, step_length_m: float, width_m: float, omega: float) -> None:
        self._rhythm, self._steps = rhythm, steps
        self._sizes = step_length_m, width_m, omega
        self._rows: dict[tuple[str, int], list[list[complex]]] = {}

    def now(self, turn: float = 0.0) -> tuple[complex, complex]:
        """COM from the stance foot in the frame of that foot, and COM velocity in the frame of the path below the COM,
        forward + i left, at the rhythm's phase. `turn` [rad] is the turn a step."""
        _, whole = self._rhythm.fractions(self._rhythm.stance)
        at = min(max(self._rhythm.local, 0.0) / whole * SAMPLES, SAMPLES - 1.001)
        grid = math.floor(turn / TURN_GRID)
        share = turn / TURN_GRID - grid
        row = self._row(grid, at)
        return row if share < 1e-9 else _between(row, self._row(grid + 1, at), share)

    def _row(self, grid: int, at: float) -> tuple[complex, complex]:
        key = self._rhythm.stance, grid
        if key not in self._rows:
            self._rows[key] = _orbit(self._steps, self._rhythm, key[0], *self._sizes, TURN_GRID * grid).tolist()
        rows, low = self._rows[key], int(at)
        return _between(rows[low], rows[low + 1], at - low)


def _between(one: Sequence[complex], other: Sequence[complex], share: float) -> tuple[complex, complex]:
    """COM and velocity some share of the way from one to the other."""
    return one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])


def stretch(turn_rate: float, omega: float) -> float:
    """How much wider than the COM's the feet's circle is: c'' = -W^2 c = omega^2 (c - p) gives p = c (1 + (W / omega)^2)."""
    return 1.0 + (turn_rate / omega) ** 2


def _orbit(
    steps: StepPlanner, rhythm: Rhythm, side: str, length: float, width: float, omega: float, turn: float
) -> np.ndarray:
    """Rows (SAMPLES, 2): c' = omega (xi - c) is stable, so some steps of it from anywhere end on the orbit."""
    times, sign, facing, heading = rhythm.stance_times(side), SIGN[side], 1 + 0j, 0.0
    dt, rotation = sum(times) / SAMPLES, heading_vector(turn)
    travel = complex(length * stretch(turn / sum(times), omega))
    middle, rows = -0.5j * sign * width, np.empty((SAMPLES, 2), dtype=complex)
    last = middle - along_arc(travel, -turn, 0.0)
    end = steps.cop_places(last - 0.5j * sign * width / rotation, -sign, 1.0 / rotation)[-1]
    com = end
    for _ in range(WARM_UP_STEPS + 1):
        foot = middle + 0.5j * sign * width * facing
        following = middle + along_arc(travel, heading, heading + turn)
        after = following - 0.5j * sign * width * facing * rotation
        pieces = steps.pieces(end, foot, sign, facing, times)
        turns = [turn * (i + 1) for i in range(PREVIEW_STEPS)]
        geometry = step_geometry([travel] * PREVIEW_STEPS, -sign, width, turns)
        landing = steps.touch_down_capture(pieces[-1].end, after, geometry, facing * rotation, omega, times)
        outward = -1j * facing * travel / turn if turn else 0j
        for i in range(SAMPLES):
            velocity = omega * (backward(landing, remaining(pieces, (i + 0.5) * dt), omega) - com)
            below = facing
            if turn:
                below = facing * (com - (middle - outward)) / outward
                below /= abs(below)
            rows[i] = (com - foot) / facing, velocity / below
            com += dt * velocity
        end, middle, sign = pieces[-1].end, following, -sign
        heading, facing = heading + turn, facing * rotation
    return rows


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
