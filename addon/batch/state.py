# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done: one SQLite file beside the list, every change one transaction, so that a kill at any moment loses no result.
Every attempt at a stage is a row. It is `running` until its process has delivered; `written` once all its outputs are whole under
temporary names; `done` when they bear their own. A run that finds a `written` row finishes the renaming; a `running` one was
killed and is done anew."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError
from .made import NOTES, Made

SCHEMA_VERSION = 1
ENDING = ".sqlite"
RUNNING, WRITTEN, DONE, FAILED, KILLED, DROPPED = "running", "written", "done", "failed", "killed", "dropped"
"""`dropped`: was done, and its result is no longer wanted (--redo) or no longer there."""
WAIT_FOR_ROOM_S = 10.0
"""How long a change waits for room on a full disk, which the shot that filled it is about to give back."""

_SCHEMA = """
CREATE TABLE attempt (
    id INTEGER PRIMARY KEY,
    unit TEXT NOT NULL,
    stage TEXT NOT NULL,
    key TEXT NOT NULL,
    state TEXT NOT NULL,
    begun REAL NOT NULL,
    seconds REAL,
    sentence TEXT NOT NULL DEFAULT '',
    detail TEXT NOT NULL DEFAULT '',
    report TEXT NOT NULL DEFAULT '{}',
    moves TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX attempt_of_stage ON attempt (unit, stage);
CREATE TABLE holder (process INTEGER NOT NULL, host TEXT NOT NULL, since REAL NOT NULL);
"""


@dataclass(frozen=True)
class Attempt:
    """One try at a stage. `moves` are (temporary name, own name) of its outputs; `seconds` how long it took."""

    id: int
    unit: str
    stage: str
    key: str
    state: str
    begun: float
    seconds: float | None
    sentence: str
    detail: str
    report: dict[str, Any]
    moves: list[tuple[str, str]]


def state_file(list_file: Path) -> Path:
    return list_file.with_name(list_file.name + ENDING)


