# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip's flights under another gravity, and the body in the air: when it comes down, how fast its clip goes until then, where
its feet are meanwhile, and the angular momentum that it takes along, where nothing can change it any more.

Who keeps the take-off's velocity v pushes off and lands as fast as on Earth, and flies 2 v / g long: longer, higher and
farther by g_Earth / g. Who keeps the height pushes off slower, by sqrt(g / g_Earth). The pose goes with the time, so that arms
and legs take as long in the air as the body does; beyond the push-off and the landing's give the clip keeps its own pace.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ...maths.curves import smooth, smoothstep
from ...motions.strides import FOREVER_S
from .clip import FollowedClip
from .clip_plan import ClipPlan, specific_momentum
from .schedule import Schedule
from .settings import FollowSettings

SMOOTHING_S = 0.03
"""Standard deviation over which the pace changes, in the clip's time, and of the clip's own angular momentum, on Earth."""
EDGE_S, MOST_EDGE = 0.12, 0.3
"""Within so long of its ends a flight comes to its pace, in the clip's time, and within such a share of it."""
LONGEST_PUSH_S = 0.6
"""A push-off begins where the centre of mass is lowest, and at most so long before the flight; so does a landing end."""


@dataclass(frozen=True)
class Pace:
    """How long what lasts a second in the clip lasts on the ground beside a flight and in the air, over what it lasts elsewhere;
    and how much higher and farther the flights go."""

    ground: float
    air: float
    higher: float
    farther: float


def flight_pace(flight: str, gravity_ratio: float, slow: float, earthly: float) -> Pace:
    """The pace of a clip's flights that keep "velocity" or "height" under a gravity over Earth's, where elsewhere everything
    lasts `slow` times as long as in the clip, and on Earth `earthly` times (on legs of another length)."""
    lighter = 1.0 / gravity_ratio
    ground = earthly * (1.0 if flight == "velocity" else lighter**0.5)
    air = earthly * (lighter if flight == "velocity" else lighter**0.5)
    return Pace(ground / slow, air / slow, lighter * (earthly / ground) ** 2, air / ground)


def with_flights(clip: FollowedClip, flights: Sequence[tuple[float, float]], pace: Pace) -> FollowedClip:
    """The clip with its flights (from, to) [clip s] at another pace, the body moved along as much farther and higher."""
    own, step, new = clip.times_s, clip.step_s, _new_times(clip, flights, pace)
    grid = np.arange(0.0, new[-1] + 1e-9, step)
    back = np.clip(CubicSpline(new, own)(grid), 0.0, own[-1])
    moved = CubicSpline(own, _displacement(clip, flights, pace, new))(back)

    def at(values: np.ndarray) -> np.ndarray:
        return CubicSpline(own, values)(back)

    def unit(values: np.ndarray) -> np.ndarray:
        found = at(values)
        return found / np.linalg.norm(found, axis=-1, keepdims=True)

    def later(time_s: float) -> float:
        return float(np.interp(time_s, own, new)) if np.isfinite(time_s) else time_s

    contacts = tuple(replace(c, strike_s=later(c.strike_s), flat_s=later(c.flat_s), heel_off_s=later(c.heel_off_s),
                             toe_off_s=later(c.toe_off_s)) for c in clip.contacts)
    return replace(clip, root_m=at(clip.root_m) + moved, root_quaternion=unit(clip.root_quaternion),
                   joint_quaternions=unit(clip.joint_quaternions), com_m=at(clip.com_m) + moved,
                   ankle_m=at(clip.ankle_m) + moved[:, None], foot_quaternion=unit(clip.foot_quaternion),
                   foot_yaw=at(clip.foot_yaw), foot_pitch=at(clip.foot_pitch), contacts=contacts)


