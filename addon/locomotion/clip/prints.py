# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the feet of a clip stand: one footprint a stance, and the pitch with which the foot rolls over it."""

from __future__ import annotations

import cmath
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.state import Frame
from ...maths.curves import smooth
from ...motions.strides import FOREVER_S, Stance
from ..legged.foot_geometry import FootGeometry, Footstep
from .clip import FollowedClip
from .schedule import Schedule, flights, lands_on_both

TURN_RAD, TURN_RATE = 0.35, 0.7
"""A standing foot that turns by more, faster than that [rad, rad/s], turns on the ground; less is a sole that gives."""
SMOOTHING_S = 0.02
"""Standard deviation of the Gaussian on the rate of the turn, so that it begins and ends softly."""
STEEP_RAD = 0.5
"""A foot on the tips of its toes, pitched by more, does not turn but rolls to a side as it leaves."""
FULL_RATE = 3.0
"""Rate [rad/s] of a turn from which on the foot stands on its pivot alone."""
INNER_M = 0.02
"""What stays still is sought so much nearer to the foot's inner side, where the weight is."""
RAISED_RAD = 0.06
"""Pitch by which the end of the sole that is not the pivot is off the ground meanwhile: 1 cm at the heel."""


@dataclass(frozen=True)
class Turn:
    """A stance's turn: `pivot` (x + iy [m], in the foot's axes, from under the ankle) stays where it is, `angle` is how far the
    foot has turned since its strike [rad] over the clip's time. The contact point `beside` the pivot is under the same end of the
    foot."""

    pivot: complex
    angle: CubicSpline
    beside: complex

    def at(self, time_s: float) -> tuple[float, float, float]:
        """Angle [rad] since the strike, its rate and acceleration, in the clip's time."""
        x = self.angle.x
        if not x[0] < time_s < x[-1]:
            return float(self.angle(min(max(time_s, x[0]), x[-1]))), 0.0, 0.0
        return float(self.angle(time_s)), float(self.angle(time_s, 1)), float(self.angle(time_s, 2))

    def share(self, time_s: float) -> float:
        """From 0 at rest to 1 in a turn."""
        return smooth(abs(self.at(time_s)[1]) / FULL_RATE)

    def moved(self, from_s: float, scale: float = 1.0) -> Turn:
        """The turn in a time that is 0 at `from_s` and goes `scale` times as far."""
        return replace(self, angle=CubicSpline(scale * (self.angle.x - from_s), self.angle(self.angle.x)))

    def since(self, time_s: float) -> Turn:
        """What is left of the turn from a time on."""
        x = self.angle.x
        return replace(self, angle=CubicSpline(x, self.angle(np.clip(x, min(time_s, x[-1]), x[-1])) - self.at(time_s)[0]))

    def about(self, pressure: complex) -> Turn:
        """The same turn about that one of its two points that is nearer to the pressure (x + iy [m], in the foot's axes): a
        point that carries nothing holds no foot."""
        nearer = abs(pressure - self.beside) < abs(pressure - self.pivot)
        return replace(self, pivot=self.beside, beside=self.pivot) if nearer else self

    def pitched(self, pitch: float, own: float, time_s: float) -> float:
        """A pitch [rad] with the sole's other end off the ground while the foot turns, as far as in the clip, whose `own` pitch
        that is."""
        share = self.share(time_s)
        if share <= 0.0:
            return pitch
        if self.pivot.real > 0.0:
            return max(pitch, share * max(own, RAISED_RAD))
        return min(pitch, share * min(own, -RAISED_RAD))


def joined(before: Turn | None, after: Turn | None, time_s: float) -> Turn | None:
    """The turn of a stance that has one turn until a time and goes on with another one."""
    if before is None or after is None:
        return after.since(time_s) if after is not None else before
    times = np.union1d(before.angle.x[before.angle.x <= time_s], after.angle.x[after.angle.x > time_s])
    first, rest = before.angle(np.minimum(times, before.angle.x[-1])), after.since(time_s)
    if len(times) < 2:
        return before
    more = rest.angle(np.maximum(times, rest.angle.x[0]))
    return replace(before, angle=CubicSpline(times, np.where(times <= time_s, first, before.at(time_s)[0] + more)))


