# SPDX-License-Identifier: GPL-3.0-or-later
"""The motions that a shot may be of, a class each; plain values that travel as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any, Self

from ..checks import Choice, Maybe, Number, Part, Series, Table, Text, Whole
from ..errors import InputError
from .creature import CREATURE
from .disturbances import HIT, RAILS
from .motion import ENDS, MOVING, STANDING, After, Motion, Style, refused
from .path import Footprint, PathSpec, check_footprints
from .pose_gait import PoseGait
from .settings import Checked, setting, settings_of
from .steering import SPEED, Key, Steering, check_keys, check_steering

SCALINGS = ("similar", "fixed")
PEOPLE, POLET = OF_PEOPLE = ("people", "polet2018")
GAIT_LAWS = (POLET, "similar", PEOPLE)
"""How a gait goes with gravity: dynamically similar (Kim 2017), or as people go (`gaits.people`): their flights as seen on the
Moon, or as measured on a treadmill by Polet et al. 2018."""
AUTO = "auto"
"""The gait that people choose there, at the speed asked (`gaits.choice`)."""


@dataclass(frozen=True)
class Gait(Motion):
    """A built-in gait by its `name`, or the gait of a clip's `file` in its place. `law` tells how speed, stride frequency and the
    rest go with gravity, `scaling` how the pendulum's gains do. `keys` change speed and gait on the way; `steering` is what was
    wished for on the way, by an animator at the wheel (`sim.live.Drive`) or by a script. `after` is the take at whose end the
    shot starts. `start` and `stop` tell whether the character moves or stands at the shot's ends. A shot `until_end` is as long
    as its path and stops standing at its end where the gait can: `duration_s` and `stop` are then worked out. `tuned` uses the
    gait's tuned foot paths where there are any; `force` simulates even a speed outside the gait's feasible range. One that may
    `retry` and is not done at a speed that nobody asked for is tried again at others (`reports.retry`). `controller` names what
    moves the body."""

    KIND, CONTROLLERS = "gait", ()
    WHOSE, FIELD = "", "field of a gait"
    name: str = setting("walk", words="gait")
    speed_m_s: float | None = setting(None, rule=Maybe(SPEED))
    path: PathSpec = setting(factory=PathSpec, rule=Part(PathSpec))
    law: str = setting("similar", rule=Choice("gait law", GAIT_LAWS), words="gait law")
    style: Style = setting(factory=Style, rule=Part(Style))
    start: str = setting(MOVING, rule=Choice("way to start or stop", ENDS))
    stop: str = setting(MOVING, rule=Choice("way to start or stop", ENDS))
    keys: tuple[Key, ...] = setting((), rule=Series(Part(Key)))
    footprints: tuple[Footprint, ...] = setting((), rule=Series(Part(Footprint)))
    steering: tuple[Steering, ...] = setting((), rule=Series(Part(Steering)))
    file: str | None = setting(None, rule=Maybe(Text()), words="motion")
    stride_frequency_hz: float | None = setting(None, rule=Maybe(Number(0.05, 5.0, "Hz")))
    acceleration_m_s2: float | None = setting(None, rule=Maybe(Number(0.02, 10.0, "m/s²")), words="acceleration")
    after: After | None = setting(None, rule=Maybe(Part(After)))
    until_end: bool = setting(False)
    tuned: bool = setting(True)
    scaling: str = setting("similar", rule=Choice("gain scaling", SCALINGS))
    force: bool = setting(False)
    retry: bool = setting(False)
    controller: str = setting("tracking")

    @property
    def called(self) -> str:
        return self.name if self.file is None else Path(self.file).stem

    @property
    def source_file(self) -> str | None:
        return self.file

    def check(self, shot: Any) -> None:
        check_keys(self.keys, shot.duration_s)
        check_steering(self.steering, shot.duration_s, {
            "the keys": self.keys, "the footprints": self.footprints, "the end of its path": self.until_end,
            "trying again": self.retry, "stopping at the end": self.stop == STANDING})
        if self.keys and self.until_end:
            raise InputError("How long a path takes is not known beforehand where speed or gait are keyed: give the shot a "
                             "duration, or take the keys out.")
        if self.footprints and (self.keys or self.after is not None):
            raise InputError("Footprints can be locked only in a shot of one gait and speed that starts by itself: take the keys "
                             "and the take to go on from out, or reset the footprints.")
        check_footprints(self.footprints, standing=STANDING in (self.start, self.stop),
                         gravity_changes=bool(shot.world.gravity_ramp))


STAND = "stand"
"""What standing is called among the gaits."""
LEGS = ("", "L", "R")
TURN_RAD = 2.0 * math.pi
HELD_LEGS = 0.06
"""A foot so much higher than the other, over the leg's length, is held up and stands no more (first guess)."""


