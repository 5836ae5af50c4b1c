# SPDX-License-Identifier: GPL-3.0-or-later
"""The law by key poses in the sagittal plane, as it is printed (Yin 2007, section 7.2), on the planar body. Other than in the
law of the whole body, the distance counts from the heel of the standing foot, as in the authors' demonstration: so counted all
of the twelve printed gaits stand, from the ankle nine of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ...specs.pose_gait import PlanarStart, PoseState
from ...specs.settings import Checked, setting
from .machine import OTHER, ROW, SPRUNG
from .skill import Skill
from .strength import Scale

PRINTED = "Yin 2007, section 7.3.1: 300 N m/rad, 30 N m s/rad, 1000 N m"


@dataclass(frozen=True)
class PlanarSettings(Checked):
    """Springs [N m/rad] of 90 kg on legs of 0.9 m under Earth's gravity; they go with weight times leg length. Dampings [N m
    s/rad] are `damping_s` times as much, and their time goes with the pendulum's."""

    WHOSE, FIELD, SOURCE = "The planar body's", "setting of the planar body", PRINTED
    trunk: float = 300.0  # Holds the trunk upright, through the standing hip [N m/rad]
    hip: float = 300.0  # Draws the swinging thigh [N m/rad]
    knee: float = 300.0  # Draws a knee [N m/rad]
    ankle: float = 300.0  # Draws an ankle [N m/rad]
    damping_s: float = 0.1  # Damping of a joint over its spring [s]
    strongest: float = setting(1000.0, 10.0, 5000.0, "N m", "Largest moment of a joint")
    ramp_s: float = 0.0  # Time in which targets come to a new state's [s]
    change_s: float = 0.0  # Time in which the speed asked for goes over to another gait's [s]
    touch_s: float = 0.02  # A touch-down counts so long after a state began [s] (a prototype; at once gives the same gaits)
    # The balance feedback leaves the swinging thigh in front of this [rad] (the planar demonstration that the authors
    # published)
    hip_low: float = -0.4
    hip_high: float = 1.6  # and behind this [rad] (the planar demonstration that the authors published)
    steering = 0.0
    """There is no way back to a path that nobody can leave."""


JOINTS = ("hip", "knee", "ankle")
"""Of a leg, from the top; the planar body's coordinates behind its root are those of the left leg, then of the right one."""
FOLDS = {"hip": 1.0, "knee": -1.0, "ankle": 1.0}
"""Which way a joint of the body turns where the angle of a pose grows: knees bend to the negative there."""
TICK_S = 0.001
"""Torques are held for so long on Earth. The thesis has 0.1 ms; with the joints' damping left to the engine this is as good."""
LOOP_S = 0.005
"""Time from one step of the loop to the next on Earth."""


def acts(scale: Scale) -> int:
    """How often the law acts in a step of the loop, which is as long as for a human."""
    return max(round(LOOP_S * min(scale.time, 1.0) / (TICK_S * scale.time)), 1)


@dataclass
class PlanarStrength:
    trunk: tuple[float, float]
    hip: tuple[np.ndarray, np.ndarray]
    spring: np.ndarray
    damping: np.ndarray


