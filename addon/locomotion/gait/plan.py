# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan of a whole shot, made in moments by the planner that its gait will be simulated with, or rehearsed.

A gait with flight is rehearsed: its own controller moves its body in an engine, as in the shot to come, for the first steps; the
periodic orbit follows from where they have come to. A bounce lives on how far the tracked body falls short of its plan: forces
given up for angular momentum, impacts of whole soles, the centre of pressure held within them. To work that out costs as much as
to step the physics for these few landings.

The gait of a walk whose speed is keyed is told at any time of the shot, before anything is simulated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Protocol

import numpy as np

from ...bodies.body import Body
from ...bodies.model import build_model
from ...bodies.muscles.paths import PathActuator
from ...bodies.of_shot import actuator_of
from ...bodies.state import BodyState
from ...engines.engine import Accelerations, Engine, Torques, make_engine
from ...engines.muscled import Muscled
from ...gaits.froude import GaitVariables, RunningVariables
from ...gaits.path_speeds import along
from ...gaits.ranges import feasible_range
from ...motions.cycle import Cycle
from ...specs.shot import DURATION_RANGE_S, Shot
from ...specs.steering import Key, keyed_speed
from ...worlds.ground import Ground, make_ground
from ..controller import Controller, Plan, Sensed, Setup, parts_of
from ..legged.pose import GaitTables
from ..legged.targets import Planner
from .changes import SpeedRamp, acceleration_g, check_times
from .factory import PacedPlanner
from .running.contact_schedule import ContactClock
from .running.heights import fall_time
from .running.planner import PathFrame, RunningPlanner
from .running.standing_ends import StandingRun
from .shot_gait import Controls, body_cycle, gait_variables, shot_way, standing_ends
from .walk.footsteps import WalkControls
from .walk.pendulum import StandingShot
from .walk.preview import SAMPLE_S, PlannedState, Rollout, plan_preview

PIECES = 12
"""Pieces of a ground phase between whose ends the COM goes straight."""
FIRST = 4
"""Landings on the way to the orbit: by then a run has found to it, or the speed it keeps off it."""
SLOWING = "This plan ends at {0} s: then the run slows down to stop, and in how many steps only the simulation knows."
FALLING = "This plan ends at {0} s: there the character falls."
Knot = tuple[float, complex, float, bool]
"""Time [s], place (forward along the path, + i left of it), height over the ground [m], whether a flight follows."""
Landing = tuple[float, str, complex, float]
"""Time [s], side, place and heading [rad] in the world."""


class Way(Protocol):
    """The first steps of a shot as they come about. `time_s`, and the way so far: `times_s` and `coms_m`, a list of numbers and
    of arrays (3,); `fell` tells whether it ended in a fall."""

    time_s: float
    times_s: list[float]
    coms_m: list[np.ndarray]
    fell: bool

    def run(self, duration_s: float, enough: Callable[[], bool]) -> None:
        """Go on until it is `enough`, it cannot go on, or the time is over."""


def plan_running(planner: RunningPlanner | StandingRun, state: BodyState, way: Way, duration_s: float,
                 paced: bool = False) -> Plan:
    """Plan a gait with flight by its `planner`, which has just started, on its `state`: the first steps by `way`, then the orbit.
    A run that starts from standing walks first; of one that stops the plan ends where it slows down. Where it is
    `paced` by its path's bends no step is like the one before, and all go by `way`."""
    run = planner.run if isinstance(planner, StandingRun) else planner
    first_gait, note = run.wish, ""
    if isinstance(planner, StandingRun) and planner.runs_until_s < duration_s:
        duration_s = max(planner.runs_until_s, SAMPLE_S)
        note = SLOWING.format(f"{duration_s:.1f}")
    standing = _standing(planner) if isinstance(planner, StandingRun) else []
    way.run(duration_s, lambda: not paced and len(planner.footsteps) >= FIRST and planner.settled and not run.clock.grounded)
    if way.fell:
        duration_s, note = way.time_s, FALLING.format(f"{way.time_s:.1f}")
    landings = standing + [(time, step.side, step.place, step.yaw - run.tables.foot_yaw[step.side])
                           for time, step in planner.footsteps]
    times = SAMPLE_S * np.arange(int(duration_s / SAMPLE_S) + 1)
    rolled = times[times <= way.time_s]
    com = np.column_stack([np.interp(rolled, way.times_s, column) for column in np.array(way.coms_m).T])
    com[:, 2] -= state.ground.height(com[:, 0], com[:, 1])
    frame = PathFrame(run.frame.path)
    ways = np.array([_way(frame, place) for place in (com[:, 0] + 1j * com[:, 1]).tolist()])
    cart = _along(frame, np.column_stack([ways, np.zeros((len(ways), 2))]))
    if len(rolled) < len(times):
        run.frame.follow(complex(*state.com[:2]))
        knots, more = _orbit(run, state, way.time_s, duration_s)
        later = times[len(rolled):]
        com = np.vstack([com, _along(run.frame, _between(knots, later, run.gravity))])
        carts = run.frame.arc_length + run.gait.speed_m_s * (later - way.time_s)
        cart = np.vstack([cart, _along(run.frame, np.column_stack([carts, np.zeros((len(later), 2))]))])
        path = run.frame.path
        for time, side, local in more:
            place = _along(run.frame, np.array([[local.real, local.imag, 0.0]]))[0]
            landings.append((time, side, complex(place[0], place[1]), path.heading(local.real)))
    landings = [landing for landing in landings if landing[0] <= duration_s]
    return Plan(
        times, com, cart, np.array([[place.real, place.imag, 0.0] for _, _, place, _ in landings]).reshape(-1, 3),
        np.array([time for time, _, _, _ in landings]),
        np.array([0 if side == "L" else 1 for _, side, _, _ in landings], dtype=int),
        np.array([heading for _, _, _, heading in landings]), first_gait.speed_m_s, first_gait.stride_frequency_hz,
        first_gait.froude, note)