def find_turn(clip: FollowedClip, stance: Stance, geometry: FootGeometry) -> Turn | None:
    i, step = SIDES.index(stance.side), clip.step_s
    first = max(int(np.ceil(stance.strike_s / step)), 0)
    last = min(int(stance.off_s / step), len(clip.root_m) - 1)
    if last - first < 3:
        return None
    yaw = clip.foot_yaw[first:last + 1, i]
    turning = _turning(yaw, clip.foot_pitch[first:last + 1, i], step)
    if not turning.any():
        return None
    rate = gaussian_filter1d(np.where(turning, np.gradient(yaw, step), 0.0), SMOOTHING_S / step, mode="nearest")
    angle = np.concatenate([[0.0], np.cumsum(0.5 * step * (rate[1:] + rate[:-1]))])
    found = _still(clip.ankle_m[first:last + 1, i], yaw, clip.foot_pitch[first:last + 1, i], rate, step, geometry)
    pivot, beside = _pivot(found, clip.body, stance.side)
    return Turn(pivot, CubicSpline(clip.times_s[first:last + 1], angle), beside)


def _turning(yaw: np.ndarray, pitch: np.ndarray, step: float) -> np.ndarray:
    """(K,) bool: where a foot turns far enough in one go."""
    rate = np.gradient(yaw, step)
    fast = (np.abs(rate) > TURN_RATE) & (np.abs(pitch) < STEEP_RAD)
    found = np.zeros(len(yaw), dtype=bool)
    signed = np.sign(rate) * fast
    edges = np.flatnonzero(np.diff(np.concatenate([[0.0], signed, [0.0]])))
    for start, end in zip(edges, edges[1:], strict=False):
        if signed[start] and abs(yaw[end - 1] - yaw[start]) > TURN_RAD:
            found[start:end] = True
    return found


def _still(
    ankle: np.ndarray, yaw: np.ndarray, pitch: np.ndarray, rate: np.ndarray, step: float, geometry: FootGeometry,
) -> complex:
    """The point of the sole's plane (x + iy [m], in the foot's axes) that moves least while the foot turns, by least squares."""
    places = np.array([geometry.place_of(a, y, p) for a, y, p in zip(ankle, yaw, pitch, strict=True)])
    sweep = 1j * rate * np.exp(1j * yaw)
    return complex(-(np.conj(sweep) @ np.gradient(places, step)) / (np.conj(sweep) @ sweep))


def _pivot(still: complex, body: Body, side: str) -> tuple[complex, complex]:
    """The point that carries such a turn, and the one beside it: of the contact points under heel and ball the nearest to what
    stays still, on the inner side of the foot unless it is clearly the outer. About a point between two the ground would brake
    at both."""
    points = [complex(p.position[0], p.position[1]) for p in body.contact_points
              if p.side == side and p.segment == f"foot_{side}"]
    inward = -1.0 if side == "L" else 1.0
    pivot = min(points, key=lambda point: abs(point - still - 1j * inward * INNER_M))
    return pivot, min((point for point in points if point != pivot), key=lambda point: abs(point - pivot))


def pivot_place(frame: Frame, turn: Turn, sole_m: float) -> np.ndarray:
    """Where the pivot (3,) of a foot that turns is, its sole `sole_m` under its ankle."""
    place: np.ndarray = frame.position + frame.matrix @ [turn.pivot.real, turn.pivot.imag, -sole_m]
    return place


def sliding_points(frame: Frame, points: np.ndarray, turn: Turn, time_s: float, rate: float, sole_m: float) -> np.ndarray:
    """Velocities and accelerations (2, k, 3) of the contact points (k, 3) of a foot that turns on the ground."""
    _, spin, rising = turn.at(time_s)
    spin, rising = spin * rate, rising * rate**2
    away = (points - pivot_place(frame, turn, sole_m)) @ [1.0, 1j, 0.0]
    found = np.zeros((2, len(points), 3))
    for row, motion in zip(found, (1j * spin * away, (1j * rising - spin**2) * away), strict=True):
        row[:, 0], row[:, 1] = motion.real, motion.imag
    return found