@dataclass(frozen=True)
class StancePose(Checked):
    """A stance as it was posed: rotation vectors [rad] of segments by name, each relative to its parent, the root's in the world;
    those that are not named are not turned. Where its feet stand follows: of who has one foot `HELD_LEGS` over the other, on
    the lower one alone."""

    WHOSE, FIELD = "The pose's", "field of a pose"
    turns: dict[str, tuple[float, float, float]] = setting(rule=Table(
        Series(Number(-TURN_RAD, TURN_RAD, "rad"), 3), each="The turn of {name}"), words="turns")


@dataclass(frozen=True)
class Stand(Motion):
    """A stance, and the ways of keeping it that are allowed. Lengths None are the body's own. The ankles are `apart_m` from each
    other, the left one `ahead_m` before the right; who stands on `one_leg` holds the other up. Ankles always balance; `hips` may,
    and `steps` may be taken, none, so many, or, None, as many as it needs. A foot is lifted no sooner than `reaction_s` after a
    push is felt, and goes no faster than `swing_m_s` on the way. `sway` is how much the body sways while nothing happens, over a
    person's. A `pose` says by itself where the feet stand and how everything else is held. `after` is the take at whose end the
    shot starts."""

    KIND, CONTROLLERS = STAND, ("standing",)
    REFUSES = f"Who stands goes nowhere: leave {{}} out, or choose another gait than {STAND}."
    SUBJECT = "A shot with a stance"
    WHOSE, FIELD = "The stance's", "field of a stance"
    controller = CONTROLLERS[0]
    apart_m: float | None = setting(None, rule=Maybe(Number(0.05, 2.0, "m")), words="distance of the ankles")
    ahead_m: float = setting(0.0, -1.0, 1.0, "m", words="how far the left foot is ahead")
    one_leg: str = setting("", rule=Choice("leg to stand on", LEGS))
    hips: bool = setting(True)
    steps: int | None = setting(None, rule=Maybe(Whole(0, 50)), words="most steps")
    reaction_s: float = setting(0.2, 0.0, 2.0, "s", words="reaction delay")
    swing_m_s: float = setting(6.0, 0.5, 20.0, "m/s", words="fastest swing of an ankle")
    sway: float = setting(1.0, 0.0, 5.0)
    pose: StancePose | None = setting(None, rule=Maybe(Part(StancePose)))
    after: After | None = setting(None, rule=Maybe(Part(After)))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pose is not None and (self.apart_m is not None or self.ahead_m or self.one_leg):
            raise InputError("A stance that was posed has its feet where they were posed: leave their distances and the leg out.")

    @property
    def plain(self) -> bool:
        """Whether the feet stand beside each other as a body's own do."""
        return self.apart_m is None and not self.ahead_m and not self.one_leg and self.pose is None

    @property
    def called(self) -> str:
        return STAND


JUMP = "jump"
"""What a jump is called among the gaits."""


LEAST_UP_M = 0.02
"""A rise below this is no jump."""


