# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the run is from the clip's plan: footprints that moved, the capture point that goes with them, the next landing.

Places are complex, x + iy [m]. Every standing foot has an offset, where it stands less its print. The planned centre of pressure
is off by the offsets of the feet that carry; the capture point must be off by what that comes to (`backward`), so the plan moves
with every footstep. What is off at a landing is made good by where the foot lands, and drifts home by `homing` a step.
"""

from __future__ import annotations

import math

import numpy as np

from ...bodies.human.landmarks import SIDES
from ..tracking.planners.capture import Piece, backward
from .clip_plan import ClipPlan
from .schedule import FOREVER_S, weights
from .settings import FollowSettings, PlanSettings

HORIZON = 2.5
"""How far ahead offsets of feet are looked at where no foot lands, in times of the pendulum (1 / omega)."""
LONGEST_GROWTH = 2.8
"""Largest omega times time over which an error is foretold: beyond it noise would move the footprint."""


class Balance:
    """The offsets of a run. `offset` is that of the capture point at the next landing, `feet` those of the standing feet."""

    def __init__(self, plan: ClipPlan, settings: FollowSettings, plan_settings: PlanSettings, leg_length_m: float) -> None:
        self.settings, self._leg = settings, leg_length_m
        self._ramp_s = plan_settings.ramp_s
        self.offset = 0j
        self.feet: dict[str, complex] = dict.fromkeys(SIDES, 0j)
        self.follow_on(plan)

    def follow_on(self, plan: ClipPlan) -> None:
        """Go by another plan from now on."""
        self._plan = plan
        events = {x for stances in plan.schedule.values() for s in stances
                  for x in (s.strike_s, s.strike_s + self._ramp_s, s.off_s - self._ramp_s, s.off_s)}
        self._events = np.array(sorted(x for x in events if -FOREVER_S / 2.0 < x < FOREVER_S / 2.0))
        self._event_weights = weights(plan.schedule, self._events, self._ramp_s)
        self._start_s, self._step_s = plan.clip.start_s, plan.clip.step_s
        self._weights = weights(plan.schedule, plan.clip.times_s, self._ramp_s).tolist()

    def pressure_offsets(self, time_s: float) -> tuple[complex, complex]:
        """Offsets now of the planned centre of pressure and of the capture point that goes with it."""
        com, omega = self._plan.com, self._plan.com.omega
        until = min((s.strike_s for stances in self._plan.schedule.values() for s in stances if s.strike_s > time_s),
                    default=math.inf)
        lands = until - time_s < HORIZON / omega
        if com.flies:
            lands = until < math.inf and com.grown(time_s, until) < HORIZON
        until = min(until, time_s + HORIZON / omega) if not (com.flies and lands) else until
        inner = (self._events > time_s) & (self._events < until)
        times = [time_s, *self._events[inner].tolist(), until]
        left, right = self.feet[SIDES[0]], self.feet[SIDES[1]]
        carried = [self._weights_at(time_s), *self._event_weights[inner].tolist(), self._weights_at(until)]
        places = [a * left + b * right for a, b in carried]
        if com.flies:
            times, omega = [com.grown(time_s, time) for time in times], 1.0
        pieces = [Piece(a, b, t1 - t0) for a, b, t0, t1 in zip(places, places[1:], times, times[1:], strict=False)]
        return places[0], backward(self.offset if lands else places[-1], pieces, omega)

    def _weights_at(self, time_s: float) -> list[float]:
        """How much each foot carries, at the clip's sample before a time."""
        return self._weights[min(int((time_s - self._start_s) / self._step_s), len(self._weights) - 1)]

    def land(self, side: str, off_print: complex, error: complex) -> None:
        """A foot has landed so far from its print, with the capture point so far from where it should be."""
        self.feet[side] = off_print
        self.offset = (1.0 - self.settings.homing) * (self.offset + error)

    def shift(self, error: complex, facing: complex | None) -> complex:
        """Shift of the centre of pressure against an error of the capture point: along and across the foot that stands alone,
        or, where two stand (`facing` None), any way."""
        s, leg = self.settings, self._leg
        if facing is None:
            wish, most = s.cop_gain * error, s.cop_double_limit * leg
            return wish * min(1.0, most / max(abs(wish), 1e-9))
        local = s.cop_gain * error / facing
        return facing * complex(_within(local.real, s.cop_forward_limit * leg), _within(local.imag, s.cop_lateral_limit * leg))

    def landing_shift(self, error: complex, shift: complex, now_s: float, strike_s: float) -> complex:
        """How far from its print a foot is to land at a clip time, with a capture point off by `error` now over a pressure
        shifted by `shift`."""
        s, omega = self.settings, self._plan.com.omega
        at_strike = shift + (error - shift) * math.exp(min(self._plan.com.grown(now_s, strike_s), LONGEST_GROWTH))
        home = s.homing / (math.exp(s.step_s * omega) - 1.0)
        return self.offset + s.place_gain * (at_strike + home * (self.offset + at_strike))

    def reachable(self, place: complex, nominal: complex, stance: complex, side: str, facing: complex) -> complex:
        """A landing place within the reach of the leg that swings on `side` while the other foot stands on `stance`; where the
        clip's own step, to `nominal`, goes farther, so may this one."""
        s, leg, sign = self.settings, self._leg, 1.0 if side == "L" else -1.0
        local, own = (place - stance) / facing, (nominal - stance) / facing
        ahead = min(max(local.real, min(-s.reach_backward * leg, own.real)), max(s.reach_forward * leg, own.real))
        least = s.reach_crossing if max(abs(ahead), abs(own.real)) > s.crossing_forward * leg else s.reach_inward
        outward = max(min(sign * local.imag, max(s.reach_outward * leg, sign * own.imag)), min(least * leg, sign * own.imag))
        return stance + facing * complex(ahead, sign * outward)


def _within(value: float, most: float) -> float:
    return min(max(value, -most), most)
