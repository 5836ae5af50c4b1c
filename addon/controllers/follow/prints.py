# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the feet of a clip stand: one footprint a stance, and the pitch with which the foot rolls over it."""

from __future__ import annotations

import cmath
from dataclasses import dataclass, replace

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...maths.curves import smooth
from ..tracking.planners.foot_geometry import FootGeometry, Footstep
from .clip import FollowedClip
from .schedule import FOREVER_S, Schedule, Stance, flights, lands_on_both
from .turning import Turn, find_turn

DEAD_BAND_RAD = 0.02
"""Pitch of the clip's foot that does not yet count as rolling."""
FADE_S, MOST_FADE = 0.06, 0.3
"""Time over which the pitch comes to zero before the foot is flat and leaves it when the heel rises; in a clip with
flights it takes at most this share of the time that the foot rolls, for legs whose heels stay down are straight before the push
is over."""
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
        """The foot's name."""
        return self.stance.side

    def planned(self, time_s: float) -> Footstep:
        """The print as it is to stand at a time, on level ground."""
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
    """The samples between two times, at least one."""
    first = min(max(int(np.ceil(start_s / clip.step_s)), 0), len(clip.root_m) - 1)
    return slice(first, max(min(int(end_s / clip.step_s) + 1, len(clip.root_m)), first + 1))


def _print(
    clip: FollowedClip, stance: Stance, geometry: FootGeometry, usual: float, foot: int, jumps: bool,
) -> Print:
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
        if time_s < stance.flat_s:
            if stance.strike_s == -FOREVER_S:
                return 0.0
            fade = smooth((stance.flat_s - time_s) / _fade_s(print_, stance.flat_s - stance.strike_s))
            on_toes = max(pitch - DEAD_BAND_RAD, 0.0) if print_.jumps else 0.0
            return fade * (min(pitch + DEAD_BAND_RAD, 0.0) + on_toes)
        if time_s < stance.heel_off_s:
            return 0.0
        rolled = (time_s - stance.heel_off_s) / _fade_s(print_, stance.off_s - stance.heel_off_s)
        return smooth(rolled) * max(pitch - DEAD_BAND_RAD, 0.0)
    return max(pitch - DEAD_BAND_RAD, 0.0)


def _fade_s(print_: Print, rolling_s: float) -> float:
    """Time over which a foot begins to roll that rolls for so long [clip s]."""
    return max(min(FADE_S, MOST_FADE * rolling_s), 1e-3) if print_.jumps else FADE_S
