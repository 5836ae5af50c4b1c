# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole reference pose: pelvis from the planned COM, legs by inverse kinematics, the rest from the cycle."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ....bodies.body import Body
from ....maths.quaternions import matrix_from_quat, quat_from_rotvec, quat_multiply
from ....motions.channels import layout
from .foot_path import FootPose
from .gait_tables import GaitTables
from .leg_ik import solve_legs

SIDES = ("L", "R")


class PosePlanner:
    """Builds generalised coordinates of the reference pose of one body in one gait, for several moments at once."""

    def __init__(self, tables: GaitTables, body: Body) -> None:
        self.tables, self.body = tables, body
        slots = _coordinate_slots(body)
        self.nq = 7 + sum(stop - start for start, stop in slots.values())
        self._hip = np.array([body.segment(f"thigh_{s}").offset for s in SIDES])
        self._thigh = float(np.linalg.norm(body.segment("shank_L").offset))
        self._shank = float(np.linalg.norm(body.segment("foot_L").offset))
        legs = {f"{n}_{s}" for n in ("thigh", "shank", "foot", "toes") for s in SIDES}
        upper = [n for n in body.joint_segments if n not in legs]
        balls = [n for n in upper if body.segment(n).joint == "ball"]
        hinges = [n for n in upper if body.segment(n).joint == "hinge"]
        columns = layout().slices
        self._ball_columns = np.array([np.arange(*columns[n].indices(10**6)) for n in balls])
        self._ball_slots = np.array([np.arange(*slots[n]) for n in balls])
        self._hinge_columns = np.array([columns[n].start for n in hinges], dtype=int)
        self._hinge_slots = np.array([slots[n][0] for n in hinges], dtype=int)
        self._hip_columns = np.array([np.arange(*columns[f"thigh_{s}"].indices(10**6)) for s in SIDES])
        self._leg_slots = np.array([np.arange(*slots[f"{n}_{s}"]) for n in ("thigh", "foot") for s in SIDES])
        self._knee_slots = np.array([slots[f"shank_{s}"][0] for s in SIDES])
        toes = [s for s in SIDES if f"toes_{s}" in slots]
        self._toe_sides = [SIDES.index(s) for s in toes]
        self._toe_slots = np.array([slots[f"toes_{s}"][0] for s in toes], dtype=int)
        self._toe_most = np.array([body.segment(f"toes_{s}").limits_rad[1] for s in toes])
        self._ball_mean = tables.cycle.coefficients[self._ball_columns, 0]
        self.swing_scale = self.vigour = 1.0

    def poses(
        self, phase: np.ndarray, heading: np.ndarray, com: np.ndarray, feet: Sequence[dict[str, FootPose]], rows: np.ndarray,
        feet_heading: float | None = None, lean: float = 0.0,
    ) -> np.ndarray:
        """Coordinates (k, nq) of k moments: the COM at its places (k, 3) [m], ankles on the feet, the upper body of the
        cycle at its phases (k,), all turned by headings (k,) [rad] and leaning to the left by `lean` [rad]; the feet's rotations
        are relative to `feet_heading`, else to each moment's own.

        `rows` (k, C) are the tables' rows at the phases. The swing of arms and trunk is scaled by `swing_scale`;
        `vigour` is how much of any joint's motion about its mean is shown.
        """
        channels = self.tables.cycle.evaluate(phase)
        if self.vigour != 1.0:
            channels = (1.0 - self.vigour) * self.tables.cycle.coefficients[:, 0] + self.vigour * channels
        turn = turns(heading, lean)
        turn_matrix = matrix_from_quat(turn)
        feet_turn = matrix_from_quat(turns(heading if feet_heading is None else np.full(len(rows), feet_heading)))
        # One call for all rotation vectors: pelvis, hips of the cycle, feet, balls of the upper body.
        balls = self._ball_mean + self.swing_scale * (channels[:, self._ball_columns] - self._ball_mean)
        sole = np.array([[pair[s].rotvec for s in SIDES] for pair in feet])
        quats = quat_from_rotvec(np.concatenate([rows[:, None, 4:7], channels[:, self._hip_columns], sole, balls], axis=1))
        q = np.zeros((len(rows), self.nq))
        q[:, :3] = com + np.einsum("kij,kj->ki", turn_matrix, rows[:, 1:4])
        q[:, 3:7] = quat_multiply(turn, quats[:, 0])
        q[:, self._ball_slots] = quats[:, 5:]
        q[:, self._hinge_slots] = channels[:, self._hinge_columns]
        self._solve_legs(q, feet, turn_matrix, matrix_from_quat(quats[:, :5]), feet_turn)
        return q

    def shortfall(
        self, com_xy: complex, com_height: float, heading: float, row: np.ndarray, feet: dict[str, FootPose], reach: float,
        lean: float = 0.0,
    ) -> float:
        """How much lower [m] the COM must be for both ankles to be within `reach` of their hips, over the legs' length."""
        turn = matrix_from_quat(turns(heading, lean))
        hip = row[1:4] + self._hip @ matrix_from_quat(quat_from_rotvec(row[4:7])).T
        away = hip @ turn.T + (com_xy.real, com_xy.imag, com_height) - np.array([feet[s].ankle for s in SIDES])
        longest = reach * (self._thigh + self._shank)
        level = np.minimum(away[:, 0] ** 2 + away[:, 1] ** 2, (0.95 * longest) ** 2)
        return float(max(0.0, (away[:, 2] - np.sqrt(longest**2 - level)).max()))

    def _solve_legs(
        self, q: np.ndarray, feet: Sequence[dict[str, FootPose]], turn: np.ndarray, rotations: np.ndarray, feet_turn: np.ndarray
    ) -> None:
        """Fill the legs' coordinates so that the ankles stand on `feet`. `rotations` (k, 5, 3, 3) are those of the pelvis,
        the cycle's hips and the feet, from the heading `turn` (k, 3, 3), the hips from the pelvis, the feet from `feet_turn`
        (k, 3, 3)."""
        count = len(q)
        pelvis = turn @ rotations[:, 0]
        hip = q[:, None, :3] + self._hip @ pelvis.transpose(0, 2, 1)
        ankle = np.array([[pair[s].ankle for s in SIDES] for pair in feet])
        foot = feet_turn[:, None] @ rotations[:, 3:5]
        side_axis = np.einsum("kij,ksj->ksi", pelvis, rotations[:, 1:3, :, 1])
        hips, knees, ankles = solve_legs(
            np.repeat(pelvis, 2, axis=0), hip.reshape(-1, 3), ankle.reshape(-1, 3), foot.reshape(-1, 3, 3),
            side_axis.reshape(-1, 3), self._thigh, self._shank)
        joints = np.concatenate([hips.reshape(count, 2, 3, 3), ankles.reshape(count, 2, 3, 3)], axis=1)
        q[:, self._leg_slots] = matrices_to_quats(joints)
        q[:, self._knee_slots] = knees.reshape(count, 2)
        toes = np.array([[pair[s].toe for s in SIDES] for pair in feet])
        q[:, self._toe_slots] = np.minimum(toes[:, self._toe_sides], self._toe_most)


