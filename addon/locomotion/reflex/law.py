# SPDX-License-Identifier: GPL-3.0-or-later
"""The reflex walker: from a body's state and what its feet carry, through nerves, reflexes (Wang 2012, sections 4.1 to 4.3) and
muscles, to joint torques, for batches of walkers; with springs of what its muscles do not move (upper body, hips and ankles to
the side, toes), the states of a leg (Wang 2012, figure 4) and the soft ends of its joints (Geyer and Herr 2010)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ...bodies.body import FREEDOM, Body, kind_of
from ...bodies.human.landmarks import SIDES
from ...maths.rotations import cross, plane_angle, quat_from_rotvec, quat_multiply, quat_rotate
from ...specs.shot import EARTH_GRAVITY_M_S2
from .muscles import BASAL_W_KG, LEAST, MOST, Delays, Muscles
from .parameters import ORDER, vector_of
from .planar import STEP_S as PLANAR_STEP_S
from .planar import PlanarPosture
from .posture import Felt, Places, Posture
from .units import DELAY_S, GAS, GLU, HAM, HFL, NAMES, RF, SOL, TA, VAS

SPRINGS = {"lower_spine": (600.0, 60.0), "chest": (600.0, 60.0), "neck": (60.0, 6.0), "head": (40.0, 4.0),
           "clavicle": (100.0, 10.0), "upper_arm": (30.0, 3.0), "forearm": (30.0, 3.0), "hand": (8.0, 0.8), "toes": (30.0, 0.1)}
"""Springs [N m/rad] and dampings [N m s/rad] of joints of the standard body: arms and toes Wang 2012, section 4.4 (toes without
damping there); the rest as of the gaits from key poses."""
OTHER = (8.0, 0.8)
SPINE, NECK = ("lower_spine", "chest"), ("neck", "head")
"""Joints that keep the trunk and the head upright; rigs need not have all of them."""
ANKLE_DAMPING = 15.0
"""Of ankles to the side and about [N m s/rad]; of what muscles move, the joints' own damping is all."""
ARM_OUT_RAD = 0.12
"""Upper arms hang so far off the trunk."""
FULL_SHARE = 0.25
"""A leg that carries this share of the weight takes its whole part in holding the pelvis."""
SIGN = np.array([1.0, -1.0])
"""Of what is to the left on a left leg, and to the right on a right one."""


