# SPDX-License-Identifier: GPL-3.0-or-later
"""A style's changes of a gait's pose: arms, trunk, hips, head, and the feet's distance."""

from __future__ import annotations

import dataclasses
import math

import numpy as np

from ..bodies.body import Body
from ..bodies.human.tree import ARM_CHAIN
from ..bodies.kinematics import segment_poses
from ..bodies.segments import kind_of
from ..maths.periodic import coefficients_of
from ..maths.quaternions import quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..specs.style import Style
from .channels import continuous_rotvec, layout, pose
from .cycle import Cycle
from .lean import bent

SAMPLES = 64
"""Samples of a cycle where rotations are composed: eight to the highest harmonic that gaits have."""
ROOT_LIST, ROOT_TURN = 3, 5
"""Channels of the pelvis' rotation about the forward and the upward axis."""


def styled(cycle: Cycle, body: Body, style: Style) -> Cycle:
    """The cycle as a style bends it, for one body; the cycle itself where the style changes none of it."""
    if style.arm_swing != 1.0:
        cycle = _with_arms(cycle, style.arm_swing)
    if style.arm_spread_deg != 0.0:
        cycle = _with_arms_out(cycle, math.radians(style.arm_spread_deg))
    if style.hip_sway != 1.0:
        cycle = _with_hips(cycle, body, style.hip_sway)
    if style.trunk_lean_deg != 0.0:
        cycle = bent(cycle, body, math.radians(style.trunk_lean_deg))
    if style.head_steadiness != 0.0:
        cycle = _with_steady_head(cycle, body, style.head_steadiness)
    if style.step_width_m != 0.0:
        wider = style.step_width_m * cycle.leg_length_m / body.leg_length_m
        cycle = dataclasses.replace(cycle, step_width_m=cycle.step_width_m + wider)
    return cycle


def _with_arms(cycle: Cycle, scale: float) -> Cycle:
    """The swing of the arms' joints about their means, scaled."""
    coefficients = cycle.coefficients.copy()
    for name, rows in layout().slices.items():
        if kind_of(name) in ARM_CHAIN:
            coefficients[rows, 1:] *= scale
    return dataclasses.replace(cycle, coefficients=coefficients)


def _with_arms_out(cycle: Cycle, angle_rad: float) -> Cycle:
    """The upper arms turned out to the sides about the trunk's forward axis."""
    coefficients = cycle.coefficients.copy()
    for side, sign in (("L", 1.0), ("R", -1.0)):
        rows = layout().slices[f"upper_arm_{side}"]
        out = quat_from_rotvec(np.array([sign * angle_rad, 0.0, 0.0]))
        coefficients[rows] = fitted(quat_multiply(out, quat_from_rotvec(cycle.evaluate(sample_phases())[:, rows])),
                                    cycle.harmonics)
    return dataclasses.replace(cycle, coefficients=coefficients)


def _with_hips(cycle: Cycle, body: Body, scale: float) -> Cycle:
    """Drop and turn of the pelvis about their means, scaled; the thighs and the trunk go on facing where they did."""
    coefficients = cycle.coefficients.copy()
    coefficients[[ROOT_LIST, ROOT_TURN], 1:] *= scale
    swayed = dataclasses.replace(cycle, coefficients=coefficients)
    before, after = (quat_from_rotvec(c.evaluate(sample_phases())[:, 3:6]) for c in (cycle, swayed))
    back, own = quat_multiply(quat_conjugate(after), before), cycle.evaluate(sample_phases())
    for name in ("thigh_L", "thigh_R", *[s.name for s in body.segments if s.parent == "pelvis" and "thigh" not in s.name]):
        rows = layout().slices[name]
        coefficients[rows] = fitted(quat_multiply(back, quat_from_rotvec(own[:, rows])), cycle.harmonics)
    return dataclasses.replace(cycle, coefficients=coefficients)


def _with_steady_head(cycle: Cycle, body: Body, share: float) -> Cycle:
    """The head's turning about its mean direction taken out by a share; the joints below the head give way alike."""
    joints = [name for name in ("neck", "head") if name in body.index]
    if not joints:
        return cycle
    values = cycle.evaluate(sample_phases())
    _, orientations = segment_poses(body, *pose(values, body))
    head = orientations[:, body.index[joints[-1]]]
    mean = _mean_rotation(head)
    away = rotvec_from_quat(quat_multiply(quat_conjugate(mean), head))
    wanted = quat_multiply(mean, quat_from_rotvec((1.0 - share) * away))
    missing = rotvec_from_quat(quat_multiply(wanted, quat_conjugate(head)))
    below = orientations[:, body.index[body.segment(joints[0]).hangs_on]]
    coefficients = cycle.coefficients.copy()
    for i, name in enumerate(joints, start=1):
        turned = quat_multiply(quat_from_rotvec(i / len(joints) * missing), orientations[:, body.index[name]])
        coefficients[layout().slices[name]] = fitted(quat_multiply(quat_conjugate(below), turned), cycle.harmonics)
        below = turned
    return dataclasses.replace(cycle, coefficients=coefficients)


def sample_phases() -> np.ndarray:
    """Phases (SAMPLES,) of a cycle where rotations are composed."""
    return np.arange(SAMPLES) / SAMPLES


def _mean_rotation(quaternions: np.ndarray) -> np.ndarray:
    """Mean (4,) of rotations (T, 4) that lie within half a turn of the first: their normalised sum."""
    nearest = quaternions * np.sign(quaternions @ quaternions[0])[:, None]
    total = nearest.sum(axis=0)
    return total / np.linalg.norm(total)


def fitted(quaternions: np.ndarray, harmonics: int) -> np.ndarray:
    """Coefficients (3, 2 H + 1) of the rotation vectors of a cycle's samples (SAMPLES, 4)."""
    spectrum = np.fft.rfft(continuous_rotvec(quaternions), axis=0) / SAMPLES
    return coefficients_of(spectrum, harmonics)
