# SPDX-License-Identifier: GPL-3.0-or-later
"""Shot to Take: the one loop of controller and engine, with the shot's pushes and punches as forces, control step by control
step. It knows no gait."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import numpy as np

from ..bodies.body import Body
from ..bodies.model import Stepping, build_model
from ..bodies.of_shot import displaced, edged, shot_body
from ..bodies.state import BodyState
from ..engines.engine import Accelerations, Command, Engine, make_engine
from ..engines.strikes import Strikes, Touches, check_clear
from ..errors import EngineError, InputError
from ..gaits.choice import with_gait
from ..locomotion.controller import Controller, Plan, Sensed
from ..locomotion.registry import check_settings, find_controller, find_follower
from ..locomotion.tracking.weights import check_load
from ..specs.disturbances import PUNCH
from ..specs.load import BACK
from ..specs.motions import Followed
from ..specs.shot import EARTH_GRAVITY_M_S2, NO_SUIT, Push, Shot
from ..specs.steering import Steering
from ..worlds.ground import make_ground
from ..worlds.planets import gravity_at, label_of
from .recorder import Recorder, muscles_at_work
from .sequence import Relay, physics_of
from .take import Take

Force = tuple[str, np.ndarray, np.ndarray]
"""Segment, mean force (3,) [N], and where it acts in the segment's frame (3,) [m]."""
LEAST_SHARE = 1e-9


class Pushing:
    """Hands forces on segments to an engine: mean ones, so that each gives its whole impulse."""

    def __init__(self, body: Body, state: BodyState) -> None:
        self._body, self._state = body, state
        self._before: set[str] = set()

    def apply(self, engine: Engine, pushes: Iterable[Push], punches: Iterable[Force], time_s: float, step_s: float) -> None:
        """The pushes of the control step of `step_s` that begins at `time_s`, and the punches."""
        forces: dict[str, np.ndarray] = {}
        for segment, force, place in (*self._of_step(pushes, time_s, step_s), *punches):
            found = forces.setdefault(segment, np.zeros(6))
            found[:3] += force
            arm = self._state.frame(segment).matrix @ (place - self._body.segment(segment).com)
            found[3:] += np.cross(arm, force)
        for segment in sorted(forces.keys() | self._before):
            both = forces.get(segment, np.zeros(6))
            engine.push(segment, both[:3], both[3:])
        self._before = set(forces)

    def _of_step(self, pushes: Iterable[Push], time_s: float, step_s: float) -> Iterator[Force]:
        for push in pushes:
            end = min(push.start_s + push.duration_s, time_s + step_s)
            share = (end - max(push.start_s, time_s)) / step_s
            if share > LEAST_SHARE:
                segment, place = self._body.pushed(push.segment)
                yield segment, share * np.array(push.force_n), place


GRAVITY_CHANGE = 0.01
"""Fraction by which a ramp's gravity changes at a time: far less than a step would feel."""
SAMPLE_STRIDE, LONGEST_SAMPLE_S = 2, 0.018
"""Control steps from sample to sample of the Take, fewer where they would last longer."""
TICK_EDGE_S = 1e-9
"""Times nearer to each other than this are the same tick."""
FELL_BEFORE = "It fell while it got under way, so the shot begins at rest."
STRONG = "The muscles pull with {0} times a person's force, which this gait needs; a strength of 1 gives a person's."
LOOK_S = 0.25
"""Simulated time from one look at progress and cancel to the next."""

Progress = Callable[[float, str], None]


def stride_of(control_step_s: float) -> int:
    """Control steps from sample to sample of the Take."""
    return SAMPLE_STRIDE if SAMPLE_STRIDE * control_step_s < LONGEST_SAMPLE_S + TICK_EDGE_S else 1


def preview(shot: Shot) -> Plan | None:
    """The plan of a shot by the controller that will simulate it, in moments; None from one that does not plan. Raises
    LopeError for a shot that cannot be planned."""
    check_settings(shot.controller, shot.after_fall, shot.gains)
    controller = find_controller(shot.controller)
    shot = resolved(shot)
    controller.check_kind(shot.body.kind)
    return controller.plan_of(shot)


