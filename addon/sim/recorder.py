# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects a simulation's samples and makes the Take's arrays of them; and a shot's muscles in the loop: the engine that they are
around, and what of them is kept in the Take."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..bodies.body import Body, joint_quaternions, root_pose
from ..bodies.muscles.mechanics import basal_w
from ..bodies.muscles.paths import PathActuator
from ..bodies.of_shot import actuator_of
from ..bodies.state import BodyState
from ..engines.engine import Command, Engine, Excitations
from ..engines.muscled import Muscled
from ..locomotion.controller import Reading
from ..locomotion.legged.targets import FootLoads
from ..rows import Rows, blocks, let_go
from ..specs.shot import Shot
from .sequence import MusclesBefore
from .take import ARRAYS, Channel


class Recorder:
    """Samples every `stride` control steps; forces and torques are means over the steps since the last sample. `end_velocity` are
    the generalised velocities at the last one, empty before the first."""

    def __init__(self, body: Body, gravity_m_s2: float, stride: int) -> None:
        self.body, self.stride = body, stride
        self._loads = FootLoads(body, gravity_m_s2)
        points = len(body.contact_points)
        self._forces, self._count = np.zeros((points, 3)), 0
        self._torques = np.zeros(body.degrees_of_freedom - body.root_freedom)
        self._rows: dict[str, Rows] = {name: Rows() for name in (
            "time_s", "qpos", "com_m", "com_velocity_m_s", "grf_n", "contact_point_m", "contact_point_force_n", "torque_nm",
            "contact")}
        self._units: dict[str, str] = {}
        self._read: dict[str, _Told] = {}
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
            ("time_s", time_s), ("qpos", state.qpos), ("com_m", state.com), ("com_velocity_m_s", state.com_velocity),
            ("grf_n", feet), ("contact", contact), ("contact_point_m", state.contact_point_m),
            ("contact_point_force_n", (forces * state.contact_normal).sum(axis=1)),
            ("torque_nm", self._torques / count),
        ):
            rows[name].append(value)
        if objects is not None and len(objects):
            rows.setdefault("object_pose", Rows()).append(objects)
        self.end_velocity = state.qvel.tolist()
        for name, reading in readings.items():
            self._units[name] = reading.unit
            self._read.setdefault(name, _Told()).note(len(rows["time_s"]) - 1, np.asarray(reading.value))
        self._forces[:], self._torques, self._count = 0.0, np.zeros_like(self._torques), 0

    def series(self, footsteps: Sequence[tuple[float, Any]] | None) -> tuple[dict[str, np.ndarray], dict[str, Channel]]:
        """The Take's arrays and channels. `footsteps` are (time, Footstep) pairs of the plan; None where there is none."""
        out = {name: rows.array() for name, rows in self._rows.items()}
        out |= self._poses(out.pop("qpos"))
        if footsteps is not None:
            row = {foot.side: i for i, foot in enumerate(self.body.feet)}
            out["plan_footstep_m"] = np.array(
                [[s.place.real, s.place.imag, s.support.height_m] for _, s in footsteps]).reshape(-1, 3)
            out["plan_footstep_time_s"] = np.array([t for t, _ in footsteps])
            out["plan_footstep_side"] = np.array([row[s.side] for _, s in footsteps], dtype=np.int64)
        out["event_time_s"] = np.array([e[0] for e in self._events])
        out["event_kind"] = np.array([e[1] for e in self._events], dtype=np.int64)
        out["event_side"] = np.array([e[2] for e in self._events], dtype=np.int64)
        read = {name: told.whole(len(out["time_s"])) for name, told in self._read.items()}
        out |= {name: values for name, values in read.items() if name in ARRAYS}
        channels = {name: Channel(self._units[name], values) for name, values in read.items() if name not in ARRAYS}
        return {name: np.ascontiguousarray(value) for name, value in out.items()}, channels

    def _poses(self, qpos: np.ndarray) -> dict[str, np.ndarray]:
        """The Take's arrays of generalised coordinates (T, nq)."""
        found: dict[str, Rows] = {name: Rows() for name in ("root_position_m", "root_quaternion", "joint_quaternions")}
        for rows in blocks(len(qpos)):
            parts = (*root_pose(self.body, qpos[rows]), joint_quaternions(self.body, qpos[rows]))
            for kept, part in zip(found.values(), parts, strict=True):
                kept.extend(part)
            let_go(qpos)
        return {name: kept.array() for name, kept in found.items()}


