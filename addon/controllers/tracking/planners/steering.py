# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow corrections of a walk's velocity: towards the speed asked for, and back to the path."""

from __future__ import annotations

from .settings import WalkSettings


class Steering:
    """The velocity asked of the steps. `speed_bias` and `side_bias` [m/s] are what was learnt at the strikes so far."""

    def __init__(self, settings: WalkSettings) -> None:
        self._settings = settings
        self.speed_bias = self.side_bias = 0.0
        self._strikes: dict[str, tuple[float, float, float]] = {}

    def desired(self, speed_m_s: float, cross_track_m: float, time_scale: float) -> complex:
        """Wanted mean velocity [m/s], forward + i left, of a walk `cross_track_m` to the left of its path. `time_scale` is
        sqrt(g) over Earth's."""
        return complex(speed_m_s + self.speed_bias, self._sideways(speed_m_s, cross_track_m, time_scale) + self.side_bias)

    def _sideways(self, speed_m_s: float, cross_track_m: float, time_scale: float) -> float:
        """Velocity to the left that leads back to the path."""
        limit = self._settings.lateral_limit * speed_m_s
        return min(max(-self._settings.lateral_gain * time_scale * cross_track_m, -limit), limit)

    def strike(self, side: str, time_s: float, s: float, speed_m_s: float, cross_track_m: float, time_scale: float) -> None:
        """A foot strikes at a length s of the path: ask for more or less speed by a fraction of what the stride since its last
        one lacked, and keep a fraction of what leads back to the path."""
        settings = self._settings
        if side in self._strikes:
            before_s, before, asked_m_s = self._strikes[side]
            limit, lack = settings.speed_limit * speed_m_s, 0.5 * (asked_m_s + speed_m_s) - (s - before) / (time_s - before_s)
            self.speed_bias = min(max(self.speed_bias + settings.speed_fraction * lack, -limit), limit)
        self._strikes[side] = (time_s, s, speed_m_s)
        limit = settings.lateral_limit * speed_m_s
        kept = self.side_bias + settings.lateral_fraction * self._sideways(speed_m_s, cross_track_m, time_scale)
        self.side_bias = min(max(kept, -limit), limit)

    def change(self, ratio: float) -> None:
        """The speed asked for has changed by a ratio: what was learnt goes with it."""
        self.speed_bias *= ratio
        self.side_bias *= ratio

    def forget(self) -> None:
        """The strides that follow are not those of the speed asked for."""
        self._strikes.clear()
