# SPDX-License-Identifier: GPL-3.0-or-later
"""How hard the joints are jerked when a foot lands, beside the reference motion's own landing."""

from __future__ import annotations

import numpy as np

from ..bodies.body import Body
from ..maths.quaternions import quat_conjugate, quat_multiply, rotvec_from_quat
from ..motions.channels import pose
from ..motions.cycle import Cycle
from ..motions.library import cycle_from_file, load_gait
from ..take import Take
from .strides import WholeStrides, strikes_s

FRAME_S = 1.0 / 24.0
"""A picture of a film: what is over within one is not seen."""
AROUND = (-0.02, 0.10)
"""Share of the stride before and after a strike in which the landing is felt; a walker's foot is flat 0.07 after it."""


def foot_segments(body: Body) -> set[str]:
    """The segments that meet the ground first, feet and what hangs on them: light, stopped within a few hundredths of a second,
    and hardly seen. The others carry what is seen as a jerk of the body."""
    return {name for foot in body.feet for name in (foot.segment, *body.children(foot.segment))}


def reference_cycle(take: Take) -> Cycle:
    """The cycle that a take was made from. Raises LopeError where its clip is gone."""
    shot = take.shot
    return (cycle_from_file(shot.motion) if shot.motion else load_gait(shot.gait)).symmetrised()


def joint_acceleration(joint_quaternions: np.ndarray, step_s: float, span_s: float = 0.0) -> np.ndarray:
    """Size (T,) [rad/s^2] of the angular accelerations of all joints together, the root of their squares' sum, of joint
    quaternions (T, J, 4), `step_s` apart; zero at both ends. Velocities are means over `span_s`, at least a step."""
    count = max(1, round(span_s / step_s))
    before, after = joint_quaternions[:-count], joint_quaternions[count:]
    turned = quat_multiply(quat_conjugate(before), after)
    velocity = rotvec_from_quat(turned) / (count * step_s)
    change = (velocity[count:] - velocity[:-count]) / (count * step_s)
    return np.pad(np.sqrt((change**2).sum(axis=(1, 2))), count)


def contact_peak(acceleration: np.ndarray, time_s: np.ndarray, strikes: np.ndarray, stride_s: float) -> float:
    """Mean over strikes of the largest acceleration [rad/s^2] around each."""
    low, high = (np.searchsorted(time_s, strikes + share * stride_s) for share in AROUND)
    windows = [(a, max(b, a + 1)) for a, b in zip(low.tolist(), high.tolist(), strict=True) if a < len(acceleration)]
    return float(np.mean([acceleration[a:b].max() for a, b in windows]))


def peaks_of_take(take: Take, strides: WholeStrides, span_s: float = 0.0) -> tuple[float, float]:
    """Mean landing peaks [rad/s^2] over the strikes of all feet in the whole strides: of all joints, of all but the feet's; see
    `joint_acceleration` for `span_s`."""
    strikes = np.concatenate([strikes_s(take, foot) for foot in range(len(take.body.feet))])
    strikes = strikes[(strikes >= strides.time_s[0]) & (strikes < strides.time_s[-1])]
    return _peaks(take, take.joint_quaternions, take.time_s, strikes, strides.duration_s / strides.count, span_s)


def peaks_of_cycle(cycle: Cycle, take: Take, strides: WholeStrides, span_s: float = 0.0) -> tuple[float, float]:
    """The same of a human's reference motion, played at the take's stride frequency and sampled as finely."""
    stride_s = strides.duration_s / strides.count
    time = np.arange(-0.5 * stride_s, 2.5 * stride_s, _step_s(take))
    _, _, joints = pose(cycle.evaluate(time / stride_s), take.body)
    strikes = np.array([(cycle.contact_phases[side].strike % 1.0 + lap) * stride_s for side in "LR" for lap in (0, 1)])
    return _peaks(take, joints, time, strikes, stride_s, span_s)


def hardest_landing_s(take: Take, strides: WholeStrides) -> float:
    """When [s] all joints but the feet's are jerked most around a landing in the whole strides."""
    feet = foot_segments(take.body)
    body = [i for i, name in enumerate(take.body.joint_segments) if name not in feet]
    jerk = joint_acceleration(take.joint_quaternions[:, body], _step_s(take), FRAME_S)
    strikes = np.concatenate([strikes_s(take, foot) for foot in range(len(take.body.feet))])
    strikes = strikes[(strikes >= strides.time_s[0]) & (strikes < strides.time_s[-1])]
    stride_s = strides.duration_s / strides.count
    near = np.zeros(len(take.time_s), bool)
    for strike in strikes.tolist():
        near |= (take.time_s >= strike + AROUND[0] * stride_s) & (take.time_s <= strike + AROUND[1] * stride_s)
    return float(take.time_s[np.where(near, jerk, -1.0).argmax()])


def _peaks(take: Take, joints: np.ndarray, time: np.ndarray, strikes: np.ndarray, stride_s: float,
           span_s: float) -> tuple[float, float]:
    feet = foot_segments(take.body)
    body = [i for i, name in enumerate(take.body.joint_segments) if name not in feet]
    whole, above = (contact_peak(joint_acceleration(some, _step_s(take), span_s), time, strikes, stride_s)
                    for some in (joints, joints[:, body]))
    return whole, above


def _step_s(take: Take) -> float:
    """Time between samples."""
    return float(np.median(np.diff(take.time_s)))
