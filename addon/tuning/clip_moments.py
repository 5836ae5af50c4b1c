# SPDX-License-Identifier: GPL-3.0-or-later
"""The moments that a clip's motion asks of the standard body: inverse dynamics of its mean cycle, the ground's force under the
feet by turns.

A spring that draws to where a joint comes to lags behind by what the joint carries: a bent knee under the whole weight by half
a radian. So what the motion itself asks for is added (Yin 2007, section 5.3, has such torques from inverse dynamics; feedback
error learning finds the same ones in simulation).
"""

from __future__ import annotations

import math
from dataclasses import replace

import mujoco
import numpy as np

from ..bodies.human.landmarks import SIDES
from ..bodies.makers import make_body
from ..bodies.model import build_model
from ..bodies.state import BodyState
from ..controllers.pose_gait.along import Along
from ..controllers.pose_gait.drawn import OTHER, ROW
from ..controllers.pose_gait.law import Law
from ..controllers.pose_gait.settings import PoseGaitSettings
from ..controllers.pose_gait.sides import OUT
from ..controllers.pose_gait.strength import Scale
from ..maths.periodic import basis_at, coefficients_of
from ..motions.clip_curves import ClipCurves
from ..specs.pose_curves import ANGLES, PoseCurves
from ..specs.shot import EARTH_GRAVITY_M_S2, BodySpec, World

SAMPLES, HARMONICS = 128, 8
SHIFTED = 0.12
"""Share of the cycle in which the weight goes from the foot behind to the one that has come down: people's double support."""
MOST_NM = 200.0
LIGHTEST = 0.3
"""Under less than this share of the weight the place of the ground's force says nothing (first guess)."""


def with_moments(found: ClipCurves) -> PoseCurves:
    """The curves of a clip with the moments that go with them."""
    body = make_body(BodySpec())
    state = BodyState(body, build_model(body, World()))
    law = Law(state, Scale.of(body, EARTH_GRAVITY_M_S2), PoseGaitSettings())
    curves, phases = found.curves, np.arange(SAMPLES) / SAMPLES
    poses = _poses(found, law, state, phases)
    moments = np.zeros((SAMPLES, len(ANGLES)))
    dt = curves.period_s / SAMPLES
    velocities = np.zeros((SAMPLES, state.model.nv))
    for k in range(SAMPLES):
        before, after = _around(poses, k - 1, found), _around(poses, k + 1, found)
        mujoco.mj_differentiatePos(state.model, velocities[k], 2.0 * dt, before, after)
    accelerations = (np.roll(velocities, -1, axis=0) - np.roll(velocities, 1, axis=0)) / (2.0 * dt)
    for k in range(SAMPLES):
        state.update(poses[k], velocities[k])
        moments[k] = _moments(state, accelerations[k], _weights(curves, phases[k]))
    series = coefficients_of(np.fft.rfft(np.clip(moments, -MOST_NM, MOST_NM), axis=0) / SAMPLES, HARMONICS)
    told = {name: tuple(np.round(row, 1).tolist()) for name, row in zip(ANGLES, series, strict=True)}
    return replace(curves, moments=told)