DEAD_BAND_RAD = 0.02
"""Pitch of the clip's foot that does not yet count as rolling."""
FADE_S, MOST_FADE = 0.06, 0.3
"""Clips with flights: the time over which the pitch fades to zero before the foot is flat, and comes back when the heel rises;
and its largest share of the time that the foot rolls. A leg whose heel stays down longer is straight before its push is over."""
ROLL_S, ROLL_FADE_S = 0.08, 0.10
"""Clips without flights: a foot is flat so much later, and its heel rises so much earlier, than its contacts say, which call a
foot flat up to 12 degrees of pitch; and the time of the fade. A sole that comes down by 20 degrees in 70 ms slaps the ground."""
MIDDLE = 0.25
"""Share of a stance without a flat foot that is left out at either end for its print."""


@dataclass(frozen=True)
class Print:
    """A footprint: where the point of the sole under the ankle stands (x + iy [m]), facing along `yaw` [rad]; `level` is the
    clip's pitch of a foot that is flat there. `stance` tells when, `jumps` whether the clip has flights, `both` whether in such a
    clip both feet come down at its strike. A foot that turns while it stands has a `turn`; place and yaw are those of its
    strike."""

    stance: Stance
    place: complex
    yaw: float
    level: float
    jumps: bool = False
    turn: Turn | None = None
    both: bool = False

    @property
    def side(self) -> str:
        return self.stance.side

    def planned(self, time_s: float) -> Footstep:
        return self.turned(Footstep(self.side, self.place, self.yaw), time_s)

    def turned(self, step: Footstep, time_s: float) -> Footstep:
        """A footstep on this print, `step` at its strike, as it stands at a time."""
        if self.turn is None:
            return step
        angle = self.turn.at(time_s)[0]
        before, after = cmath.exp(1j * step.yaw), cmath.exp(1j * (step.yaw + angle))
        return replace(step, place=step.place + (before - after) * self.turn.pivot, yaw=step.yaw + angle)

    def struck(self, step: Footstep, time_s: float) -> Footstep:
        """A footstep at the strike, `step` as it stands on this print at a time."""
        if self.turn is None:
            return step
        angle = self.turn.at(time_s)[0]
        before, after = cmath.exp(1j * (step.yaw - angle)), cmath.exp(1j * step.yaw)
        return replace(step, place=step.place - (before - after) * self.turn.pivot, yaw=step.yaw - angle)

    def still(self, time_s: float) -> Print:
        """The print of a foot that stands from now on as this one does at a time."""
        step = self.planned(time_s)
        return replace(self, place=step.place, yaw=step.yaw, turn=None)


Prints = dict[str, list[Print]]


def make_prints(clip: FollowedClip, schedule: Schedule, geometry: FootGeometry) -> Prints:
    """The prints of every stance: medians while the foot is flat, so that a capture's noise and a heel that slips do not
    count."""
    jumps = bool(flights(schedule))
    usual = [float(np.median(_flat_pitch(clip, schedule, side))) for side in SIDES]
    return {side: [replace(_print(clip, stance, geometry, usual[i], i, jumps),
                           both=jumps and lands_on_both(schedule, stance.strike_s)) for stance in schedule[side]]
            for i, side in enumerate(SIDES)}


def _flat_pitch(clip: FollowedClip, schedule: Schedule, side: str) -> np.ndarray:
    """Pitches (k,) of a foot while it is flat; one zero where it never is."""
    i = SIDES.index(side)
    rows = [clip.foot_pitch[_rows(clip, s.flat_s, s.heel_off_s), i] for s in schedule[side] if s.heel_off_s > s.flat_s]
    found = np.concatenate([*rows, np.zeros(0)])
    return found if len(found) else np.zeros(1)


def _rows(clip: FollowedClip, start_s: float, end_s: float) -> slice:
    first = min(max(int(np.ceil(start_s / clip.step_s)), 0), len(clip.root_m) - 1)
    return slice(first, max(min(int(end_s / clip.step_s) + 1, len(clip.root_m)), first + 1))


