# SPDX-License-Identifier: GPL-3.0-or-later
"""Foot events of a take: when and where a foot strikes or leaves the ground, how fast and how hard; steps and how somebody
treads; and the course of a take over time; for plots, dust and sound, and as CSV tables."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np

from ..bodies.human.body import KIND as HUMAN
from ..files import written_whole
from ..sim.take import Take
from .norms import JOINTS, joint_angles
from .strides import WholeStrides, asymmetry_percent, com_height_m, shortest_phase_s, weight_n


@dataclass(frozen=True)
class Traces:
    """One row a sample, (T,), but `contact` (T, F) bool by `feet`. `way_m` of the centre of mass over the ground, its `height_m`
    over it and horizontal `speed_m_s`; `load`, vertical force over the weight then; `angle_deg`, hip, knee and ankle flexion of
    each side of a human, such as "knee_L"."""

    time_s: np.ndarray
    way_m: np.ndarray
    height_m: np.ndarray
    speed_m_s: np.ndarray
    load: np.ndarray
    contact: np.ndarray
    feet: tuple[str, ...]
    angle_deg: dict[str, np.ndarray]


def traces_of(take: Take) -> Traces:
    steps = np.linalg.norm(np.diff(take.com_m[:, :2], axis=0), axis=1)
    angles: dict[str, np.ndarray] = {}
    for foot in take.body.feet if take.body.kind == HUMAN else ():
        found = joint_angles(take.body, take.segment_poses[1], foot.side)
        angles |= {f"{joint}_{foot.side}": found[joint] for joint in JOINTS}
    return Traces(take.time_s, np.concatenate([[0.0], np.cumsum(steps)]), com_height_m(take),
                  np.linalg.norm(take.com_velocity_m_s[:, :2], axis=1), take.grf_n[:, :, 2].sum(axis=1) / weight_n(take),
                  take.contact.astype(bool), tuple(foot.name for foot in take.body.feet), angles)


def write_traces(traces: Traces, path: str | Path, frame: Callable[[float], float]) -> None:
    """Write traces as CSV with a head line; `frame` gives the frame of a time, fractions included. Raises InputError."""
    columns = {
        "frame": np.array([frame(float(time)) for time in traces.time_s]),
        "time_s": traces.time_s, "way_m": traces.way_m, "com_height_m": traces.height_m, "speed_m_s": traces.speed_m_s,
        "vertical_force_over_weight": traces.load,
        **{f"contact_{foot}": traces.contact[:, i].astype(int) for i, foot in enumerate(traces.feet)},
        **{f"{name}_deg": values for name, values in traces.angle_deg.items()},
    }
    with written_whole(path, "table") as partial, partial.open("x", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        for row in zip(*(values.tolist() for values in columns.values()), strict=True):
            writer.writerow(f"{value:.6g}" if isinstance(value, float) else value for value in row)


KINDS = ("strike", "off")
IMPACT_S = 0.1
"""The hardest moment of a strike lies within this of it on Earth (10 to 50 ms: Nilsson and Thorstensson 1989)."""


@dataclass(frozen=True)
class FootEvent:
    """One event, at the load's `place`; the foot's speed before a strike or after an off; the largest force in `IMPACT_S`."""

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
    """(time [s], kind, foot) of the events that begin or end a stance; shorter bounces and chatter are none."""
    return sorted((at, kind, side) for side, *ends in clean_stances(take) for kind, at in enumerate(ends) if np.isfinite(at))


def clean_stances(take: Take) -> list[tuple[int, float, float]]:
    """Foot, start and end [s] of every stance, foot by foot; infinite where the take begins or ends within it."""
    found = []
    for side in range(len(take.body.feet)):
        shortest = shortest_phase_s(take)
        stances: list[list[float]] = []
        for at, kind in zip(take.event_time_s[take.event_side == side], take.event_kind[take.event_side == side], strict=True):
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
    with written_whole(path, "list of events") as partial, partial.open("x", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        for event in events:
            writer.writerow({name: f"{value:.5g}" if isinstance(value, float) else value
                             for name, value in {"frame": frame(event.time_s), **asdict(event)}.items()})


Stances = list[list[tuple[float, float]]]


def stances_of(take: Take, strides: WholeStrides, row: int) -> list[tuple[float, float]]:
    """Start and end [s] of the stances of a foot that begin within the strides and end in the take."""
    first, last = strides.time_s[[0, -1]]
    return [(start, end) for side, start, end in clean_stances(take)
            if side == row and first <= start < last and np.isfinite(end)]


def steps_of(take: Take, strides: WholeStrides, stances: Stances) -> dict[str, float]:
    """Lengths along each stride's way [m], times [s] and width [m] of steps, of each side (_L is the first foot, _R the second)
    and of both, and how unlike the sides are [%]; `stances` are those of both feet. Empty where a foot has no step."""
    landings = sorted((start, row) for row, own in enumerate(stances) for start, _ in own)
    ends = strides.at_boundaries(take.time_s, take.com_m[:, :2])
    lengths: tuple[list[float], ...] = ([], [])
    times: tuple[list[float], ...] = ([], [])
    widths: list[float] = []
    for (before, last), (at, row) in zip(landings, landings[1:], strict=False):
        if row == last:
            continue
        k = min(max(int(np.searchsorted(strides.time_s, at, side="right")) - 1, 0), strides.count - 1)
        way = (ends[k + 1] - ends[k]) / max(np.linalg.norm(ends[k + 1] - ends[k]), 1e-9)
        step = print_m(take, at, row) - print_m(take, before, last)
        lengths[row].append(float(step @ way))
        widths.append(abs(float(way[0] * step[1] - way[1] * step[0])))
        times[row].append(at - before)
    if not all(lengths):
        return {}
    mean = {f"{name}_{side}": float(np.mean(values[row])) for row, side in enumerate("LR")
            for name, values in (("step_length_m", lengths), ("step_time_s", times))}
    stance = [float(np.mean([end - start for start, end in own])) for own in stances]
    return mean | {
        "step_width_m": float(np.mean(widths)),
        "asymmetry_step_length_percent": asymmetry_percent(mean["step_length_m_L"], mean["step_length_m_R"]),
        "asymmetry_step_time_percent": asymmetry_percent(mean["step_time_s_L"], mean["step_time_s_R"]),
        "asymmetry_stance_time_percent": asymmetry_percent(*stance)}


def print_m(take: Take, at: float, row: int) -> np.ndarray:
    """Where a foot lands (2,) at a time: the middle of its points at the first sample with the foot on the ground."""
    landed = min(int(np.searchsorted(take.time_s, at - 1e-9)), len(take.time_s) - 1)
    return take.contact_point_m[landed][list(take.body.feet[row].points), :2].mean(axis=0)


TOUCHES = 0.01
"""A part of a foot is down when it carries more than this fraction of the weight."""

NEAR_PERCENT = 5.0
"""Ankles are as near as this percentile of how far they are apart: one sample is no habit."""


@dataclass(frozen=True)
class Treading:
    """Largest vertical force over the weight; share of time on both feet; how long heels are down alone and toes stay on [s];
    the chest's roll, rms [rad]; share on no foot; how near ankles come sideways [m]."""

    peak: float
    double_support: float
    heel_first_s: float
    toes_last_s: float
    roll: float
    flight: float
    apart_m: float


