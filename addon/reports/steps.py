# SPDX-License-Identifier: GPL-3.0-or-later
"""Steps of a body with two feet: how long, how wide and how quick they are, over whole strides."""

from __future__ import annotations

import numpy as np

from ..take import Take
from .events import clean_stances
from .strides import WholeStrides
from .symmetry import asymmetry_percent

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
