# SPDX-License-Identifier: GPL-3.0-or-later
"""What a controller is to the simulation, whatever moves the body: state in, command out. The parts of a shot whose gait is
keyed: each is a shot of one gait, which a controller of its own moves from some time on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from ..bodies.body import Body
from ..bodies.model import Stepping
from ..bodies.muscles.paths import PathActuator
from ..bodies.state import BodyState
from ..engines.engine import Command, Excitations, Rails, Torques
from ..errors import InputError
from ..gaits.path_speeds import Along
from ..specs.shot import Shot
from ..specs.steering import Steering, check_wishes, gait_changes
from .settings import NONE, Row, Values, changed_groups, own_groups, present_names, rows_of

State = tuple[np.ndarray, np.ndarray]
"""Generalised coordinates (nq,) and velocities (nv,)."""
Wish = Mapping[str, Any]
"""What is wished for, by the names of `specs.steering.WISHES`."""
COUNTS = frozenset({"qp_solves", "qp_fallbacks", "steps_taken", "pose_steps", "pose_switches"})
"""Figures of controllers that add up over those that move a body one after the other."""


@dataclass(frozen=True)
class Physics(Stepping):
    """The physics that a controller wants. `acts` is how often the first controller of a shot acts in a step of the loop:
    more than once where it acts far more often than a take is sampled. On `rails` the root goes where the controller says. A
    body of capsules that `passes` goes through itself until it falls: one whose gait was found so. A controller that can begin at
    rest alone goes for `run_up_s` before the shot begins, where that one begins moving."""

    acts: int = 1
    rails: Rails | None = None
    passes: bool = False
    run_up_s: float = 0.0

    def joined(self, other: Physics) -> Physics:
        """The physics that serves both; this one is the first controller's."""
        return Physics(min(self.step_s, other.step_s), self.capsules or other.capsules, max(self.quicker, other.quicker),
                       self.acts, self.rails or other.rails, self.passes, self.run_up_s)


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
    muscles: PathActuator | None = None


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
    """What a shot can be steered to: the speed [m/s] it begins with, the lowest and the highest, gaits by name with the speed
    that each has of its own, the first of which it begins with, and the highest speed of each where they differ."""

    speed_m_s: float
    low_m_s: float
    high_m_s: float
    gaits: tuple[tuple[str, float], ...] = ()
    highest_m_s: tuple[float, ...] = ()


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


@dataclass(frozen=True)
class Part:
    """What is asked for from a time [s] on, until the next part can take over."""

    from_s: float
    shot: Shot


def not_steered(what: str) -> InputError:
    """What a controller without a wheel says to a wish; `what` is its body in words, "A limp body"."""
    return InputError(f"{what} cannot be steered.")


