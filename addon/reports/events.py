# SPDX-License-Identifier: GPL-3.0-or-later
"""Foot events of a take as a table: when and where a foot strikes or leaves the ground, how fast and how hard; for dust and
sound."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..take import Take
from .strides import shortest_phase_s

KINDS = ("strike", "off")
IMPACT_S = 0.1
"""The hardest moment of a strike lies within this time of it, under the Earth's gravity (Nilsson and Thorstensson 1989: the
impact peak of walking and running comes 20 to 50 ms after the strike)."""


@dataclass(frozen=True)
class FootEvent:
    """One event. `place` is where the foot's load lies, `speed_m_s` how fast the foot moves before a strike or after an off,
    `force_n` the largest ground force on it within `IMPACT_S` of a strike or before an off."""

    time_s: float
    foot: str
    event: str
    x: float
    y: float
    z: float
    speed_m_s: float
    force_n: float


def foot_events(take: Take, place: Callable[[np.ndarray], np.ndarray] = lambda x: x) -> list[FootEvent]:
    """The events in order. `place` turns places (3,) [m] of the take into those to be written, such as a scene's."""
    return list(_events(take, place))


def clean_events(take: Take) -> list[tuple[float, int, int]]:
    """(time [s], kind, foot) of the events that begin or end a stance. Bounces of a landing and chatter of a leaving foot,
    shorter than `shortest_phase_s`, are none."""
    return sorted((at, kind, side) for side, *ends in clean_stances(take) for kind, at in enumerate(ends) if np.isfinite(at))


def clean_stances(take: Take) -> list[tuple[int, float, float]]:
    """Foot, start and end [s] of every stance, foot by foot; infinite where the take begins or ends within it."""
    found = []
    for side in range(len(take.body.feet)):
        shortest = shortest_phase_s(take)
        stances: list[list[float]] = []
        for at, kind in zip(take.event_time_s[take.event_side == side], take.event_kind[take.event_side == side],
                            strict=True):
            if int(kind) == 1:
                stances = stances or [[-np.inf, np.inf]]
                stances[-1][1] = float(at)
            elif stances and at - stances[-1][1] < shortest:
                stances[-1][1] = np.inf
            else:
                stances.append([float(at), np.inf])
        found += [(side, start, end) for start, end in stances if end - start >= shortest]
    return found


def _events(take: Take, place: Callable[[np.ndarray], np.ndarray]) -> Iterator[FootEvent]:
    time = take.time_s
    step = float(np.median(np.diff(time))) if len(time) > 1 else 1.0
    window = max(1, round(IMPACT_S / step))
    force = np.linalg.norm(take.grf_n, axis=-1)
    for at, kind, side in clean_events(take):
        i, foot = min(int(np.searchsorted(time, at - 1e-9)), len(time) - 1), take.body.feet[side]
        points = list(foot.points)
        strikes = int(kind) == 0
        loaded = min(i + 1, len(time) - 1) if strikes else max(i - 1, 0)
        near = slice(i, i + window) if strikes else slice(max(i - window, 0), i + 1)
        x, y, z = place(_centre(take, loaded, points))
        a, b = (max(i - 1, 0), i) if strikes else (i, min(i + 1, len(time) - 1))
        move = take.contact_point_m[b][points].mean(axis=0) - take.contact_point_m[a][points].mean(axis=0)
        speed = float(np.linalg.norm(move) / (time[b] - time[a])) if b > a else 0.0
        yield FootEvent(float(at), foot.name, KINDS[int(kind)], float(x), float(y), float(z), speed,
                        float(force[near, side].max(initial=0.0)))


def _centre(take: Take, row: int, points: list[int]) -> np.ndarray:
    """Where the load of some contact points lies (3,) at a sample; their middle where they carry none."""
    places, loads = take.contact_point_m[row][points], take.contact_point_force_n[row][points]
    return np.average(places, axis=0, weights=loads if loads.sum() > 0.0 else None)


def write_events(events: list[FootEvent], path: str | Path, frame: Callable[[float], float]) -> None:
    """Write events as CSV with a head line; `frame` gives the frame of a time, fractions included. Raises InputError."""
    names = ["frame", *(field.name for field in fields(FootEvent))]
    try:
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            for event in events:
                writer.writerow({name: f"{value:.5g}" if isinstance(value, float) else value
                                 for name, value in {"frame": frame(event.time_s), **asdict(event)}.items()})
    except OSError as error:
        raise InputError(f"The events cannot be written to {path}: {error.strerror or error}.") from error
