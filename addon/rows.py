# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of many rows that need not be in memory: an hour of samples has half a gigabyte.

Rows are collected in memory while they are few, and in a temporary file from then on, which the array of them is mapped from. The
file has no name where the system can do without (elsewhere it is the system's to delete), and goes with the last array of it,
however the process ends. What has been read of a mapped array counts as the process' memory until it is let go of, so whoever
reads a whole one does so in blocks.
"""

from __future__ import annotations

import contextlib
import mmap
import tempfile
from collections.abc import Callable, Iterator
from typing import IO

import numpy as np

from .errors import InputError

BLOCK_BYTES = 4 << 20
"""Of an array that is kept in memory at most, and of what is written or read at once of longer ones."""
BLOCK_ROWS = 8192
"""Rows that are worked on at once: more than two minutes at 60 a second, some tens of megabytes of intermediate arrays."""
FIRST_ROWS = 64


class Rows:
    """Rows of one shape, one after the other. Their type is the one that holds all of theirs, as that of a list has it."""

    def __init__(self) -> None:
        self._block = np.empty(0)
        self._filled = self._written = 0
        self._file: IO[bytes] | None = None

    def __len__(self) -> int:
        return self._written + self._filled

    def append(self, row: np.ndarray | float) -> None:
        """One more row. Raises as `extend` does."""
        row, block, at = np.asarray(row), self._block, self._filled
        if at < len(block) and row.dtype == block.dtype and row.shape == block.shape[1:]:
            block[at], self._filled = row, at + 1
        else:
            self.extend(row[None])

    def extend(self, rows: np.ndarray) -> None:
        """More rows (n, ...). Raises ValueError for rows of another shape than the first, and InputError where they do not fit
        into the folder for temporary files."""
        if not len(self):
            self._block = np.empty((0, *rows.shape[1:]), rows.dtype)
        if rows.shape[1:] != self._block.shape[1:]:
            raise ValueError(f"a row of the shape {rows.shape[1:]} after such of {self._block.shape[1:]}")
        dtype = np.result_type(self._block.dtype, rows.dtype)
        if dtype != self._block.dtype:
            self._retype(dtype)
        done = 0
        while done < len(rows):
            if self._filled == len(self._block):
                self._make_room()
            part = rows[done:done + len(self._block) - self._filled]
            self._block[self._filled:self._filled + len(part)] = part
            self._filled, done = self._filled + len(part), done + len(part)

    def array(self) -> np.ndarray:
        """All rows so far (N, ...): a copy of few, many mapped from the file, read-only."""
        if self._file is None:
            return self._block[:self._filled].copy()
        self._spill()
        return mapped(self._file, self._block.dtype, (self._written, *self._block.shape[1:]))

    def _make_room(self) -> None:
        """A block with room for one more row at least: twice as long, or emptied into the file."""
        row = self._block.itemsize * max(int(np.prod(self._block.shape[1:])), 1)
        most = max(BLOCK_BYTES // row, 1)
        if self._filled >= most:
            self._spill()
            return
        longer = np.empty((min(max(2 * self._filled, FIRST_ROWS), most), *self._block.shape[1:]), self._block.dtype)
        longer[:self._filled] = self._block[:self._filled]
        self._block = longer

    def _spill(self) -> None:
        """Write what is in the block to the file."""
        self._file = self._file or temporary_file()
        with temporary_room():
            self._file.write(np.ascontiguousarray(self._block[:self._filled]).data)
            self._file.flush()
        self._written, self._filled = self._written + self._filled, 0

    def _retype(self, dtype: np.dtype) -> None:
        """Have all rows so far in another type."""
        if self._file is None:
            self._block = self._block.astype(dtype)
            return
        before, other = self.array(), Rows()
        for rows in blocks(len(before)):
            other.extend(before[rows].astype(dtype))
        self._block, self._filled, self._written, self._file = other._block, other._filled, other._written, other._file


@contextlib.contextmanager
def temporary_room() -> Iterator[None]:
    """While something is written to a temporary file: raises InputError for the OSError of one that cannot be."""
    try:
        yield
    except OSError as error:
        raise InputError(f"A long take does not fit into the folder for temporary files, {tempfile.gettempdir()}: "
                         f"{error.strerror or error}. Make room there, or name another one in TMPDIR.") from error


def temporary_file() -> IO[bytes]:
    """A file for what does not stay in memory. Raises InputError where there can be none."""
    with temporary_room():
        return tempfile.TemporaryFile(prefix="lope-")


def mapped(file: IO[bytes], dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """The array that a temporary file holds, read-only; the file is there until the array is gone."""
    size = int(np.prod(shape)) * dtype.itemsize
    return np.frombuffer(mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ), dtype).reshape(shape)


def spilled(stream: IO[bytes], dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """The array, row by row, with which a stream goes on, mapped from a temporary file. Raises ValueError where the stream ends
    before, and InputError where there is no room for the file."""
    file, left = temporary_file(), int(np.prod(shape)) * dtype.itemsize
    while left:
        data = stream.read(min(left, BLOCK_BYTES))
        if not data:
            raise ValueError(f"it ends {left} bytes before its array")
        left -= len(data)
        with temporary_room():
            file.write(data)
    with temporary_room():
        file.flush()
    return mapped(file, dtype, shape)


def let_go(*arrays: np.ndarray) -> None:
    """Give back the memory that mapped arrays have been read into; what is needed again is read again."""
    for array in arrays:
        base: object = array
        while isinstance(base, (np.ndarray, memoryview)):
            base = base.base if isinstance(base, np.ndarray) else base.obj
        if isinstance(base, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            base.madvise(mmap.MADV_DONTNEED)


def parts(array: np.ndarray) -> Iterator[np.ndarray]:
    """An array of any shape as consecutive stretches (n, ...) of its rows, each let go of when the next one is asked for."""
    rows = max(BLOCK_BYTES // max(array[:1].nbytes, 1), 1)
    for start in range(0, len(array), rows):
        yield array[start:start + rows]
        let_go(array)


def blocks(count: int) -> Iterator[slice]:
    """Ranges that make up `count` rows."""
    return (slice(start, min(start + BLOCK_ROWS, count)) for start in range(0, count, BLOCK_ROWS))


def in_blocks(work: Callable[[slice], np.ndarray], count: int, *read: np.ndarray) -> np.ndarray:
    """What `work(rows)` gives for each block of `count` rows, one after another along the first axis; mapped where it is much.
    What it `read` of mapped arrays is let go of meanwhile."""
    if count <= BLOCK_ROWS:
        return work(slice(0, count))
    out = Rows()
    for rows in blocks(count):
        out.extend(work(rows))
        let_go(*read)
    return out.array()