class Upper:
    """Torques of N walkers behind the root (N, nv - 6), and the implicit `damping` (nv - 6,) that goes with them. `moment` is the
    body's mass times leg length times gravity over the standard body's on Earth, `gains` are named (N, 1)."""

    def __init__(self, body: Body, places: Places, gains: dict[str, np.ndarray], moment: float) -> None:
        self._g, self._moment, root = gains, moment, body.root_freedom
        self._spring, self.damping = np.zeros((2, body.degrees_of_freedom - root))
        for segment in body.segments[1:]:
            columns = slice(first := places.column[segment.name] - root, first + FREEDOM[segment.joint])
            kind = kind_of(segment.name)
            if kind in ("thigh", "shank", "foot"):
                self.damping[columns] = body.passive_joint(segment.name).damping_nms
                if kind == "foot":
                    self.damping[columns][::2] = moment * ANKLE_DAMPING
            else:
                self._spring[columns], self.damping[columns] = moment * np.array(SPRINGS.get(kind, OTHER))[:, None]
        row = places.ball_row
        held = [name for name in places.balls if kind_of(name) not in ("thigh", "foot")]
        self._held = np.array([row[name] for name in held])
        self._held_columns = (np.array([places.column[name] - root for name in held])[:, None] + np.arange(3)).ravel()
        self._held_spring = self._spring[self._held_columns]
        at = {name: i for i, name in enumerate(held)}
        self._spine, self._neck = ([at[name] for name in names if name in at] for names in (SPINE, NECK))
        self._arms = [at[f"upper_arm_{side}"] for side in SIDES]
        self._hip = np.array([places.column[f"thigh_{side}"] - root for side in SIDES])
        self._foot = np.array([places.column[f"foot_{side}"] - root for side in SIDES])
        self._foot_row = np.array([row[f"foot_{side}"] for side in SIDES])
        hinges = [s.name for s in body.segments[1:] if s.joint == "hinge" and kind_of(s.name) != "shank"]
        self._hinges_at = np.array([places.coordinate[name] for name in hinges], dtype=int)
        self._hinges = np.array([places.column[name] - root for name in hinges], dtype=int)
        self._bent = gains["elbow"] * np.array([kind_of(name) == "forearm" for name in hinges])
        self._wanted = np.zeros((len(gains["elbow"]), len(held), 4))
        self._wanted[..., 0] = 1.0
        for joint in self._spine:  # each joint goes an equal part of the way; a quaternion has half the angle
            self._wanted[:, joint, 2] = 0.5 / len(self._spine) * gains["spine_lean"][:, 0]
        self._hang = np.sin(0.5 * ARM_OUT_RAD * SIGN), np.cos(0.5 * ARM_OUT_RAD)
        self._freedom = body.degrees_of_freedom - root

    def torque(self, felt: Felt, qpos: np.ndarray, load: np.ndarray) -> np.ndarray:
        """Of the posture felt, coordinates (N, nq), and what each foot carries (N, 2) over the weight."""
        out = np.zeros((len(qpos), self._freedom))
        self._hold(out, felt, qpos)
        self._hips(out, felt, load)
        self._ankles(out, felt, load)
        return out

    def _hold(self, out: np.ndarray, felt: Felt, qpos: np.ndarray) -> None:
        """Spine, head and arms by springs; the trunk upright against the world to the side, and turned ahead."""
        g = self._g
        q, wanted = felt.ball.take(self._held, 1), self._wanted
        for at in self._spine:
            wanted[:, at, 1::2] = -0.5 / len(self._spine) * felt.pelvis[:, ::2]
        for at in self._neck:
            wanted[:, at, 2] = -0.5 / len(self._neck) * felt.lean
        swing = 0.5 * g["arms"] * (felt.leg[:, ::-1, 0] - np.pi)  # Geyer's hip angle falls as the leg goes ahead
        s, c = np.sin(swing), np.cos(swing)
        x, w = self._hang
        arms = np.empty((len(q), 2, 4))
        arms[..., 0], arms[..., 1], arms[..., 2], arms[..., 3] = w * c, x * c, w * s, x * s
        wanted[:, self._arms] = arms
        v, big_v, w, big_w = q[..., 1:], wanted[..., 1:], q[..., :1], wanted[..., :1]
        error = 2.0 * np.sign(w) * (w * big_v - big_w * v - cross(v, big_v))
        out[:, self._held_columns] = self._held_spring * error.reshape(len(out), -1)
        out[:, self._hinges] = self._spring[self._hinges] * (self._bent - qpos.take(self._hinges_at, 1))

    def _hips(self, out: np.ndarray, felt: Felt, load: np.ndarray) -> None:
        """Hips to the side and about the thigh: legs that carry hold the pelvis level and ahead, and bear what the other leg
        pulls; a leg that does not is drawn to where balance wants its foot (Yin 2007)."""
        g, m = self._g, self._moment
        carries = np.minimum(load / FULL_SHARE, 1.0)
        free = 1.0 - carries
        share = carries / np.maximum(carries.sum(axis=1, keepdims=True), 1.0)
        side = (share * SIGN).sum(axis=1, keepdims=True)
        roll, yaw = felt.pelvis[:, :1], felt.pelvis[:, 2:]
        rates = felt.pelvis_rate
        about_x = m * (g["roll"] * (-side * g["roll_target"] - roll) - g["roll_rate"] * rates[:, :1] - g["carry"] * side)
        about_z = m * (-g["yaw"] * yaw - g["yaw_rate"] * rates[:, 2:])
        other = slice(None, None, -1)
        target = g["out"] * SIGN + g["out_distance"] * felt.away[:, other, 1] + g["out_speed"] * felt.velocity[:, 1:2]
        target = np.minimum(np.maximum(target, -0.6), 0.6)
        pull_x = free * m * (g["out_spring"] * (target - felt.out) - g["out_damping"] * felt.thigh_rate[..., 0])
        pull_z = free * m * 0.5 * (-g["out_spring"] * felt.thigh_yaw - g["out_damping"] * felt.thigh_rate[..., 2])
        turn = felt.leg[..., 0] - np.pi
        c, s = np.cos(turn), np.sin(turn)
        about_x = about_x + (c * pull_x + s * pull_z).sum(axis=1, keepdims=True)  # what swinging legs pull, in the pelvis's axes
        about_z = about_z + (-s * pull_x + c * pull_z).sum(axis=1, keepdims=True)
        held_x, held_z = -share * about_x, -share * about_z
        out[:, self._hip] = c * held_x - s * held_z + pull_x
        out[:, self._hip + 2] = s * held_x + c * held_z + pull_z

    def _ankles(self, out: np.ndarray, felt: Felt, load: np.ndarray) -> None:
        """Feet to the side and about, by springs; a standing one pushes back where the body is and goes."""
        g, m = self._g, self._moment
        q = felt.ball.take(self._foot_row, 1)
        near = np.sign(q[..., 0])
        x, z = 2.0 * q[..., 1] * near, 2.0 * q[..., 3] * near
        target = -np.minimum(load / FULL_SHARE, 1.0) * (g["ankle_distance"] * felt.away[..., 1] + g["ankle_speed"]
                                                        * felt.velocity[:, 1:2])
        out[:, self._foot] = m * g["ankle_spring"] * (target - x)
        out[:, self._foot + 2] = -m * g["ankle_spring"] * z


