# SPDX-License-Identifier: GPL-3.0-or-later
"""The walking planner: from the measured state to centre of pressure, footsteps, and the whole reference pose.

Coming steps are as long as the gait's own, but for the first and last of a walk from or to standing; slow corrections lead its
velocity to the speed asked for, and back to the path.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from ....bodies.state import BodyState
from ....gaits.froude import GaitVariables
from ....gaits.path_speeds import Way
from ....specs.shot import EARTH_GRAVITY_M_S2
from ....worlds.paths import Line
from ...legged.capture import Piece, backward, remaining, within
from ...legged.foot_geometry import FootGeometry, Footstep, Terrain
from ...legged.pose import GaitTables
from ...legged.targets import Targets
from ...legged.variation import StepVariation, Variation
from .body import POSE_STEP_S, BodyPlan, Feet, HeightPlan
from .footsteps import (
    OTHER,
    PREVIEW_STEPS,
    SIGN,
    NextLanding,
    Rhythm,
    StepPlanner,
    WalkControls,
    WalkSettings,
    heading_vector,
    slowed,
    step_geometry,
)
from .knee_height import heights
from .path import Course, PeriodicOrbit, Prints, stretch
from .pendulum import STAND_AHEAD, STAND_WIDTH_LEGS, CartPlan, CmpOffset, CmpOrbit, Pendulum
from .tread_swing import Stride, TreadStride, swings_over


class Pace:
    """Shares of the gait's step length: those of the coming steps, then full ones, or none where the walk `halts`."""

    def __init__(self) -> None:
        self._coming: list[float] = []
        self.halts = False

    def begin(self, shares: Sequence[float]) -> None:
        """The next steps, the present one first, are so long; then full ones come."""
        self._coming, self.halts = list(shares), False

    def halt(self, shares: Sequence[float]) -> None:
        """The next steps, the present one first, are the last; a share of 0 sets the foot beside the other."""
        self._coming, self.halts = list(shares), True

    def shares(self, count: int) -> list[float]:
        """Shares of the coming steps, the present one first."""
        return (self._coming + [0.0 if self.halts else 1.0] * count)[:count]

    def step(self) -> None:
        """A foot has struck: the next step begins."""
        del self._coming[:1]

    def coming_to_rest(self) -> bool:
        """Whether the last steps are under way."""
        return self.halts

    @property
    def steady(self) -> bool:
        """Whether all steps are full ones."""
        return not self._coming and not self.halts

    @property
    def last(self) -> bool:
        """Whether the present step is the last."""
        return self.halts and len(self._coming) == 1

    @property
    def done(self) -> bool:
        """Whether the last step has been made."""
        return self.halts and not self._coming


class Steering:
    """The velocity asked of the steps. `speed_bias` and `side_bias` [m/s] are what was learnt at the strikes so far."""

    def __init__(self, settings: WalkSettings) -> None:
        self._settings = settings
        self.speed_bias = self.side_bias = 0.0
        self._strikes: dict[str, tuple[float, float, float]] = {}

    def desired(self, speed_m_s: float, cross_track_m: float, time_scale: float) -> complex:
        """Wanted mean velocity [m/s], forward + i left, of a walk `cross_track_m` to the left of its path. `time_scale` is
        sqrt(g) over Earth's."""
        return complex(speed_m_s + self.speed_bias, self._sideways(speed_m_s, cross_track_m, time_scale) + self.side_bias)

    def _sideways(self, speed_m_s: float, cross_track_m: float, time_scale: float) -> float:
        """Velocity to the left that leads back to the path."""
        limit = self._settings.lateral_limit * speed_m_s
        return min(max(-self._settings.lateral_gain * time_scale * cross_track_m, -limit), limit)

    def strike(self, side: str, time_s: float, s: float, speed_m_s: float, cross_track_m: float, time_scale: float) -> None:
        """A foot strikes at a length s of the path: ask for more or less speed by a fraction of what the stride since its last
        one lacked, and keep a fraction of what leads back to the path."""
        settings = self._settings
        if side in self._strikes:
            before_s, before, asked_m_s = self._strikes[side]
            limit, lack = settings.speed_limit * speed_m_s, 0.5 * (asked_m_s + speed_m_s) - (s - before) / (time_s - before_s)
            self.speed_bias = min(max(self.speed_bias + settings.speed_fraction * lack, -limit), limit)
        self._strikes[side] = (time_s, s, speed_m_s)
        limit = settings.lateral_limit * speed_m_s
        kept = self.side_bias + settings.lateral_fraction * self._sideways(speed_m_s, cross_track_m, time_scale)
        self.side_bias = min(max(kept, -limit), limit)

    def change(self, ratio: float) -> None:
        """The speed asked for has changed by a ratio: what was learnt goes with it."""
        self.speed_bias *= ratio
        self.side_bias *= ratio

    def forget(self) -> None:
        """The strides that follow are not those of the speed asked for."""
        self._strikes.clear()


