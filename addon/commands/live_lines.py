# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of standard input as they come, until its end or until the user stops it."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any


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
