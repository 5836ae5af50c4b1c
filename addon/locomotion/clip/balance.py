# SPDX-License-Identifier: GPL-3.0-or-later
"""How far the run is from the clip's plan: footprints that moved, the capture point that goes with them, the next landing.

Places are complex, x + iy [m]. Every standing foot has an offset, where it stands less its print. The planned centre of pressure
is off by the offsets of the feet that carry; the capture point must be off by what that comes to (`backward`), so the plan moves
with every footstep. What is off at a landing is made good by where the foot lands, and drifts home by `homing` a step.

Under a push the capture point runs away from the foot that stands, the faster the longer it does. A step that comes earlier
needs not go so far (after Khadiv et al. 2016, who solve for place and time together). Times are the clip's [s].
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...motions.strides import FOREVER_S
from ..legged.capture import Piece, backward, forward
from .clip_plan import ClipPlan
from .feet import Feet
from .schedule import weights
from .settings import FollowSettings, PlanSettings

FACTORS = (1.0, 1.15, 1.32, 1.52, 1.75, 2.0, 2.4)
"""Paces that are tried, over the clip's own."""
CALM = 0.5
"""Cost of the clip's own pace up to which nothing is hurried: a foot that lands 6 cm from where it should be."""
PIECES = 6
"""Straight pieces in which the planned pressure is taken up to the next landing."""


class Landing(NamedTuple):
    """A place to land, where it should be, were the leg long enough, and where the plan has it (x + iy [m])."""

    place: complex
    wanted: complex
    nominal: complex


def quickened(pieces: Sequence[Piece], capture: complex, omega: float, pace: float) -> complex:
    """How far the capture point is off at the end of some pieces of the pressure that are passed `pace` as fast, over where it
    comes to at their own pace from `capture` at their start."""
    ends = []
    for factor in (pace, 1.0):
        end = capture
        for piece in pieces:
            faster = piece._replace(duration_s=piece.duration_s / factor)
            end = forward(end, faster, omega, faster.duration_s)
        ends.append(end)
    return ends[0] - ends[1]


def choose(landing: Callable[[float], Landing], settings: FollowSettings, fastest: float, leg_length_m: float) -> float:
    """The pace up to `fastest` that costs least, by what it misses of the wanted place, by how much it hurries and by how far it
    strays from the planned place."""
    s, least, best = settings, math.inf, 1.0
    for pace in FACTORS:
        rush = (math.log(pace) / s.timing_scale) ** 2
        if pace > max(fastest, 1.0) or rush >= least or least < CALM:
            break
        found = landing(pace)
        miss, stray = abs(found.place - found.wanted) / leg_length_m, abs(found.place - found.nominal) / leg_length_m
        cost = (miss / s.miss_scale) ** 2 + rush + (stray / s.stray_scale) ** 2
        if cost < least:
            least, best = cost, pace
    return best


HORIZON = 2.5
"""How far ahead offsets of feet are looked at where no foot lands, in times of the pendulum (1 / omega)."""
MOST_BEYOND = 0.5
"""By how much more than the capture point is off from the foot that stands a foot lands off it at most: where the weight comes
onto a foot slowly, or never, pressure can be shifted meanwhile."""
LONGEST_GROWTH = 2.8
"""Largest omega times time over which an error is foretold: beyond it noise would move the footprint."""