LOADED_SHARE = 0.05
"""A foot is on the ground when it carries more than this fraction of the body's weight (first guess)."""


class LegStates:
    """Of N walkers; all (N, 2) truths: `stance`, `leads` (stands, and in front of the other that stands), `begins` the swing,
    `lands` soon. `lean_at_lift` (N, 2) is the trunk's lean as a foot left the ground [rad]."""

    def __init__(self, n: int) -> None:
        self.stance = np.ones((n, 2), dtype=bool)
        self.leads, self.begins, self.lands = np.zeros((3, n, 2), dtype=bool)
        self.lean_at_lift = np.zeros((n, 2))

    def step(self, load: np.ndarray, ahead: np.ndarray, lean: np.ndarray, begin: np.ndarray, prepare: np.ndarray) -> None:
        """Go on: `load` (N, 2) over the weight, centre of mass `ahead` of each ankle (N, 2) in legs, `lean` (N,) [rad]; the
        swing is `begin` (N, 1) once it is that far ahead, or the other foot is down in front; landing is to `prepare` (N, 1)."""
        stance = load > LOADED_SHARE
        up = self.stance & ~stance
        self.stance = stance
        if up.any():
            self.lean_at_lift = np.where(up, lean[:, None], self.lean_at_lift)
        other = stance[:, ::-1]
        self.leads = stance & (~other | (ahead < ahead[:, ::-1]))
        self.begins = stance & ((ahead > begin) | ~self.leads)
        self.lands = ~stance & (ahead < prepare)

    def number(self) -> np.ndarray:
        """Of each leg (N, 2): 0 stance, 1 beginning of its swing, 2 swing, 3 preparation of landing."""
        return np.where(self.stance, self.begins * 1.0, 2.0 + self.lands)


FELT = (*(f"force_{m}" for m in NAMES), *(f"length_{m}" for m in NAMES), "lean", "lean_rate", "thigh", "knee", "knee_rate",
        "thigh_rate", "load", "other_ahead", "faster", "lean_at_lift", "always")
