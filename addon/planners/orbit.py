# SPDX-License-Identifier: GPL-3.0-or-later
"""The periodic orbit of the pendulum over the rolling centre of pressure: how the COM sways within a step."""

from __future__ import annotations

import numpy as np

from .capture import backward, remaining
from .footsteps import PREVIEW_STEPS, StepPlanner, step_geometry
from .rhythm import SIGN, Rhythm

SAMPLES = 64
WARM_UP_STEPS = 10


class PeriodicOrbit:
    """COM and COM velocity over a step of the steady gait, heading along x, for steps on either side."""

    def __init__(self, steps: StepPlanner, rhythm: Rhythm, step_length_m: float, width_m: float, omega: float) -> None:
        self._rhythm = rhythm
        self._rows = {side: _orbit(steps, rhythm, side, step_length_m, width_m, omega) for side in ("L", "R")}

    def now(self) -> np.ndarray:
        """COM from the stance foot and COM velocity (2,), complex forward + i left, at the rhythm's phase."""
        _, whole = self._rhythm.fractions(self._rhythm.stance)
        rows = self._rows[self._rhythm.stance]
        at = min(self._rhythm.local / whole * SAMPLES, SAMPLES - 1.001)
        low = int(at)
        return rows[low] + (at - low) * (rows[low + 1] - rows[low])


def _orbit(steps: StepPlanner, rhythm: Rhythm, side: str, length: float, width: float, omega: float) -> np.ndarray:
    """Rows (SAMPLES, 2): c' = omega (xi - c) is stable, so some steps of it from anywhere end on the orbit."""
    times, sign, foot, heading = rhythm.stance_times(side), SIGN[side], 0j, 1 + 0j
    dt = sum(times) / SAMPLES
    end = steps.cop_places(foot - complex(length, sign * width), -sign, heading)[-1]
    com, rows = end, np.empty((SAMPLES, 2), dtype=complex)
    for _ in range(WARM_UP_STEPS + 1):
        after = foot + complex(length, -sign * width)
        pieces = steps.pieces(end, foot, sign, heading, times)
        geometry = step_geometry([complex(length)] * PREVIEW_STEPS, -sign, width)
        landing = steps.landing_capture(pieces[-1].end, after, geometry, heading, omega, times)
        for i in range(SAMPLES):
            velocity = omega * (backward(landing, remaining(pieces, (i + 0.5) * dt), omega) - com)
            rows[i] = com - foot, velocity
            com += dt * velocity
        end, foot, sign = pieces[-1].end, after, -sign
    return rows