def resolved(shot: Shot, body: Body | None = None) -> Shot:
    """A shot with all that was left to be worked out, for its own body or the one that is given: the gait that people choose
    there, how strong its muscles are, and the time until its path's end, or its clip's. Raises InputError for a path without an
    end, and LopeError for a shot that cannot be planned."""
    if shot.carry is not None:
        heaviest = max(gravity for _, gravity in ((0.0, shot.world.gravity_m_s2), *shot.world.gravity_ramp))
        check_load(shot_body(shot), heaviest, shot.suit != NO_SUIT)
        follower = find_follower(shot.after_fall)
        if follower is not None and follower.needs_hands and shot.carry.place != BACK:
            raise InputError("Who gets up after a fall needs its hands: let it carry the load on the back, or stay down.")
    if not isinstance(shot.motion, Followed):
        shot = with_gait(shot, body or shot_body(shot))
    if shot.actuation is not None and shot.actuation.strength is None:
        strength = find_controller(shot.controller).usual_strength(shot)
        shot = replace(shot, actuation=replace(shot.actuation, strength=strength))
    if not shot.until_end and not isinstance(shot.motion, Followed):
        return shot
    controller = find_controller(shot.controller)
    controller.check_kind(shot.body.kind)
    return controller.to_path_end(shot)


