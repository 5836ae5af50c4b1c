# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole reference pose: pelvis from the planned COM, legs by inverse kinematics, the rest from the cycle. What the planner
needs of a cycle is worked out once for one body: heights, foot pitch, swing progress, upper body. The chest of a body that stands
breathes a little, while nothing else moves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...bodies.body import Body
from ...bodies.kinematics import centre_of_mass, contact_point_positions, segment_poses, solve_leg, specific_angular_momentum
from ...bodies.state import BodyState
from ...gaits.tuned_maps import DisplacementMap
from ...maths.curves import PeriodicTable, periodic_derivative
from ...maths.rotations import (
    Quaternion,
    Vector,
    from_rotvec,
    inverse,
    matrix_from_quat,
    product,
    quat_from_rotvec,
    quat_multiply,
    rotated,
    rotvec_from_quat,
    z_turn,
)
from ...motions.cycle import Cycle, layout, pose
from .foot_geometry import FootPose
from .targets import Targets
from .variation import CarriageVariation, Variation

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

    `displacement` (6, 3) are the points of the gait's foot displacement map; None for none. It raises the centre of mass and sets
    the feet's width here; the feet's paths and their centre of pressure ask `displacement` for the rest. `angular_momentum_rate`
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


SIDES = ("L", "R")


class PosePlanner:
    """Builds generalised coordinates of the reference pose of one body in one gait, for several moments at once."""

    def __init__(self, tables: GaitTables, body: Body) -> None:
        self.tables, self.body = tables, body
        slots = body.coordinate_slots
        self.nq = 7 + sum(stop - start for start, stop in slots.values())
        self._hip = [tuple(float(x) for x in body.segment(f"thigh_{s}").offset) for s in SIDES]
        self._thigh = float(np.linalg.norm(body.segment("shank_L").offset))
        self._shank = float(np.linalg.norm(body.segment("foot_L").offset))
        legs = {f"{n}_{s}" for n in ("thigh", "shank", "foot", "toes") for s in SIDES}
        upper = [n for n in body.joint_segments if n not in legs]
        balls = [n for n in upper if body.segment(n).joint == "ball"]
        hinges = [n for n in upper if body.segment(n).joint == "hinge"]
        columns = layout().slices
        self._balls = len(balls)
        self._cycle = tables.cycle.part([*(columns[n] for n in balls + hinges), *(columns[f"thigh_{s}"] for s in SIDES)])
        toes = [s for s in SIDES if f"toes_{s}" in slots]
        self._toe_most = {s: body.segment(f"toes_{s}").range_rad[1] for s in toes}
        lower = [f"{n}_{s}" for n in ("thigh", "foot", "shank") for s in SIDES] + [f"toes_{s}" for s in toes]
        parts = [slots[name] for name in balls + hinges] + [(0, 7)] + [slots[name] for name in lower]
        self._order = np.argsort(np.concatenate([np.arange(*part) for part in parts]))
        self.swing_scale = self.amplitude = 1.0
        self._joints = [*balls, *hinges]
        self._turning = [3 * balls.index(name) + 2 for name in ("neck", "head") if name in balls]
        self.look_rad = 0.0
        """How far to the left of where the body faces the head is turned."""
        self.carriage: CarriageVariation | None = None

    def vary(self, variation: Variation, nods: float = 1.0) -> None:
        """Let trunk, head and arms differ from the cycle's from now on; `nods` scales the head's nodding."""
        if variation.size:
            self.carriage = CarriageVariation(variation, self.body, self._joints, nods)

    def poses(
        self, phase: np.ndarray, heading: Sequence[float], com: Sequence[Sequence[float]], feet: Sequence[dict[str, FootPose]],
        rows: np.ndarray,
        feet_heading: float | None = None, lean: float = 0.0,
    ) -> np.ndarray:
        """Coordinates (k, nq) of k moments: the COM at its places (k, 3) [m], ankles on the feet, the upper body of the
        cycle at its phases (k,), all turned by headings (k,) [rad] and leaning to the left by `lean` [rad]; the feet's rotations
        are relative to `feet_heading`, else to each moment's own.

        `rows` (k, C) are the tables' rows at the phases. The swing of arms and trunk is scaled by `swing_scale`;
        `amplitude` is how much of any joint's motion about its mean is shown.
        """
        channels, mean = self._cycle.evaluate(phase), self._cycle.mean
        if self.amplitude != 1.0:
            channels = (1.0 - self.amplitude) * mean + self.amplitude * channels
        if self.carriage is not None:
            rise = self.amplitude * (rows[:, 0] - self.tables.com_height_mean_m)
            channels[:, :-6] = self.carriage.moved(channels[:, :-6], mean[:-6], rise)
        if self.look_rad:
            channels[:, self._turning] += self.look_rad / len(self._turning)
        n, moments = 3 * self._balls, len(rows)
        balls = mean[:n] + self.swing_scale * (channels[:, :n] - mean[:n])
        q, upper = np.empty((moments, self.nq)), self._balls + channels.shape[1] - 6
        q[:, :4 * self._balls] = quat_from_rotvec(balls.reshape(moments, -1, 3)).reshape(moments, -1)
        q[:, 4 * self._balls:upper] = channels[:, n:-6]
        q[:, upper:] = [
            self._lower_body(turn_about(h, lean), place, row, hips, pair, z_turn(h if feet_heading is None else feet_heading))
            for h, place, row, hips, pair in
            zip(heading, com, rows[:, 1:7].tolist(), channels[:, -6:].tolist(), feet, strict=True)]
        return q.take(self._order, axis=1)

    def shortfall(
        self, com_xy: complex, com_height: float, heading: float, row: np.ndarray, feet: dict[str, FootPose], reach: float,
        lean: float = 0.0,
    ) -> float:
        """How much lower [m] the COM must be for both ankles to be within `reach` of their hips, over the legs' length."""
        turn, short = turn_about(heading, lean), 0.0
        x, y, z, *rotvec = row[1:7].tolist()
        pelvis, longest = from_rotvec(rotvec), reach * (self._thigh + self._shank)
        for side, offset in zip(SIDES, self._hip, strict=True):
            hip, ankle = rotated(pelvis, offset), feet[side].ankle.tolist()
            hip = rotated(turn, (x + hip[0], y + hip[1], z + hip[2]))
            away_x, away_y = hip[0] + com_xy.real - ankle[0], hip[1] + com_xy.imag - ankle[1]
            level = min(away_x * away_x + away_y * away_y, (0.95 * longest) ** 2)
            short = max(short, hip[2] + com_height - ankle[2] - math.sqrt(longest * longest - level))
        return short

    def _lower_body(
        self, turn: Quaternion, com: Sequence[float], row: Sequence[float], hips: Sequence[float],
        feet: dict[str, FootPose], feet_turn: Quaternion,
    ) -> list[float]:
        """Coordinates of pelvis and legs (thighs, feet, shanks, toes) with the ankles on `feet`, whose rotations are
        relative to `feet_turn`. `row` holds the pelvis' place from the COM and its rotation vector, `hips` (6,) the rotation
        vectors of the cycle's hips, from which the knees' axes come."""
        pelvis = product(turn, from_rotvec(row[3:]))
        away = rotated(turn, row[:3])
        root = com[0] + away[0], com[1] + away[1], com[2] + away[2]
        back = inverse(pelvis)
        thighs: list[float] = []
        ankles: list[float] = []
        knees, toes = [], []
        for side, offset, hip in zip(SIDES, self._hip, (hips[:3], hips[3:]), strict=True):
            foot = feet[side]
            x, y, z = foot.ankle.tolist()
            x, y, z = rotated(back, (x - root[0], y - root[1], z - root[2]))
            sole = product(back, product(feet_turn, from_rotvec(foot.rotvec.tolist())))
            side_axis = _left_of(from_rotvec(hip))
            way = x - offset[0], y - offset[1], z - offset[2]
            thigh, knee, ankle = solve_leg(way, sole, side_axis, self._thigh, self._shank)
            thighs += thigh
            ankles += ankle
            knees.append(knee)
            if side in self._toe_most:
                toes.append(min(foot.toe, self._toe_most[side]))
        return [*root, *pelvis, *thighs, *ankles, *knees, *toes]


