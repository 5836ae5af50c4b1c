# SPDX-License-Identifier: GPL-3.0-or-later
"""When somebody who is pushed steps, with which foot and to where; and how the feet come together again."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace

from ...bodies.human.landmarks import SIDES
from ...specs.motions import Stand
from ..legged.foot_geometry import Footstep, Terrain
from .catching import BEFORE, BEHIND, BESIDE, CROSSINGS, Catch, Falling, Leg, Limits, bow, catch, choose, reached
from .feet import EARLY, Feet, fastest
from .pose import StandingPose
from .stance import LEG_M, OTHER, Stance, StandingSettings, nearest

REACH = 0.992
"""Largest distance of hip and ankle over the leg's length that is planned with."""
FOLLOW_S, FOLLOW_INSIDE_M, SPLIT_M, SPLIT_NEAR_M = 0.5, 0.005, 0.4, 0.1
"""So long after a landing the other foot follows beside it, if the capture point lies so far inside the new sole; with the feet
so much farther apart than they stand, and the capture point so near, it takes a step of its own."""
CALM_M_S, CALM_S, INSIDE_M = 0.15, 0.4, 0.012
"""A body slower than this for so long is calm: the foot that is out of place is set beside the other when the capture point is so
far inside that one's sole."""
CALM_WAY_M_S = 0.8
"""Mean speed of a calm foot on Earth: a leg swung far and fast throws the body off the other (first guess)."""
FELT_M = 0.015
"""A push is felt when the capture point is so far from where it rests (on legs of 0.88 m)."""
LEAST_FLIGHT_S = 0.05
LOWERED_M_S = 1.0
"""A foot that is found in the air has at least so long until it comes down, and is lowered no faster than this, on Earth."""
HOLD_S = 0.8
"""How long a foot takes from the ground to where it is held [s on Earth] (first guess)."""
DOWN = 0.02
"""A swinging foot that carries this share of the weight is down."""


