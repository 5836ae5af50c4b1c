# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress on standard error: a bar on a terminal, a line every tenth of the way elsewhere, JSON lines for programs."""

from __future__ import annotations

import json
import time
from types import TracebackType
from typing import Self, TextIO

WIDTH = 30
REFRESH_S = 0.1


class Progress:
    """Call it with the fraction done (0 to 1) and what is being done; `close`, or leaving it, ends the bar's line. With
    `json_lines` every whole per cent, and every change of what is being done, is one JSON object on a line of its own: {"event":
    "progress", "share": 0.25, "text": "..."}."""

    def __init__(self, stream: TextIO, json_lines: bool = False) -> None:
        self.stream = stream
        self.json_lines = json_lines
        self.terminal = not json_lines and stream.isatty()
        self._last: tuple[int, str] = (-1, "")
        self._drawn_at = float("-inf")
        self._length = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.close()

    def __call__(self, fraction: float, text: str) -> None:
        """Show it, unless that would be too often."""
        fraction = min(max(fraction, 0.0), 1.0)
        if self.json_lines:
            self._event(fraction, text)
        elif self.terminal:
            self._draw(fraction, text)
        elif int(fraction * 10.0) > self._last[0]:
            self._last = (int(fraction * 10.0), text)
            print(f"{100.0 * fraction:3.0f} %  {text}", file=self.stream, flush=True)

    def _event(self, fraction: float, text: str) -> None:
        """One JSON line, where it differs from the one before."""
        now = (int(fraction * 100.0), text)
        if now != self._last:
            self._last = now
            print(json.dumps({"event": "progress", "share": round(fraction, 4), "text": text}), file=self.stream, flush=True)

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