MOST_LEFT = 1.3
"""Most that the rear foot may carry there, over what the centre of pressure that is wanted asks of it."""
SETTLED = 0.65
"""Share of the swing from which on a foot keeps to its place on a tread: it could not follow, and would come down beside it."""
START_REDUCTION_LEGS = 0.005
"""A body whose legs, over their length, lack more than this at the start's height starts lower; the first step mends less."""


REFIT = 0.01
"""Change of the steps' length from which on the rise and fall of the body is fitted again."""
LOOK_AHEAD_S, MOST_LOOK = 0.9, math.radians(30.0)
"""How long before the body the head faces where the path will lead, and the farthest that it turns (people at the onset of a
turn: 20 to 30 degrees, 0.7 to 1 s before; Hollands et al. 2001, Grasso et al. 1998)."""


class WalkPlanner:
    """Plans a walk of one body under one gravity.

    `start` gives the first state; then `update` is called every plan interval with the state as measured. `footsteps` lists
    (time, Footstep) of the feet that struck. The walk follows a path (`course`): the COM goes along it, each foot faces as it
    runs where the foot lands, the body leans into its turns.
    """

    def __init__(self, state: BodyState, tables: GaitTables, wish: GaitVariables, gravity_m_s2: float, way: Way | None = None,
                 controls: WalkControls | None = None) -> None:
        """`wish` is the gait on a straight of the `way`, by default one straight along x."""
        way, controls = way or Way(Line()), controls or WalkControls()
        self.state, self.tables, self._scaling, self.settings = state, tables, controls.scaling, controls.walk
        body, self.width = state.body, tables.width_m
        gait = way.first(wish, gravity_m_s2)
        self.course = Course(way.path, gait.speed_m_s, 0.5 * gait.stride_length_m, way.print_lengths(wish, gravity_m_s2))
        self.rhythm = Rhythm(tables, gait.stride_frequency_hz, controls.steps.double_support_timing, self.settings.upright)
        geometry = FootGeometry(body, "L")
        shifts = tables.displacement.cop_shifts(self.rhythm.stance_times("L"), gait.stride_frequency_hz)
        self.steps = StepPlanner(controls.steps, body.leg_length_m, *geometry.rolls, shifts)
        self.height = HeightPlan(tables, self.rhythm, gravity_m_s2, self.settings)
        self.terrain = Terrain(state.ground, geometry, body.leg_length_m)
        self.body = BodyPlan(state.model, tables, self.rhythm, self.course, self.terrain, self.height, self.settings)
        self.pace, self.steering = Pace(), Steering(self.settings)
        self._looks_ahead = controls.looks_ahead
        varied = controls.variation if state.ground.plane else Variation()  # where edges say where feet go, steps are even
        self.variation = StepVariation(varied, body.leg_length_m, gravity_m_s2)
        self.body.poses.vary(controls.variation)
        self.cart = CartPlan(self._pendulum(gravity_m_s2), self.settings.interval_s, 0.5 / gait.stride_frequency_hz,
                             PREVIEW_STEPS + 1, complex(gait.speed_m_s))
        self._fitted_m: float | None = None
        self._trodden: tuple[float, np.ndarray] | None = None
        self.change(gait, gravity_m_s2)
        first = {side: self.footstep_beside(side, s) for side, s in (("L", 0.0), ("R", -0.5 * gait.stride_length_m))}
        self.feet = Feet(state, tables, self.rhythm, self.settings, self._amplitude, first, self.terrain)
        self._fit_height()
        self._swing_over_treads()
        self.height.reduction_m = 0.0
        self._hip_m = abs(float(body.segment("thigh_L").offset[1]))
        self.stand_width_m = max(self.width, STAND_WIDTH_LEGS * body.leg_length_m)
        self.stand_ahead_m = STAND_AHEAD * geometry.ball_x
        self.prints = Prints(self.course, self.width, self.omega, body.leg_length_m, way.footprints, tables.hip_room_m)
        self.footsteps: list[tuple[float, Footstep]] = []
        self.feet_heading = self._touch_down_heading = self.course.heading

    def change(self, gait: GaitVariables, gravity_m_s2: float) -> None:
        """Take over gait variables and gravity: at the start, and whenever they change while walking."""
        self.gait, self.gravity, step = gait, gravity_m_s2, 0.5 * gait.stride_length_m
        self.steering.change(gait.speed_m_s / self.course.speed)
        self.time_scale = math.sqrt(gravity_m_s2 / EARTH_GRAVITY_M_S2)
        self.omega = math.sqrt(gravity_m_s2 / self.tables.com_height_mean_m)
        self.rhythm.frequency = gait.stride_frequency_hz
        self.course.speed, self.course.step_length = gait.speed_m_s, step
        self.orbit = PeriodicOrbit(self.steps, self.rhythm, step, self.width, self.omega)
        self.height.under(gravity_m_s2)
        self.body.gravity = gravity_m_s2
        self.cart.change(self._pendulum(gravity_m_s2), 0.5 / gait.stride_frequency_hz)
        ratio = gait.stride_length_m / self.tables.stride_m
        self.cmp_orbit = CmpOrbit(ratio * self.tables.angular_momentum_rate, gait.stride_frequency_hz, gravity_m_s2, self.omega)
        self.body.poses.swing_scale, self._amplitude = min(max(ratio, 0.4), 1.3), min(max(ratio, 0.3), 1.15)

        if self._fitted_m is not None and abs(step / self._fitted_m - 1.0) > REFIT:
            self._fit_height()
        if self._trodden is not None:
            self._swing_over_treads()

    def _fit_height(self) -> None:
        """Let the COM of an upright walk rise and fall as people's knees have it over steps of this length."""
        if self.settings.upright:
            self._fitted_m = self.course.step_length
            paths = {side: self.feet[side].path for side in ("L", "R")}
            self.height.by_knees(heights(self.tables, self.orbit, self.cmp_orbit, paths), self.gravity)

    def _swing_over_treads(self) -> None:
        """Let the pendulum know how the limbs swing over treads, where all steps go over them alike."""
        gait, step = self.gait, self.course.step_length
        stride = Stride(step, self.width, gait.stride_frequency_hz, self.gravity, self.course.path.heading(0.0), self._pressed)
        if not swings_over(self.terrain.ground, stride):
            return
        if self._trodden is None or abs(step / self._trodden[0] - 1.0) > REFIT:
            paths = {side: self.feet[side].path for side in ("L", "R")}
            terrain = Terrain(self.state.ground, paths["L"].geometry, self.state.body.leg_length_m)
            posed = TreadStride(self.body, paths, terrain, self.orbit, self.rhythm, stride)
            self._trodden = step, posed.momentum_rate(self.state.model, self.omega)
        self.cmp_orbit = CmpOrbit(self._trodden[1], gait.stride_frequency_hz, self.gravity, self.omega)

    def _pendulum(self, gravity_m_s2: float) -> Pendulum:
        return Pendulum(gravity_m_s2, self.tables.com_height_mean_m, self.state.body.mass_kg, self._scaling)

    def show_amplitude(self, amplitude: float) -> None:
        """How much of the gait's own motion the body and the feet show: 1 in full steps, 0 standing."""
        self.body.show(amplitude)
        for side in ("L", "R"):
            self.feet[side].path.amplitude = amplitude * self._amplitude

    def footstep_beside(self, side: str, s: float, width_m: float | None = None) -> Footstep:
        """A footstep beside the path at a length: as the steady walk has it, or of a body that stands that wide."""
        omega = self.omega if width_m is None else math.inf
        place, heading = self.course.footprint(s, SIGN[side], width_m or self.width, omega)
        return self.terrain.footstep(Footstep(side, place, heading + self.tables.foot_yaw[side]))

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (nq,) and velocities (nv,) of a body already walking along the path, a quarter into a left single
        support, its COM on the periodic orbit, so that the first step is like any other."""
        double, whole = self.rhythm.fractions("L")
        self.rhythm.local = double + 0.25 * (whole - double)
        right = self.feet["R"]
        right.swinging, right.landed = True, False
        right.lift = right.path.standing(right.step, [right.path.phases.toe_off], self.feet_heading)[0]
        right.lift.yaw = right.step.yaw
        landing, nominal, pieces = self.plan_step(complex(self.gait.speed_m_s))
        com = self.feet["L"].step.place + self.course.forward * self.orbit.now(self.course.turn)[0]
        swing = self._swing()
        self.course.follow(com, 0.0)
        self.feet.target = self.step_at(nominal)
        self._follow_ground(com)
        feet = self.feet.poses(self.feet_heading, (0.0, POSE_STEP_S))
        velocity = self.omega * (backward(landing, pieces, self.omega) - com) + swing.velocity
        reduction = self.body.needed_height_reduction(com + swing.com, feet[0])
        if reduction > START_REDUCTION_LEGS * self.state.body.leg_length_m:
            self.height.reduction_m = reduction
        return self.body.pose_pair(com + swing.com, velocity, feet, self.feet_heading)

    def update(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        """Plan from the state measured now. `loaded` tells which feet carry weight; `dt` [s] is the time since the last call,
        0 for the first."""
        com, velocity = complex(*self.state.com[:2].tolist()), complex(*self.state.com_velocity[:2].tolist())
        self.course.follow(com, dt)
        if dt > 0.0:
            self._advance(dt, loaded, time_s)
        desired, forward = self.desired_velocity(), self.course.forward
        if not self.pace.steady:
            self.cart.begin(complex(self.gait.speed_m_s))
        elif dt > 0.0:
            sway = (velocity - self._swing().velocity) / forward - self.orbit.now(self.course.turn)[1]
            self.cart.update(com / forward, self.gait.speed_m_s + sway, desired)
        targets = self.targets(time_s, dt, com, velocity, self._plan_touch_down(com, velocity, desired, dt))
        targets.unloading = self._unloading(targets.height[2], targets.cmp)
        return targets

    def targets(self, time_s: float, dt: float, com: complex, velocity: complex, cop: complex) -> Targets:
        """What the tracker should do: the feet on their ways, the COM over a centre of pressure, the pose with both."""
        if self.body.poses.carriage is not None:
            self.body.poses.carriage.time_s = time_s
        if self._looks_ahead:
            self.body.poses.look_rad = self._look()
        self._follow_ground(com)
        before, now, after = self.feet.poses(self.feet_heading, (-POSE_STEP_S, 0.0, POSE_STEP_S))
        if dt > 0.0:
            self.height.follow(self.body.needed_height_reduction(com, now), dt, self._landing_reduction())
        pose, pose_velocity = self.body.pose_pair(com, velocity, (now, after), self.feet_heading)
        active, expected = self.feet.contact_points()
        if expected.any():  # what the feet cannot give the swing leg's inertia would make up for, kicked off its path
            cop = within(cop, self.state.contact_point_m[expected], self.course.forward)
        cop += self._swing().cmp
        feet = self.feet.wanted(self.feet_heading, before, now, after, POSE_STEP_S, active)
        height = self.body.over_ground(velocity, self.omega**2 * (com - cop))
        return Targets(time_s, cop, self.omega, height, pose, pose_velocity, np.zeros_like(pose_velocity), feet,
                       active, expected, self.course.heading)

    def _unloading(self, rising: float, cop: complex) -> tuple[np.ndarray, float] | None:
        """The foot that is about to leave and the most that it may push [N] under a vertical acceleration of the COM: twice what
        is left of the weight there as the centre of pressure goes over to the other; of once as much the other's heel slides.
        Unbounded, its toes held 0.4 of the weight until they lifted; then the other foot rolled on its edge, and the body
        gathered speed (docs/notes/proportions.md)."""
        rhythm, side = self.rhythm, OTHER[self.rhythm.stance]
        if self.feet[side].swinging:
            return None
        left = 2.0 * max(1.0 - rhythm.since_strike / rhythm.fractions(rhythm.stance)[0], 0.0)
        if not self.terrain.ground.plane:  # a foot on an edge has nowhere else to hold a body that lags
            rear, front = (self._pressed(self.feet[foot].step) for foot in (side, rhythm.stance))
            left = max(left, MOST_LEFT * min(((front - cop) / (front - rear)).real, 1.0) if front != rear else 0.0)
        return self.feet.points_of[side], left * self.state.body.mass_kg * (self.gravity + rising)

    def due(self, loaded: dict[str, bool]) -> bool:
        """See `Planner.due`: a walk's plan can always wait for its interval."""
        return False

    def _advance(self, dt: float, loaded: dict[str, bool], time_s: float) -> None:
        """Move the clock; lift the rear foot at the end of double support; change feet at the strike.

        A foot that comes down early stands where it is while the clock runs on; one that is late is lowered while the clock
        waits for it.
        """
        rhythm, side = self.rhythm, OTHER[self.rhythm.stance]
        double, whole = rhythm.fractions(rhythm.stance)
        local = rhythm.since_strike
        ahead, foot = local + rhythm.rate * dt, self.feet[side]
        if not foot.swinging and double <= ahead < whole:
            self.feet_heading = self.course.path.heading(self.course.stance_s)
            self.feet.lift(side, self.feet_heading)
        down = (loaded[side] and self.feet.arrived(side, self.feet_heading)) or (ahead >= whole and self.feet.touches(side))
        if foot.swinging and not foot.landed and down and (local - double) / (whole - double) > self.settings.early_touch_down:
            self.feet.land(side, self.feet_heading)
        if ahead < whole:
            rhythm.local = ahead
        elif foot.swinging and not foot.landed:
            rhythm.local = whole - 1e-6
            foot.lowering_m_s = self.settings.lowering_m_s * self.time_scale
            foot.lowered_m += dt * foot.lowering_m_s
            self.feet[rhythm.stance].overrun += dt * rhythm.rate
        else:
            rhythm.change_feet()
            rhythm.local = 0.0 if foot.lowered_m > 0.0 else ahead - whole
            foot.swinging, foot.landed = False, True
            self.course.stand(foot.step.place)
            self.footsteps.append((time_s, foot.step))
            self.pace.step()
            rhythm.slowness = self._slowness(len(self.footsteps), SIGN[side])[0]
            if self.pace.steady and not self.prints.guides(len(self.footsteps)):
                self.steering.strike(side, time_s, self.course.s, self.gait.speed_m_s, self._cross_track(), self.time_scale)
            else:
                self.steering.forget()

    def _look(self) -> float:
        """How far the head turns to the left [rad]: to where the path leads soon, as far as the body walks."""
        course = self.course
        there = course.path.heading(course.s + LOOK_AHEAD_S * course.speed)
        return self.body.amplitude * min(max(there - course.heading, -MOST_LOOK), MOST_LOOK)

    def _swing(self) -> CmpOffset:
        """What the swing of the limbs adds to the pendulum now; of steps that vary the one to come tells more and more."""
        rhythm, side = self.rhythm, SIGN[self.rhythm.stance]
        slowness = rhythm.slowness
        coming = self._slowness(len(self.footsteps) + 1, -side)[0]
        if slowness != 1.0 or coming != 1.0:
            slowness += min(rhythm.local / rhythm.fractions(rhythm.stance)[1], 1.0) * (coming - slowness)
        return self.cmp_orbit.at(rhythm.phase, self.body.amplitude**2 * self.course.forward, slowness)

    def _cross_track(self) -> float:
        """How far [m] the COM is to the left of the path."""
        return self.course.cross_track(complex(*self.state.com[:2]))

    def desired_velocity(self) -> complex:
        """Wanted mean velocity, forward + i left [m/s]: the gait's, back to the path, and slow corrections of both."""
        return self.steering.desired(self.gait.speed_m_s, self._cross_track(), self.time_scale)

    def plan_step(self, desired: complex) -> tuple[complex, complex, list[Piece]]:
        """The capture point wanted at this step's end, the nominal next place, and the pieces left of this step."""
        stance = self.rhythm.stance
        foot, rear, side = self.feet[stance].step, self.feet[OTHER[stance]].step, SIGN[stance]
        number = len(self.footsteps)
        travel = self._travel(desired)
        if self.pace.steady:
            own, _ = self.course.footprint(self.course.stance_s, side, self.width, self.omega)
            travel = self.variation.varied(travel, number, side, ((foot.place - own) / self.course.forward).imag)
        headings = self.course.headings(travel)
        turns, wide = [h - headings[0] for h in headings[1:]], stretch(self.body.amplitude * self.course.turn_rate, self.omega)
        width = self.stand_width_m if self.pace.last else self.width
        ahead = step_geometry([wide * distance for distance in travel], side, width, turns)
        ahead = self.prints.guided(ahead, foot.place, heading_vector(headings[0]), number)
        self._touch_down_heading = self.prints.heading(number + 1, headings[1])
        times = slowed(self.rhythm.stance_times(stance), self.rhythm.slowness)
        facing, rear_facing = self._facing(foot), self._facing(rear)
        target = self.step_at(foot.place + heading_vector(headings[0]) * ahead.displacements[0], best=True)
        nominal = target.place
        end = self.steps.cop_places(foot.place, side, facing, foot.support)[-1]
        then = ahead.after_first()._replace(support=target.support)
        landing = self.steps.touch_down_capture(
            end, nominal, then, heading_vector(self._touch_down_heading), self.omega,
            self.rhythm.stance_times(OTHER[stance]), self._slowness(number + 1, -side))
        if self.pace.last:
            landing = 0.5 * (foot.place + nominal) + self.stand_ahead_m * heading_vector(headings[1])
        previous = self.steps.cop_places(rear.place, -side, rear_facing, rear.support)[-1]
        pieces = self.steps.pieces(previous, foot.place, side, facing, times, foot.support)
        return landing, nominal, remaining(pieces, self.rhythm.elapsed_s)

    def _slowness(self, number: int, side: int) -> list[float]:
        """Durations over the gait's of the steps from a footprint of that number, on that side, on."""
        if not self.pace.steady:
            return [1.0] * PREVIEW_STEPS
        return [self.variation.time(number + i, side * (-1) ** i) for i in range(1, PREVIEW_STEPS + 1)]

    def _travel(self, desired: complex) -> list[complex]:
        """How far the coming steps go, forward + i left [m]."""
        stride, shares = desired * self.cart.step_s, self.pace.shares(PREVIEW_STEPS + 1)
        if not self.pace.steady:
            return [complex(share * stride.real, stride.imag) for share in shares]
        later = self.cart.displacements(desired)[1:]
        return [stride, *(stride + self.settings.cart_fraction * (distance - stride) for distance in later)]

    def standing_point(self) -> complex:
        """Place over which the COM rests when both feet stand: between their middles."""
        return 0.5 * sum(f.place + self.stand_ahead_m * self._facing(f) for f in (self.feet[s].step for s in ("L", "R")))

    def _facing(self, step: Footstep) -> complex:
        """Unit vector along which a footstep goes, its toes' turning out taken off."""
        return heading_vector(step.yaw - self.tables.foot_yaw[step.side])

    def _plan_touch_down(self, com: complex, velocity: complex, desired: complex, dt: float) -> complex:
        """Choose the next footstep's place and the phase rate; returns the centre of pressure wanted now."""
        landing, nominal, pieces = self.plan_step(desired)
        capture = com + velocity / self.omega - self._swing().capture
        wanted = backward(landing, self.steps.retimed(pieces, self.rhythm.rate_factor), self.omega)
        stance = self.rhythm.stance
        facing = self._facing(self.feet[stance].step)
        shift = self.steps.cop_shift(capture - wanted, facing, SIGN[stance], self.feet[stance].step.support)
        other = self.feet[OTHER[stance]]
        if not (other.swinging and other.landed):
            shifted = [Piece(p.start + shift, p.end + shift, p.duration_s) for p in pieces]
            place, rate_factor = self.steps.place(capture, shifted, self.omega, NextLanding(
                landing, nominal, self.feet[stance].step.place, -SIGN[stance], facing,
                com - self.course.forward * 1j * SIGN[stance] * self._hip_m, velocity,
                slowed(self.rhythm.stance_times(OTHER[stance]), self._slowness(len(self.footsteps) + 1, -SIGN[stance])[0]).double,
                self._fastest(), self.prints.leeway_m(len(self.footsteps) + 1),
                None if self.terrain.ground.plane else self._on_tread_of(nominal)))
            self.feet.target = self.step_at(place)
            change = self.settings.timing_rate * dt * self.rhythm.frequency
            self.rhythm.rate_factor += min(max(rate_factor - self.rhythm.rate_factor, -change), change)
        return pieces[0].start + shift

    def _on_tread_of(self, nominal: complex) -> Callable[[complex], complex]:
        """What moves a place onto the tread of a nominal one, and late in the swing to where the foot is led already."""
        double, whole = self.rhythm.fractions(self.rhythm.stance)
        if self.rhythm.local > double + SETTLED * (whole - double):
            settled = self.feet.target.place
            return lambda place: settled
        yaw = self._touch_down_heading + self.tables.foot_yaw[OTHER[self.rhythm.stance]]
        return lambda place: self.terrain.laid(place, yaw, nominal)

    def _fastest(self) -> float:
        """Largest factor on the phase rate for this step: its swing takes the least time."""
        times, s = slowed(self.rhythm.stance_times(self.rhythm.stance), self.rhythm.slowness), self.steps.settings
        shortest = s.shortest_swing_s * self.time_scale ** (-2.0 * s.swing_exponent)
        return max((times.flat + times.raised) / shortest, 1.0)

    def step_at(self, place: complex, best: bool = False) -> Footstep:
        """A footstep of the swing foot at a place, turned as the cycle's foot is, or in the `best` place of the tread there."""
        side = OTHER[self.rhythm.stance]
        step = Footstep(side, place, self._touch_down_heading + self.tables.foot_yaw[side])
        return self.terrain.footstep(step, self.feet.target if self.feet[side].swinging else None, best)

    def _follow_ground(self, com: complex) -> None:
        """Tell the terrain where the COM and the footsteps of this step are."""
        other, stance = self.feet[OTHER[self.rhythm.stance]], self.feet[self.rhythm.stance].step
        if other.swinging and other.landed:
            self.terrain.follow(com, None, stance, other.step, self._pressed)
        else:
            self.terrain.follow(com, other.step, stance, self.feet.target, self._pressed)

    def _landing_reduction(self) -> float:
        """How much lower the COM must be for the legs to reach from the standing foot to the next landing, where these are not
        level."""
        stance = self.rhythm.stance
        foot, other = self.feet[stance], self.feet[OTHER[stance]]
        if self.terrain.ground.plane or (other.swinging and other.landed):
            return 0.0 if self.terrain.ground.plane else self.height.reduction_m
        whole = self.rhythm.fractions(stance)[1]
        feet = {stance: foot.path.standing(foot.step, [whole], self.feet_heading)[0],
                OTHER[stance]: other.path.landing(self.feet.target, self.feet_heading)}
        com = 0.5 * (self._pressed(foot.step) + self._pressed(self.feet.target))
        return self.body.landing_reduction(foot.step, self.feet.target, feet, com,
                                           self.tables.phases[OTHER[stance]].strike)

    def _pressed(self, step: Footstep) -> complex:
        """The middle of the centre of pressure's way under a foot."""
        begin, _, end = self.steps.cop_places(step.place, SIGN[step.side], self._facing(step), step.support)
        return 0.5 * (begin + end)
