# SPDX-License-Identifier: GPL-3.0-or-later
"""Standing: from the measured state to centre of pressure, steps and the whole reference pose, with hips that sink so that legs
reach their feet, and the sway of a body while nothing happens."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import mujoco
import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ...maths.curves import smooth
from ...specs.motions import Stand
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..legged.foot_geometry import FootGeometry, Footstep, Terrain
from ..legged.targets import FeetPose, Targets, foot_targets
from .catching import Falling
from .feet import HEEL_BACK_RATE, HEEL_RATE, Feet
from .pose import StandingPose, Threat, Trunk
from .stance import LEG_M, OTHER, Stance, StandingSettings, nearest
from .stepping import Stepping
from .taking_over import Fading, FoundFoot, facing, falls_for, found_feet, stance_found

STRETCH = 0.998
"""Length of a standing leg over that of a straight one from which on its heel rises."""
LANDS = 0.975
"""The same of a leg that lands: a straight one cannot give, and stamps."""
SINK_RATE = 10.0
"""Rate [1/s on Earth] at which the hips sink for a foot that is ahead (first guess)."""
EARLIER_S = 0.06
"""The hips are as low as a landing needs so long before it."""
SOON_S = 0.03
"""So long before a swinging foot is somewhere its leg must be able to reach there (first guess)."""
LEAST_S = 0.02
MOST_CHANGE = 0.8
"""The rate changes by this share of gravity at most: nobody falls faster, and who brakes at once stamps."""
MOST_M_S, BRACED_M = 0.7, 0.06
"""Nor do hips sink faster than this, on legs of 0.88 m on Earth; and so far they sink as soon as a step will be needed: it is the
foot that lands that stops them."""
PAST_M = 0.03
"""So far past what a landing needs the hips go as they are braked, on legs of 0.88 m."""


@dataclass(frozen=True)
class Now:
    """A moment of a body that stands: its feet, how it falls, how high [m] its centre of mass is at rest, the `heading` [rad] of
    its pelvis, and how many times slower than on Earth all goes."""

    time_s: float
    feet: Feet
    falling: Falling
    high_m: float
    heading: float
    slow: float


class Sinking:
    """How much lower than at rest the hips are [m], and its rate [m/s]."""

    def __init__(self, poses: StandingPose, settings: StandingSettings, leg_m: float) -> None:
        self._poses, self._settings, self._most_m = poses, settings, settings.drop * leg_m
        self._scale = leg_m / LEG_M
        self.lower_m = self.rate = 0.0

    def go(self, now: Now, dt: float, calm: bool, braced: bool, to: complex | None = None) -> None:
        """Let time pass; one who is `calm` only rises, one who is `braced` bends the knees for the step to come, and so does one
        whose weight is to go `to` one foot: the other leg would be too short, and hold it back."""
        before, slow = self.rate, now.slow
        landing = self._for_landing(now)
        need = max(landing[0], 0.0 if calm else self._for_flat_feet(now), BRACED_M * self._scale if braced else 0.0,
                   0.0 if to is None else self._for_both_feet(now, to))
        if landing[1] == math.inf:
            rate = self._settings.rise_rate if need < self.lower_m else SINK_RATE
            self.rate = -rate / slow * (self.lower_m - need)
        else:
            left_s = max(landing[1] - EARLIER_S * slow, LEAST_S * slow)
            self.rate = max((need - self.lower_m) / left_s, self._soon(now), 0.0)
        most = MOST_CHANGE * EARTH_GRAVITY_M_S2 / slow**2
        fastest = math.sqrt(2.0 * most * max(need + PAST_M * self._scale - self.lower_m, 0.0))
        fastest = min(fastest, MOST_M_S * math.sqrt(self._scale) / slow)
        self.rate = min(max(min(self.rate, fastest), before - most * dt), before + most * dt)
        self.lower_m += dt * self.rate

    def _short(self, hips: dict[str, tuple[float, float, float]], poses: dict, side: str, reach: float) -> float:
        return min(self._poses.shortfall(hips, poses, (side,), reach), self._most_m)

    def _for_landing(self, now: Now) -> tuple[float, float]:
        """How far [m] for the landing that comes, and how long it is until then."""
        feet, falling = now.feet, now.falling
        need, left_s = 0.0, math.inf
        for side in SIDES:
            foot = feet[side]
            if foot.swing is not None:
                left_s = max(foot.swing.end_s - now.time_s, 0.0)
                com, _ = falling.after(nearest(falling.capture, feet.corners_of((OTHER[side],)))[0], left_s)
                hips = self._poses.hips((com.real, com.imag, now.high_m), falling.heading, 0j)
                need = max(need, self._short(hips, {side: foot.geometry.rolled(foot.swing.target, 0.0, 0.0)}, side, LANDS))
        return need, left_s

    def _for_both_feet(self, now: Now, com: complex) -> float:
        """How far [m] for all feet to stand flat with the centre of mass at a place."""
        hips = self._poses.hips((com.real, com.imag, now.high_m), now.heading, 0j)
        flat = {side: now.feet[side].geometry.rolled(now.feet[side].step, 0.0, 0.0) for side in now.feet.standing}
        return max((self._short(hips, flat, side, LANDS) for side in flat), default=0.0)

    def _for_flat_feet(self, now: Now) -> float:
        """How far [m] for feet that the body is on its way to: they are to come flat, not to stay on their heels."""
        need, com = 0.0, now.falling.com
        hips = self._poses.hips((com.real, com.imag, now.high_m), now.heading, 0j)
        for side in now.feet.standing:
            foot = now.feet[side]
            if ((foot.step.place - com) * now.falling.velocity.conjugate()).real > 0.0:
                need = max(need, self._short(hips, {side: foot.geometry.rolled(foot.step, 0.0, 0.0)}, side, STRETCH))
        return need

    def _soon(self, now: Now) -> float:
        """The least rate [m/s] for a swinging leg to reach its foot in a moment."""
        ahead, least = SOON_S * now.slow, 0.0
        com = now.falling.com + ahead * now.falling.velocity
        for side in SIDES:
            if now.feet[side].swing is not None:
                hips = self._poses.hips((com.real, com.imag, now.high_m), now.heading, 0j)
                short = self._short(hips, {side: now.feet.pose(side, now.time_s, ahead)}, side, LANDS)
                least = max(least, (short - self.lower_m) / ahead)
        return least


def behind(falling: Falling, place: complex, yaw: float) -> bool:
    return ((falling.com - place) * cmath.exp(-1j * yaw)).real < 0.0


@dataclass(frozen=True)
class Flow:
    """A motion of a body that stands, at one time: its horizontal `velocity` (x + iy [m/s]), how far its pressure is from its
    capture point and its pivot from that pressure [m], how fast it rises and that rate's rate."""

    velocity: complex = 0j
    pressure: complex = 0j
    pivot: complex = 0j
    rising: float = 0.0
    bend: float = 0.0


