# SPDX-License-Identifier: GPL-3.0-or-later
"""The running planner: run, lope, skip and hop from the measured state to forces, footholds, and the reference pose. Heights
are planned over a level, which on a plane is the plane itself under the COM; elsewhere it is the height of the foothold that
the body stands on or comes down to. In flight nothing changes with it: the horizontal velocity is constant, so the height over
a plane falls as the height itself does. On the ground see `Terrain`. Going on from a body as it is, running step, fraction and
footholds are read off its state."""

from __future__ import annotations

import cmath
import copy
import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from ....bodies.state import BodyState
from ....gaits.froude import RunningVariables, froude_speed, predict_running
from ....specs.shot import EARTH_GRAVITY_M_S2
from ....worlds.paths import Line, Path
from ...legged.foot_geometry import FootGeometry, FootPose, Footstep, Terrain
from ...legged.foot_path import swing_start
from ...legged.pose import GaitTables
from ...legged.targets import SIDES, Targets
from ...legged.variation import StepVariation, Variation
from ..walk.footsteps import SIGN
from .body import FORESEEN, STEP_S, AngularMomentumPlan, RunningBody, swing_scale
from .contact_schedule import ContactClock, RunningSettings, contact_schedule, ground_fraction
from .feet import RunningFeet, foot_amplitude
from .footholds import fit_orbit
from .heights import Motion, fall_time
from .landing import GOES_ON, HipReach


class PathFrame:
    """A frame that goes along a path with the body: along the path's tangent, from its start, + i left of it. `arc_length`
    [m] is the path's where the body is, `heading` [rad] its tangent's there."""

    def __init__(self, path: Path) -> None:
        self.path, self.arc_length = path, 0.0
        self.heading, self._origin = path.heading(0.0), path.point(0.0)

    @property
    def direction(self) -> complex:
        """Unit vector of the heading."""
        return cmath.exp(1j * self.heading)

    def follow(self, com: complex) -> None:
        """Take the path's point nearest to the COM for the frame's origin."""
        self.arc_length = self.path.locate(com, self.arc_length)
        self.heading, self._origin = self.path.heading(self.arc_length), self.path.point(self.arc_length)

    def local(self, place: complex) -> complex:
        """A place of the world in the frame."""
        return (place - self._origin) / self.direction + self.arc_length

    def world(self, local: complex) -> complex:
        """The inverse of `local`."""
        return self._origin + (local - self.arc_length) * self.direction


class SpeedBias:
    """What was learnt at the strikes of the speed to ask for: `bias` [m/s] is asked for beyond the gait's."""

    def __init__(self, settings: RunningSettings) -> None:
        self._settings, self.bias = settings, 0.0
        self._strikes: dict[str, tuple[float, float]] = {}

    def strike(self, side: str, time_s: float, arc_length_m: float, wish: float) -> None:
        """At a strike: ask for more or less by a fraction of what the stride since this foot's last strike lacked."""
        if side in self._strikes:
            before_s, before = self._strikes[side]
            speed = (arc_length_m - before) / (time_s - before_s)
            limit = self._settings.speed_limit * wish
            self.bias = min(max(self.bias + self._settings.speed_fraction * (wish - speed), -limit), limit)
        self._strikes[side] = (time_s, arc_length_m)

    def change(self, ratio: float) -> None:
        """The speed wished for has changed by a ratio: the stride since the last strike was meant to be faster or slower."""
        self.bias *= ratio
        self._strikes.clear()


class RunningTerrain(Terrain):
    """The ground as one running body uses it. After `over`, `level_m`, `rate` and `second` hold."""

    def over(self, com: complex, step: Footstep) -> None:
        """Take over where the COM is, and the footstep that the body stands on or comes down to."""
        if self.ground.level:
            return
        if self.ground.plane:
            self.follow(com, None, step, step)
        else:
            self.level_m = step.support.height_m


