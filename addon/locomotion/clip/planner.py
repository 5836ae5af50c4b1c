# SPDX-License-Identifier: GPL-3.0-or-later
"""The following planner: from the measured state to centre of pressure, footsteps and the whole reference pose of a clip."""

from __future__ import annotations

import cmath
import math

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..legged.capture import within
from ..legged.foot_geometry import FootGeometry, Footstep, Terrain
from ..legged.targets import FeetPose, Targets
from .balance import Balance, Stepping
from .clip import Instant
from .clip_plan import ClipPlan, pushing
from .feet import Feet
from .flights import Air, TakeOffs
from .pose import ClipPose, com_motion, rate_between
from .prints import Print
from .settings import FollowSettings, PlanSettings

POSE_STEP_S = 0.005
"""Time over which velocities of the reference pose and of the feet are taken."""
BEFORE_S = 1e-6
"""A strike is looked at so long before it [clip s]."""
STARTS = 4
"""Rounds in which the first pose is moved until its centre of mass is where it should be: legs that stand on prints are not quite
the clip's, and weigh a third of the body."""


class FollowPlanner:
    """Plans one body's way through a clip. `clip_time_s` is how far it has come; everything lasts `slow` times as long as in the
    clip."""

    def __init__(
        self, state: BodyState, plan: ClipPlan, slow: float, push_slow: float, settings: FollowSettings,
        plan_settings: PlanSettings, flying: FollowSettings | None = None,
    ) -> None:
        self.state, self.plan, self.slow, self.settings = state, plan, slow, settings
        body = state.body
        self.clip_time_s, self.lag_s = 0.0, 0.0
        self._gravity_scale = math.sqrt(-float(state.gravity[2]) / EARTH_GRAVITY_M_S2) * max(slow / push_slow, 1.0)
        self.terrain = Terrain(state.ground, FootGeometry(body, "L"), body.leg_length_m)
        self.feet = Feet(state, plan.track, plan.prints, settings, self.terrain, max(slow / push_slow, 1.0))
        self.feet.begin(self._footstep)
        self.poses = ClipPose(body, plan.track)
        self.balance = Balance(plan, settings, plan_settings, body.leg_length_m, flying)
        self.take_offs = TakeOffs(plan, slow, push_slow, state.mass_kg, settings)
        self._push_slow = push_slow
        self._anew: list[str] = []
        self.footsteps: list[tuple[float, Footstep]] = []
        self.touch_downs: list[tuple[float, float]] = []
        """Of every landing so far: by how much it was late [s], and how far from the clip's print [m]."""
        self._lower_m = self._lower_rate = 0.0
        self.stepping = Stepping(plan, slow, settings, self.feet, self.balance, body.leg_length_m)
        self.air = Air(plan, slow, -float(state.gravity[2]))

    def follow_on(self, plan: ClipPlan, moved: complex = 0j) -> None:
        """Go by another plan from now on, which goes on where this one is: a stream's. It is `moved` as a whole over the ground
        (x + iy [m]): what the run is off it is as much less."""
        self.plan = plan
        self._anew = self.feet.follow_on(plan.track, plan.prints, self.clip_time_s, moved)
        self.poses.follow_on(plan.track)
        self.balance.follow_on(plan, moved)
        self.stepping.follow_on(plan)
        self.take_offs = TakeOffs(plan, self.slow, self._push_slow, self.state.mass_kg, self.settings)
        if plan.com.flies:
            self.air.follow_on(plan, moved)

    @property
    def pace(self) -> float:
        """How fast the clip goes, over its own pace on the planet."""
        return self.air.pace if self.air.flies else self.stepping.pace

    @property
    def omega(self) -> float:
        """The pendulum's rate [1/s]."""
        return self.plan.com.omega / self.slow

    def _footstep(self, one: Print, shift: complex = 0j) -> Footstep:
        return self.terrain.footstep(Footstep(one.side, one.place + shift, one.yaw))

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """See `Planner.start`: the clip's first frame, moving as planned."""
        begin = self.plan.com.at(0.0)
        com, velocity = begin.place, begin.velocity / self.slow
        self.terrain.follow(com, None, self._any_step(), None)
        instants, feet = self._look()
        self._lower_m = max(self.poses.shortfall(instants[1], (com.real, com.imag, self._height()[0]), feet[1],
                                                 self.settings.reach), 0.0)
        shift, drift = 0j, 0j
        for _ in range(STARTS):
            pose, change = self._pose_pair(com + shift, velocity + drift, instants, feet)
            place, rate = com_motion(self.state.model, pose, change)
            shift, drift = shift + com - place, drift + velocity - rate
        return self._pose_pair(com + shift, velocity + drift, instants, feet)

    def take_up(self, clip_s: float, steps: dict[str, Footstep]) -> None:
        self.clip_time_s = clip_s
        for side, step in steps.items():
            self.balance.feet[side] = step.place - self.feet.stand_on(side, clip_s, step).planned(clip_s).place
        self.balance.offset = self.balance.astray

    def _any_step(self) -> Footstep:
        return next(step for foot in map(self.feet.__getitem__, SIDES) if (step := foot.step or foot.target) is not None)

    def update(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        com, velocity = complex(*self.state.com[:2].tolist()), complex(*self.state.com_velocity[:2].tolist())
        if dt > 0.0 and self.plan.com.flies:
            self._look_aloft(time_s, loaded)
        lifted = self._advance(time_s, dt, loaded) if dt > 0.0 else []
        planned = self.plan.com.at(self.clip_time_s)
        error, moved = self._error(com, velocity)
        standing = [side for side in SIDES if self.feet[side].stands]
        yaws = {side: self.feet.stood(side, self.clip_time_s).yaw for side in standing}
        facing = cmath.exp(1j * yaws[standing[0]]) if len(standing) == 1 else None
        shift = self.balance.shift(error + self.stepping.early(self.clip_time_s), facing) if standing else 0j
        self.stepping.choose_pace(self.clip_time_s, error, self._gravity_scale * dt)
        for side in SIDES:
            self._aim(side, error, shift)
        for side in [*lifted, *self._anew]:
            self.feet.depart(side, self.pace / self.slow)
        self._anew = []
        pressure = planned.pivot - planned.shift + moved + shift
        for side in SIDES:
            self.feet[side].turn_about(pressure, self.clip_time_s)
        return self._targets(time_s, dt, com, velocity, pressure, planned.shift)

    def off_plan(self) -> complex:
        """How far the capture point is from where it should be (x + iy [m])."""
        com, velocity = complex(*self.state.com[:2].tolist()), complex(*self.state.com_velocity[:2].tolist())
        return self._error(com, velocity)[0]

    def planned_pressure(self) -> complex:
        """Where the pressure would be if nothing were off but the feet (x + iy [m])."""
        planned = self.plan.com.at(self.clip_time_s)
        return planned.pivot - planned.shift + self.balance.pressure_offsets(self.clip_time_s)[0]

    def _error(self, com: complex, velocity: complex) -> tuple[complex, complex]:
        """How far the capture point is from where it should be, and how far the planned pressure has moved with the feet."""
        now = self.clip_time_s
        if self.air.flies:
            now, com = self.air.strike_s - BEFORE_S, com + self.air.left_s * velocity
        moved, capture = self.balance.pressure_offsets(now)
        plan = self.plan.com
        if not plan.flies:
            return com + velocity / self.omega - plan.at(now).capture - capture, moved
        return com + velocity * (plan.lead_s(now) * self.slow) - plan.at(now).capture - capture, moved

    def _advance(self, time_s: float, dt: float, loaded: dict[str, bool]) -> list[str]:
        """Move the clip's clock; lift and land feet. It waits for feet that are late. Returns the feet that were lifted."""
        s, feet = self.settings, self.feet
        rate = (self.stepping.pace + self.stepping.catching_up(self.clip_time_s, self.lag_s)) / self.slow
        if self.air.flies:
            rate = self.air.pace / self.slow
            self.air.late_s += dt * (1.0 - self.air.pace)
        ahead = min(self.clip_time_s + dt * rate, self.plan.end_s)
        if not self.air.flies:
            gained = dt * (rate - 1.0 / self.slow)
            self.lag_s = 0.0 if 0.0 < self.lag_s < gained or 0.0 > self.lag_s > gained else self.lag_s - gained
        for side in SIDES:
            foot = feet[side]
            if foot.swing is None or foot.landed or foot.coming is None:
                continue
            swing = foot.swing
            share = (ahead - swing.start_s) / (swing.end_s - swing.start_s)
            due = ahead >= swing.end_s
            down = loaded[side] or (due and feet.touches(side))
            if down and (due or (share > s.early_touch_down and feet.off_target(side) < s.early_m)):
                self._land(side, time_s)
            elif due:
                ahead = min(ahead, swing.end_s - 1e-6)
                foot.lowering_m_s = s.lowering_m_s * self._gravity_scale
                foot.lowered_m += dt * foot.lowering_m_s
        waited = self.clip_time_s + dt * rate - ahead
        if ahead < self.plan.end_s and waited > 1e-9:
            self.lag_s += waited
        self.clip_time_s = ahead
        lifted = []
        for side in SIDES:
            foot = feet[side]
            if foot.swing is not None and foot.landed and ahead >= foot.swing.end_s - 1e-9:
                feet.stand(side)
            if foot.swing is None and ahead >= foot.print.stance.off_s:
                feet.lift(side, ahead, 1.0 / self.slow)
                lifted.append(side)
        return lifted

    def _land(self, side: str, time_s: float) -> None:
        foot = self.feet[side]
        com, velocity = complex(*self.state.com[:2].tolist()), complex(*self.state.com_velocity[:2].tolist())
        error, _ = self._error(com, velocity)
        due_s = foot.print.stance.strike_s
        step = self.feet.land(side)
        self.footsteps.append((time_s, step))
        late_s = self.slow * (self.clip_time_s - due_s) + foot.lowered_m / max(foot.lowering_m_s, 1e-9) + self.air.late_s
        off_print = step.place - foot.print.place
        self.touch_downs.append((late_s, abs(off_print)))
        self.balance.land(side, off_print, error)

    def _aim(self, side: str, error: complex, shift: complex) -> None:
        foot, coming = self.feet[side], self.feet[side].coming
        if foot.swing is not None and not foot.landed and coming is not None:
            landing = self.stepping.landing(side, self.clip_time_s, error, shift, self.pace)
            foot.target = self._footstep(coming, landing.place - coming.place)

    def _look(self) -> tuple[list[Instant], list[FeetPose]]:
        """The clip and the feet's planned poses a moment ago, now and in a moment."""
        ahead = (-POSE_STEP_S, 0.0, POSE_STEP_S)
        slow = self.slow / self.pace
        times = [min(self.clip_time_s + a / slow, self.plan.end_s) for a in ahead]
        instants = self.plan.track.at(times)
        return instants, self.feet.poses(times, ahead, instants, self.air.over_m, self.air.over_m_s)

    def _height(self) -> tuple[float, float, float]:
        """Planned height of the centre of mass over level ground [m], its velocity and acceleration."""
        now, slow, pace = self.plan.com.at(self.clip_time_s), self.slow, self.stepping.pace
        height = now.height
        if pace != 1.0:  # who hurries rises and falls less in a step, so that the ground has to push no more
            level = self.plan.com.level(self.clip_time_s)
            height = level + (height - level) / pace**2
        return height, now.rising / (slow * pace), now.bend / slow**2

    def _look_aloft(self, time_s: float, loaded: dict[str, bool]) -> None:
        ends = [(foot.swing.end_s, not foot.print.both) for foot in (self.feet[side] for side in SIDES)
                if foot.swing is not None and foot.coming is not None]
        if any(self.feet[side].stands for side in SIDES) or not ends:
            self.air.touch()
        elif not any(loaded.values()):
            com, (strike_s, strides) = self.state.com.copy(), min(ends)
            com[2] -= self.terrain.level_m
            self.air.fly(time_s, self.clip_time_s, strike_s, com, self.state.com_velocity, strides)

    def _targets(
        self, time_s: float, dt: float, com: complex, velocity: complex, pressure: complex, pivot_shift: complex,
    ) -> Targets:
        instants, feet = self._look()
        active, expected = self.feet.contact_points(self.clip_time_s, instants[1])
        if expected.any():
            facing = self.feet.facing([side for side in SIDES if self.feet[side].stands], self.clip_time_s)
            pressure = within(pressure, self.feet.support(self.clip_time_s, expected), facing)
        pivot = pressure + pivot_shift + pushing(self.plan.pushes, self.clip_time_s) / self.plan.com.omega**2
        self.terrain.follow(com, None, self._any_step(), None)
        height, rate, second = self._height()
        if dt > 0.0:
            place = com.real, com.imag, height + self.terrain.level_m
            grounded = any(self.feet[side].stands for side in SIDES)  # in a flight nothing is changed by going lower
            needed_m = self.poses.shortfall(instants[1], place, feet[1], self.settings.reach) if grounded else 0.0
            self._follow_reach(needed_m, dt)
        pose, pose_velocity = self._pose_pair(com, velocity, instants, feet)
        wanted = self.feet.wanted(feet[0], feet[1], feet[2], POSE_STEP_S, active)
        acceleration = self.omega**2 * (com - pivot)
        over = (height - self._lower_m + self.terrain.level_m, rate - self._lower_rate + self.terrain.rate(velocity),
                second + self.terrain.second(velocity, acceleration))
        w, _, _, z = instants[1].root_quaternion
        omega = None if self.plan.com.flies else self.omega
        return Targets(time_s, pivot, omega, over, pose, pose_velocity, np.zeros_like(pose_velocity), wanted, active,
                       expected, 2.0 * math.atan2(z, w), 0.0,
                       *self.take_offs.wanted(self.clip_time_s, any(self.feet[side].stands for side in SIDES)),
                       sliding=self.feet.sliding(self.clip_time_s, 1.0 / self.slow))

    def _follow_reach(self, needed_m: float, dt: float) -> None:
        """Go lower where a leg is too short, quickly, and up again slowly."""
        s = self.settings
        rate = s.height_reduction_rate if needed_m > self._lower_m else s.rise_rate
        self._lower_rate = rate * self._gravity_scale * (needed_m - self._lower_m)
        self._lower_m += dt * self._lower_rate

    def _pose_pair(
        self, com: complex, velocity: complex, instants: list[Instant], feet: list[FeetPose],
    ) -> tuple[np.ndarray, np.ndarray]:
        """Reference pose (nq,) now and its velocity (nv,)."""
        later = com + POSE_STEP_S * velocity
        height, rate, _ = self._height()
        level = height - self._lower_m + self.terrain.level_m
        climb = POSE_STEP_S * (rate - self._lower_rate + self.terrain.rate(velocity))
        if self.air.flies:
            level, climb = float(self.state.com[2]), POSE_STEP_S * float(self.state.com_velocity[2])
        now = self.poses.build(instants[1], (com.real, com.imag, level), feet[1])
        then = self.poses.build(instants[2], (later.real, later.imag, level + climb), feet[2])
        return now, rate_between(self.state.model, now, then, POSE_STEP_S)
