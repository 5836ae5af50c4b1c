# SPDX-License-Identifier: GPL-3.0-or-later
"""A shot list's file as data, and errors that name the file and the line. In which line of a TOML or JSON text an entry stands.
Asked only once something is wrong, so clarity goes before speed."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..files import parse_json, read_text, why

Place = Sequence[str | int]
"""Keys and indices that lead from the top of a document to an entry."""

_BLANK = " \t\r\n"


def line_of(text: str, place: Place, is_toml: bool) -> int:
    """Line, from 1, in which the entry at `place` begins; of an entry that is absent its parent's. `text` must be sound."""
    find = _line_in_toml if is_toml else _line_in_json
    for length in range(len(place), 0, -1):
        line = find(text, place[:length])
        if line is not None:
            return line
    return 1


def _line_in_toml(text: str, place: Place) -> int | None:
    """The first line of the statement that first brings the entry. The beginnings of a TOML text that are sound by themselves end
    exactly where a statement ends, so the library's own parser finds the statements."""
    rows = text.splitlines()
    begins = 0
    for end in range(1, len(rows) + 1):
        try:
            data = tomllib.loads("\n".join(rows[:end]) + "\n")
        except tomllib.TOMLDecodeError:
            continue
        if _has(data, place):
            spoken = (i for i in range(begins, end) if rows[i].strip() and not rows[i].lstrip().startswith("#"))
            return next(spoken, begins) + 1
        begins = end
    return None


def _has(data: Any, place: Place) -> bool:
    for step in place:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return False
    return True


def _line_in_json(text: str, place: Place) -> int | None:
    decoder, at, begins = json.JSONDecoder(), _skip(text, 0), 0
    for step in place:
        if text[at] not in "{[":
            return None
        in_object, wanted, index = text[at] == "{", None, 0
        at = _skip(text, at + 1)
        while text[at] not in "}]":
            begins = at
            name: str | int = index
            if in_object:
                name, at = decoder.raw_decode(text, at)
                at = _skip(text, _skip(text, at) + 1)  # over the colon
            if name == step:
                wanted = at
                break
            at = _skip(text, decoder.raw_decode(text, at)[1])
            if text[at] == ",":
                at = _skip(text, at + 1)
            index += 1
        if wanted is None:
            return None
    return text.count("\n", 0, begins) + 1


def _skip(text: str, at: int) -> int:
    """The next place at or after `at` that is not blank."""
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


ENDINGS = (".toml", ".json")


@dataclass(frozen=True)
class Document:
    path: Path
    text: str
    data: dict[str, Any]

    def error(self, place: Place, words: str) -> InputError:
        line = line_of(self.text, place, self.path.suffix.lower() == ".toml")
        return InputError(f"{self.path}, line {line}: {words}")


def read_document(path: Path) -> Document:
    """Read a .toml or .json file. Raises InputError with the line of a fault in its grammar."""
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"A shot list is a file that ends in {' or '.join(ENDINGS)}, got {path}.")
    try:
        text = read_text(path)
    except FileNotFoundError:
        raise InputError(f"There is no shot list at {path}.") from None
    except (OSError, ValueError) as error:
        raise InputError(f"The shot list {path} cannot be read: {why(error)}.") from error
    try:
        data = tomllib.loads(text) if path.suffix.lower() == ".toml" else parse_json(text, _once)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"The shot list {path} is not sound TOML: {error}.") from error
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: this is not sound JSON: {error.msg}.") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"The shot list {path} cannot be used: {why(error)}.") from error
    if not isinstance(data, dict):
        raise InputError(f"{path}, line 1: a shot list is an object with entries such as \"shots\", got a {_kind(data)}.")
    return Document(path, text, data)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; as in TOML, a name may stand in it once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} stands twice in one object")
    return found


def _kind(value: Any) -> str:
    return {list: "list", str: "text", bool: "boolean", int: "number", float: "number"}.get(type(value), "null")
