# SPDX-License-Identifier: GPL-3.0-or-later
"""The signs by which people know a gait that something is wrong with: of each leg, over the whole strides of a take.

A foot stands alone from the moment the other has left the ground until it lands again. Angles there are the largest of each
such time, or their mean over it, and all are means over the stances.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..maths.quaternions import matrix_from_quat
from ..take import Take
from .events import clean_stances
from .needs import HUMAN, TWO_FEET, WALKED, Group, Measured, answers
from .norms import joint_angles
from .steps import stances_of, steps_of
from .strides import WholeStrides, known_strides, sample_lengths_s
from .transport import joint_powers
from .weight import weight_n

LEG_UNITS: dict[str, str] = {
    "pelvic_drop_deg": "deg", "trunk_lean_deg": "deg", "knee_flexion_stance_deg": "deg", "hip_flexion_stance_deg": "deg",
    "push_off_deg": "deg", "push_off_power_w_kg": "W/kg", "step_length_m": "m", "step_time_s": "s", "stance_time_s": "s",
    "foot_force_over_mg": "", "muscle_force_n": "N",
}
"""What is measured of each leg, by names that end in _L and _R, and its unit."""
BOTH_UNITS: dict[str, str] = {
    "mean_speed_m_s": "m/s", "stride_length_m": "m", "stride_frequency_hz": "1/s", "step_width_m": "m",
    "asymmetry_step_length_percent": "%", "asymmetry_step_time_percent": "%", "asymmetry_stance_time_percent": "%",
}
"""What is measured of both together."""
UNITS: dict[str, str] = {**BOTH_UNITS, **{f"{name}_{side}": unit for name, unit in LEG_UNITS.items() for side in "LR"}}
MUSCLES = "muscle_force"
"""The channel that holds the muscles' forces."""
LATE = 0.5
"""A foot pushes off in this last share of its stance."""


def signs(take: Take) -> Measured:
    """All of `UNITS`, as plain JSON values, and why some are not measured."""
    return answers(take, (Group(tuple(UNITS), _signs, (HUMAN, TWO_FEET, *WALKED), dict.fromkeys(
        UNITS, "not every stride has a stance of each foot alone") | dict.fromkeys(
        ("muscle_force_n_L", "muscle_force_n_R"), "no muscles move this body")),), tuple(UNITS))


def _signs(take: Take) -> dict[str, Any]:
    strides = known_strides(take)
    rows = strides.rows(take.time_s)
    found: dict[str, Any] = _way(take, strides)
    stances = {side: stances_of(take, strides, row) for row, side in enumerate("LR")}
    if min(map(len, stances.values())) == 0:
        return found
    turns = {name: matrix_from_quat(take.segment_poses[1][:, take.body.index[name]])
             for name in (take.body.role("root"), take.body.role("trunk"))}
    lengths = sample_lengths_s(take.time_s)[rows]
    powers, names = joint_powers(take), list(take.body.joint_segments)
    for row, side in enumerate("LR"):
        alone = _alone(take, stances[side], row)
        if not alone:
            continue
        outward = 1.0 if side == "L" else -1.0
        left, up = turns[take.body.role("root")][:, :, 1], turns[take.body.role("trunk")][:, :, 2]
        drop = np.degrees(outward * np.arcsin(np.clip(left[:, 2], -1.0, 1.0)))
        lean = np.degrees(outward * np.arctan2((up * _level(left)).sum(axis=1), up[:, 2]))
        angles = joint_angles(take.body, take.segment_poses[1], side)
        late = [(take.time_s > end - LATE * (end - start)) & (take.time_s <= end) for start, end in stances[side]]
        power = powers[:, names.index(take.body.feet[row].segment)] / take.body.mass_kg
        found |= {
            f"pelvic_drop_deg_{side}": np.mean([drop[one].max() for one in alone]),
            f"trunk_lean_deg_{side}": np.mean([lean[one].max() for one in alone]),
            f"knee_flexion_stance_deg_{side}": np.mean([angles["knee"][one].mean() for one in alone]),
            f"hip_flexion_stance_deg_{side}": np.mean([angles["hip"][one].mean() for one in alone]),
            f"push_off_deg_{side}": np.mean([-angles["ankle"][one].min() for one in late]),
            f"push_off_power_w_kg_{side}": np.mean([power[one].max() for one in late]),
            f"stance_time_s_{side}": np.mean([end - start for start, end in stances[side]]),
            f"foot_force_over_mg_{side}": np.average((take.grf_n[:, row, 2] / weight_n(take))[rows], weights=lengths),
            **_muscles(take, rows, lengths, side),
        }
    return found | steps_of(take, strides, list(stances.values()))


def _way(take: Take, strides: WholeStrides) -> dict[str, Any]:
    """Speed and strides."""
    places = strides.at_boundaries(take.time_s, take.com_m[:, :2])
    way = float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
    return {"mean_speed_m_s": way / strides.duration_s, "stride_length_m": way / strides.count,
            "stride_frequency_hz": strides.count / strides.duration_s}


def _alone(take: Take, stances: list[tuple[float, float]], row: int) -> list[np.ndarray]:
    """The samples (T,) of each stance of a foot in which the other does not stand, of those that have some."""
    others = [(start, end) for side, start, end in clean_stances(take) if side != row]
    stood = np.any([(take.time_s >= start) & (take.time_s <= end) for start, end in others], axis=0)
    found = [(take.time_s >= start) & (take.time_s <= end) & ~stood for start, end in stances]
    return [rows for rows in found if rows.any()]


def _level(axis: np.ndarray) -> np.ndarray:
    """Directions (T, 3), level and of length 1."""
    level = axis * [1.0, 1.0, 0.0]
    return level / np.linalg.norm(level, axis=1, keepdims=True)


def _muscles(take: Take, rows: np.ndarray, lengths: np.ndarray, side: str) -> dict[str, Any]:
    """Mean over time of the sum of one side's muscle forces [N]."""
    if MUSCLES not in take.channels:
        return {}
    columns = [i for i, name in enumerate(take.stats["muscles"]) if name.endswith(f"_{side}")]
    return {f"muscle_force_n_{side}": np.average(take.channels[MUSCLES].values[rows][:, columns].sum(axis=1), weights=lengths)}
