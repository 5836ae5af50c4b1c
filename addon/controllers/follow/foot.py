# SPDX-License-Identifier: GPL-3.0-or-later
"""One foot of a follower: the stances it goes through, where it stands in truth, and its way through the air."""

from __future__ import annotations

import cmath
from dataclasses import replace

from ..tracking.planners.foot_geometry import FootGeometry, Footstep
from .prints import Print
from .swing import Swing

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