class Stepping:
    """Moves the feet. `steps_taken` are those that caught the body; `strategy` is the most that was needed so far."""

    def __init__(self, feet: Feet, poses: StandingPose, stance: Stance, stand: Stand, settings: StandingSettings,
                 terrain: Terrain) -> None:
        self._feet, self._poses, self._stance, self._stand = feet, poses, stance, stand
        self._settings, self._terrain = settings, terrain
        self._calm_s = 0.0
        self._felt_s: float | None = None
        self._last: str | None = None
        self.steps_taken = 0
        self.strategy = "ankles"
        self.gathers = self.shifts = False
        self.footsteps: list[tuple[float, Footstep]] = []
        self.height_m, self.slow = 1.0, 1.0

    @property
    def calm(self) -> bool:
        return self._calm_s > CALM_S * self.slow

    @property
    def in_place(self) -> bool:
        return self._stance.in_place(self._feet["L"].step, self._feet["R"].step)

    @property
    def _split(self) -> bool:
        """Whether the feet are far out of place, and farther apart than they stand or across one another: who stands wide and
        has the feet near each other is not to bring them nearer still."""
        left, right = self._feet["L"].step, self._feet["R"].step
        if abs(self._stance.misplaced(left, right)) <= SPLIT_M * self._stance.leg_m / LEG_M:
            return False
        apart = (left.place - right.place) * cmath.exp(-1j * self._stance.facing(left))
        return abs(apart) > abs(self._stance.apart) or apart.imag < 0.0

    @property
    def may_step(self) -> bool:
        return self._stand.steps is None or self.steps_taken < self._stand.steps

    def stays(self, capture: complex) -> str:
        return min(SIDES, key=lambda side: nearest(capture, self._feet.corners_of((side,)))[1])

    def go(self, time_s: float, dt: float, falling: Falling, loads: dict[str, float], rest: complex, drift: complex = 0j) -> None:
        """Let time pass: land feet that are down, and see whether to lift one. `drift` is the velocity that is wanted."""
        self._land(time_s, dt, falling, loads)
        quiet = abs(falling.velocity - drift) < CALM_M_S / self.slow
        self._calm_s = self._calm_s + dt if quiet else 0.0
        felt = abs(falling.capture - rest) > FELT_M * self._stance.leg_m / LEG_M
        if not felt and self.calm:
            self._felt_s = None
        elif felt and self._felt_s is None:
            self._felt_s = time_s
        swings = any(foot.swing is not None for foot in self._feet.by_side.values())
        if self.calm and not self._stand.plain:
            for side in SIDES:
                self._feet.follow_slid(side, falling.heading)
        if swings:
            self._replan(time_s, falling)
        elif self._feet.standing:
            self._consider(time_s, falling, loads)

    def take_over(self, time_s: float, falling: Falling, flight_s: float) -> None:
        """Begin with a body that is on its way: feet that are in the air, held as yet, are set down beside the other where it can
        stand on that, and catch it where not; with both in the air for so long [s] the one that is ahead lands first."""
        self._felt_s = -math.inf
        standing = self._feet.standing
        ahead = {side: ((self._feet.ankle(side) - falling.com) * falling.velocity.conjugate()).real for side in SIDES}
        if len(standing) == 2 and abs(falling.velocity) > CALM_M_S / self.slow:
            self._last = max(SIDES, key=lambda side: ahead[side])  # as if that had just come down, for the other to follow
            self._feet[self._last].landed_s = time_s
        if not standing:
            for side in SIDES:
                first = ahead[side] >= ahead[OTHER[side]]
                after_s = max(flight_s, 0.0) + (0.0 if first else self._settings.swing_s * self.slow)
                self._swing(time_s, self._drop(side, falling, after_s), falling)
        for side in SIDES if len(standing) == 1 else ():
            if side in standing:
                continue
            _, outside = nearest(falling.capture, self._feet.corners_of(standing))
            if outside < -FOLLOW_INSIDE_M:
                self._set_down(side, time_s)
            else:
                least_s = self._feet.height_m(side) / LOWERED_M_S + LEAST_FLIGHT_S * self.slow
                self._swing(time_s, self._catch(side, falling, BESIDE, least_s=least_s), falling)

    def _drop(self, side: str, falling: Falling, time_s: float) -> Catch:
        """Where a foot of a body in flight lands after a time, and when."""
        then = replace(falling, com=falling.com + time_s * falling.velocity)
        x, y, _ = self._poses.hips((0.0, 0.0, 0.0), falling.heading, 0j)[side]
        sole = self._stance.sole_m * cmath.exp(1j * falling.heading)
        place = reached(side, then.capture - sole, self._beside(OTHER[side]), then.com + complex(x, y), self._settings,
                        self._limits(falling.heading), BESIDE)
        return Catch(side, place, max(time_s, LEAST_FLIGHT_S * self.slow), BESIDE, 0j, 0.0)

    def _land(self, time_s: float, dt: float, falling: Falling, loads: dict[str, float]) -> None:
        """Land feet that are down, lower those that are late."""
        for side in SIDES:
            swing = self._feet[side].swing
            if swing is None:
                continue
            share = swing.share(time_s)
            if swing.holds:
                if share >= 1.0:
                    self._feet[side].held, self._feet[side].swing = True, None
            elif share > EARLY and (loads[side] > DOWN or (share >= 1.0 and self._feet.touches(side))):
                self.footsteps.append((time_s, self._feet.land(side, time_s, falling.heading)))
                self._last, self._calm_s = side, 0.0
            elif share >= 1.0:
                swing.lowering_m_s = self._settings.lower_m_s / self.slow
                swing.lowered_m += dt * swing.lowering_m_s

    def _consider(self, time_s: float, falling: Falling, loads: dict[str, float]) -> None:
        s, standing = self._settings, self._feet.standing
        _, outside = nearest(falling.capture, self._feet.corners_of(standing))
        since = time_s - max(foot.landed_s for foot in self._feet.by_side.values())
        felt = self._felt_s is not None and time_s - self._felt_s >= self._stand.reaction_s
        soon = since < FOLLOW_S * self.slow
        if outside > s.outside_m and felt and since > s.between_s * self.slow and self.may_step:
            free = SIDES if len(standing) == 2 else (OTHER[standing[0]],)
            options = [self._catch(side, falling, crossing) for side in free for crossing in CROSSINGS]
            self._lift(time_s, choose(options, loads, self._last if soon else None), falling)
        elif self.may_step and len(standing) == 2 and not self.in_place:
            if soon and self._last is not None and since > s.between_s * self.slow:
                self._follow(time_s, falling, self._last)
            elif self.calm or self.shifts:
                stays = self.stays(falling.capture)
                if nearest(falling.capture, self._feet.corners_of((stays,)))[1] < -INSIDE_M:
                    self._set_down(OTHER[stays], time_s)
        may = self.may_step and len(self._feet.standing) == 2 and not self.in_place and outside < 0.0
        self.shifts = may and (self.shifts or self.calm)
        self._gather(time_s, falling, outside)

    def _gather(self, time_s: float, falling: Falling, outside: float) -> None:
        """Who stands on one leg and had to put the other foot down takes the weight back to that leg when calm, and lifts it."""
        leg = self._stance.one_leg
        may = bool(leg) and len(self._feet.standing) == 2 and self.in_place and outside < 0.0
        self.gathers = may and (self.gathers or self.calm)
        if self.gathers and nearest(falling.capture, self._feet.corners_of((leg,)))[1] < -INSIDE_M:
            self._feet.hold(OTHER[leg], time_s, HOLD_S * self.slow, BESIDE)
            self.gathers = False

    def _follow(self, time_s: float, falling: Falling, landed: str) -> None:
        _, outside = nearest(falling.capture, self._feet.corners_of((landed,)))
        if outside < -FOLLOW_INSIDE_M:
            self._set_down(OTHER[landed], time_s)
        elif outside < SPLIT_NEAR_M and self._split:
            self._lift(time_s, self._catch(OTHER[landed], falling, BESIDE), falling)

    def _set_down(self, side: str, time_s: float) -> None:
        other = self._feet[OTHER[side]].step
        place, ankle = self._stance.beside(side, other), self._feet.ankle(side)
        aside = bow(side, ankle, place, self._beside(OTHER[side]), self._settings.bow * self._stance.leg_m, BESIDE,
                    self._back(side))
        duration = max(self._settings.set_down_s * self.slow, fastest(place - ankle, aside, 1.0) / self._stand.swing_m_s)
        if self.calm and not self._stand.plain:
            duration = max(duration, abs(place - ankle) / CALM_WAY_M_S * self.slow)
        target = self._terrain.footstep(Footstep(side, place, self._stance.facing(other) + self._stance.yaw(side)))
        self._feet.lift(side, time_s, duration, target, False, BESIDE, aside)

    def _beside(self, side: str) -> Footstep:
        """A foot's place, facing as the body does that stands on it: toes that point outward do not turn what is beside them."""
        step = self._feet[side].step
        return replace(step, yaw=self._stance.facing(step))

    def _back(self, side: str) -> str:
        """On which side a foot across the other comes back: as it went; where the other went, behind what that went before."""
        own, other = self._feet[side].crossing, self._feet[OTHER[side]].crossing
        if own in (BEFORE, BEHIND):
            return own
        return {BEFORE: BEHIND, BEHIND: BEFORE}.get(other, BESIDE)

    def _limits(self, heading: float) -> Limits:
        leg = self._stance.leg_m
        sunk = self.height_m - self._settings.drop * leg
        hip = sunk + self._poses.hips((0.0, 0.0, 0.0), heading, 0j)["L"][2] - self._feet["L"].geometry.ankle_height_m
        reach = REACH * leg
        return Limits(leg, math.sqrt(max(reach * reach - hip * hip, 0.01 * reach * reach)), self._stand.swing_m_s)

    def _catch(self, side: str, falling: Falling, crossing: str, left_s: float | None = None,
               from_: complex | None = None, least_s: float | None = None) -> Catch:
        other = OTHER[side]
        x, y, _ = self._poses.hips((0.0, 0.0, 0.0), falling.heading, 0j)[side]
        leg = Leg(side, self._feet.ankle(side) if from_ is None else from_, complex(x, y), self._stance.sole_m,
                  self._beside(other), self._feet.corners_of((other,)), self._back(side))
        least_s = self._settings.swing_s * self.slow if least_s is None else least_s
        return catch(leg, falling, self._settings, self._limits(falling.heading), crossing, least_s, left_s)

    def _lift(self, time_s: float, found: Catch, falling: Falling) -> None:
        self._swing(time_s, found, falling)
        self._caught()

    def _swing(self, time_s: float, found: Catch, falling: Falling) -> None:
        side = found.side
        target = self._terrain.footstep(Footstep(side, found.place, falling.heading + self._stance.yaw(side)))
        self._feet.lift(side, time_s, found.duration_s, target, True, found.crossing, found.bow)

    def _caught(self) -> None:
        self.steps_taken, self._calm_s = self.steps_taken + 1, 0.0
        self.strategy = "step" if self.steps_taken == 1 else "steps"

    def _replan(self, time_s: float, falling: Falling) -> None:
        """One foot is on its way: its landing goes with the capture point."""
        side = next(side for side in SIDES if self._feet[side].swing is not None)
        swing = self._feet[side].swing
        if swing is None or not self._feet.standing:
            return
        if not swing.catches and self.may_step:
            _, outside = nearest(falling.capture, self._feet.corners_of(self._feet.standing))
            if outside > self._settings.outside_m:
                swing.catches, swing.holds = True, False
                self._caught()
        if swing.catches and swing.share(time_s) < self._settings.replanned:
            found = self._catch(side, falling, swing.crossing, max(swing.end_s - time_s, 0.0),
                                complex(*swing.lift.ankle[:2].tolist()))
            target = self._terrain.footstep(replace(swing.target, place=found.place), swing.target)
            self._feet.aim(side, time_s, target, found.bow)
