# SPDX-License-Identifier: GPL-3.0-or-later
"""Angular momentum that a body takes along into a flight of its clip, where nothing can change it any more."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from .clip_plan import ClipPlan
from .momentum import specific_momentum
from .settings import FollowSettings

SMOOTHING_S = 0.03
"""Standard deviation of the Gaussian on the clip's own angular momentum, on Earth."""
BEFORE = 2.5
"""So many ramps before a take-off the clip's own momentum begins to be sought."""


class TakeOffs:
    """For every flight of a clip the mean of the clip's own angular momentum in it, which the ground before it is to give; then
    the body turns in the air as far as the clip does, however long that lasts. Until shortly before a take-off the momentum is
    the clip's own, by which the trunk rises out of the crouch: braked earlier, it would leave the ground bent."""

    def __init__(self, plan: ClipPlan, slow: float, push_slow: float, mass_kg: float, settings: FollowSettings) -> None:
        """`push_slow` is how many times longer than on Earth the push-off lasts."""
        self._flights, self._slow = plan.flights, slow
        self._rate, self._ramp_s = settings.angular_momentum_rate / push_slow, settings.take_off_ramp_s * push_slow
        self._wanted: list[np.ndarray] = []
        times = plan.clip.times_s
        if not self._flights:
            return
        own = mass_kg / slow * specific_momentum(plan.clip)
        self._own = CubicSpline(times, gaussian_filter1d(own, SMOOTHING_S * push_slow / slow / plan.clip.step_s, axis=0,
                                                         mode="nearest"))
        self._wanted = [own[(times >= start) & (times <= end)].mean(axis=0) for start, end in self._flights]

    def wanted(self, clip_time_s: float, grounded: bool) -> tuple[np.ndarray | None, float]:
        """The angular momentum (3,) sought now [kg m^2/s] and the rate [1/s] at which; None where no flight is near. What it is
        to change by meanwhile is in it."""
        if grounded:
            for (start, _), flight in zip(self._flights, self._wanted, strict=True):
                left_s = self._slow * (start - clip_time_s)
                if -self._ramp_s < left_s < BEFORE * self._ramp_s:
                    share = min(max(1.0 - left_s / self._ramp_s, 0.0), 1.0)
                    rising = 1.0 / self._ramp_s if 0.0 < share < 1.0 else 0.0
                    now, change = self._own(clip_time_s), self._own(clip_time_s, 1) / self._slow
                    momentum = now + share * (flight - now)
                    change = (1.0 - share) * change + rising * (flight - now)
                    return momentum + change / self._rate, self._rate
        return None, 0.0
