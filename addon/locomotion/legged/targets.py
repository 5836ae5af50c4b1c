# SPDX-License-Identifier: GPL-3.0-or-later
"""What the planner asks of the tracker at one instant, and how it runs on until the next plan step.

From the planned poses of both feet at three moments to the motion that the tracker should give them.

Which feet carry weight, from what is measured.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ...bodies.body import Body
from ...bodies.state import BodyState
from ...maths.rotations import from_rotvec, inverse, product, to_rotvec, z_turn
from ..qp.constraints import Sliding
from .foot_geometry import FootPose


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


SIDES = ("L", "R")
FeetPose = dict[str, FootPose]


def foot_targets(
    heading: float, instants: Sequence[FeetPose], dt: float, stands: Mapping[str, bool], turn_limit: float = math.inf
) -> dict[str, FootTarget]:
    """Wanted motion of the feet from their poses `dt` [s] before, now and `dt` after, by central differences.

    `stands` tells which foot its contact points hold. No angular acceleration fed forward exceeds `turn_limit` [rad/s^2].
    """
    turn, found = z_turn(heading), {}
    for side in SIDES:
        poses = [feet[side] for feet in instants]
        (x0, y0, z0), (x, y, z), (x1, y1, z1) = (pose.ankle.tolist() for pose in poses)
        before, now, after = (product(turn, from_rotvec(pose.rotvec.tolist())) for pose in poses)
        first, second = to_rotvec(product(now, inverse(before))), to_rotvec(product(after, inverse(now)))
        half, square = 0.5 / dt, 1.0 / dt**2
        row = np.array([
            x, y, z, half * (x1 - x0), half * (y1 - y0), half * (z1 - z0),
            square * (x1 - 2.0 * x + x0), square * (y1 - 2.0 * y + y0), square * (z1 - 2.0 * z + z0), *now,
            *[half * (a + b) for a, b in zip(first, second, strict=True)],
            *[min(max(square * (b - a), -turn_limit), turn_limit) for a, b in zip(first, second, strict=True)]])
        found[side] = FootTarget(row[:3], row[3:6], row[6:9], row[9:13], row[13:16], stands[side], row[16:])
    return found


def turn_quat(heading: float) -> np.ndarray:
    """Quaternion (4,) of a turn about the vertical [rad]."""
    return np.array([math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading)])


LOADED_SHARE = 0.02
"""A foot is loaded when it carries more than this fraction of the body's weight (first guess)."""
IDEAL_CONTACT_M = 0.001
"""Height below which a contact point counts as touching where the engine knows no contact."""


class FootLoads:
    """Sums forces on contact points to forces on the feet."""

    def __init__(self, body: Body, gravity_m_s2: float) -> None:
        self._body, self._feet = body, {foot.name: list(foot.points) for foot in body.feet}
        self._of_foot = np.zeros((len(body.feet), len(body.contact_points)))
        for row, points in zip(self._of_foot, self._feet.values(), strict=True):
            row[points] = 1.0
        self.set_gravity(gravity_m_s2)

    def set_gravity(self, gravity_m_s2: float) -> None:
        """What counts as loaded under a gravity."""
        self.threshold_n = LOADED_SHARE * self._body.mass_kg * gravity_m_s2

    def forces(self, forces: np.ndarray) -> np.ndarray:
        """Ground force (F, 3) on each foot from the forces (P, 3) on the points."""
        return self._of_foot @ forces

    def loaded(self, forces: np.ndarray | None, state: BodyState) -> dict[str, bool]:
        """Which feet carry weight, by name; without forces, a foot on the ground counts as loaded."""
        if forces is None:
            low = state.contact_height_m < IDEAL_CONTACT_M
            return {name: bool(low[points].any()) for name, points in self._feet.items()}
        return dict(zip(self._feet, (self.forces(forces)[:, 2] > self.threshold_n).tolist(), strict=True))
