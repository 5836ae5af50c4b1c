# SPDX-License-Identifier: GPL-3.0-or-later
"""The course of a take over time: height, speed, ground force, contacts, joint angles; for plots, and as a CSV table."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..bodies.human.body import KIND as HUMAN
from ..files import written_whole
from ..sim.take import Take
from .measures import com_height_m
from .norms import JOINTS, joint_angles
from .strides import weight_n


@dataclass(frozen=True)
class Traces:
    """One row a sample of the take, all (T,) but `contact` (T, F) bool, one column for each of the `feet`, by name. `way_m` is
    the length of the way of the centre of mass over the ground, `height_m` its height over the ground beneath it, `speed_m_s` its
    horizontal speed, `load` the vertical ground force over the weight at that moment. `angle_deg` holds hip, knee and ankle of
    each side of a human, such as "knee_L": flexion, for the ankle dorsiflexion."""

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
