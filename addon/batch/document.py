# SPDX-License-Identifier: GPL-3.0-or-later
"""A shot list's file as data, and errors that name the file and the line."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError
from .lines import Place, line_of

ENDINGS = (".toml", ".json")


@dataclass(frozen=True)
class Document:
    """What stands in a list's file."""

    path: Path
    text: str
    data: dict[str, Any]

    def error(self, place: Place, words: str) -> InputError:
        """The error for an entry: file, line and what is wrong."""
        line = line_of(self.text, place, self.path.suffix.lower() == ".toml")
        return InputError(f"{self.path}, line {line}: {words}")


def read_document(path: Path) -> Document:
    """Read a .toml or .json file. Raises InputError with the line of a fault in its grammar."""
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise InputError(f"A shot list is a file that ends in {' or '.join(ENDINGS)}, got {path}.")
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"There is no shot list at {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The shot list {path} cannot be read: {error}.") from error
    try:
        data = tomllib.loads(text) if path.suffix.lower() == ".toml" else json.loads(text, object_pairs_hook=_once)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"The shot list {path} is not sound TOML: {error}.") from error
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: this is not sound JSON: {error.msg}.") from error
    except ValueError as error:
        raise InputError(f"The shot list {path} cannot be used: {error}.") from error
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
    """What JSON calls a value."""
    return {list: "list", str: "text", bool: "boolean", int: "number", float: "number"}.get(type(value), "null")
