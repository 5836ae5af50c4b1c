# SPDX-License-Identifier: GPL-3.0-or-later
"""The horizontal motion of a step: forces that pass through the centre of mass make it linear in state and footholds.

With the vertical plan z(t) the horizontal COM obeys c'' = w^2 (c - r), w^2 = (g + z'') / z, r the centre of pressure: the
pendulum of Englsberger, Ott and Albu-Schaeffer 2015 with a rate that changes as the ground pushes. So the state at take-off
is a matrix times the state now, plus one column a foothold. Horizontal vectors are complex, forward + i left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .contact_schedule import Contact
from .vertical import Quintic

INTERVALS = 32
LEAST_RAMP = 0.08
"""Least share of the ground phase in which a foot takes over or gives up its load beside another one."""


class GroundMap:
    """From the state at share s of the ground phase to the state at take-off.

    x_end = state(s) x + sum_j feet(s)_j p_j + own(s), with x = (c, v), p_j the places of the contacts' feet. Rows of
    `state` (n, 2, 2), `feet` (n, 2, J), `own` (n, 2), n = INTERVALS + 1.
    """

    def __init__(self, vertical: Quintic, gravity: float, loads: np.ndarray, offsets: np.ndarray) -> None:
        count = INTERVALS
        step = vertical.duration_s / count
        heights, accelerations = vertical.sampled((np.arange(count) + 0.5) * step)
        rates = np.sqrt(np.maximum((gravity + accelerations) / heights, 1e-6))
        cosh, sinh = np.cosh(rates * step), np.sinh(rates * step)
        feet_count = loads.shape[1]
        self.state = np.empty((count + 1, 2, 2))
        self.feet = np.zeros((count + 1, 2, feet_count))
        self.own = np.zeros((count + 1, 2), dtype=complex)
        self.state[count] = np.eye(2)
        for i in reversed(range(count)):
            s = np.array([[cosh[i], sinh[i] / rates[i]], [rates[i] * sinh[i], cosh[i]]])
            push = self.state[i + 1] @ np.array([1.0 - cosh[i], -rates[i] * sinh[i]])
            self.state[i] = self.state[i + 1] @ s
            self.feet[i] = self.feet[i + 1] + np.outer(push, loads[i])
            self.own[i] = self.own[i + 1] + push * offsets[i]

    def at(self, share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(2, 2), (2, J), (2,) at a share of the ground phase."""
        place = min(max(share, 0.0), 1.0) * INTERVALS
        i = min(int(place), INTERVALS - 1)
        w = place - i
        return tuple(rows[i] + w * (rows[i + 1] - rows[i]) for rows in (self.state, self.feet, self.own))


def load_fractions(contacts: Sequence[Contact], shares: np.ndarray) -> np.ndarray:
    """Share (n, J) of the load that each foot carries at shares (n,) of the ground phase; rows sum to 1."""
    overlap = 0.0
    if len(contacts) > 1:
        overlap = max(min(c.off for c in contacts) - max(c.on for c in contacts), 0.0)
    ramp = max(min(overlap, 0.3), LEAST_RAMP)
    raw = np.stack([np.minimum((shares - c.on) / ramp, (c.off - shares) / ramp) for c in contacts], axis=1)
    raw = np.minimum(np.maximum(raw, 0.0), 1.0) + 1e-9
    alone = raw.sum(axis=1) < 1e-6  # between two feet: the nearer one's place is meant
    raw[alone] = np.stack([np.exp(-40.0 * np.maximum(c.on - shares, shares - c.off)) for c in contacts], axis=1)[alone]
    return raw / raw.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class OrbitRow:
    """The periodic orbit at one step: COM at touch-down (from the orbit's origin, on the path's middle line), velocities
    at touch-down and take-off, the feet's places (J,), COM at take-off."""

    com: complex
    velocity: complex
    leaving: complex
    places: np.ndarray
    com_leaving: complex


class Orbit:
    """The periodic orbit of a cycle of running steps for any mean velocity: a constant part and one in proportion to it."""

    def __init__(
        self, maps: Sequence[GroundMap], ground_s: Sequence[float], flight_s: Sequence[float],
        onsets_s: Sequence[np.ndarray], offsets: Sequence[np.ndarray],
    ) -> None:
        """`onsets_s[k]` (J,) are the landing times of step k's feet after its touch-down, `offsets[k]` (J,) complex their
        places from the travelling middle of the body."""
        starts = np.concatenate([[0.0], np.cumsum(np.add(ground_s, flight_s))])
        self.period_s = float(starts[-1])
        constant = [np.asarray(o, dtype=complex) for o in offsets]
        moving = [starts[k] + np.asarray(t, dtype=float) + 0j for k, t in enumerate(onsets_s)]
        self._parts = [self._solve(maps, flight_s, constant, True, 0.0),
                       self._solve(maps, flight_s, moving, False, self.period_s)]

    @staticmethod
    def _solve(
        maps: Sequence[GroundMap], flight_s: Sequence[float], places: Sequence[np.ndarray], own: bool, travel: float
    ) -> list[OrbitRow]:
        matrix, vector = np.eye(2), np.zeros(2, dtype=complex)
        for ground, flight, place in zip(maps, flight_s, places, strict=True):
            fly = np.array([[1.0, flight], [0.0, 1.0]])
            matrix = fly @ ground.state[0] @ matrix
            vector = fly @ (ground.state[0] @ vector + ground.feet[0] @ place + (ground.own[0] if own else 0.0))
        x = np.linalg.solve(matrix - np.eye(2), np.array([travel, 0.0]) - vector)
        rows = []
        for ground, flight, place in zip(maps, flight_s, places, strict=True):
            end = ground.state[0] @ x + ground.feet[0] @ place + (ground.own[0] if own else 0.0)
            rows.append(OrbitRow(complex(x[0]), complex(x[1]), complex(end[1]), place, complex(end[0])))
            x = np.array([[1.0, flight], [0.0, 1.0]]) @ end
        return rows

    def at(self, index: int, velocity: complex) -> OrbitRow:
        """The orbit at a step for a mean velocity [m/s]."""
        a, b = (part[index] for part in self._parts)
        return OrbitRow(*(getattr(a, f) + velocity * getattr(b, f)
                          for f in ("com", "velocity", "leaving", "places", "com_leaving")))