def schedule_with_flights(schedule: Schedule, clip: FollowedClip, flights: Sequence[tuple[float, float]], pace: Pace) -> Schedule:
    """A clip's schedule at the times of `with_flights`. It is not sought in the clip so changed: there a body does not fall at
    once as on Earth."""
    own, new = clip.times_s, _new_times(clip, flights, pace)

    def later(time_s: float) -> float:
        return float(np.interp(time_s, own, new)) if abs(time_s) < 0.5 * FOREVER_S else time_s

    return {side: [replace(s, strike_s=later(s.strike_s), flat_s=later(s.flat_s), heel_off_s=later(s.heel_off_s),
                           off_s=later(s.off_s)) for s in stances] for side, stances in schedule.items()}


def _new_times(clip: FollowedClip, flights: Sequence[tuple[float, float]], pace: Pace) -> np.ndarray:
    """New time of every sample (N,)."""
    rate = _rates(clip, flights, pace)
    return np.concatenate([[0.0], np.cumsum(0.5 * clip.step_s * (rate[1:] + rate[:-1]))])


def _rates(clip: FollowedClip, flights: Sequence[tuple[float, float]], pace: Pace) -> np.ndarray:
    """New time over the clip's at every sample (N,). All that differs in the air happens in the air: a push-off whose end were
    slowed already would have to make up for it in its last moment, on legs that are straight."""
    times = clip.times_s
    climbing = np.gradient(gaussian_filter1d(clip.com_m[:, 2], SMOOTHING_S / clip.step_s, mode="nearest"), clip.step_s)
    rate, most = np.ones(len(times)), round(LONGEST_PUSH_S / clip.step_s)
    for start, end in flights:
        first, last = np.searchsorted(times, (start, end)).tolist()
        low = next((k for k in range(first, max(first - most, 0), -1) if climbing[k] <= 0.0), max(first - most, 0))
        settled = next((k for k in range(last, min(last + most, len(times))) if climbing[k] >= 0.0), min(last + most, len(times)))
        rate[low:settled] = pace.ground
    rate = gaussian_filter1d(rate, SMOOTHING_S / clip.step_s, mode="nearest")
    for start, end in flights:
        inside = (times >= start) & (times <= end)
        passed = (times[inside] - start) / (end - start)
        share = smoothstep(np.minimum(passed, 1.0 - passed) / _edge(end - start, pace))
        rate[inside] += (pace.air - rate[inside].mean()) * share / max(share.mean(), 1e-9)
    return rate


def _edge(flight_s: float, pace: Pace) -> float:
    """Share of a flight in which its own pace comes about, and as much in which it goes; short enough for time to go on."""
    edge = min(EDGE_S / flight_s, MOST_EDGE)
    if pace.air < pace.ground:
        edge = min(edge, 0.5 * pace.air / (pace.ground - 0.5 * pace.air))
    return edge


def _displacement(clip: FollowedClip, flights: Sequence[tuple[float, float]], pace: Pace, new_s: np.ndarray) -> np.ndarray:
    """How far (N, 3) [m] the body is from the clip's way: onward since every flight's begin, and up within the flights, there as
    in free fall in the new time (N,)."""
    times, moved = clip.times_s, np.zeros((len(clip.times_s), 3))
    com = CubicSpline(times, clip.com_m)
    for start, end in flights:
        share = np.clip((times - start) / (end - start), 0.0, 1.0)
        begin, until = np.interp((start, end), times, new_s)
        later = np.clip((new_s - begin) / (until - begin), 0.0, 1.0)
        chord, inside = com(end) - com(start), (times > start) & (times < end)
        arc, over = 4.0 * share * (1.0 - share), clip.com_m[:, 2] - com(start)[2] - share * chord[2]
        rise = float(arc[inside] @ over[inside] / (arc[inside] @ arc[inside])) if inside.any() else 0.0
        moved[:, :2] += (pace.farther * later - share)[:, None] * chord[:2]
        moved[:, 2] += rise * (pace.higher * 4.0 * later * (1.0 - later) - arc) + (later - share) * chord[2]
    return moved


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