class _Told:
    """What a controller told of a channel, sample by sample, with gaps where another one was at work."""

    def __init__(self) -> None:
        self._rows = Rows()
        self._runs: list[list[int]] = []

    def note(self, sample: int, value: np.ndarray) -> None:
        """The value at a sample, behind all others."""
        self._rows.append(value)
        if self._runs and self._runs[-1][1] == sample:
            self._runs[-1][1] += 1
        else:
            self._runs.append([sample, sample + 1])

    def whole(self, count: int) -> np.ndarray:
        """A row for each of `count` samples; not a number where there was a gap."""
        told = self._rows.array()
        if len(told) == count:
            return told
        out, done = Rows(), 0
        ends = [*self._runs, [count, count]]
        for (start, stop), (after, _) in zip([[0, 0], *self._runs], ends, strict=True):
            for rows in blocks(stop - start):
                out.extend(told[done:][rows].astype(float))
                let_go(told)
            done += stop - start
            for rows in blocks(after - stop):
                out.extend(np.full((rows.stop - rows.start, *told.shape[1:]), np.nan))
        return out.array()


def muscles_at_work(shot: Shot, body: Body, engine: Engine) -> MuscleWork | NoMuscles:
    """The muscles that a shot says, on a body in an engine. Raises LopeError for a body on which they cannot be laid."""
    if shot.actuation is None:
        return NoMuscles(engine)
    return MuscleWork(engine, actuator_of(shot, body), shot.actuation.tone, basal_w(body.bare_mass_kg))


class MuscleWork:
    """The muscles of the body in an engine. `engine` is that one with them around it; `rest_w` [W] is the body's at rest."""

    def __init__(self, engine: Engine, actuator: PathActuator, tone: float, rest_w: float) -> None:
        self.engine, self.state, self._rest_w = Muscled(engine, actuator, tone), actuator, rest_w
        self._commands, self._beside, self._most = 0, np.zeros(actuator.moved.shape), 0.0

    def go_on(self, before: MusclesBefore | None) -> None:
        """Be as active as the muscles of the same names were before; others begin as the first command excites them."""
        if before is not None and before.names == self.state.names:
            self.engine.begin(before.activation)

    def readings(self, command: Command) -> dict[str, Reading]:
        """What the Take keeps of the sample at which a command begins, as single floats: there are many."""
        self.engine.begin_with(command)
        state = self.state
        told = {name: Reading(unit, values.astype(np.float32)) for name, unit, values in (
            ("activation", "1", state.activation), ("muscle_force", "N", state.force_n),
            ("fibre_length", "l_opt", state.fibre_length))}
        rates = state.metabolic_w
        told["muscle_metabolic_rate"] = Reading("W", rates.astype(np.float32))
        told["metabolic_rate"] = Reading("W", float(rates.sum()) + self._rest_w)
        return told

    def gather(self, command: Command) -> np.ndarray:
        """The joints' torque (nv - r,) [N m] through the stretch that a command was held for; what it asked for beside the
        muscles, of joints that have some, is noted."""
        if isinstance(command, Excitations):
            self._beside += command.torque**2
            self._most = max(self._most, float(np.abs(command.torque[self.state.own]).max(initial=0.0)))
            self._commands += 1
        return command.torque + self.engine.muscle_torque

    def stats(self) -> dict[str, Any]:
        """The muscles' names; root mean square and largest of the torques [N m] that joints had beside theirs about axes that are
        the muscles' own, and root mean square of those about the other axes of joints that muscles pass."""
        own, moved = self.state.own, self.state.moved
        return {"muscles": list(self.state.names), "reserve_nm_rms": self._rms(own), "reserve_nm_most": self._most,
                "beside_nm_rms": self._rms(moved & ~own)}

    def _rms(self, which: np.ndarray) -> float:
        """Over commands and coordinates (nv - r,)."""
        return math.sqrt(float(self._beside[which].mean()) / max(self._commands, 1)) if which.any() else 0.0


class NoMuscles:
    """The same of a body that torques move."""

    state = None

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def go_on(self, before: MusclesBefore | None) -> None:
        """See `MuscleWork.go_on`."""

    def readings(self, command: Command) -> dict[str, Reading]:
        return {}

    def gather(self, command: Command) -> np.ndarray:
        return command.torque

    def stats(self) -> dict[str, Any]:
        return {}
