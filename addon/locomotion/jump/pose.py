# SPDX-License-Identifier: GPL-3.0-or-later
"""The reference pose of somebody who jumps: a trunk that leans, arms that swing, a root that keeps the centre of mass where it
is to be."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ...maths.rotations import from_rotvec, product, rotated
from ..legged.targets import FeetPose
from ..stand.pose import ARM_AHEAD_RAD, ARM_OUT_RAD, StandingPose

DEEPEST, KNOTS = 0.5, 11
"""Depth of the deepest squat there is a pose of, over the leg's length, and of how many there is one."""
LEAN_RAD = 2.1
"""Lean of the trunk in a squat over its depth in legs: about that with which squatting takes no angular momentum (measured)."""
NOD = 0.4
"""Share of a lean that the neck takes back, and the head as much."""
ROUNDS = 2
"""Times that the root is moved to where the centre of mass is as wanted."""


class JumpPose(StandingPose):
    """Builds coordinates of a body that squats, leans and swings its arms, as it was last told to. `settle` comes first."""

    def __init__(self, state: BodyState) -> None:
        super().__init__(state)
        self._leg_m, self._straight = state.body.leg_length_m, self._upper
        self._elbow = {side: float(self._rest[self._slots[f"forearm_{side}"]]) for side in SIDES}
        self._data = mujoco.MjData(state.model)
        self._squats = np.zeros((KNOTS, 3))
        self._nods = [self._slots[n] for n in ("neck", "head") if n in self._slots and state.body.segment(n).joint == "ball"]

    def settle(self, com: tuple[float, float, float], heading: float, feet: FeetPose) -> None:
        """See `StandingPose.settle`: at rest, and in every squat over these feet."""
        self.swing(0.0, 0.0)
        for knot in reversed(range(KNOTS)):
            deep = DEEPEST * knot / (KNOTS - 1)
            self.lean(LEAN_RAD * deep)
            super().settle((com[0], com[1], com[2] - deep * self._leg_m), heading, feet)
            self._squats[knot] = self.root_m

    def lean(self, lean_rad: float) -> None:
        """Lean forward by so much."""
        self._pelvis = from_rotvec((0.0, lean_rad, 0.0))
        self._upper = rotated(self._pelvis, self._straight)
        for at in self._nods:
            self._rest[at:at + 4] = from_rotvec((0.0, -NOD * lean_rad, 0.0))

    def squat(self, crouch_m: float) -> None:
        """Squat so deep, both feet on the ground."""
        deep = min(max(crouch_m / self._leg_m, 0.0), DEEPEST)
        low = min(int(deep / DEEPEST * (KNOTS - 1)), KNOTS - 2)
        share = deep / DEEPEST * (KNOTS - 1) - low
        self.lean(LEAN_RAD * deep)
        self.root_m = (1.0 - share) * self._squats[low] + share * self._squats[low + 1]

    def swing(self, shoulder_rad: float, elbow_rad: float) -> None:
        """Hold the arms that carry nothing so far ahead of how they hang, the elbows bent so much more."""
        for side, out in self.free.items():
            arm, elbow = self._slots[f"upper_arm_{side}"], self._slots[f"forearm_{side}"]
            self._rest[arm:arm + 4] = product(from_rotvec((out * ARM_OUT_RAD, 0.0, 0.0)),
                                              from_rotvec((0.0, -ARM_AHEAD_RAD - shoulder_rad, 0.0)))
            self._rest[elbow] = self._elbow[side] + math.copysign(elbow_rad, self._elbow[side])

    def placed(self, com: tuple[float, float, float], lean_rad: float, feet: FeetPose) -> np.ndarray:
        """Coordinates (nq,) of a body that faces ahead and leans, its centre of mass there whatever the legs do; `root_m` is
        then what does that."""
        self.lean(lean_rad)
        for _ in range(ROUNDS):
            self._see(self.build(com, 0.0, 0j, feet))
            self.root_m = self.root_m + (np.array(com) - self._data.subtree_com[1])
        return self.build(com, 0.0, 0j, feet)

    def pitching(self, before: np.ndarray, after: np.ndarray, step_s: float) -> float:
        """Angular momentum about the centre of mass, nose down positive [kg m^2/s], on the way from a pose (nq,) to another."""
        rate, matrix = np.empty(self._model.nv), np.empty((3, self._model.nv))
        mujoco.mj_differentiatePos(self._model, rate, step_s, before, after)
        self._see(before)
        mujoco.mj_angmomMat(self._model, self._data, matrix, 1)
        return float(matrix[1] @ rate)

    def _see(self, q: np.ndarray) -> None:
        self._data.qpos[:] = q
        mujoco.mj_kinematics(self._model, self._data)
        mujoco.mj_comPos(self._model, self._data)

    def moments(self, q: np.ndarray, places: dict[str, np.ndarray]) -> np.ndarray:
        """Joint torques (nv - 6,) [N m] of a body at rest in a pose (nq,) under a gravity of 1 m/s^2, the ground pushing half of
        its weight at a place (3,) of each foot."""
        model, data = self._model, self._data
        self._see(q)
        data.qvel[:] = 0.0
        mujoco.mj_comVel(model, data)
        found, jacobian = np.empty(model.nv), np.empty((3, model.nv))
        mujoco.mj_rne(model, data, 0, found)
        found /= -float(model.opt.gravity[2])
        for side, place in places.items():
            mujoco.mj_jac(model, data, jacobian, None, place, model.body(f"foot_{side}").id)
            found -= 0.5 * model.body_subtreemass[1] * jacobian[2]
        return found[6:]