class Simulation:
    """One running simulation; `simulate` drives it to the end. `body` is what the controller knows, `plant` the body that the
    engine moves: the same unless another one with the same joints is given. Raises LopeError for a shot that cannot be
    simulated."""

    def __init__(self, shot: Shot, settings: Any = None, plant: Body | None = None) -> None:
        self._set_up(shot, settings, plant)
        told = list[str]()
        if shot.actuation != self.shot.actuation is not None and self.shot.actuation.strength != 1.0:
            told.append(STRONG.format(f"{self.shot.actuation.strength:.2g}"))
        if not self._gets_under_way():
            self.close()
            self._set_up(shot.with_motion(start="standing"), settings, plant)
            told.append(FELL_BEFORE)
        self._changed = " ".join(told)

    def _set_up(self, shot: Shot, settings: Any, plant: Body | None) -> None:
        """Everything at its beginning."""
        self.body = edged(displaced(shot_body(shot), shot.condition), shot.world.ground)
        self.shot = shot = resolved(shot, self.body)
        self.plant = plant or self.body
        for push in shot.pushes:
            self.body.pushed(push.segment)  # a misspelt one is told before the walk, not at the push
        controller = find_controller(shot.controller)
        controller.check_steering(shot.motion.steering)
        self.shot = shot = controller.carried(shot)
        self._steering = deque(shot.motion.steering)
        physics, ground = physics_of(shot), make_ground(shot.world.ground)
        stepping = Stepping(physics.step_s)
        self.state = BodyState(self.plant, build_model(self.plant, shot.world, stepping), ground)
        known = self.state if self.plant is self.body else BodyState(
            self.body, build_model(self.body, shot.world, stepping), ground)
        self._states = (self.state,) if known is self.state else (self.state, known)
        self.gravity_m_s2 = shot.world.gravity_m_s2
        self._relay = Relay(shot, self.body, known, settings)
        self._muscles = muscles_at_work(shot, self.plant, make_engine(
            shot.engine, self.plant, shot.world, physics, objects=shot.loose, rails=physics.rails))
        self.engine = self._muscles.engine
        self.engine.watches = shot.reacts
        self.engine.bar_itself(not physics.passes)
        self._strikes = Strikes(self.plant, self.state, shot.hits, first=len(shot.objects))
        self._touches = Touches(self.plant.mass_kg)
        self._loose = [item.name for item in shot.loose]
        self._struck: dict[tuple[str, str], np.ndarray] = {}
        self.control_step_s = self._relay.control_step_s
        self.recorder = Recorder(self.plant, self.gravity_m_s2, stride_of(self.control_step_s))
        self.time_fell_s: float | None = None
        self.lost: str | None = None
        self.tick = -round(physics.run_up_s / self.control_step_s)
        self.time_s = self.tick * self.control_step_s
        self._pushing = Pushing(self.body, self.state)
        begin = self._relay.start()
        check_clear(self.plant, shot.world, shot.objects, begin[0])
        self.engine.reset(*begin)
        self._muscles.go_on(self._relay.muscles_at_start)
        self._sense()

    def _gets_under_way(self) -> bool:
        """Go until the shot begins; whether the body stands then."""
        while self.tick < 0 and self.time_fell_s is None and self.lost is None:
            self.step()
        return self.time_fell_s is None and self.lost is None

    @property
    def controller(self) -> Controller:
        """The controller at work."""
        return self._relay.at_work

    def _sense(self) -> None:
        """Let states and controller know what the engine has come to."""
        engine = self.engine
        for state in self._states:
            state.update(engine.qpos, engine.qvel)
        forces = engine.contact_force_n if engine.senses_contact else None
        self.controller.sense(Sensed(self.time_s, engine.qpos, engine.qvel, forces, self._struck, self._muscles.state))

    def step(self) -> None:
        """One control step of the first controller: command, advance the engine, record; one that took over may act several times
        meanwhile. `time_fell_s` tells a fall, `lost` in a sentence that the engine lost the state."""
        self._tell_wishes()
        if self.shot.hits:
            self._strikes.throw(self.time_s, self.control_step_s, self.engine)
        punches = self._strikes.punches(self.time_s, self.control_step_s)
        self._pushing.apply(self.engine, self.shot.pushes, punches, self.time_s, self.control_step_s)
        if self.shot.world.gravity_ramp:
            self._follow_gravity()
        if self.time_fell_s is None and self._relay.change(self.time_s, (self.engine.qpos, self.engine.qvel)):
            self._sense()
        acts = max(1, round(self.control_step_s / self.controller.control_step_s))
        for act in range(acts):
            command = self.controller.act()
            if act == 0 and self.tick >= 0 and self.tick % self.recorder.stride == 0:
                told = {**self.controller.channels(), **self._muscles.readings(command)}
                self.recorder.sample(self.time_s, self.state, told, self.engine.object_pose)
            try:
                self.engine.apply(self._with_suit(command), self.control_step_s / acts)
            except EngineError as error:
                self.lost = str(error)
                return
            if self.tick >= 0:
                self.recorder.gather(self.engine.contact_force_n, self._muscles.gather(command))
            if self.shot.reacts:
                self._note_strikes(self.control_step_s / acts)
            self.time_s = (self.tick + (act + 1) / acts) * self.control_step_s
            self._sense()
        self.tick += 1
        if self.time_fell_s is None and self.controller.fallen():
            self.time_fell_s = self.time_s
            if self._relay.fall((self.engine.qpos, self.engine.qvel)):
                self.engine.bar_itself(True)
                self._sense()

    def wish(self, steering: Steering) -> None:
        """Steer now: what was wished for, at this time, is part of the shot from now on. Raises InputError where the controller
        cannot be steered so."""
        controller = find_controller(self.shot.controller)
        controller.check_steering((steering,))
        now = replace(steering, time_s=self.time_s)
        self.shot = controller.carried(self.shot.with_motion(steering=(*self.shot.motion.steering, now)))
        self._steering.append(self.shot.motion.steering[-1])

    def push(self, push: Push) -> None:
        """Push now: the push, from this time on, is part of the shot. Raises InputError for a segment that there is not."""
        self.body.pushed(push.segment)
        self.shot = replace(self.shot, pushes=(*self.shot.pushes, replace(push, start_s=self.time_s)))

    def end_at(self, duration_s: float) -> None:
        """The shot is to last so long. Raises InputError where it is over by then, or steered or pushed later."""
        self.shot = replace(self.shot, duration_s=duration_s)

    def _tell_wishes(self) -> None:
        """Hand on what is wished for by now; who goes on after a fall is not steered."""
        while self._steering and self._steering[0].time_s <= self.time_s + TICK_EDGE_S:
            wish = self._steering.popleft().wish
            if self.time_fell_s is None:
                self.controller.steer(wish)

    @property
    def last_tick(self) -> int:
        """The control step with which the shot ends at the latest."""
        return round(self.longest_s / self.control_step_s)

    @property
    def share(self) -> float:
        """How much of the shot's own length is simulated, up to a fall."""
        return (self.time_s if self.time_fell_s is None else self.time_fell_s) / self.shot.duration_s

    @property
    def longest_s(self) -> float:
        """When the shot ends at the latest [s]: at its own end, or, after a fall that is simulated, long after it."""
        if self.time_fell_s is None or not self._relay.goes_on_after_fall:
            return self.shot.duration_s
        after_s = self.controller.longest_fall_s * math.sqrt(EARTH_GRAVITY_M_S2 / self.gravity_m_s2)
        return self.time_fell_s + after_s

    def _with_suit(self, command: Command) -> Command:
        """A command with what the suit's joints do by themselves; accelerations have it in them already."""
        if isinstance(command, Accelerations) or not self.state.suited:
            return command
        return replace(command, torque=command.torque + self.state.suit_torque)

    def _follow_gravity(self) -> None:
        """Take over the ramp's gravity whenever it has changed by `GRAVITY_CHANGE`, and where it ends."""
        world = self.shot.world
        gravity = gravity_at(world, self.time_s)
        if gravity == self.gravity_m_s2 or (abs(gravity / self.gravity_m_s2 - 1.0) < GRAVITY_CHANGE
                                            and self.time_s < world.gravity_ramp[-1][0]):
            return
        self.gravity_m_s2 = gravity
        for part in (self.engine, *self._states, self.recorder, self.controller):
            part.set_gravity(gravity)

    def _note_strikes(self, seconds: float) -> None:
        """What struck the body in the last stretch of a control step."""
        loose = self._loose
        self._struck = {(loose[row], segment): impulse for (row, segment), impulse in self.engine.touched.items()}
        for segment, force, _ in self._strikes.punches(self.tick * self.control_step_s, self.control_step_s):
            self._struck[PUNCH, segment] = self._struck.get((PUNCH, segment), 0.0) + seconds * force
        self._touches.note(self.time_s, self._struck)

    @property
    def ended(self) -> bool:
        """Whether nothing more is to be simulated: the character fell and the shot ends with it or it lies still, or the engine
        lost it."""
        fell_for_good = self.time_fell_s is not None and not self._relay.goes_on_after_fall
        return self.lost is not None or fell_for_good or self.controller.done()

    @property
    def over(self) -> bool:
        """Whether the shot is at its end, or has ended before it."""
        return self.tick > self.last_tick or self.ended

    def run_to(self, until_s: float) -> None:
        """Step up to a time, a fall, or the engine's loss of it."""
        while not self.ended and self.time_s < until_s - TICK_EDGE_S:
            self.step()

    def take(self) -> Take:
        """The Take of what has been simulated so far."""
        stats = self._relay.stats() | self._muscles.stats() | {"time_fell_s": self.time_fell_s, "lost": self.lost,
                                       "end_velocity": self.recorder.end_velocity}
        if self._changed:
            stats["changed"] = self._changed
        arrays, channels = self.recorder.series(self._relay.footsteps())
        if self.shot.reacts:
            stats["strikes"] = self._touches.strikes()
            if "object_pose" in arrays:
                arrays["object_pose"] = np.array(arrays["object_pose"])  # a mapped one is read-only
            self._strikes.show(arrays, self.state.ground)
        return Take(self.shot, self.plant, arrays, stats, channels)

    def close(self) -> None:
        """Free what the engine holds."""
        self.engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()


def simulate(
    shot: Shot, progress: Progress | None = None, cancelled: Callable[[], bool] | None = None, settings: Any = None,
) -> Take:
    """Simulate a shot. `progress(share, what)` is called a few times a simulated second, with the share of the shot's own length,
    after a fall that of the fall, as nobody knows how long it takes; `cancelled()` ends it early. `settings` replace the
    controller's own. A character that falls ends the simulation, unless the shot says who takes over then; `Take.fell` tells.
    Raises LopeError for a shot that cannot be simulated."""
    where = label_of(shot.world.name)
    with Simulation(shot, settings) as simulation:
        look = max(round(LOOK_S / simulation.control_step_s), 1)
        while not simulation.over:
            tick = simulation.tick
            if progress and (tick % look == 0 or tick == simulation.last_tick):
                progress(simulation.share, f"simulating {simulation.controller.subject} on {where}")
            simulation.step()
            if cancelled and tick % look == 0 and cancelled():
                break
    return simulation.take()
