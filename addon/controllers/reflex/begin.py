# SPDX-License-Identifier: GPL-3.0-or-later
"""The state in which the reflex walker begins: in a step, the left foot just down in front, the right one about to leave."""

from __future__ import annotations

import math

import numpy as np

from ...bodies.body import Body
from ...maths.quaternions import quat_from_rotvec, quat_multiply, quat_rotate
from .posture import Places
from .units import GAS, GLU, HAM, HFL, NAMES, SOL, TA, VAS

STANDARD_PACE_M_S = math.sqrt(9.81 * 0.8838)
ALWAYS = 0.02
"""Activation of units of which the parameters do not say one."""


def begin(body: Body, places: Places, gains: dict[str, np.ndarray], n: int,
          pace_m_s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coordinates (n, nq), velocities (n, nv), activations (n, 2, 8). The lowest contact point touches level ground at z = 0."""
    qpos, qvel = np.zeros((n, body.coordinates)), np.zeros((n, body.degrees_of_freedom))
    for name in places.balls:
        qpos[:, places.coordinate[name]] = 1.0
    lean = gains["begin_lean"][:, 0]
    qpos[:, 3:7] = _about_y(lean)
    for side, leg in (("L", "front"), ("R", "back")):
        hip, knee, ankle = (gains[f"begin_{joint}_{leg}"][:, 0] for joint in ("hip", "knee", "ankle"))
        at = places.coordinate[f"thigh_{side}"]
        qpos[:, at:at + 4] = _about_y(-hip)
        qpos[:, places.coordinate[f"shank_{side}"]] = knee
        at = places.coordinate[f"foot_{side}"]
        qpos[:, at:at + 4] = _about_y(-ankle)
    qpos[:, 2] = [-lowest(body, one) for one in qpos]
    scale = pace_m_s / STANDARD_PACE_M_S
    for column, name in enumerate(("begin_speed", "begin_left", "begin_up")):
        qvel[:, column] = scale * gains[name][:, 0]
    _planted(body, places, qpos, qvel)
    qvel[:, places.column["thigh_R"] + 1] += -gains["begin_hip_rate"][:, 0]
    qvel[:, places.column["shank_R"]] += gains["begin_knee_rate"][:, 0]
    activation = np.full((n, 2, len(NAMES)), ALWAYS)
    for row, leg, units in ((0, "front", (VAS, GLU, HAM, TA)), (1, "back", (SOL, GAS, HFL))):
        for unit in units:
            activation[:, row, unit] = gains[f"begin_{NAMES[unit]}_{leg}"][:, 0]
    return qpos, qvel, activation


def _planted(body: Body, places: Places, qpos: np.ndarray, qvel: np.ndarray) -> None:
    """The front leg turns about its ankle as the pelvis goes ahead."""
    thigh = -(np.arctan2(qpos[:, places.coordinate["thigh_L"] + 2], qpos[:, places.coordinate["thigh_L"]]) * 2.0)
    rate = qvel[:, 0] / (body.leg_length_m * np.maximum(np.cos(thigh), 0.5))
    qvel[:, places.column["thigh_L"] + 1] = rate
    qvel[:, places.column["foot_L"] + 1] = -rate


def lowest(body: Body, qpos: np.ndarray) -> float:
    """Height of the lowest contact point of one pose (nq,) whose root is at the height qpos[2]."""
    place, turn, at = {}, {}, body.root_coordinates
    for segment in body.segments:
        if segment.parent is None:
            place[segment.name], turn[segment.name] = qpos[:3], qpos[3:7]
            continue
        own = qpos[at:at + 4] if segment.joint == "ball" else quat_from_rotvec(qpos[at] * segment.axis)
        at += 4 if segment.joint == "ball" else 1
        parent = turn[segment.parent]
        place[segment.name] = place[segment.parent] + quat_rotate(parent, segment.offset)
        turn[segment.name] = quat_multiply(parent, own)
    return min(float((place[p.segment] + quat_rotate(turn[p.segment], p.position))[2] - p.radius_m) for p in body.contact_points)


def _about_y(angle: np.ndarray) -> np.ndarray:
    out = np.zeros((len(angle), 4))
    out[:, 0], out[:, 2] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return out
