# SPDX-License-Identifier: GPL-3.0-or-later
"""What a value may be: rules that say it in one clear sentence where it is not, for fields of a request and of a file alike. A
rule's `check(what, value)` raises InputError, its sentence beginning with `what`; its `read(what, value)` turns what JSON holds
into what the field holds (lists are tuples) without checking more than it has to."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Protocol

from .errors import InputError, shown, unknown_name

UNITLESS = "(no unit)"


def check_number(what: str, value: Any, low: float, high: float, unit: str) -> float:
    """`value` as a float in [low, high]; raises InputError with one clear sentence otherwise."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputError(f"{what} must be a number in {unit}, got {shown(value)}.")
    try:
        number = float(value)
    except OverflowError:  # a whole number with more digits than a float has room for
        number = math.inf
    if not math.isfinite(number) or not low <= number <= high:
        raise InputError(f"{what} must lie between {low:g} and {high:g} {unit}, got {number:g}.")
    return number


class Rule(Protocol):
    """What a value may be."""

    def check(self, what: str, value: Any) -> None:
        """Raises InputError for a value that does not fit."""

    def read(self, what: str, value: Any) -> Any:
        """The value from what JSON holds. Raises InputError where a part of it cannot be made."""


class Plain:
    """A value that JSON holds as it is."""

    def read(self, what: str, value: Any) -> Any:
        return value


@dataclass(frozen=True)
class Number(Plain):
    """A number in [low, high], whole ones too."""

    low: float
    high: float
    unit: str = UNITLESS

    def check(self, what, value):
        check_number(what, value, self.low, self.high, self.unit)


@dataclass(frozen=True)
class Whole(Plain):
    """A whole number from `low` to `high`, or from `low` on."""

    low: int = 0
    high: int | None = None

    def check(self, what, value):
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if self.high is None and not (whole and self.low <= value):
            raise InputError(f"{what} must be a whole number of {self.low} or more, got {shown(value)}.")
        if self.high is not None and not (whole and self.low <= value <= self.high):
            raise InputError(f"{what} must be a whole number between {self.low} and {self.high}, got {shown(value)}.")


@dataclass(frozen=True)
class Switch(Plain):
    """True or false."""

    def check(self, what, value):
        if not isinstance(value, bool):
            raise InputError(f"{what} must be true or false, got {shown(value)}.")


@dataclass(frozen=True)
class Text(Plain):
    """Text that is not empty."""

    def check(self, what, value):
        if not isinstance(value, str) or not value.strip():
            raise InputError(f"{what} must be text, got {shown(value)}.")


@dataclass(frozen=True)
class Choice(Plain):
    """One of the known names; `kind` says of what, as in "There is no engine named ..."."""

    kind: str
    known: tuple[str, ...]

    def check(self, what, value):
        if not isinstance(value, str) or value not in self.known:
            raise unknown_name(self.kind, value, self.known)


@dataclass(frozen=True)
class Anything(Plain):
    """Whatever JSON holds: figures kept for people, which nothing reads."""

    def check(self, what, value):
        """See `Rule.check`."""


@dataclass(frozen=True)
class Maybe:
    """None, or what another rule allows."""

    of: Rule

    def check(self, what, value):
        if value is not None:
            self.of.check(what, value)

    def read(self, what, value):
        return None if value is None else self.of.read(what, value)


@dataclass(frozen=True)
class Series:
    """A tuple of alike values, of `length` where that is given; `each` names one in messages: {i} is its place, {n} counts
    from 1."""

    of: Rule
    length: int | None = None
    each: str = "{what}, entry {i}"

    def check(self, what, value):
        if not isinstance(value, tuple):
            raise InputError(f"{what} must be a list, got {shown(value)}.")
        if self.length not in (None, len(value)):
            raise InputError(f"{what} must be a list of {self.length} values, got {len(value)}.")
        for i, one in enumerate(value):
            try:
                self.of.check(what, one)
            except InputError:  # the words for one of them are made only where they are needed: there may be many
                self.of.check(self.each.format(what=what, i=i, n=i + 1), one)

    def read(self, what, value):
        if not isinstance(value, Sequence) or isinstance(value, str):
            return value
        return tuple(self._read(what, i, one) for i, one in enumerate(value))

    def _read(self, what: str, i: int, one: Any) -> Any:
        """One of them. Raises InputError saying which it is."""
        try:
            return self.of.read(what, one)
        except InputError as error:
            raise InputError(f"{self.each.format(what=what, i=i, n=i + 1)} cannot be used: {error}") from error


@dataclass(frozen=True)
class Table:
    """Names, known ones of a `kind` where they are given, and alike values; `each` calls one in messages by its {name}."""

    of: Rule
    kind: str = "entry"
    known: tuple[str, ...] | None = None
    each: str = "{what}, {name}"

    def check(self, what, value):
        if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
            raise InputError(f"{what} must be a table of names and values, got {shown(value)}.")
        for name, one in value.items():
            if self.known is not None and name not in self.known:
                raise unknown_name(self.kind, name, self.known)
            self.of.check(self.each.format(what=what, name=name), one)

    def read(self, what, value):
        if not isinstance(value, Mapping):
            return value
        return {name: self.of.read(self.each.format(what=what, name=name), one) for name, one in value.items()}


@dataclass(frozen=True)
class Part:
    """An object of a class that checks itself, and that `from_dict` makes from JSON."""

    of: type[Any]

    def check(self, what, value):
        if not isinstance(value, self.of):
            raise InputError(f"{what} must be a {self.of.__name__}, got {shown(value)}.")

    def read(self, what, value):
        return value if isinstance(value, self.of) else self.of.from_dict(value)
