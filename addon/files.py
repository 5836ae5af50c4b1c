# SPDX-License-Identifier: GPL-3.0-or-later
"""A user's files, each written whole or not at all, and a folder for temporary ones that nobody else can reach into."""

from __future__ import annotations

import contextlib
import errno
import getpass
import os
import re
import secrets
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .errors import InputError

_unfinished: set[Path] = set()
"""Temporary names that this process writes under."""


def write_whole(path: str | Path, data: str | bytes, what: str) -> None:
    """Write text, as UTF-8, or bytes. Raises InputError as `written_whole` does."""
    with written_whole(path, what) as partial, partial.open("xb") as file:
        file.write(data.encode() if isinstance(data, str) else data)


@contextlib.contextmanager
def written_whole(path: str | Path, what: str) -> Iterator[Path]:
    """The name to write a file under, which nobody can guess and where nothing is. The file takes the place of the one at `path`,
    and its mode, once it is whole and on the disk; where writing fails it goes, and the former one stays. A link stays one. The
    folder is made where it is not there. Raises InputError, which calls the file `what`, for an OSError meanwhile."""
    try:
        with placed_whole(Path(path)) as partial:
            yield partial
    except OSError as error:
        raise InputError(f"The {what} cannot be written to {path}: {error.strerror or error}.") from error


@contextlib.contextmanager
def placed_whole(path: Path) -> Iterator[Path]:
    """The same, with the OSError as it is."""
    target = Path(os.path.realpath(path))
    mode = _mode_of(target)
    partial = target.with_name(f".{target.stem[:40]}.{secrets.token_hex(8)}{target.suffix}")
    target.parent.mkdir(parents=True, exist_ok=True)
    _unfinished.add(partial)
    try:
        yield partial
        with partial.open("rb+") as file:
            os.fsync(file.fileno())
        if mode is not None:
            partial.chmod(mode)
        partial.replace(target)
    finally:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        _unfinished.discard(partial)


def drop_unfinished() -> None:
    """Take away what this process has half written, before it leaves on the spot."""
    for partial in list(_unfinished):
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)


def temporary_folder(name: str) -> Path:
    """The folder of that name for temporary files of this user that later runs go on with; others may neither read nor write in
    it. Raises InputError where somebody else has made one in its place."""
    user = os.getuid() if hasattr(os, "getuid") else re.sub(r"\W", "_", getpass.getuser())
    root = Path(tempfile.gettempdir()) / f"lope-{user}"
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = root.lstat()
        if not stat.S_ISDIR(found.st_mode) or (hasattr(os, "getuid") and (found.st_uid != os.getuid() or found.st_mode & 0o077)):
            raise InputError(f"{root} is no folder of this user alone: remove it, or name another folder for temporary files in "
                             "TMPDIR.")
        folder = root / name
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"The folder {root} for temporary files cannot be made: {error.strerror or error}.") from error
    return folder


def _mode_of(path: Path) -> int | None:
    """The permissions of a file that is to be replaced; None where there is none. Raises OSError for what may not be replaced."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is a device or a pipe, and no file")
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "the file there is write-protected")
    return stat.S_IMODE(found.st_mode)
