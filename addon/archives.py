# SPDX-License-Identifier: GPL-3.0-or-later
"""Archives: a head in JSON and arrays beside it in one `.npz`, whole or not at all, and equal where they hold the same."""

from __future__ import annotations

import contextlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from . import reading
from .files import written_whole

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The stamp of every member, whenever it was written."""
KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How members are packed."""
MOST_UNPACKED = 1 << 30
"""Bytes of all members of an archive together: a take of an hour has 0.6 GB."""


def write_archive(path: Path, kind: str, head: Any, arrays: Mapping[str, np.ndarray], level: int = 9) -> None:
    """Write `head` as KIND.json and each array as NAME.npy, packed as well as `level` (1 quick to 9 small) says. Raises
    InputError where the file cannot be written."""
    with written_whole(path, kind) as partial, zipfile.ZipFile(partial, "x") as archive:
        _add(archive, f"{kind}.json", json.dumps(head, sort_keys=True).encode(), level)
        for name, array in arrays.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
            _add(archive, f"{name}.npy", buffer.getvalue(), level)


@contextlib.contextmanager
def opened_archive(path: str | Path) -> Iterator[zipfile.ZipFile]:
    """An archive to read. Raises ValueError for one that unpacks to more than any that Lope writes, or is packed in another way,
    and what zipfile raises for what is none."""
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        unpacked = sum(member.file_size for member in members)
        if unpacked > MOST_UNPACKED:
            raise ValueError(f"it unpacks to {unpacked / 1e9:.1f} GB, and Lope reads {MOST_UNPACKED / 1e9:.1f} GB at most")
        other = next((one.filename for one in members if one.compress_type not in KNOWN), None)
        if other is not None:
            raise ValueError(f"its member {other!r} is packed in a way that Lope does not know")
        yield archive


def members_of(path: str | Path) -> frozenset[str]:
    """Names of what an archive holds; none where the file is no archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            return frozenset(archive.namelist())
    except reading.DAMAGED:
        return frozenset()


def read_head(archive: zipfile.ZipFile, kind: str) -> dict[str, Any]:
    """The head in KIND.json. Raises KeyError where there is none, and ValueError for one that is damaged."""
    name = f"{kind}.json"
    reading.check_size(archive.getinfo(name).file_size, reading.MOST_JSON)
    head = reading.parse_json(archive.read(name), finite=False)
    if not isinstance(head, dict):
        raise ValueError(f"its {name} is no table")
    return head


def read_array(archive: zipfile.ZipFile, name: str, kinds: str = "biuf") -> np.ndarray:
    """The array of that name, of a type of these `kinds`. Raises KeyError where there is none, and ValueError for one that is
    damaged."""
    size = archive.getinfo(f"{name}.npy").file_size
    with archive.open(f"{name}.npy") as member:
        return reading.read_array(member, size, kinds)


def _add(archive: zipfile.ZipFile, name: str, data: bytes, level: int) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.external_attr = 0o644 << 16
    archive.writestr(info, data, zipfile.ZIP_DEFLATED, level)
