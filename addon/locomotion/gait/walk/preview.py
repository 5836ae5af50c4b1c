# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan alone, without body dynamics: COM, cart and footsteps of a whole shot in milliseconds, step by step after the capture
point.

The first steps of a shot may be laid by the very planner that will plan them, led by a body that answers as the tracker will. No
physics is stepped: the centre of mass moves by the planned forces, feet on the ground stand, and feet in the air follow their
targets no faster than the tracker's gain lets them: where they start away from their way, or their landing moves, they land short
of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import mujoco
import numpy as np

from ....bodies.body import Body
from ....bodies.model import PHYSICS_STEP_S
from ....bodies.state import BodyState, Frame
from ....gaits.froude import GaitVariables
from ....gaits.path_speeds import Way
from ....specs.shot import EARTH_GRAVITY_M_S2
from ....worlds.ground import Ground
from ....worlds.paths import Path
from ...controller import Plan
from ...legged.capture import Piece, backward, remaining
from ...legged.foot_geometry import FootGeometry
from ...legged.pose import GaitTables
from ...legged.targets import FIRST_LOADED, FootTarget, Planner, Targets
from .footsteps import OTHER, PREVIEW_STEPS, SIGN, Rhythm, StepGeometry, StepPlanner, StepSettings, WalkControls, heading_vector
from .path import Course, PeriodicOrbit, Print, Prints
from .pendulum import (
    STAND_AHEAD,
    STAND_WIDTH_LEGS,
    EndSettings,
    Pendulum,
    PlaneState,
    StandingShot,
    check_duration,
    last_shares,
    lift_s,
    roll_out,
    shift_at_s,
    shortest_s,
)

TICK_S, PLAN_TICKS, MOST_PLAN_TICKS = 0.005, 3, 4
"""Time from look to look at the feet, and looks from plan to plan, on Earth as in the simulation. The time scales with
1 / sqrt(g) above Earth's gravity, and below it the looks with the same, up to `MOST_PLAN_TICKS`."""


class PlannedState(BodyState):
    """The state of a body that does as it is told. After `begin`, `follow` moves it; joints are those of the
    planned pose, `feet` the places and velocities (3,) of the feet."""

    whole = False

    def __init__(self, body: Body, model: mujoco.MjModel, ground: Ground, swing_gain: float) -> None:
        """`swing_gain` [1/s^2] is the tracker's for the places of swinging feet."""
        super().__init__(body, model, ground)
        self._rate = math.sqrt(swing_gain)
        self._ids = {foot.name: model.body(foot.segment).id for foot in body.feet}
        self._points = {foot.name: list(foot.points) for foot in body.feet}
        self._standing = dict.fromkeys(self._ids, False)
        self.feet: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    def begin(self, qpos: np.ndarray, qvel: np.ndarray) -> None:
        """Take over the state that a planner starts with."""
        self.update(qpos, qvel)
        for foot in self.body.feet:
            frame = self.frame(foot.segment)
            self.feet[foot.name] = frame.position.copy(), super().velocity_of(frame)

    def velocity_of(self, frame: Frame) -> np.ndarray:
        """See `BodyState.velocity_of`; of the feet alone."""
        return next(self.feet[name][1] for name, i in self._ids.items() if i == frame.id)

    def loaded(self) -> dict[str, bool]:
        """Which feet have reached the ground: a physics step ago, as the force that tells it comes with the next one."""
        return {name: stands or bool(self.contact_height_m[self._points[name]].min() < PHYSICS_STEP_S * self.feet[name][1][2])
                for name, stands in self._standing.items()}

    def follow(self, targets: Targets, ahead_s: float, dt: float) -> None:
        """Do for `dt` [s] what was planned `ahead_s` [s] ago."""
        self._move_com(targets, ahead_s, dt)
        data = self.data
        data.qpos[:] = targets.pose
        mujoco.mj_integratePos(self.model, data.qpos, targets.pose_velocity, ahead_s + dt)
        mujoco.mj_kinematics(self.model, data)
        data.geom_xpos.take(self._point_geom, axis=0, out=self.contact_point_m, mode="clip")
        for name, i in self._ids.items():
            self.feet[name] = place, _ = self._led(name, targets.feet[name], ahead_s, dt)
            self.contact_point_m[self._points[name]] += place - data.xpos[i]
            data.xpos[i] = place
            self._standing[name] = targets.feet[name].stance
        self._touch_ground()
        for name, rows in self._points.items():
            if self._standing[name]:  # its lowest point is on the ground, whatever the planned pose leaves between
                self.contact_height_m[rows] -= self.contact_height_m[rows].min()

    def _move_com(self, targets: Targets, ahead_s: float, dt: float) -> None:
        """Move the centre of mass by the planned forces, as the tracker asks for them."""
        height, speed, bend = targets.height
        middle = ahead_s + 0.5 * dt
        height += middle * (speed + 0.5 * middle * bend)
        bend += middle * targets.jerk
        square = max(bend - float(self.gravity[2]), 0.0) / height if targets.omega is None else targets.omega**2
        x, y, _ = (self.com + 0.5 * dt * self.com_velocity).tolist()
        pull = np.array([square * (x - targets.cmp.real), square * (y - targets.cmp.imag), bend])
        self.com += dt * (self.com_velocity + 0.5 * dt * pull)
        self.com_velocity += dt * pull

    def _led(self, name: str, target: FootTarget, ahead_s: float, dt: float) -> tuple[np.ndarray, np.ndarray]:
        """A foot's place and velocity (3,) after `dt`: where it should be if it stands; in the air on its way there, critically
        damped by the tracker's gain."""
        place, velocity = at(target, ahead_s + dt)
        if target.stance:
            return place, velocity
        before, rate = at(target, ahead_s)
        error, slip = self.feet[name][0] - before, self.feet[name][1] - rate
        fade, drift = math.exp(-self._rate * dt), slip + self._rate * error
        return place + fade * (error + dt * drift), velocity + fade * (drift - self._rate * (error + dt * drift))


