# SPDX-License-Identifier: GPL-3.0-or-later
"""How well the shipped paths have the moment arms of the model that they are from: rms error a group, over ranges of motion."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.muscles.muscle import MuscleSet
from lope.addon.bodies.muscles.paths import PathKinematics

from .knee import SOURCE_NAME, knee_pose
from .myoleg import MyoLeg

SWEEPS: dict[str, tuple[str, str, int, float, np.ndarray]] = {
    "hip flexion": ("hip_flexion_r", "thigh_L", 1, -1.0, np.arange(-30.0, 91.0, 5.0)),
    "knee flexion": ("knee_angle_r", "shank_L", 0, 1.0, np.arange(0.0, 101.0, 5.0)),
    "ankle dorsiflexion": ("ankle_angle_r", "foot_L", 1, -1.0, np.arange(-40.0, 31.0, 5.0)),
}
"""The source's coordinate, Lope's joint, axis and sign of it, and the angles [deg]."""


def arms_of_both(leg: MyoLeg, body: Body, muscles: MuscleSet, lean_rad: float, sweep: str) -> tuple[np.ndarray, np.ndarray]:
    """Moment arms (K, M) [m] of Lope's left muscles and of the source's, as the source's sign has it."""
    coordinate, segment, axis, sign, angles = SWEEPS[sweep]
    paths = PathKinematics(body, muscles)
    row = paths.joint_rows()[segment].start + axis
    turned: Callable[[float], np.ndarray] = {
        "hip_flexion_r": lambda angle: knee_pose(paths.model, lean_rad, 0.0, hip_rad=angle),
        "knee_angle_r": lambda angle: knee_pose(paths.model, lean_rad, angle),
        "ankle_angle_r": lambda angle: knee_pose(paths.model, lean_rad, 0.0, ankle_rad=angle),
    }[coordinate]
    ours, theirs = [], []
    for angle in np.radians(angles):
        paths.update(turned(float(angle)), np.zeros(paths.model.nv))
        ours.append(sign * paths.arms_m[row])
        source = leg.arms(coordinate, **{coordinate: float(angle)})
        theirs.append([source[SOURCE_NAME[name[:-2]]] for name in muscles.names])
    return np.array(ours), np.array(theirs)


def table(leg: MyoLeg, body: Body, muscles: MuscleSet, lean_rad: float) -> Iterable[str]:
    """Rows of a Markdown table: joint, group, muscles, greatest arm and rms error [mm]."""
    yield "| joint, range | group | muscles | rms of arm, mm | rms error, mm | worst muscle, rms mm |"
    yield "|---|---|---|---|---|---|"
    for sweep, (*_, angles) in SWEEPS.items():
        ours, theirs = arms_of_both(leg, body, muscles, lean_rad, sweep)
        moved = abs(theirs).max(axis=0) > 0.005
        for group in dict.fromkeys(muscle.group for muscle, at in zip(muscles, moved, strict=True) if at):
            rows = [i for i, muscle in enumerate(muscles) if muscle.group == group and moved[i]]
            errors = np.sqrt(np.mean((ours - theirs)[:, rows] ** 2, axis=0))
            worst = rows[int(errors.argmax())]
            yield (f"| {sweep}, {angles[0]:.0f} to {angles[-1]:.0f} | {group.replace('_', ' ')} | {len(rows)} | "
                   f"{1e3 * np.sqrt(np.mean(theirs[:, rows] ** 2)):.0f} | {1e3 * np.sqrt(np.mean(errors ** 2)):.1f} | "
                   f"{muscles.names[worst][:-2].replace('_', ' ')} {1e3 * errors.max():.1f} |")

