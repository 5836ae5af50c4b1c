# SPDX-License-Identifier: GPL-3.0-or-later
"""Where motions were found in clips, to be looked over: how active each clip is over time, its motions, and what presses at their
begin, middle and end (Yin 2007, section 3.3.2: somebody marks the begin and the end)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..motions.pressure.database import Span
from ..motions.pressure.features import LAST, RISE, quiet_of
from ..motions.pressure.images import Pressure
from . import page as html
from .page import Table
from .plots import DPI, png
from .pressure import colours

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


SPANS = ("#2166ac", "#c1440e", "#2e8b57", "#8e44ad", "#b5850b", "#149c94")
STANCE, INK, GREY = "#e4e7eb", "#22262c", "#6a727c"
LOW, HIGH = 0.5, 100.0
"""Ends of the axis of activity, in deviations."""
WIDE, ROW, CURVE, THUMB = 7.4, 2.35, 0.9, 0.68
"""Inches: of a clip and of its row, of the curve, and of a small picture."""
LEFT, RIGHT, TOP = 0.45, 0.15, 0.46
"""Inches of margin, and above each curve."""
MARGIN_M, LEAST_M = 0.04, 0.42
"""Around what presses in a small picture, and the least that one shows."""
COLUMNS = 2


@dataclass(frozen=True, eq=False)
class SeenClip:
    """A clip: name, how its pressure was got, that with its features (T, F), and its motions, `listed` or found. The pressure
    begins at `begin_s` of the clip, whose times all others are, and lasts `slow` times as long."""

    name: str
    how: str
    pressure: Pressure
    features: np.ndarray
    spans: Sequence[Span]
    listed: bool = False
    begin_s: float = 0.0
    slow: float = 1.0

    @property
    def rate_hz(self) -> float:
        """Frames of the pressure in a second of the clip."""
        return self.pressure.rate_hz * self.slow


def onset_sheet(clips: Sequence[SeenClip]) -> bytes:
    """A PNG with all clips, two beside each other. Raises InputError where there is too little quiet stance."""
    scores = scores_of(clips)
    columns = min(COLUMNS, len(clips))
    rows = -(-len(clips) // columns)
    figure = _figure(columns * WIDE, rows * ROW + 0.25)
    for i, (clip, score) in enumerate(zip(clips, scores, strict=True)):
        _clip(figure, clip, score, (i % columns) * WIDE, 0.25 + (i // columns) * ROW)
    figure.text(0.5, 1.0 - 0.06 / figure.get_figheight(), KEY, ha="center", va="top", fontsize=8, color=GREY)
    return png(figure)


KEY = (f"activity in deviations of quiet stance: a motion reaches {RISE:g} and goes on down to {LAST:g}; coloured: motions with "
       "their begin and end [s]; grey: quiet stance; small pictures: begin, middle, end, ahead being up")


def onset_page(clips: Sequence[SeenClip], title: str, listed: str) -> str:
    """An HTML page of all clips' pictures and motions; `listed` names the file to be mended. Raises as `onset_sheet`."""
    parts = []
    for clip, score in zip(clips, scores_of(clips), strict=True):
        figure = _figure(1.5 * WIDE, ROW)
        _clip(figure, clip, score, 0.0, 0.0, 1.5 * WIDE)
        parts.append(html.picture(png(figure), f"{clip.name}: {', '.join(one.name for one in clip.spans) or 'no motion'}"))
    rows = [[clip.name, one.name, f"{one.begin_s:g}", f"{one.end_s:g}", "quiet stance" if one.quiet else "",
             "list" if clip.listed else "found"] for clip in clips for one in clip.spans]
    parts.append(html.table(Table("motions", ["clip", "motion", "begin [s]", "end [s]", "is", "from"], rows)))
    lead = f"{KEY[0].upper()}{KEY[1:]}. Mend names, begins and ends in {listed} and index again: the list is taken over as it is."
    return html.page(title, lead, parts)


def scores_of(clips: Sequence[SeenClip]) -> list[np.ndarray]:
    """The activity (T,) of each clip against the quiet stance of them all, by which motions are found."""
    quiet = quiet_of(np.concatenate([clip.features for clip in clips]), clips[0].pressure.rate_hz)
    return [quiet.score(clip.features) for clip in clips]


def _figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), dpi=DPI)


def _axes(figure: Figure, left: float, top: float, width: float, height: float) -> Axes:
    """Axes at a place from the upper left corner [inches]."""
    wide, high = figure.get_size_inches()
    return figure.add_axes((left / wide, 1.0 - (top + height) / high, width / wide, height / high))


