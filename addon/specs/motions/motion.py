# SPDX-License-Identifier: GPL-3.0-or-later
"""What every motion of a shot is: a name that is the same word in every room, the controllers that move it, what it is called,
and what it cannot be asked for together with. Also the take at whose end a shot starts."""

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

from ...checks import Number, Series, Text
from ...errors import InputError
from ..path import PathSpec
from ..settings import Checked, setting
from .keys import check_steering
from .style import Style

_SHA256 = re.compile(r"[0-9a-f]{64}")
MOVING, STANDING = ENDS = ("moving", "standing")
"""How a shot begins and ends."""
WORDS: Mapping[str, str] = {
    "file": "the motion", "speed_m_s": "the speed", "stride_frequency_hz": "the stride frequency", "path": "the path",
    "style": "the style", "footprints": "the footprints", "keys": "the keys", "after": "the take to go on from",
    "stop": "standing at its end", "until_end": "the end of its path", "steering": "the steering", "repeat": "the repeating",
    "catch": "the catching", "database": "the database of pressure"}
"""Fields that only some motions have, in words: a motion that has one not refuses it where it is asked for. The rest of what it
has not makes no difference to it."""


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
    repeat: Any = False
    catch: Any = False
    database: Any = None
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
    """A value of a field as JSON has it."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value