def at(target: FootTarget, time_s: float) -> tuple[np.ndarray, np.ndarray]:
    """Where a foot should be some time after its target was made, and its velocity (3,)."""
    velocity = target.velocity + time_s * target.acceleration
    return target.position + time_s * (target.velocity + 0.5 * time_s * target.acceleration), velocity


class Rollout:
    """Runs a planner on a body that does what it plans. `time_s`, and the way so far: `times_s` and `coms_m`, a list of
    numbers and of arrays (3,)."""

    fell = False

    def __init__(self, planner: Planner, state: PlannedState, gravity_m_s2: float) -> None:
        self._planner, self._state = planner, state
        slow = math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)
        self._tick_s = TICK_S * min(slow, 1.0)
        self._plan_every = min(max(round(PLAN_TICKS * slow), PLAN_TICKS), MOST_PLAN_TICKS)
        state.begin(*planner.start())
        self.time_s, self.times_s, self.coms_m = 0.0, [0.0], [state.com.copy()]

    def run(self, duration_s: float, enough: Callable[[], bool]) -> None:
        """Go on until it is `enough`, which is asked at every plan, or the time is over."""
        planner, state, tick_s = self._planner, self._state, self._tick_s
        targets, since = planner.update(self.time_s, 0.0, FIRST_LOADED), 0
        while self.time_s < duration_s:
            state.follow(targets, since * tick_s, tick_s)
            since += 1
            self.time_s += tick_s
            self.times_s.append(self.time_s)
            self.coms_m.append(state.com.copy())
            loaded = state.loaded()
            if since >= self._plan_every or planner.due(loaded):
                targets, since = planner.update(self.time_s, since * tick_s, loaded), 0
                if enough():
                    return


FINE_S = 1.0 / 90.0
"""Step of the COM's integration."""


class ComWay:
    """Places (N,) of the COM, x + iy [m], at times (N,) [s], filled from the first on; `com` is where it has come to."""

    def __init__(self, times_s: np.ndarray, com: complex, omega: float) -> None:
        self._times, self._omega, self.com = times_s, omega, com
        self.places, self._filled = np.empty(len(times_s), dtype=complex), 0

    def shift(self, sought: complex, shift_s: float, lift_s: float) -> None:
        """Stand until the weight begins to shift, then go by a centre of pressure that brings the capture point to where it is
        sought when the first foot lifts."""
        grown = math.exp(self._omega * (lift_s - shift_s))
        pressure = (sought - self.com * grown) / (1.0 - grown)
        count = int(np.searchsorted(self._times, lift_s - 1e-9))
        since = np.append(np.maximum(self._times[:count] - shift_s, 0.0), lift_s - shift_s)
        gone = pressure + (self.com - pressure) * np.cosh(self._omega * since)  # c'' = omega^2 (c - r), from rest
        self.places[:count] = gone[:-1]
        self.com, self._filled = complex(gone[-1]), count

    def step(self, now_s: float, last_s: float, strike_s: float, landing: complex, pieces: Sequence[Piece]) -> None:
        """Go on for the rest of a step, whose foot struck at `strike_s`, over the `pieces` of its centre of pressure, from which
        the capture point comes to `landing` at its end."""
        times, omega = self._times, self._omega
        while now_s < last_s and self._filled < len(times):
            if now_s >= times[self._filled] - 1e-9:
                self.places[self._filled] = self.com
                self._filled += 1
                continue
            dt = min(FINE_S, last_s - now_s, times[self._filled] - now_s)
            self.com += dt * omega * (backward(landing, remaining(pieces, now_s + 0.5 * dt - strike_s), omega) - self.com)
            now_s += dt

    def settle(self, rest: complex, since_s: float) -> None:
        """Come to rest at a place, from the last step's end on [s]."""
        fading = np.exp(-self._omega * (self._times[self._filled:] - since_s))
        self.places[self._filled:] = rest + (self.com - rest) * fading
        self._filled = len(self._times)


