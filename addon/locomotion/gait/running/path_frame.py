# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a running body: the frame on its path in which footholds are planned, and the speed along it."""

from __future__ import annotations

import cmath

from ....worlds.paths import Path
from .settings import RunningSettings


class PathFrame:
    """A frame that goes along a path with the body: along the path's tangent, from its start, + i left of it. `arc_length`
    [m] is the path's where the body is, `heading` [rad] its tangent's there."""

    def __init__(self, path: Path) -> None:
        self.path, self.arc_length = path, 0.0
        self.heading, self._origin = path.heading(0.0), path.point(0.0)

    @property
    def direction(self) -> complex:
        """Unit vector of the heading."""
        return cmath.exp(1j * self.heading)

    def follow(self, com: complex) -> None:
        """Take the path's point nearest to the COM for the frame's origin."""
        self.arc_length = self.path.locate(com, self.arc_length)
        self.heading, self._origin = self.path.heading(self.arc_length), self.path.point(self.arc_length)

    def local(self, place: complex) -> complex:
        """A place of the world in the frame."""
        return (place - self._origin) / self.direction + self.arc_length

    def world(self, local: complex) -> complex:
        """The inverse of `local`."""
        return self._origin + (local - self.arc_length) * self.direction


class SpeedBias:
    """What was learnt at the strikes of the speed to ask for: `bias` [m/s] is asked for beyond the gait's."""

    def __init__(self, settings: RunningSettings) -> None:
        self._settings, self.bias = settings, 0.0
        self._strikes: dict[str, tuple[float, float]] = {}

    def strike(self, side: str, time_s: float, arc_length_m: float, wish: float) -> None:
        """At a strike: ask for more or less by a fraction of what the stride since this foot's last strike lacked."""
        if side in self._strikes:
            before_s, before = self._strikes[side]
            speed = (arc_length_m - before) / (time_s - before_s)
            limit = self._settings.speed_limit * wish
            self.bias = min(max(self.bias + self._settings.speed_fraction * (wish - speed), -limit), limit)
        self._strikes[side] = (time_s, arc_length_m)

    def change(self, ratio: float) -> None:
        """The speed wished for has changed by a ratio: the stride since the last strike was meant to be faster or slower."""
        self.bias *= ratio
        self._strikes.clear()
