# SPDX-License-Identifier: GPL-3.0-or-later
"""The door for what a shot follows, whatever kind of file it is: a captured clip, or pressure that a database knows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..errors import ClipError
from .bvh import BvhClip, parse_bvh, read_bvh
from .bvh_writing import bvh_text


def read_followed(path: str | Path, database: str | Path | None = None) -> BvhClip:
    """The clip of a BVH file, or, with a `database`, of the motion that a file or folder of pressure is read as. Raises
    ClipError, for pressure InputError."""
    if database is None:
        if Path(path).is_dir():
            raise ClipError(f"{path} is a folder: a clip is a BVH file, and a folder of pressure pictures is followed with the "
                            "database of the motions that it is read by.")
        return read_bvh(path)
    from .pressure.database import MOTION_HZ, Database  # loads recognition, which most clips do without
    from .pressure.reading import read_motion

    known = Database.load(database)
    reading = read_motion(path, known)
    figure = reading.motion.figure
    text = bvh_text(reading.body, 1.0 / MOTION_HZ, figure.root, figure.turn, figure.joints)
    told = (("by_pressure", reading.called), ("database", known.name), ("database_licence", known.licence))
    return replace(parse_bvh(text, path), told=told)  # by its text: the same as if `lope pressure read --clip` had written it


def files_of(path: str | Path) -> list[Path]:
    """The file, or all files of the folder, in the order of their names."""
    path = Path(path)
    return sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]


def stamp(path: str | Path | None) -> tuple[int, int]:
    """What changes with a file or a folder: its time and its size, of a folder those of all its files; zeros where there is none,
    which reading tells."""
    if path is None:
        return 0, 0
    try:
        status = [file.stat() for file in files_of(path)]
    except OSError:
        return 0, 0
    return max((one.st_mtime_ns for one in status), default=0), sum(one.st_size for one in status)