@dataclass(frozen=True)
class Jump(Motion):
    """A jump off both feet, from standing to standing: the centre of mass rises `up_m` over how high it is of a body that stands,
    and the feet land `ahead_m` farther on, on level ground or on steps. `until_end` the shot is as long as that takes. `after` is
    the take at whose end the shot starts."""

    KIND, CONTROLLERS = JUMP, ("jumping",)
    REFUSES = "Who jumps goes straight ahead, once: leave {} out."
    SUBJECT = "A shot with a jump"
    NEEDS = "The controller {} jumps, and this shot says not how high: give it a jump, or choose the controller tracking."
    WHOSE, FIELD = "The jump's", "field of a jump"
    WITHOUT = frozenset({"gravity_ramp"})
    controller = CONTROLLERS[0]
    up_m: float = setting(0.3, LEAST_UP_M, 20.0, "m", words="rise")
    ahead_m: float = setting(0.0, 0.0, 20.0, "m", words="distance")
    until_end: bool = setting(False)
    after: After | None = setting(None, rule=Maybe(Part(After)))

    @property
    def called(self) -> str:
        return JUMP


PLANET, OWN_TIME = TIMES = ("planet", "clip")
"""In the planet's time, dynamically similar to the clip on Earth (Froude), or in the clip's own."""
CLIP_TIMES = (*TIMES, PEOPLE)
"""The same of one clip, and as people would go it there (`locomotion.clip.carried`)."""
STRIDE_TIME = (-0.174, -0.326)
"""Exponents of gravity over Earth's, below and above it, in the time of people's strides: what `gaits.people.stride_change` makes
of people's speeds and step lengths."""
FLIGHTS = ("height", "velocity")
"""What of a flight is kept under another gravity: its height, so that the take-off is softer, or the take-off's velocity, so that
it goes higher and lasts longer. The first is the default: on the Moon few stand that fly for three seconds."""
MOVES = "moves"
"""What the motion of a shot is called that goes by the library's moves."""
MOST_FRAMES = 10_000_000
CLIP, PRESSURE = ".bvh", (".csv", ".npz")
"""How the names of clips end, and those of pressure's files; a folder of pressure pictures is called as anybody likes."""


class Followed(Motion):
    """What a clip and the library's moves share: fields `time`, `stretch` and `flight`. In the planet's time everything lasts
    sqrt(g_Earth / g) as long, and as much longer or shorter as the square root of the legs' lengths, body's over clip's;
    `stretch` lasts as many times longer again. In people's time steps last and are as long as people's there."""

    SUBJECT = "A shot that follows a clip"
    REFUSES = "A shot that follows a clip takes its motion from there: leave out {}."
    time: str
    stretch: float
    flight: str

    def time_scale(self, gravity_ratio: float, leg_ratio: float) -> float:
        """How many times longer than in the clip everything lasts under a gravity over Earth's, on legs over the clip's."""
        if self.time == OWN_TIME:
            return self.stretch
        if self.as_people:
            return self.stretch * math.sqrt(leg_ratio) * gravity_ratio ** STRIDE_TIME[gravity_ratio > 1.0]
        return self.stretch * math.sqrt(leg_ratio / gravity_ratio)

    @property
    def as_people(self) -> bool:
        """Whether its steps and carriage change with gravity; a controller that knows only the clip's takes the planet's time."""
        return self.time == PEOPLE and self.controller == Clip.CONTROLLERS[0]


