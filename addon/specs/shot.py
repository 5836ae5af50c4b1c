# SPDX-License-Identifier: GPL-3.0-or-later
"""What the artist asks for: a frozen, validated description that round-trips through JSON.

What a shot goes on from: the end of another shot's take. Plain numbers that travel as JSON.
"""

from __future__ import annotations

import cmath
import dataclasses
import hashlib
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..checks import Choice, Maybe, Number, Part, Series, Table, Text, Whole, check_number
from ..errors import InputError
from .creature import CREATURE, Creature, check_creature
from .disturbances import Hit, LooseObject, Reaction, balls_of, check_hits, check_objects
from .keys import Key, Steering, check_keys, check_steering
from .motions.clip import FOLLOWERS, MOVES, Follow, check_follow
from .motions.creature import CONTROLLERS as OF_CREATURES
from .motions.creature import CreatureGait, check_creature_gait, creature_gait_file
from .motions.key_poses import PoseGait, check_pose_gait
from .motions.reflex import CONTROLLERS as BY_REFLEX
from .motions.reflex import REFLEX, Walker, check_reflex
from .motions.stand import CONTROLLERS as STANDING
from .motions.stand import STAND, Stand, check_stand
from .motions.style import Style
from .muscles import Actuation, Condition, check_actuation, check_condition
from .path import Footprint, GroundSpec, PathSpec, check_footprints
from .settings import Checked, setting

_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class After(Checked):
    """The file of a take, the hash of what is in it, and where it ends: the place [m] from which the path of the shot that goes
    on starts, and the direction in which the character faces there, 0 along +x, 90 along +y; and how long it is [s]."""

    WHOSE, FIELD = "The take to go on from's", "field of what a shot goes on from"
    take: str = setting(rule=Text(), words="file")
    sha256: str = setting(rule=Text(), words="hash")
    place_m: tuple[float, float] = setting(rule=Series(Number(-1e6, 1e6, "m"), 2), words="end")
    heading_deg: float = setting(rule=Number(-1e6, 1e6, "degrees"), words="direction")
    time_s: float = setting(rule=Number(0.0, 1e5, "s"), words="length")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not _SHA256.fullmatch(self.sha256):
            raise InputError(f"The hash of a take is 64 hexadecimal digits, its SHA-256, got {self.sha256!r}.")

    @property
    def place(self) -> complex:
        """Where the path starts, x + iy [m]."""
        return complex(*self.place_m)

    @property
    def turn(self) -> complex:
        """The direction there as a unit vector."""
        return cmath.exp(1j * math.radians(self.heading_deg))


