# SPDX-License-Identifier: GPL-3.0-or-later
"""Standing: from the measured state to centre of pressure, steps and the whole reference pose."""

from __future__ import annotations

import cmath
import math
from dataclasses import replace

import mujoco
import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ...specs.shot import EARTH_GRAVITY_M_S2
from ...specs.stand import Stand
from ..tracking.planners.foot_geometry import FootGeometry, Footstep
from ..tracking.planners.foot_targets import FeetPose, foot_targets
from ..tracking.planners.targets import Targets
from ..tracking.planners.terrain import Terrain
from .catching import OTHER, OUT, Catch, Falling, Limits, bow, catch, choose, sole_ahead
from .feet import EARLY, HEEL_BACK_RATE, HEEL_RATE, Feet
from .pose import StandingPose
from .settings import StandingSettings
from .support import hull, nearest
from .sway import Sway
from .trunk import Trunk

POSE_STEP_S, BEND_RAD = 0.005, 1e-3
"""Time over which velocities of the reference pose and of the feet are taken."""
APART_LEGS = 0.294
"""Distance of the ankles of a body that stands, over the leg's length."""
REACH = 0.992
"""Largest distance of hip and ankle over the leg's length that is planned with."""
FOLLOW_S, FOLLOW_INSIDE_M, SPLIT_M, SPLIT_NEAR_M = 0.5, 0.005, 0.4, 0.1
"""So long after a landing the other foot follows beside it, if the capture point lies so far inside the new sole; with the feet so
much farther apart than they stand, and the capture point so near, it takes a step of its own."""
CALM_M_S, CALM_S, INSIDE_M, SHIFT = 0.15, 0.4, 0.012, 0.15
"""A body slower than this for so long is calm: the foot that is out of place is set beside the other when the capture point is so
far inside that one's sole, to which the weight shifts, but for this share of the way."""
FELT_M = 0.015
"""A push is felt when the capture point is so far from where it rests (on Earth, on legs of 0.88 m)."""
LEG_M = 0.884
MOST_TURN_RAD, TURN_RATE = 0.7, 8.0
"""How far and how fast [1/s on Earth] the pelvis turns with feet that cross (first guess)."""
TURN_LIMIT_RAD_S2 = 60.0