@dataclass(frozen=True)
class Clip(Followed):
    """A clip (a BVH file) that is followed step by step, or pressure under somebody's feet that is read as a motion by a
    `database` of such motions. One to `repeat` goes round between its two most alike touch-downs as long as the shot lasts. Who
    is to `catch` steps where the clip alone would fall, as `stand` says, and goes on with it from there. A shot's `duration_s`
    cuts it short; it ends where the clip ends at the latest, and `until_end` it is as long as that.
    `first_frame` and `last_frame` are of the file, counted from 1; without a first one a T-pose at its start is left out."""

    KIND, CONTROLLERS = "clip", ("follow", "lee", HIT)
    NEEDS = ("The controller {} follows a clip, and this shot names none: give it one, or choose the controller tracking.")
    WHOSE, FIELD = "The followed clip's", "field of a followed clip"
    file: str = setting(rule=Text(), words="file")
    time: str = setting(PEOPLE, rule=Choice("time to follow a clip in", CLIP_TIMES))
    stretch: float = setting(1.0, 0.25, 4.0)
    flight: str = setting(FLIGHTS[0], rule=Choice("way to fly", FLIGHTS))
    repeat: bool = setting(False)
    catch: bool = setting(False)
    database: str | None = setting(None, rule=Maybe(Text()), words="database of pressure")
    until_end: bool = setting(False)
    stand: Stand | None = setting(None, rule=Maybe(Part(Stand)))
    first_frame: int | None = setting(None, rule=Maybe(Whole(1, MOST_FRAMES)), words="first frame")
    last_frame: int | None = setting(None, rule=Maybe(Whole(1, MOST_FRAMES)), words="last frame")
    tuned: bool = setting(True)
    controller: str = setting(CONTROLLERS[0], rule=Choice("controller that follows a clip", CONTROLLERS))

    def __post_init__(self) -> None:
        super().__post_init__()
        ending = PurePath(self.file).suffix.lower()
        if self.database is None and ending in PRESSURE:
            raise InputError(f"{self.file} is pressure, or no clip: name the database of the motions that it is read by, which "
                             "`lope pressure index` makes.")
        if self.database is not None and ending == CLIP:
            raise InputError(f"A database tells which motion pressure is of, and {self.file} is none: leave the database out, or "
                             "follow pressure (.csv, .npz or a folder of pictures).")
        if self.first_frame is not None and self.last_frame is not None and self.first_frame >= self.last_frame:
            raise InputError(f"The clip is to be followed from frame {self.first_frame} to {self.last_frame}: choose a first "
                             "frame before the last one.")
        if self.catch and self.repeat:
            raise InputError("Who follows a clip again and again cannot be caught: leave one of both out.")
        if self.catch and self.controller != self.CONTROLLERS[0]:
            raise InputError(f"Who is to be caught is moved by the controller {self.CONTROLLERS[0]}, not by {self.controller}.")
        if self.until_end and self.repeat:
            raise InputError("A motion that is repeated goes on for ever: give the shot a duration.")

    @property
    def called(self) -> str:
        return PurePath(self.file).stem

    @property
    def source_file(self) -> str | None:
        return self.file

    def catches(self, hit: bool) -> bool:
        """Whether who follows it steps where the clip alone would fall: if asked to, and where something is to hit."""
        return self.controller == self.CONTROLLERS[0] and not self.repeat and (self.catch or hit)

    def check(self, shot: Any) -> None:
        if self.stand is None:
            return
        if not self.catches(bool(shot.hits)):
            raise InputError("Only who stands has a stance: choose the gait stand, or leave the stance out.")
        if self.stand.apart_m is not None or self.stand.ahead_m or self.stand.one_leg:
            raise InputError("Who is caught in a clip stands as the clip does: leave out how far apart or ahead the feet are, "
                             "and the leg.")


@dataclass(frozen=True)
class Moves(Followed):
    """The moves of the library, standing at first and then as the `steering` says."""

    KIND, CONTROLLERS = MOVES, Clip.CONTROLLERS[:1]
    SUBJECT = "A shot that goes by the moves of the library"
    REFUSES = "The moves of the library go on as they are steered: leave {} out."
    WHOSE, FIELD = "The moves'", "field of the library's moves"
    controller = CONTROLLERS[0]
    steering: tuple[Steering, ...] = setting((), rule=Series(Part(Steering)))
    time: str = setting("planet", rule=Choice("time to follow a clip in", TIMES))
    stretch: float = setting(1.0, 0.25, 4.0)
    flight: str = setting(FLIGHTS[0], rule=Choice("way to fly", FLIGHTS))

    @property
    def called(self) -> str:
        return MOVES

    @property
    def source_file(self) -> str | None:
        return MOVES


