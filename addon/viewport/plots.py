# SPDX-License-Identifier: GPL-3.0-or-later
"""Plots as lines, bars and labels in pixels: what a take did over time, laid out in a view. Plain numpy."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

PAGE_S = 8.0
"""Longest stretch of time shown at once; longer takes turn pages with the present frame."""
WIDE, ROW, NARROW_ROW, LEAST = 560.0, 78.0, 40.0, (220.0, 110.0)
"""In pixels before the interface's scale: width from which two columns fit, height of a plot at most and at least, and the
smallest view that is drawn in."""
SHARE = 0.62
"""Most of a view's height that plots may take."""
LEFT, RIGHT, TOP, BOTTOM, GAP = 44.0, 10.0, 17.0, 5.0, 4.0
"""Room around a plot's frame: numbers to the left, its title above, a little air."""
TICKS = 3
ROOM = 0.08
"""Air above and below the curves, as a share of their height."""


@dataclass(frozen=True)
class Curve:
    """A line through `values` (T,), drawn in the colour of that name; not a number leaves a gap."""

    values: np.ndarray
    colour: str


@dataclass(frozen=True)
class Chart:
    """One plot. `x` (T,) never falls; a time's place on it is found between the takes' samples. `bars` are rows of masks
    (T,) with a colour each, drawn from the top down instead of numbers."""

    title: str
    x: np.ndarray
    curves: tuple[Curve, ...] = ()
    bars: tuple[Curve, ...] = ()


@dataclass(frozen=True)
class Board:
    """Everything to show of a take: `time_s` (T,) of all charts' samples."""

    time_s: np.ndarray
    charts: tuple[Chart, ...]

    def page(self, time_s: float) -> tuple[float, float]:
        """Start and end of the stretch of time that shows a moment."""
        first, last = float(self.time_s[0]), float(self.time_s[-1])
        if last - first <= PAGE_S:
            return first, last
        at = min(max(time_s, first), last - 1e-9)
        start = first + PAGE_S * math.floor((at - first) / PAGE_S)
        return start, min(start + PAGE_S, last)


@dataclass
class Sheet:
    """What is drawn of one page, in pixels: `frames` (N, 4) x, y, width, height of the plots; `lines` and `fills`, colour ->
    pairs of ends (2 M, 2) and corners of triangles (3 M, 2); `labels` (x, y, text, right-aligned)."""

    frames: np.ndarray
    lines: dict[str, list[np.ndarray]] = field(default_factory=dict)
    fills: dict[str, list[np.ndarray]] = field(default_factory=dict)
    labels: list[tuple[float, float, str, bool]] = field(default_factory=list)


