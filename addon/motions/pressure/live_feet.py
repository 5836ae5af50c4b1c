# SPDX-License-Identifier: GPL-3.0-or-later
"""Feet on the ground as poses come: what stands stays where it came down, what was held back goes in the swing after it, and
nothing of it is known but the swing's own landing."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body
from ...maths.rotations import quat_from_rotvec, quat_multiply
from ..responses.feet import CLEAR_M, CLEAR_S, OFF_M, Hold, Sole, faded
from ..responses.measuring import spans
from .database import MOTION_HZ

SETTLES = 0.75
"""What is left, a pose later, of the height at which a foot came down over the ground (first guess)."""


@dataclass(frozen=True, eq=False)
class Swings:
    """Of n poses of a foot: how far through its swing it is, 0 to 1 (n,), not a number where it stands; how long that lasts, in
    poses (n,); over where its ankle lands (n, 2) [m], and by how much it is lifted there (n,) [m]. One that only `falls` comes
    down as a motion fades in, and may at any time."""

    phase: np.ndarray
    long: np.ndarray
    lands_m: np.ndarray
    lift_m: np.ndarray
    falls: bool = False

    def part(self, some: slice) -> Swings:
        """Of some of the poses."""
        return Swings(self.phase[some], self.long[some], self.lands_m[some], self.lift_m[some], self.falls)


@dataclass(frozen=True, eq=False)
class _Laid:
    """How far n poses of a foot are shifted, x + iy [m], turned [rad] and lifted [m] (n,), filled pose by pose."""

    shift: np.ndarray
    yaw: np.ndarray
    lift: np.ndarray


class LiveFoot:
    """Lays one foot of a body on level ground, pose after pose."""

    def __init__(self, body: Body, foot: int) -> None:
        self.sole = Sole.of(body, body.feet[foot])
        self._hold: Hold | None = None
        self._shift, self._yaw, self._lift, self._over = 0j, 0.0, 0.0, 0.0
        self._phase: float | None = 0.0
        self._entered = 0.0
        self._stood_m: complex | None = None

    def copy(self) -> LiveFoot:
        """One that goes on from here by itself."""
        other = copy(self)
        other._hold = copy(self._hold)
        return other

    def begins(self, stands: bool) -> None:
        """Another motion begins, that is laid on the pose given last: what stands on goes on to stand."""
        self._lift, self._over, self._phase = 0.0, 0.0, None
        if not stands:
            self._hold, self._shift, self._yaw = None, 0j, 0.0

    def over(
        self, ankle: np.ndarray, turn: np.ndarray, toe_rad: np.ndarray, planted: np.ndarray, swings: Swings,
    ) -> tuple[np.ndarray, np.ndarray]:
        """The next ankles (n, 3) and turns (n, 4), of which heel or ball are `planted` (n, 2), on the ground."""
        points = self.sole.at(ankle, turn)
        held = planted @ self.sole.parts > 0
        flat = ankle[:, 0] + 1j * ankle[:, 1]
        laid = _Laid(np.zeros(len(ankle), dtype=complex), np.zeros(len(ankle)), np.zeros(len(ankle)))
        stands = held.any(axis=1)
        for some in _parts(stands):
            if stands[some.start]:
                self._stand(some, ankle, turn, points, held, laid)
                self._stood_m, self._phase = complex(flat[some.stop - 1] + laid.shift[some.stop - 1]), 0.0
                self._entered = 0.0
            else:
                lowest = self.sole.lowest(ankle[some], turn[some], toe_rad[some])
                self._swing(some, ankle, points, lowest, swings.part(some), laid)
            last = some.stop - 1
            self._shift, self._yaw, self._lift = complex(laid.shift[last]), float(laid.yaw[last]), float(laid.lift[last])
        goes = flat + laid.shift
        about = np.zeros((len(ankle), 3))
        about[:, 2] = laid.yaw
        return np.stack([goes.real, goes.imag, ankle[:, 2] + laid.lift], axis=1), quat_multiply(quat_from_rotvec(about), turn)

    def _stand(self, some: slice, ankle: np.ndarray, turn: np.ndarray, points: np.ndarray, held: np.ndarray,
               laid: _Laid) -> None:
        heights = points[some, :, 2]
        level = -np.where(held[some], heights, np.inf).min(axis=1)
        grips, holds = self.sole.grips(ankle[some], turn[some], points[some], held[some])
        places, middle = grips[..., 0] + 1j * grips[..., 1], ankle[some, 0] + 1j * ankle[some, 1]
        if self._hold is None:
            shown = middle[0] + self._shift + (places[0] - middle[0]) * np.exp(1j * self._yaw)
            self._hold = Hold(self.sole, shown, self._yaw)
            self._over = max(self._lift - float(level[0]), 0.0) if self._stood_m is not None else 0.0
        laid.shift[some], laid.yaw[some] = self._hold.over(places, grips[..., 2], holds, middle)
        over = self._over * SETTLES ** np.arange(1.0, len(level) + 1.0)
        self._over = float(over[-1])
        laid.lift[some] = np.maximum(level + over, -heights.min(axis=1))

    def _swing(self, some: slice, ankle: np.ndarray, points: np.ndarray, lowest: np.ndarray, swings: Swings,
               laid: _Laid) -> None:
        self._hold = None
        if self._phase is None:
            self._entered = min(float(swings.phase[0]), 1.0 - 1e-6)  # a swing that is gone into in its midst
        phase = self._entered if self._phase is None else self._phase
        u = np.maximum.accumulate(np.maximum(swings.phase, phase))  # one swing after another, without a stand between, is one
        left = left_of(phase, u)
        laid.shift[some], laid.yaw[some] = left * self._shift, left * self._yaw
        goes = (1.0 - u) / max(1.0 - phase, 1e-6)
        level = np.maximum(swings.lift_m + goes * (self._lift - swings.lift_m), -points[some, :, 2].min(axis=1))
        since = np.clip((u - self._entered) / (1.0 - self._entered), 0.0, 1.0)
        high = 0.0 if swings.falls else CLEAR_M
        clear = high * np.minimum(swings.long / (CLEAR_S * MOTION_HZ), 1.0) * 16.0 * (since * (1.0 - since)) ** 2
        place = ankle[some, 0] + 1j * ankle[some, 1] + laid.shift[some]
        gone = np.abs(place - swings.lands_m[:, 0] - 1j * swings.lands_m[:, 1])
        if self._stood_m is not None:
            gone = np.minimum(gone, np.abs(place - self._stood_m))
        laid.lift[some] = np.maximum(level, np.maximum(clear, np.minimum(gone, OFF_M)) - lowest)
        self._phase = float(u[-1])


def left_of(phase: float, phases: np.ndarray) -> np.ndarray:
    """What is left (n,), at later `phases` (n,) of a swing, of what is there at a phase of it and gone at its end."""
    stays = faded(np.append(phase, phases), 1.0, np.ones(()))
    return np.asarray(stays[1:] / max(stays[0], 1e-6))


def _parts(stands: np.ndarray) -> list[slice]:
    """The parts of a sequence (n,) in which a foot stands, and those in which it does not, in their order."""
    return sorted((slice(*part) for part in (*spans(stands), *spans(~stands))), key=lambda part: part.start)
