# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a bouncing body: the frame on its path in which footholds are planned, and the speed along it."""

from __future__ import annotations

import cmath

from .....worlds.paths import Path
from .settings import BounceSettings


class PathFrame:
    """A frame that goes along a path with the body: along the path's tangent, from its start, + i left of it. `way` [m] is
    the path's length where the body is, `heading` [rad] its tangent's there."""

    def __init__(self, path: Path) -> None:
        self.path, self.way = path, 0.0
        self.heading, self._origin = path.heading(0.0), path.point(0.0)

    @property
    def direction(self) -> complex:
        """Unit vector of the heading."""
        return cmath.exp(1j * self.heading)

    def follow(self, com: complex) -> None:
        """Take the path's point nearest to the COM for the frame's origin."""
        self.way = self.path.locate(com, self.way)
        self.heading, self._origin = self.path.heading(self.way), self.path.point(self.way)

    def local(self, place: complex) -> complex:
        """A place of the world in the frame."""
        return (place - self._origin) / self.direction + self.way

    def world(self, local: complex) -> complex:
        """The inverse of `local`."""
        return self._origin + (local - self.way) * self.direction


class SpeedBias:
    """What was learnt at the strikes of the speed to ask for: `bias` [m/s] is asked for beyond the gait's."""

    def __init__(self, settings: BounceSettings) -> None:
        self._settings, self.bias = settings, 0.0
        self._strikes: dict[str, tuple[float, float]] = {}

    def strike(self, side: str, time_s: float, way_m: float, wish: float) -> None:
        """At a strike: ask for more or less by a share of what the stride since this foot's last strike lacked."""
        if side in self._strikes:
            before_s, before = self._strikes[side]
            speed = (way_m - before) / (time_s - before_s)
            limit = self._settings.speed_limit * wish
            self.bias = min(max(self.bias + self._settings.speed_share * (wish - speed), -limit), limit)
        self._strikes[side] = (time_s, way_m)

    def change(self, ratio: float) -> None:
        """The speed wished for has changed by a ratio: the stride since the last strike was meant to be faster or slower."""
        self.bias *= ratio
        self._strikes.clear()
