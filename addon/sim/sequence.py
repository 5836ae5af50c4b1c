# SPDX-License-Identifier: GPL-3.0-or-later
"""Who moves the body when: a shot's controllers, one after the other, each of which takes over the state as it is.

A shot whose gait is keyed, or that goes on from a take of another gait, has a controller for each of its parts; after a fall the
one takes over that the shot names.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..bodies.body import Body
from ..bodies.state import BodyState
from ..engines.engine import accepted_commands
from ..locomotion.controller import (
    COUNTS,
    Controller,
    HandsOver,
    Part,
    Physics,
    Setup,
    Stands,
    State,
    Taken,
    in_gait_of,
    parts_of,
)
from ..locomotion.registry import check_settings, find_controller, find_follower
from ..specs.motions.motion import STANDING
from ..specs.shot import Shot
from .continuation import End, MusclesBefore, load_end


def physics_of(shot: Shot) -> Physics:
    """The physics that serves every controller of a shot. Raises InputError for controllers and settings that there are not."""
    check_settings(shot.controller, shot.after_fall, shot.gains)
    physics, follower = find_controller(shot.controller).physics(shot), find_follower(shot.after_fall)
    return physics if follower is None else physics.joined(follower.physics(shot))


class Relay:
    """The controllers of a shot that have been at work so far; the last one of them is. `control_step_s` is the loop's: the
    first one's, or a few of them."""

    def __init__(self, shot: Shot, body: Body, state: BodyState, settings: Any = None) -> None:
        """`state` is that of the body as the controllers know it; `settings` replace the first controller's own. Raises LopeError
        for a shot that cannot be simulated."""
        self._shot, self._kind, self._state = shot, find_controller(shot.controller), state
        self._end = end = None if shot.motion.after is None else load_end(shot, state)
        self._parts = _parts(shot, end, self._kind)
        if shot.motion.keys or len(self._parts) > 1:
            self._kind.check_parts(self._parts, body)
        setup = Setup(self._parts.pop(0).shot, body, state, accepted_commands(shot.engine, shot.actuation is not None),
                      settings, taken=None if end is None else Taken(end.speed_m_s, stands=end.stands))
        self._controllers: list[Controller] = [self._kind.make(setup)]
        self._gaits = [self.at_work.subject]
        self.control_step_s = self._kind.physics(shot).acts * self.at_work.control_step_s
        self._setup = replace(setup, control_step_s=self.control_step_s)
        self._makes_way = False
        self._follower = find_follower(shot.after_fall)
        if self._follower is not None:
            self._after_fall = replace(self._setup, shot=shot, settings=None, taken=None)
            self._follower.check(self._after_fall)

    @property
    def at_work(self) -> Controller:
        """The controller at work."""
        return self._controllers[-1]

    @property
    def goes_on_after_fall(self) -> bool:
        """Whether the shot says who takes over after a fall."""
        return self._follower is not None

    def start(self) -> State:
        """The state that the first controller begins in."""
        end = self._end
        return self.at_work.start(None if end is None else (end.qpos, end.qvel))

    @property
    def muscles_at_start(self) -> MusclesBefore | None:
        """The muscles of the take that the shot goes on from."""
        return None if self._end is None else self._end.muscles

    def change(self, time_s: float, state: State) -> bool:
        """Let the next part's controller take over from the part's time [s] on, as soon as the present one can give way to it,
        or the one that the present one hands over to by itself; gives whether any has."""
        coming = self.at_work.successor() if isinstance(self.at_work, HandsOver) else None
        if coming is not None:
            coming.start(state)
            self._controllers.append(coming)
            self._gaits.append(coming.subject)
            return True
        if not self._parts or time_s < self._parts[0].from_s - 1e-9:
            return False
        if not self._makes_way:
            self.at_work.make_way(self._parts[0].shot)
            self._makes_way = True
        taken = self.at_work.gives_way()
        if taken is None:
            return False
        self._makes_way = False
        self._hand_over(self._kind, replace(self._setup, shot=self._parts.pop(0).shot, taken=taken), state)
        self._gaits.append(self.at_work.subject)
        return True

    def fall(self, state: State) -> bool:
        """Let the controller take over that the shot names for after a fall; gives whether there is one."""
        if self._follower is None:
            return False
        stood = isinstance(self.at_work, Stands) and self.at_work.stands
        self._hand_over(self._follower, replace(self._after_fall, stood=stood), state)
        return True

    def _hand_over(self, kind: type[Controller], setup: Setup, state: State) -> None:
        """The next controller takes over the state as it is, under the gravity that there is now."""
        coming, gravity = kind.make(setup), -float(self._state.gravity[2])
        if gravity != self._shot.world.gravity_m_s2:
            coming.set_gravity(gravity)
        coming.start(state)
        self._controllers.append(coming)

    def stats(self) -> dict[str, Any]:
        """The figures of all controllers: counts add up, of the others the last one's holds; where gaits change in the shot, the
        one that it ends in."""
        stats: dict[str, Any] = {}
        for controller in self._controllers:
            own = controller.stats()
            stats |= {name: stats.get(name, 0) + value if name in COUNTS else value for name, value in own.items()}
        if self._shot.motion.keys or self._shot.motion.after is not None:
            stats["gait_at_end"] = self._gaits[-1]
        return stats

    def footsteps(self) -> list[tuple[float, Any]] | None:
        """(time [s], Footstep) of the feet that have landed by plan; None where the first controller plans no steps."""
        steps = [controller.footsteps() for controller in self._controllers[:len(self._gaits)]]
        return None if steps[0] is None else [step for found in steps for step in found or ()]


def _parts(shot: Shot, end: End | None, kind: type[Controller]) -> list[Part]:
    """The parts of a shot, each with its own controller. One that goes on from a take that ends moving goes on in that one's gait
    until its own can take over; a controller that takes any state over needs no such part."""
    parts = parts_of(shot)
    if end is None or kind.takes_over:
        return parts
    first = parts[0].shot
    if end.stands:
        parts[0] = replace(parts[0], shot=first.with_motion(start=STANDING))
    elif (first.motion.name, first.motion.file) != (end.shot.motion.name, end.shot.motion.file):
        parts.insert(0, Part(0.0, in_gait_of(end.shot, first)))
    return parts
