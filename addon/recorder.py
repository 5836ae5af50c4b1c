# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects a simulation's samples and makes the Take's arrays of them."""

from __future__ import annotations

import numpy as np

from .bodies.body import Body
from .bodies.coordinates import joint_quaternions, root_pose
from .bodies.state import BodyState
from .controllers.tracking.planners.targets import Targets

LOADED_SHARE = 0.02
"""A foot is loaded when it carries more than this share of the body's weight."""


class Recorder:
    """Samples every `stride` control steps; forces and torques are means over the steps since the last sample."""

    def __init__(self, body: Body, gravity_m_s2: float, stride: int) -> None:
        self.body, self.stride = body, stride
        self.set_gravity(gravity_m_s2)
        points = len(body.contact_points)
        self._of_foot = np.array([[p.side == side for p in body.contact_points] for side in ("L", "R")], dtype=float)
        self._forces, self._torques, self._count = np.zeros((points, 3)), np.zeros(body.degrees_of_freedom - body.root_freedom), 0
        self._rows: dict[str, list] = {name: [] for name in (
            "time_s", "qpos", "com_m", "com_velocity_m_s", "grf_n", "contact_point_m", "contact_point_force_n", "torque_nm",
            "plan_com_m", "plan_heading_rad", "pose_error_deg", "contact")}
        self._events: list[tuple[float, int, int]] = []
        self._was: np.ndarray | None = None

    def set_gravity(self, gravity_m_s2: float) -> None:
        """What counts as loaded under a gravity."""
        self.threshold_n = LOADED_SHARE * self.body.mass_kg * gravity_m_s2

    def foot_forces(self, forces: np.ndarray) -> np.ndarray:
        """Ground force (2, 3) on the left and right foot from the forces (P, 3) on the points."""
        return self._of_foot @ forces

    def loaded(self, forces: np.ndarray) -> dict[str, bool]:
        """Which feet carry weight."""
        left, right = (self.foot_forces(forces)[:, 2] > self.threshold_n).tolist()
        return {"L": left, "R": right}

    def gather(self, forces: np.ndarray, torque: np.ndarray) -> None:
        """Note the forces and torques of one control step."""
        self._forces += forces
        self._torques = self._torques + torque
        self._count += 1

    def sample(self, time_s: float, state: BodyState, targets: Targets, plan_com: np.ndarray, pose_error_deg: float) -> None:
        """Close a sample at `time_s`."""
        count = max(self._count, 1)
        forces, rows = self._forces / count, self._rows
        feet = self.foot_forces(forces)
        contact = feet[:, 2] > self.threshold_n
        if self._was is not None:
            for side in np.flatnonzero(contact != self._was):
                self._events.append((time_s, 0 if contact[side] else 1, int(side)))
        self._was = contact
        for name, value in (
            ("time_s", time_s), ("qpos", state.qpos.copy()), ("com_m", state.com.copy()),
            ("com_velocity_m_s", state.com_velocity.copy()), ("grf_n", feet), ("contact", contact),
            ("contact_point_m", state.contact_point_m.copy()),
            ("contact_point_force_n", (forces * state.contact_normal).sum(axis=1)),
            ("torque_nm", self._torques / count), ("plan_com_m", plan_com), ("plan_heading_rad", targets.heading),
            ("pose_error_deg", pose_error_deg),
        ):
            rows[name].append(value)
        self._forces[:], self._torques, self._count = 0.0, np.zeros_like(self._torques), 0

    def arrays(self, footsteps) -> dict[str, np.ndarray]:
        """The Take's arrays. `footsteps` are (time, Footstep) pairs of the plan."""
        out = {name: np.array(values) for name, values in self._rows.items()}
        qpos = out.pop("qpos")
        out["root_position_m"], out["root_quaternion"] = root_pose(self.body, qpos)
        out["joint_quaternions"] = joint_quaternions(self.body, qpos)
        out["plan_footstep_m"] = np.array(
            [[s.place.real, s.place.imag, s.support.height_m] for _, s in footsteps]).reshape(-1, 3)
        out["plan_footstep_time_s"] = np.array([t for t, _ in footsteps])
        out["plan_footstep_side"] = np.array([0 if s.side == "L" else 1 for _, s in footsteps], dtype=np.int64)
        out["event_time_s"] = np.array([e[0] for e in self._events])
        out["event_kind"] = np.array([e[1] for e in self._events], dtype=np.int64)
        out["event_side"] = np.array([e[2] for e in self._events], dtype=np.int64)
        return {name: np.ascontiguousarray(value) for name, value in out.items()}
