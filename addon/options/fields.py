# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields of a shot: every option of the command line by its own name, so that lists and command line speak one language.

`speed = 0.8` in a list is `--speed 0.8`; an option that takes several values is a list. What the command line says about a
value that does not fit, a list says too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

from ..errors import InputError

NUMBER, WHOLE, TEXT, SWITCH, SEVERAL = "a number", "a whole number", "text", "true or false", "a list of texts"
RIVALS = (("gait", "motion", "follow", "moves", "pose_gait", "creature"), ("world", "gravity"), ("slope", "steps", "heightfield"))
"""Options that exclude one another: one that is given takes those of the defaults away."""


@dataclass(frozen=True)
class Field:
    """One option: its name in a list, its flag on the command line, and what kind of value it takes."""

    name: str
    flag: str
    kind: str
    repeated: bool = False
    """Whether the flag stands before each value of several, not once before all."""

    def fits(self, value: Any) -> bool:
        """Whether a value of a list is of this kind. Text options also take numbers: `slope = 5`."""
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if self.kind == SWITCH:
            return isinstance(value, bool)
        if self.kind == WHOLE:
            return isinstance(value, int) and number
        if self.kind == SEVERAL:
            return isinstance(value, list) and all(isinstance(one, str) for one in value)
        return number or (self.kind == TEXT and isinstance(value, str) and bool(value.strip()))

    def words(self, value: Any) -> list[str]:
        """The value as words of the command line."""
        if self.kind == SWITCH:
            return [self.flag] if value else []
        if self.kind == SEVERAL:
            return [f"{self.flag}={one}" for one in value] if self.repeated else [self.flag, *value] if value else []
        return [f"{self.flag}={value}"]  # with the sign, or a negative number would be taken for an option


class Parser(argparse.ArgumentParser):
    """Argparse with Lope's errors."""

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message[:1].upper()}{message[1:].rstrip('.')}.")


@dataclass(frozen=True)
class Fields:
    """All options of a kind: their fields by name, and the parser they were read from."""

    by_name: dict[str, Field]
    parser: argparse.ArgumentParser

    def words(self, values: Mapping[str, Any]) -> list[str]:
        """Values by field name as words of the command line."""
        return [word for name, value in values.items() for word in self.by_name[name].words(value)]

    def parse(self, values: Mapping[str, Any]) -> argparse.Namespace:
        """Values by field name as the command line's own options. Raises InputError."""
        return self.parser.parse_args(self.words(values))


@lru_cache(maxsize=1)
def shot_fields() -> Fields:
    """The options that describe a shot; the armature is the rig's matter."""
    from .shot_options import add_shot_options

    return _fields(add_shot_options, leave_out=("blend", "armature", "body", "action", "action_armature"))


@lru_cache(maxsize=1)
def render_fields() -> Fields:
    """The options of `lope render` that a shot may set; what is rendered and where to is the batch's matter."""
    from .render_options import add_render_options

    return _fields(add_render_options, leave_out=("out", "pictures", "redo", "scene", "armature", "sheet", "grid_sheet",
                                                 "dust", "show_pressure", "show_muscles"))


def _fields(add: Callable[[Any], None], leave_out: tuple[str, ...]) -> Fields:
    """The fields of the options that `add` adds to a parser."""
    parser = Parser(add_help=False, allow_abbrev=False, prog="lope")
    add(parser)
    found = {}
    for action in parser._actions:  # the one place where argparse keeps them
        action.required = False
        flag = next((name for name in action.option_strings if name.startswith("--")), None)
        if flag is not None and action.dest not in leave_out:
            repeated = isinstance(action, argparse._AppendAction)
            found[action.dest] = Field(action.dest, flag, _kind(action, repeated), repeated)
    return Fields(found, parser)


def _kind(action: argparse.Action, repeated: bool) -> str:
    """What kind of value an option takes."""
    if repeated or action.nargs in ("+", "*"):
        return SEVERAL
    if action.nargs == 0:
        return SWITCH
    return NUMBER if action.type is float else WHOLE if action.type is int else TEXT