def _standing(planner: StandingRun) -> list[Landing]:
    """Where the feet of a shot that starts standing stand, the one that steps first before the other."""
    walk = planner.ends.walk
    if not planner.stands:
        return []
    return [(0.0, side, walk.feet[side].step.place, walk.feet[side].step.yaw - walk.tables.foot_yaw[side]) for side in "RL"]


def _way(frame: PathFrame, place: complex) -> float:
    frame.follow(place)
    return frame.arc_length


def _orbit(
    planner: RunningPlanner, state: BodyState, now: float, duration_s: float
) -> tuple[list[Knot], list[tuple[float, str, complex]]]:
    """Knots of the COM's way and the landings (time, side, place) of the periodic orbit, from a flight until the end."""
    footholds, heights, clock, frame = planner.footholds, planner.heights, planner.clock, planner.frame
    com, velocity = complex(*state.com[:2]), complex(*state.com_velocity[:2]) / frame.direction
    height = float(state.com[2]) - float(state.ground.height(com.real, com.imag))
    local = frame.local(com)
    knots: list[Knot] = [(now, local, height, True)]
    left = fall_time(height - heights.touch_down_m[clock.next_index], float(state.com_velocity[2]), planner.gravity)
    start, stride = clock.next_index, footholds.velocity * footholds.orbit.period_s
    shift = (local + left * velocity - footholds.orbit.at(start, footholds.velocity).com).real
    return _bounces(planner, clock, knots, (now + left, shift, stride), start, duration_s)