AT_REST = Flow()


FORWARD_M, ASIDE_M = 0.0042, 0.0022
"""Deviation of a standing person's centre of mass (medians of 42 trials of young people with open eyes, Santos and Duarte 2016,
are 4.1 and 2.5 mm at the ground, of which shifts are a part)."""
PEOPLE_SD, MOST_SD = 0.2, 1.3
"""Standard deviation, in the logarithm, of how much one sways over another, and how far it is drawn (the same trials: 10 to 90 %
of them are 2.6 to 6.5 mm)."""
BAND_HZ = (0.06, 0.8)
"""Rates of the sway (Winter 1995: below 1 Hz; mean frequencies of those trials 0.12 to 0.36 Hz)."""
WAVES = 7
SWAY_SHIFT_M, SHIFT_SHARE = 0.0025, 0.15
"""How far the weight is taken to one leg, at most this share of the feet's distance: what those who stand for
minutes do (Duarte and Zatsiorsky 1999 call it shifts), as much as keeps the sway within that of those trials."""
SHIFT_S, HELD_S = 2.0, (6.0, 16.0)
"""How long that takes, and how long it stays there [s on Earth] (first guess)."""
SHIFTS = 200


class Sway:
    """Smooth noise of few slow waves, and shifts from leg to leg; `times` over a person's, feet `apart_m`. Times are Earth's."""

    def __init__(self, times: float, leg_m: float, seed: int, apart_m: float = 0.0) -> None:
        random = np.random.default_rng((seed, 7))
        times *= math.exp(PEOPLE_SD * float(np.clip(random.standard_normal(), -MOST_SD, MOST_SD)))
        size = times * leg_m / LEG_M * math.sqrt(2.0 / WAVES)
        hertz = np.geomspace(*BAND_HZ, WAVES)
        self._waves = [(2.0 * math.pi * rate * float(random.uniform(0.9, 1.1)), *random.uniform(0.0, 2.0 * math.pi, 2).tolist())
                       for rate in hertz.tolist()]
        self._forward, self._aside = size * FORWARD_M, size * ASIDE_M
        self._begin = 0j
        self._begin = self._wave(0.0)
        most = times * min(SWAY_SHIFT_M * leg_m / LEG_M, SHIFT_SHARE * apart_m)
        ways = np.where(np.arange(SHIFTS) % 2, 1.0, -1.0) * random.choice((-1.0, 1.0))
        self._sides = [0.0, *(most * ways * random.uniform(0.5, 1.0, SHIFTS)).tolist()]
        self._at = np.cumsum(random.uniform(*HELD_S, SHIFTS))

    def at(self, time_s: float, on_both: bool = True) -> complex:
        """Forward and to the left [m], from none at the start; the weight is shifted only by who is on both feet."""
        found = self._wave(time_s) - self._begin * math.exp(-time_s)
        return found + 1j * self._shifted(time_s) if on_both else found

    def _wave(self, time_s: float) -> complex:
        return sum((complex(self._forward * math.sin(rate * time_s + one), self._aside * math.sin(rate * time_s + other))
                    for rate, one, other in self._waves), 0j)

    def _shifted(self, time_s: float) -> float:
        last = min(int(np.searchsorted(self._at, time_s, side="right")), SHIFTS)
        if not last:
            return 0.0
        before, now = self._sides[last - 1], self._sides[last]
        return before + smooth((time_s - float(self._at[last - 1])) / SHIFT_S) * (now - before)