class Balance:
    """The offsets of a run. `offset` is that of the capture point at the next landing, `feet` those of the standing feet."""

    def __init__(
        self, plan: ClipPlan, settings: FollowSettings, plan_settings: PlanSettings, leg_length_m: float,
        flying: FollowSettings | None = None,
    ) -> None:
        """`flying` are the settings of plans with flights."""
        self._on_foot, self._flying, self._leg = settings, flying or settings, leg_length_m
        self._ramp_s, self._lag_s = plan_settings.ramp_s, plan_settings.lag_s
        self.offset = 0j
        self.feet: dict[str, complex] = dict.fromkeys(SIDES, 0j)
        self.follow_on(plan)

    @property
    def astray(self) -> complex:
        """How far the feet are from their prints together (x + iy [m])."""
        return 0.5 * sum(self.feet.values())

    def follow_on(self, plan: ClipPlan, moved: complex = 0j) -> None:
        """Go by another plan from now on, which is so far from the one before: so much less is off."""
        self.offset -= moved
        self.feet = {side: off - moved for side, off in self.feet.items()}
        self._plan, self.settings = plan, self._flying if plan.com.flies else self._on_foot
        lag_s = 0.0 if plan.com.flies else self._lag_s
        events = {x + lag_s for stances in plan.schedule.values() for s in stances
                  for x in (s.strike_s, s.strike_s + self._ramp_s, s.off_s - self._ramp_s, s.off_s)}
        self._events = np.array(sorted(x for x in events if -FOREVER_S / 2.0 < x < FOREVER_S / 2.0))
        self._event_weights = weights(plan.schedule, self._events - lag_s, self._ramp_s)
        self._start_s, self._step_s = plan.clip.start_s, plan.clip.step_s
        self._weights = weights(plan.schedule, plan.clip.times_s - lag_s, self._ramp_s).tolist()

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

    def flying_shift(self, error: complex, shift: complex, now_s: float, strike_s: float) -> complex:
        """How far from its print a foot of a clip with flights is to land at a clip time, with a capture point off by `error` now
        over a pressure shifted by `shift`."""
        s, omega = self.settings, self._plan.com.omega
        at_strike = shift + (error - shift) * math.exp(min(self._plan.com.grown(now_s, strike_s), LONGEST_GROWTH))
        home = s.homing / (math.exp(s.step_s * omega) - 1.0)
        return self.offset + s.place_gain * (at_strike + home * (self.offset + at_strike))

    def hastened(self, time_s: float, until_s: float, pace: float) -> complex:
        """How far the capture point is off at a time if the plan is passed `pace` as fast until then."""
        if pace == 1.0 or until_s <= time_s:
            return 0j
        times = np.linspace(time_s, until_s, PIECES + 1).tolist()
        left, right = self.feet[SIDES[0]], self.feet[SIDES[1]]
        carried = [self._weights_at(time) for time in times]
        places = [self._plan.com.at(time).pivot + a * left + b * right for time, (a, b) in zip(times, carried, strict=True)]
        pieces = [Piece(a, b, times[1] - times[0]) for a, b in zip(places, places[1:], strict=False)]
        capture = self._plan.com.at(time_s).capture + self.pressure_offsets(time_s)[1]
        return quickened(pieces, capture, self._plan.com.omega, pace)

    def foretold(self, error: complex, facing: complex, growth: float) -> complex:
        """What an error of the capture point comes to in a time, by whose exponential it would grow, on one foot along `facing`
        whose pressure is shifted against it all the while."""
        s, growth, local = self.settings, min(growth, LONGEST_GROWTH), error / facing
        return facing * complex(_foretold(local.real, s.cop_gain, s.cop_forward_limit * self._leg, growth),
                                _foretold(local.imag, s.cop_gain, s.cop_lateral_limit * self._leg, growth))

    def landing_shift(self, side: str, strike_s: float, at_strike: complex, pace: float = 1.0) -> complex:
        """How far from its print a foot is to land at `strike_s` [clip s] with a capture point that is off by `at_strike` then:
        so far that the pressure, on its way from the foot that stands to the new one, holds it."""
        s = self.settings
        capture = self.offset + s.place_gain * at_strike
        stays, carries, ends = self._shares(side, strike_s, pace)
        other = self.feet[SIDES[1 - SIDES.index(side)]]
        beyond = min(stays / max(carries, 1e-6), MOST_BEYOND)
        return capture + beyond * (capture - other) + s.homing * ends * (1.0 + beyond) / (1.0 - ends) * capture

    def _shares(self, side: str, strike_s: float, pace: float) -> tuple[float, float, float]:
        """How much of the capture point at a foot's landing is due to the pressure under the other foot until the landing after
        it, how much to that under itself, and how much to where the capture point is to be then; together 1."""
        com = self._plan.com
        until = min((x.strike_s for stances in self._plan.schedule.values() for x in stances if x.strike_s > strike_s + 1e-6),
                    default=math.inf)
        until = min(until, strike_s + HORIZON / com.omega)
        inner = (self._events > strike_s) & (self._events < until)
        times = [com.grown(strike_s, time) / pace for time in (strike_s, *self._events[inner].tolist(), until)]
        i = SIDES.index(side)
        own = [carried[i] for carried in (self._weights_at(strike_s), *self._event_weights[inner].tolist(),
                                          self._weights_at(until - 1e-6))]
        pieces = [Piece(a, b, t1 - t0) for a, b, t0, t1 in zip(own, own[1:], times, times[1:], strict=False)]
        carries, ends = backward(0j, pieces, 1.0).real, math.exp(-times[-1])
        return 1.0 - ends - carries, carries, ends

    def reachable(self, place: complex, nominal: complex, stance: complex, side: str, facing: complex) -> complex:
        """A landing place within the reach of the leg that swings on `side` while the other foot stands on `stance`; where the
        clip's own step, to `nominal`, goes farther, so may this one."""
        s, leg, sign = self.settings, self._leg, 1.0 if side == "L" else -1.0
        local, own = (place - stance) / facing, (nominal - stance) / facing
        ahead = min(max(local.real, min(-s.reach_backward * leg, own.real)), max(s.reach_forward * leg, own.real))
        far = min(sign * local.imag, max(s.reach_outward * leg, sign * own.imag))
        beside = complex(ahead, sign * max(far, min(s.reach_inward * leg, sign * own.imag)))
        past = complex(math.copysign(max(abs(ahead), s.crossing_forward * leg), ahead),
                       sign * max(far, min(s.reach_crossing * leg, sign * own.imag)))
        if abs(own.real) > s.crossing_forward * leg:
            beside = complex(ahead, past.imag)
        return stance + facing * min(beside, past, key=lambda allowed: abs(allowed - local))


def _foretold(error: float, gain: float, most: float, growth: float) -> float:
    """What an error along one axis comes to in `growth` times of the pendulum, under a shift of the pressure by `gain` times the
    error, at most `most`: e' = e - shift, in parts."""
    away, held = abs(error), most / max(gain, 1e-9)
    if away <= held:
        return error * math.exp((1.0 - gain) * growth)
    if away >= most or gain <= 1.0:
        return math.copysign(most + (away - most) * math.exp(growth), error)
    until = math.log((most - held) / (most - away))  # from when on the shift is less than the most
    if until >= growth:
        return math.copysign(most - (most - away) * math.exp(growth), error)
    return math.copysign(held * math.exp((1.0 - gain) * (growth - until)), error)


def _within(value: float, most: float) -> float:
    return min(max(value, -most), most)


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
        self._plan = plan

    def _next(self, now_s: float) -> tuple[str, float] | None:
        """The foot that lands next, and when [clip s]; None where none does within the time over which errors are foretold."""
        comings = {side: self._feet[side].coming for side in SIDES if not self._feet[side].landed}
        found = min(((one.stance.strike_s, side) for side, one in comings.items() if one is not None), default=None)
        if found is None or not 0.0 < found[0] - now_s < HORIZON / self._plan.com.omega:
            return None
        return found[1], found[0]

    def next_landing(self, now_s: float) -> str | None:
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