class State:
    """The open file. Only the batch that holds the list writes to it; reading is always allowed. `made` are the results in the
    list's own folder: only there is anything renamed."""

    def __init__(self, path: Path, made: Made) -> None:
        self.path, self.made = path, made
        try:
            self._db = sqlite3.connect(path, isolation_level=None, timeout=30.0)
            self._db.row_factory = sqlite3.Row
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version > SCHEMA_VERSION:
                raise InputError(f"The batch state {path} was written by a newer Lope; update Lope, or move the file away "
                                 "to begin anew.")
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            if version == 0:
                with self._change() as db:
                    if db.execute("PRAGMA user_version").fetchone()[0] == 0:
                        for statement in _SCHEMA.split(";"):
                            db.execute(statement)
                        db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        except sqlite3.Error as error:
            raise InputError(f"The batch state {path} cannot be used: {error}. Move it away to begin anew.") from error

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _change(self) -> Iterator[sqlite3.Connection]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield self._db
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise

    def _write(self, work: Callable[[sqlite3.Connection], Any]) -> Any:
        """Do a change. On a full disk it is tried again for a while. Raises InputError where it cannot be kept."""
        until = time.monotonic() + WAIT_FOR_ROOM_S
        while True:
            try:
                with self._change() as db:
                    return work(db)
            except sqlite3.OperationalError as error:
                if time.monotonic() > until:
                    raise InputError(f"The batch state {self.path} cannot be written: {error}. Make room on the disk and "
                                     "run the list again; what is done is kept.") from error
                time.sleep(0.2)

    def begin(self, unit: str, stage: str, key: str) -> int:
        """Note that a stage is being tried; gives the attempt's id."""
        row = (unit, stage, key, RUNNING, time.time())
        return self._write(lambda db: db.execute(
            "INSERT INTO attempt (unit, stage, key, state, begun) VALUES (?, ?, ?, ?, ?)", row).lastrowid)

    def finish(self, attempt: int, report: dict[str, Any], moves: Iterable[tuple[Path, Path]]) -> None:
        """Outputs are whole under temporary names: give them their own, once and for all. Raises InputError, also
        where something that Lope did not make stands there, and OSError."""
        plain = [(str(source), str(target)) for source, target in moves]
        row = (WRITTEN, json.dumps(report, allow_nan=False), json.dumps(plain), time.time(), attempt)
        self._write(lambda db: db.execute("UPDATE attempt SET state=?, report=?, moves=?, seconds=?-begun WHERE id=?", row))
        self._settle(attempt, plain)

    def _settle(self, attempt: int, moves: list[tuple[str, str]]) -> None:
        for source, target in moves:
            self.made.put_in_place(Path(source), Path(target))
        self._write(lambda db: db.execute("UPDATE attempt SET state=? WHERE id=?", (DONE, attempt)))

    def fail(self, attempt: int, sentence: str, detail: str = "", state: str = FAILED) -> None:
        row = (state, sentence, detail, time.time(), attempt)
        self._write(lambda db: db.execute("UPDATE attempt SET state=?, sentence=?, detail=?, seconds=?-begun WHERE id=?", row))

    def drop(self, attempt: int) -> None:
        self._write(lambda db: db.execute("UPDATE attempt SET state=? WHERE id=?", (DROPPED, attempt)))

    def recover(self) -> None:
        """Bring what a killed run left behind in order. Raises InputError, before anything is done, where the file would have
        something renamed that is no result of a batch of this list."""
        written = self._attempts("WHERE state=?", WRITTEN)
        for attempt in written:
            self.made.check_moves([(Path(source), Path(target)) for source, target in attempt.moves], self.path)
        for attempt in written:
            try:
                self._settle(attempt.id, attempt.moves)
            except OSError as error:
                self.fail(attempt.id, f"The results cannot be put in their place: {error}.")
        words = (KILLED, "the batch was stopped meanwhile", RUNNING)
        self._write(lambda db: db.execute("UPDATE attempt SET state=?, sentence=? WHERE state=?", words))

    def hold(self, process: int, host: str) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute("DELETE FROM holder")
            db.execute("INSERT INTO holder VALUES (?, ?, ?)", (process, host, time.time()))

        self._write(work)

    def holder(self) -> tuple[int, str, float] | None:
        """Process, host and since when [s since 1970] of who took the list last."""
        row = self._db.execute("SELECT process, host, since FROM holder").fetchone()
        return None if row is None else (row[0], row[1], row[2])

    def latest(self) -> dict[tuple[str, str], Attempt]:
        return {(attempt.unit, attempt.stage): attempt for attempt in self._attempts("ORDER BY id")}

    def counts(self) -> dict[tuple[str, str, str], dict[str, int]]:
        """How many attempts ended in which state, by unit, stage and key."""
        found: dict[tuple[str, str, str], dict[str, int]] = {}
        rows = "SELECT unit, stage, key, state, count(*) FROM attempt GROUP BY unit, stage, key, state"
        for row in self._db.execute(rows):
            found.setdefault((row[0], row[1], row[2]), {})[row[3]] = row[4]
        return found

    def durations(self) -> list[tuple[str, float, dict[str, Any]]]:
        """Stage, seconds and report of everything that was done."""
        return [(attempt.stage, attempt.seconds, attempt.report) for attempt in self._attempts("WHERE state=?", DONE)
                if attempt.seconds is not None]

    def _attempts(self, where: str, *values: Any) -> list[Attempt]:
        try:
            rows = self._db.execute(f"SELECT * FROM attempt {where}", values).fetchall()
            return [Attempt(**{**dict(row), "report": json.loads(row["report"]),
                               "moves": [(str(source), str(target)) for source, target in json.loads(row["moves"])]})
                    for row in rows]
        except (sqlite3.DatabaseError, ValueError, TypeError) as error:
            raise InputError(f"The batch state {self.path} cannot be used: {error}. Move it away to begin anew.") from error


LOCK_ENDING = ".lock"


@contextmanager
def held(list_file: Path, out: Path) -> Iterator[State]:
    """The list's state, with the list and its folder of results held for this process. Raises InputError where another batch
    holds one of them, be it by another list."""
    made = Made(out)
    own, of_results = list_file.with_name(list_file.name + LOCK_ENDING), made.out / f"{NOTES}{LOCK_ENDING}"
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