POSE_STEP_S, BEND_RAD = 0.005, 1e-3
"""Time over which velocities of the reference pose and of the feet are taken, and the lean over which its bend is."""
ABOVE_LEGS = 1.3
"""Height from which a body is let down on its feet to see how high it stands, over the leg's length, or from straight legs if its
mass is higher over its hips than a person's."""
SHIFT, SHIFT_M = 0.3, 0.02
"""Before a foot is set beside the other the weight goes to that one, but for this share of the way from there to the middle, and
no more than so far on legs of 0.88 m: it must come inside that sole."""
INSIST_RATE, INSIST_M = 0.6, 0.03
"""How fast [1/s on Earth], and by how much at most on legs of 0.88 m, the pressure goes on while the weight stays short of the
foot that it is to go to (first guess)."""
MOST_TURN_RAD, TURN_RATE = 0.5, 10.0
"""How far and how fast [1/s on Earth] the pelvis turns with feet that cross (first guess)."""
TURN_LIMIT_RAD_S2 = 60.0
LEAST_HEIGHT = 0.3
LANDED = 0.5
"""A body in the air lands with its hips lowered by this share of the most that they sink."""


class StandingPlanner:
    """Plans balance from the state as it is measured; `stepping` has what came of it."""

    def __init__(self, state: BodyState, stand: Stand, settings: StandingSettings, gravity_m_s2: float, seed: int = 0) -> None:
        self.state, self.stand, self.settings = state, stand, settings
        body, self.heading = state.body, 0.0
        geometry = FootGeometry(body, "L")
        self.leg_m = body.leg_length_m
        self.terrain = Terrain(state.ground, geometry, self.leg_m)
        self.stance, self.poses = self._make_stance(geometry), self._make_poses()
        self.trunk, self.sway = Trunk(body.mass_kg, self.leg_m), Sway(stand.sway, self.leg_m, seed, self.stance.apart_m)
        self.sinking = Sinking(self.poses, settings, self.leg_m)
        self.turned = self.turn_rate = 0.0
        self._insists = 0j
        self._fading = Fading()
        self._put({side: self.stance.first(side) for side in SIDES})
        self.set_gravity(gravity_m_s2)
        self._settle()

    def _make_stance(self, geometry: FootGeometry) -> Stance:
        left, right = (self.state.body.segment(f"thigh_{side}").offset[1] for side in SIDES)
        return Stance.of(self.stand, self.leg_m, geometry.ball_x, float(left - right))

    def _make_poses(self) -> StandingPose:
        return StandingPose(self.state)

    def _put(self, places: dict[str, Footstep]) -> None:
        steps = {side: self.terrain.footstep(step) for side, step in places.items()}
        self.feet = Feet(self.state, self.terrain, self.settings, steps, OTHER.get(self.stance.one_leg),
                         self.stand.swing_m_s, self.stance.held)
        self.stepping = Stepping(self.feet, self.poses, self.stance, self.stand, self.settings, self.terrain)

    def set_gravity(self, gravity_m_s2: float) -> None:
        self.gravity_m_s2 = gravity_m_s2
        self.trunk.gravity_m_s2 = gravity_m_s2
        self.slow = self.stepping.slow = math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)

    def take_over(self, time_s: float, loads: dict[str, float]) -> None:
        """Begin at a time with the body as it is, moving or not: `loads` is the share of the weight on each foot. It faces where
        its pelvis does; what its pose, its height and its feet are off what is planned fades."""
        com, velocity = complex(*self.state.com[:2].tolist()), complex(*self.state.com_velocity[:2].tolist())
        found = self._find(loads)
        self._put({side: self.stance.at(side, com, self.heading) for side in SIDES})
        self.set_gravity(self.gravity_m_s2)
        self._settle()
        self.feet.take_over(found)
        self._follow_ground(com)
        high = float(self.state.com[2]) - self.terrain.level_m
        rising = float(self.state.com_velocity[2]) - self.terrain.rate(velocity)
        self._fading = Fading(self.state, time_s, self.slow, high - self.height_m, rising, self._taken())
        flight_s = falls_for(high - (self.height_m - LANDED * self.settings.drop * self.leg_m), rising, self.gravity_m_s2)
        self.stepping.take_over(time_s, Falling(com, velocity, self.omega, self.heading), flight_s)

    def _taken(self) -> np.ndarray | float:
        """How much (nv,) of what the pose is off that is taken over is what was wanted."""
        return 1.0

    def _find(self, loads: dict[str, float]) -> dict[str, FoundFoot]:
        """Where the feet are of a body that is taken over; it is to face as it does, and to stand as it does."""
        self.heading = facing(self.state)
        found = found_feet(self.state, self.terrain, self.heading, loads)
        self.stance = stance_found(self.stance, self.stand, found, self.state)
        return found

    def _settle(self) -> None:
        """The pose at rest and the height of its centre of mass."""
        feet, rest = self._feet_poses(0.0, (0.0,))[0], self.rest()
        self._follow_ground(rest)
        straight = self.leg_m + self.feet["L"].geometry.ankle_height_m - float(self.poses.root_m[2])
        level, above, high = self.terrain.level_m, max(ABOVE_LEGS * self.leg_m, straight), 0.0
        for _ in range(3):
            self.poses.settle((rest.real, rest.imag, (high or above) + level), self.heading, feet)
            hips = self.poses.hips((rest.real, rest.imag, above + level), self.heading, 0j)
            high = above - self.poses.shortfall(hips, feet, self.feet.standing, self.settings.straight)
        self.height_m = self.stepping.height_m = high
        self.omega = math.sqrt(self.gravity_m_s2 / high)

    def _follow_ground(self, com: complex) -> None:
        self.terrain.follow(com, None, self.feet[(self.feet.standing or SIDES)[0]].step, self.feet["L"].step)

    def rest(self) -> complex:
        """Where the centre of mass is to rest over the feet that stand, or over the leg that the weight is taken to."""
        standing = (self.stance.one_leg,) if self.stepping.gathers else self.feet.standing
        return self.stance.rest({side: self.feet[side].step for side in SIDES}, standing)

    def _rate(self, height_m: float) -> float:
        """The pendulum's rate [1/s] at a height."""
        return math.sqrt(self.gravity_m_s2 / height_m)

    def _aim(self, ahead_s: float) -> None:
        """Have the reference pose be the one of so long after now: of who only stands always the same."""

    def _flow(self) -> Flow:
        """How the body moves by itself while nothing pushes it: who only stands does not."""
        return AT_REST

    def _bending(self) -> np.ndarray | float:
        """Acceleration of the reference pose (nv,) while nothing pushes."""
        return 0.0

    def _roll(self, side: str, pitch: float, most: float, dt: float) -> None:
        """Bring a standing foot towards the pitch [rad] that its leg needs, by at most so much."""
        self.feet.roll(side, pitch, most)

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """The pose at rest (nq,), without velocities (nv,)."""
        rest = self.rest()
        feet = self._feet_poses(0.0, (0.0,))[0]
        q = self.poses.build((rest.real, rest.imag, self.height_m + self.terrain.level_m), self.heading, 0j, feet)
        return q, np.zeros(self.state.model.nv)

    def _feet_poses(self, time_s: float, ahead_s: tuple[float, ...]) -> list[FeetPose]:
        return [{side: self.feet.pose(side, time_s, ahead) for side in SIDES} for ahead in ahead_s]

    def update(self, time_s: float, dt: float, loads: dict[str, float]) -> Targets:
        """Plan from the state measured now, `dt` [s] after the last time; `loads` is the share of the weight on each foot."""
        com, velocity = complex(*self.state.com[:2].tolist()), complex(*self.state.com_velocity[:2].tolist())
        self.omega = self._rate(max(self.height_m - self.sinking.lower_m, LEAST_HEIGHT * self.height_m))
        falling = Falling(com, velocity, self.omega, self.heading)
        sways = self.sway.at(time_s / self.slow, len(self.feet.standing) == 2) * cmath.exp(1j * self.heading)
        self.stepping.go(time_s, dt, falling, loads, self.rest() + sways, self._flow().velocity)
        corners = self.feet.corners_of(self.feet.standing or SIDES)
        pressure = self._pressure(dt, falling, corners, sways)
        self._follow_ground(com)
        if dt > 0.0:
            self._turn(dt)
            self._lunge(dt, falling, corners, pressure)
            self._reach(time_s, dt, falling)
        return self._targets(time_s, falling, pressure)

    def _pressure(self, dt: float, falling: Falling, corners: list[complex], sways: complex) -> complex:
        """Where the centre of pressure should be, for a body that sways by so much."""
        rest = self._goal(falling) + sways
        wish = rest + (1.0 + self.settings.pressure_gain) * (falling.capture - rest)
        return nearest(wish + self._insisted(dt, falling) + self._flow().pressure, corners)[0]

    def _insisted(self, dt: float, falling: Falling) -> complex:
        """How much farther the pressure goes the longer the weight stays short of the foot that it is to go to: what a leg that
        holds it back takes of the planned pressure is not known."""
        stepping, most = self.stepping, INSIST_M * self.leg_m / LEG_M
        if self.stand.plain or not (stepping.shifts or stepping.gathers):
            self._insists = 0j
        elif stepping.calm:
            self._insists += dt * INSIST_RATE / self.slow * (falling.capture - self._goal(falling))
            self._insists *= min(1.0, most / max(abs(self._insists), 1e-9))
        return self._insists

    def _goal(self, falling: Falling) -> complex:
        """Where the weight is to go: to rest, or to the foot that stays when the other one is about to be set beside it."""
        rest = self.rest()
        if not self.stepping.shifts:
            return rest
        sole = self.stance.sole(self.feet[self.stepping.stays(falling.capture)].step)
        away = rest - sole
        return sole + away * min(SHIFT, SHIFT_M * self.leg_m / LEG_M / max(abs(away), 1e-9))

    def _turn(self, dt: float) -> None:
        """The pelvis turns with feet that cross, so that the legs pass one another."""
        places = {side: self.feet[side].step.place if (swing := self.feet[side].swing) is None else swing.target.place
                  for side in SIDES}
        apart = (places["L"] - places["R"]) * cmath.exp(-1j * self.heading)
        wanted = 0.0
        if apart.imag < 0.5 * self.stance.apart_m:
            wanted = min(max(cmath.phase(apart / self.stance.apart), -MOST_TURN_RAD), MOST_TURN_RAD)
        rate = TURN_RATE / self.slow
        self.turn_rate += dt * rate * (rate * (wanted - self.turned) - 2.0 * self.turn_rate)
        self.turned += dt * self.turn_rate

    def _lunge(self, dt: float, falling: Falling, corners: list[complex], pressure: complex) -> None:
        edge, outside = nearest(falling.capture, corners)
        steps = self.stepping
        may = self.stand.hips and len(self.feet.standing) == 2 and (outside < self.settings.outside_m or not steps.may_step)
        self.trunk.go(dt, Threat(edge, outside, falling.capture, self.omega, self.heading), may, -nearest(pressure, corners)[1])
        self.trunk.fly(dt, abs(falling.capture - self.rest()))
        if self.trunk.lunging and steps.strategy == "ankles":
            steps.strategy = "hips"

    def _reach(self, time_s: float, dt: float, falling: Falling) -> None:
        """Sink for the landing that comes, raise the heel of a leg that is too short, and come up again."""
        high, turned = self.height_m + self.terrain.level_m, self.heading + self.turned
        hips = self.poses.hips((falling.com.real, falling.com.imag, high - self.sinking.lower_m), turned,
                               self.trunk.lean * self.trunk.way)
        _, outside = nearest(falling.capture, self.feet.corners_of(self.feet.standing or SIDES))
        braced = self.stepping.may_step and outside > self.settings.outside_m
        to = self._goal(falling) if self.stepping.shifts or self.stepping.gathers else None
        self.sinking.go(Now(time_s, self.feet, falling, high, turned, self.slow), dt, self.stepping.calm, braced,
                        None if self.stand.plain else to)
        for side in self.feet.standing:
            foot = self.feet[side]
            pitch = self.feet.needed_pitch(side, hips[side], STRETCH * (self.poses.thigh_m + self.poses.shank_m),
                                           behind(falling, foot.step.place, foot.step.yaw))
            rate = HEEL_RATE if abs(pitch) > abs(foot.pitch) else HEEL_BACK_RATE
            self._roll(side, pitch, rate / self.slow * dt, dt)

    def _targets(self, time_s: float, falling: Falling, pressure: complex) -> Targets:
        com, velocity, trunk, model = falling.com, falling.velocity, self.trunk, self.state.model
        feet = self._feet_poses(time_s, (-POSE_STEP_S, 0.0, POSE_STEP_S))
        active, expected = self.feet.contacts()
        wanted = foot_targets(0.0, feet, POSE_STEP_S, {side: side in self.feet.standing for side in SIDES},
                              TURN_LIMIT_RAD_S2 / self.slow**2)
        away = falling.capture - self.rest()
        fall = away * cmath.exp(-1j * self.heading) / max(abs(away), 1e-6)
        flow = self._flow()
        off = self._fading.high(time_s)
        level = self.height_m - self.sinking.lower_m + self.terrain.level_m + off[0]
        rate = self.terrain.rate(velocity) - self.sinking.rate + flow.rising + off[1]

        def pose(ahead_s: float, bent: float, feet: FeetPose) -> np.ndarray:
            self._aim(ahead_s)
            place = com + ahead_s * velocity
            lean = (trunk.lean + ahead_s * trunk.rate + bent) * trunk.way
            return self.poses.build((place.real, place.imag, level + ahead_s * rate),
                                    self.heading + self.turned + ahead_s * self.turn_rate, lean, feet, trunk.arms, fall)

        now, change, second = pose(0.0, 0.0, feet[1]), np.empty(model.nv), np.zeros(model.nv)
        mujoco.mj_differentiatePos(model, change, POSE_STEP_S, now, pose(POSE_STEP_S, 0.0, feet[2]))
        if trunk.acceleration:  # the lunge's own, through the pose that it leads
            mujoco.mj_differentiatePos(model, second, BEND_RAD / trunk.acceleration, now, pose(0.0, BEND_RAD, feet[1]))
        second += self._bending()
        acceleration = self.omega**2 * (com - pressure)
        height = level, rate, self.terrain.second(velocity, acceleration) + flow.bend + off[2]
        return self._fading.led(Targets(
            time_s, pressure + trunk.pivot + flow.pivot, self.omega, height, now, change, second, wanted,
            active, expected, self.heading))
