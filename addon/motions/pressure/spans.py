# SPDX-License-Identifier: GPL-3.0-or-later
"""Where motions begin and end in clips: found by activity, kept in a list that people mend (Yin 2007, section 3.3.2: somebody
marks the begin and the end of each)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ...errors import InputError
from .activity import active_spans, quiet_of

Told = TypeVar("Told")
FORMAT = 2
LEAD_S = 1.0
"""Of the stance before and after a motion that is kept with it: what it begins out of tells much of it (first guess)."""
PAUSE_S = 2.5
"""Activity with a shorter pause between is one motion (first guess)."""
STILL = 1.0
"""A clip whose frames never leave its own stillest ones by more deviations than those of all clips' is quiet stance."""


@dataclass(frozen=True)
class Span:
    """A motion of a clip from `begin_s` to `end_s`, in a list in the clip's own time; what is `quiet` is only a stance."""

    name: str
    begin_s: float
    end_s: float
    quiet: bool = False


def found_spans(names: Sequence[str], features: Sequence[np.ndarray], rate_hz: float) -> list[list[Span]]:
    """The motions of each clip (T, F), called as it is; one that only moves slowly is a motion as a whole, one that only stands
    is quiet. Raises InputError where the pressure is too short to tell."""
    quiet = quiet_of(np.concatenate(features), rate_hz)
    found = []
    for name, frames in zip(names, features, strict=True):
        whole = round(len(frames) / rate_hz, 3)
        away = np.abs(frames - np.median(frames, axis=0)) / quiet.sigma
        if float(np.sqrt(np.mean(away**2, axis=1)).max()) < STILL:
            found.append([Span(name, 0.0, whole, True)])
            continue
        parts = _joined(active_spans(quiet.score(frames), rate_hz), len(frames), rate_hz) or [(0.0, whole)]
        found.append([Span(name if len(parts) == 1 else f"{name}-{i}", begin, end)
                      for i, (begin, end) in enumerate(parts, 1)])
    return found


def _joined(spans: Sequence[tuple[int, int]], count: int, rate_hz: float) -> list[tuple[float, float]]:
    """Active frames as times, with what leads in and out, and without short pauses."""
    found: list[tuple[float, float]] = []
    for begin, end in spans:
        first, last = max(begin / rate_hz - LEAD_S, 0.0), min(end / rate_hz + LEAD_S, count / rate_hz)
        if found and first - found[-1][1] < PAUSE_S - 2.0 * LEAD_S:
            first = found.pop()[0]
        found.append((round(first, 3), round(last, 3)))
    return found


def write_spans(path: Path, spans: dict[str, list[Span]], starts_s: dict[str, float] | None = None) -> None:
    """Write the list of the motions of each clip, a line a motion, and when in clips their measured pressure begins. Raises
    InputError."""
    lines = []
    for clip, motions in spans.items():
        rows = ",\n".join(f"   {json.dumps(asdict(one), ensure_ascii=False)}" for one in motions)
        lines.append(f"  {json.dumps(clip, ensure_ascii=False)}: [\n{rows}\n  ]")
    try:
        starts = f' "starts_s": {json.dumps(starts_s, ensure_ascii=False)},' if starts_s else ""
        path.write_text(f'{{"format": {FORMAT},{starts} "clips": {{\n' + ",\n".join(lines) + "\n}}\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"The list of motions cannot be written to {path}: {error.strerror or error}.") from error


def read_starts(path: Path) -> dict[str, float]:
    """When in each clip its measured pressure begins [s], by a list (`starts_s`). Raises InputError naming what is wrong."""
    return _read(path, lambda told: {str(clip): _number(start, f"starts_s of {clip} in {path}")
                                     for clip, start in told.get("starts_s", {}).items()})


def read_spans(path: Path) -> dict[str, list[Span]]:
    """The motions of each clip by a list; nothing where there is none. Raises InputError naming what is wrong."""
    return _read(path, lambda told: {str(clip): [_span(clip, row, path) for row in rows] for clip, rows in told["clips"].items()})


def is_former(path: Path) -> bool:
    """Whether a list is of a former Lope, whose begins and ends are in the reference body's time: it goes through a clip in as
    much longer as the square root of its legs over the clip's. Raises InputError as `read_spans` does."""
    return _read(path, lambda told: {"former": told["format"] < FORMAT}).get("former", False)


def _read(path: Path, of: Callable[[dict[str, Any]], dict[str, Told]]) -> dict[str, Told]:
    """What a list tells; nothing where there is none."""
    if not path.is_file():
        return {}
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if told["format"] > FORMAT:
            raise InputError(f"{path} is of a later Lope (format {told['format']} of the list of motions): update Lope.")
        return of(told)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is no list of motions, or it is damaged: {error}.") from error


def _number(value: Any, called: str) -> float:
    """A number of a list. Raises InputError for what is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise InputError(f"{called} must be a number [s], without quotes; got {json.dumps(value, ensure_ascii=False)}.")
    return float(value)


def _span(clip: str, row: Any, path: Path) -> Span:
    if not isinstance(row, dict):
        raise InputError(f"A motion of {clip} in {path} must have name, begin_s and end_s in braces; got "
                         f"{json.dumps(row, ensure_ascii=False)}.")
    unknown = sorted(set(row) - {"name", "begin_s", "end_s", "quiet"})
    if unknown:
        raise InputError(f"A motion of {clip} in {path} has {unknown[0]!r}, and may have name, begin_s, end_s and quiet.")
    lacks = [key for key in ("name", "begin_s", "end_s") if key not in row]
    if lacks:
        raise InputError(f"A motion of {clip} in {path} has no {lacks[0]}: it must have name, begin_s and end_s.")
    name, quiet = str(row["name"]), row.get("quiet", False)
    begin, end = (_number(row[key], f"{key} of the motion {name} of {clip} in {path}") for key in ("begin_s", "end_s"))
    if not isinstance(quiet, bool):
        raise InputError(f"quiet of the motion {name} of {clip} in {path} must be true or false, without quotes; got "
                         f"{json.dumps(quiet, ensure_ascii=False)}.")
    one = Span(name, begin, end, quiet)
    if not 0.0 <= one.begin_s < one.end_s:
        raise InputError(f"The motion {one.name} of {clip} in {path} is to go from {one.begin_s:g} s to {one.end_s:g} s: "
                         "it must begin at 0 or later and end after that.")
    return one