def _print(clip: FollowedClip, stance: Stance, geometry: FootGeometry, usual: float, foot: int, jumps: bool) -> Print:
    turn = find_turn(clip, stance, geometry)
    flat = stance.heel_off_s > stance.flat_s
    start, end = (stance.flat_s, stance.heel_off_s) if flat else (max(stance.strike_s, 0.0), min(stance.off_s, clip.duration_s))
    trim = 0.0 if flat else MIDDLE * (end - start)
    rows = _rows(clip, start + trim, end - trim)
    level = float(np.median(clip.foot_pitch[rows, foot])) if flat else usual
    if turn is not None:
        return _turning_print(clip, stance, geometry, level, foot, jumps, turn)
    yaw = float(np.median(clip.foot_yaw[rows, foot]))
    places = [geometry.place_of(ankle, yaw, float(pitch) - level)
              for ankle, pitch in zip(clip.ankle_m[rows, foot], clip.foot_pitch[rows, foot], strict=True)]
    place = complex(float(np.median([p.real for p in places])), float(np.median([p.imag for p in places])))
    return Print(stance, place, yaw, level, jumps)


def _turning_print(
    clip: FollowedClip, stance: Stance, geometry: FootGeometry, level: float, foot: int, jumps: bool, turn: Turn,
) -> Print:
    """The print of a foot that turns: the median of its pivot's place, and of its yaw less what it has turned."""
    rows = _rows(clip, stance.flat_s, min(stance.off_s, clip.duration_s))
    yaws = clip.foot_yaw[rows, foot]
    yaw = float(np.median(yaws - turn.angle(np.clip(clip.times_s[rows], turn.angle.x[0], turn.angle.x[-1]))))
    places = np.array([geometry.place_of(ankle, angle, pitch - level) + np.exp(1j * angle) * turn.pivot for ankle, angle, pitch
                       in zip(clip.ankle_m[rows, foot], yaws.tolist(), clip.foot_pitch[rows, foot].tolist(), strict=True)])
    place = complex(float(np.median(places.real)), float(np.median(places.imag))) - cmath.exp(1j * yaw) * turn.pivot
    return Print(stance, place, yaw, level, jumps, turn)


def stance_pitch(print_: Print, clip_pitch: float, time_s: float) -> float:
    """Pitch [rad] of a standing foot from the clip's at that time: toes up before it is flat, level, then the heel rising; while
    it turns, off the ground but for its pivot."""
    pitch, own = _rolled_pitch(print_, clip_pitch, time_s), clip_pitch - print_.level
    return pitch if print_.turn is None else print_.turn.pitched(pitch, own, time_s)


def _rolled_pitch(print_: Print, clip_pitch: float, time_s: float) -> float:
    stance, pitch = print_.stance, clip_pitch - print_.level
    if stance.heel_off_s > stance.strike_s:  # else its heel never touches
        longer = 0.0 if print_.jumps else min(ROLL_S, MOST_FADE * (stance.heel_off_s - stance.flat_s))
        flat_s, heel_off_s = stance.flat_s + longer, stance.heel_off_s - longer
        if time_s < flat_s:
            if stance.strike_s == -FOREVER_S:
                return 0.0
            fade = smooth((flat_s - time_s) / _fade_s(print_, stance.flat_s - stance.strike_s))
            on_toes = max(pitch - DEAD_BAND_RAD, 0.0) if print_.jumps else 0.0
            return fade * (min(pitch + DEAD_BAND_RAD, 0.0) + on_toes)
        if time_s < heel_off_s:
            return 0.0
        rolled = (time_s - heel_off_s) / _fade_s(print_, stance.off_s - stance.heel_off_s)
        return smooth(rolled) * max(pitch - DEAD_BAND_RAD, 0.0)
    return max(pitch - DEAD_BAND_RAD, 0.0)


def _fade_s(print_: Print, rolling_s: float) -> float:
    """Time over which a foot begins to roll that rolls for so long [clip s]."""
    return max(min(FADE_S, MOST_FADE * rolling_s), 1e-3) if print_.jumps else ROLL_FADE_S
