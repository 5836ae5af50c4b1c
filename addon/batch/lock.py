# SPDX-License-Identifier: GPL-3.0-or-later
"""One batch a list: a lock that the operating system gives back by itself when its holder ends, however it ends."""

from __future__ import annotations

import os
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import InputError
from .made import Made
from .state import State, state_file

ENDING = ".lock"


@contextmanager
def held(list_file: Path, out: Path) -> Iterator[State]:
    """The list's state, with the list held for this process. Raises InputError where another batch holds it.

    The lock is SQLite's own, on an empty database of its own: the same on every system, and free as soon as its holder is
    gone.
    """
    try:
        lock = sqlite3.connect(list_file.with_name(list_file.name + ENDING), isolation_level=None, timeout=0.0)
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        raise InputError(_taken(list_file, out, error)) from None
    try:
        state = State(state_file(list_file), Made(out))
        try:
            state.hold(os.getpid(), socket.gethostname())
            yield state
        finally:
            state.close()
    finally:
        lock.close()


def _taken(list_file: Path, out: Path, error: sqlite3.OperationalError) -> str:
    """Who holds the list."""
    if "locked" not in str(error):
        return f"The shot list {list_file} cannot be locked: {error}. Is its folder writable?"
    holder = None
    if state_file(list_file).is_file():
        state = State(state_file(list_file), Made(out))
        holder = state.holder()
        state.close()
    if holder is None:
        return f"Another batch has just begun with {list_file}; wait for it, or stop it."
    process, host, since = holder
    begun = time.strftime("%H:%M:%S", time.localtime(since))
    return (f"{list_file} is being worked off by process {process} on {host} since {begun}; wait for it or stop it "
            "(`lope batch LIST --status` shows how far it is).")
