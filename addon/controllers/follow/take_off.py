# SPDX-License-Identifier: GPL-3.0-or-later
"""Angular momentum that a body takes along into a flight of its clip, where nothing can change it any more."""

from __future__ import annotations

import numpy as np

from .clip_plan import ClipPlan
from .momentum import specific_momentum
from .settings import FollowSettings


class TakeOffs:
    """For every flight of a clip the mean of the clip's own angular momentum in it, which the ground before it is to give; then
    the body turns in the air as far as the clip does, however long that lasts."""

    def __init__(self, plan: ClipPlan, slow: float, push_slow: float, mass_kg: float, settings: FollowSettings) -> None:
        """`push_slow` is how many times longer than on Earth the push-off lasts."""
        self._flights, self._slow = plan.flights, slow
        self._rates = tuple(rate / push_slow for rate in settings.angular_momentum_rates)
        times, own = plan.clip.times_s, specific_momentum(plan.clip) if self._flights else np.zeros((0, 3))
        self._wanted = [mass_kg / slow * own[(times >= start) & (times <= end)].mean(axis=0) for start, end in self._flights]

    def wanted(self, clip_time_s: float, grounded: bool) -> tuple[np.ndarray | None, float]:
        """The angular momentum (3,) sought now [kg m^2/s] and the rate [1/s] at which; None where no flight is near."""
        if grounded:
            for (start, _), momentum in zip(self._flights, self._wanted, strict=True):
                left_s = self._slow * (start - clip_time_s)
                if -0.5 / self._rates[0] < left_s < 1.0 / self._rates[0]:
                    return momentum, min(max(1.0 / max(left_s, 1e-6), self._rates[0]), self._rates[1])
        return None, 0.0