@dataclass(frozen=True)
class StandingSteps:
    """`prints` from the right foot beside or behind the first left one, and the lengths of the path there, `ways`; when the
    weight begins to shift and the first foot lifts [s], both 0 for a walk that starts moving; the number of the last landing,
    counted from 1, None for a walk that goes on; how far a standing body is ahead of its ankles [m]."""

    prints: list[Print]
    ways: list[float]
    shift_s: float
    lift_s: float
    last: int | None
    ahead_m: float

    def rest(self, number: int) -> complex:
        """Where the COM rests between a footprint and the one before."""
        pair = self.prints[number:number + 2]
        return 0.5 * sum(place + self.ahead_m * heading_vector(heading) for place, heading in pair)


SAMPLE_S = 1.0 / 30.0
"""Sampling of the preview, the lineage's own plan step."""
Landing = tuple[float, str, complex, float]
"""Time [s], side, place and heading [rad] of a footstep."""


def plan_preview(tables: GaitTables, gait: GaitVariables, gravity_m_s2: float, ends: StandingShot, way: Way,
                 controls: WalkControls, keyed: Callable[[float], GaitVariables] | None = None) -> Plan:
    """Plan a walk on its way: the cart by its controlled pendulum, the feet beside the path, the COM over the rolling feet. It
    starts a quarter into a left single support, as the simulation does. `ends` tells how long the shot is and which of its ends
    stand, `keyed` which gait is wished for at a time [s], where it is not always the same."""
    stands, duration_s = ends.start or ends.stop, ends.duration_s
    if stands:
        check_duration(ends, shortest_s(ends, gait, gravity_m_s2, EndSettings()))
    walk = _Walk(tables, gait, gravity_m_s2, way, controls.steps, keyed)
    times = SAMPLE_S * np.arange(int(duration_s / SAMPLE_S) + 1)
    wishes = [gait] if keyed is None else [keyed(time_s) for time_s in times.tolist()]
    count = int(2.0 * max(wish.stride_frequency_hz for wish in (walk.gait, *wishes)) * duration_s) + 2
    begin = walk.under_way(count)
    if stands:
        begin = walk.with_ends(begin, ends, count)
    com = ComWay(times, begin.com, walk.omega)
    landings = [landing for landing in begin.stands + walk.go(begin, com, count) if landing[0] <= duration_s]
    if not stands and way.pacing is None and keyed is None:
        start = PlaneState(cart=walk.path.locate(com.places[0], 0.0), cart_velocity=walk.gait.speed_m_s)
        pendulum = Pendulum(gravity_m_s2, tables.com_height_mean_m, tables.body.mass_kg, controls.scaling)
        carted = roll_out(pendulum, start, walk.gait.speed_m_s, SAMPLE_S, len(times) - 1)[:, 0].tolist()
    else:
        carted = _ways(walk.path, com.places)
    carts = np.array([walk.path.point(s) for s in carted])
    strides = walk.gait.stride_frequency_hz * times
    if keyed is not None:
        strides = SAMPLE_S * np.cumsum([wish.stride_frequency_hz for wish in wishes])
    heights = tables.table.value(walk.rhythm.phase + strides)[:, 0]
    return Plan(
        times, _places(com.places, heights), _places(carts, np.zeros(len(times))),
        _places(np.array([place for _, _, place, _ in landings]), np.zeros(len(landings))),
        np.array([time_s for time_s, _, _, _ in landings]),
        np.array([0 if side == "L" else 1 for _, side, _, _ in landings]),
        np.array([heading for _, _, _, heading in landings]), gait.speed_m_s, gait.stride_frequency_hz, gait.froude)


