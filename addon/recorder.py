# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects a simulation's samples and makes the Take's arrays of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .bodies.body import Body
from .bodies.coordinates import joint_quaternions, root_pose
from .bodies.state import BodyState
from .controllers.contacts import FootLoads
from .controllers.controller import Reading
from .take_arrays import ARRAYS, Channel


class Recorder:
    """Samples every `stride` control steps; forces and torques are means over the steps since the last sample. `end_velocity` are
    the generalised velocities at the last one, empty before the first."""

    def __init__(self, body: Body, gravity_m_s2: float, stride: int) -> None:
        self.body, self.stride = body, stride
        self._loads = FootLoads(body, gravity_m_s2)
        points = len(body.contact_points)
        self._forces, self._count = np.zeros((points, 3)), 0
        self._torques = np.zeros(body.degrees_of_freedom - body.root_freedom)
        self._rows: dict[str, list] = {name: [] for name in (
            "time_s", "qpos", "com_m", "com_velocity_m_s", "grf_n", "contact_point_m", "contact_point_force_n", "torque_nm",
            "contact")}
        self._units: dict[str, str] = {}
        self._read: dict[str, dict[int, np.ndarray]] = {}
        self._events: list[tuple[float, int, int]] = []
        self._was: np.ndarray | None = None
        self.end_velocity: list[float] = []

    def set_gravity(self, gravity_m_s2: float) -> None:
        """What counts as loaded under a gravity."""
        self._loads.set_gravity(gravity_m_s2)

    def gather(self, forces: np.ndarray, torque: np.ndarray) -> None:
        """Note the forces and torques of one control step."""
        self._forces += forces
        self._torques = self._torques + torque
        self._count += 1

    def sample(self, time_s: float, state: BodyState, readings: Mapping[str, Reading], objects: np.ndarray | None = None) -> None:
        """Close a sample at `time_s`, with what the controller adds, and the poses (K, 7) of loose objects."""
        count = max(self._count, 1)
        forces, rows = self._forces / count, self._rows
        feet = self._loads.forces(forces)
        contact = feet[:, 2] > self._loads.threshold_n
        if self._was is not None:
            for side in np.flatnonzero(contact != self._was):
                self._events.append((time_s, 0 if contact[side] else 1, int(side)))
        self._was = contact
        for name, value in (
            ("time_s", time_s), ("qpos", state.qpos.copy()), ("com_m", state.com.copy()),
            ("com_velocity_m_s", state.com_velocity.copy()), ("grf_n", feet), ("contact", contact),
            ("contact_point_m", state.contact_point_m.copy()),
            ("contact_point_force_n", (forces * state.contact_normal).sum(axis=1)),
            ("torque_nm", self._torques / count),
        ):
            rows[name].append(value)
        if objects is not None and len(objects):
            rows.setdefault("object_pose", []).append(objects.copy())
        self.end_velocity = state.qvel.tolist()
        for name, reading in readings.items():
            self._units[name] = reading.unit
            self._read.setdefault(name, {})[len(rows["time_s"]) - 1] = np.array(reading.value)
        self._forces[:], self._torques, self._count = 0.0, np.zeros_like(self._torques), 0

    def series(self, footsteps: Sequence[tuple[float, Any]] | None) -> tuple[dict[str, np.ndarray], dict[str, Channel]]:
        """The Take's arrays and channels. `footsteps` are (time, Footstep) pairs of the plan; None where there is none."""
        out = {name: np.array(values) for name, values in self._rows.items()}
        qpos = out.pop("qpos")
        out["root_position_m"], out["root_quaternion"] = root_pose(self.body, qpos)
        out["joint_quaternions"] = joint_quaternions(self.body, qpos)
        if footsteps is not None:
            row = {foot.side: i for i, foot in enumerate(self.body.feet)}
            out["plan_footstep_m"] = np.array(
                [[s.place.real, s.place.imag, s.support.height_m] for _, s in footsteps]).reshape(-1, 3)
            out["plan_footstep_time_s"] = np.array([t for t, _ in footsteps])
            out["plan_footstep_side"] = np.array([row[s.side] for _, s in footsteps], dtype=np.int64)
        out["event_time_s"] = np.array([e[0] for e in self._events])
        out["event_kind"] = np.array([e[1] for e in self._events], dtype=np.int64)
        out["event_side"] = np.array([e[2] for e in self._events], dtype=np.int64)
        read = {name: self._whole(values, len(qpos)) for name, values in self._read.items()}
        out |= {name: values for name, values in read.items() if name in ARRAYS}
        channels = {name: Channel(self._units[name], values) for name, values in read.items() if name not in ARRAYS}
        return {name: np.ascontiguousarray(value) for name, value in out.items()}, channels

    @staticmethod
    def _whole(values: Mapping[int, np.ndarray], count: int) -> np.ndarray:
        """A row for each of `count` samples; not a number where another controller was at work."""
        rows = np.array(list(values.values()))
        if len(rows) == count:
            return rows
        out = np.full((count, *rows.shape[1:]), np.nan)
        out[list(values)] = rows
        return out
