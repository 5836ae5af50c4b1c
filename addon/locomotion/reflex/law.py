# SPDX-License-Identifier: GPL-3.0-or-later
"""The reflex walker: from a body's state and what its feet carry, through nerves, reflexes and muscles, to joint torques.

The state in which the reflex walker begins: in a step, the left foot just down in front, the right one about to leave.

Soft ends of the legs' joints (Geyer and Herr 2010): a spring that damps what goes on into it, and never pulls back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...maths.rotations import quat_from_rotvec, quat_multiply, quat_rotate
from ...specs.shot import EARTH_GRAVITY_M_S2
from .excitation import LegStates, Nerves, Reflexes
from .muscles import BASAL_W_KG, Delays, Muscles
from .parameters import ORDER, vector_of
from .posture import Felt, Places, Posture
from .units import DELAY_S, GAS, GLU, HAM, HFL, NAMES, SOL, TA, VAS
from .upper import Upper

STANDARD_PACE_M_S = math.sqrt(9.81 * 0.8838)
ALWAYS = 0.02
"""Activation of units of which the parameters do not say one."""


def begin(body: Body, places: Places, gains: dict[str, np.ndarray], n: int,
          pace_m_s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coordinates (n, nq), velocities (n, nv), activations (n, 2, 8). The lowest contact point touches level ground at z = 0."""
    qpos, qvel = np.zeros((n, body.coordinates)), np.zeros((n, body.degrees_of_freedom))
    for name in places.balls:
        qpos[:, places.coordinate[name]] = 1.0
    lean = gains["begin_lean"][:, 0]
    qpos[:, 3:7] = _about_y(lean)
    for side, leg in (("L", "front"), ("R", "back")):
        hip, knee, ankle = (gains[f"begin_{joint}_{leg}"][:, 0] for joint in ("hip", "knee", "ankle"))
        at = places.coordinate[f"thigh_{side}"]
        qpos[:, at:at + 4] = _about_y(-hip)
        qpos[:, places.coordinate[f"shank_{side}"]] = knee
        at = places.coordinate[f"foot_{side}"]
        qpos[:, at:at + 4] = _about_y(-ankle)
    qpos[:, 2] = [-lowest(body, one) for one in qpos]
    scale = pace_m_s / STANDARD_PACE_M_S
    for column, name in enumerate(("begin_speed", "begin_left", "begin_up")):
        qvel[:, column] = scale * gains[name][:, 0]
    _planted(body, places, qpos, qvel)
    qvel[:, places.column["thigh_R"] + 1] += -gains["begin_hip_rate"][:, 0]
    qvel[:, places.column["shank_R"]] += gains["begin_knee_rate"][:, 0]
    activation = np.full((n, 2, len(NAMES)), ALWAYS)
    for row, leg, units in ((0, "front", (VAS, GLU, HAM, TA)), (1, "back", (SOL, GAS, HFL))):
        for unit in units:
            activation[:, row, unit] = gains[f"begin_{NAMES[unit]}_{leg}"][:, 0]
    return qpos, qvel, activation


def _planted(body: Body, places: Places, qpos: np.ndarray, qvel: np.ndarray) -> None:
    """The front leg turns about its ankle as the pelvis goes ahead."""
    thigh = -(np.arctan2(qpos[:, places.coordinate["thigh_L"] + 2], qpos[:, places.coordinate["thigh_L"]]) * 2.0)
    rate = qvel[:, 0] / (body.leg_length_m * np.maximum(np.cos(thigh), 0.5))
    qvel[:, places.column["thigh_L"] + 1] = rate
    qvel[:, places.column["foot_L"] + 1] = -rate


def lowest(body: Body, qpos: np.ndarray) -> float:
    """Height of the lowest contact point of one pose (nq,) whose root is at the height qpos[2]."""
    place, turn, at = {}, {}, body.root_coordinates
    for segment in body.segments:
        if segment.parent is None:
            place[segment.name], turn[segment.name] = qpos[:3], qpos[3:7]
            continue
        own = qpos[at:at + 4] if segment.joint == "ball" else quat_from_rotvec(qpos[at] * segment.axis)
        at += 4 if segment.joint == "ball" else 1
        parent = turn[segment.parent]
        place[segment.name] = place[segment.parent] + quat_rotate(parent, segment.offset)
        turn[segment.name] = quat_multiply(parent, own)
    return min(float((place[p.segment] + quat_rotate(turn[p.segment], p.position))[2] - p.radius_m) for p in body.contact_points)


