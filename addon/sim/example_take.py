# SPDX-License-Identifier: GPL-3.0-or-later
"""A Take of a motion that is known by its poses and by what of its feet stands: forces and torques as those poses ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np

from ..bodies.body import Body, Foot
from ..bodies.model import build_model
from ..bodies.state import BodyState
from ..motions.pressure.database import MOTION_HZ
from ..motions.pressure.images import SOLES
from ..motions.pressure.synthesis import Reading
from ..motions.responses.response import PARTS
from ..specs.motions import Stand
from ..specs.shot import Shot
from .recorder import Recorder
from .take import Take

SMALLEST_M = 1e-6


def example_take(shot: Shot, body: Body, step_s: float, qpos: np.ndarray, planted: np.ndarray, stats: Mapping[str, Any]) -> Take:
    """The Take of poses (N, nq) `step_s` [s] apart; `planted` (N, F, 2) are heel and ball of each foot on the ground. The
    ground's force is what the centre of mass asks for, on the planted points nearest to the centre of pressure that it asks for;
    torques are those of inverse dynamics under it: how the poses would have to be moved, not how a body was."""
    model = build_model(body, shot.world)
    state, recorder = BodyState(body, model), Recorder(body, shot.world.gravity_m_s2, 1)
    velocities = np.zeros((len(qpos), model.nv))
    for i in range(len(qpos) - 1):
        mujoco.mj_differentiatePos(model, velocities[i], step_s, qpos[i], qpos[i + 1])
    velocities[1:-1] = 0.5 * (velocities[1:-1] + velocities[:-2])
    accelerations = np.gradient(velocities, step_s, axis=0)
    for i, (pose, velocity, acceleration) in enumerate(zip(qpos, velocities, accelerations, strict=True)):
        state.update(pose, velocity)
        forces = ground_forces(state, planted[i], state.com_jacobian @ acceleration)
        needed = state.mass_matrix @ acceleration + state.bias_force - _of_forces(state, forces)
        recorder.gather(forces, needed[body.root_freedom:])
        recorder.sample(i * step_s, state, {})
    arrays, channels = recorder.series(None)
    told = {"time_fell_s": None, "lost": None, "end_velocity": recorder.end_velocity, **stats}
    return Take(shot, body, arrays, told, channels)


def pressure_take(reading: Reading) -> Take:
    """The Take of the motion that pressure was read as; `by_pressure` in its stats names the motions, `mat` the pressure's file
    and where the mat lies (2,) [m], where pressure tells that, and `soles` the file of insoles."""
    body, step_s, motion = reading.body, 1.0 / MOTION_HZ, reading.motion
    qpos = motion.figure.coordinates(body)
    shot = Shot(motion=Stand(), duration_s=round(step_s * (len(qpos) - 1), 4))
    stats: dict[str, Any] = {"by_pressure": reading.called}
    if motion.mat_m is not None:
        stats["mat"] = {"file": reading.pressure.source, "at_m": [round(float(place), 6) for place in motion.mat_m]}
    if reading.pressure.place == SOLES:
        stats["soles"] = {"file": reading.pressure.source}
    return example_take(shot, body, step_s, qpos, motion.planted, stats)


def ground_forces(state: BodyState, planted: np.ndarray, acceleration: np.ndarray) -> np.ndarray:
    """Forces (P, 3) [N] on contact points, of which those of the planted parts (F, 2) push: their sum accelerates the centre of
    mass so (3,) [m/s^2], and they share it by how near they are to the centre of pressure."""
    body, forces = state.body, np.zeros((len(state.body.contact_points), 3))
    total = state.mass_kg * (acceleration - state.gravity)
    rows = [i for f, foot in enumerate(body.feet) for i in _standing(body, foot, planted[f])]
    if not rows or total[2] <= 0.0:
        return forces
    pressure = state.com[:2] - (state.com[2] - state.contact_point_m[rows, 2].mean()) * total[:2] / total[2]
    away = ((state.contact_point_m[rows, :2] - pressure) ** 2).sum(axis=1)
    share = 1.0 / np.maximum(away, SMALLEST_M)
    forces[rows] = (share / share.sum())[:, None] * total
    return forces


def _standing(body: Body, foot: Foot, planted: np.ndarray) -> list[int]:
    """Rows of a foot's points that stand where its heel, its ball (2,) are planted; toes go with the ball."""
    kinds = {part for part, stands in zip(PARTS, planted.tolist(), strict=True) if stands}
    return [i for i in foot.points if body.contact_points[i].kind in kinds]


def _of_forces(state: BodyState, forces: np.ndarray) -> np.ndarray:
    """Generalised forces (nv,) of forces (P, 3) on contact points."""
    out, jacobian = np.zeros(state.model.nv), np.zeros((3, state.model.nv))
    for i in np.flatnonzero(forces.any(axis=1)):
        segment = state.model.body(state.body.contact_points[i].segment).id
        mujoco.mj_jac(state.model, state.data, jacobian, None, state.contact_point_m[i], segment)
        out += jacobian.T @ forces[i]
    return out
