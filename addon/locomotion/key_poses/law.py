# SPDX-License-Identifier: GPL-3.0-or-later
"""The law by key poses: from where the body is and what it is drawn to, to torques (Yin 2007, section 7.2, both planes)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import mujoco
import numpy as np

from ...bodies.body import FREEDOM, Body
from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState, Frame
from ...maths.rotations import Quaternion, from_rotvec, inverse, product, to_rotvec, z_turn
from ...specs.pose_gait import BOTH, ONE, PoseState
from .machine import HANGING, OTHER, PLAIN, ROW, SPRUNG, Arms, Manner, Posed, Rates
from .skill import Skill
from .strength import PoseGaitSettings, Scale, Strength

OUT = {"L": 1.0, "R": -1.0}
"""To which side outward is, left being positive."""
ARM_OUT_RAD = 0.12
"""Upper arms hang so far off the trunk that hands pass the thighs."""


@dataclass(frozen=True)
class Side:
    """The first coordinates of a side's joints, its knee and ankle among the targets, its thigh, and how its arm hangs."""

    shank: int
    foot: int
    arm: int
    forearm: int
    knee: int
    ankle: int
    thigh: Frame
    hangs: Quaternion

    @classmethod
    def of(cls, side: str, places: Mapping[str, int], thigh: Frame) -> Side:
        shank, foot, arm, forearm = (places[f"{name}_{side}"] for name in ("shank", "foot", "upper_arm", "forearm"))
        return cls(shank, foot, arm, forearm, ROW[f"knee_{side}"], ROW[f"ankle_{side}"], thigh,
                   from_rotvec((OUT[side] * ARM_OUT_RAD, 0.0, 0.0)))


UNTURNED = np.zeros(3)
NOT_POSED: Posed = UNTURNED, 0.0
NO_TURN = (1.0, 0.0, 0.0, 0.0)
ARM = ("upper_arm", "forearm")
"""Joints that swing, or are bent, where they hang."""


LEG = ("thigh", "shank", "foot", "toes")


def lean_under_load(body: Body, bare: Body) -> float:
    """By which angle [rad] the trunk leans further forward under what the body wears, so that the mass above the hips is as far
    ahead of them as without it: people with a pack on the back lean so."""
    return _behind_hips(body) - _behind_hips(bare)


def _behind_hips(body: Body) -> float:
    """The angle [rad] by which the mass above the hips lies behind them where the body stands in its neutral pose."""
    at, mass, moment = {body.segments[0].name: np.zeros(3)}, 0.0, np.zeros(3)
    for segment in body.segments:
        if segment.parent is not None:
            at[segment.name] = at[segment.parent] + segment.offset
        if not segment.name.startswith(LEG):
            mass, moment = mass + segment.mass_kg, moment + segment.mass_kg * (at[segment.name] + segment.com)
    ahead, _, up = moment / mass - 0.5 * sum(at[f"thigh_{side}"] for side in SIDES)
    return -math.atan2(ahead, up)