def treading(take: Take, from_s: float = 0.0) -> Treading | None:
    """What a take of a human is like from a time on; None where it has no whole stance there."""
    rows = take.time_s >= from_s
    weight = weight_n(take)
    heels, toes = [], []
    for side, begin, end in clean_stances(take):
        if begin < from_s:
            continue
        span = (take.time_s >= begin - 1e-9) & (take.time_s <= end + 1e-9)
        points, time = list(take.body.feet[side].points), take.time_s[span]
        down = take.contact_point_force_n[span][:, points] > TOUCHES * weight[span, None]
        back = np.array([take.body.contact_points[p].kind == "heel" for p in points])
        heel, fore = down[:, back].any(axis=1), down[:, ~back].any(axis=1)
        if not heel.any() or not fore.any():
            heels.append(0.0)
            toes.append(0.0)
        else:
            heels.append(time[fore][0] - time[heel][0])
            toes.append(time[fore][-1] - time[heel][-1])
    if not heels:
        return None
    force, loaded = take.grf_n[rows][:, :, 2], take.contact[rows]
    segments, (places, turns) = [segment.name for segment in take.body.segments], take.segment_poses
    w, x, y, z = turns[rows, segments.index(take.body.role("trunk"))].T
    roll = np.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
    left, right = (places[rows, segments.index(foot.segment), :2] for foot in take.body.feet[:2])
    w, x, y, z = turns[rows, 0].T
    yaw = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    apart = (left - right)[:, 1] * np.cos(yaw) - (left - right)[:, 0] * np.sin(yaw)
    return Treading(float((force.sum(axis=1) / weight[rows]).max()), float(loaded.all(axis=1).mean()), float(np.mean(heels)),
                    float(np.mean(toes)), float(np.std(roll)), float((~loaded.any(axis=1)).mean()),
                    float(np.percentile(apart, NEAR_PERCENT)))
