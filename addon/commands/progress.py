# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress on standard error: a bar on a terminal, a line every tenth of the way elsewhere."""

from __future__ import annotations

import time
from typing import TextIO

WIDTH = 30
REFRESH_S = 0.1


class Progress:
    """Call it with the fraction done (0 to 1) and what is being done; `close` ends the bar's line."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.terminal = stream.isatty()
        self._tenth = -1
        self._drawn_at = float("-inf")
        self._length = 0

    def __call__(self, fraction: float, text: str) -> None:
        """Show it, unless that would be too often."""
        fraction = min(max(fraction, 0.0), 1.0)
        if self.terminal:
            self._draw(fraction, text)
        elif int(fraction * 10.0) > self._tenth:
            self._tenth = int(fraction * 10.0)
            print(f"{100.0 * fraction:3.0f} %  {text}", file=self.stream, flush=True)

    def _draw(self, fraction: float, text: str) -> None:
        """The bar, over the one before."""
        now = time.monotonic()
        if now - self._drawn_at < REFRESH_S and fraction < 1.0:
            return
        self._drawn_at = now
        full = round(WIDTH * fraction)
        line = f"[{'#' * full}{'.' * (WIDTH - full)}] {100.0 * fraction:3.0f} %  {text}"
        print("\r" + line.ljust(self._length), end="", file=self.stream, flush=True)
        self._length = len(line)

    def close(self) -> None:
        """End the line of the bar, if one was drawn."""
        if self._length:
            print(file=self.stream, flush=True)
            self._length = 0