def _left_of(q: Quaternion) -> Vector:
    """`rotated` of the axis to the left."""
    w, x, y, z = q
    return 2.0 * (y * x - z * w), 1.0 + 2.0 * (-z * z - x * x), 2.0 * (x * w + y * z)


def turn_about(heading: float, lean: float = 0.0) -> Quaternion:
    """Rotation of a heading [rad], a turn about z, after a lean to the left [rad]."""
    cosine, sine, upright, tilted = math.cos(0.5 * heading), math.sin(0.5 * heading), math.cos(0.5 * lean), -math.sin(0.5 * lean)
    return cosine * upright, cosine * tilted, sine * tilted, sine * upright


PERIOD_S = 4.0
"""Of a breath: people at rest take 12 to 20 a minute."""
TURN_DEG = {"chest": (0.0, -0.8, 0.0), "neck": (0.0, 0.8, 0.0), "clavicle_L": (1.8, 0.0, 0.0), "clavicle_R": (-1.8, 0.0, 0.0)}
"""Rotation vectors at the end of a quiet breath in: some 5 mm at the shoulders. Taste: of chests that are one piece
nothing is measured."""
STILL_LEGS = 0.05
"""Speed of the centre of mass over sqrt(g l) at which the breath is seen no more: the steps take its place."""


class Breath:
    """Adds breath to reference poses: `size` over a quiet one."""

    def __init__(self, state: BodyState, size: float) -> None:
        self._state, still = state, {} if state.body.carries is None else state.body.carries.held
        slots = state.body.coordinate_slots
        self._turns = [(slice(*slots[name]), size * np.radians(turn)) for name, turn in TURN_DEG.items()
                       if size > 0.0 and name in slots and name not in still and slots[name][1] - slots[name][0] == 4]

    def breathed(self, targets: Targets) -> Targets:
        """The targets, with breath as far as the body stands; themselves where it moves."""
        share = self._depth(targets.time_s)
        if not self._turns or share <= 0.0:
            return targets
        pose = targets.pose.copy()
        for rows, turn in self._turns:
            pose[rows] = quat_multiply(pose[rows], quat_from_rotvec(share * turn))
        return replace(targets, pose=pose)

    def _depth(self, time_s: float) -> float:
        """How far in a breath is, from 0 to 1, less the more the body moves."""
        state = self._state
        speed = math.hypot(*state.com_velocity[:2].tolist())
        fast = STILL_LEGS * math.sqrt(-float(state.gravity[2]) * state.body.leg_length_m)
        still = max(1.0 - speed / fast, 0.0)
        return 0.5 * (1.0 - math.cos(2.0 * math.pi * time_s / PERIOD_S)) * still * still * (3.0 - 2.0 * still)