def turns(heading: float | np.ndarray, lean: float = 0.0) -> np.ndarray:
    """Quaternions (..., 4) of headings (...,) [rad], turns about z, after a lean to the left [rad]."""
    quat = np.zeros((*np.shape(heading), 4))
    cosine, sine, upright, tilted = np.cos(0.5 * heading), np.sin(0.5 * heading), math.cos(0.5 * lean), -math.sin(0.5 * lean)
    quat[..., 0], quat[..., 1] = cosine * upright, cosine * tilted
    quat[..., 2], quat[..., 3] = sine * tilted, sine * upright
    return quat


def matrices_to_quats(m: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4) of rotation matrices (..., 3, 3) of less than half a turn (w > 0), without scipy's overhead."""
    quat = np.empty((*m.shape[:-2], 4))
    w = 0.5 * np.sqrt(np.maximum(1.0 + np.einsum("...ii->...", m), 1e-12))
    quat[..., 0] = w
    below, above = m[..., [2, 0, 1], [1, 2, 0]], m[..., [1, 2, 0], [2, 0, 1]]
    quat[..., 1:] = (0.25 / w)[..., None] * (below - above)
    return quat


def _coordinate_slots(body: Body) -> dict[str, tuple[int, int]]:
    """Where each joint's coordinates stand in the vector: (start, stop)."""
    slots, at = {}, 7
    for name in body.joint_segments:
        size = 4 if body.segment(name).joint == "ball" else 1
        slots[name] = (at, at + size)
        at += size
    return slots
