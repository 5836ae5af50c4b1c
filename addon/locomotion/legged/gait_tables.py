# SPDX-License-Identifier: GPL-3.0-or-later
"""What the planner needs of a cycle, worked out once for one body: heights, foot pitch, swing progress, upper body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body
from ...bodies.kinematics import centre_of_mass, contact_point_positions, segment_poses, specific_angular_momentum
from ...gaits.tuned_maps import DisplacementMap
from ...maths.curves import PeriodicTable, periodic_derivative
from ...maths.rotations import matrix_from_quat, rotvec_from_quat
from ...motions.cycle import Cycle, pose

SAMPLES = 240
WIDE_HIP_LEGS, WIDE_HIP_SHARE = 0.25, 0.5
"""Hips further apart than this, over leg length (a human's: 0.20), set the feet wider by this share of the excess: between
feet as close as a human's, where short legs would lean inward, and feet under their hips, where the body would sway far."""


@dataclass(frozen=True)
class FootPhases:
    """Contact events of one foot as fractions of the cycle since its own strike (0 <= flat <= heel_off <= toe_off < 1)."""

    strike: float
    flat: float
    heel_off: float
    toe_off: float

    def since_strike(self, phase: float) -> float:
        """Phase of the cycle counted from this foot's strike, in [0, 1)."""
        return (phase - self.strike) % 1.0


class GaitTables:
    """A cycle brought to one body. Lengths in metres of that body; phase 0 is the left strike.

    `displacement` (6, 3) are the points of the gait's foot displacement map; None for none. It raises the centre of mass and
    sets the feet's width here; the feet's paths and their centre of pressure ask `displacement` for the rest.
    `angular_momentum_rate`
    (SAMPLES, 3) is the rate of the angular momentum about the COM over mass, at one stride a second [m^2/s^2].
    """

    BODY_CHANNELS = 7  # com height, pelvis minus com (3), pelvis rotation vector (3)
    FOOT_CHANNELS = 5  # ankle x in the travelling frame, ankle height, rotation vector (3)

    def __init__(self, cycle: Cycle, body: Body, displacement: np.ndarray | None = None) -> None:
        self.cycle, self.body = cycle, body
        self.displacement = DisplacementMap(displacement, cycle.duty_factor, body.leg_length_m)
        phases = np.arange(SAMPLES) / SAMPLES
        channels = cycle.evaluate(phases)
        root, root_quats, joints = pose(channels, body)
        positions, orientations = segment_poses(body, root, root_quats, joints)
        soles = contact_point_positions(body, positions, orientations)[..., 2]
        lift = -_stance_level(soles, _standing(cycle, phases))
        com = centre_of_mass(body, positions, orientations)
        self.stride_m = cycle.stride_length_m * body.leg_length_m / cycle.leg_length_m
        self.width_m = cycle.step_width_m * body.leg_length_m / cycle.leg_length_m + self.displacement.widening_m()
        self.hip_room_m = _hip_room(body)
        self.width_m += self.hip_room_m
        self.com_height_mean_m = float(com[:, 2].mean() + lift)
        strikes = [cycle.contact_phases[side].strike for side in ("L", "R")]
        rise = self.displacement.body_rise(phases[:, None] - strikes)
        rows = [com[:, 2:3] + (lift + rise[:, None]), root - com, channels[:, 3:6]]
        self.phases: dict[str, FootPhases] = {}
        self.foot_yaw: dict[str, float] = {}
        for side in ("L", "R"):
            i = body.index[f"foot_{side}"]
            rotvec = rotvec_from_quat(orientations[:, i])
            rows.append(np.column_stack([positions[:, i, 0], positions[:, i, 2] + lift, rotvec]))
            self.phases[side] = _foot_phases(cycle, side)
            mid = self.phases[side].strike + 0.5 * (self.phases[side].flat + self.phases[side].heel_off)
            forward = matrix_from_quat(orientations[int(mid * SAMPLES) % SAMPLES, i])[:, 0]
            self.foot_yaw[side] = float(np.arctan2(forward[1], forward[0]))
        self.angular_momentum_rate = periodic_derivative(specific_angular_momentum(body, positions, orientations))
        self.table = PeriodicTable(np.concatenate(rows, axis=1))
        self.duty_factor = 0.5 * sum(p.toe_off for p in self.phases.values())
        self._swing_ends = {side: self._swing_x(side) for side in ("L", "R")}

    def foot_slice(self, side: str) -> slice:
        """Channels of a foot in `table`."""
        start = self.BODY_CHANNELS + (0 if side == "L" else self.FOOT_CHANNELS)
        return slice(start, start + self.FOOT_CHANNELS)

    def _swing_x(self, side: str) -> tuple[float, float]:
        """Ankle x at toe-off and at the next strike, in the ground's frame, of the cycle's own stride."""
        phases, x = self.phases[side], self.foot_slice(side).start
        off = float(self.table.value(phases.strike + phases.toe_off)[x]) + phases.toe_off * self.stride_m
        return off, float(self.table.value(phases.strike)[x]) + self.stride_m

    def swing_progress(self, side: str, x: float, since_strike: float) -> float:
        """How far the foot has come from toe-off (0) to strike (1), from its table channel x at a phase."""
        start, end = self._swing_ends[side]
        return (x + since_strike * self.stride_m - start) / (end - start)


def _hip_room(body: Body) -> float:
    """How much wider [m] than the cycle's the feet of a body with wide hips stand; 0 for a human's."""
    apart = 2.0 * abs(float(body.segment("thigh_L").offset[1]))
    return WIDE_HIP_SHARE * max(apart - WIDE_HIP_LEGS * body.leg_length_m, 0.0)


def _stance_level(soles: np.ndarray, standing: np.ndarray) -> float:
    """Height of the ground under a cycle: the median, over the time that a foot stands, of the lowest contact point."""
    return float(np.median(soles[standing].min(axis=1)))


def _standing(cycle: Cycle, phases: np.ndarray) -> np.ndarray:
    """Phases (n,) bool at which a foot stands."""
    return np.any([(phases - p.strike) % 1.0 <= p.stance for p in cycle.contact_phases.values()], axis=0)


def _foot_phases(cycle: Cycle, side: str) -> FootPhases:
    p = cycle.contact_phases[side]
    flat, heel_off, toe_off = ((e - p.strike) % 1.0 for e in (p.flat, p.heel_off, p.toe_off))
    return FootPhases(p.strike % 1.0, flat, heel_off, toe_off)
