# SPDX-License-Identifier: GPL-3.0-or-later
"""What who stands does meanwhile: a clip that goes on, or the pose at which a clip is to be taken up again."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace
from typing import Protocol

import numpy as np

from ....bodies.human.landmarks import SIDES
from ....maths.curves import smooth
from ...legged.foot_geometry import FootGeometry
from ...stand.stance import APART_LEGS, SOLE_AHEAD
from ..clip import Instant
from ..clip_plan import ClipPlan, Moment
from ..prints import DEAD_BAND_RAD, Print
from ..schedule import standing

EDGE_S = 1e-3
"""A stance is looked up so long before the end of what is followed."""


def prints_at(plan: ClipPlan, time_s: float) -> dict[str, Print] | None:
    """The prints that both feet stand on at a time of a plan; None where one of them is in the air."""
    found = {}
    for side in SIDES:
        stance = standing(plan.schedule, side, min(time_s, plan.end_s - EDGE_S))
        if stance is None:
            return None
        found[side] = plan.prints[side][plan.schedule[side].index(stance)]
    return found


def stays_put(plan: ClipPlan) -> bool:
    """Whether the feet of a plan stand where they are from its begin to its end."""
    prints = prints_at(plan, plan.clip.start_s)
    return prints is not None and all(one.stance.off_s >= plan.end_s and one.turn is None for one in prints.values())


class Motion(Protocol):
    """What a body does that stands. `clip_s` is the clip's time now, `slow` how many times longer than there everything lasts."""

    plan: ClipPlan
    slow: float
    clip_s: float

    @property
    def prints(self) -> dict[str, Print]:
        """Where the feet belong."""

    def go(self, dt: float) -> None:
        """Let time pass [s]."""

    def instant(self, ahead_s: float) -> Instant:
        """The pose so long after now."""

    def moment(self) -> Moment:
        """Place, velocity and height of the centre of mass now, in the clip's metres and seconds."""

    def pitch(self, side: str) -> float:
        """How far a standing foot has its heel up [rad]."""


class Playing:
    """A clip whose feet stay, as it goes on from a time to its end. See `Motion`."""

    def __init__(self, plan: ClipPlan, slow: float, from_s: float = 0.0) -> None:
        self.plan, self.slow, self.clip_s = plan, slow, from_s
        prints = prints_at(plan, from_s)
        if prints is None:
            raise ValueError("a clip is played from where both feet stand")
        self.prints = prints

    def go(self, dt: float) -> None:
        self.clip_s = min(self.clip_s + dt / self.slow, self.plan.end_s)

    def instant(self, ahead_s: float) -> Instant:
        return self.plan.track.at([min(self.clip_s + ahead_s / self.slow, self.plan.end_s)])[0]

    def moment(self) -> Moment:
        now = self.plan.com.at(self.clip_s)
        return now if self.clip_s < self.plan.end_s else still(now)

    def pitch(self, side: str) -> float:
        own = max(float(self.instant(0.0).foot_pitch[SIDES.index(side)]) - self.prints[side].level, 0.0)
        return own * smooth(own / (2.0 * DEAD_BAND_RAD))


def still(moment: Moment) -> Moment:
    return moment._replace(velocity=0j, capture=moment.place, pivot=moment.place, shift=0j, rising=0.0, bend=0.0)


class Resting:
    """From the pose that a clip had at a time to the one that it has at another, where both feet stand; there it waits. See
    `Motion`."""

    def __init__(self, plan: ClipPlan, slow: float, from_s: float, to_s: float, fade_s: float, goes_on: bool = True) -> None:
        """`fade_s` is how long the way there lasts [s]. Where no clip `goes_on`, the feet come to stand beside each other."""
        self.plan, self.slow, self.clip_s = plan, slow, to_s
        self._from, self._to = plan.track.at([from_s, to_s])
        self._since_s, self._fade_s = 0.0, fade_s
        prints = prints_at(plan, to_s)
        if prints is None:
            raise ValueError("a clip is taken up again where both feet stand")
        self.prints = {side: one.still(to_s) for side, one in prints.items()}
        self._moment = still(plan.com.at(to_s))
        if not goes_on:
            self._stand_plainly()
        self._signs = _signs(plan, self._from.joints, self._to.joints)

    def _stand_plainly(self) -> None:
        """Stand as people do: a stride that a clip cannot be taken up from is no stance to come to."""
        left, right = (self.prints[side] for side in SIDES)
        body, ahead = self.plan.clip.body, cmath.exp(0.5j * (left.yaw + right.yaw))
        if abs(left.yaw - right.yaw) > math.pi:
            ahead = -ahead
        middle, out = 0.5 * (left.place + right.place), 0.5j * APART_LEGS * body.leg_length_m * ahead
        self.prints = {side: replace(one, place=middle + sign * out)
                       for (side, one), sign in zip(self.prints.items(), (1.0, -1.0), strict=True)}
        place = middle + SOLE_AHEAD * FootGeometry(body, SIDES[0]).ball_x * ahead
        self._moment = still(self._moment._replace(place=place))

    @property
    def there(self) -> bool:
        return self._since_s >= self._fade_s

    def go(self, dt: float) -> None:
        self._since_s += dt

    def instant(self, ahead_s: float) -> Instant:
        share = smooth(min((self._since_s + ahead_s) / self._fade_s, 1.0))
        before, after = self._from, self._to

        def mixed(one: list[float], other: list[float], sign: float = 1.0) -> list[float]:
            return [(1.0 - share) * sign * a + share * b for a, b in zip(one, other, strict=True)]

        same = sum(a * b for a, b in zip(before.root_quaternion, after.root_quaternion, strict=True))
        return after._replace(
            root_m=mixed(before.root_m, after.root_m),
            root_quaternion=mixed(before.root_quaternion, after.root_quaternion, -1.0 if same < 0.0 else 1.0),
            joints=(1.0 - share) * self._signs * before.joints + share * after.joints)

    def moment(self) -> Moment:
        return self._moment

    def pitch(self, side: str) -> float:
        return 0.0


def _signs(plan: ClipPlan, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """(U,) what the joints' coordinates are multiplied by for their quaternions to be on the same side as the others'."""
    found, at, body = np.ones(len(one)), 0, plan.clip.body
    slots = set(plan.track.slots.tolist())
    place = 7
    for name in body.joint_segments:
        size = 4 if body.segment(name).joint == "ball" else 1
        if place in slots:
            if size == 4 and one[at:at + 4] @ other[at:at + 4] < 0.0:
                found[at:at + 4] = -1.0
            at += size
        place += size
    return found