@dataclass(frozen=True)
class _Begin:
    """How a walk begins: its `prints` and the lengths of the path there, `ways`, from the right foot before the first left one
    on; the COM; when the left foot struck [s]; the feet that stand; and its steps from and to standing, None where it does
    neither."""

    prints: list[Print]
    ways: list[float]
    com: complex
    strike_s: float
    stands: list[Landing]
    standing: StandingSteps | None = None


class _Walk:
    """A walk along a path that is planned: `gait` is the one it begins with, a quarter into a left single support."""

    def __init__(self, tables: GaitTables, wish: GaitVariables, gravity_m_s2: float, way: Way, settings: StepSettings,
                 keyed: Callable[[float], GaitVariables] | None) -> None:
        self.tables, self._wish, self._gravity, self._way, self._keyed = tables, wish, gravity_m_s2, way, keyed
        self._body = body = tables.body
        self.gait = gait = self._gait_at(0.0, 0.0)
        self.omega = math.sqrt(gravity_m_s2 / tables.com_height_mean_m)
        self.rhythm = rhythm = Rhythm(tables, gait.stride_frequency_hz, settings.double_support_timing)
        self._course = Course(way.path, gait.speed_m_s, 0.5 * gait.stride_length_m, way.print_lengths(wish, gravity_m_s2))
        self.path, geometry = self._course.path, FootGeometry(body, "L")
        shifts = tables.displacement.cop_shifts(rhythm.stance_times("L"), gait.stride_frequency_hz)
        self._steps = StepPlanner(settings, body.leg_length_m, *geometry.rolls, shifts)
        double, whole = rhythm.fractions("L")
        rhythm.local = double + 0.25 * (whole - double)

    def _gait_at(self, s: float, time_s: float) -> GaitVariables:
        """The gait of the step that begins at a length of the path [m] and a time [s]."""
        wish = self._wish if self._keyed is None else self._keyed(time_s + 0.25 / self._keyed(time_s).stride_frequency_hz)
        return wish if self._way.pacing is None else self._way.pacing.gait(wish, s, self._gravity)

    def _ways(self, count: int) -> list[float]:
        """Lengths of the path [m] of the footprints of a keyed walk that is on its way, from the one before the first on."""
        s, time_s, ways = 0.0, -self.rhythm.elapsed_s, [-self._course.step_length]
        while len(ways) < count:
            ways.append(s)
            gait = self._gait_at(s, time_s)
            s, time_s = s + 0.5 * gait.stride_length_m, time_s + 0.5 / gait.stride_frequency_hz
        return ways

    def under_way(self, count: int) -> _Begin:
        """The beginning of `count` steps of a walk that is already on its way."""
        course, width = self._course, self.tables.width_m
        laid = Prints(course, width, self.omega, self._body.leg_length_m, self._way.footprints, self.tables.hip_room_m)
        numbers = range(-1, count + PREVIEW_STEPS + 2)
        prints, lengths = [laid.at(k) for k in numbers], [course.way(k) for k in numbers]
        if self._keyed is not None:
            lengths = self._ways(len(numbers))
            prints = [course.footprint(s, 1 - 2 * (k % 2), width, self.omega) for k, s in zip(numbers, lengths, strict=True)]
        offset, _ = PeriodicOrbit(self._steps, self.rhythm, course.step_length, width, self.omega).now(course.turn)
        return _Begin(prints, lengths, prints[1][0] + course.forward * offset, -self.rhythm.elapsed_s, [(0.0, "L", *prints[1])])

    def with_ends(self, begin: _Begin, ends: StandingShot, count: int) -> _Begin:
        """The same of a walk that starts or stops standing."""
        rhythm, (double, whole) = self.rhythm, self.rhythm.fractions("L")
        first_s = sum(rhythm.stance_times("L")) + begin.strike_s
        if ends.start:
            first_s = (whole - double) / self.gait.stride_frequency_hz
        standing = self._standing(ends, first_s, count + PREVIEW_STEPS + 2)
        begin = replace(begin, prints=standing.prints, ways=standing.ways, standing=standing)
        if not ends.start:
            return begin
        return replace(begin, strike_s=standing.lift_s - rhythm.stance_times("L").double, com=standing.rest(0),
                       stands=[(0.0, "R", *standing.prints[0]), (0.0, "L", *standing.prints[1])])

    def _standing(self, ends: StandingShot, first_s: float, count: int) -> StandingSteps:
        """The first `count` steps, as `StandingEnds` takes them, at the gait of each length of the path and time. The first one
        lands `first_s` after its foot's lift or, in a walk that starts moving, after the start."""
        s, scale = EndSettings(), math.sqrt(EARTH_GRAVITY_M_S2 / self._gravity)
        course, body, width = self._course, self._body, self.tables.width_m
        ahead, wide = STAND_AHEAD * FootGeometry(body, "L").ball_x, max(width, STAND_WIDTH_LEGS * body.leg_length_m)
        shifts_s, lifts_s = (at(ends, self._gravity, s) if ends.start else 0.0 for at in (shift_at_s, lift_s))
        still_s, length, last = ends.duration_s - s.still_s * scale, course.step_length, None
        landed_s = lifts_s + first_s
        shares, way = list(s.first) if ends.start else [], 0.0
        ways = [0.0 if ends.start else -length, 0.0]
        for k in range(1, count + 1):
            if last is None:
                gait = self._gait_at(way, landed_s)
                length, step_s = 0.5 * gait.stride_length_m, 0.5 / gait.stride_frequency_hz
            landed_s += step_s * (1 < k <= (last or k))
            way += length * (shares[k - 1] if k <= len(shares) else 1.0 if last is None else 0.0)
            ways.append(way)
            if ends.stop and last is None and k >= len(shares):
                left = math.floor((still_s - landed_s) / step_s)
                coming = last_shares((course.path.length - ahead - way) / length, left, gait, self._gravity, s)
                if coming:
                    shares = shares + [1.0] * (k - len(shares)) + coming
                    last = len(shares)
        prints = []
        for number, at in enumerate(ways, start=-1):
            stands = (ends.start and number < 1) or (last is not None and number >= last)
            sign = 1 - 2 * (number % 2)
            prints.append(course.footprint(at, sign, wide if stands else width, math.inf if stands else self.omega))
        return StandingSteps(prints, ways, shifts_s, lifts_s, last, ahead)

    def go(self, begin: _Begin, way: ComWay, count: int) -> list[Landing]:
        """Take `count` steps, or those until it stands, and lead the COM along; gives the landings."""
        rhythm, steps, omega = self.rhythm, self._steps, self.omega
        prints, standing, strike_s, side = begin.prints, begin.standing, begin.strike_s, "L"
        end, landings = _leaves(steps, prints[0], -SIGN["L"]), []
        for k in range(1, (count if standing is None or standing.last is None else standing.last) + 1):
            rhythm.frequency = self._gait_at(begin.ways[k], strike_s).stride_frequency_hz
            pieces = steps.pieces(end, prints[k][0], SIGN[side], heading_vector(prints[k][1]), rhythm.stance_times(side))
            coming = _geometry(prints[k + 1:k + 2 + PREVIEW_STEPS], -SIGN[side])
            landing = steps.touch_down_capture(pieces[-1].end, prints[k + 1][0], coming, heading_vector(prints[k + 1][1]), omega,
                                            rhythm.stance_times(OTHER[side]))
            if standing is not None and k == standing.last:
                landing = standing.rest(k)
            now_s, last_s = max(strike_s, 0.0), strike_s + sum(rhythm.stance_times(side))
            if k == 1 and standing is not None and standing.lift_s:
                sought = backward(landing, remaining(pieces, standing.lift_s - strike_s), omega)
                way.shift(sought, standing.shift_s, standing.lift_s)
                now_s = standing.lift_s
            way.step(now_s, last_s, strike_s, landing, pieces)
            end, strike_s, side = pieces[-1].end, last_s, OTHER[side]
            landings.append((last_s, side, *prints[k + 1]))
        if standing is not None and standing.last is not None:
            way.settle(standing.rest(standing.last), strike_s)
        return landings


def _ways(path: Path, plane: np.ndarray) -> list[float]:
    """Lengths of a path beside places (N,)."""
    ways, before = [], 0.0
    for place in plane.tolist():
        before = path.locate(place, before)
        ways.append(before)
    return ways


def _places(plane: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """Places (N, 3) of complex ones (N,) and their heights (N,)."""
    return np.column_stack([plane.real, plane.imag, heights])


def _leaves(steps: StepPlanner, footprint: tuple[complex, float], sign: int) -> complex:
    """Where the centre of pressure leaves a foot."""
    place, heading = footprint
    return steps.cop_places(place, sign, heading_vector(heading))[-1]


def _geometry(prints: Sequence[tuple[complex, float]], sign: int) -> StepGeometry:
    """The steps between footprints, of which the first is on the side of `sign`, in the frame of the first."""
    facing, moves = heading_vector(prints[0][1]), list(zip(prints, prints[1:], strict=False))
    return StepGeometry(tuple((b[0] - a[0]) / facing for a, b in moves),
                        tuple(sign * (-1) ** (i + 1) for i in range(len(moves))),
                        tuple(heading_vector(b[1]) / facing for _, b in moves))
