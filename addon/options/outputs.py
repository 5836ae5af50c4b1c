# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that the command line reads and writes: checked before the work starts, not after."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ..errors import InputError


def check_output(path: str | Path) -> Path:
    """`path` as a Path that can be written; its folder is made if need be. Raises InputError otherwise."""
    path = Path(path)
    if path.is_dir():
        raise InputError(f"The output {path} is a folder; give the name of a file in it.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        reason = "it is a file, not a folder" if path.parent.is_file() else error.strerror or error
        raise InputError(
            f"The output folder {path.parent} cannot be written: {reason}. Choose another with --out.") from error
    return path


def check_input(path: str | Path, what: str) -> Path:
    """`path` as a Path to a file that is there. Raises InputError otherwise; `what` names it in the message."""
    path = Path(path)
    if not path.is_file():
        kind = "a folder, not a file" if path.is_dir() else "not there; check the path"
        raise InputError(f"The {what} {path} is {kind}.")
    return path