def follower_of(law: str) -> str:
    """The controller that follows a clip and takes hits by a law, one of `hit.LAWS`."""
    return HIT if law == RAILS else Clip.CONTROLLERS[0]


@dataclass(frozen=True)
class KeyPoses(Motion):
    """A machine of key poses (Yin 2007, SIMBICON), and how it is steered; its `speed_m_s` is the gait's own where none is given.
    `start` tells whether the shot before it stood; `after` is the take at whose end it starts."""

    KIND, CONTROLLERS = "key_poses", ("pose_gait",)
    SUBJECT = "A shot with a pose gait"
    NEEDS = ("The controller {} goes by key poses, and this shot has no pose gait: give it one, or choose the controller "
             "tracking.")
    REFUSES = "A gait from key poses goes as its poses and its steering have it: leave {} out."
    WITHOUT = frozenset({"carry"})
    WHOSE, FIELD = "", "field of a gait from key poses"
    controller = CONTROLLERS[0]
    gait: PoseGait = setting(rule=Part(PoseGait), words="pose gait")
    speed_m_s: float | None = setting(None, rule=Maybe(SPEED))
    path: PathSpec = setting(factory=PathSpec, rule=Part(PathSpec))
    steering: tuple[Steering, ...] = setting((), rule=Series(Part(Steering)))
    start: str = setting(MOVING, rule=Choice("way to start or stop", ENDS))
    after: After | None = setting(None, rule=Maybe(Part(After)))

    @property
    def called(self) -> str:
        return self.gait.name

    def to_dict(self) -> dict[str, Any]:
        told = super().to_dict()
        if self.gait.start is None:
            del told["gait"]["start"]
        return told


REFLEX = "reflex"
"""What a gait by reflexes is called among the gaits."""
WALKER_FORMAT = 1


@dataclass(frozen=True)
class Trial(Checked):
    """How a walker did in a trial of its own: how long it stood of how long was asked [s], what a kilogram costs it a metre
    [J/kg/m], resting included, and its steps' length [m]. None is not measured."""

    WHOSE, FIELD = "The trial's", "field of a trial"
    stood_s: float | None = setting(None, rule=Maybe(Number(0.0, 1e5, "s")), words="time stood")
    asked_s: float | None = setting(None, rule=Maybe(Number(0.0, 1e5, "s")), words="time asked")
    cost_of_transport_j_kg_m: float | None = setting(None, rule=Maybe(Number(0.0, 1e4, "J/kg/m")), words="cost of transport")
    step_length_m: float | None = setting(None, rule=Maybe(Number(0.0, 20.0, "m")), words="step length")


@dataclass(frozen=True)
class Walker(Checked):
    """One walker: the speed that it comes to and its stride frequency, with the standard body under its own gravity, and the
    numbers of its reflexes by name, with which `locomotion/reflex/parameters.py` deals; those that are not named are as at the
    start of a search. `leg_length_m` is the leg of the body it was searched on, unsaid the standard body's."""

    WHOSE, FIELD = "The walker's", "field of a walker"
    name: str = setting(rule=Text())
    speed_m_s: float = setting(rule=Number(0.05, 15.0, "m/s"))
    stride_frequency_hz: float = setting(rule=Number(0.05, 5.0, "Hz"))
    parameters: dict[str, float] = setting(rule=Table(Number(-1e6, 1e6, "(its own unit)"), each="The parameter {name}"))
    gravity_m_s2: float = setting(9.81, 0.25, 29.43, "m/s^2")
    summary: str = setting("found by a search", rule=Text())
    source: str = setting("found by a search", rule=Text())
    trial: Trial | None = setting(None, rule=Maybe(Part(Trial)))
    format: int = setting(WALKER_FORMAT, rule=Whole(1, WALKER_FORMAT))
    leg_length_m: float = setting(0.8838, 0.05, 10.0, "m")


def walker_file(walker: Walker) -> dict[str, Any]:
    """What a walker's file holds: all that is not as it is where nothing is said."""
    return _file_of(walker, ("gravity_m_s2",))


