# SPDX-License-Identifier: GPL-3.0-or-later
"""The gait presets, and cycles from files."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ClipError, unknown_name
from ..files import read_json, why
from ..specs.motions import AUTO
from ..specs.settings import PRESETS, known_file, names_in

if TYPE_CHECKING:
    from .cycle import Cycle

GAITS_FOLDER = PRESETS / "gaits"


def gait_names() -> tuple[str, ...]:
    return tuple(names_in(GAITS_FOLDER))


def gait_choices() -> tuple[str, ...]:
    """What a shot may say its gait is: a built-in one, or that it be chosen as people choose."""
    return (AUTO, *gait_names())


def load_gait(name: str) -> Cycle:
    """The built-in gait of that name. Raises InputError listing the known ones."""
    if name not in gait_names():
        raise unknown_name("gait", name, gait_choices())
    return _built_in(known_file(GAITS_FOLDER, "gait", name))


@lru_cache(maxsize=16)
def _built_in(path: Path) -> Cycle:
    """A gait of the package, read once: a shot asks for it several times."""
    cycle = cycle_from_file(path)
    cycle.coefficients.flags.writeable = False
    return cycle


def cycle_from_file(path: str | Path) -> Cycle:
    """A cycle from a BVH clip or from a gait's JSON file. Raises ClipError saying what is wrong with the file."""
    from .cycle import Cycle

    path = Path(path)
    if path.suffix.lower() != ".json":
        from .fitting import cycle_from_clip

        return cycle_from_clip(path)
    if not path.is_file():
        raise ClipError(f"There is no gait file at {path}.")
    try:
        data = read_json(path, finite=False)  # the cycle says in which field a number is none
    except (OSError, ValueError) as error:
        raise ClipError(f"{path} is not a gait: it cannot be read as JSON ({why(error)}).") from error
    return Cycle.from_dict(data, str(path))


