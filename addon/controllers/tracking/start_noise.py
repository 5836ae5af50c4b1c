# SPDX-License-Identifier: GPL-3.0-or-later
"""Small random changes of the velocities that a simulation starts with, drawn from the shot's seed."""

from __future__ import annotations

import math

import numpy as np

from ...bodies.body import Body
from ...gaits.froude import GaitVariables
from ...motions.channels import layout
from ...motions.cycle import Cycle

PHASES = 64


def natural_sizes(body: Body, cycle: Cycle, gait: GaitVariables) -> np.ndarray:
    """How large each generalised velocity (nv,) usually is in a gait: the pelvis' places the gait's speed [m/s], every angular
    velocity the root mean square of its joint's over the cycle [rad/s], the same for the three of a ball."""
    rates = gait.stride_frequency_hz * cycle.evaluate(np.arange(PHASES) / PHASES, derivative=1)
    squares, slices = np.mean(rates**2, axis=0), layout().slices
    sizes = [gait.speed_m_s] * 3 + [math.sqrt(squares[3:6].mean())] * 3
    for name in body.joint_segments:
        sizes += [math.sqrt(squares[slices[name]].mean())] * (3 if body.segment(name).joint == "ball" else 1)
    return np.array(sizes)


def start_noise(body: Body, cycle: Cycle, gait: GaitVariables, share: float, seed: int) -> np.ndarray:
    """Normal random velocities (nv,) whose standard deviation is `share` of each one's natural size."""
    sizes = natural_sizes(body, cycle, gait)
    return share * sizes * np.random.default_rng(seed).standard_normal(len(sizes))