LOWERING, LATE_S = 0.5, 0.04
"""Speed at which a late foot is lowered at least in the end [m/s], and the time in which it becomes that fast [s]; on Earth."""
STEADIER = 0.5
"""Share of a walk's variation that the steps of a running body have: stride times of runners vary by 1 to 1.5 %, of walkers by 2
to 3 %. With all of it runs on Earth fell."""
ENTRY_FRACTIONS = (0.0, 0.1, 0.2, 0.3, 0.4)
"""Fractions of a ground phase at which a walk may become a run."""


class RunningPlanner:
    """Plans a gait with flight of one body along a path, over any ground.

    `start` gives the first state; then `update` is called every plan interval with the state as measured. `footsteps` lists
    (time, Footstep) of the feet that struck. One that `brakes` plans for the speed it has, and asks for less."""

    def __init__(
        self, state: BodyState, tables: GaitTables, gait: RunningVariables, gravity_m_s2: float,
        settings: RunningSettings | None = None, path: Path | None = None, variation: Variation | None = None,
    ) -> None:
        self.state, self.tables, self.gait, self.gravity, self.wish = state, tables, gait, gravity_m_s2, gait
        self.settings, self.frame = settings or RunningSettings(), PathFrame(path or Line())
        self.pace = SpeedBias(self.settings)
        body = state.body
        self._time_scale = math.sqrt(gravity_m_s2 / EARTH_GRAVITY_M_S2)
        self.clock = ContactClock(contact_schedule(tables.phases), gait.stride_frequency_hz, gait.ground_fraction,
                                 self.settings.lag_rate * self._time_scale)
        stride_ratio = gait.stride_length_m / tables.stride_m
        self.body = RunningBody(state, tables, self.clock, self.settings, stride_ratio, self._time_scale)
        own = variation or Variation()
        self.variation = StepVariation(replace(own, size=STEADIER * own.size), body.leg_length_m)
        if variation is not None:
            self.body.poses.vary(variation, 0.0)
        self.terrain = RunningTerrain(state.ground, FootGeometry(body, "L"), body.leg_length_m)
        self.terrain.over(self.frame.world(0j), Footstep("L", 0j, 0.0))
        self._fit_orbit()
        self._changed, self.brakes, self._slower_m_s = False, False, 0.0
        steps, targets = ({side: self.footstep(side, self.frame.world(pair[i]))
                           for side, pair in self.footholds.starting_places().items()} for i in (0, 1))
        self.feet = RunningFeet(state, tables, self.settings, foot_amplitude(stride_ratio), steps, targets, self.terrain)
        self.angular_momentum = AngularMomentumPlan(state.model, self.settings, self.clock, gravity_m_s2)
        self.footsteps: list[tuple[float, Footstep]] = []
        self.landed: set[str] = set()

    def _fit_orbit(self) -> None:
        """Heights and footholds of the periodic orbit for the present gait variables and gravity."""
        slope, settings = self.terrain.rate(self.frame.direction), self.settings.leaping(self.gait.flight_height)
        self.heights, self.footholds = fit_orbit(self.tables, self.state.body, self.clock, self.gait.speed_m_s, self.gravity,
                                                 settings, slope)
        self.body.hips = HipReach(self.state, settings) if self.state.whole else None

    def change(self, gait: RunningVariables, gravity_m_s2: float) -> None:
        """See `Planner.change`. Gravity is taken over at once, the gait's variables at the next take-off: what is under way
        on the ground is finished as planned."""
        self.angular_momentum.under(gravity_m_s2 / self.gravity)
        self.wish, self.gravity, self._changed = gait, gravity_m_s2, True
        self.heights.gravity = gravity_m_s2
        self._time_scale = self.body.time_scale = math.sqrt(gravity_m_s2 / EARTH_GRAVITY_M_S2)

    def _renew(self) -> None:
        """At a take-off: take over gait variables that have changed, the speed as far as one running step can change it."""
        if not self._changed:
            return
        speed = (complex(*self.state.com_velocity[:2]) / self.frame.direction).real
        room = self.settings.speed_change * math.sqrt(self.gravity * self.state.body.leg_length_m)
        aim = max(min(max(self.wish.speed_m_s, speed - room), speed + room), self.slowest_m_s())
        self.take_over(max(aim, speed) if self.brakes else aim)  # times for a slower one would outlast the leg's reach
        self._slower_m_s = aim - self.gait.speed_m_s if self.brakes else 0.0

    @property
    def settled(self) -> bool:
        """Whether the present plan is for the gait wished for, not for one on the way to it."""
        return not self._changed

    def slowest_m_s(self) -> float:
        """The slowest speed that running is planned for on the way from or to another."""
        return min(froude_speed(self.settings.least_froude, self.gravity, self.state.body.leg_length_m), self.wish.speed_m_s)

    def gait_at(self, speed_m_s: float) -> RunningVariables:
        """Gait variables at a speed under the present gravity."""
        share, leg = ground_fraction(self.tables.phases), self.state.body.leg_length_m
        return predict_running(self.tables.cycle, share, leg, self.gravity, speed_m_s, flight_height=self.wish.flight_height)

    def take_over(self, speed_m_s: float) -> None:
        """Plan from now on for a speed on the way to the one wished for; only between ground phases."""
        wish, tables, before = self.wish, self.tables, self.gait.speed_m_s
        aim = max(speed_m_s, self.slowest_m_s())
        self._changed = aim != wish.speed_m_s
        self.gait = gait = self.gait_at(aim) if self._changed else wish
        self.pace.change(gait.speed_m_s / before)
        self.clock.retime(gait.stride_frequency_hz, gait.ground_fraction, self.settings.lag_rate * self._time_scale)
        self._fit_orbit()
        stride_ratio = gait.stride_length_m / tables.stride_m
        self.body.swing_scale, self.feet.amplitude = swing_scale(stride_ratio), foot_amplitude(stride_ratio)

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (nq,) and velocities (nv,) of a body at the top of a flight, on the periodic orbit."""
        height = self.heights.apex(self.clock.index)
        fall_s = fall_time(height - self.heights.touch_down_m[self.clock.next_index], 0.0, self.gravity)
        self.clock.begin(fall_s)
        local, velocity = self.footholds.starting_motion(fall_s)
        com, velocity = self.frame.world(local), velocity * self.frame.direction
        self.body.vertical = Motion(height, 0.0, -self.gravity, 0.0)
        self.over_ground(com, velocity)
        hips, self.body.hips = self.body.hips, None  # where they are is known only once the body stands in this pose
        pose, rate = self._posed(com, velocity)
        self.body.hips = hips
        pose, rate = self._posed(com, velocity)
        # the root is moved so that the COM is just where and as fast as planned
        pose[:3] += (com.real, com.imag, height + self.terrain.level_m) - self.state.com
        rate[:3] += (velocity.real, velocity.imag, self.terrain.rate(velocity)) - self.state.com_velocity
        return pose, rate

    def _posed(self, com: complex, velocity: complex) -> tuple[np.ndarray, np.ndarray]:
        """The reference pose (nq,) and its velocities (nv,) for a COM, which the state takes over."""
        instants = self.body.feet_poses(self.feet, self.frame.heading)
        pose, rate, _ = self.body.reference(self.frame.heading, com, velocity, 0j, instants)
        self.state.update(pose, rate)
        return pose, rate

    def step_in(self, steps: Mapping[str, Footstep], stance: str) -> None:
        """Go on from a walk that stands on `stance` alone, whose feet stand or stood on `steps`: in the midst of the
        running step on that foot, at the fraction of its ground phase at which the COM is so far from the foot."""
        clock, com = self.clock, complex(*self.state.com[:2])
        clock.index = next(k for k, b in enumerate(clock.steps) if b.contacts[0].side == stance)
        clock.grounded, clock.stretch, clock.lag = True, 1.0, 0.0
        self.frame.follow(com)
        ahead = (self.frame.local(com) - self.frame.local(steps[stance].place)).real
        row = self.footholds.orbit.at(clock.index, self.footholds.velocity)
        coms = self.footholds.orbit_coms(clock.index, ENTRY_FRACTIONS)
        distances = [abs((c - complex(row.places[0])).real - ahead) for c in coms]
        clock.fraction = ENTRY_FRACTIONS[distances.index(min(distances))]
        self.landed = {stance}
        for side in SIDES:
            foot = self.feet[side]
            foot.step, foot.swinging, foot.path.landed_pitch = steps[side], side != stance, 0.0
            foot.target = self.footstep(side, steps[side].place + self.gait.stride_length_m * self.frame.direction)
            if side != stance:
                self.feet.lift(side, self.frame.heading, clock.rate)
        self.over_ground(com, complex(*self.state.com_velocity[:2]))
        self.heights.begin(*self.rise(), 0.0)

    def update(self, time_s: float, dt: float, loaded: dict[str, bool]) -> Targets:
        """Plan from the state measured now. `loaded` tells which feet carry weight; `dt` [s] is the time since the last one,
        0 for the first."""
        com, velocity = complex(*self.state.com[:2].tolist()), complex(*self.state.com_velocity[:2].tolist())
        if self.body.poses.carriage is not None:
            self.body.poses.carriage.time_s = time_s
        self.frame.follow(com)
        self.over_ground(com, velocity)
        if dt > 0.0:
            self._advance(dt, loaded, time_s)
            self.over_ground(com, velocity)
        self.body.vertical = v = self._plan_height()
        desired = self.gait.speed_m_s + self._slower_m_s + self.pace.bias  # less what it brakes by
        cop = self._plan_footholds(com, velocity, desired)
        active, expected = self.feet.contact_points(self.clock.phase)
        cop = self.feet.supported(cop, expected, self.frame.direction)
        com_acceleration = (com - cop) * (v.acceleration + self.gravity) / v.height
        instants = self.body.feet_poses(self.feet, self.frame.heading)
        feet = self.feet.wanted(self.frame.heading, instants[0], instants[1], instants[2], STEP_S, active)
        pose, rate, acceleration = self.body.reference(self.frame.heading, com, velocity, com_acceleration, instants)
        if not self.clock.grounded:
            self.angular_momentum.note(pose, rate, self.frame.direction)
        terrain, omega = self.terrain, None
        if not terrain.ground.level:
            omega = math.sqrt(max(v.acceleration + self.gravity, 0.0) / v.height)
        height = (float(v.height) + terrain.level_m, float(v.velocity) + terrain.rate(velocity),
                  float(v.acceleration) + terrain.second(velocity, com_acceleration))
        momentum = self.angular_momentum
        return Targets(time_s, cop, omega, height, pose, rate, acceleration, feet, active, expected, self.frame.heading,
                       jerk=v.jerk, angular_momentum=momentum.wanted(self.frame.direction), angular_momentum_rate=momentum.rate)

    def due(self, loaded: dict[str, bool]) -> bool:
        """Whether a foot has come down that the plan waits for: then it should be made anew at once."""
        clock = self.clock
        if clock.grounded:
            return False
        return clock.fraction > self.settings.early_touch_down and any(loaded[side] for side in clock.may_land())

    def _advance(self, dt: float, loaded: dict[str, bool], time_s: float) -> None:
        """Move the clock; feet land when they carry weight, leave the ground when the plan says so."""
        clock = self.clock
        self.body.follow_swing_scale(dt)
        clock.advance(dt)
        if clock.grounded:
            self._on_ground(dt, loaded, time_s)
        else:
            z, v = self.rise()
            clock.left_s = fall_time(z - self.heights.touch_down_m[clock.next_index], v, self.gravity)
            self._in_flight(dt, loaded, time_s)

    def _on_ground(self, dt: float, loaded: dict[str, bool], time_s: float) -> None:
        clock = self.clock
        for contact in clock.step.contacts:
            foot = self.feet[contact.side]
            if foot.swinging and contact.side not in self.landed and loaded[contact.side]:
                if contact.side in clock.may_land():
                    self._land(contact.side, time_s)
            elif foot.swinging and contact.side not in self.landed and clock.fraction > contact.on:
                self._lower(contact.side, dt)
            elif not foot.swinging and clock.fraction >= contact.off:
                self.feet.lift(contact.side, self.frame.heading, clock.rate)
        if clock.fraction >= 1.0:
            self._renew()
            clock.take_off()
            for side in SIDES:
                if not self.feet[side].swinging:
                    self.feet.lift(side, self.frame.heading, clock.rate)
            self.landed.clear()

    def _in_flight(self, dt: float, loaded: dict[str, bool], time_s: float) -> None:
        clock = self.clock
        down = [side for side in clock.may_land() if loaded[side] and clock.fraction > self.settings.early_touch_down]
        if down:
            clock.touch_down()
            for side in down:
                self._land(side, time_s)
            self.heights.begin(*self.rise())
        elif clock.waits:
            for contact in clock.steps[clock.next_index].contacts:
                if contact.on == 0.0:
                    self._lower(contact.side, dt)

    def _lower(self, side: str, dt: float) -> None:
        """A foot is late: it comes down ever faster, in the end as fast as the body."""
        foot, falling = self.feet[side], max(-float(self.state.com_velocity[2]), LOWERING * self._time_scale)
        foot.lowering_m_s = min(max(foot.lowering_m_s, GOES_ON * falling) + falling * dt * self._time_scale / LATE_S, falling)
        foot.lowered_m += dt * foot.lowering_m_s

    def _land(self, side: str, time_s: float) -> None:
        self.feet.land(side)
        self.landed.add(side)
        self.footsteps.append((time_s, self.feet[side].step))
        self.pace.strike(side, time_s, self.frame.arc_length, self.gait.speed_m_s)
        self.heights.vary_step(self.variation.time(len(self.footsteps), SIGN[side]))

    def footstep(self, side: str, place: complex) -> Footstep:
        """A footstep laid on the ground, turned as the cycle's foot is."""
        return self.terrain.footstep(Footstep(side, place, self.frame.heading + self.tables.foot_yaw[side]))

    def over_ground(self, com: complex, velocity: complex) -> None:
        """Take over the level of the ground under the body."""
        clock = self.clock
        sides = self.landed or {clock.steps[clock.next_index].contacts[0].side}
        foot = self.feet[min(sides)]
        self.terrain.over(com, foot.target if foot.swinging else foot.step)
        self.body.level = self.terrain.level_m, self.terrain.rate(velocity)

    def rise(self) -> tuple[float, float]:
        """The COM's height over the level [m] and its rate [m/s]."""
        x, y, z = self.state.com_velocity.tolist()
        return float(self.state.com[2]) - self.terrain.level_m, z - self.terrain.rate(complex(x, y))

    def _plan_height(self) -> Motion:
        """Vertical motion now: on the ground the plan made anew while there is time, in the air the body's own."""
        z, v = self.rise()
        if not self.clock.grounded:
            return Motion(z, v, -self.gravity, 0.0)
        return self.heights.on_ground(z, v)

    def _plan_footholds(self, com: complex, velocity: complex, desired: float) -> complex:
        """Lead the feet in the air to their footholds; returns the centre of pressure wanted now."""
        clock = self.clock
        down = {side: self.frame.local(self.feet[side].step.place) for side in self.landed}
        plan = self.footholds.plan(self.frame.local(com), velocity / self.frame.direction, desired, down, self._flight_s(),
                                   self.frame.path.curvature(self.frame.arc_length))
        held = set() if clock.grounded or clock.fraction < self.settings.hold_from else {
            c.side for c in clock.steps[clock.next_index].contacts}
        for side in plan.targets.keys() - held:
            place = plan.targets[side] + 1j * self.variation.aside_m(len(self.footsteps) + 1, SIGN[side])
            self.feet[side].target = self.footstep(side, self.frame.world(place))
        if plan.cop is None:
            return com
        if self.clock.fraction >= self.angular_momentum.due:
            self._foresee(*plan.leaving.tolist())
        return self.frame.world(plan.cop)

    def _foresee(self, place: complex, velocity: complex) -> None:
        """Foresee the coming flight, for which the COM leaves the ground at a place with a velocity, as it will be planned."""
        clock, body, frame = copy.copy(self.clock), copy.copy(self.body), self.frame
        flight_s = max(self._flight_s(), clock.flight_s[clock.index] / 3.0)
        feet = self.feet.leaving(frame.heading, clock.rate)
        clock.take_off()
        body.clock, body.hips, clock.lag, motions = clock, None, 0.0, []
        for clock.fraction in FORESEEN:
            since = clock.fraction * flight_s
            clock.left_s, body.vertical = flight_s - since, self.heights.flown(since)
            com, instants = frame.world(place + since * velocity), body.feet_poses(feet, frame.heading)
            motions.append(body.reference(frame.heading, com, velocity * frame.direction, 0j, instants)[:2])
        self.angular_momentum.expect(motions, frame.direction)

    def _flight_s(self) -> float:
        """Time that the flight has left; on the ground that of the coming one, if the plan's errors stay as they are."""
        if not self.clock.grounded:
            return self.clock.left_s
        v = self.body.vertical
        z, rising = self.rise()
        return self.heights.coming_flight_s(z - v.height, rising - v.velocity)


