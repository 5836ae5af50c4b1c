# SPDX-License-Identifier: GPL-3.0-or-later
"""What every motion of a shot is: its name, the controllers that move it, and what it cannot be asked for together with; the
take that a shot goes on from, and sliders of a gait's style, each within the range over which the default walk stands."""

from __future__ import annotations

import cmath
import dataclasses
import hashlib
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

from ..checks import Number, Series, Text
from ..errors import InputError
from .path import PathSpec
from .settings import Checked, setting, settings_of
from .steering import check_steering

WALKS_ONLY = frozenset({"step_width_m", "foot_lift_m", "bounce", "crouch_m", "heel_strike", "cadence_exponent"})
"""Sliders that only walking gaits have: they change where the feet or the centre of mass go, not the pose alone."""
FLIGHTS_ONLY = frozenset({"flight_height", "counter_turn"})
"""Sliders that only gaits with flight have."""
PEOPLE_ONLY = frozenset({"carriage", "cadence_exponent", "counter_turn", "breath", "variation"})
"""Sliders of the gait law "people"."""


@dataclass(frozen=True)
class Style(Checked):
    """Changes of a gait's style; the defaults change nothing."""

    WHOSE, FIELD = "The style's", "style slider"
    arm_swing: float = setting(1.0, 0.0, 2.0)
    """Swing of the arms over the gait's own; 0 lets them hang still."""
    trunk_lean_deg: float = setting(0.0, -20.0, 20.0, "degrees")
    """The trunk bent forward (negative: back) beyond the gait's own; head and arms stay upright."""
    hip_sway: float = setting(1.0, 0.0, 2.0)
    """Drop and turn of the pelvis over the gait's own; trunk and legs keep their directions."""
    head_steadiness: float = setting(0.0, 0.0, 1.0)
    """How much of the head's turning about its mean is taken out: 1 holds it still."""
    step_width_m: float = setting(0.0, -0.03, 0.15, "m")
    """How much further apart the feet go than the gait's."""
    foot_lift_m: float = setting(0.0, 0.0, 0.15, "m")
    """How much higher the swinging foot is lifted at its middle."""
    bounce: float = setting(1.0, 0.0, 2.0)
    """Rise and fall of the centre of mass over the gait's own; 0 glides, with knees bent."""
    arm_spread_deg: float = setting(0.0, -10.0, 40.0, "degrees")
    """The arms held out to the sides (negative: in) beyond the gait's own."""
    crouch_m: float = setting(0.0, 0.0, 0.1, "m")
    """How much lower the centre of mass goes, on bent knees."""
    heel_strike: float = setting(1.0, 0.0, 1.5)
    """How far the toes are up when the foot lands, over the gait's own; 0 sets it down flat."""
    flight_height: float = setting(1.0, 0.25, 2.0)
    """Height of the flights over the gait's own there; the steps last as much longer or shorter as they do."""
    counter_turn: float = setting(1.0, 0.0, 1.0)
    """How far the pelvis turns with the legs, against the shoulders, and a loaded trunk less: 0 leaves both as they were
    captured, the pelvis a quarter of a stride behind the legs."""
    breath: float = setting(1.0, 0.0, 3.0)
    """Breath of a body that stands, over a quiet one: 0 holds it."""
    variation: float = setting(1.0, 0.0, 2.0)
    """How unlike one another strides are, over people's: steps, arms, trunk and head, from the seed; 0 repeats one stride."""
    carriage: float = setting(1.0, 0.0, 2.0)
    """How much of the planet's own carriage is shown: what `gaits.people` adds to the sliders above by gravity."""
    cadence_exponent: float = setting(0.0, -0.25, 0.25)
    """Exponent of gravity over Earth's in the stride frequency at equal speed, below Earth's gravity: 0 keeps the Earth's
    frequency of that speed, 0.21 is similarity's, -0.13 what people took whose trunk alone a harness carried."""

    @property
    def changed(self) -> tuple[str, ...]:
        return tuple(f.name for f in dataclasses.fields(self) if getattr(self, f.name) != f.default)

    def check_for_flight(self) -> None:
        """Raises InputError where a slider of walking gaits is set: for gaits with a moment in the air."""
        refused("Only walking gaits take the style's {}: this gait leaves the ground. Set it back, or choose a walk.",
                self._set_of(WALKS_ONLY))

    def check_for_walk(self) -> None:
        """Raises InputError where a slider of gaits with flight is set: for gaits that leave no ground."""
        refused("Only gaits with flight take the style's {}: this gait always has a foot down. Set it back, or choose a run, a "
                "lope, a skip or a hop.", self._set_of(FLIGHTS_ONLY))

    def check_for_similar(self) -> None:
        """Raises InputError where a slider of the gait law "people" is set: for similar gaits."""
        refused("Only the gait law people takes the style's {}: this shot's gait is similar. Set it back, or choose the gait law "
                "people.", self._set_of(PEOPLE_ONLY))

    def _set_of(self, names: frozenset[str]) -> list[str]:
        """Those of some sliders that are set, in words."""
        return [SLIDERS[name].words for name in self.changed if name in names]


SLIDERS = settings_of(Style)
"""The sliders by name: their words, ranges and units."""


