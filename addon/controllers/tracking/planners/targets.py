# SPDX-License-Identifier: GPL-3.0-or-later
"""What the planner asks of the tracker at one instant, and how it runs on until the next plan step."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...qp.cones import Sliding


@dataclass
class FootTarget:
    """Wanted motion of one foot segment's origin (the ankle), world axes."""

    position: np.ndarray = field(default_factory=lambda: np.zeros(3))
    velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    acceleration: np.ndarray = field(default_factory=lambda: np.zeros(3))
    quaternion: np.ndarray = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    angular_velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))
    stance: bool = True
    angular_acceleration: np.ndarray = field(default_factory=lambda: np.zeros(3))


@dataclass
class Targets:
    """Planned motion at `time_s`; between plan steps the tracker extrapolates with the rates.

    `cmp` (complex, world) is the centroidal moment pivot wanted, the centre of pressure but for the limbs' swing, and `omega`
    [1/s] the pendulum's rate: the horizontal COM acceleration is omega^2 (c - cmp); None stands for the rate that goes with the
    height, omega^2 = (g + z'') / z. `pose` (nq,), `pose_velocity` (nv,), `pose_acceleration` (nv,) is the whole reference pose.
    `height` holds COM height, its velocity and acceleration. `active` (P,) tells which contact points may push, `expected` (P,)
    which ones should be on the ground. `jerk` [m/s^3] is the rate of the height's acceleration; `angular_momentum` (3,), where
    given, that about the COM [kg m^2/s, world axes] that is sought at `angular_momentum_rate` [1/s]; `sliding` how contact points
    of feet that turn on the ground move there.
    """

    time_s: float
    cmp: complex
    omega: float | None
    height: tuple[float, float, float]
    pose: np.ndarray
    pose_velocity: np.ndarray
    pose_acceleration: np.ndarray
    feet: dict[str, FootTarget]
    active: np.ndarray
    expected: np.ndarray
    heading: float
    jerk: float = 0.0
    angular_momentum: np.ndarray | None = None
    angular_momentum_rate: float = 0.0
    sliding: Sliding | None = None