FRACTIONS = np.linspace(0.0, 0.94, 48)
"""Fractions of a ground phase at which a body may be found in it."""
OTHER_SPEED = 0.1
"""Share of the gait's speed from which on a body that goes at another is first led by steps of its own speed."""
SLACK = 0.12
"""How far, over the ground phase, a foot may carry weight before and after it should."""
RISING_SHARE = 0.5
"""How much the COM's rise or fall, over sqrt(g l), counts beside the COM's place."""


def resume_run(run: RunningPlanner, loaded: Mapping[str, bool], way_m: float) -> None:
    """Go on in the midst of a running step or of a flight, `way_m` [m] along the path. `loaded` tells which feet carry weight."""
    com, velocity = complex(*run.state.com[:2].tolist()), complex(*run.state.com_velocity[:2].tolist())
    run.frame.arc_length = way_m
    run.frame.follow(com)
    speed = (velocity / run.frame.direction).real
    if abs(speed - run.gait.speed_m_s) > OTHER_SPEED * run.gait.speed_m_s:
        run.take_over(speed)
    down = {side for side in SIDES if loaded[side]}
    clock = run.clock
    clock.stretch, clock.lag = 1.0, 0.0
    steps = {}
    for side in SIDES:
        frame = run.state.frame(f"foot_{side}")
        steps[side] = run.terrain.stood(side, frame.position, frame.matrix[:, 0], run.frame.heading)
        foot = run.feet[side]
        foot.step = foot.target = steps[side]
    places = {side: run.frame.local(step.place) for side, step in steps.items()}
    clock.grounded = bool(down)
    run.landed = down
    run.over_ground(com, velocity)
    if down:
        clock.index, clock.fraction = _grounded(run, down, run.frame.local(com), places)
    else:
        _in_flight(run, places)
    for side in SIDES:
        foot = run.feet[side]
        if side in down:
            run.feet.land(side)
            continue
        foot.target = run.footstep(side, foot.step.place + 0.5 * run.gait.stride_length_m * run.frame.direction)
        run.feet.lift(side, run.frame.heading, clock.rate)
    if down:
        rise = run.heights.nominal(clock.index).at(clock.fraction * clock.ground_s[clock.index])
        run.heights.begin(*run.rise(), max(float(rise.acceleration), -run.gravity))