class StandingPlanner:
    """See `tracking.planners.planner.Planner`. `strategy` is the most that was needed so far."""

    def __init__(self, state: BodyState, stand: Stand, settings: StandingSettings, gravity_m_s2: float, seed: int = 0) -> None:
        self.state, self.stand, self.settings = state, stand, settings
        body = state.body
        geometry = FootGeometry(body, "L")
        self.leg_m = body.leg_length_m
        self.apart_m = APART_LEGS * self.leg_m if stand.apart_m is None else stand.apart_m
        self.ahead_m = sole_ahead(geometry.ball_x)
        self.ball_x, self.heading = geometry.ball_x, 0.0
        self.terrain = Terrain(state.ground, geometry, self.leg_m)
        self.poses = StandingPose(state)
        middle = -complex(self.ahead_m, 0.0)
        away = complex(0.5 * stand.ahead_m, 0.5 * self.apart_m)
        steps = {side: self.terrain.footstep(Footstep(side, middle + OUT[side] * away, 0.0)) for side in SIDES}
        self.feet = Feet(state, self.terrain, settings, steps)
        self.trunk = Trunk(body.mass_kg, self.leg_m)
        self.sway = Sway(stand.sway, self.leg_m, seed)
        self.lower_m = self.lower_rate = 0.0
        self.turned, self.turn_rate = 0.0, 0.0
        self._calm_s = 0.0
        self._felt_s: float | None = None
        self._due_s: dict[str, float] = {}
        self._last_landed: str | None = None
        self.steps_taken = 0
        self.footsteps: list[tuple[float, Footstep]] = []
        self.outcome = "ankles"
        self.set_gravity(gravity_m_s2)
        self._settle()

    def set_gravity(self, gravity_m_s2: float) -> None:
        """From now on gravity is this."""
        self.gravity_m_s2 = gravity_m_s2
        self.slow = math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)

    def _settle(self) -> None:
        """The pose at rest and the height of its centre of mass."""
        feet = {side: self.feet.pose(side, 0.0, 0.0) for side in SIDES}
        rest = self.rest()
        self.terrain.follow(rest, None, self.feet["L"].step, None)
        above, high = 1.3 * self.leg_m, 0.0
        for _ in range(3):
            com = rest.real, rest.imag, above + self.terrain.level_m
            self.poses.settle((com[0], com[1], high + self.terrain.level_m) if high else com, self.heading, feet)
            hips = self.poses.hips(com, self.heading, 0j)
            high = above - self.poses.shortfall(hips, feet, SIDES, self.settings.straight)
        self.height_m = high
        self.omega = math.sqrt(self.gravity_m_s2 / high)

    def rest(self) -> complex:
        """Where the centre of mass is to rest over the feet that stand."""
        standing = self.feet.standing
        soles = [self.feet[side].step.place + self.ahead_m * cmath.exp(1j * self.feet[side].step.yaw) for side in standing]
        return sum(soles, 0j) / max(len(soles), 1)

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """The pose at rest."""
        feet = {side: self.feet.pose(side, 0.0, 0.0) for side in SIDES}
        rest = self.rest()
        q = self.poses.build((rest.real, rest.imag, self.height_m + self.terrain.level_m), self.heading, 0j, feet)
        return q, np.zeros(self.state.model.nv)

    def update(self, time_s: float, dt: float, loads: dict[str, float]) -> Targets:
        """Plan from the state measured now; `loads` is the share of the weight on each foot."""
        com, velocity = complex(*self.state.com[:2].tolist()), complex(*self.state.com_velocity[:2].tolist())
        self.omega = math.sqrt(self.gravity_m_s2 / max(self.height_m - self.lower_m, 0.3 * self.height_m))
        falling = Falling(com, velocity, self.omega, self.heading)
        self._advance(time_s, dt, falling, loads)
        if len(self.feet.standing) == 2:
            self._consider(time_s, dt, falling, loads)
        elif self.feet.standing:
            self._replan(time_s, falling)
        return self._targets(time_s, dt, falling)

    # feet

    def _advance(self, time_s: float, dt: float, falling: Falling, loads: dict[str, float]) -> None:
        """Land feet that are down, lower those that are late."""
        for side in SIDES:
            foot = self.feet[side]
            swing = foot.swing
            if swing is None:
                continue
            share = swing.share(time_s)
            if share > EARLY and (loads[side] > 0.02 or (share >= 1.0 and self.feet.touches(side))):
                step = self.feet.land(side, time_s, self.heading)
                self.footsteps.append((time_s, step))
                self._last_landed, self._calm_s = side, 0.0
            elif share >= 1.0:
                swing.lowering_m_s = self.settings.lower_m_s / self.slow
                swing.lowered_m += dt * swing.lowering_m_s

    def _may_step(self) -> bool:
        return self.stand.steps is None or self.steps_taken < self.stand.steps

    def _corners(self, sides: tuple[str, ...]) -> list[complex]:
        return hull(self.feet.corners_of(sides))

    def _consider(self, time_s: float, dt: float, falling: Falling, loads: dict[str, float]) -> None:
        """With both feet down: whether to step, and with which."""
        s, capture = self.settings, falling.capture
        quiet = abs(falling.velocity) < CALM_M_S / self.slow
        self._calm_s = self._calm_s + dt if quiet else 0.0
        _, outside = nearest(capture, self._corners(SIDES))
        felt = abs(capture - self.rest()) > FELT_M * self.leg_m / LEG_M
        if not felt and self._calm_s > CALM_S * self.slow:
            self._felt_s = None
        elif felt and self._felt_s is None:
            self._felt_s = time_s
        since = time_s - max(foot.landed_s for foot in self.feet.by_side.values())
        ready = self._felt_s is not None and time_s - self._felt_s >= self.stand.reaction_s and since > s.between_s * self.slow
        if outside > s.outside_m and ready and self._may_step():
            options = [self._catch(side, falling) for side in SIDES]
            self._go(time_s, choose(options, loads, self._last_landed if since < FOLLOW_S * self.slow else None), "steps")
            return
        if not self._may_step() or self.in_place():
            return
        if since < FOLLOW_S * self.slow and self._last_landed is not None:
            self._follow(time_s, falling)
        elif self._calm_s > CALM_S * self.slow:
            self._return(time_s, capture)

    def in_place(self) -> bool:
        """Whether the feet stand as they are to."""
        return abs(self._misplaced("R")) < 0.03 * self.leg_m

    def _beside(self, side: str) -> complex:
        """Where a foot belongs, the other being where it is."""
        step = self.feet[OTHER[side]].step
        return step.place + OUT[side] * complex(self.stand.ahead_m, self.apart_m) * cmath.exp(1j * step.yaw)

    def _misplaced(self, side: str) -> complex:
        return self.feet[side].step.place - self._beside(side)

    def _follow(self, time_s: float, falling: Falling) -> None:
        """Just after a landing: the other foot follows."""
        landed = self._last_landed or "L"
        other = OTHER[landed]
        point, outside = nearest(falling.capture, self._corners((landed,)))
        if outside < -FOLLOW_INSIDE_M:
            self._set_down(other, time_s)
        elif outside < SPLIT_NEAR_M and abs(self._misplaced(other)) > SPLIT_M * self.leg_m / LEG_M:
            self._go(time_s, self._catch(other, falling), "steps")

    def _return(self, time_s: float, capture: complex) -> None:
        """Calm: the foot that is out of place is set beside the other, once the weight is on that."""
        stays = self._stays(capture)
        _, outside = nearest(capture, self._corners((stays,)))
        if outside < -INSIDE_M:
            self._set_down(OTHER[stays], time_s)

    def _stays(self, capture: complex) -> str:
        return min(SIDES, key=lambda side: nearest(capture, self._corners((side,)))[1])

    def _set_down(self, side: str, time_s: float) -> None:
        """Set a foot beside the other."""
        place, step = self._beside(side), self.feet[OTHER[side]].step
        way = abs(place - self.feet.ankle(side))
        duration = max(self.settings.set_down_s * self.slow, 1.875 * way / self.stand.swing_m_s)
        target = self.terrain.footstep(Footstep(side, place, step.yaw))
        self.feet.lift(side, time_s, duration, target, False, self._bow(side, place))

    def _bow(self, side: str, to: complex) -> complex:
        """How far a foot goes round the other on its way to a place, at the middle of that."""
        return bow(self.feet.ankle(side), to, self.feet[OTHER[side]].step, self.settings.bow * self.leg_m)

    def _limits(self) -> Limits:
        hip = self.height_m - self.settings.drop * self.leg_m + float(self.poses.root_m[2]) + self.state.body.sole_height_m
        reach = REACH * self.leg_m
        return Limits(self.leg_m, math.sqrt(max(reach * reach - hip * hip, 0.01 * reach * reach)), self.stand.swing_m_s)

    def _hip(self, side: str) -> complex:
        """A hip from the centre of mass, upright."""
        x, y, _ = self.poses.hips((0.0, 0.0, 0.0), self.heading, 0j)[side]
        return complex(x, y)

    def _catch(self, side: str, falling: Falling, left_s: float | None = None) -> Catch:
        other = OTHER[side]
        return catch(side, falling, self.feet[other].step, self._corners((other,)), self.feet.ankle(side), self._hip(side),
                     self.ball_x, self.settings, self._limits(), self.slow, left_s)

    def _go(self, time_s: float, found: Catch, outcome: str) -> None:
        """Lift a foot for the step that catches."""
        side = found.side
        target = self.terrain.footstep(Footstep(side, found.place, self.heading))
        self.feet.lift(side, time_s, found.duration_s, target, True, self._bow(side, target.place))
        self.steps_taken += 1
        self.outcome = outcome
        self._calm_s = 0.0

    def _replan(self, time_s: float, falling: Falling) -> None:
        """One foot is on its way: its landing goes with the capture point."""
        side = OTHER[self.feet.standing[0]]
        swing = self.feet[side].swing
        if swing is None:
            return
        if not swing.catches:
            _, outside = nearest(falling.capture, self._corners(self.feet.standing))
            if outside > self.settings.outside_m and self._may_step():
                swing.catches = True
                self.steps_taken += 1
        if swing.catches and swing.share(time_s) < self.settings.replanned:
            found = self._catch(side, falling, max(swing.end_s - time_s, 0.0))
            swing.target = self.terrain.footstep(replace(swing.target, place=found.place), swing.target)
            swing.bow = bow(complex(*swing.lift.ankle[:2].tolist()), found.place, self.feet[OTHER[side]].step,
                            self.settings.bow * self.leg_m)

    # body

    def _pressure(self, time_s: float, falling: Falling, corners: list[complex]) -> complex:
        """Where the centre of pressure should be."""
        standing, rest = self.feet.standing, self.rest()
        if len(standing) == 2 and not self.in_place() and self._calm_s > CALM_S * self.slow and self._may_step():
            stays = self._stays(falling.capture)
            sole = self.feet[stays].step.place + self.ahead_m * cmath.exp(1j * self.feet[stays].step.yaw)
            rest = sole + 2.0 * SHIFT * (rest - sole)
        rest += self.sway.at(time_s / self.slow) * cmath.exp(1j * self.heading)
        wish = rest + (1.0 + self.settings.pressure_gain) * (falling.capture - rest)
        return nearest(wish, corners)[0]

    def _targets(self, time_s: float, dt: float, falling: Falling) -> Targets:
        """What the tracker should do."""
        com, velocity = falling.com, falling.velocity
        standing = self.feet.standing
        corners = self._corners(standing or SIDES)
        pressure = self._pressure(time_s, falling, corners)
        self.terrain.follow(com, None, self.feet[(standing or SIDES)[0]].step, None)
        feet = [{side: self.feet.pose(side, time_s, ahead) for side in SIDES} for ahead in (-POSE_STEP_S, 0.0, POSE_STEP_S)]
        if dt > 0.0:
            self._turn(dt)
            self._lunge(dt, falling, corners, pressure)
            self._reach(time_s, dt, falling, feet[1])
        active, expected = self.feet.contacts()
        wanted = foot_targets(0.0, feet, POSE_STEP_S, {side: self.feet[side].swing is None for side in SIDES},
                              TURN_LIMIT_RAD_S2 / self.slow**2)
        level = self.height_m - self.lower_m + self.terrain.level_m
        acceleration = self.omega**2 * (com - pressure)
        rate = self.terrain.rate(velocity) - self.lower_rate
        facing = self.heading + self.turned
        trunk, off = self.trunk, falling.capture - self.rest()
        arms, fall = trunk.arms, off * cmath.exp(-1j * self.heading) / max(abs(off), 1e-6)
        lean = trunk.lean * trunk.way
        now = self.poses.build((com.real, com.imag, level), facing, lean, feet[1], arms, fall)
        later = com + POSE_STEP_S * velocity
        then = self.poses.build((later.real, later.imag, level + POSE_STEP_S * rate), facing + POSE_STEP_S * self.turn_rate,
                                lean + POSE_STEP_S * trunk.rate * trunk.way, feet[2], arms, fall)
        change = np.empty(self.state.model.nv)
        mujoco.mj_differentiatePos(self.state.model, change, POSE_STEP_S, now, then)
        height = level, rate, self.terrain.second(velocity, acceleration)
        second = np.zeros_like(change)
        if abs(trunk.acceleration) > 1e-3:  # the lunge's own acceleration, through the pose that it leads
            bent = self.poses.build((com.real, com.imag, level), facing, lean + BEND_RAD * trunk.way, feet[1], arms, fall)
            mujoco.mj_differentiatePos(self.state.model, second, BEND_RAD / trunk.acceleration, now, bent)
        return Targets(time_s, pressure + trunk.pivot(self.gravity_m_s2), self.omega, height, now, change, second, wanted,
                       active, expected, self.heading)

    def _lunge(self, dt: float, falling: Falling, corners: list[complex], pressure: complex) -> None:
        """Hips and arms go with how the body falls."""
        edge, outside = nearest(falling.capture, corners)
        _, beyond = nearest(pressure, corners)
        may = self.stand.hips and len(self.feet.standing) == 2 and (outside < self.settings.outside_m or not self._may_step())
        self.trunk.go(dt, edge, outside, falling.capture, self.omega, may,
                      cmath.exp(1j * self.heading), self.slow, self.gravity_m_s2, -beyond)
        self.trunk.fly(dt, abs(falling.capture - self.rest()), self.slow)
        if self.trunk.lunging and self.outcome == "ankles":
            self.outcome = "hips"

    def _turn(self, dt: float) -> None:
        """The pelvis turns with feet that cross, so that the legs pass one another."""
        places = {side: self.feet[side].step.place if (swing := self.feet[side].swing) is None else swing.target.place
                  for side in SIDES}
        apart = (places["L"] - places["R"]) * cmath.exp(-1j * self.heading)
        natural = complex(self.stand.ahead_m, self.apart_m)
        wanted = 0.0
        if apart.imag < 0.5 * self.apart_m:
            wanted = min(max(cmath.phase(apart / natural), -MOST_TURN_RAD), MOST_TURN_RAD)
        before = self.turned
        self.turned += (wanted - before) * min(TURN_RATE / self.slow * dt, 1.0)
        self.turn_rate = (self.turned - before) / dt

    def _reach(self, time_s: float, dt: float, falling: Falling, feet: FeetPose) -> None:
        """Sink for the landing that comes, raise the heel of a leg that is too short, and come up again."""
        s = self.settings
        hips = self.poses.hips((falling.com.real, falling.com.imag, self.height_m + self.terrain.level_m), self.heading + self.turned,
                               self.trunk.lean * self.trunk.way)
        need, left_s = 0.0, math.inf
        for side in SIDES:
            swing = self.feet[side].swing
            if swing is not None:
                left_s = max(swing.end_s - time_s, 0.02 * self.slow)
                corners = self._corners((OTHER[side],))
                com, _ = falling.after(nearest(falling.capture, corners)[0], max(swing.end_s - time_s, 0.0))
                then = self.poses.hips((com.real, com.imag, self.height_m + self.terrain.level_m), self.heading, 0j)
                landing = {side: self.feet[side].geometry.rolled(swing.target, 0.0, 0.0)}
                need = max(need, self.poses.shortfall(then, landing, (side,), REACH))
        most = s.drop * self.leg_m
        need = min(need, most)
        rate = (need - self.lower_m) / left_s if need > self.lower_m and left_s < math.inf else \
            -s.rise_rate / self.slow * (self.lower_m - need) if left_s == math.inf else 0.0
        standing = self.feet.standing
        reach_m = REACH * (self.poses.thigh_m + self.poses.shank_m)
        for side in standing:
            x, y, z = hips[side]
            hip = x, y, z - self.lower_m
            foot = self.feet[side]
            behind = ((falling.com - foot.step.place) * cmath.exp(-1j * foot.step.yaw)).real < 0.0
            pitch = self.feet.needed_pitch(side, hip, reach_m, behind)
            up = abs(pitch) > abs(foot.pitch)
            self.feet.roll(side, pitch, (HEEL_RATE if up else HEEL_BACK_RATE) / self.slow * dt)
        self.lower_rate = rate
        self.lower_m += dt * rate
