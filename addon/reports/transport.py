# SPDX-License-Identifier: GPL-3.0-or-later
"""What a take's way costs, over mass and distance: the metabolic rate of muscles where there are some, else the joints' work.

Muscles turn 25 % of what they spend into positive work, and spend the 1.2th part of negative work (Margaria 1968, "Positive and
negative work performances and their efficiencies in human locomotion", Int. Z. angew. Physiol. 25:339-351). Powers are summed
over the joints of a leg first: muscles over two joints pass work from one to the other (van Ingen Schenau 1989, Hum. Mov. Sci.
8:301-337).
"""

from __future__ import annotations

import numpy as np

from ..maths.quaternions import quat_conjugate, quat_multiply, rotvec_from_quat
from ..take import Take
from .strides import sample_lengths_s

METABOLIC = "metabolic_rate"
"""The channel of a take by muscles: metabolic rate (T,) [W] of the whole body, its basal rate included."""
POSITIVE_EFFICIENCY, NEGATIVE_EFFICIENCY = 0.25, 1.2
LEAST_WAY = 0.05
"""Least way over the leg's length that a cost is given over."""


def cost_of_transport(take: Take, rows: np.ndarray) -> float | None:
    """What a kilogram costs to be moved by a metre [J/kg/m], over samples (T,) bool; None where they hardly move on.

    Takes by muscles tell their metabolic energy, resting included; others what the joints' work would cost, resting left out.
    """
    way = float(np.linalg.norm(np.diff(take.com_m[:, :2], axis=0, prepend=take.com_m[:1, :2]), axis=1)[rows].sum())
    if way < LEAST_WAY * take.body.leg_length_m:
        return None
    power = take.channels[METABOLIC].values if METABOLIC in take.channels else work_rate(take)
    return float((power * sample_lengths_s(take.time_s))[rows].sum()) / (take.body.mass_kg * way)


def work_rate(take: Take) -> np.ndarray:
    """What the joints' work costs (T,) [W]: powers of each leg's joints summed, of all others joint by joint, positive ones over
    their efficiency and negative ones over theirs."""
    powers, names = joint_powers(take), list(take.body.joint_segments)
    legs = [[names.index(name) for name in foot.leg if name in names] for foot in take.body.feet]
    others = [[i] for i in range(len(names)) if not any(i in leg for leg in legs)]
    sums = np.stack([powers[:, group].sum(axis=1) for group in (*legs, *others)])
    return (np.maximum(sums, 0.0) / POSITIVE_EFFICIENCY + np.maximum(-sums, 0.0) / NEGATIVE_EFFICIENCY).sum(axis=0)


def joint_powers(take: Take) -> np.ndarray:
    """Power (T, J) [W] of each joint's torque in the interval that ends at the sample, in the order of `Body.joint_segments`."""
    turns = take.joint_quaternions
    lengths = sample_lengths_s(take.time_s)[1:, None, None]
    rates = rotvec_from_quat(quat_multiply(quat_conjugate(turns[:-1]), turns[1:])) / lengths
    powers, at = np.zeros(turns.shape[:2]), 0
    for i, segment in enumerate(take.body.segments[1:]):
        if segment.joint == "ball":
            powers[1:, i] = (take.torque_nm[1:, at:at + 3] * rates[:, i]).sum(axis=1)
            at += 3
        else:
            powers[1:, i] = take.torque_nm[1:, at] * (rates[:, i] @ segment.axis)
            at += 1
    return powers
