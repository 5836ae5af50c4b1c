# SPDX-License-Identifier: GPL-3.0-or-later
"""One batch a list and a folder of results: locks that the operating system gives back by themselves when their holder ends,
however it ends."""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ..errors import InputError
from .made import NOTES, Made
from .state import State, state_file

ENDING = ".lock"


@contextmanager
def held(list_file: Path, out: Path) -> Iterator[State]:
    """The list's state, with the list and its folder of results held for this process. Raises InputError where another batch
    holds one of them, be it by another list."""
    made = Made(out)
    own, of_results = list_file.with_name(list_file.name + ENDING), made.out / f"{NOTES}{ENDING}"
    with _locked(own, lambda: _taken(list_file, made)):
        try:
            made.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"The folder of the results, {made.out}, cannot be made: {error.strerror or error}.") from error
        with (_locked(of_results, lambda: f"A batch of another list is putting its results in {made.out}; wait for it, or give "
                      f"{list_file} another \"out\"."),
              closing(State(state_file(list_file), made)) as state):
            state.hold(os.getpid(), socket.gethostname())
            yield state


@contextmanager
def _locked(file: Path, taken: Callable[[], str]) -> Iterator[None]:
    """Hold a lock. Raises InputError where another process holds it, in the words of `taken`, and for a file that is none. The
    lock is SQLite's own, on an empty database of its own: the same on every system, and free as soon as its holder is gone."""
    try:
        lock = sqlite3.connect(file, isolation_level=None, timeout=0.0)
    except sqlite3.Error as error:
        raise InputError(_unusable(file, error)) from None
    with closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.DatabaseError as error:
            busy = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
            raise InputError(taken() if busy else _unusable(file, error)) from None
        yield


def _unusable(file: Path, error: sqlite3.Error) -> str:
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_NOTADB:
        return f"{file} is where the batch's lock goes, and holds something else: move it away."
    return f"The batch cannot be locked by {file}: {error}. Is its folder writable?"


def _taken(list_file: Path, made: Made) -> str:
    holder = None
    if state_file(list_file).is_file():
        state = State(state_file(list_file), made)
        holder = state.holder()
        state.close()
    if holder is None:
        return f"Another batch has just begun with {list_file}; wait for it, or stop it."
    process, host, since = holder
    begun = time.strftime("%H:%M:%S", time.localtime(since))
    return (f"{list_file} is being worked off by process {process} on {host} since {begun}; wait for it or stop it "
            "(`lope batch LIST --status` shows how far it is).")
