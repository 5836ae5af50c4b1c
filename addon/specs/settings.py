# SPDX-License-Identifier: GPL-3.0-or-later
"""Fields that know what they may hold: dataclasses that check themselves (`Checked`), and tell command line, panel, shot lists,
tuning and docs the name, unit, range, default, tooltip and source of each of their fields (`setting`); and presets on disk,
found by name and read against the settings of the class that they make."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from .. import files
from ..checks import UNITLESS, Maybe, Number, Rule, Series, Switch, Text, Whole
from ..errors import InputError, shown, unknown_name

FIRST_GUESS = "first guess"
KEY = "lope"
"""Where a dataclass field's metadata hold its Setting."""
SUFFIXES = ("nms_rad", "nm_rad", "m_s2", "m_s", "rad_s2", "rad", "deg", "hz", "kg", "nm", "n", "m", "s")
"""Units at the end of names, the longest first."""


@dataclass(frozen=True)
class Setting:
    """What a field may hold and what is said about it. `name` and `default` are filled in by `settings_of`."""

    rule: Rule
    words: str = ""
    """Its name in plain words."""
    help: str = ""
    """One line for tooltips and docs, without a full stop."""
    source: str = ""
    """Where its default is from: a paper, a search, `FIRST_GUESS`."""
    searched: bool = True
    """Whether a search of gains may vary it: no step in time, no threshold, no limit of the body or of the ground."""
    formerly: tuple[str, ...] = ()
    """Names it had before, which files may still have."""
    name: str = ""
    default: Any = None

    @property
    def number(self) -> Number | Whole | None:
        """The rule of its numbers, with `low` and `high`; None where it holds none."""
        rule = self.rule
        while isinstance(rule, (Maybe, Series)):
            rule = rule.of
        return rule if isinstance(rule, (Number, Whole)) else None

    @property
    def low(self) -> float | None:
        return getattr(self.number, "low", None)

    @property
    def high(self) -> float | None:
        return getattr(self.number, "high", None)

    @property
    def unit(self) -> str:
        unit = getattr(self.number, "unit", UNITLESS)
        return "" if unit == UNITLESS else unit

    @property
    def required(self) -> bool:
        return self.default is MISSING


def setting(
    default: Any = MISSING, low: float | None = None, high: float | None = None, unit: str = UNITLESS, help: str = "", *,
    source: str = "", words: str = "", searched: bool = True, formerly: tuple[str, ...] = (), rule: Rule | None = None,
    factory: Callable[[], Any] | Any = MISSING,
) -> Any:
    """A dataclass field with a Setting. Without a `rule` its kind is its default's: a float is a number in [low, high] of a unit,
    an int a whole number, a tuple that many numbers, a bool a switch, a str text. `factory` makes other defaults."""
    told = Setting(rule or _rule(default, low, high, unit), words, help, source, searched, formerly)
    return dataclasses.field(**({"default": default} if factory is MISSING else {"default_factory": factory}),
                             metadata={KEY: told})


def _rule(default: Any, low: float | None, high: float | None, unit: str) -> Rule:
    if isinstance(default, bool):
        return Switch()
    if isinstance(default, str):
        return Text()
    if low is None or high is None:
        raise TypeError(f"a setting of {default!r} needs its least and its largest value")
    if isinstance(default, tuple):
        return Series(Number(low, high, unit), len(default))
    return Whole(int(low), int(high)) if isinstance(default, int) else Number(low, high, unit)


@cache
def settings_of(kind: type) -> dict[str, Setting]:
    """The settings of a dataclass by name, in its order; fields without one left out."""
    found = {}
    for field in dataclasses.fields(kind):
        if KEY in field.metadata:
            told = field.metadata[KEY]
            default = field.default if field.default_factory is MISSING else field.default_factory()
            found[field.name] = dataclasses.replace(told, name=field.name, default=default,
                                                    words=told.words or plain_words(field.name),
                                                    source=told.source or getattr(kind, "SOURCE", ""))
    return found


def plain_words(name: str) -> str:
    suffix = next((s for s in SUFFIXES if name.endswith(f"_{s}")), None)
    return (name if suffix is None else name[:-len(suffix) - 1]).replace("_", " ")


def check_fields(made: Any, whose: str | None = None) -> None:
    """Raises InputError for a field, in plain words after `whose` or the class's `WHOSE`, that holds what it may not."""
    kind: type = type(made)
    for name, told in settings_of(kind).items():
        told.rule.check(field_words(kind, told, whose), getattr(made, name))


def check_field(kind: type, name: str, value: Any, what: str) -> None:
    """The same for one value that a field of a class is to hold. Raises InputError also for a field that is not there."""
    known = settings_of(kind)
    if name not in known:
        raise unknown_name(getattr(kind, "FIELD", "setting"), name, known)
    known[name].rule.check(what, value)


