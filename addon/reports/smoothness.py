# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard the joints are jerked when a foot lands, beside the reference motion's own landing."""

from __future__ import annotations

import numpy as np

from ..bodies.kinematics import quat_conjugate, quat_multiply, rotvec_from_quat
from ..motions.channels import pose
from ..motions.cycle import Cycle
from ..motions.library import cycle_from_file, load_gait
from ..take import Take
from .strides import WholeStrides, strikes_s

AROUND = (-0.02, 0.10)
"""Share of the stride before and after a strike in which the landing is felt; a walker's foot is flat 0.07 after its strike."""


def reference_cycle(take: Take) -> Cycle:
    """The cycle that a take was made from. Raises LopeError where its clip is gone."""
    shot = take.shot
    return (cycle_from_file(shot.motion) if shot.motion else load_gait(shot.gait)).symmetrised()


def joint_acceleration(joint_quaternions: np.ndarray, step_s: float) -> np.ndarray:
    """Size (T,) [rad/s^2] of the angular accelerations of all joints together (root of the sum of squares over joints) of joint
    quaternions (T, J, 4), `step_s` apart; zero at both ends."""
    before, after = joint_quaternions[:-1], joint_quaternions[1:]
    turned = quat_multiply(quat_conjugate(before), after)
    velocity = rotvec_from_quat(turned) / step_s
    change = np.diff(velocity, axis=0) / step_s
    return np.pad(np.sqrt((change**2).sum(axis=(1, 2))), 1)


def contact_peak(acceleration: np.ndarray, time_s: np.ndarray, strikes: np.ndarray, stride_s: float) -> float:
    """Mean over strikes of the largest acceleration [rad/s^2] around each."""
    low, high = (np.searchsorted(time_s, strikes + share * stride_s) for share in AROUND)
    return float(np.mean([acceleration[a:max(b, a + 1)].max() for a, b in zip(low, high, strict=True) if a < len(acceleration)]))


def contact_peak_of_take(take: Take, strides: WholeStrides) -> float:
    """Mean landing peak [rad/s^2] of the strikes of both feet in the whole strides."""
    strikes = np.concatenate([strikes_s(take, 0), strikes_s(take, 1)])
    strikes = strikes[(strikes >= strides.time_s[0]) & (strikes < strides.time_s[-1])]
    step_s = float(np.median(np.diff(take.time_s)))
    return contact_peak(joint_acceleration(take.joint_quaternions, step_s), take.time_s, strikes, strides.duration_s / strides.count)


def contact_peak_of_cycle(cycle: Cycle, take: Take, strides: WholeStrides) -> float:
    """The same of the reference motion, played at the take's stride frequency and sampled as finely."""
    stride_s = strides.duration_s / strides.count
    step_s = float(np.median(np.diff(take.time_s)))
    time = np.arange(-0.5 * stride_s, 2.5 * stride_s, step_s)
    _, _, joints = pose(cycle.evaluate(time / stride_s), take.body)
    strikes = np.array([(cycle.contact_phases[side].strike % 1.0 + lap) * stride_s for side in "LR" for lap in (0, 1)])
    return contact_peak(joint_acceleration(joints, step_s), time, strikes, stride_s)