def _bounces(
    planner: RunningPlanner, clock: ContactClock, knots: list[Knot], begin: tuple[float, float, complex], start: int,
    duration_s: float,
) -> tuple[list[Knot], list[tuple[float, str, complex]]]:
    """Bounces of the orbit, the first of which, number `start`, begins at a time with the orbit shifted along the path."""
    footholds, heights, shares = planner.footholds, planner.heights, np.linspace(0.0, 1.0, PIECES + 1)
    (now, base, stride), count, number = begin, len(clock.steps), start
    landings: list[tuple[float, str, complex]] = []
    while now <= duration_s:
        k, shift = number % count, base + stride * (number // count)
        row, ground_s, rise = footholds.orbit.at(k, footholds.velocity), clock.ground_s[k], heights.nominal(k)
        landings += [(now + c.on * ground_s, c.side, place + shift)
                     for c, place in zip(clock.steps[k].contacts, row.places.tolist(), strict=True)]
        coms = footholds.orbit_coms(k, shares.tolist())
        knots += [(now + share * ground_s, com + shift, rise.at(share * ground_s).height, share == 1.0)
                  for share, com in zip(shares.tolist(), coms, strict=True)]
        now, number = now + ground_s + clock.flight_s[k], number + 1
    row = footholds.orbit.at(number % count, footholds.velocity)
    knots.append((now, row.com + base + stride * (number // count), heights.touch_down_m[number % count], False))
    return knots, sorted(landings, key=lambda landing: landing[0])


def _between(knots: list[Knot], times: np.ndarray, gravity_m_s2: float) -> np.ndarray:
    """COM (T, 3), forward, left and up, at times (T,), from knots: straight between them, and in a flight off the chord by
    half of g times the times to both ends, as it falls."""
    at, rows = np.array([k[0] for k in knots]), np.array([[k[1].real, k[1].imag, k[2]] for k in knots])
    out = np.column_stack([np.interp(times, at, column) for column in rows.T])
    before = np.clip(np.searchsorted(at, times, side="right") - 1, 0, len(at) - 2)
    falls = np.array([k[3] for k in knots])[before]
    out[:, 2] += np.where(falls, 0.5 * gravity_m_s2 * (times - at[before]) * (at[before + 1] - times), 0.0)
    return out


def _along(frame: PathFrame, local: np.ndarray) -> np.ndarray:
    """Places (N, 3) of local ones: the way along the path, to its left, and up."""
    path = frame.path
    plane = [path.point(x) + 1j * y * complex(math.cos(path.heading(x)), math.sin(path.heading(x))) for x, y, _ in local.tolist()]
    return np.array([[place.real, place.imag, z] for place, z in zip(plane, local[:, 2].tolist(), strict=True)]).reshape(-1, 3)


class Rehearsal:
    """A `controller` at work on `state` in an engine, which is closed in the end. `time_s`, and the way so far: `times_s` and
    `coms_m`, a list of numbers and of arrays (3,); `fell` tells whether it ended in a fall. `muscles` are those around the
    engine, where it has some."""

    def __init__(self, controller: Controller, state: BodyState, engine: Engine, muscles: PathActuator | None = None) -> None:
        self._controller, self._state, self._engine, self._muscles = controller, state, engine, muscles
        self.time_s, self.fell = 0.0, False
        self.times_s: list[float] = []
        self.coms_m: list[np.ndarray] = []
        engine.reset(*controller.start())
        self._sense()

    def _sense(self) -> None:
        engine, state = self._engine, self._state
        state.update(engine.qpos, engine.qvel)
        self.times_s.append(self.time_s)
        self.coms_m.append(state.com.copy())
        self._controller.sense(Sensed(self.time_s, engine.qpos, engine.qvel, engine.contact_force_n, muscles=self._muscles))

    def run(self, duration_s: float, enough: Callable[[], bool]) -> None:
        """Go on until it is `enough`, the character falls, or the time is over. Raises EngineError where the engine loses it."""
        controller, tick = self._controller, 0
        try:
            while self.time_s < duration_s and not self.fell and not enough():
                command = controller.act()
                if isinstance(command, Accelerations):
                    raise TypeError("A rehearsal steps an engine of its own, which takes no accelerations.")
                command = replace(command, torque=command.torque + self._state.suit_torque)
                self._engine.apply(command, controller.control_step_s)
                tick += 1
                self.time_s = tick * controller.control_step_s
                self._sense()
                self.fell = controller.fallen()
        finally:
            self._engine.close()


STEP_S = 0.1
"""Time between the speeds that are worked out."""
PLACES = 2
"""Digits to which speeds are told apart."""


def feasible_key(shot: Shot, speed_m_s: float, gravity_m_s2: float, leg_length_m: float) -> float:
    """A keyed speed [m/s] as far as the shot's gait can go at it."""
    if shot.motion.force or shot.motion.file is not None:
        return speed_m_s
    known = feasible_range(shot.motion.name, gravity_m_s2, leg_length_m)
    return speed_m_s if known is None else min(max(speed_m_s, known[0]), known[1])


def keyed_gait(
    shot: Shot, keys: Sequence[Key], cycle: Cycle, body: Body, gait: GaitVariables
) -> Callable[[float], GaitVariables] | None:
    """From a time [s] to the gait of a shot's walk that begins with `gait` and comes to the speeds of `keys` as the simulation's
    does; None where no speed is keyed."""
    if not any(key.speed_m_s is not None for key in keys):
        return None
    gravity, ramp = shot.world.gravity_m_s2, SpeedRamp(gait.speed_m_s, gait.speed_m_s, acceleration_g(shot))
    times = np.arange(0.0, shot.duration_s + STEP_S, STEP_S)
    speeds = []
    for time_s in times.tolist():
        wish = keyed_speed(keys, time_s, 0.0, gait.speed_m_s)
        ramp.wish_m_s = feasible_key(shot, gait.speed_m_s if wish is None else wish, gravity, body.leg_length_m)
        ramp.follow(STEP_S if time_s else 0.0, gravity)
        speeds.append(ramp.speed_m_s)

    @lru_cache(maxsize=256)
    def at_speed(speed_m_s: float) -> GaitVariables:
        return gait_variables(shot.with_motion(speed_m_s=speed_m_s, force=True), cycle, body)

    return lambda time_s: at_speed(round(float(np.interp(time_s, times, speeds)), PLACES))


RAMP = "Gravity changes in this shot, and this plan does not know of it: it is made for {0} m/s^2."

CHANGES = "This plan ends at {0} s: then the gait changes, and on which step only the simulation knows."
KEYED = "Speed is keyed in this shot, and this plan does not know of it: it is made for {0} m/s."
AFTER = "This shot goes on from a take: its plan starts where that ends, but in its own gait and on a step of its own."


class Planning(Controller):
    """A controller with a planner at work in it."""

    planner: Planner


ENGINE = "mujoco"
"""What first bounces are rehearsed in, whatever engine the shot asks for."""


def plan_shot(shot: Shot, body: Body, controls: Controls, kind: type[Planning]) -> Plan:
    """The plan of a shot, moved by a controller of that `kind`. Raises LopeError for a shot that cannot be planned."""
    whole, shot = shot, _first_part(shot)
    if whole.motion.keys:
        check_times(parts_of(whole), body)
    cycle = body_cycle(shot, body)
    gait, ground = gait_variables(shot, cycle, body), make_ground(shot.world.ground)
    way = shot_way(shot, gait, cycle, body)
    if isinstance(gait, RunningVariables):
        plan = _running(shot, body, controls, ground, way.pacing is not None, kind)
    else:
        ends = standing_ends(shot) or StandingShot(shot.duration_s, start=False, stop=False)
        plan = plan_preview(GaitTables(cycle, body, controls.points(shot, cycle)), gait, shot.world.gravity_m_s2, ends, way,
                            WalkControls(controls.walk, controls.steps, shot.motion.scaling),
                            keyed_gait(shot, whole.motion.keys, cycle, body, gait))
    plan = replace(plan, along=along(way, gait, shot.world.gravity_m_s2))
    told = [RAMP.format(f"{shot.world.gravity_m_s2:g}")] if shot.world.gravity_ramp else []
    told += [AFTER] if shot.motion.after is not None else []
    keyed = isinstance(gait, RunningVariables) and any(key.speed_m_s for key in whole.motion.keys)
    told += [KEYED.format(f"{gait.speed_m_s:.2f}")] if keyed else []
    told += [CHANGES.format(f"{shot.duration_s:.1f}")] if shot.duration_s < whole.duration_s else []
    if told:
        plan = replace(plan, note=" ".join([*filter(None, [plan.note]), *told]))
    return plan if ground.level else _laid(plan, ground)


def _first_part(shot: Shot) -> Shot:
    """What is planned of a shot: all of it, or where its gait is keyed what comes before the first change."""
    if not shot.motion.keys:
        return shot
    first, *later = parts_of(shot)
    until_s = max(later[0].from_s, DURATION_RANGE_S[0]) if later else shot.duration_s
    return replace(first.shot.with_motion(keys=()), duration_s=until_s, pushes=())


def _running(shot: Shot, body: Body, controls: Controls, ground: Ground, paced: bool, kind: type[Planning]) -> Plan:
    """The plan of a gait with flight, its first bounces rehearsed without pushes and under the first gravity. From standing, and
    where it is `paced` by the path's bends, it is rolled out by a body that obeys: that takes long."""
    calm = replace(shot, pushes=(), world=replace(shot.world, gravity_ramp=()))
    physics, world = kind.physics(calm), calm.world
    model = build_model(body, world, physics)
    state: BodyState
    if paced or shot.motion.start == "standing":
        state = PlannedState(body, model, ground, controls.running_tracker.under(world.gravity_m_s2).swing_gain)
    else:
        state = BodyState(body, model, ground)
    controller = kind(Setup(calm, body, state, Torques, controls))
    driver = controller.planner
    planner = driver.planner if isinstance(driver, PacedPlanner) else driver
    if not isinstance(planner, RunningPlanner | StandingRun):
        raise TypeError(f"A gait with flight is not planned by {type(planner).__name__}.")
    way: Way
    if isinstance(state, PlannedState):
        way = Rollout(driver, state, world.gravity_m_s2)
    else:
        way = _rehearsed(calm, body, controller, state, make_engine(ENGINE, body, world, physics))
    return plan_running(planner, state, way, shot.duration_s, paced)


def _rehearsed(shot: Shot, body: Body, controller: Controller, state: BodyState, engine: Engine) -> Rehearsal:
    """A rehearsal in an engine, with the shot's muscles around it where it has some."""
    if shot.actuation is None:
        return Rehearsal(controller, state, engine)
    muscles = actuator_of(shot, body)
    return Rehearsal(controller, state, Muscled(engine, muscles, shot.actuation.tone), muscles)


def _laid(plan: Plan, ground: Ground) -> Plan:
    """A plan over level ground laid on ground that is not."""
    rise = {name: places + ground.height(places[:, 0], places[:, 1])[:, None] * (0.0, 0.0, 1.0)
            for name in ("com_m", "cart_m", "footstep_m") if (places := getattr(plan, name)).size}
    return replace(plan, **rise)
