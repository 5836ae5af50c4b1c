# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that the command line reads and writes: checked before the work starts, not after."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError

if TYPE_CHECKING:
    from ..specs.shot import Shot

FILES = frozenset(("activations", "after", "beside", "blend", "body", "checkpoint", "clip", "condition", "creature",
                   "creature_gait", "database", "dust", "film", "fix", "folder", "follow", "gains_file", "grid_sheet",
                   "heightfield", "library", "like", "list", "map", "matrix", "motion", "norms", "objects", "out", "path",
                   "picture", "pictures", "pose_gait", "save_map", "script", "sheet", "show_muscles", "show_pressure", "take",
                   "walker"))
"""Every option of any verb that may name a file or a folder, to read or to write."""
NAMES = frozenset(("condition", "creature", "creature_gait", "library", "like", "pose_gait", "walker"))
"""Those of them whose values without an ending are names of what Lope brings along."""
PICTURES = "frame_"
"""What the names of pictures begin with in a folder of them."""


def check_output(args: argparse.Namespace, option: str, path: str | Path | None = None, reads: Iterable[Path] = ()) -> Path:
    """The file of an option, or `path`, which follows from it, as a Path that can be written; its folder is made if need be.
    Raises InputError otherwise, and where it is a file that another option names or that is among `reads`, also by a link."""
    path = Path(getattr(args, option) if path is None else path)
    if path.is_dir():
        raise InputError(f"The output {path} is a folder; give the name of a file in it.")
    check_apart(path, [*_named(args, option), *reads])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        reason = "it is a file, not a folder" if path.parent.is_file() else error.strerror or error
        raise InputError(
            f"The output folder {path.parent} cannot be written: {reason}. Choose another with --out.") from error
    return path


def check_pictures(args: argparse.Namespace, option: str, folder: str | Path | None = None, reads: Iterable[Path] = ()) -> Path:
    """The folder of an option, or `folder`, which follows from it, as a Path in which numbered pictures can be written. Raises
    InputError otherwise, and where another option, or `reads`, names the folder itself or pictures in it."""
    folder = Path(getattr(args, option) if folder is None else folder)
    check_output(args, option, folder / f"{PICTURES}0001.png")
    others = [*_named(args, option), *reads]
    check_apart(folder, others)
    for other in others:
        if other.name.startswith(PICTURES):
            check_apart(folder / other.name, [other])
    return folder


def check_apart(path: Path, others: Iterable[Path]) -> None:
    """Raises InputError where a file that would be written is one of the others, by whatever name or link."""
    for other in others:
        if _is_same(path, other):
            raise InputError(f"The output {path} and {other} are one file, which writing would destroy: give the output another "
                             "name.")


def read_by(shot: Shot) -> list[Path]:
    """The files that a shot reads as it is simulated, whether options name them or a drive's script does."""
    files = (shot.motion, *((shot.follow.clip, shot.follow.database) if shot.follow is not None else ()),
             shot.after.take if shot.after is not None else None)
    return [Path(file) for file in files if file is not None]


def check_input(path: str | Path, what: str) -> Path:
    """`path` as a Path to a file that is there. Raises InputError otherwise; `what` names it in the message."""
    path = Path(path)
    if not path.is_file():
        kind = "a folder, not a file" if path.is_dir() else "not there; check the path"
        raise InputError(f"The {what} {path} is {kind}.")
    return path


def _named(args: argparse.Namespace, but: str) -> Iterator[Path]:
    """What all options but one may name."""
    for option, value in vars(args).items():
        if option in FILES and option != but:
            yield from (path for path in _paths(value) if option not in NAMES or path.suffix)


def _paths(value: Any) -> Iterator[Path]:
    """The files that a value may name: it itself, each of its items, its parts before a comma (FILE,SPACING) and around colons
    (A.json:0.5:B.json)."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _paths(item)
    elif isinstance(value, (str, Path)) and str(value):
        yield from map(Path, dict.fromkeys((str(value), str(value).partition(",")[0], *str(value).split(":"))))


def _is_same(path: Path, other: Path) -> bool:
    """Whether both are one file. Of files that are not there yet, whether they would be."""
    try:
        if path.exists() or other.exists():
            return path.samefile(other)
        return path.resolve() == other.resolve()
    except (OSError, ValueError, RuntimeError):  # no name that a file could have, or a link that leads to itself
        return False