def leap_in(run: RunningPlanner, stance: str, way_m: float) -> None:
    """Go on from another gait on the foot that carries the weight, as from the walk before a run from standing."""
    com = complex(*run.state.com[:2].tolist())
    run.frame.arc_length = way_m
    run.frame.follow(com)
    run.take_over(float((complex(*run.state.com_velocity[:2].tolist()) / run.frame.direction).real))
    heading, frames = run.frame.heading, {side: run.state.frame(f"foot_{side}") for side in SIDES}
    steps = {side: run.terrain.stood(side, frame.position, frame.matrix[:, 0], heading) for side, frame in frames.items()}
    run.step_in(steps, stance)


def lay_swings(run: RunningPlanner) -> None:
    """Feet in the air are led to where they are to land on paths that pass through where they are. A flight that is nearly over,
    in which no foothold is chosen any more, is taken up where it is, now that they are."""
    clock = run.clock
    if not clock.grounded:
        clock.fraction = max(clock.fraction, 1.0 - clock.left_s / clock.flight_s[clock.index])
    phase, stride = clock.smooth_phase, run.gait.stride_length_m * run.frame.direction
    for side in SIDES:
        foot = run.feet[side]
        since = foot.path.phases.since_strike(phase)
        if foot.swinging and since >= foot.path.phases.toe_off:
            pose = partial(_pose, run, side)
            foot.lift = swing_start(run.state, foot.path, foot.target, stride, since, run.frame.heading, pose)


