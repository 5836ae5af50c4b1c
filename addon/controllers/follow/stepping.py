# SPDX-License-Identifier: GPL-3.0-or-later
"""Where and when the next foot of a follower lands: on its print, moved to make good what is off, as soon as it has to."""

from __future__ import annotations

import cmath
import math

from ...bodies.human.landmarks import SIDES
from .balance import HORIZON, Balance
from .clip_plan import ClipPlan
from .feet import Feet
from .pace import Landing, choose
from .settings import FollowSettings

OTHER = {"L": "R", "R": "L"}
LAST_S, MOST_SLOWER = 1.5, 0.2
"""So long before its end a clip that is ahead of its time may go by so much slower that it ends in time [clip s]."""


class Stepping:
    """The steps of a run. `pace` is how fast the clip's clock goes, over its own; everything lasts `slow` times as long as in the
    clip."""

    def __init__(
        self, plan: ClipPlan, slow: float, settings: FollowSettings, feet: Feet, balance: Balance, leg_length_m: float,
    ) -> None:
        self._plan, self._slow, self.settings, self._feet, self._balance = plan, slow, settings, feet, balance
        self._leg_length_m = leg_length_m
        self.pace = 1.0

    def follow_on(self, plan: ClipPlan) -> None:
        """Go by another plan from now on."""
        self._plan = plan

    def _next(self, now_s: float) -> tuple[str, float] | None:
        """The foot that lands next, and when [clip s]; None where none does within the time over which errors are foretold."""
        comings = {side: self._feet[side].coming for side in SIDES if not self._feet[side].landed}
        found = min(((one.stance.strike_s, side) for side, one in comings.items() if one is not None), default=None)
        if found is None or not 0.0 < found[0] - now_s < HORIZON / self._plan.com.omega:
            return None
        return found[1], found[0]

    def next_landing(self, now_s: float) -> str | None:
        """The foot that lands next; None where none does soon."""
        found = self._next(now_s)
        return None if found is None else found[0]

    def early(self, now_s: float) -> complex:
        """How far ahead of its plan at the clip's own pace the capture point is to be now, where the clip hurries."""
        coming = self._next(now_s) if self.pace != 1.0 else None
        return 0j if coming is None else self._early(now_s, coming[1], self.pace)

    def _early(self, now_s: float, strike_s: float, pace: float) -> complex:
        growth = self._plan.com.grown(now_s, strike_s) / pace
        return self._balance.hastened(now_s, strike_s, pace) * math.exp(-growth)

    def choose_pace(self, now_s: float, error: complex, time_s: float) -> None:
        """Let the clip hurry to the next landing where that is needed, with `time_s` [s on Earth] to change its pace; one with
        flights keeps its time."""
        s, wanted = self.settings, 1.0
        coming = None if self._plan.com.flies else self._next(now_s)
        if coming is not None:
            side, strike_s = coming
            foot = self._feet[side]
            lift_s = foot.print.stance.off_s if foot.swing is None else foot.swing.start_s
            fastest = (strike_s - lift_s) * self._slow / (s.shortest_swing_s * self._slow ** (2.0 * s.swing_exponent))
            wanted = choose(lambda pace: self.landing(side, now_s, error, 0j, pace), s, fastest, self._leg_length_m)
        self.pace += min(max(wanted - self.pace, -s.calming_rate * time_s), s.pace_rate * time_s)

    def landing(self, side: str, now_s: float, error: complex, shift: complex, pace: float) -> Landing:
        """Where a foot lands that has a print to come, with the capture point off by `error` now over a pressure shifted by
        `shift`, if the clip goes at a pace until then."""
        foot, other = self._feet[side], self._feet[OTHER[side]]
        coming = foot.coming
        if coming is None:
            raise RuntimeError("This foot has no print to come.")
        strike_s, nominal = coming.stance.strike_s, coming.place
        step = self._feet.stood(OTHER[side], now_s) if other.stands else None
        facing = cmath.exp(1j * (coming.yaw if step is None else step.yaw))
        if self._plan.com.flies:
            off = self._balance.flying_shift(error, shift, now_s, strike_s)
        else:
            growth = self._plan.com.grown(now_s, strike_s) / pace
            at_strike = self._balance.foretold(error + self._early(now_s, strike_s, pace), facing, growth)
            off = self._balance.landing_shift(side, strike_s, at_strike, pace)
        place = wanted = coming.place + off
        if step is not None:
            nominal = coming.place + (step.place - other.print.planned(now_s).place)
            place = self._balance.reachable(place, nominal, step.place, side, facing)
        return Landing(place, wanted, nominal)

    def catching_up(self, now_s: float, lag_s: float) -> float:
        """By how much faster the clip goes because it had to wait, or slower because it hurried: so much that it does not end
        before its time, in mid stride."""
        if abs(lag_s) < 1e-6:
            return 0.0
        if lag_s > 0.0 or self.pace > 1.0:
            return math.copysign(self.settings.catch_up, lag_s)
        left_s = self._plan.end_s - now_s
        needed = -lag_s / max(left_s - lag_s, 1e-6) if left_s < LAST_S else 0.0
        return -min(max(self.settings.catch_up, needed), MOST_SLOWER)