class PlanarLaw:
    """The law on a planar body; see `law.Law`, whose methods it has. The heading is always ahead, and nothing goes sideways."""

    height_at = 1
    """Which generalised coordinate is the root's height; those before it are the root's places too."""

    def __init__(self, state: BodyState, scale: Scale, settings: PlanarSettings) -> None:
        self._state, self._scale, self._settings = state, scale, settings
        root, names = state.body.root_freedom, {"hip": "thigh", "knee": "shank", "ankle": "foot"}
        self._at = {f"{joint}_{side}": int(state.model.joint(f"{names[joint]}_{side}").dofadr[0]) - root
                    for joint in JOINTS for side in SIDES}
        heels = {foot.name: min(foot.points, key=lambda row: float(state.body.contact_points[row].position[0]))
                 for foot in state.body.feet}
        self._heels = {name: state.contact_point_m[row] for name, row in heels.items()}
        springs = {"hip": settings.hip, "knee": settings.knee, "ankle": settings.ankle, "trunk": settings.trunk}
        self._spring = {name: spring * scale.moment for name, spring in springs.items()}
        self._damping = {name: spring * settings.damping_s * scale.time for name, spring in self._spring.items()}
        self._most = settings.strongest * scale.moment
        self.skill: Skill | None = None
        self.take(self.strength_at(1.0))

    def strength_at(self, firmness: float) -> PlanarStrength:
        spring, damping = np.zeros((2, len(self._at)))
        for name, column in self._at.items():
            joint = name[:-2]
            if joint != "hip":
                spring[column], damping[column] = self._spring[joint], self._damping[joint]
        trunk = firmness * self._spring["trunk"], firmness * self._damping["trunk"]
        return PlanarStrength(trunk, (np.array([self._spring["hip"]]), np.array([self._damping["hip"]])), spring, damping)

    def take(self, strength: PlanarStrength) -> None:
        self._strength, self.damping, self._sprung = strength, strength.damping, dict.fromkeys(SPRUNG, 1.0)

    def spring_by(self, factors: np.ndarray) -> None:
        self._sprung, self.damping = dict(zip(SPRUNG, factors[0].tolist(), strict=True)), self._strength.damping.copy()
        for name, factor in zip(SPRUNG, factors[1].tolist(), strict=True):
            self.damping[self._at[name]] *= factor

    def now(self, heading: float = 0.0) -> np.ndarray:
        """Where trunk, thighs, knees and ankles are (9,) [rad], as `ANGLES` has them."""
        found, qpos = np.zeros(len(ROW)), self._state.qpos.tolist()
        torso, joints = -qpos[2], qpos[3:]
        found[ROW["torso"]] = torso
        for name, column in self._at.items():
            joint = name[:-2]
            found[ROW[name]] = FOLDS[joint] * joints[column] + (torso if joint == "hip" else 0.0)
        return found

    def begin(self, speed_m_s: float, heading: float, spread: float, rise: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """Standing on both feet, thighs spread as in `law.Law.begin`, going ahead at a speed [m/s]."""
        qpos, qvel = np.zeros(self._state.model.nq), np.zeros(self._state.model.nv)
        for side, angle in (("L", spread), ("R", -spread)):
            qpos[3 + self._at[f"hip_{side}"]], qpos[3 + self._at[f"ankle_{side}"]] = angle, rise - angle
        qvel[0] = speed_m_s
        return qpos, qvel

    def begin_in(self, start: PlanarStart) -> tuple[np.ndarray, np.ndarray]:
        scale, time = self._scale, self._scale.time
        qpos, qvel = np.zeros(self._state.model.nq), np.zeros(self._state.model.nv)
        qpos[1] = start.height_m * scale.length
        qvel[0], qvel[1] = start.forward_m_s * scale.speed, start.upward_m_s * scale.speed
        qpos[2], qvel[2] = -start.torso[0], -start.torso[1] / time
        for name, column in self._at.items():
            fold, (angle, rate) = FOLDS[name[:-2]], getattr(start, name)
            qpos[3 + column], qvel[3 + column] = fold * angle, fold * rate / time
        return qpos, qvel

    def torques(self, pose: PoseState, targets: np.ndarray, heading: float, speed_m_s: float, *others: Any) -> np.ndarray:
        """Torques (6,) [N m] of the joints, without what `damping` takes; `others` are for the whole body's law alone."""
        swing, stance, s, scale = pose.swing, OTHER[pose.swing], self._settings, self._scale
        qpos, qvel, at = self._state.qpos.tolist(), self._state.qvel.tolist(), self._at
        wanted = targets.tolist()
        away = (qpos[0] - float(self._heels[stance][0])) / scale.length
        beyond = (qvel[0] - speed_m_s) / scale.speed
        ahead = wanted[ROW[f"hip_{swing}"]] + pose.cd * away + pose.cv * beyond
        ahead = min(max(ahead, s.hip_low), s.hip_high)
        torque = np.zeros(len(at))
        for side in SIDES:
            knee, ankle = wanted[ROW[f"knee_{side}"]], wanted[ROW[f"ankle_{side}"]]
            if side == stance:
                ankle -= pose.ankle_cd * away + pose.ankle_cv * beyond
            else:
                ankle -= pose.swing_ankle_cd * (qpos[0] - float(self._heels[swing][0])) / scale.length
            for joint, angle in ((f"knee_{side}", -knee), (f"ankle_{side}", ankle)):
                spring = self._sprung[joint] * self._spring[joint[:-2]]
                torque[at[joint]] = spring * (angle - qpos[3 + at[joint]])
        torso, leaning, hip = -qpos[2], -qvel[2], at[f"hip_{swing}"]
        drawn = (self._spring["hip"] * (ahead - torso - qpos[3 + hip]) - self._damping["hip"] * (leaning + qvel[3 + hip]))
        spring, damping = self._strength.trunk
        upright = spring * (wanted[ROW["torso"]] - torso) - damping * leaning
        if self.skill is not None:
            known = self.skill.known(self._strength, np.array([-upright]), torque, None)  # of the body's own coordinate
            upright, torque = upright - float(known[0]), torque + known[1:]
        torque[hip], torque[at[f"hip_{stance}"]] = drawn, -upright - drawn
        damped = self.damping * self._state.qvel[3:]  # what the engine will take counts for the limit too
        return np.clip(torque - damped, -self._most, self._most) + damped