def _file_of(made: Walker | CreatureGait, always: tuple[str, ...]) -> dict[str, Any]:
    """The format first, the trial last; what is `always` told, though it is as where nothing is said."""
    own: type = type(made)
    told = {name: getattr(made, name) for name, rule in settings_of(own).items()
            if name not in ("format", "trial") and (name in always or getattr(made, name) != rule.default)}
    tried = {} if made.trial is None else {name: value for name, value in vars(made.trial).items() if value is not None}
    return {"format": made.format, **told, **({} if made.trial is None else {"trial": tried})}


@dataclass(frozen=True)
class Reflex(Motion):
    """A walk or a run by muscle reflexes alone: a `walker`, None for the shipped one that is nearest to the speed. It goes
    straight on along its path's heading; `force` lets it go under a gravity that it was not searched for."""

    KIND, CONTROLLERS = REFLEX, ("reflex",)
    SUBJECT = "A shot with a reflex walker"
    REFUSES = ("Who goes by reflexes goes straight on over level ground as its reflexes have it: leave {} out, or choose the "
               "controller tracking.")
    WITHOUT = frozenset({"ground", "gravity_ramp", "actuation", "carry"})
    WHOSE, FIELD = "", "field of a walk by reflexes"
    controller = CONTROLLERS[0]
    walker: Walker | None = setting(None, rule=Maybe(Part(Walker)), words="reflex walker")
    speed_m_s: float | None = setting(None, rule=Maybe(SPEED))
    path: PathSpec = setting(factory=PathSpec, rule=Part(PathSpec))
    force: bool = setting(False)

    def __post_init__(self) -> None:
        super().__post_init__()
        refused(self.REFUSES, ["the path"] * (self.path.kind != "straight"))

    @property
    def called(self) -> str:
        return REFLEX if self.walker is None else self.walker.name

    def to_dict(self) -> dict[str, Any]:
        return super().to_dict() | ({} if self.walker is None else {"walker": walker_file(self.walker)})

    @classmethod
    def of(cls, wished: Mapping[str, Any]) -> Self:
        refused(cls.REFUSES, ["standing at its ends"] * (STANDING in (wished.get("start"), wished.get("stop"))))
        return super().of(wished)


GAIT_FORMAT = 1
USER_FOLDER = "LOPE_CREATURE_GAITS"
"""Environment variable naming a folder with the gaits that a user's own searches found: Blender's user has one."""
ANY = Number(-1e6, 1e6, "(its own unit)")


@dataclass(frozen=True)
class CreatureTrial(Checked):
    """How a gait did in trials of its own: how many of the starts, each with velocities off by a draw, still stood after
    `seconds`; the rest is of those that stood. Forces are over the weight, shares over a step, lengths over the leg.
    None is not measured."""

    WHOSE, FIELD = "The trial's", "field of a trial"
    starts: int | None = setting(None, rule=Maybe(Whole(1, 10000)), words="number of starts")
    stood: int | None = setting(None, rule=Maybe(Whole(0, 10000)), words="number that stood")
    seconds: float | None = setting(None, rule=Maybe(Number(0.0, 1e5, "s")), words="length")
    speed_m_s: float | None = setting(None, rule=Maybe(Number(-15.0, 15.0, "m/s")), words="speed")
    step_s: float | None = setting(None, rule=Maybe(Number(0.0, 100.0, "s")), words="time from step to step")
    step_width: float | None = setting(None, rule=Maybe(Number(-5.0, 5.0)), words="width of steps over the leg")
    force_peak: float | None = setting(None, rule=Maybe(Number(0.0, 1e3)), words="peak of the landing force over the weight")
    double_support: float | None = setting(None, rule=Maybe(Number(0.0, 1.0)), words="share on both feet")
    flight: float | None = setting(None, rule=Maybe(Number(0.0, 1.0)), words="share in the air")
    stance_leg: float | None = setting(None, rule=Maybe(Number(0.0, 2.0)), words="stance leg's length over the straight leg")
    clearance: float | None = setting(None, rule=Maybe(Number(-1.0, 2.0)), words="toes' height in mid-swing over the leg")
    cpu_s: float | None = setting(None, rule=Maybe(Number(0.0, 1e8, "s")), words="processor time of its search")


