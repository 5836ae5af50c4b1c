# SPDX-License-Identifier: GPL-3.0-or-later
"""What a take would cost a person: a mix of resting rate, joint work and squared torques, gross energy a metre.

The mix is the one of 1080 that came nearest to people on Earth (3.3 J/kg/m at 1.3 m/s) and to their changes from walking to
running under three gravities. It ranks takes of one body under one gravity; it does not choose a gait's style, and its optimum of
speed is so flat that the second digit says nothing (docs/notes/people.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lope.addon.maths.quaternions import quat_conjugate, quat_multiply, rotvec_from_quat
from lope.addon.reports.flights import flights
from lope.addon.reports.strides import known_strides
from lope.addon.take import Take

RESTING_W_KG = 1.2
WORK_WEIGHT, TORQUE_WEIGHT = 0.3, 0.3
"""Weights of joint work and of squared torque [W/kg per (N m/kg)^2]; found with the resting rate and the share below."""
EFFICIENCY = (0.25, 1.20)
"""Of positive and of negative work of muscles (Margaria 1968)."""
RETURNED = 0.2
"""Share of a leg's work that tendons give back in gaits with flight."""


@dataclass(frozen=True)
class Effort:
    """Gross cost [J/kg/m] at the speed [m/s] that was reached, and its parts [W/kg]: work of muscles, squared torques, rest."""

    speed_m_s: float
    work_w_kg: float
    torque_w_kg: float

    @property
    def cost_j_kg_m(self) -> float:
        """Cost of a metre."""
        return (RESTING_W_KG + self.work_w_kg + self.torque_w_kg) / self.speed_m_s


def effort(take: Take) -> Effort:
    """The effort of a take's whole strides. Powers are summed over each leg, whose muscles pass work from joint to joint, and
    joint by joint elsewhere. Raises InputError for a take without a whole stride."""
    strides = known_strides(take)
    rows = strides.rows(take.time_s)
    power, names, square = joint_power_w(take)
    power, torque = power[rows] / take.body.mass_kg, float(square[rows].sum(axis=1).mean()) / take.body.mass_kg**2
    springs = RETURNED if flights(take) else 0.0
    work, rest = 0.0, set(names)
    for foot in take.body.feet:
        leg = {*foot.leg, foot.segment, *take.body.children(foot.segment)} & set(names)
        rest -= leg
        work += _work(power[:, [i for i, name in enumerate(names) if name in leg]].sum(axis=1), springs)
    work += sum(_work(power[:, i], 0.0) for i, name in enumerate(names) if name in rest)
    ends = strides.at_boundaries(take.time_s, take.com_m[:, :2])
    speed = float(np.linalg.norm(np.diff(ends, axis=0), axis=1).sum() / strides.duration_s)
    return Effort(speed, WORK_WEIGHT * work, TORQUE_WEIGHT * torque)


def joint_power_w(take: Take) -> tuple[np.ndarray, list[str], np.ndarray]:
    """Power (T, J) [W] of the joints named, and squared torques (T, D-R) [(N m)^2], of the interval that ends at each sample."""
    body, joints = take.body, take.joint_quaternions
    step = np.diff(take.time_s, prepend=2.0 * take.time_s[0] - take.time_s[1])
    turned = quat_multiply(quat_conjugate(joints[:-1]), joints[1:])
    rates = np.concatenate([np.zeros((1, *turned.shape[1:-1], 3)), rotvec_from_quat(turned)]) / step[:, None, None]
    columns, at = [], 0
    for i, name in enumerate(body.joint_segments):
        segment = body.segment(name)
        if segment.joint == "ball":
            columns.append((take.torque_nm[:, at:at + 3] * rates[:, i]).sum(axis=1))
            at += 3
        else:
            columns.append(take.torque_nm[:, at] * (rates[:, i] @ np.asarray(segment.axis, dtype=float)))
            at += 1
    return np.array(columns).T, list(body.joint_segments), take.torque_nm**2


def _work(power: np.ndarray, springs: float) -> float:
    """Mean metabolic power [W/kg] of a power over time (T,), less what springs give back."""
    positive, negative = float(np.maximum(power, 0.0).mean()), float(np.maximum(-power, 0.0).mean())
    returned = springs * min(positive, negative)
    return (positive - returned) / EFFICIENCY[0] + (negative - returned) / EFFICIENCY[1]