def _about_y(angle: np.ndarray) -> np.ndarray:
    out = np.zeros((len(angle), 4))
    out[:, 0], out[:, 2] = np.cos(0.5 * angle), np.sin(0.5 * angle)
    return out


LOW, HIGH = np.radians([-360.0, -360.0, 70.0]), np.radians([230.0, 175.0, 130.0])
"""Of Geyer's angles of hip, knee and ankle."""
SPRING_NM = 0.3 * 180.0 / np.pi
REST_RATE = np.radians(1.0)
"""At this rate into the end the torque doubles; at this rate out of it, it is gone."""
MOST = np.array([60.0, 60.0, 10.0])
"""A hundred times the rest's torque is no damper any more but a wall: bounded, so that 1 ms resolves a foot about its ankle."""


def limit_torque(angle: np.ndarray, rate: np.ndarray, size: float) -> np.ndarray:
    """Torques (..., 3) that raise Geyer's angles (..., 3) [rad], [rad/s], of a body of that `size` (mass times leg length)."""
    above, below = np.maximum(angle - HIGH, 0.0), np.maximum(LOW - angle, 0.0)
    up = below * np.minimum(np.maximum(1.0 - rate / REST_RATE, 0.0), MOST)
    down = above * np.minimum(np.maximum(1.0 + rate / REST_RATE, 0.0), MOST)
    return size * SPRING_NM * (up - down)


STANDARD_MASS_KG, STANDARD_LEG_M = 75.0, 0.8838
RESTING = 0.05
"""Activation of all units where a state is taken over as it is (first guess)."""
STEP_S = 0.001
"""Time from step to step: delays are whole numbers of it, and the muscles' forces want it."""
HIP_S, KNEE_S, GROUND_S = 0.005, 0.010, 0.010
"""Delays of what is felt of hips and trunk, of knees, of the ground (Wang 2012, section 4.1)."""


