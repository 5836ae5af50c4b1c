# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays in files, and archives: a head in JSON and arrays beside it in one `.npz`, whole or not at all, and equal where they
hold the same. What is read may be damaged, or made to do harm: an array may say that it is huge. Functions raise what those of
`files` do."""

from __future__ import annotations

import contextlib
import json
import math
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from .files import DAMAGED, MOST_JSON, check_size, parse_json, why, written_whole
from .rows import BLOCK_BYTES, parts, spilled

_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The stamp of every member, whenever it was written."""
KNOWN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How members are packed."""
MOST_UNPACKED = 1 << 30
"""Bytes of all members of an archive together: a take of an hour has 0.6 GB."""
MOST_NUMBER = 1e9
"""No place, force, angle or time is as large."""


def write_archive(path: Path, kind: str, head: Any, arrays: Mapping[str, np.ndarray], level: int = 9) -> None:
    """Write `head` as KIND.json and each array as NAME.npy, packed as well as `level` (1 quick to 9 small) says. Raises
    InputError where the file cannot be written."""
    with written_whole(path, kind) as partial, zipfile.ZipFile(partial, "x") as archive:
        archive.writestr(_member(f"{kind}.json", level), json.dumps(head, sort_keys=True).encode())
        for name, array in arrays.items():
            if array.dtype.hasobject:
                raise ValueError(f"the array {name} holds objects, which would have to be pickled (allow_pickle=False)")
            array = np.ascontiguousarray(array)
            with archive.open(_member(f"{name}.npy", level), "w") as member:
                np.lib.format.write_array_header_1_0(member, np.lib.format.header_data_from_array_1_0(array))
                for rows in parts(array.reshape(-1)):
                    member.write(rows.tobytes())


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
    except DAMAGED:
        return frozenset()


def read_head(archive: zipfile.ZipFile, kind: str) -> dict[str, Any]:
    """The head in KIND.json. Raises KeyError where there is none, and ValueError for one that is damaged."""
    name = f"{kind}.json"
    check_size(archive.getinfo(name).file_size, MOST_JSON)
    head = parse_json(archive.read(name), finite=False)
    if not isinstance(head, dict):
        raise ValueError(f"its {name} is no table")
    return head


def read_member(archive: zipfile.ZipFile, name: str, kinds: str = "biuf", spills: bool = False) -> np.ndarray:
    """The array of that name, of a type of these `kinds`; a long one that `spills` is read-only, mapped from a temporary file.
    Raises KeyError where there is none, and ValueError for one that is damaged."""
    size = archive.getinfo(f"{name}.npy").file_size
    with archive.open(f"{name}.npy") as member:
        return read_array(member, size, kinds, spills)


def _member(name: str, level: int) -> zipfile.ZipInfo:
    """What is said of a member that is to be written."""
    info = zipfile.ZipInfo(name, _EPOCH)
    info.external_attr = 0o644 << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    info._compresslevel = level  # type: ignore[attr-defined]  # what a member is opened with has no public way to say it
    return info


def read_array(stream: IO[bytes], size: int, kinds: str = "biuf", spills: bool = False) -> np.ndarray:
    """The array of an .npy file or member of `size` bytes, of a type of these `kinds`; for `spills` see `read_member`. Raises
    ValueError for what is none, and, before anything is made, for one whose head does not promise just what it holds."""
    shape, dtype, by_columns = read_array_head(stream)
    begins = stream.tell()
    if dtype.kind not in kinds:
        raise ValueError(f"its array is of {dtype}, and no numbers")
    promised = math.prod(shape) * dtype.itemsize
    if promised != size - begins:
        raise ValueError(f"its head promises an array {shape} of {dtype}, {promised} bytes, and it holds {size - begins}")
    if spills and promised > BLOCK_BYTES and not by_columns:
        return spilled(stream, dtype, shape)
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)


def check_array(array: np.ndarray, name: str, shape: tuple[int | None, ...], most: float = MOST_NUMBER) -> None:
    """Raises ValueError for an array of another `shape`, of which None may be any length, and for one with values that are no
    numbers or farther from 0 than `most`."""
    if array.ndim != len(shape) or any(want not in (None, have) for want, have in zip(shape, array.shape, strict=True)):
        wanted = ", ".join("any" if want is None else str(want) for want in shape)
        raise ValueError(f"its array {name} has the shape {array.shape}; expected ({wanted})")
    if array.size and not (np.abs(array, dtype=float) <= most).all():
        raise ValueError(f"its array {name} has values that are no numbers, or larger than {most:g}")


def read_array_head(stream: IO[bytes]) -> tuple[tuple[int, ...], np.dtype, bool]:
    """Shape and type of the array that begins here, and whether it lies there by columns. Raises ValueError for what is none."""
    try:
        version = np.lib.format.read_magic(stream)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, by_columns, dtype = read(stream)
    except Exception as error:  # numpy reads it as a Python expression: the parser's errors are of all kinds
        raise ValueError(f"its head is that of no array ({why(error)})") from error
    if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in shape):
        raise ValueError(f"its head tells the shape {shape}, which is none")
    return shape, dtype, by_columns