class Controller(ABC):
    """Moves one body. What is asked of the class, before there is a body to move, is of its attributes and class methods; then
    `make` gives the controller of a setup, and the loop calls `start`, then `sense` and `act` by turns.

    A kind of it has a `name`, says which `commands` it can give an engine, and defines `start`, `sense`, `act` and `fallen`; the
    rest it overrides where it can do more than what stands here, which has neither settings nor wheel nor plan and goes on until
    its shot ends. `control_step_s` is the time from `act` to `act`; `subject` says in a word or two what is simulated.
    """

    name: ClassVar[str]
    """What it is called in a shot, on the command line and in the registry."""
    commands: ClassVar[tuple[type[Command], ...]] = (Torques,)
    kinds: ClassVar[tuple[str, ...]] = ()
    """The kinds of bodies that it moves; any where none is named."""
    stands = False
    """Whether its body stands: who falls out of that has the hands free for the ground."""
    who: ClassVar[str] = "This character"
    """Its body in words, "A limp body", for what it cannot do."""
    takes_over: ClassVar[bool] = False
    """Whether it goes on from any state, or only begins in one of its own."""
    after_fall: ClassVar[bool] = False
    """Whether it goes on from a fall, too, so that a shot may name it for that."""
    longest_fall_s: ClassVar[float] = 20.0
    """How long it goes on after a fall at most [s on Earth]; scales with 1 / sqrt(g)."""
    needs_hands: ClassVar[bool] = False
    """Whether it needs both hands, so that nothing can be carried in them."""
    steered_by: ClassVar[tuple[str, ...]] = ()
    """What of `specs.steering.WISHES` its `steer` takes; nothing for one without a wheel."""
    per_motion: ClassVar[bool] = False
    """Whether every clip that it follows has gains of its own, searched by `lope tune` and found again by the clip."""
    former_groups: ClassVar[Mapping[str, str]] = NONE
    """What groups of its settings were called before, which shots and files may still say, and are called now."""

    control_step_s: float
    subject: str

    def __init__(self, setup: Setup) -> None:
        """Raises LopeError for a shot that it cannot serve."""
        self.shot, self.body, self.state = setup.shot, setup.body, setup.state

    @classmethod
    def make(cls, setup: Setup) -> Controller:
        """The controller of a setup. Raises LopeError for a shot or a body that it cannot serve."""
        cls.check(setup)
        return cls.choose(setup)

    @classmethod
    def choose(cls, setup: Setup) -> Controller:
        """The controller of a setup that was checked: one of this class, where a kind of it knows no better."""
        return cls(setup)

    @classmethod
    def check(cls, setup: Setup) -> None:
        """Raises InputError for a body of a kind that it does not move, or an engine that it cannot drive."""
        cls.check_kind(setup.body.kind)
        if setup.wants is Excitations and Excitations not in cls.commands:
            raise InputError(f"The controller {cls.name} cannot move a shot's muscles: leave them out, or choose "
                             "another controller.")
        if setup.wants not in cls.commands:
            raise InputError(f"The controller {cls.name} gives no {setup.wants.__name__.lower()}, which this engine takes: "
                             "choose the engine mujoco or pybullet.")

    @classmethod
    def check_kind(cls, kind: str) -> None:
        """Raises InputError for a kind of bodies that it does not move."""
        if cls.kinds and kind not in cls.kinds:
            raise InputError(f"The controller {cls.name} moves bodies of the kind {' or '.join(cls.kinds)}; this one is "
                             f"{kind}: choose another controller.")

    @classmethod
    def check_steering(cls, steering: Sequence[Steering]) -> None:
        """Raises InputError where it cannot be steered by what is wished for."""
        check_wishes(cls.name, cls.steered_by, [name for one in steering for name in one.wish])

    @classmethod
    def check_parts(cls, parts: Sequence[Part], body: Body) -> None:
        """Raises LopeError for parts of one shot that it cannot move one after the other."""
        raise InputError(f"The controller {cls.name} has neither gait nor speed to key: take the keys out, or choose the "
                         "controller tracking.")

    @classmethod
    def physics(cls, shot: Shot) -> Physics:
        """The physics that it wants for a shot."""
        return Physics()

    @classmethod
    def usual_strength(cls, shot: Shot) -> float:
        """How strong the muscles of a shot are that says nothing of it, over a person's."""
        return 1.0

    @classmethod
    def plan_of(cls, shot: Shot) -> Plan | None:
        """What will happen in a shot, without simulating it to its end; None from one that does not know. Raises LopeError for
        a shot that cannot be planned."""
        return None

    @classmethod
    def steerable(cls, shot: Shot) -> Steerable:
        """What a shot can be steered to. Raises LopeError where it cannot be steered, or not be simulated."""
        check_wishes(cls.name, cls.steered_by, ("speed_m_s",))
        raise not_steered(cls.who)

    @classmethod
    def to_path_end(cls, shot: Shot) -> Shot:
        """A shot that ends where its path does. Raises LopeError where the path has no end, or the controller goes none."""
        raise InputError(f"The controller {cls.name} follows no path: give the shot a duration of its own.")

    @classmethod
    def carried(cls, shot: Shot) -> Shot:
        """A shot whose steering holds all that its wishes name. Raises LopeError for what is not known, or cannot follow."""
        return shot

    @classmethod
    def groups(cls) -> dict[str, Any]:
        """Its groups of settings at their defaults, by name: each a dataclass of `specs.settings`."""
        return {}

    @classmethod
    def searched(cls, shot: Shot) -> tuple[str, ...]:
        """The names of its groups that a search for a shot's gait may vary; none where there is nothing to search. Raises
        LopeError for an unknown gait."""
        return ()

    @classmethod
    def searched_groups(cls, shot: Shot) -> dict[str, Any]:
        """The groups that `searched` names, at their defaults."""
        groups = cls.groups()
        return {name: groups[name] for name in cls.searched(shot)}

    @classmethod
    def setting_rows(cls) -> dict[str, Row]:
        """Its settings by their whole names."""
        return rows_of(cls.groups())

    @classmethod
    def find_setting(cls, name: str) -> Row | None:
        """The setting of a whole name, or of one it had before; None where there is none."""
        group, _, field_name = name.partition(".")
        named = present_names(cls.groups(), {group: {field_name: 0.0}}, cls.former_groups)
        return next((cls.setting_rows().get(f"{now}.{found}") for now, values in named.items() for found in values), None)

    @classmethod
    def check_settings(cls, values: Values) -> None:
        """Raises InputError for settings that it does not have, and for values out of their range."""
        changed_groups(cls.groups(), values, cls.former_groups)

    @classmethod
    def changed(cls, values: Values | None) -> dict[str, Any]:
        """Its groups with those settings replaced that are its own. Raises InputError as `check_settings` does."""
        return own_groups(cls.groups(), values, cls.former_groups)

    @abstractmethod
    def start(self, state: State | None = None) -> State:
        """The state to begin with: a state of its own, or, where one is given, that one, which is taken over as it is."""

    @abstractmethod
    def sense(self, sensed: Sensed) -> None:
        """Take in what is measured: at the start, and after every control step."""

    @abstractmethod
    def act(self) -> Command:
        """The command for the coming control step."""

    def steer(self, wish: Wish) -> None:
        """Take over a wish while moving, such as {"speed_m_s": 1.2}, of those that it says it is `steered_by`; what is not
        named stays as it was wished for before. Raises InputError for what cannot be steered."""
        raise not_steered(self.who)

    def make_way(self, shot: Shot) -> None:
        """From now on make for an instant at which a controller made for another shot, of another gait, can take over. Raises
        InputError where none can."""
        raise InputError("No gait takes over from this controller: take the keys out.")

    def gives_way(self) -> Taken | None:
        """What the controller that is waited for has to know, if it can take over now; else None."""
        return None

    def set_gravity(self, gravity_m_s2: float) -> None:
        """From now on gravity is this [m/s^2]. Raises InputError where it knows one gravity."""
        raise InputError("This controller knows one gravity: take the gravity's ramp out.")

    def successor(self) -> Controller | None:
        """Asked before every control step: the controller that takes over the state as it is now; None where none is to."""
        return None

    @abstractmethod
    def fallen(self) -> bool:
        """Whether the body is past what this controller can save."""

    def done(self) -> bool:
        """Whether nothing more will happen, and the shot may end before its time: a body that fell lies still, a clip that
        somebody was shoved in is over."""
        return False

    def plan(self) -> Plan | None:
        """What will happen in the whole shot; None for a controller that does not know."""
        return None

    def channels(self) -> Mapping[str, Reading]:
        """The controller's series, with their values now."""
        return {}

    def footsteps(self) -> Sequence[tuple[float, Any]] | None:
        """(time [s], Footstep) of the feet that have landed by plan; None from a controller that plans no steps."""
        return None

    def stats(self) -> Mapping[str, Any]:
        """The run's figures, plain JSON values; those that `COUNTS` names are counts."""
        return {}


def parts_of(shot: Shot) -> list[Part]:
    """The parts of a shot in their order; one without keys of its gait is its only part. A gait that is keyed goes at its own
    speed and stride frequency, unless its speed is keyed too; only the last part comes to a stop."""
    changes = gait_changes(shot.motion.keys)
    if not changes:
        return [Part(0.0, shot)]
    parts = [] if changes[0][0] == 0.0 else [Part(0.0, shot.with_motion(stop="moving"))]
    for from_s, gait in changes:
        start = shot.motion.start if from_s == 0.0 else "moving"
        parts.append(Part(from_s, shot.with_motion(name=gait, file=None, speed_m_s=None, stride_frequency_hz=None, start=start,
                                                   stop="moving")))
    parts[-1] = replace(parts[-1], shot=parts[-1].shot.with_motion(stop=shot.motion.stop))
    return parts


def in_gait_of(old: Shot, shot: Shot) -> Shot:
    """A shot in the gait of another one, at that gait's own speed, moving from start to end."""
    return shot.with_motion(name=old.motion.name, file=old.motion.file, tuned=old.motion.tuned, speed_m_s=None,
                            stride_frequency_hz=None, keys=(), start="moving", stop="moving")