class ReflexLaw:
    """N walkers of one body, each with parameters of its own; the left leg comes first in all arrays.

    `parameters` are named values, or (n, K) in `parameters.ORDER`. `damping` (nv - 6,) [N m s/rad] is implicit and goes with the
    torques. Readings after a step: `muscles` (activation, force_n, fibre, fibre_velocity: (N, 2, 8)), `metabolic_w` (N,) with the
    basal rate, `states` (`LegStates`), `felt` (`Felt`), `torque_held` (N, nv - 6) without the muscles, `limit_nm` (N, 2, 3).
    `heading` [rad] is the way it goes.
    """

    def __init__(self, body: Body, parameters: Mapping[str, float] | np.ndarray, n: int = 1,
                 gravity_m_s2: float = EARTH_GRAVITY_M_S2) -> None:
        vector = parameters if isinstance(parameters, np.ndarray) else vector_of(parameters)
        values = np.broadcast_to(vector, (n, len(ORDER)))
        self.gains = {name: values[:, i:i + 1].copy() for i, name in enumerate(ORDER)}
        self.body, self.n, self.heading = body, n, 0.0
        self.posture, self.muscles, self.states = Posture(body), Muscles(body, n), LegStates(n)
        places, root = self.posture.places, body.root_freedom
        self._leg_m, self._weight_n = body.leg_length_m, body.mass_kg * gravity_m_s2
        self._pace_m_s = math.sqrt(gravity_m_s2 * self._leg_m)
        size = body.mass_kg * self._leg_m / (STANDARD_MASS_KG * STANDARD_LEG_M)
        self._upper = Upper(body, places, self.gains, size * gravity_m_s2 / EARTH_GRAVITY_M_S2)
        self._limit_size, self._reflexes = size, Reflexes(self.gains)
        self.damping, self._activation = self._upper.damping, np.full((n, 2, len(NAMES)), RESTING)
        self._joints = np.array([[places.column[f"thigh_{s}"] + 1, places.column[f"shank_{s}"], places.column[f"foot_{s}"] + 1]
                                 for s in SIDES]) - root
        feet = {foot.side: foot.points for foot in body.feet}
        self._of_foot = np.zeros((2, len(body.contact_points)))
        for row, side in enumerate(SIDES):
            self._of_foot[row, list(feet[side])] = 1.0
        units = np.tile(_steps(DELAY_S), 2)  # force, then length, of each unit
        others = _steps(np.array([HIP_S, HIP_S, HIP_S, KNEE_S, KNEE_S, HIP_S, GROUND_S]))
        self._unit_delays, self._leg_delays = Delays(units), Delays(others)

    def feel_at_once(self) -> None:
        """Nerves without their delays, which nobody has: before `reset`."""
        self._unit_delays, self._leg_delays = (Delays(np.zeros(len(delays.steps))) for delays in (
            self._unit_delays, self._leg_delays))

    def begin(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (N, nq) and velocities (N, nv) with which it begins, the left leg in front; see `begin.begin`."""
        qpos, qvel, self._activation = begin(self.body, self.posture.places, self.gains, self.n, self._pace_m_s)
        return qpos, qvel

    def reset(self, qpos: np.ndarray, qvel: np.ndarray, activation: np.ndarray | None = None) -> None:
        """All nerves have felt this state (N, nq), (N, nv) for long; muscles are at rest in it, with activations (N, 2, 8)."""
        felt = self.posture.read(qpos, qvel, self.heading)
        self.muscles.reset(felt.leg, self._activation if activation is None else activation)
        self.states = LegStates(self.n)
        self.states.lean_at_lift[:] = self.gains["lean_HFL"]
        self._lean = felt.lean
        self._unit_delays.fill(self._unit_signals())
        self._leg_delays.fill(self._leg_signals(felt, np.zeros(self.n), np.full((self.n, 2), 0.5)))
        self.felt = felt

    @property
    def metabolic_w(self) -> np.ndarray:
        """Metabolic rate (N,) [W] of the last step, the basal one included, worked out when it is asked for."""
        return self.muscles.metabolic_w().sum(axis=(1, 2)) + BASAL_W_KG * self.body.bare_mass_kg

    def _unit_signals(self) -> np.ndarray:
        return np.concatenate([self.muscles.force_n / self.muscles.routing.force_n, self.muscles.fibre], axis=-1)

    def _leg_signals(self, felt: Felt, lean_rate: np.ndarray, load: np.ndarray) -> np.ndarray:
        """What is felt of the legs (N, 2, 7): lean and its rate, thigh ahead, knee flexion and rate, thigh's rate, load."""
        out = np.empty((self.n, 2, 7))
        out[..., 0], out[..., 1] = felt.lean[:, None], lean_rate[:, None]
        out[..., 2], out[..., 3], out[..., 4] = felt.thigh, math.pi - felt.leg[..., 1], -felt.leg_rate[..., 1]
        out[..., 5] = -felt.thigh_rate[..., 1]
        out[..., 6] = load
        return out

    def step(self, qpos: np.ndarray, qvel: np.ndarray, contact_force_n: np.ndarray, dt: float = STEP_S) -> np.ndarray:
        """Torques (N, nv - 6) [N m] of the next `dt` [s], of coordinates (N, nq), velocities (N, nv) and the ground's force on
        the contact points (N, P, 3) [N]; muscles and nerves go on by `dt`."""
        felt = self.felt = self.posture.read(qpos, qvel, self.heading)
        load = self.load = contact_force_n[:, :, 2] @ self._of_foot.T / self._weight_n
        lean_rate, self._lean = (felt.lean - self._lean) / dt, felt.lean
        units = self._unit_delays.step(self._unit_signals())
        legs = self._leg_delays.step(self._leg_signals(felt, lean_rate, load))
        g, states = self.gains, self.states
        ahead = felt.away[..., 0] / self._leg_m
        states.step(legs[..., 6], ahead, legs[:, 0, 0], g["begin_swing"], g["prepare"])
        nerves = Nerves(units[..., :8], units[..., 8:], legs[:, :1, 0], legs[:, :1, 1], legs[..., 3], legs[..., 4], legs[..., 2],
                        legs[..., 5], ahead, (felt.velocity[:, :1] - g["begin_speed"]) / self._pace_m_s)
        pulled = self.muscles.step(self._reflexes.excitation(nerves, states), felt.leg, dt)
        self.limit_nm = limit_torque(felt.leg, felt.leg_rate, self._limit_size)
        pulled = pulled + self.limit_nm
        pulled[..., 1] *= -1.0  # the knee's coordinate is its flexion
        torque = self.torque_held = self._upper.torque(felt, qpos, load)
        torque = torque.copy()
        torque[:, self._joints] += pulled
        return torque


def _steps(seconds: np.ndarray) -> np.ndarray:
    return np.round(seconds / STEP_S).astype(int)
