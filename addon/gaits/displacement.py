# SPDX-License-Identifier: GPL-3.0-or-later
"""The foot displacement map: how a tuned gait leads its feet away from the reference motion's, relative to the body.

Six control points over a foot's own cycle, three in stance and three in swing (Kim 2017, section 5.2.2; Lee et al. 2014),
mirrored for the other foot. In swing the foot's path is shifted. A foot that stands cannot move, so there the body moves the
other way: a foot that should be higher lowers the centre of mass, one that should be further ahead or out has its centre of
pressure further back or in, and lands wider. The planner knows all of it, so balance and step timing stay consistent.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from scipy.interpolate import CubicSpline

from ..errors import InputError
from ..maths.curves import cubic
from .stance_times import StanceTimes

POINTS, AXES = 6, 3
LARGEST = 0.2
"""Largest displacement over leg length: more than twice what a step's own clearance is; beyond it legs meet their reach."""
OUTWARD = {"L": 1.0, "R": -1.0}
SHORTEST_RAMP = 0.25
"""Share of a running foot's stance over which its weight comes and goes, there being no double support that tells."""


def check_points(points: object, what: str = "The displacement map") -> np.ndarray:
    """`points` as an array (6, 3); raises InputError where they are no finite numbers up to `LARGEST` of that shape."""
    try:
        array = np.array(points, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what} must be {POINTS} x {AXES} numbers: {error}.") from None
    if array.shape != (POINTS, AXES):
        raise InputError(f"{what} must be {POINTS} x {AXES} numbers, got the shape {array.shape}.")
    if not np.isfinite(array).all() or np.abs(array).max() > LARGEST:
        raise InputError(f"{what} must hold numbers within +-{LARGEST:g} leg lengths, got {array.tolist()}.")
    return array


class DisplacementMap:
    """A map for one body and gait. `points` (6, 3): forward, outward, up over leg length, at the middles of the thirds of
    stance and of swing; `toe_off` is the phase since strike at which a foot leaves the ground."""

    def __init__(self, points: np.ndarray | None, toe_off: float, leg_length_m: float) -> None:
        self.points = np.zeros((POINTS, AXES)) if points is None else check_points(points)
        self.moves = bool(self.points.any())
        self.toe_off = toe_off
        thirds = (np.arange(3) + 0.5) / 3.0
        phases = np.concatenate([toe_off * thirds, toe_off + (1.0 - toe_off) * thirds])
        closed = np.concatenate([self.points, self.points[:1]]) * leg_length_m
        self._spline = CubicSpline(np.append(phases, phases[0] + 1.0), closed, bc_type="periodic")
        self._knots, self._cubics = self._spline.x.tolist(), self._spline.c.transpose(1, 2, 0).tolist()
        self._swing_ends: dict[float, tuple[list[float], list[float]]] = {}

    def outward(self, since_strike: float | np.ndarray) -> np.ndarray:
        """Displacement (..., 3) [m] forward, outward, up at phases (...,) since the foot's own strike; periodic."""
        return self._spline(since_strike)

    def offset(self, since_strike: float | np.ndarray, side: str) -> np.ndarray:
        """Displacement (..., 3) [m] of the foot on a side, x forward, y left, z up, at phases (...,) since its strike."""
        return self.outward(since_strike) * (1.0, OUTWARD[side], 1.0)

    def swing_offset(self, since_strike: float, side: str, toe_off: float | None = None) -> tuple[float, float, float]:
        """`offset` for a foot on its way from toe-off to strike, less what its ends, which stand on the ground, have: zero
        at both, so that it leaves from and lands on its footsteps."""
        start = self.toe_off if toe_off is None else toe_off
        if start not in self._swing_ends:
            self._swing_ends[start] = self._outward(start), self._outward(1.0)
        s = min(max((since_strike - start) / (1.0 - start), 0.0), 1.0)
        share = cubic(s)
        x, y, z = (at - (1.0 - share) * off - share * strike for at, off, strike in
                   zip(self._outward(start + s * (1.0 - start)), *self._swing_ends[start], strict=True))
        return x, OUTWARD[side] * y, z

    def _outward(self, since_strike: float) -> list[float]:
        """`outward` at one phase, without the cost of arrays."""
        first, knots = self._knots[0], self._knots
        phase = first + (since_strike - first) % 1.0
        i = min(bisect_right(knots, phase) - 1, len(knots) - 2)
        t = phase - knots[i]
        return [((a * t + b) * t + c) * t + d for a, b, c, d in self._cubics[i]]

    def widening_m(self) -> float:
        """How much wider apart the feet stand [m]: twice the outward displacement at the strike."""
        return 2.0 * float(self.outward(0.0)[1])

    def cop_shifts(self, times: StanceTimes, frequency_hz: float) -> tuple[complex, complex, complex]:
        """Shifts of the centre of pressure from the foot, forward + i outward [m], at the ends of double support, of the
        flat foot and of the whole step, whose durations are `times`.

        Over a foot that is displaced by D the pendulum stays where it is: its centre of pressure is -D from the foot.
        """
        shifts = -self.outward(np.cumsum(times) * frequency_hz)
        double, flat, whole = (complex(x, y) for x, y, _ in shifts)
        return double, flat, whole

    def stance_cop_shift(self, shares: np.ndarray, side: str) -> np.ndarray:
        """The same (...,), forward + i left [m], at shares (...,) of the stance of the foot on a side."""
        if not self.moves:
            return np.zeros(np.shape(shares), dtype=complex)
        offset = self.offset(self.toe_off * np.clip(shares, 0.0, 1.0), side)
        return -(offset[..., 0] + 1j * offset[..., 1])

    def body_rise(self, since_strikes: np.ndarray) -> np.ndarray:
        """Rise (...,) [m] of the centre of mass where the feet are at phases (..., 2) since their strikes: minus the
        vertical displacement of the feet that stand, weighted as they take over the body's weight from one another."""
        since = np.mod(since_strikes, 1.0)
        double = self.toe_off - 0.5
        ramp = double if double > 0.02 else SHORTEST_RAMP * self.toe_off
        up, down = np.clip(since / ramp, 0.0, 1.0), np.clip((self.toe_off - since) / ramp, 0.0, 1.0)
        weight = cubic(np.minimum(up, down))
        total = np.maximum(weight.sum(axis=-1), 1.0)
        return -(weight * self.outward(since)[..., 2]).sum(axis=-1) / total