def places(view: tuple[float, float, float, float], count: int, scale: float) -> np.ndarray:
    """Frames (N, 4) of as many plots as a view (x, y, width, height) has room for, N <= `count`, filled by columns."""
    x, y, width, height = view
    if width < LEAST[0] * scale or height < LEAST[1] * scale:
        return np.zeros((0, 4))
    columns = 2 if width >= WIDE * scale else 1
    rows = math.ceil(count / columns)
    around = (TOP + BOTTOM) * scale
    room = SHARE * height
    each = min(ROW * scale, room / rows - around)
    if each < NARROW_ROW * scale:
        each = NARROW_ROW * scale
        rows = max(1, int(room // (each + around)))
    found = []
    for i in range(min(count, rows * columns)):
        column, row = divmod(i, rows)
        left = x + column * width / columns + LEFT * scale
        base = y + (rows - 1 - row) * (each + around) + BOTTOM * scale
        found.append((left, base, width / columns - (LEFT + RIGHT) * scale, each))
    return np.array(found)


def ticks(low: float, high: float, most: int = TICKS) -> list[float]:
    """Round numbers within a range, `most` of them or fewer, but one at least where the range holds any."""
    span = high - low
    power = 10.0 ** math.floor(math.log10(span / most))
    for step in (power * k for k in (1.0, 2.0, 5.0, 10.0, 20.0, 50.0)):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first + 1 <= most:
            return [step * k for k in range(first, last + 1)]
    return []


def sheet(board: Board, view: tuple[float, float, float, float], page: tuple[float, float], scale: float = 1.0) -> Sheet:
    """The drawing of one page of a board in a view (x, y, width, height) in pixels."""
    made = Sheet(places(view, len(board.charts), scale))
    rows = np.flatnonzero((board.time_s >= page[0] - 1e-9) & (board.time_s <= page[1] + 1e-9))
    for frame, chart in zip(made.frames, board.charts, strict=False):
        made.labels.append((frame[0], frame[1] + frame[3] + 4.0 * scale, chart.title, False))
        x = _across(chart, board, page, frame, chart.x[rows])
        if chart.bars:
            _add_bars(made, chart, rows, x, frame)
        else:
            _add_curves(made, chart, rows, x, frame, scale)
    return made


def cursor(board: Board, made: Sheet, page: tuple[float, float], time_s: float) -> np.ndarray:
    """Lines (2 N, 2) in pixels that mark a moment in every plot; none outside the page."""
    if not page[0] - 1e-9 <= time_s <= page[1] + 1e-9:
        return np.zeros((0, 2))
    ends = []
    for frame, chart in zip(made.frames, board.charts, strict=False):
        x = float(_across(chart, board, page, frame, np.interp([time_s], board.time_s, chart.x))[0])
        ends += [(x, frame[1]), (x, frame[1] + frame[3])]
    return np.array(ends).reshape(-1, 2)


def _across(chart: Chart, board: Board, page: tuple[float, float], frame: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Pixels across of values on a chart's horizontal axis, which runs over the page."""
    start, end = np.interp(page, board.time_s, chart.x)
    return frame[0] + frame[2] * (x - start) / max(end - start, 1e-9)


def bounds(chart: Chart) -> tuple[float, float]:
    """Lowest and highest value that a chart shows, of the whole take, so that pages can be compared."""
    values = np.concatenate([curve.values for curve in chart.curves])
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    air = ROOM * (high - low) if high - low > 1e-6 else max(0.01 * abs(high), 1e-3)
    return low - air, high + air


def _add_curves(made: Sheet, chart: Chart, rows: np.ndarray, x: np.ndarray, frame: np.ndarray, scale: float) -> None:
    """Curves and the lines of their round numbers."""
    low, high = bounds(chart)

    def up(value: np.ndarray | float) -> np.ndarray | float:
        return frame[1] + frame[3] * (value - low) / (high - low)

    for value in ticks(low, high):
        y = float(up(value))
        made.lines.setdefault("grid", []).append(np.array([(frame[0], y), (frame[0] + frame[2], y)]))
        made.labels.append((frame[0] - 4.0 * scale, y - 4.0 * scale, f"{value:.6g}", True))
    for curve in chart.curves:
        points = np.column_stack([x, up(curve.values[rows])])
        ends = np.stack([points[:-1], points[1:]], axis=1)
        made.lines.setdefault(curve.colour, []).append(ends[np.isfinite(ends).all(axis=(1, 2))].reshape(-1, 2))


def _add_bars(made: Sheet, chart: Chart, rows: np.ndarray, x: np.ndarray, frame: np.ndarray) -> None:
    """A row of bars a mask: filled where it is true."""
    height = frame[3] / len(chart.bars)
    for i, bar in enumerate(chart.bars):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], bar.values[rows].astype(int), [0]])))
        low, high = frame[1] + frame[3] - (i + 0.85) * height, frame[1] + frame[3] - (i + 0.15) * height
        for start, end in edges.reshape(-1, 2):
            a, b = x[max(start - 1, 0)], x[end - 1]  # a sample's load stands for the interval that ends there
            made.fills.setdefault(bar.colour, []).append(
                np.array([(a, low), (b, low), (b, high), (a, low), (b, high), (a, high)]))
