# SPDX-License-Identifier: GPL-3.0-or-later
"""How far two takes' poses are apart at equal phase: what one would see of a planet with the clock covered."""

from __future__ import annotations

import numpy as np

from lope.addon.maths.angles import plane_angle
from lope.addon.maths.quaternions import matrix_from_quat
from lope.addon.reports.strides import known_strides
from lope.addon.take import Take

PHASES = np.arange(100) / 100.0
ANGLES = {
    "hip": ("pelvis", "thigh"), "knee": ("thigh", "shank"), "ankle": ("shank", "foot"), "shoulder": ("chest", "upper_arm"),
    "elbow": ("upper_arm", "forearm"),
}
"""Sagittal angles of both sides: of the second segment against the first. With the trunk's against the vertical, eleven."""
PAIRED = {"pelvis", "chest"}


def pose_curves(take: Take) -> dict[str, np.ndarray]:
    """Angle [deg] (100,) of each of the eleven over the phase from left strike to left strike, the mean of whole strides. Raises
    InputError for a take without one."""
    strides, body = known_strides(take), take.body
    turn = {name: matrix_from_quat(take.segment_poses[1][:, i]) for name, i in body.index.items()}
    series = {"trunk": plane_angle(turn["chest"][:, 0, 2] * -1.0, turn["chest"][:, 2, 2])}
    for joint, (parent, child) in ANGLES.items():
        for side in "LR":
            above = parent if parent in PAIRED else f"{parent}_{side}"
            relative = np.swapaxes(turn[above], 1, 2) @ turn[f"{child}_{side}"]
            series[f"{joint} {side}"] = plane_angle(relative[:, 0, 2], relative[:, 2, 2])
    found = {}
    for name, values in series.items():
        values = np.degrees(np.unwrap(values))
        rows = [np.interp(start + PHASES * (end - start), take.time_s, values)
                for start, end in zip(strides.time_s, strides.time_s[1:], strict=False)]
        found[name] = np.mean(rows, axis=0)
    return found


def pose_distance_deg(one: Take, other: Take) -> dict[str, float]:
    """Root mean square of the differences at equal phase [deg]: of each joint, both sides together, and of all eleven angles
    ("all")."""
    a, b = pose_curves(one), pose_curves(other)
    squares = {name: float(np.mean((a[name] - b[name]) ** 2)) for name in a}
    joints = {joint: [value for name, value in squares.items() if name.startswith(joint)] for joint in [*ANGLES, "trunk"]}
    return {**{joint: float(np.sqrt(np.mean(values))) for joint, values in joints.items()},
            "all": float(np.sqrt(np.mean(list(squares.values()))))}
