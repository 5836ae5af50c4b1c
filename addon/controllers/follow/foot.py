# SPDX-License-Identifier: GPL-3.0-or-later
"""One foot of a follower: the stances it goes through, where it stands in truth, and its way through the air."""

from __future__ import annotations

import cmath
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ...bodies.human.landmarks import SIDES
from ..tracking.planners.foot_geometry import FootGeometry, Footstep
from .prints import Print, stance_pitch
from .schedule import FOREVER_S
from .swing import STILL, Swing
from .track import Track

BEGUN_RAD = 0.01
"""A turn by less has not begun: what it is about may still change."""


class FollowedFoot:
    """One foot. `at` counts its stances: the one it stands in, or, while it swings, the one it left; `step` is where it stands
    in truth. A foot may have `landed` before its time."""

    def __init__(self, side: str, prints: list[Print], geometry: FootGeometry) -> None:
        self.side, self.prints, self.geometry = side, prints, geometry
        self.at = -1
        self.swing: Swing | None = None
        self.landed = False
        self.step: Footstep | None = None
        self.target: Footstep | None = None
        self.lowered_m = self.lowering_m_s = 0.0
        self._own: tuple[int, Print] | None = None  # the print that it stands on where it turns otherwise than planned

    def follow_on(self, prints: list[Print], moved: complex) -> None:
        """Go by other prints, of which one is of the stance that this foot is in, or left last, on a way that is `moved`."""
        if self.swing is not None:
            self.swing.away_m = self.swing.away_m - [moved.real, moved.imag, 0.0]
        strike_s = self.prints[self.at].stance.strike_s if self.at >= 0 else None
        before, self.prints = self.at, prints
        self.at = next((i for i, one in enumerate(prints) if one.stance.strike_s == strike_s), -1)
        if self._own is not None:
            self._own = (self.at, replace(prints[self.at], turn=self._own[1].turn)) if self._own[0] == before else None

    @property
    def stands(self) -> bool:
        """Whether it is on the ground by plan or before its time."""
        return self.swing is None or self.landed

    @property
    def print(self) -> Print:
        """The print that it stands on, or on which it lands next."""
        if self._own is not None and self._own[0] == self.at and self.swing is None:
            return self._own[1]
        return self.prints[self.at + (self.swing is not None)]

    @property
    def coming(self) -> Print | None:
        """The print after the one it stands on, or, while it swings, the one it is led to."""
        return self.prints[self.at + 1] if self.at + 1 < len(self.prints) else None

    def stood(self, time_s: float) -> Footstep:
        """Where it stands at a clip time, or stood last."""
        if self.step is None:
            raise RuntimeError("This foot has not stood yet.")
        return self.step if self.swing is not None else self.print.turned(self.step, time_s)

    def turn_about(self, pressure: complex, time_s: float) -> None:
        """Let a turn that has not begun yet be about the point that is nearest to the pressure (x + iy [m])."""
        turn = self.print.turn if self.swing is None and self.step is not None else None
        if turn is None or abs(turn.at(time_s)[0]) > BEGUN_RAD or self.step is None:
            return
        own = turn.about((pressure - self.step.place) / cmath.exp(1j * self.step.yaw))
        if own is not turn:
            self._own = self.at, replace(self.print, turn=own)

    def arrival(self, track: Track) -> np.ndarray:
        """Horizontal velocity (3,) [m / clip s] at the strike of the clip's own path over the foot that rolls there, where
        both come down: a jump's feet that slide turn the body over; a run's are braked by the ground, as the leg goes on."""
        swing, target, small = self.swing, self.target, 1e-3
        if swing is None or target is None or swing.end_s >= FOREVER_S or not self.print.both:
            return STILL
        times, i = (swing.end_s - small, swing.end_s + small), SIDES.index(self.side)
        before, after = track.at(times)
        rolled = [self.geometry.rolled(target, stance_pitch(self.print, instant.foot_pitch[i], time), 0.0).ankle
                  for instant, time in zip((before, after), times, strict=True)]
        return (after.ankle_m[i] - before.ankle_m[i] - rolled[1] + rolled[0]) / (2.0 * small) * [1.0, 1.0, 0.0]


def facing(yaws: Iterable[float]) -> complex:
    """The mean direction of feet, as a unit vector; ahead where they cancel out."""
    total = sum(cmath.exp(1j * yaw) for yaw in yaws)
    return total / abs(total) if abs(total) > 1e-3 else 1.0 + 0j