@dataclass(frozen=True)
class CreatureGait(Checked):
    """One gait: of which creature it is, the speed that it comes to there under its own gravity, and the numbers of its law by
    name, with which `locomotion/creature/parameters.py` deals; those that are not named are as untuned. `leg_length_m` is
    the sum of a leg's segments without the foot; with `mass_kg` and `proportions` (dimensionless, by name) it tells which other
    body is near. `muscles`, where muscles move it, are groups of numbers by name."""

    WHOSE, FIELD = "The gait's", "field of a creature's gait"
    name: str = setting(rule=Text())
    creature: str = setting(rule=Text(), words="creature's name")
    speed_m_s: float = setting(rule=Number(0.0, 15.0, "m/s"))
    gravity_m_s2: float = setting(9.81, 0.25, 29.43, "m/s^2")
    parameters: dict[str, float] = setting(factory=dict, rule=Table(ANY, each="The parameter {name}"))
    leg_length_m: float = setting(1.0, 0.02, 50.0, "m")
    mass_kg: float = setting(75.0, 0.01, 1e6, "kg")
    proportions: dict[str, float] = setting(factory=dict, rule=Table(ANY, each="The proportion {name}"))
    trial: CreatureTrial | None = setting(None, rule=Maybe(Part(CreatureTrial)))
    source: str = setting("found by a search", rule=Text())
    muscles: dict[str, dict[str, float]] | None = setting(None, rule=Maybe(Table(
        Table(ANY, each="{what}.{name}"), each="The muscles' {name}")))
    format: int = setting(GAIT_FORMAT, rule=Whole(1, GAIT_FORMAT))

    @property
    def dimensionless_speed(self) -> float:
        """Its speed over the root of gravity and leg: what a Froude number is the square of."""
        return self.speed_m_s / math.sqrt(self.gravity_m_s2 * self.leg_length_m)


def creature_gait_file(gait: CreatureGait) -> dict[str, Any]:
    return _file_of(gait, ("gravity_m_s2", "leg_length_m", "mass_kg"))


@dataclass(frozen=True)
class Creature(Motion):
    """A creature on two legs, the shot's body, by torques, or by muscles. `gait` is what it goes by, None for the untuned law."""

    KIND, CONTROLLERS = CREATURE, ("creature", "creature_muscles")
    SUBJECT = "A shot with a creature's gait"
    REFUSES = "A creature goes by a law of its own, which knows no built-in gait: leave {} out."
    WITHOUT = frozenset({"suit", "condition", "gravity_ramp", "actuation", "carry"})
    WHOSE, FIELD = "", "field of a creature's motion"
    gait: CreatureGait | None = setting(None, rule=Maybe(Part(CreatureGait)), words="creature's gait")
    speed_m_s: float | None = setting(None, rule=Maybe(SPEED))
    path: PathSpec = setting(factory=PathSpec, rule=Part(PathSpec))
    steering: tuple[Steering, ...] = setting((), rule=Series(Part(Steering)))
    start: str = setting(MOVING, rule=Choice("way to start or stop", ENDS))
    scaling: str = setting("similar", rule=Choice("gain scaling", SCALINGS))
    controller: str = setting(CONTROLLERS[0], rule=Choice("controller of a creature", CONTROLLERS))

    @property
    def called(self) -> str:
        return CREATURE if self.gait is None else self.gait.name

    def to_dict(self) -> dict[str, Any]:
        return super().to_dict() | ({} if self.gait is None else {"gait": creature_gait_file(self.gait)})

    def check(self, shot: Any) -> None:
        if shot.body.kind != CREATURE:
            raise InputError(f"The controller {self.controller} moves creatures, not a body of kind {shot.body.kind}: give a "
                             "creature, or choose the controller tracking.")
        super().check(shot)