def digest_of(path: str | Path) -> str:
    """The hash by which a take's file is known: its SHA-256, as hexadecimal text."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


EARTH_GRAVITY_M_S2 = 9.81
GRAVITY_RANGE_M_S2 = (round(0.05 * EARTH_GRAVITY_M_S2, 9), round(3.0 * EARTH_GRAVITY_M_S2, 9))
WORLD_GRAVITY_RANGE_M_S2 = (0.25, GRAVITY_RANGE_M_S2[1])
"""A world with a name may be lighter than a number that is asked for: Ceres has 0.28 m/s^2."""
HEIGHT_RANGE_M = (0.5, 3.0)
MASS_RANGE_KG = (10.0, 400.0)
DURATION_RANGE_S = (0.5, 3600.0)
ENGINES = ("mujoco", "pybullet", "ideal", "springs")
BODIES = ("human", "planar", CREATURE)
PLANAR_MASS_KG = 90.0
"""Of the planar body in Yin 2007 (section 7.3.1)."""
SCALINGS = ("similar", "fixed")
GAIT_LAWS = ("similar", "people")
"""How a gait goes with gravity: dynamically similar (Kim 2017), or as was measured on people (`gaits.people`)."""
PEOPLE = "people"
AUTO = "auto"
"""The gait that people choose there, at the speed asked (`gaits.choice`)."""
ENDS = ("moving", "standing")
NO_SUIT = "none"
END = "end"
"""What happens after a fall: the shot ends. Anything else names the controller that takes over."""
LEFT_OUT_UNSET = ("keys", "after", "until_end", "retry", "follow", "steering", "pose_gait", "objects", "stand",
                  "hits", "reaction", "actuation", "condition", "reflex", "creature")
"""Fields that are written only where they are set: so a file of a shot without them stays as it was before there were any."""


@dataclass(frozen=True)
class BodySpec(Checked):
    """How the body is made: from height and mass, or from the landmarks of a rig (see `bodies.human.landmarks`).

    `skin_m`: radius of the skin about each segment, named without its side, and how far ahead of the line between its joints
    its middle lies, where a rig tells; it meets the ground when the body falls, the soles apart. `kind`: a human, the planar
    body of seven links, as large as its legs, or a `creature`, which is as large and as heavy as it is drawn."""

    FIELD = "body field"
    height_m: float = setting(1.80, *HEIGHT_RANGE_M, "m")
    mass_kg: float = setting(75.0, *MASS_RANGE_KG, "kg")
    landmarks: dict[str, tuple[float, float, float]] | None = setting(
        None, rule=Maybe(Table(Series(Number(-1e4, 1e4, "m"), 3))))
    skin_m: dict[str, tuple[float, float]] | None = setting(None, rule=Maybe(Table(Series(Number(-2.0, 2.0, "m"), 2))))
    kind: str = setting("human", rule=Choice("kind of body", BODIES))
    creature: Creature | None = setting(None, rule=Maybe(Part(Creature)))

    def __post_init__(self) -> None:
        super().__post_init__()
        check_creature(self.kind, self.creature, {"the landmarks": self.landmarks, "the skin": self.skin_m})


@dataclass(frozen=True)
class World(Checked):
    """Gravity [m/s^2], the ground and its friction coefficient.

    `gravity_ramp` are (time [s], gravity [m/s^2]) pairs: from `gravity_m_s2` at the start, gravity changes linearly from
    one to the next and stays at the last.
    """

    FIELD = "world field"
    name: str = setting("earth", words="name of a world")
    gravity_m_s2: float = setting(EARTH_GRAVITY_M_S2, *WORLD_GRAVITY_RANGE_M_S2, "m/s^2")
    friction: float = setting(0.9, 0.1, 2.0)
    ground: GroundSpec = setting(factory=GroundSpec, rule=Part(GroundSpec))
    gravity_ramp: tuple[tuple[float, float], ...] = setting(
        (), rule=Series(Series(Number(0.0, DURATION_RANGE_S[1]), 2), each="Point {i} of the gravity ramp"))

    def __post_init__(self) -> None:
        super().__post_init__()
        last = 0.0
        for time, gravity in self.gravity_ramp:
            last = check_number("Each time of a gravity ramp", time, last, DURATION_RANGE_S[1], "s, after the one before")
            check_number("Gravity of a ramp", gravity, *GRAVITY_RANGE_M_S2, "m/s^2")


@dataclass(frozen=True)
class Push(Checked):
    """A force [N], world axes, on a segment for a while. The controller is not told; it feels it. One that is `planned` is in the
    motion that a shot follows: then the plan goes along with it."""

    FIELD = "push field"
    start_s: float = setting(rule=Number(0.0, DURATION_RANGE_S[1], "s"), words="push start")
    duration_s: float = setting(rule=Number(0.001, 60.0, "s"), words="push duration")
    force_n: tuple[float, float, float] = setting(rule=Series(Number(-1e5, 1e5, "N"), 3, each="{what}"), words="push force")
    segment: str = setting("chest", words="pushed segment")
    planned: bool = setting(False)


@dataclass(frozen=True)
class Shot(Checked):
    """Everything a simulation needs. The same Shot gives the same Take on the same engine build.

    `start` and `stop` tell whether the character moves or stands at the shot's ends. A shot `until_end` is as long as its path
    and stops standing at its end where the gait can: `duration_s` and `stop` are then worked out. `noise` is the standard
    deviation of what is added to the start's velocities, over each one's natural size; drawn from `seed`. `tuned` uses the
    gait's tuned foot paths where there are any; `force` simulates even a speed outside the gait's feasible range.
    A shot that may `retry` and falls at a speed that nobody asked for is tried again at others (`sim.retry`). `gains`
    are settings of the controller in place of the shipped ones, group by group. `controller` names what moves the body,
    `after_fall` the one that takes over when it has fallen; the shot then goes on until the body rests. `gait_law` tells how
    speed, stride frequency and the rest go with gravity; files from before there were two have none, and are "similar". `keys`
    change speed and gait on the way; `after` is the take at whose end the shot starts.

    A shot that has a clip to `follow` names the controller "follow", and takes from the clip what others take from their gait,
    path, speed, style and ends. Its `duration_s` cuts it short; it ends where the clip ends at the latest, and `until_end` it
    is as long as the clip lasts there (`sim.simulation.resolved` works it out).

    `steering` is what was wished for on the way, by an animator at the wheel (`sim.live.Drive`) or by a script; the controller is
    told at its time.

    `objects` stand and fly about in the world; no controller knows of them. `hits` strike the body; `reaction` is how it takes
    them, and whatever else strikes it. `actuation` names the muscles that move the joints; without it torques do. A
    `condition` is what is other than healthy about a body that muscles move. `creature` is the gait of a creature, where it is
    not to be the one that is stored for the nearest one.
    """

    FIELD = "shot field"
    body: BodySpec = setting(factory=BodySpec, rule=Part(BodySpec))
    world: World = setting(factory=World, rule=Part(World))
    gait: str = setting("walk")
    motion: str | None = setting(None, rule=Maybe(Text()))
    speed_m_s: float | None = setting(None, rule=Maybe(Number(0.05, 15.0, "m/s")))
    stride_frequency_hz: float | None = setting(None, rule=Maybe(Number(0.05, 5.0, "Hz")))
    duration_s: float = setting(10.0, *DURATION_RANGE_S, "s")
    engine: str = setting("mujoco", rule=Choice("engine", ENGINES))
    scaling: str = setting("similar", rule=Choice("gain scaling", SCALINGS))
    pushes: tuple[Push, ...] = setting((), rule=Series(Part(Push)))
    seed: int = setting(0, rule=Whole(0))
    path: PathSpec = setting(factory=PathSpec, rule=Part(PathSpec))
    suit: str = setting(NO_SUIT)
    start: str = setting("moving", rule=Choice("way to start or stop", ENDS))
    stop: str = setting("moving", rule=Choice("way to start or stop", ENDS))
    until_end: bool = setting(False)
    noise: float = setting(0.0, 0.0, 1.0)
    tuned: bool = setting(True)
    force: bool = setting(False)
    retry: bool = setting(False)
    style: Style = setting(factory=Style, rule=Part(Style))
    footprints: tuple[Footprint, ...] = setting((), rule=Series(Part(Footprint)))
    gains: dict[str, dict[str, float]] | None = setting(None, rule=Maybe(Table(
        Table(Number(-1e6, 1e6, "(its own unit)"), each="{what}.{name}"), each="The gain {name}")))
    controller: str = setting("tracking")
    after_fall: str = setting(END)
    gait_law: str = setting("similar", rule=Choice("gait law", GAIT_LAWS))
    keys: tuple[Key, ...] = setting((), rule=Series(Part(Key)))
    after: After | None = setting(None, rule=Maybe(Part(After)))
    follow: Follow | None = setting(None, rule=Maybe(Part(Follow)))
    steering: tuple[Steering, ...] = setting((), rule=Series(Part(Steering)))
    pose_gait: PoseGait | None = setting(None, rule=Maybe(Part(PoseGait)))
    stand: Stand | None = setting(None, rule=Maybe(Part(Stand)))
    objects: tuple[LooseObject, ...] = setting((), rule=Series(Part(LooseObject)), words="loose objects")
    hits: tuple[Hit, ...] = setting((), rule=Series(Part(Hit)))
    reaction: Reaction | None = setting(None, rule=Maybe(Part(Reaction)))
    actuation: Actuation | None = setting(None, rule=Maybe(Part(Actuation)))
    condition: Condition | None = setting(None, rule=Maybe(Part(Condition)))
    reflex: Walker | None = setting(None, rule=Maybe(Part(Walker)), words="reflex walker")
    creature: CreatureGait | None = setting(None, rule=Maybe(Part(CreatureGait)), words="creature's gait")

    def __post_init__(self) -> None:
        super().__post_init__()
        for push in self.pushes:
            if not self.until_end and push.start_s + push.duration_s > self.duration_s + 1e-9:
                raise InputError(f"The push at {push.start_s:g} s lasts {push.duration_s:g} s and ends after the shot, which is "
                                 f"{self.duration_s:g} s long: shorten the push or lengthen the shot.")
        if any(push.planned for push in self.pushes) and (self.follow is None or any(
                push.planned and push.segment != "chest" for push in self.pushes)):
            raise InputError("Only a motion that is followed can have a push in it, and only one on the chest: take its planned "
                             "pushes out, or push unforeseen.")
        check_follow(self.follow, self.controller, {
            "the motion": self.motion, "the speed": self.speed_m_s, "the stride frequency": self.stride_frequency_hz,
            "the path": self.path != PathSpec(), "the style": self.style.changed, "the footprints": self.footprints,
            "the keys": self.keys, "the take to go on from": self.after})
        if self.follow is not None and self.until_end and (self.follow.repeat or self.follow.moves):
            raise InputError("A motion that is repeated or steered goes on for ever: give the shot a duration.")
        check_creature_gait(self.creature, self.controller, self.body.kind, {
            "the motion": self.motion, "the stride frequency": self.stride_frequency_hz, "the style": self.style.changed,
            "the footprints": self.footprints, "the suit": self.suit != NO_SUIT, "the keys": self.keys,
            "the condition": self.condition, "the take to go on from": self.after, "the gravity's ramp": self.world.gravity_ramp,
            "standing at its end": self.stop == "standing", "the end of its path": self.until_end,
            "the actuation (its muscles are its own)": self.actuation})
        check_pose_gait(self.pose_gait, self.controller)
        check_stand(self.stand, self.controller, self.catches)
        check_keys(self.keys, self.duration_s)
        check_steering(self.steering, self.duration_s, {
            "the keys": self.keys, "the footprints": self.footprints, "the end of its path": self.until_end,
            "trying again": self.retry, "stopping at the end": self.stop == "standing"})
        check_objects(self.objects, self.engine)
        check_hits(self.hits, self.duration_s, self.until_end, self.engine)
        check_actuation(self.actuation, self.engine, self.body.kind)
        check_reflex(self.reflex, self.controller, {
            "the motion": self.motion, "the stride frequency": self.stride_frequency_hz, "the path": self.path.kind != "straight",
            "the ground": self.world.ground != GroundSpec(), "the gravity's ramp": self.world.gravity_ramp, "the style":
            self.style.changed, "the footprints": self.footprints, "the keys": self.keys, "the take to go on from": self.after,
            "standing at its ends": "standing" in (self.start, self.stop), "the end of its path": self.until_end,
            "the actuation (it has muscles of its own)": self.actuation})
        check_condition(self.condition, self.actuation is not None, self.controller)
        if self.keys and self.until_end:
            raise InputError("How long a path takes is not known beforehand where speed or gait are keyed: give the shot a "
                             "duration, or take the keys out.")
        if self.footprints and (self.keys or self.after is not None):
            raise InputError("Footprints can be locked only in a shot of one gait and speed that starts by itself: take the keys "
                             "and the take to go on from out, or reset the footprints.")
        check_footprints(self.footprints, standing="standing" in (self.start, self.stop),
                         gravity_changes=bool(self.world.gravity_ramp))

    @property
    def catches(self) -> bool:
        """Whether who follows a clip steps where the clip alone would fall: if asked to, and where something hits."""
        follow = self.follow
        if follow is None or self.controller != FOLLOWERS[0] or follow.moves or follow.repeat:
            return False
        return follow.catch or bool(self.hits)

    @property
    def motion_file(self) -> str | None:
        """The file that its gait is from, or that it follows, or the word for the library's moves; None for a built-in gait."""
        return self.motion if self.follow is None else self.follow.clip or MOVES

    @property
    def loose(self) -> tuple[LooseObject, ...]:
        """All that is loose in the world: its objects, then the balls of its hits, as they lie before they are thrown."""
        return (*self.objects, *balls_of(self.hits, [item.name for item in self.objects]))

    @property
    def reacts(self) -> bool:
        """Whether what strikes the body is noticed."""
        return bool(self.hits) or self.reaction is not None

    @property
    def called(self) -> str:
        """What its motion is called: the gait's name, or the file's without its ending."""
        if self.pose_gait is not None:
            return self.pose_gait.name
        if self.follow is not None and self.follow.moves:
            return MOVES
        if self.controller in STANDING:
            return STAND
        if self.controller in BY_REFLEX:
            return REFLEX if self.reflex is None else self.reflex.name
        if self.controller in OF_CREATURES:
            return CREATURE if self.creature is None else self.creature.name
        return self.gait if self.motion_file is None else Path(self.motion_file).stem

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types; `from_dict` gives an equal Shot back."""
        found = {name: value for name, value in dataclasses.asdict(self).items() if value or name not in LEFT_OUT_UNSET}
        if self.body.skin_m is None:
            del found["body"]["skin_m"]
        found["body"].pop("creature")
        if self.body.creature is not None:
            found["body"]["creature"] = self.body.creature.to_dict()
        if self.follow is not None:
            found["follow"] = self.follow.to_dict()
        if self.steering:
            found["steering"] = [one.to_dict() for one in self.steering]
        if self.body.kind == BodySpec().kind:
            del found["body"]["kind"]
        if self.creature is not None:
            found["creature"] = creature_gait_file(self.creature)
        if self.pose_gait is not None and self.pose_gait.start is None:
            del found["pose_gait"]["start"]
        for push in found["pushes"]:
            if not push["planned"]:
                del push["planned"]
        return found
