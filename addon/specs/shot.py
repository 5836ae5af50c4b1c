# SPDX-License-Identifier: GPL-3.0-or-later
"""What the artist asks for: a frozen, validated description that round-trips through JSON."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from ..checks import Choice, Maybe, Number, Part, Series, Table, Whole, check_number
from ..errors import InputError, shown
from .creature import CREATURE, Creature, check_creature
from .disturbances import Hit, LooseObject, Reaction, balls_of, check_hits, check_objects
from .former_shot import in_this_form, motion_in
from .load import Load
from .motion import Motion, plain
from .motions import Clip, Followed, Gait
from .muscles import Actuation, Condition, check_actuation, check_condition
from .path import GroundSpec
from .settings import Checked, setting

EARTH_GRAVITY_M_S2 = 9.81
GRAVITY_RANGE_M_S2 = (round(0.05 * EARTH_GRAVITY_M_S2, 9), round(3.0 * EARTH_GRAVITY_M_S2, 9))
WORLD_GRAVITY_RANGE_M_S2 = (0.25, GRAVITY_RANGE_M_S2[1])
"""A world with a name may be lighter than a number that is asked for: Ceres has 0.28 m/s^2."""
HEIGHT_RANGE_M = (0.5, 3.0)
MASS_RANGE_KG = (10.0, 400.0)
DURATION_RANGE_S = (0.5, 3600.0)
ENGINES = ("mujoco", "pybullet", "ideal", "springs")
SAGITTAL = "sagittal"
BODIES = ("human", "planar", CREATURE, SAGITTAL)
PLANAR_MASS_KG = 90.0
"""Of the planar body in Yin 2007 (section 7.3.1)."""
Kind = TypeVar("Kind", bound=Motion)
NO_SUIT = "none"
END = "end"
"""What happens after a fall: the shot ends. Anything else names the controller that takes over."""
LEFT_OUT_UNSET = ("objects", "hits", "reaction", "actuation", "condition", "gains", "carry")
"""Fields that are written only where they are set."""


@dataclass(frozen=True)
class BodySpec(Checked):
    """How the body is made: from height and mass, or from the landmarks of a rig (see `bodies.human.landmarks`). `skin_m`: radius
    of the skin about each segment, named without its side, and how far ahead of the line between its joints its middle lies,
    where a rig tells; it meets the ground when the body falls, the soles apart. `kind`: a human, the planar body of seven links,
    as large as its legs, a `creature`, which is as large and as heavy as it is drawn, or `sagittal`: a human's lengths and masses
    in seven links in the sagittal plane."""

    FIELD = "body field"
    height_m: float = setting(1.80, *HEIGHT_RANGE_M, "m")
    mass_kg: float = setting(75.0, *MASS_RANGE_KG, "kg")
    landmarks: dict[str, tuple[float, float, float]] | None = setting(None, rule=Maybe(Table(Series(Number(-1e4, 1e4, "m"), 3))))
    skin_m: dict[str, tuple[float, float]] | None = setting(None, rule=Maybe(Table(Series(Number(-2.0, 2.0, "m"), 2))))
    kind: str = setting("human", rule=Choice("kind of body", BODIES))
    creature: Creature | None = setting(None, rule=Maybe(Part(Creature)))

    def __post_init__(self) -> None:
        super().__post_init__()
        check_creature(self.kind, self.creature, {"the landmarks": self.landmarks, "the skin": self.skin_m})

    def __hash__(self) -> int:
        tables = ((name, *numbers) for table in (self.landmarks, self.skin_m) for name, numbers in (table or {}).items())
        return hash((self.height_m, self.mass_kg, self.kind, *tables))


@dataclass(frozen=True)
class World(Checked):
    """Gravity [m/s^2], the ground and its friction coefficient. `gravity_ramp` are (time [s], gravity [m/s^2]) pairs: from
    `gravity_m_s2` at the start, gravity changes linearly from one to the next and stays at the last."""

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


class MotionRule:
    """A motion, whatever it is; JSON tells it by its kind."""

    def check(self, what: str, value: Any) -> None:
        if not isinstance(value, Motion):
            raise InputError(f"{what} must be a motion such as Gait or Clip, got {shown(value)}.")

    def read(self, what: str, value: Any) -> Motion:
        return value if isinstance(value, Motion) else motion_in(value)


@dataclass(frozen=True)
class Shot(Checked):
    """Everything a simulation needs. The same Shot gives the same Take on the same engine build. `motion` is what moves the
    character: a gait, a clip, moves, key poses, standing, reflexes or a creature's own law. `noise` is the standard deviation of
    what is added to the start's velocities, over each one's natural size; drawn from `seed`. `gains` are settings of the
    controller in place of the shipped ones, group by group. `after_fall` names the controller that takes over when the body has
    fallen; the shot then goes on until it rests. `objects` stand and fly about in the world; no controller knows of them. `hits`
    strike the body; `reaction` is how it takes them, and whatever else strikes it. `actuation` names the muscles that move the
    joints; without it torques do. A `condition` is what is other than healthy about a body that muscles move. `carry` is a load
    that the body carries all along, and knows. Shots of the form before there was `motion` are read, too (`former_shot`)."""

    FIELD = "shot field"
    body: BodySpec = setting(factory=BodySpec, rule=Part(BodySpec))
    world: World = setting(factory=World, rule=Part(World))
    motion: Motion = setting(factory=Gait, rule=MotionRule())
    duration_s: float = setting(10.0, *DURATION_RANGE_S, "s")
    engine: str = setting("mujoco", rule=Choice("engine", ENGINES))
    pushes: tuple[Push, ...] = setting((), rule=Series(Part(Push)))
    seed: int = setting(0, rule=Whole(0))
    suit: str = setting(NO_SUIT)
    noise: float = setting(0.0, 0.0, 1.0)
    gains: dict[str, dict[str, float]] | None = setting(None, rule=Maybe(Table(
        Table(Number(-1e6, 1e6, "(its own unit)"), each="{what}.{name}"), each="The gain {name}")))
    after_fall: str = setting(END)
    objects: tuple[LooseObject, ...] = setting((), rule=Series(Part(LooseObject)), words="loose objects")
    hits: tuple[Hit, ...] = setting((), rule=Series(Part(Hit)))
    reaction: Reaction | None = setting(None, rule=Maybe(Part(Reaction)))
    actuation: Actuation | None = setting(None, rule=Maybe(Part(Actuation)))
    condition: Condition | None = setting(None, rule=Maybe(Part(Condition)))
    carry: Load | None = setting(None, rule=Maybe(Part(Load)), words="load")

    def __post_init__(self) -> None:
        super().__post_init__()
        for push in self.pushes:
            if not self.until_end and push.start_s + push.duration_s > self.duration_s + 1e-9:
                raise InputError(f"The push at {push.start_s:g} s lasts {push.duration_s:g} s and ends after the shot, which is "
                                 f"{self.duration_s:g} s long: shorten the push or lengthen the shot.")
        planned = [push for push in self.pushes if push.planned]
        if planned and not (isinstance(self.motion, Followed) and all(push.segment == "chest" for push in planned)):
            raise InputError("Only a motion that is followed can have a push in it, and only one on the chest: take its planned "
                             "pushes out, or push unforeseen.")
        self.motion.check(self)
        check_objects(self.objects, self.engine)
        check_hits(self.hits, self.duration_s, self.until_end, self.engine)
        check_actuation(self.actuation, self.engine, self.body.kind)
        check_condition(self.condition, self.actuation is not None, self.controller)

    def companions(self) -> Mapping[str, tuple[str, bool]]:
        """What may go with a motion, by names: in words, and whether this shot has it."""
        muscled = self.actuation is not None
        return {"suit": ("the suit", self.suit != NO_SUIT), "condition": ("the condition", self.condition is not None),
                "carry": ("the load", self.carry is not None),
                "ground": ("the ground", self.world.ground != GroundSpec()),
                "gravity_ramp": ("the gravity's ramp", bool(self.world.gravity_ramp)),
                "actuation": ("the actuation (it has muscles of its own)", muscled)}

    def with_motion(self, **changes: Any) -> Self:
        return dataclasses.replace(self, motion=dataclasses.replace(self.motion, **changes))  # type: ignore[type-var]

    def on_legs(self, ratio: float) -> Self:
        """The same for legs so many times as long, dynamically similar: the way goes as the legs do, speeds as their root. Times
        stay, and so do pushes."""
        pace, changes = math.sqrt(ratio), dict[str, Any]()
        own = {field.name for field in dataclasses.fields(self.motion)}  # type: ignore[arg-type]
        speed, path, keys = (getattr(self.motion, name) if name in own else None for name in ("speed_m_s", "path", "keys"))
        if speed is not None:
            changes["speed_m_s"] = pace * speed
        if path is not None:
            points = tuple((ratio * x, ratio * y) for x, y in path.points_m)
            changes["path"] = dataclasses.replace(path, radius_m=ratio * path.radius_m, points_m=points)
        if keys:
            changes["keys"] = tuple(key if key.speed_m_s is None else dataclasses.replace(key, speed_m_s=pace * key.speed_m_s)
                                    for key in keys)
        return self.with_motion(**changes)

    def motion_as(self, kind: type[Kind]) -> Kind:
        """Its motion, where that is of a kind. Raises ValueError for another."""
        if not isinstance(self.motion, kind):
            raise ValueError(f"The motion of this shot is no {kind.__name__}: {self.motion.KIND}.")
        return self.motion

    @property
    def controller(self) -> str:
        return self.motion.controller

    @property
    def until_end(self) -> bool:
        return self.motion.until_end

    @property
    def called(self) -> str:
        return self.motion.called

    @property
    def struck_s(self) -> float:
        """When [s] the first push or hit comes that is not in its motion; infinite where none does."""
        pushes = (push.start_s for push in self.pushes if not push.planned)
        return min((*pushes, *(hit.time_s for hit in self.hits)), default=math.inf)

    @property
    def catches(self) -> bool:
        """Whether who follows a clip steps where the clip alone would fall."""
        return isinstance(self.motion, Clip) and self.motion.catches(bool(self.hits))

    @property
    def loose(self) -> tuple[LooseObject, ...]:
        """All that is loose in the world: its objects, then the balls of its hits, as they lie before they are thrown."""
        return (*self.objects, *balls_of(self.hits, [item.name for item in self.objects]))

    @property
    def reacts(self) -> bool:
        return bool(self.hits) or self.reaction is not None

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """A shot from `to_dict`'s output as JSON has it, or of the former form. Raises InputError naming what does not fit."""
        return super().from_dict(in_this_form(data))

    def to_dict(self) -> dict[str, Any]:
        fields = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        found = {name: plain(value) for name, value in fields.items() if value or name not in LEFT_OUT_UNSET}
        body = found["body"]
        if self.body.skin_m is None:
            del body["skin_m"]
        body.pop("creature")
        if self.body.creature is not None:
            body["creature"] = self.body.creature.to_dict()
        if self.body.kind == BodySpec().kind:
            del body["kind"]
        for push in found["pushes"]:
            if not push["planned"]:
                del push["planned"]
        return found
