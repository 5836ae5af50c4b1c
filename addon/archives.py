# SPDX-License-Identifier: GPL-3.0-or-later
"""Archives: a head in JSON and arrays beside it in one `.npz`, whole or not at all, and equal where they hold the same."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .files import written_whole

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The stamp of every member, whenever it was written."""
DAMAGED = (OSError, EOFError, KeyError, ValueError, TypeError, AttributeError, IndexError, RuntimeError, zipfile.BadZipFile,
           zlib.error)
"""What reading a file that is no archive of the kind, or was damaged, raises (zipfile says RuntimeError for flags it does not
know)."""


def write_archive(path: Path, kind: str, head: Any, arrays: Mapping[str, np.ndarray], level: int = 9) -> None:
    """Write `head` as KIND.json and each array as NAME.npy, packed as well as `level` (1 quick to 9 small) says. Raises
    InputError where the file cannot be written."""
    with written_whole(path, kind) as partial, zipfile.ZipFile(partial, "x") as archive:
        _add(archive, f"{kind}.json", json.dumps(head, sort_keys=True).encode(), level)
        for name, array in arrays.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
            _add(archive, f"{name}.npy", buffer.getvalue(), level)


def read_array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    """The array of that name. Raises KeyError where there is none, and ValueError for one that is damaged."""
    return np.lib.format.read_array(io.BytesIO(archive.read(f"{name}.npy")), allow_pickle=False)


def _add(archive: zipfile.ZipFile, name: str, data: bytes, level: int) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.external_attr = 0o644 << 16
    archive.writestr(info, data, zipfile.ZIP_DEFLATED, level)
