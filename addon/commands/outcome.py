# SPDX-License-Identifier: GPL-3.0-or-later
"""What a verb gives back: a report for programs, a text for people, and the exit code; lines of standard input as they come; and
the options of verbs that can work on a farm."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import InputError

if TYPE_CHECKING:
    import argparse

    from ..farm.dask_pool import DaskPool


DONE, FELL, BAD_INPUT, FAULT, LOST, STOPPED = 0, 1, 2, 3, 4, 130
"""Exit codes: done; the character fell, or did not do what was asked; bad input; a fault in Lope itself; the physics engine lost
the simulation; stopped by the user (as shells count it)."""


@dataclass(frozen=True)
class Outcome:
    """`report` is printed by --json (plain JSON values), `text` without it."""

    report: dict[str, Any]
    text: str
    code: int = DONE


Outcomes = Outcome | Iterator[Outcome]
"""What a verb gives: one outcome, or one after the other, each printed as soon as it is there; the last one's code counts."""


def table(values: Mapping[str, Any], units: Mapping[str, str] | None = None) -> str:
    """Name, value and unit of each entry, one a line, in columns; lists of records and of sentences one item a line."""
    width = max(map(len, values), default=0)
    lines = []
    for name, value in values.items():
        items = value if _is_long(value) else [value]
        for label, item in zip([name] + [""] * len(items), items, strict=False):
            lines.append(f"{label:{width}}  {shown(item)} {(units or {}).get(name, '')}".rstrip())
    return "\n".join(lines)


def shown(value: Any) -> str:
    """A value as people read it."""
    if value is None or value == [] or value == {}:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {f'({shown(v)})' if isinstance(v, Mapping) else shown(v)}" for name, v in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(map(shown, value))
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _is_long(value: Any) -> bool:
    """Whether a value is a list that wants a line for each of its items."""
    return isinstance(value, (list, tuple)) and any(isinstance(v, Mapping) or len(str(v)) > 40 for v in value)


def stop_at_sigterm() -> None:
    """From now on let SIGTERM do what Ctrl-C does (KeyboardInterrupt); only in the main thread, which handles signals."""
    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)


class LiveLines:
    """Iterates over the lines. A wish to stop (Ctrl+C) counts only while a line is waited for: what is made of the one before is
    not cut off half done. `stopped` tells whether there was one."""

    def __init__(self) -> None:
        self.stopped = self._waits = False

    def __iter__(self) -> Iterator[str]:
        main = threading.current_thread() is threading.main_thread()  # only there signals may be handled
        before = signal.signal(signal.SIGINT, self._stop) if main else None
        try:
            while not self.stopped and (line := self._next()):
                yield line
        finally:
            if main:
                signal.signal(signal.SIGINT, before or signal.default_int_handler)  # None: one that is not Python's

    def _next(self) -> str:
        """The next line; empty at the end."""
        try:
            self._waits = True
            return sys.stdin.readline()
        except KeyboardInterrupt:
            self.stopped = True
            return ""
        finally:
            self._waits = False

    def _stop(self, *_: Any) -> None:
        self.stopped = True
        if self._waits:
            raise KeyboardInterrupt


def add_dask_option(parser: argparse._ActionsContainer, does: str) -> None:
    """--dask ADDRESS; `does` says what is done there."""
    parser.add_argument("--dask", metavar="ADDRESS", help=f"{does} on the workers of the Dask scheduler there instead of on "
                        "this machine's cores; the results are the same (docs/farm.md)")


LONGEST_MIN = 7.0 * 24.0 * 60.0


def add_patience_option(parser: argparse._ActionsContainer, does: str) -> None:
    """--patience MINUTES; `does` says what hangs then."""
    parser.add_argument("--patience", type=float, default=60.0, metavar="MINUTES", help=f"{does} (default: %(default)g)")


def patience_s(args: argparse.Namespace) -> float:
    """The limit asked for [s]. Raises InputError."""
    if not 0.0 < args.patience <= LONGEST_MIN:
        raise InputError(f"--patience must lie between 0 and {LONGEST_MIN:g} minutes, got {args.patience:g}.")
    return 60.0 * float(args.patience)


@contextmanager
def dask_pool(address: str | None) -> Iterator[DaskPool | None]:
    """The pool of the Dask scheduler at an address, its workers told of; None without an address. Raises InputError."""
    if address is None:
        yield None
        return
    from ..farm.dask_pool import DaskPool

    with DaskPool(address) as pool:
        print(f"Dask at {address}: {pool.workers} workers.", file=sys.stderr)
        yield pool
