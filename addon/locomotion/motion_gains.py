# SPDX-License-Identifier: GPL-3.0-or-later
"""Gains that belong to one motion, found again by the clip itself: a file each, named by what is in the clip and not by where it
lies. Files of gains: settings of a controller that a search has found, for `lope simulate --gains-file`."""

from __future__ import annotations

import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path

from ..errors import InputError
from ..files import DAMAGED, read_json, why
from ..motions.followable import files_of, stamp
from ..specs.motions import Clip, Gait
from ..specs.settings import PRESETS, TUNED_FOLDER
from ..specs.shot import Shot
from .registry import find_controller
from .settings import Values

SCHEMA, FORMAT = "lope-gains", 1


def read_gains(path: Path) -> dict[str, dict[str, float]]:
    """The gains of a file that `lope tune --gains` wrote; one that names no controller is of the default one. Raises InputError
    saying what is wrong with it."""
    try:
        data = read_json(path)
        if data["schema"] != SCHEMA or data["format"] > FORMAT:
            raise ValueError(f"schema {data['schema']!r}, format {data['format']!r}")
        find_controller(data.get("controller", Gait().controller)).check_settings(data["gains"])
        return data["gains"]
    except DAMAGED as error:
        raise InputError(f"{path} is not a file of gains that this Lope reads: {why(error)}. Make one with lope tune "
                         "--gains.") from error


MOTION_FOLDER = "motions"
"""Folder of these files, in the presets and in the user's own folder for what is tuned (`specs.settings.TUNED_FOLDER`)."""
DIGITS = 16
"""Hexadecimal digits of a clip's digest in its file's name."""


def clip_digest(path: str | Path, database: str | Path | None = None) -> str:
    """A clip's digest (SHA-256) without regard to how its lines end, of pressure with that of the database by which it is read;
    empty for a file that cannot be read, which reading the clip tells."""
    found = [_digest(str(one), stamp(one)) for one in (path, database) if one is not None]
    if not all(found):
        return ""
    return found[0] if len(found) == 1 else hashlib.sha256("".join(found).encode()).hexdigest()


@lru_cache(maxsize=16)
def _digest(path: str, _stamp: tuple[int, int]) -> str:
    try:
        return hashlib.sha256(b"".join(file.read_bytes().replace(b"\r\n", b"\n") for file in files_of(path))).hexdigest()
    except OSError:
        return ""


def own_folder() -> Path:
    """Where a search's gains go: the user's own folder where there is one, else the presets."""
    own = os.environ.get(TUNED_FOLDER)
    return (Path(own) if own else PRESETS) / MOTION_FOLDER


def motion_file(controller: str, clip: str | Path, database: str | Path | None = None) -> Path:
    """The file in `own_folder` for a controller's gains of a clip."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", Path(clip).stem)[:40].strip("-") or "clip"
    return own_folder() / f"{controller}-{name}-{clip_digest(clip, database)[:DIGITS]}.json"


def stored_file(controller: str, clip: str | Path, database: str | Path | None = None) -> Path | None:
    """The file with a controller's gains of a clip, the user's own before the shipped one; None where there is none."""
    digest = clip_digest(clip, database)[:DIGITS]
    if not digest:
        return None
    found = (sorted(folder.glob(f"{controller}-*-{digest}.json")) for folder in (own_folder(), PRESETS / MOTION_FOLDER))
    return next((files[0] for files in found if files), None)


def motion_gains(shot: Shot) -> Values:
    """The settings of a shot's motion: the stored ones of its clip, unless the shot wants none that are tuned, and its own
    in their places. Raises InputError for a stored file that cannot be read."""
    follow = shot.motion
    file = stored_file(shot.controller, follow.file, follow.database) if isinstance(follow, Clip) and follow.tuned else None
    values: dict[str, dict[str, float]] = {} if file is None else {g: dict(v) for g, v in read_gains(file).items()}
    for group, found in (shot.gains or {}).items():
        values.setdefault(group, {}).update(found)
    return values
