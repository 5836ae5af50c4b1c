# SPDX-License-Identifier: GPL-3.0-or-later
"""What a controller is to the simulation, whatever moves the body: state in, command out.

What a controller answers that has neither a wheel nor a plan, and goes on until its shot ends.

The parts of a shot whose gait is keyed: each is a shot of one gait, which a controller of its own moves from some time on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ..bodies.body import Body
from ..bodies.model import PHYSICS_STEP_S
from ..bodies.muscles.paths import MuscleState
from ..bodies.state import BodyState
from ..engines.engine import Command, Rails
from ..errors import InputError
from ..gaits.path_speeds import Along
from ..specs.keys import gait_changes
from ..specs.shot import Shot

State = tuple[np.ndarray, np.ndarray]
"""Generalised coordinates (nq,) and velocities (nv,)."""
Wish = Mapping[str, Any]
"""What is wished for, by the names of `specs.steering.WISHES`."""
COUNTS = frozenset({"qp_solves", "qp_fallbacks", "steps_taken", "pose_steps", "pose_switches"})
"""Figures of controllers that add up over those that move a body one after the other."""


@dataclass(frozen=True)
class Physics:
    """The physics that a controller wants: the length of a step [s], and whether every segment can touch the ground or the
    contact points of the feet alone; `quicker` is how many times as fast as a motion similar to Earth's it goes under its
    gravity: the ground is as much stiffer for it. `acts` is how often the first controller of a shot acts in a step of the loop:
    more than once where it acts far more often than a take is sampled. On `rails` the root goes where the controller says. A
    body of capsules that `passes` goes through itself until it falls: one whose gait was found so. A controller that can begin at
    rest alone goes for `run_up_s` before the shot begins, where that one begins moving."""

    step_s: float = PHYSICS_STEP_S
    capsules: bool = False
    quicker: float = 1.0
    acts: int = 1
    rails: Rails | None = None
    passes: bool = False
    run_up_s: float = 0.0

    def joined(self, other: Physics) -> Physics:
        """The physics that serves both; this one is the first controller's."""
        return Physics(min(self.step_s, other.step_s), self.capsules or other.capsules, max(self.quicker, other.quicker),
                       self.acts, self.rails or other.rails, self.passes,
                       self.run_up_s)


@dataclass(frozen=True)
class Sensed:
    """What is measured at one instant: the state, and the ground's force on each contact point (P, 3) [N], the mean over the
    last control step; None from an engine that knows no contact. `struck` has the impulse (3,) [N s] of what struck the body in
    the last control step, by what it was and by the segment; always empty in a shot where nobody reacts. `muscles` is how the
    body's muscles are now, None where it has none; at the start, before the first command, they have their tone."""

    time_s: float
    qpos: np.ndarray
    qvel: np.ndarray
    contact_force_n: np.ndarray | None
    struck: Mapping[tuple[str, str], np.ndarray] = field(default_factory=dict)
    muscles: MuscleState | None = None


@dataclass(frozen=True)
class Reading:
    """One value of a series that a controller adds to the Take: its unit and what it is now."""

    unit: str
    value: np.ndarray | float | bool


@dataclass(frozen=True)
class Plan:
    """What will happen as far as the controller knows before anything is simulated.

    Times (T,) [s]; `com_m` and `cart_m`, the pendulum's pivot, (T, 3); footsteps (N, 3) [m], the ankle's place on the
    ground, with their times (N,), sides (N,), 0 left, 1 right, and headings (N,) [rad], the toes' turning out not counted. A
    foot that stands at the start comes first, with time 0. A plan that cannot know the end of its shot ends before it, and
    says why in a sentence, `note`. On a path whose bends slow it down, `along` tells where it goes how fast, and `speed_m_s` is
    that of its straights.
    """

    time_s: np.ndarray
    com_m: np.ndarray
    cart_m: np.ndarray
    footstep_m: np.ndarray
    footstep_time_s: np.ndarray
    footstep_side: np.ndarray
    footstep_heading_rad: np.ndarray
    speed_m_s: float
    stride_frequency_hz: float
    froude: float
    note: str = ""
    along: Along | None = None


@dataclass(frozen=True)
class Steerable:
    """What a shot can be steered to: the speed [m/s] it begins with, the lowest and the highest, and gaits by name with the
    speed that each has of its own."""

    speed_m_s: float
    low_m_s: float
    high_m_s: float
    gaits: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True)
class Taken:
    """What is known of a body that is taken over beside its state: the mean speed [m/s] it was to go at, how far along the shot's
    path it is [m], whether it stands on both feet; and of one that changes from another gait the `foot` that it is on."""

    speed_m_s: float
    way_m: float = 0.0
    stands: bool = False
    foot: str | None = None