class Law:
    """The law on one body. Read the body's lean and thighs with `now`, its torques with `torques`. The trunk leans by `leans`
    [rad] further forward than the poses say, see `lean_under_load`."""

    height_at = 2
    """Which generalised coordinate is the root's height; those before it are the root's places too."""

    def __init__(self, state: BodyState, scale: Scale, settings: PoseGaitSettings, leans: float = 0.0) -> None:
        self._state, self._settings, self._scale, self._leans = state, settings, scale, leans
        self.take(Strength(state.body, scale, settings))
        self.skill: Skill | None = None
        model = state.model
        self._root_name = state.body.segments[0].name
        self._root = state.frame(self._root_name)
        self._thighs = {side: state.frame(f"thigh_{side}") for side in SIDES}
        self._ankles = {side: state.frame(f"foot_{side}") for side in SIDES}
        self._drawn, self._error = model.qpos0.copy(), np.zeros(model.nv)
        self._torque = np.zeros(model.nv - 6)
        self._places = {s.name: int(model.joint(s.name).qposadr[0]) for s in state.body.segments[1:]}
        self._columns = {s.name: int(model.joint(s.name).dofadr[0]) for s in state.body.segments[1:]}
        self._legs = {side: Side.of(side, self._places, self._thighs[side]) for side in SIDES}
        self._turned: frozenset[str] = frozenset()
        self._sprung = []  # of each of `SPRUNG` its rows behind the root
        for name in SPRUNG:
            segment = name.replace("knee", "shank").replace("ankle", "foot")
            first = self._columns[segment] - 6
            self._sprung.append(slice(first, first + FREEDOM[state.body.segment(segment).joint]))

    def strength_at(self, firmness: float) -> Strength:
        return Strength(self._state.body, self._scale, self._settings, firmness)

    def take(self, strength: Strength) -> None:
        self._strength, self._spring, self.damping = strength, strength.spring, strength.damping
        self._least = -strength.most
        self._springs = np.ones((2, len(SPRUNG)))

    def now(self, heading: float) -> np.ndarray:
        """Where trunk, thighs, knees and ankles are (9,) [rad], as `ANGLES` has them, in a frame of that heading."""
        found, qpos = np.zeros(len(ROW)), self._state.qpos
        ahead, left = (math.cos(heading), math.sin(heading)), (-math.sin(heading), math.cos(heading))
        up = self._root.matrix[:, 2]
        found[ROW["torso"]] = -math.atan2(up[0] * ahead[0] + up[1] * ahead[1], up[2])
        for side in SIDES:
            down = -self._thighs[side].matrix[:, 2]
            found[ROW[f"hip_{side}"]] = math.atan2(down[0] * ahead[0] + down[1] * ahead[1], -down[2])
            found[ROW[f"outward_{side}"]] = OUT[side] * math.asin(min(max(down[0] * left[0] + down[1] * left[1], -1.0), 1.0))
            found[ROW[f"knee_{side}"]] = -qpos[self._places[f"shank_{side}"]]
            place = self._places[f"foot_{side}"]
            found[ROW[f"ankle_{side}"]] = -to_rotvec(tuple(qpos[place:place + 4].tolist()))[1]
        return found

    def posed(self, qpos: np.ndarray, targets: np.ndarray, upper: Mapping[str, np.ndarray], heading: float) -> None:
        """Bring a pose (nq,) to all targets (9,), both hips among them, and to an upper body, as if nothing had weight."""
        turned = upper.get(self._root_name, UNTURNED)
        lean = self._leans - float(targets[ROW["torso"]])
        root = product(z_turn(heading), from_rotvec((float(turned[0]), lean, float(turned[2]))))
        qpos[3:7] = root
        self._draw(targets, "", PoseState(), 0j, 0j, HANGING)
        for side in SIDES:
            ahead, out = float(targets[ROW[f"hip_{side}"]]), OUT[side] * float(targets[ROW[f"outward_{side}"]])
            thigh = product(product(z_turn(heading), from_rotvec((0.0, -ahead, 0.0))), from_rotvec((out, 0.0, 0.0)))
            self._set(f"thigh_{side}", product(inverse(root), thigh))
        for name, vector in upper.items():
            self._turn(name, (vector, 1.0))
        qpos[7:] = self._drawn[7:]

    def begin(self, speed_m_s: float, heading: float, spread: float, rise: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Standing on both feet, going ahead at a speed [m/s], with the left thigh forward by an angle [rad], the right one as
        far back, and the feet along ground that rises ahead by another: generalised coordinates and velocities."""
        model = self._state.model
        qpos, qvel = model.qpos0.copy(), np.zeros(model.nv)
        qpos[3:7] = z_turn(heading)
        qvel[:2] = speed_m_s * math.cos(heading), speed_m_s * math.sin(heading)
        for side, angle in (("L", spread), ("R", -spread)):
            for name, turn in ((f"thigh_{side}", -angle), (f"foot_{side}", angle - rise)):
                place = self._places[name]
                qpos[place:place + 4] = from_rotvec((0.0, turn, 0.0))
        return qpos, qvel

    def spring_by(self, factors: np.ndarray) -> None:
        """From now on springs and dampings of `SPRUNG` are so many times (2, 4) those of the settings."""
        if np.array_equal(factors, self._springs):
            return
        self._springs, self._spring, self.damping = factors, self._strength.spring.copy(), self._strength.damping.copy()
        for rows, (spring, damping) in zip(self._sprung, factors.T.tolist(), strict=True):
            self._spring[rows] *= spring
            self.damping[rows] *= damping

    def balance(
        self, swing: str, heading: float, speed_m_s: float, sideways_m_s: float, stands: str = ONE,
    ) -> tuple[complex, complex]:
        """How far the pelvis is from the standing ankle, or from the middle of both [m], and how much faster than wished it
        goes [m/s], as they would be for the standard body on Earth: forward + i left."""
        going = complex(*self._state.qvel[:2].tolist()) * complex(math.cos(heading), -math.sin(heading))
        away = self._ahead_of(OTHER[swing], heading)
        if stands != ONE:
            away = 0.5 * (away + self._ahead_of(swing, heading))
        return away, (going - complex(speed_m_s, sideways_m_s)) / self._scale.speed

    def _ahead_of(self, side: str, heading: float) -> complex:
        """How far the pelvis is from an ankle [m] for the standard body: forward + i left."""
        ankle = self._ankles[side].position
        away = complex(self._root.position[0] - ankle[0], self._root.position[1] - ankle[1])
        return away * complex(math.cos(heading), -math.sin(heading)) / self._scale.length

    def torques(
        self, pose: PoseState, targets: np.ndarray, heading: float, speed_m_s: float, sideways_m_s: float, manner: Manner = PLAIN,
    ) -> np.ndarray:
        """Torques (nv - 6,) [N m] behind the root, without what `damping` takes."""
        swing, stance, upper, rates = pose.swing, OTHER[pose.swing], manner.upper, manner.rates
        away, beyond = self.balance(swing, heading, speed_m_s, sideways_m_s, pose.stands)
        for name in self._turned - upper.keys():
            self._turn(name, NOT_POSED)  # no longer asked for
        self._draw(targets, stance, pose, away, beyond, manner.arms, heading)
        for name, posed in upper.items():
            self._turn(name, posed)
        self._turned = frozenset(upper)
        state = self._state
        mujoco.mj_differentiatePos(state.model, self._error, 1.0, state.qpos, self._drawn)
        torque = np.multiply(self._spring, self._error[6:], out=self._torque)
        if rates is not None:
            self._error[:] = 0.0
            self._move(rates, self._error)
            torque += self.damping * self._error[6:]
        facing = z_turn(heading)
        trunk = self._trunk(facing, float(targets[ROW["torso"]]) - self._leans, upper.get(self._root_name), rates)
        if self.skill is not None:
            known = self.skill.known(self._strength, trunk, torque, None if rates is None else self._error)
            trunk, torque = trunk + known[:3], torque + known[3:]
        if rates is not None:
            trunk = trunk - (0.0, self._scale.moment * rates.moments[ROW["torso"]], 0.0)
            self._help(rates, torque)
        trunk = self._root.matrix @ trunk
        if pose.stands == ONE:
            pulled = self._thigh(pose, swing, targets, facing, away, beyond, rates)
            self._add(torque, swing, pulled)
            self._add(torque, stance, self._thighs[stance].matrix.T @ -(trunk + self._thighs[swing].matrix @ pulled))
        else:
            for side in SIDES:
                pulled = self._thigh(pose, side, targets, facing, away, beyond, rates)
                if pose.stands == BOTH:
                    pulled[1:] = 0.0  # two legs hold each other to the side; forward they carry the trunk
                self._add(torque, side, pulled + self._thighs[side].matrix.T @ (-0.5 * trunk))
        np.minimum(torque, self._strength.most, out=torque)  # numpy's clip takes longer than both
        return np.maximum(torque, self._least, out=torque)

    def _add(self, torque: np.ndarray, side: str, moment: np.ndarray) -> None:
        """Add a moment (3,) [N m], the thigh's axes, to a hip's torques."""
        column = self._columns[f"thigh_{side}"] - 6
        torque[column:column + 3] += moment

    def _draw(self, targets: np.ndarray, stance: str, pose: PoseState, away: complex, beyond: complex, arms: Arms,
              heading: float = 0.0) -> None:
        """The joints' own targets: knees and ankles of the pose, arms against the thighs."""
        drawn = self._drawn
        swing, elbow = arms
        for side, leg in self._legs.items():
            drawn[leg.shank] = -targets[leg.knee]
            toes_up, out = float(targets[leg.ankle]), 0.0
            if pose.stands == BOTH or (side == stance and pose.stands == ONE):
                toes_up -= pose.ankle_cd * away.real + pose.ankle_cv * beyond.real
                out = -(pose.ankle_cd_outward * away.imag + pose.ankle_cv_outward * beyond.imag)
            elif pose.swing_ankle_cd:
                toes_up -= pose.swing_ankle_cd * self._ahead_of(side, heading).real
            drawn[leg.foot:leg.foot + 4] = product(from_rotvec((0.0, -toes_up, 0.0)), from_rotvec((out, 0.0, 0.0)))
            down = -leg.thigh.matrix[:, 2]
            swung = swing * math.atan2(float(down @ self._root.matrix[:, 0]), -float(down @ self._root.matrix[:, 2]))
            drawn[leg.arm:leg.arm + 4] = product(leg.hangs, from_rotvec((0.0, swung, 0.0)))
            drawn[leg.forearm] = elbow

    def _turn(self, name: str, posed: Posed) -> None:
        """Draw a joint the body has to a rotation vector (3,), a hinge to its part, or so far on the way there from hanging."""
        vector, share = posed
        place = self._places.get(name)
        if place is None:
            return
        axis = self._state.body.segment(name).axis
        swings = name.startswith(ARM)
        if axis is None:
            wanted = from_rotvec(vector.tolist())
            if share < 1.0:
                hangs = tuple(self._drawn[place:place + 4].tolist()) if swings else NO_TURN
                way = share * np.array(to_rotvec(product(inverse(hangs), wanted)))
                wanted = product(hangs, from_rotvec(way.tolist()))
            self._drawn[place:place + 4] = wanted
        else:
            hanging = self._drawn[place] if swings else 0.0
            self._drawn[place] = float(axis @ vector) if share >= 1.0 else hanging + share * (float(axis @ vector) - hanging)

    def _set(self, name: str, quat: tuple[float, float, float, float]) -> None:
        place = self._places[name]
        self._drawn[place:place + 4] = quat

    def _help(self, rates: Rates, torque: np.ndarray) -> None:
        """Add to the torques (nv - 6,) the moments of knees and ankles that go with the curves."""
        for side in SIDES:
            for name, column in (("knee", self._columns[f"shank_{side}"]), ("ankle", self._columns[f"foot_{side}"] + 1)):
                torque[column - 6] -= self._scale.moment * rates.moments[ROW[f"{name}_{side}"]]

    def _move(self, rates: Rates, velocity: np.ndarray) -> None:
        """The velocities (nv,) of targets that move, but for hips and pelvis."""
        for side in SIDES:
            velocity[self._columns[f"shank_{side}"]] = -rates.angles[ROW[f"knee_{side}"]]
            velocity[self._columns[f"foot_{side}"] + 1] = -rates.angles[ROW[f"ankle_{side}"]]
        for name, vector in rates.turns.items():
            column = self._columns.get(name)
            if column is None:
                continue
            axis = self._state.body.segment(name).axis
            if axis is None:
                velocity[column:column + 3] = vector
            else:
                velocity[column] = axis @ vector

    def _trunk(self, facing: tuple[float, float, float, float], lean: float, turned: Posed | None,
               rates: Rates | None) -> np.ndarray:
        """The moment (3,) [N m], its own axes, that draws the pelvis to its lean and the heading, and to a turn of its own."""
        spring, damping = self._strength.trunk
        list_, twist = (0.0, 0.0) if turned is None else (turned[1] * turned[0][[0, 2]]).tolist()
        wanted = product(facing, from_rotvec((list_, -lean, twist)))
        error = to_rotvec(product(inverse(tuple(self._root.quaternion.tolist())), wanted))
        moment = spring * np.array(error) - damping * self._state.qvel[3:6]
        if rates is not None:
            own = rates.turns.get(self._root_name, UNTURNED)
            moment += damping * np.array((own[0], -rates.angles[ROW["torso"]], own[2]))
        return moment

    def _thigh(self, pose: PoseState, side: str, targets: np.ndarray, facing: tuple[float, float, float, float], away: complex,
               beyond: complex, rates: Rates | None) -> np.ndarray:
        """The moment (3,) [N m], the thigh's axes, that draws a thigh against the world to its target and the feedback's."""
        s, (spring, damping) = self._settings, self._strength.hip
        ahead = targets[ROW[f"hip_{side}"]] + pose.cd * away.real + pose.cv * beyond.real
        ahead = min(max(ahead, s.hip_low), s.hip_high)
        out = OUT[side] * targets[ROW[f"outward_{side}"]] + pose.cd_outward * away.imag + pose.cv_outward * beyond.imag
        out = min(max(out, -s.hip_outward), s.hip_outward)
        wanted = product(product(facing, from_rotvec((0.0, -ahead, 0.0))), from_rotvec((out, 0.0, 0.0)))
        thigh, column = self._thighs[side], self._columns[f"thigh_{side}"]
        error = to_rotvec(product(inverse(tuple(thigh.quaternion.tolist())), wanted))
        rate = thigh.matrix.T @ (self._root.matrix @ self._state.qvel[3:6]) + self._state.qvel[column:column + 3]
        moment = spring * np.array(error) - damping * rate
        if rates is not None:
            for values, factor in ((rates.angles, damping), (rates.moments, self._scale.moment)):
                out, ahead = OUT[side] * values[ROW[f"outward_{side}"]], values[ROW[f"hip_{side}"]]
                moment += factor * np.array((out, -ahead, 0.0))
        return moment
