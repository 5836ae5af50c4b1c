# SPDX-License-Identifier: GPL-3.0-or-later
"""How active a person is over time, drawn with what was recognised when."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...motions.pressure.activity import LAST, RISE
from .canvas import FRAME, INK, PAPER, QUIET_INK, Canvas, Colour

SPANS: tuple[Colour, ...] = ((33, 102, 172), (193, 68, 14), (46, 139, 87), (142, 68, 173), (181, 133, 11), (20, 156, 148))
"""Colours of motions, by turns."""
STANDS: Colour = (214, 218, 224)
LOW, HIGH = 0.3, 300.0
"""Ends of the score's axis, in deviations, by powers of ten."""
WHOLE_S, SEEN_S = 24.0, 16.0
"""A recording that lasts no longer is seen as a whole; of a longer one so much."""


@dataclass(frozen=True, eq=False)
class Score:
    """The activity (T,) of frames `rate_hz` a second, and what went on: rows with `motion`, `from_s`, `to_s` counted from the
    first frame, and `pace` unless the person stands."""

    activity: np.ndarray
    rate_hz: float
    rows: Sequence[dict[str, Any]]

    def draw(self, canvas: Canvas, box: tuple[int, int, int, int], time_s: float) -> None:
        """Draw it into a box (left, top, right, bottom) [pixels], with a line at a time [s]."""
        s, draw = canvas.scale, canvas.draw
        left, top, right, bottom = box
        left, right, bars = left + round(58 * s), right - round(20 * s), bottom - round(96 * s)
        begin, end = self._seen(time_s)
        lasts = end - begin

        def across(at: float) -> float:
            return left + (at - begin) / lasts * (right - left)

        def up(value: float) -> float:
            share = (math.log10(min(max(value, LOW), HIGH)) - math.log10(LOW)) / (math.log10(HIGH) - math.log10(LOW))
            return bars - share * (bars - top - 44 * s)

        for value, said in ((LAST, "ends"), (RISE, "begins")):
            draw.line([(left, up(value)), (right, up(value))], fill=(178, 184, 192), width=1)
            canvas.text(left - 6 * s, up(value), f"{value:g}", 12, QUIET_INK, anchor="rm")
            canvas.text(right, up(value) - (1 if value == RISE else -15) * s, said, 11, QUIET_INK, anchor="rb")
        for value in (1.0, 30.0, 100.0):
            canvas.text(left - 6 * s, up(value), f"{value:g}", 12, QUIET_INK, anchor="rm")
        draw.line([(left, top + 40 * s), (left, bars), (right, bars)], fill=QUIET_INK, width=1)
        self._rows(canvas, across, (bars + 8 * s, bars + 34 * s), (left, right), time_s)
        frames = range(max(int(begin * self.rate_hz) - 1, 0), min(int(end * self.rate_hz) + 2, len(self.activity)))
        draw.line([(min(max(across((frame + 0.5) / self.rate_hz), left), right), up(float(self.activity[frame])))
                   for frame in frames], fill=INK, width=max(round(2 * s), 1), joint="curve")
        for tick in np.arange(math.ceil(begin), end + 1e-9, 1.0 if lasts < 10.0 else 2.0):
            canvas.text(across(float(tick)), bars + 62 * s, f"{tick:g} s", 12, QUIET_INK, anchor="ma")
        at = across(time_s)
        draw.line([(at, top + 36 * s), (at, bars + 56 * s)], fill=(200, 30, 30), width=max(round(2 * s), 1))

    def _seen(self, time_s: float) -> tuple[float, float]:
        """From when to when is seen [s]."""
        lasts = len(self.activity) / self.rate_hz
        if lasts <= WHOLE_S:
            return 0.0, lasts
        begin = min(max(time_s - 0.6 * SEEN_S, 0.0), lasts - SEEN_S)
        return begin, begin + SEEN_S

    def _rows(self, canvas: Canvas, across: Any, bar: tuple[float, float], sides: tuple[float, float], time_s: float) -> None:
        """A bar for each motion, with its name where it has room, stance in grey."""
        kinds = list(dict.fromkeys(row["motion"] for row in self.rows if "pace" in row))
        for row in self.rows:
            left, right = (min(max(across(row[end]), sides[0]), sides[1]) for end in ("from_s", "to_s"))
            if right - left < 1.0:
                continue
            moves = "pace" in row
            fill = SPANS[kinds.index(row["motion"]) % len(SPANS)] if moves else STANDS
            now = row["from_s"] <= time_s < row["to_s"]
            canvas.draw.rectangle([left, bar[0], right - 1, bar[1]], fill=fill, outline=FRAME if now else None)
            if right - left > canvas.wide("stands", 12) * 0.7:
                canvas.text(0.5 * (left + right), 0.5 * sum(bar), row["motion"], 12, PAPER if moves else QUIET_INK, anchor="mm",
                            most=right - left - 6 * canvas.scale)