@dataclass(frozen=True)
class Setup:
    """What a controller is made for. `state` is that of the body as the controller knows it; the body in the engine may be
    another one (a hidden load). `wants` is the kind of command that the engine takes; `control_step_s` is given where another
    controller runs before this one: its own is to be the same or a whole part of it. `settings` replace the controller's own.
    `taken` is given where it goes on from a body that another one moved, `stood` where that one stood and has fallen."""

    shot: Shot
    body: Body
    state: BodyState
    wants: type
    settings: Any = None
    control_step_s: float | None = None
    taken: Taken | None = None
    stood: bool = False


def not_steered(what: str) -> InputError:
    """What a controller without a wheel says to a wish; `what` is its body in words, "A limp body"."""
    return InputError(f"{what} cannot be steered.")


@runtime_checkable
class HandsOver(Protocol):
    """A controller that may know by itself who is to go on in its place."""

    def successor(self) -> Controller | None:
        """Asked before every control step: the controller that takes over the state as it is now; None where none is to."""


@runtime_checkable
class Stands(Protocol):
    """A controller whose body stands: who falls out of it has the hands free for the ground."""

    stands: bool


class Controller(Protocol):
    """Moves one body. The loop calls `start`, then `sense` and `act` by turns.

    `control_step_s` is the time from `act` to `act`; `subject` says in a word or two what is simulated.
    """

    control_step_s: float
    subject: str

    def start(self, state: State | None = None) -> State:
        """The state to begin with: a state of its own, or, where one is given, that one, which is taken over as it is."""

    def sense(self, sensed: Sensed) -> None:
        """Take in what is measured: at the start, and after every control step."""

    def act(self) -> Command:
        """The command for the coming control step."""

    def steer(self, wish: Wish) -> None:
        """Take over a wish while moving, such as {"speed_m_s": 1.2}, of those that its entry says it is `steered_by`; what is not
        named stays as it was wished for before. Raises InputError for what cannot be steered."""

    def make_way(self, shot: Shot) -> None:
        """From now on make for an instant at which a controller made for another shot, of another gait, can take over. Raises
        InputError where none can."""

    def gives_way(self) -> Taken | None:
        """What the controller that is waited for has to know, if it can take over now; else None."""

    def set_gravity(self, gravity_m_s2: float) -> None:
        """From now on gravity is this [m/s^2]."""

    def fallen(self) -> bool:
        """Whether the body is past what this controller can save."""

    def done(self) -> bool:
        """Whether nothing more will happen, and the shot may end before its time: a body that fell lies still, a clip that
        somebody was shoved in is over."""

    def plan(self) -> Plan | None:
        """What will happen in the whole shot; None for a controller that does not know."""

    def channels(self) -> Mapping[str, Reading]:
        """The controller's series, with their values now."""

    def footsteps(self) -> Sequence[tuple[float, Any]] | None:
        """(time [s], Footstep) of the feet that have landed by plan; None from a controller that plans no steps."""

    def stats(self) -> Mapping[str, Any]:
        """The run's figures, plain JSON values; those that `COUNTS` names are counts."""


class Alone:
    """The part of `controller.Controller` that is no. A kind of it overrides what it can; `who` is its body in words, "A limp
    body"."""

    who: str

    def steer(self, wish: Wish) -> None:
        """See `Controller.steer`."""
        raise not_steered(self.who)

    def gives_way(self) -> Taken | None:
        """See `Controller.gives_way`."""
        return None

    def done(self) -> bool:
        """See `Controller.done`."""
        return False

    def plan(self) -> Plan | None:
        """See `Controller.plan`."""
        return None

    def footsteps(self) -> Sequence[tuple[float, Any]] | None:
        """See `Controller.footsteps`."""
        return None


@dataclass(frozen=True)
class Part:
    """What is asked for from a time [s] on, until the next part can take over."""

    from_s: float
    shot: Shot


def parts_of(shot: Shot) -> list[Part]:
    """The parts of a shot in their order; one without keys of its gait is its only part. A gait that is keyed goes at its own
    speed and stride frequency, unless its speed is keyed too; only the last part comes to a stop."""
    changes = gait_changes(shot.keys)
    if not changes:
        return [Part(0.0, shot)]
    parts = [] if changes[0][0] == 0.0 else [Part(0.0, replace(shot, stop="moving"))]
    for from_s, gait in changes:
        start = shot.start if from_s == 0.0 else "moving"
        parts.append(Part(from_s, replace(shot, gait=gait, motion=None, speed_m_s=None, stride_frequency_hz=None, start=start,
                                          stop="moving")))
    parts[-1] = replace(parts[-1], shot=replace(parts[-1].shot, stop=shot.stop))
    return parts


def in_gait_of(old: Shot, shot: Shot) -> Shot:
    """A shot in the gait of another one, at that gait's own speed, moving from start to end."""
    return replace(shot, gait=old.gait, motion=old.motion, tuned=old.tuned, speed_m_s=None, stride_frequency_hz=None, keys=(),
                   start="moving", stop="moving")
