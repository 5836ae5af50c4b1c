# SPDX-License-Identifier: GPL-3.0-or-later
"""Leg bones set right: near a straight knee a few millimetres of bone length make many degrees of knee angle."""

from __future__ import annotations

import dataclasses

import numpy as np

from ..bodies.human.body import Human
from ..bodies.human.landmarks import SIDES
from ..errors import ClipError
from ..maths.axis_turns import about_y
from ..maths.quaternions import matrix_from_quat, quat_from_matrix
from .retarget import Motion
from .skeletons import sole_at_zero

STRAIGHTEST_SHARE = 0.03  # share of the frames in which the knee may be straighter still
LARGEST_CHANGE = 0.06  # of the bones' length; more is no error of measurement


def with_straightest_knee(motion: Motion, flexion_rad: float) -> Motion:
    """The motion with thighs and shanks scaled so that each knee's straightest flexion is `flexion_rad`.

    Hips, ankles and feet stay where they are; only the knees move, in their plane. Marker sets place hip and ankle centres
    to a centimetre, so the bones of a captured leg are often a little too long and its knee never straightens. Raises
    ClipError where the bones would have to change by more than measurement can explain (a crouched gait).
    """
    positions, quats = motion.poses()
    body, index = motion.body, motion.body.index
    turns = {name: matrix_from_quat(quats[:, i]) for name, i in index.items()}
    rest = dict(motion.skeleton.rest)
    joints = motion.joint_quaternions.copy()
    factors = []
    for side in SIDES:
        thigh, shank, foot = f"thigh_{side}", f"shank_{side}", f"foot_{side}"
        a, b = (np.linalg.norm(body.segment(s).offset) for s in (shank, foot))
        way = positions[:, index[foot]] - positions[:, index[thigh]]
        d = np.linalg.norm(way, axis=1)
        factor = np.quantile(d, 1.0 - STRAIGHTEST_SHARE) / np.sqrt(a * a + b * b + 2.0 * a * b * np.cos(flexion_rad))
        if abs(factor - 1.0) > LARGEST_CHANGE:
            raise ClipError(f"{motion.clip.path}: the {side} knee never comes near {np.degrees(flexion_rad):.0f} degrees; "
                            f"its leg bones would have to change by {100.0 * (factor - 1.0):+.0f} %. Fit this gait without "
                            "straight knees.")
        factors.append(factor)
        a, b = a * factor, b * factor
        reach = np.minimum(d, a + b)
        flexion = np.pi - np.arccos(np.clip((a * a + b * b - reach**2) / (2.0 * a * b), -1.0, 1.0))
        lead = np.arccos(np.clip((a * a + reach**2 - b * b) / (2.0 * a * reach), -1.0, 1.0))[:, None]
        left, down = turns[thigh][:, :, 1], way / d[:, None]
        along = np.cos(lead) * down - np.sin(lead) * np.cross(left, down)
        turned = np.stack([np.cross(left, -along), left, -along], axis=2)
        lower = turned @ about_y(flexion)
        for name, relative in ((thigh, np.swapaxes(turns["pelvis"], 1, 2) @ turned), (shank, about_y(flexion)),
                               (foot, np.swapaxes(lower, 1, 2) @ turns[foot])):
            joints[:, index[name] - 1] = quat_from_matrix(relative)
        _shorten(rest, side, factor)
    leg = motion.skeleton.leg_length_m * float(np.mean(factors))
    rest = sole_at_zero(rest, leg)
    skeleton = dataclasses.replace(motion.skeleton, rest=rest, leg_length_m=leg)
    body = Human.from_landmarks(rest, body.mass_kg)
    return dataclasses.replace(motion, body=body, skeleton=skeleton, joint_quaternions=joints)


def _shorten(rest: dict[str, np.ndarray], side: str, factor: float) -> None:
    """Scale a leg's bones in the rest landmarks, in place: hips and all above stay, the foot moves with the ankle."""
    hip, knee, ankle = (rest[f"{n}_{side}"] for n in ("hip", "knee", "ankle"))
    new_knee = hip + factor * (knee - hip)
    new_ankle = new_knee + factor * (ankle - knee)
    for name in ("ankle", "heel", "toes", "toe_tip"):
        if f"{name}_{side}" in rest:
            rest[f"{name}_{side}"] = rest[f"{name}_{side}"] + new_ankle - ankle
    rest[f"knee_{side}"] = new_knee