def _clip(figure: Figure, clip: SeenClip, score: np.ndarray, left: float, top: float, wide: float = WIDE) -> None:
    """A clip's curve and small pictures, its upper left corner at a place [inches]."""
    rate = clip.rate_hz
    lasts, width = len(score) / rate, wide - LEFT - RIGHT
    curve = _axes(figure, left + LEFT, top + TOP, width, CURVE)
    curve.set(xlim=(clip.begin_s, clip.begin_s + lasts), yscale="log", ylim=(LOW, HIGH))
    curve.set_yticks([1.0, LAST, RISE, 30.0], ["1", f"{LAST:g}", f"{RISE:g}", "30"], fontsize=7)
    curve.set_yticks([], minor=True)
    curve.tick_params(axis="x", labelsize=7, pad=1)
    curve.spines[["top", "right"]].set_visible(False)
    for value, line in ((RISE, "-"), (LAST, ":")):
        curve.axhline(value, color=GREY, linewidth=0.7, linestyle=line)
    for number, one in enumerate(clip.spans):
        colour = GREY if one.quiet else SPANS[number % len(SPANS)]
        shade, alpha = (STANCE, 1.0) if one.quiet else (colour, 0.16)
        curve.axvspan(one.begin_s, one.end_s, color=shade, alpha=alpha, linewidth=0)
        for at, side in ((one.begin_s, "left"), (one.end_s, "right")):
            curve.axvline(at, color=colour, linewidth=1.2)
            curve.text(at, HIGH, f" {at:.2f} ", fontsize=6.5, color=colour, ha=side, va="top")
        curve.text(0.5 * (one.begin_s + one.end_s), HIGH * 1.12, _fitted(f"{one.name} (quiet)" if one.quiet else one.name,
                   (one.end_s - one.begin_s) / lasts * width), fontsize=7.5, color=colour, ha="center", va="bottom")
    for begin, end in _outside(clip.spans, clip.begin_s, clip.begin_s + lasts):
        curve.axvspan(begin, end, color=STANCE, alpha=0.6, linewidth=0)
    curve.plot(clip.begin_s + (np.arange(len(score)) + 0.5) / rate, np.clip(score, LOW, HIGH), color=INK, linewidth=1.0)
    across, high = figure.get_size_inches()
    said = f"{clip.how}, {'from the list' if clip.listed else 'found'}"
    figure.text((left + 0.1) / across, 1.0 - (top + 0.06) / high, clip.name, fontsize=9, va="top", weight="bold")
    figure.text((left + wide - RIGHT) / across, 1.0 - (top + 0.06) / high, said, fontsize=7.5, va="top", ha="right", color=GREY)
    _thumbs(figure, clip, (left + LEFT, top + TOP + CURVE + 0.2, width), lasts)


def _thumbs(figure: Figure, clip: SeenClip, place: tuple[float, float, float], lasts: float) -> None:
    """Small pictures of the pressure under the times that they are of; those that have no room are left out, the middle first."""
    left, top, width = place
    taken: list[float] = []
    tinted = [(one, GREY if one.quiet else SPANS[number % len(SPANS)]) for number, one in enumerate(clip.spans)]
    times = [(at, colour) for one, colour in tinted for at in (one.begin_s, one.end_s)]
    times += [(0.5 * (one.begin_s + one.end_s), colour) for one, colour in tinted]
    for at, colour in times:
        middle = min(max((at - clip.begin_s) / lasts * width, 0.5 * THUMB), width - 0.5 * THUMB)
        if any(abs(middle - other) < THUMB for other in taken):
            continue
        taken.append(middle)
        frame = min(int((at - clip.begin_s) * clip.rate_hz), len(clip.pressure) - 1)
        axes = _axes(figure, left + middle - 0.5 * THUMB, top, THUMB * 0.94, THUMB * 0.94)
        axes.imshow(colours(_cropped(clip.pressure, frame), float(clip.pressure.images.max())), origin="lower",
                    interpolation="nearest", aspect="auto")
        axes.invert_xaxis()
        axes.set(xticks=[], yticks=[])
        axes.set_facecolor("black")
        for spine in axes.spines.values():
            spine.set_color(colour)


def _cropped(pressure: Pressure, frame: int) -> np.ndarray:
    """A frame's cells around what is pressed, as many ahead as across; what is beside the mat is not pressed."""
    image = pressure.images[frame]
    side = [round(LEAST_M / pitch) for pitch in pressure.pitch_m]
    middle = [0.5 * (count - 1) for count in image.shape]
    if image.any():
        ranges = [np.flatnonzero(image.any(axis=axis))[[0, -1]] for axis in (1, 0)]
        middle = [float(ends.mean()) for ends in ranges]
        most = max(float(np.ptp(ends) + 1) * pitch for ends, pitch in zip(ranges, pressure.pitch_m, strict=True)) + MARGIN_M
        side = [max(least, round(most / pitch)) for least, pitch in zip(side, pressure.pitch_m, strict=True)]
    padded = np.pad(image, [(n, n) for n in side])
    low = [round(at - 0.5 * (n - 1)) + n for at, n in zip(middle, side, strict=True)]
    return padded[low[0]:low[0] + side[0], low[1]:low[1] + side[1]]


def _outside(spans: Sequence[Span], begin_s: float, end_s: float) -> list[tuple[float, float]]:
    found, at = [], begin_s
    for one in sorted(spans, key=lambda span: span.begin_s):
        if one.begin_s > at:
            found.append((at, one.begin_s))
        at = max(at, one.end_s)
    return [*found, (at, end_s)] if at < end_s else found


def _fitted(words: str, inches: float) -> str:
    """Words in so much room, or their begin."""
    most = max(int(inches / 0.075), 3)
    return words if len(words) <= most else f"{words[:most - 1]}…"
