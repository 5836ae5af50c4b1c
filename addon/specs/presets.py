# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets on disk: found by name, never by a path, and read against the settings of the class that they make."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from ..errors import InputError, unknown_name
from .settings import read_fields

PRESETS = Path(__file__).resolve().parents[2] / "presets"
Made = TypeVar("Made")


def names_in(folder: Path) -> list[str]:
    """Names of the presets in a folder, sorted."""
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


def read_json(path: Path, what: str) -> Any:
    """What a JSON file holds. Raises InputError naming `what` it was meant to be."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(f"The {what} {path} is no JSON: it is cut short or mistyped at line {error.lineno}, column "
                         f"{error.colno}. Mend it there, or save it again.") from error
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"The {what} {path} cannot be read: {error}.") from error


def read_preset(path: Path, made: type[Made], what: str, *, newest: int, called: str | None = "name",
                check: Callable[[Made], object] | None = None) -> Made:
    """A preset as an object of the class `made`, whose settings say what it may hold. `newest` is the newest format that is
    read; the field `called`, where there is one, has to hold the file's name; `check` raises InputError for what does not fit
    beyond the settings. Raises InputError naming the file and the fault."""
    data = read_json(path, what)
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