def _poses(found: ClipCurves, law: Law, state: BodyState, phases: np.ndarray) -> np.ndarray:
    """Poses (N, nq) of the mean cycle, heading along x; the body goes on by its speed."""
    along, curves = Along(found.curves), found.curves
    poses = np.tile(state.model.qpos0, (len(phases), 1))
    for pose, phase in zip(poses, phases, strict=True):
        since_s = (phase - curves.touch_left) % 1.0 * curves.period_s
        angles, turns = along.whole(since_s)
        law.posed(pose, angles, turns, 0.0)
        pose[:3] = [float(basis_at(phase, len(one) // 2) @ one) for one in curves.place]
    poses[:, :2] += np.outer(phases * curves.period_s, [found.speed.real, found.speed.imag])
    return poses


def _around(poses: np.ndarray, k: int, found: ClipCurves) -> np.ndarray:
    """The pose at a place of the cycle, or of the one before or after."""
    cycle, row = divmod(k, len(poses))
    pose = poses[row].copy()
    pose[:2] += cycle * found.curves.period_s * np.array([found.speed.real, found.speed.imag])
    return pose


def _weights(curves: PoseCurves, phase: float) -> dict[str, float]:
    """The share of the ground's force that each foot takes, shifted smoothly to the one that has come down."""
    last = min(("L", "R"), key=lambda side: (phase - (curves.touch_left if side == "L" else curves.touch_right)) % 1.0)
    since = (phase - (curves.touch_left if last == "L" else curves.touch_right)) % 1.0
    share = 0.5 - 0.5 * math.cos(math.pi * min(since / SHIFTED, 1.0))
    return {last: share, OTHER[last]: 1.0 - share}


def _moments(state: BodyState, acceleration: np.ndarray, weights: dict[str, float]) -> np.ndarray:
    """The moments (9,) [N m] of `ANGLES` in the state, each towards more of its angle."""
    model, data = state.model, state.data
    needed = np.zeros(model.nv)
    data.qacc[:] = acceleration
    mujoco.mj_rne(model, data, 1, needed)
    root = data.xmat[1].reshape(3, 3)
    force, about_root = needed[:3].copy(), root @ needed[3:6]
    place = data.xpos[1]
    ground_z = float(state.contact_point_m[:, 2].min())
    pressed = place[:2].copy()
    if force[2] > LIGHTEST * state.mass_kg * EARTH_GRAVITY_M_S2:
        up = place[2] - ground_z
        pressed -= np.array([up * force[0] + about_root[1], up * force[1] - about_root[0]]) / force[2]
    for side, weight in weights.items():
        if weight > 0.0:
            jacobian = np.zeros((3, model.nv))
            segment = state.frame(f"foot_{side}").id
            mujoco.mj_jac(model, data, jacobian, None, _under(state, side, pressed, ground_z), segment)
            needed -= jacobian.T @ (weight * force)
    return _told(state, needed, weights)


def _under(state: BodyState, side: str, pressed: np.ndarray, ground_z: float) -> np.ndarray:
    """The place (3,) of a foot's contact points' box that is nearest to where the ground presses (2,)."""
    rows = [i for i, point in enumerate(state.body.contact_points) if point.side == side]
    foot = state.frame(f"foot_{side}")
    local = (state.contact_point_m[rows] - foot.position) @ foot.matrix
    wanted = (np.append(pressed, ground_z) - foot.position) @ foot.matrix
    within = np.clip(wanted, local.min(axis=0), local.max(axis=0))
    return foot.position + foot.matrix @ within


def _told(state: BodyState, needed: np.ndarray, weights: dict[str, float]) -> np.ndarray:
    """Generalised forces (nv,) as moments of `ANGLES`."""
    found, model, root = np.zeros(len(ANGLES)), state.model, state.data.xmat[1].reshape(3, 3)
    both = np.zeros(3)
    for side in SIDES:
        thigh = int(model.joint(f"thigh_{side}").dofadr[0])
        hip = needed[thigh:thigh + 3]
        both += state.frame(f"thigh_{side}").matrix @ hip
        free = 1.0 - weights[side]
        found[ROW[f"hip_{side}"]], found[ROW[f"outward_{side}"]] = -free * hip[1], free * OUT[side] * hip[0]
        found[ROW[f"knee_{side}"]] = -needed[int(model.joint(f"shank_{side}").dofadr[0])]
        found[ROW[f"ankle_{side}"]] = -needed[int(model.joint(f"foot_{side}").dofadr[0]) + 1]
    found[ROW["torso"]] = (root.T @ both)[1]  # what holds the trunk is what both hips take, the other way round
    return found