"""What reflexes go by, of each leg: its units' forces and lengths over largest force and optimal fibre; the trunk's lean and its
rate; how far the thigh points ahead, flexion of the knee and its rate, the thigh's rate, the load, all of these delayed; how far
the centre of mass is off the other ankle in legs, and speed beyond the start's over sqrt(g leg); the lean as the foot left the
ground; and 1."""
DELAYED, KNEE_RATE = FELT.index("load") + 1, FELT.index("knee_rate")
BENDS = 11
"""Of the excitations' terms, those that are cut off below nought."""


class Reflexes:
    """The law with its gains: named columns (N, 1). What is linear in `FELT` is one product: excitations in stance and in swing,
    and the terms that are cut off; these, where the leg's state lets them, go to the excitations by another one."""

    def __init__(self, gains: dict[str, np.ndarray]) -> None:
        self._g, n, units = gains, len(gains["prepare"]), len(NAMES)
        self._of_felt, self._to_units = np.zeros((n, len(FELT), 2 * units + BENDS)), np.zeros((n, BENDS, units))
        for unit, name in enumerate(NAMES):
            self._add(unit, "always", f"stance_{name}")
            self._add(units + unit, "always", f"swing_{name}")
        for unit, first in ((SOL, 0), (GAS, 0), (VAS, 0), (HAM, units), (GLU, units)):
            self._add(first + unit, f"force_{NAMES[unit]}", f"force_{NAMES[unit]}")
        self._add(TA, "force_SOL", "SOL_TA", -1.0)
        self._add(units + HFL, "lean_at_lift", "lean_swing")
        self._of_felt[:, FELT.index("always"), units + HFL] -= (gains["lean_swing"] * gains["lean_HFL"])[:, 0]
        self._bend(0, TA, gains["length_TA"], -gains["offset_TA"], length_TA=1.0)
        self._bend(1, HFL, gains["length_HFL"], -gains["offset_HFL"], length_HFL=1.0)
        self._bend(2, HFL, -gains["length_HAM_HFL"], -gains["offset_HAM_HFL"], length_HAM=1.0)
        self._bend(3, VAS, -gains["knee_VAS"], gains["knee_off"], knee=-1.0)
        self._hold_trunk()
        self._land()
        for unit, sign, name in ((VAS, -1.0, "off_VAS"), (RF, 1.0, "on_RF"), (GLU, -1.0, "off_GLU"), (HFL, 1.0, "on_HFL")):
            self._bend(10, unit, sign * gains[name], 1.0)

    def _add(self, column: int, felt: str, gain: str, sign: float = 1.0) -> None:
        self._of_felt[:, FELT.index(felt), column] += sign * self._g[gain][:, 0]

    def _bend(self, term: int, unit: int, gain: np.ndarray | float, rest: np.ndarray | float, **felt: np.ndarray | float) -> None:
        """A term, of gains of what is felt and a rest, that goes to a unit by a gain where it is above nought."""
        for name, value in {**felt, "always": rest}.items():
            self._of_felt[:, FELT.index(name), 2 * len(NAMES) + term] = np.ravel(value)
        self._to_units[:, term, unit] = np.ravel(gain)

    def _hold_trunk(self) -> None:
        g = self._g
        for term, unit, sign in ((4, HAM, 1.0), (5, GLU, 1.0), (6, HFL, -1.0)):
            pull, rate = sign * g[f"trunk_{NAMES[unit]}"], sign * g[f"trunk_rate_{NAMES[unit]}"]
            self._bend(term, unit, 1.0, -pull * g[f"lean_{NAMES[unit]}"], lean=pull, lean_rate=rate)

    def _land(self) -> None:
        """Thigh and knee are drawn to where the foot is to come down, by the other leg's balance (Yin 2007)."""
        g = self._g
        for term, unit, sign in ((7, GLU, 1.0), (8, HFL, -1.0)):
            pull = sign * g[f"land_{NAMES[unit]}"]
            self._bend(term, unit, 1.0, -pull * g["land_thigh"], thigh=pull, other_ahead=-pull * g["land_distance"],
                       faster=-pull * g["land_speed"], thigh_rate=sign * g[f"land_rate_{NAMES[unit]}"])
        self._bend(9, VAS, 1.0, -g["land_VAS"] * g["land_knee"], knee=g["land_VAS"], knee_rate=g["land_rate_VAS"])

    def excitation(self, felt: np.ndarray, states: LegStates) -> np.ndarray:
        """Excitations (N, 2, 8) of what is felt (N, 2, FELT)."""
        told, units, stance = felt @ self._of_felt, len(NAMES), states.stance
        lets = np.ones((*stance.shape, BENDS))
        lets[..., 1] = lets[..., 2] = ~stance
        lets[..., 3] = stance & (felt[..., KNEE_RATE] < 0.0)
        lets[..., 4:7] = states.leads[..., None]
        lets[..., 7:10] = states.lands[..., None]
        lets[..., 10] = states.begins
        u = np.where(stance[..., None], told[..., :units], told[..., units:2 * units])
        u += (np.maximum(told[..., 2 * units:], 0.0) * lets) @ self._to_units
        return u.clip(LEAST, MOST)


