# SPDX-License-Identifier: GPL-3.0-or-later
"""What a take did over time as lines, bars and labels in pixels, laid out in a view and drawn over every 3D viewport, with a line
at the present moment. One board at a time."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import blf
import bpy
import gpu
import numpy as np

from ..maths.curves import runs
from .drawing import BACK, Handlers, Shape, draw_words, free_of, lines, nowhere, rectangle, triangles
from .overlay import COLOURS as PLAN_COLOURS

PAGE_S = 8.0
"""Longest stretch of time shown at once; longer takes turn pages with the present frame."""
WIDE, ROW, NARROW_ROW, LEAST = 560.0, 78.0, 40.0, (220.0, 110.0)
"""Pixels before scaling: width from which two columns fit, most and least height of a plot, smallest view drawn in."""
SHARE = 0.62
"""Most of a view's height that plots may take."""
LEFT, RIGHT, TOP, BOTTOM = 44.0, 10.0, 17.0, 5.0
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
    """One plot; `x` (T,) never falls. `bars` are rows of masks (T,) with a colour each, drawn in place of numbers."""

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
        low, high = frame[1] + frame[3] - (i + 0.85) * height, frame[1] + frame[3] - (i + 0.15) * height
        for start, end in runs(bar.values[rows]):
            a, b = x[max(start - 1, 0)], x[end - 1]  # a sample's load stands for the interval that ends there
            made.fills.setdefault(bar.colour, []).append(rectangle(a, low, b - a, high - low)[:, :2])


COLOURS = {**PLAN_COLOURS, "grid": (1.0, 1.0, 1.0, 0.16), "speed": (0.55, 0.9, 0.5, 1.0), "load": (0.85, 0.65, 1.0, 1.0)}
CURSOR, WORDS = (1.0, 1.0, 1.0, 0.75), (1.0, 1.0, 1.0, 0.92)
WIDTH, LABEL_SIZE = 1.5, 11.0
MARGIN, ABOVE = 12.0, 44.0
"""Pixels beside and below the plots; below them lies the plan's line of figures."""


_board: Board | None = None
_now: Callable[[], float | None] = nowhere
_drawn: dict[tuple, tuple[Sheet, list[Shape]]] = {}


def show(board: Board, now: Callable[[], float | None]) -> None:
    """Draw this from now on. `now()` gives the present time in the take, None where nothing is to be drawn."""
    global _board, _now
    _board, _now = board, now
    _drawn.clear()
    _handlers.begin()


def hide() -> None:
    global _board
    _board = None
    _drawn.clear()
    _handlers.end()


def is_shown() -> bool:
    return bool(_handlers)


def free_view(area: bpy.types.Area, region: bpy.types.Region, scale: float) -> tuple[float, float, float, float]:
    """Rectangle (x, y, width, height) of a view that no other region covers, in its own pixels, margins taken off."""
    free = free_of(area, region)
    return (free.left + MARGIN * scale, free.bottom + ABOVE * scale, free.right - free.left - 2.0 * MARGIN * scale,
            region.height - free.bottom - 2.0 * ABOVE * scale)


def _draw() -> None:
    time = _now()
    if _board is None or time is None:
        return
    context = bpy.context
    scale, region = context.preferences.system.ui_scale, context.region
    view, page = free_view(context.area, region, scale), _board.page(time)
    key = (view, page, scale)
    if key not in _drawn:
        if len(_drawn) > 8:
            _drawn.clear()
        made = sheet(_board, view, page, scale)
        _drawn[key] = made, _shapes(made, scale)
    made, shapes = _drawn[key]
    gpu.state.blend_set("ALPHA")
    for shape in shapes:
        shape.draw()
    ends = cursor(_board, made, page, time)
    if len(ends):
        lines(_flat(ends), CURSOR, WIDTH).draw()
    gpu.state.blend_set("NONE")
    _draw_words(made, scale)


def _shapes(made: Sheet, scale: float) -> list[Shape]:
    """A dark card behind each plot, to be read over any scene; round numbers' lines, then curves and bars, one a colour."""
    cards = [rectangle(x - LEFT * scale, y - 2.0 * scale, width + (LEFT + 4.0) * scale, height + (TOP + 2.0) * scale)
             for x, y, width, height in made.frames]
    found = [triangles(np.concatenate(cards), BACK)] if cards else []
    found += [lines(_flat(np.concatenate(pieces)), COLOURS[colour], WIDTH)
              for colour, pieces in sorted(made.lines.items(), key=lambda item: item[0] != "grid") if sum(map(len, pieces))]
    return found + [triangles(_flat(np.concatenate(pieces)), COLOURS[colour]) for colour, pieces in made.fills.items()]


def _flat(points: np.ndarray) -> np.ndarray:
    """Pixels (N, 2) as places on the screen."""
    return np.pad(points, ((0, 0), (0, 1)))


def _draw_words(made: Sheet, scale: float) -> None:
    blf.size(0, LABEL_SIZE * scale)
    for x, y, text, right in made.labels:
        draw_words(x - (blf.dimensions(0, text)[0] if right else 0.0), y, text, WORDS)


_handlers = Handlers(None, _draw)
