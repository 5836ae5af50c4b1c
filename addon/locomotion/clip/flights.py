# SPDX-License-Identifier: GPL-3.0-or-later
"""A body in the air: when it comes down by gravity alone, how fast its clip goes until then, and where its feet are meanwhile.

Angular momentum that a body takes along into a flight of its clip, where nothing can change it any more.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ...maths.curves import smooth
from .clip_plan import ClipPlan
from .com_plan import specific_momentum
from .settings import FollowSettings

PACES = (0.5, 2.0)
"""The clip goes at least and at most at so much of its pace in the air: a body that took off as planned keeps to 1 there."""


class Air:
    """The flight under way, where one `flies`. It ends when the body is as high as the plan is at the next strike, after `left_s`
    more; nothing but gravity has a say in that, so the clip's clock goes at its `pace` until then, over that on the planet. Its
    feet are `over_m` (3,) the clip's way, as far as the body is, of which nothing is left at the landing. `late_s` is how much
    longer than planned the last flight has lasted."""

    def __init__(self, plan: ClipPlan, slow: float, gravity_m_s2: float) -> None:
        self._slow, self._gravity = slow, gravity_m_s2
        self._since_s, self._began = 0.0, np.zeros(3)
        self.follow_on(plan)
        self.flies, self.left_s, self.strike_s, self.late_s = False, 0.0, 0.0, 0.0
        self.over_m = self.over_m_s = np.zeros(3)
        self.pace = 1.0

    def follow_on(self, plan: ClipPlan, moved: complex = 0j) -> None:
        """Go by another plan from now on, which is so far from the one before (x + iy [m])."""
        self._began = self._began - [moved.real, moved.imag, 0.0]
        self._plan, self._clip_com = plan, CubicSpline(plan.clip.times_s, plan.clip.com_m)

    def touch(self) -> None:
        """A foot is on the ground."""
        self.flies = False
        self.over_m = self.over_m_s = np.zeros(3)

    def fly(
        self, time_s: float, clip_s: float, strike_s: float, com_m: np.ndarray, velocity_m_s: np.ndarray, strides: bool = False,
    ) -> None:
        """Look at the body (3,), (3,), heights over the ground, on its way to a strike at a time of the clip. One that `strides`
        lands on one foot: its legs go on in the clip's time, as they came to the ground in it."""
        off = com_m - self._clip_com(clip_s)
        if not self.flies:
            self.flies, self.late_s, self._since_s, self._began = True, 0.0, time_s, off
        self.strike_s = strike_s
        landing_m = float(self._plan.com.height(strike_s))
        up, over = float(velocity_m_s[2]), float(com_m[2]) - landing_m
        self.left_s = max((up + math.sqrt(max(up * up + 2.0 * self._gravity * over, 0.0))) / self._gravity, 0.0)
        if strides:
            self.pace, self.over_m, self.over_m_s = 1.0, np.zeros(3), np.zeros(3)
            return
        whole_s = max(time_s - self._since_s + self.left_s, 1e-3)
        share = (time_s - self._since_s) / whole_s
        end = com_m + self.left_s * velocity_m_s
        end[2] = landing_m
        back, small = end - self._clip_com(strike_s) - self._began, 1e-3
        turn = (smooth(share + small) - smooth(share)) / (small * whole_s)
        low, high = PACES
        self.pace = min(max(self._slow * (strike_s - clip_s) / max(self.left_s, 1e-3), low), high)
        self.over_m = off - self._began - smooth(share) * back
        self.over_m_s = velocity_m_s - self.pace / self._slow * self._clip_com(clip_s, 1) - turn * back


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