STANDARD_PACE_M_S = math.sqrt(9.81 * 0.8838)
ALWAYS = 0.02
"""Activation of units of which the parameters do not say one."""


def begin(body: Body, places: Places, gains: dict[str, np.ndarray], n: int, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates (n, nq), velocities (n, nv), speeds `scale` times the numbers'; the lowest contact point is at z = 0."""
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
    for column, name in enumerate(("begin_speed", "begin_left", "begin_up")):
        qvel[:, column] = scale * gains[name][:, 0]
    _planted(body, places, qpos, qvel)
    qvel[:, places.column["thigh_R"] + 1] += -gains["begin_hip_rate"][:, 0]
    qvel[:, places.column["shank_R"]] += gains["begin_knee_rate"][:, 0]
    return qpos, qvel


def begun(gains: dict[str, np.ndarray], n: int) -> np.ndarray:
    """Activations (n, 2, 8) at the start."""
    activation = np.full((n, 2, len(NAMES)), ALWAYS)
    for row, leg, units in ((0, "front", (VAS, GLU, HAM, TA)), (1, "back", (SOL, GAS, HFL))):
        for unit in units:
            activation[:, row, unit] = gains[f"begin_{NAMES[unit]}_{leg}"][:, 0]
    return activation


def _planted(body: Body, places: Places, qpos: np.ndarray, qvel: np.ndarray) -> None:
    """The front leg turns about its ankle as the pelvis goes ahead."""
    thigh = -(plane_angle(qpos[:, places.coordinate["thigh_L"] + 2], qpos[:, places.coordinate["thigh_L"]]) * 2.0)
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
MOST_TIMES = np.array([60.0, 60.0, 10.0])
"""A hundred times the rest's torque is no damper any more but a wall: bounded, so that 1 ms resolves a foot about its ankle."""


def limit_torque(angle: np.ndarray, rate: np.ndarray, size: float) -> np.ndarray:
    """Torques (..., 3) that raise Geyer's angles (..., 3) [rad], [rad/s], of a body of that `size` (mass times leg length)."""
    above, below = np.maximum(angle - HIGH, 0.0), np.maximum(LOW - angle, 0.0)
    up = below * np.minimum(np.maximum(1.0 - rate / REST_RATE, 0.0), MOST_TIMES)
    down = above * np.minimum(np.maximum(1.0 + rate / REST_RATE, 0.0), MOST_TIMES)
    return size * SPRING_NM * (up - down)


STANDARD_MASS_KG, STANDARD_LEG_M = 75.0, 0.8838
RESTING = 0.05
"""Activation of all units where a state is taken over as it is (first guess)."""
STEP_S = 0.001
"""Time from step to step: delays are whole numbers of it, and the muscles' forces want it."""
HIP_S, KNEE_S, GROUND_S = 0.005, 0.010, 0.010
"""Delays of what is felt of hips and trunk, of knees, of the ground (Wang 2012, section 4.1)."""


def is_planar(body: Body) -> bool:
    return body.segments[0].joint == "planar"


def step_of(body: Body) -> float:
    """Time [s] from step to step of a walker of this body."""
    return PLANAR_STEP_S if is_planar(body) else STEP_S


class ReflexLaw:
    """N walkers of one body, a human's or a planar one, each with parameters of its own; the left leg comes first in all arrays.
    `step_s` is the time from step to step. `parameters` are named values, or (n, K) in `parameters.ORDER`. `damping` (nv - 6,) [N
    m s/rad] is implicit and goes with the torques. Readings after a step: `muscles` (activation, force_n, fibre, fibre_velocity:
    (N, 2, 8)), `metabolic_w` (N,) with the basal rate, `states` (`LegStates`), `felt` (`Felt`), `torque_held` (N, nv - 6) without
    the muscles, `limit_nm` (N, 2, 3). `heading` [rad] is the way it goes."""

    def __init__(self, body: Body, parameters: Mapping[str, float] | np.ndarray, n: int = 1,
                 gravity_m_s2: float = EARTH_GRAVITY_M_S2) -> None:
        vector = parameters if isinstance(parameters, np.ndarray) else vector_of(parameters)
        values = np.broadcast_to(vector, (n, len(ORDER)))
        self.gains = {name: values[:, i:i + 1].copy() for i, name in enumerate(ORDER)}
        self.body, self.n, self.heading = body, n, 0.0
        flat, self.step_s = is_planar(body), step_of(body)
        self.posture: Posture | PlanarPosture = PlanarPosture(body, n) if flat else Posture(body)
        self.muscles, self.states = Muscles(body, n, implicit=flat), LegStates(n)
        self._leg_m, self._weight_n = body.leg_length_m, body.mass_kg * gravity_m_s2
        self._pace_m_s = math.sqrt(gravity_m_s2 * self._leg_m)
        size = body.mass_kg * self._leg_m / (STANDARD_MASS_KG * STANDARD_LEG_M)
        self._limit_size, self._reflexes, self._activation = size, Reflexes(self.gains), np.full((n, 2, len(NAMES)), RESTING)
        if isinstance(self.posture, PlanarPosture):
            self._upper, self._raises = None, np.array([-1.0, -1.0, -1.0])
            self.damping = np.array([body.passive_joint(name).damping_nms for name in body.joint_segments])
        else:
            self._upper = Upper(body, self.posture.places, self.gains, size * gravity_m_s2 / EARTH_GRAVITY_M_S2)
            self._raises, self.damping = np.array([1.0, -1.0, 1.0]), self._upper.damping
        self._joints = self.posture.joints
        feet = {foot.side: foot.points for foot in body.feet}
        self._of_foot = np.zeros((2, len(body.contact_points)))
        for row, side in enumerate(SIDES):
            self._of_foot[row, list(feet[side])] = 1.0
        others = np.array([HIP_S, HIP_S, HIP_S, KNEE_S, KNEE_S, HIP_S, GROUND_S])
        delays_s = np.concatenate([DELAY_S, DELAY_S, others])  # force, then length, of each unit
        self._delays = Delays(np.round(delays_s / self.step_s).astype(int))
        self._signals = np.ones((n, 2, len(FELT)))

    def feel_at_once(self) -> None:
        """Nerves without their delays, which nobody has: before `reset`."""
        self._delays = Delays(np.zeros(DELAYED))

    def begin(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates (N, nq) and velocities (N, nv) with which it begins, the left leg in front; see `begin`."""
        self._activation, scale = begun(self.gains, self.n), self._pace_m_s / STANDARD_PACE_M_S
        if isinstance(self.posture, PlanarPosture):
            return self.posture.begin(self.gains, self._leg_m, scale)
        return begin(self.body, self.posture.places, self.gains, self.n, scale)

    def reset(self, qpos: np.ndarray, qvel: np.ndarray, activation: np.ndarray | None = None) -> None:
        """All nerves have felt this state (N, nq), (N, nv) for long; muscles are at rest in it, with activations (N, 2, 8)."""
        felt = self.posture.read(qpos, qvel, self.heading)
        self.muscles.reset(felt.leg, self._activation if activation is None else activation)
        self.states = LegStates(self.n)
        self.states.lean_at_lift[:] = self.gains["lean_HFL"]
        self._lean, self._time_s = felt.lean, 0.0
        self._delays.fill(self._felt_now(felt, np.zeros(self.n), np.full((self.n, 2), 0.5)))
        self.felt = felt

    @property
    def metabolic_w(self) -> np.ndarray:
        """Metabolic rate (N,) [W] of the last step, the basal one included, worked out when it is asked for."""
        return self.muscles.metabolic_w().sum(axis=(1, 2)) + BASAL_W_KG * self.body.bare_mass_kg

    def _felt_now(self, felt: Felt, lean_rate: np.ndarray, load: np.ndarray) -> np.ndarray:
        """What nerves take in now (N, 2, DELAYED), in the order of `FELT`."""
        muscles, out = self.muscles, np.empty((self.n, 2, DELAYED))
        out[..., :8], out[..., 8:16] = muscles.force_n / muscles.routing.force_n, muscles.fibre
        out[..., 16], out[..., 17] = felt.lean[:, None], lean_rate[:, None]
        out[..., 18], out[..., 19], out[..., 20] = felt.thigh, math.pi - felt.leg[..., 1], -felt.leg_rate[..., 1]
        out[..., 21] = -felt.thigh_rate[..., 1]
        out[..., 22] = load
        return out

    def step(self, qpos: np.ndarray, qvel: np.ndarray, contact_force_n: np.ndarray) -> np.ndarray:
        """Torques (N, nv - 6) [N m] of the next `step_s` [s], of coordinates (N, nq), velocities (N, nv) and the ground's force
        on the contact points (N, P, 3) [N]; muscles and nerves go on by that."""
        dt = self.step_s
        felt = self.felt = self.posture.read(qpos, qvel, self.heading)
        load = self.load = contact_force_n[:, :, 2] @ self._of_foot.T / self._weight_n
        lean_rate, self._lean = (felt.lean - self._lean) / dt, felt.lean
        signals, g, states = self._signals, self.gains, self.states
        signals[..., :DELAYED] = self._delays.step(self._felt_now(felt, lean_rate, load))
        ahead, self._time_s = felt.away[..., 0] / self._leg_m, self._time_s + dt
        begin = np.where(self._time_s < g["begin_late"], np.inf, g["begin_swing"])
        states.step(signals[..., DELAYED - 1], ahead, signals[:, 0, 16], begin, g["prepare"])
        signals[..., 23], signals[..., 24] = ahead[:, ::-1], (felt.velocity[:, :1] - g["begin_speed"]) / self._pace_m_s
        signals[..., 25] = states.lean_at_lift
        pulled = self.muscles.step(self._reflexes.excitation(signals, states), felt.leg, dt)
        self.limit_nm = limit_torque(felt.leg, felt.leg_rate, self._limit_size)
        pulled = self._raises * (pulled + self.limit_nm)
        torque = self.torque_held = np.zeros((self.n, len(self.damping)))
        if self._upper is not None:
            torque = self.torque_held = self._upper.torque(felt, qpos, load)
        torque = torque.copy()
        torque[:, self._joints] += pulled
        return torque