def _pose(run: RunningPlanner, side: str, lift: FootPose) -> FootPose:
    """The planned pose of a foot in the air now, had it left the ground so."""
    run.feet[side].lift = lift
    return run.body.feet_poses(run.feet, run.frame.heading)[1][side]


def _grounded(run: RunningPlanner, down: set[str], com: complex, places: Mapping[str, complex]) -> tuple[int, float]:
    """The running step and the fraction of its ground phase that are most like the body."""
    clock, leg = run.clock, run.state.body.leg_length_m
    rising, pace = run.rise()[1], (run.gravity * leg) ** 0.5
    best, least = (0, 0.0), np.inf
    for k, step in enumerate(clock.steps):
        row = run.footholds.orbit.at(k, run.footholds.velocity)
        coms, nominal = run.footholds.orbit_coms(k, FRACTIONS.tolist()), run.heights.nominal(k)
        for fraction, place in zip(FRACTIONS.tolist(), coms, strict=True):
            bears = {c.side: complex(p) for c, p in zip(step.contacts, row.places.tolist(), strict=True)
                     if c.on - SLACK <= fraction <= c.off + SLACK}
            if not down <= set(bears):
                continue
            ahead = np.mean([(place - bears[side]).real - (com - places[side]).real for side in sorted(down)])
            off = rising - float(nominal.at(fraction * clock.ground_s[k]).velocity)
            cost = (float(ahead) / leg) ** 2 + RISING_SHARE * (off / pace) ** 2
            if cost < least:
                best, least = (k, fraction), cost
    if not np.isfinite(least):  # feet that this gait never has on the ground together: its first step on one of them
        index = next(k for k, b in enumerate(clock.steps) if b.contacts[0].side in down)
        return index, 0.0
    return best


def _in_flight(run: RunningPlanner, places: Mapping[str, complex]) -> None:
    """The flight whose coming footholds are most like where the body's feet are on their way, and how much of it is left."""
    clock, heights = run.clock, run.heights
    height, rising = run.rise()
    found = []
    for k in range(len(clock.steps)):
        following = (k + 1) % len(clock.steps)
        left = fall_time(height - heights.touch_down_m[following], rising, run.gravity)
        fraction = min(max(1.0 - left / clock.flight_s[k], 0.0), run.settings.hold_from - 0.01)
        phase = (clock.steps[k].start + clock.steps[k].ground + fraction * clock.steps[k].flight) % 1.0
        row = run.tables.table.value(phase)
        apart = [float(row[run.tables.foot_slice(side).start]) for side in SIDES]
        off = (apart[0] - apart[1]) - (places["L"] - places["R"]).real
        found.append((abs(off), k, left, fraction))
    _, clock.index, clock.left_s, clock.fraction = min(found)
