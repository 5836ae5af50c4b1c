# SPDX-License-Identifier: GPL-3.0-or-later
"""A clip's flights under another gravity: the same clip with other times and longer ways where it leaves the ground.

Who keeps the take-off's velocity v pushes off and lands as fast as on Earth, and flies 2 v / g long: longer, higher and farther
by g_Earth / g. Who keeps the height pushes off slower, by sqrt(g / g_Earth). The pose goes with the time, so that arms and legs
take as long in the air as the body does; beyond the push-off and the landing's give the clip keeps its own pace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ...motions.strides import FOREVER_S
from .clip import FollowedClip
from .schedule import Schedule

SMOOTHING_S = 0.03
"""Standard deviation over which the pace changes, in the clip's time."""
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


def schedule_with_flights(
    schedule: Schedule, clip: FollowedClip, flights: Sequence[tuple[float, float]], pace: Pace,
) -> Schedule:
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
        share = _in_the_air((times[inside] - start) / (end - start), _edge(end - start, pace))
        rate[inside] += (pace.air - rate[inside].mean()) * share / max(share.mean(), 1e-9)
    return rate


def _edge(flight_s: float, pace: Pace) -> float:
    """Share of a flight in which its own pace comes about, and as much in which it goes; short enough for time to go on."""
    edge = min(EDGE_S / flight_s, MOST_EDGE)
    if pace.air < pace.ground:
        edge = min(edge, 0.5 * pace.air / (pace.ground - 0.5 * pace.air))
    return edge


def _in_the_air(share: np.ndarray, edge: float) -> np.ndarray:
    """From 0 at a flight's ends to 1 in its middle, smoothly within `edge`."""
    near = np.clip(np.minimum(share, 1.0 - share) / edge, 0.0, 1.0)
    return near * near * (3.0 - 2.0 * near)


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
