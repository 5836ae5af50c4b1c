# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole reference pose: pelvis from the planned COM, legs by inverse kinematics onto the feet, the rest from the cycle."""

from __future__ import annotations

import numpy as np

from ..bodies.body import Body
from ..bodies.kinematics import matrix_from_quat, quat_from_rotvec, quat_multiply
from ..motions.channels import layout
from .foot_path import FootPose
from .gait_tables import GaitTables
from .leg_ik import solve_legs

SIDES = ("L", "R")


class PosePlanner:
    """Builds generalised coordinates (nq,) of the reference pose of one body in one gait."""

    def __init__(self, tables: GaitTables, body: Body) -> None:
        self.tables, self.body = tables, body
        self._slots = _coordinate_slots(body)
        self.nq = 7 + sum(stop - start for start, stop in self._slots.values())
        self._hip = np.array([body.segment(f"thigh_{s}").offset for s in SIDES])
        self._thigh = float(np.linalg.norm(body.segment("shank_L").offset))
        self._shank = float(np.linalg.norm(body.segment("foot_L").offset))
        legs = {f"{n}_{s}" for n in ("thigh", "shank", "foot", "toes") for s in SIDES}
        self._upper = [n for n in body.joint_segments if n not in legs]
        columns = layout().slices
        balls = [n for n in self._upper if body.segment(n).joint == "ball"]
        self._hinges = [n for n in self._upper if body.segment(n).joint == "hinge"]
        self._ball_columns = np.array([np.arange(*columns[n].indices(10**6)) for n in balls])
        self._ball_slots = np.array([np.arange(*self._slots[n]) for n in balls])
        self._hinge_columns = np.array([columns[n].start for n in self._hinges], dtype=int)
        self._hinge_slots = np.array([self._slots[n][0] for n in self._hinges], dtype=int)
        hips = np.array([np.arange(columns[f"thigh_{s}"].start, columns[f"thigh_{s}"].stop) for s in SIDES])
        self._hip_columns = hips
        self._ball_mean = tables.cycle.coefficients[self._ball_columns, 0]
        self.swing_scale = 1.0

    def pose(
        self, phase: float, heading: float, com_xy: complex, com_height: float, feet: dict[str, FootPose], row: np.ndarray
    ) -> np.ndarray:
        """Coordinates (nq,): COM above `com_xy` at `com_height` [m], ankles on `feet`, upper body of the cycle at `phase`.

        `row` is the tables' row at that phase. The swing of arms and trunk is scaled by `swing_scale`.
        """
        channels = self.tables.cycle.evaluate(phase)
        turn = np.array([np.cos(0.5 * heading), 0.0, 0.0, np.sin(0.5 * heading)])
        pelvis_quat = quat_multiply(turn, quat_from_rotvec(row[4:7]))
        turn_matrix = matrix_from_quat(turn)
        offset = turn_matrix @ row[1:4]
        place = np.array([com_xy.real + offset[0], com_xy.imag + offset[1], com_height + offset[2]])
        q = np.zeros(self.nq)
        q[:3], q[3:7] = place, pelvis_quat
        rotvecs = self._ball_mean + self.swing_scale * (channels[self._ball_columns] - self._ball_mean)
        q[self._ball_slots] = quat_from_rotvec(rotvecs)
        q[self._hinge_slots] = channels[self._hinge_columns]
        self._solve_legs(q, channels, turn_matrix, matrix_from_quat(pelvis_quat), feet)
        return q

    def shortfall(
        self, com_xy: complex, com_height: float, heading: float, row: np.ndarray, feet: dict[str, FootPose], reach: float
    ) -> float:
        """How much lower [m] the COM must be for both ankles to be within `reach` of their hips, over the legs' length."""
        turn = np.array([np.cos(0.5 * heading), 0.0, 0.0, np.sin(0.5 * heading)])
        pelvis = matrix_from_quat(quat_multiply(turn, quat_from_rotvec(row[4:7])))
        place = matrix_from_quat(turn) @ row[1:4] + (com_xy.real, com_xy.imag, com_height)
        hip = place + self._hip @ pelvis.T
        away = hip - np.array([feet[s].ankle for s in SIDES])
        longest = reach * (self._thigh + self._shank)
        level = np.minimum(away[:, 0] ** 2 + away[:, 1] ** 2, (0.95 * longest) ** 2)
        return float(max(0.0, (away[:, 2] - np.sqrt(longest**2 - level)).max()))

    def _solve_legs(self, q, channels, turn_matrix, pelvis, feet) -> None:
        """Fill the legs' coordinates so that the ankles stand on `feet`."""
        hip = q[:3] + self._hip @ pelvis.T
        ankle = np.array([feet[s].ankle for s in SIDES])
        foot = turn_matrix @ matrix_from_quat(quat_from_rotvec(np.array([feet[s].rotvec for s in SIDES])))
        side_axis = (pelvis @ matrix_from_quat(quat_from_rotvec(channels[self._hip_columns])))[:, :, 1]
        pelvis = np.broadcast_to(pelvis, (2, 3, 3))
        hips, knees, ankles = solve_legs(pelvis, hip, ankle, foot, side_axis, self._thigh, self._shank)
        quats = matrices_to_quats(np.concatenate([hips, ankles]))
        for i, side in enumerate(SIDES):
            q[slice(*self._slots[f"thigh_{side}"])] = quats[i]
            q[slice(*self._slots[f"shank_{side}"])] = knees[i]
            q[slice(*self._slots[f"foot_{side}"])] = quats[2 + i]
            toes = self._slots.get(f"toes_{side}")
            if toes is not None:
                q[toes[0]] = min(feet[side].toe, self.body.segment(f"toes_{side}").limits_rad[1])


def matrices_to_quats(m: np.ndarray) -> np.ndarray:
    """Quaternions (n, 4) of rotation matrices (n, 3, 3) that are less than a half turn (w > 0), without scipy's overhead."""
    w = np.sqrt(np.maximum(1.0 + m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2], 1e-12)) * 0.5
    scale = 0.25 / w
    return np.stack([w, (m[:, 2, 1] - m[:, 1, 2]) * scale, (m[:, 0, 2] - m[:, 2, 0]) * scale,
                     (m[:, 1, 0] - m[:, 0, 1]) * scale], axis=1)


def _coordinate_slots(body: Body) -> dict[str, tuple[int, int]]:
    """Where each joint's coordinates stand in the vector: (start, stop)."""
    slots, at = {}, 7
    for name in body.joint_segments:
        size = 4 if body.segment(name).joint == "ball" else 1
        slots[name] = (at, at + size)
        at += size
    return slots