_SHA256 = re.compile(r"[0-9a-f]{64}")
MOVING, STANDING = ENDS = ("moving", "standing")
"""How a shot begins and ends."""
WORDS: Mapping[str, str] = {
    "file": "the motion", "speed_m_s": "the speed", "stride_frequency_hz": "the stride frequency", "path": "the path",
    "style": "the style", "footprints": "the footprints", "keys": "the keys", "after": "the take to go on from",
    "stop": "standing at its end", "until_end": "the end of its path", "steering": "the steering", "repeat": "the repeating",
    "catch": "the catching", "database": "the database of pressure", "first_frame": "its first frame",
    "last_frame": "its last frame"}
"""Fields that only some motions have, in words: a motion that has one not refuses it where it is asked for."""


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
        return cmath.exp(1j * math.radians(self.heading_deg))


def digest_of(path: str | Path) -> str:
    """The hash by which a take's file is known: its SHA-256, as hexadecimal text."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Motion(Checked, ABC):
    """Base of the motions: frozen dataclasses. Its plain attributes stand for the fields that a motion has not, so that whoever
    asks any shot for its path or its keys gets the answer of one without."""

    KIND: ClassVar[str]
    """Its name in files."""
    CONTROLLERS: ClassVar[tuple[str, ...]]
    """Those that can move it, the first by default; empty: any that moves no other motion."""
    SUBJECT: ClassVar[str] = "A shot of a gait"
    """Such a shot, as the beginning of a sentence."""
    NEEDS: ClassVar[str] = ""
    """The sentence for a shot that names one of its controllers, {}, but lacks it; empty where nothing need be said for it."""
    REFUSES: ClassVar[str] = "A gait by its name cannot have {}: leave that out."
    """The sentence for what it cannot be asked for together with, which stands at {}."""
    WITHOUT: ClassVar[frozenset[str]] = frozenset()
    """Companions that it cannot have, by the names of `Shot.companions`."""

    controller: Any = ""
    name: Any = "walk"  # the gait that others are measured against
    file: Any = None
    law: Any = "similar"
    speed_m_s: Any = None
    stride_frequency_hz: Any = None
    path: Any = PathSpec()
    style: Any = Style()
    footprints: Any = ()
    keys: Any = ()
    steering: Any = ()
    after: Any = None
    start: Any = MOVING
    stop: Any = MOVING
    until_end: Any = False
    tuned: Any = True
    scaling: Any = "similar"
    force: Any = False
    retry: Any = False
    acceleration_m_s2: Any = None
    repeat: Any = False
    catch: Any = False
    database: Any = None
    first_frame: Any = None
    last_frame: Any = None
    stand: Any = None

    @property
    @abstractmethod
    def called(self) -> str:
        """What it is called, a word for titles and files."""

    @property
    def source_file(self) -> str | None:
        """The file that it is read from, or the word for the library's moves; None for what ships with Lope."""
        return None

    def check(self, shot: Any) -> None:
        """Raises InputError where the rest of a shot, a `Shot`, does not go with it."""
        check_steering(self.steering, shot.duration_s, {})
        refused(self.REFUSES, [words for name, (words, given) in shot.companions().items() if given and name in self.WITHOUT])

    def reset(self, *names: str) -> Self:
        """The same with those of the named fields that it has as they are by default."""
        own = {field.name for field in dataclasses.fields(self)}  # type: ignore[arg-type]
        changed = {name: getattr(Motion, name) for name in names if name in own}
        return dataclasses.replace(self, **changed)  # type: ignore[type-var]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types, with its kind; what is None or empty is left out."""
        told = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]
        return {"kind": self.KIND, **{name: plain(value) for name, value in told.items() if value is not None and value != ()}}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """One from `to_dict`'s output as JSON holds it. Raises InputError naming what does not fit."""
        if isinstance(data, Mapping) and data.get("kind") == cls.KIND:
            data = {name: value for name, value in data.items() if name != "kind"}
        return super().from_dict(data)

    @classmethod
    def moved_by(cls) -> str:
        """The sentence for a controller that does not move it, after those that do."""
        return f"{cls.SUBJECT} is moved by the controller {{0}}, not by {{1}}."

    @classmethod
    def check_controller(cls, controller: str | None) -> None:
        """Raises InputError for one that does not move it; None is its first."""
        if controller is not None and cls.CONTROLLERS and controller not in cls.CONTROLLERS:
            raise InputError(cls.moved_by().format(" or ".join(cls.CONTROLLERS), controller))

    @classmethod
    def of(cls, wished: Mapping[str, Any]) -> Self:
        """One of values by the fields' names, its own and other motions'. Raises InputError for what is asked of it and it has
        not; of the rest that it has not nothing is taken."""
        names = {field.name for field in dataclasses.fields(cls)}  # type: ignore[arg-type]
        cls.check_controller(wished.get("controller"))
        refused(cls.REFUSES, [words for name, words in WORDS.items()
                              if name in wished and name not in names and wished[name] != getattr(Motion, name)])
        return cls(**{name: value for name, value in wished.items()
                      if name in names and not (name == "controller" and value is None)})


def refused(sentence: str, words: list[str]) -> None:
    """Raises InputError of a sentence where there are any words to put into it."""
    if words:
        raise InputError(sentence.format(" and ".join(words)))


def plain(value: Any) -> Any:
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value
