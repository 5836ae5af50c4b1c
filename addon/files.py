# SPDX-License-Identifier: GPL-3.0-or-later
"""A user's files, each written whole or not at all, and the door for those that are read: texts and JSON, measured before they
are taken in; arrays and archives: see `archives`.

What is read here may be damaged, or made to do harm: JSON may be nested without end. Each function that reads raises ValueError,
which says what is wrong with the content, or OSError; whoever calls names the file and what it was to be. What a file of the
right grammar holds, `checks.py` and `specs/settings.py` check.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import json
import math
import os
import re
import secrets
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

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
    import getpass

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


MOST_BYTES = 48 << 20
"""Of a file that is taken in as a whole: as Python's objects a text may be twenty times as large."""
MOST_JSON = 16 << 20
"""Bytes of JSON."""
MOST_LINE = 4 << 20
"""Letters of one line of a table."""
DEEPEST = 64
"""Lists and tables of JSON within one another."""
MOST_DIGITS = 20
"""Of a whole number."""
MOST_LETTERS = 200
"""Of a reason that is told."""
DAMAGED = (OSError, EOFError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, RuntimeError, MemoryError,
           SyntaxError, zipfile.BadZipFile, zlib.error, struct.error, csv.Error)
"""What taking apart the content of a file raises that is none of the kind, or was damaged (zipfile says RuntimeError for flags it
does not know)."""
Pairs = Callable[[list[tuple[str, Any]]], Any]


def why(error: BaseException) -> str:
    """What an error says, for the end of a sentence: in one line, not long, without a full stop."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, MemoryError):
        return "there is not enough memory for it"
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    if isinstance(error, KeyError):
        return f"it has no {error}"
    words = " ".join(str(error).split()).rstrip(".") or type(error).__name__
    return words if len(words) <= MOST_LETTERS else f"{words[:MOST_LETTERS]}..."


@contextmanager
def reading(failure: str, kind: type[InputError] = InputError, then: str = "") -> Iterator[None]:
    """While a file is read and its content taken apart, and nothing else is done: what that raises becomes an error of a `kind`,
    which says the `failure`, why, and `then` what to do, a sentence."""
    try:
        yield
    except DAMAGED as error:
        raise kind(f"{failure}: {why(error)}.{then and ' '}{then}") from error


def read_bytes(path: str | Path) -> bytes:
    """What is in a file. Raises ValueError for one that is too large, and OSError."""
    with Path(path).open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        check_size(size)
        data = file.read(1 + (size or MOST_BYTES))  # a pipe tells no size
    check_size(len(data))
    return data


def read_text(path: str | Path, encoding: str = "utf-8", errors: str = "strict") -> str:
    """The text of a file. Raises ValueError for one that is too large or in another encoding, and OSError."""
    return read_bytes(path).decode(encoding, errors).replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: str | Path, encoding: str = "utf-8") -> Iterator[str]:
    """The lines of a table one after the other, without their ends. Raises ValueError for a line that is too long or in another
    encoding, and OSError."""
    with Path(path).open(encoding=encoding) as file:
        while line := file.readline(MOST_LINE + 1):
            if len(line) > MOST_LINE:
                raise ValueError(f"it has a line of more than {MOST_LINE} letters")
            yield line.rstrip("\n")


def check_size(size: int, most: int = MOST_BYTES) -> None:
    """Raises ValueError for too many bytes."""
    if size > most:
        raise ValueError(f"it has more than {most >> 20} MB, the most that Lope reads of such a file")


def read_json(path: str | Path, finite: bool = True) -> Any:
    """What a JSON file holds. Raises ValueError as `parse_json` does, and OSError."""
    return parse_json(read_text(path), finite=finite)


def parse_json(text: str | bytes, pairs: Pairs | None = None, finite: bool = True) -> Any:
    """What JSON holds; `pairs` makes its tables. Raises ValueError for what is none, for one that is nested too deep, for numbers
    that are not `finite` or have too many digits, and for texts that are no Unicode."""
    check_size(len(text), MOST_JSON)
    text = text.decode("utf-8") if isinstance(text, bytes) else text
    number: Callable[[str], Any] = _finite if finite else float
    constant: Callable[[str], Any] = _no_number if finite else float
    try:
        told = json.loads(text, parse_int=_whole, parse_float=number, parse_constant=constant, object_pairs_hook=pairs)
    except RecursionError:
        raise _too_deep() from None
    _check_depth(told)
    if "\\ud" in text.lower():
        json.dumps(told, ensure_ascii=False).encode()  # raises UnicodeEncodeError, a ValueError, for half a pair
    return told


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError(f"the number {digits[:MOST_DIGITS]}... has too many digits")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"the number {digits[:MOST_DIGITS]} is too large")
    return number


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _check_depth(told: Any) -> None:
    level: list[Any] = [[told]]
    for _ in range(DEEPEST + 1):
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)
                 if isinstance(inner, (dict, list))]
        if not level:
            return
    raise _too_deep()


def _too_deep() -> ValueError:
    return ValueError(f"its lists and tables are nested more than {DEEPEST} deep")