def read_fields(kind: type, data: Any) -> Any:
    """An object of a dataclass from what JSON holds of it; old names are known. Raises InputError naming what does not fit."""
    known, field = settings_of(kind), getattr(kind, "FIELD", "setting")
    if not isinstance(data, Mapping):
        raise InputError(f"The {field}s must be a table of names and values, got {shown(data)}.")
    now = {old: name for name, told in known.items() for old in told.formerly}
    given: Mapping[str, Any] = data
    values = {now.get(name, name): value for name, value in given.items()}
    for name in values:
        if name not in known:
            raise unknown_name(field, name, known)
    lacking = [name for name, told in known.items() if told.required and name not in values]
    if lacking:
        raise InputError(f"The {field}s lack {', '.join(lacking)}.")
    return kind(**{name: known[name].rule.read(field_words(kind, known[name]), value) for name, value in values.items()})


def field_words(kind: type, told: Setting, whose: str | None = None) -> str:
    whose = getattr(kind, "WHOSE", "") if whose is None else whose
    return f"{whose} {told.words}" if whose else told.words[:1].upper() + told.words[1:]


def computed(settings: Any, **values: Any) -> Any:
    """A copy with values that the program has worked out from checked ones, which may leave their range."""
    made = copy.copy(settings)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made


class Checked:
    """Base of dataclasses that check their fields as they are made, and that are made from JSON."""

    WHOSE: ClassVar[str] = ""
    """Begins what messages call a field: "The walk's" interval."""
    FIELD: ClassVar[str] = "setting"
    """What a field is called where a name is not known: "There is no shot field named ..."."""
    SOURCE: ClassVar[str] = ""
    """Source of the defaults that name none of their own."""

    def __post_init__(self) -> None:
        check_fields(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """An object from `dataclasses.asdict`'s output as JSON holds it. Raises InputError naming what does not fit."""
        return read_fields(cls, data)


TUNED_FOLDER = "LOPE_TUNING"
"""Environment variable naming a folder whose tuning files go before those that ship: Blender's user has one."""
PRESETS = Path(__file__).resolve().parents[2] / "presets"
Made = TypeVar("Made")


def names_in(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.json"))


def known_file(folder: Path, kind: str, name: str) -> Path:
    """The file of that name in a folder. Raises InputError listing the names there are."""
    if name not in (known := names_in(folder)):
        raise unknown_name(kind, name, known)
    return folder / f"{name}.json"


def file_of(folder: Path, kind: str, name: str) -> Path:
    """The file of a preset in a folder, or the user's own, where the name ends in .json. Raises InputError for neither."""
    if not str(name).lower().endswith(".json"):
        return known_file(folder, kind, name)
    if not Path(name).is_file():
        known = ", ".join(names_in(folder)) or "(none is shipped)"
        raise InputError(f"There is no file {name}: give the file of a {kind}, or one of {known}.")
    return Path(name)


def named_file(folder: Path, kind: str, name: str) -> Path:
    """The file that a name has in a folder, whether it is there or not. Raises InputError for a name that is a path."""
    if not isinstance(name, str) or not name or name in (".", "..") or set(name) & set("/\\:\0"):
        raise InputError(f"{name!r} cannot be the name of a {kind}: a name holds no path.")
    return folder / f"{name}.json"


def read_json(path: Path, what: str, finite: bool = True) -> Any:
    """What a JSON file holds; `finite` refuses numbers that are none. Raises InputError naming `what` it should be."""
    try:
        return files.read_json(path, finite)
    except json.JSONDecodeError as error:
        raise InputError(f"The {what} {path} is no JSON: it is cut short or mistyped at line {error.lineno}, column "
                         f"{error.colno}. Mend it there, or save it again.") from error
    except (OSError, ValueError) as error:
        raise InputError(f"The {what} {path} cannot be read: {files.why(error)}.") from error


def plain_presets(folder: Path) -> list[dict[str, Any]]:
    """What the shipped presets of a folder hold, by file name, for menus: nothing is checked before one is used."""
    return [read_json(path, "preset") for path in sorted(folder.glob("*.json"))]


def read_preset(path: Path, made: type[Made], what: str, *, newest: int, called: str | None = "name",
                check: Callable[[Made], object] | None = None) -> Made:
    """A preset as an object of the class `made`, whose settings say what it may hold. `newest` is the newest format that is
    read; the field `called`, where there is one, has to hold the file's name; `check` raises InputError for what does not fit
    beyond the settings. Raises InputError naming the file and the fault."""
    data = read_json(path, what, finite=False)  # the settings say in which field a number is none
    written = data.get("format") if isinstance(data, dict) else None
    if isinstance(written, int) and written > newest:
        raise InputError(f"The {what} {path} has format {written}; this Lope reads up to {newest}. Update Lope.")
    try:
        preset = read_fields(made, data)
        if check is not None:
            check(preset)
    except InputError as error:
        raise InputError(f"The {what} {path} cannot be used: {error}") from error
    if called is not None and getattr(preset, called) != Path(path).stem:
        raise InputError(f"The {what} {path} calls itself {getattr(preset, called)!r}; its name must be its file's name.")
    return preset
