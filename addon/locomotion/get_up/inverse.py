# SPDX-License-Identifier: GPL-3.0-or-later
"""Key poses by inverse kinematics: the pose that comes nearest to what is asked of points, centre of mass, pelvis and joints,
within the ranges of people's joints and above the ground (Gauss and Newton's steps, each of which keeps to the ranges)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import mujoco
import numpy as np

from ...bodies.body import COORDINATES, FREEDOM, Body
from ...bodies.model import build_model
from ...bodies.state import BodyState
from ...maths.rotations import quat_from_rotvec
from ...specs.shot import World
from ...worlds.ground import Ground
from ..limp.joints import rotation_vector
from ..qp.program import Problem, solve_daqp

ROUNDS, MOST_STEP, DAMPED = 40, 0.35, 1e-3
"""Steps at most, how far [rad, m] one goes at most, and what is added to the matrix' diagonal."""
ENOUGH = 1e-3
"""A step smaller than this ends the search."""
INSIDE_RAD = np.radians(3.0)
"""How far within a hinge's range key poses stay."""
POINT_WEIGHT, COM_WEIGHT = 9.0, 6.0
NEAR_M, MOST_RISE_M = 0.15, 0.1
"""Points lower than this are kept off the ground; so far one that is in it is raised at most by a step."""


@dataclass(frozen=True)
class Aim:
    """What is asked of a pose. `pose` (nq,) with weights `joints` (nv,); the pelvis' rotation and place are that pose's, by the
    first six of these. `places` (3,) [m] of contact points by row; `com` (3,) [m], of which NaN asks nothing; `clear` [m] is how
    high over the ground other points are to be at least, by row."""

    pose: np.ndarray
    joints: np.ndarray
    places: Mapping[int, np.ndarray]
    com: np.ndarray
    clear: Mapping[int, float] = field(default_factory=dict)


class Ranges:
    """The ranges of a body's joints as of people's: each part of a ball's rotation vector, each hinge. All joints together are
    numbers (nv - 6,) in the order of velocities; `low` and `high` are theirs."""

    def __init__(self, body: Body) -> None:
        place, column = body.root_coordinates, 0
        balls: list[tuple[int, int]] = []
        hinges: list[tuple[int, int]] = []
        size = body.degrees_of_freedom - body.root_freedom
        self.low, self.high = np.zeros((2, size))
        for segment in body.segments[1:]:
            ball, part = segment.joint == "ball", slice(column, column + FREEDOM[segment.joint])
            (balls if ball else hinges).append((place, column))
            if ball:
                joint = body.passive_joint(segment.name)
                self.low[part], self.high[part] = joint.low, joint.high
            else:
                self.low[part], self.high[part] = segment.range_rad[0] + INSIDE_RAD, segment.range_rad[1] - INSIDE_RAD
            place, column = place + COORDINATES[segment.joint], part.stop
        self._ball_places = np.array([row[0] for row in balls])[:, None] + np.arange(4)
        self.ball_columns = np.array([row[1] for row in balls])[:, None] + np.arange(3)
        self._hinge_places, self._hinge_columns = (np.array([row[i] for row in hinges]) for i in (0, 1))

    def angles(self, qpos: np.ndarray) -> np.ndarray:
        """The joints' angles (nv - 6,) [rad] in a pose (nq,)."""
        found = np.empty(len(self.low))
        found[self.ball_columns] = rotation_vector(qpos[self._ball_places])
        found[self._hinge_columns] = qpos[self._hinge_places]
        return found

    def put(self, qpos: np.ndarray, angles: np.ndarray) -> None:
        """Put these angles into a pose."""
        qpos[self._ball_places] = quat_from_rotvec(angles[self.ball_columns])
        qpos[self._hinge_places] = angles[self._hinge_columns]

    def to_rates(self, angles: np.ndarray) -> np.ndarray:
        """(nv - 6, nv - 6): from rates of the angles to velocities."""
        found = np.eye(len(angles))
        found[self.ball_columns[:, :, None], self.ball_columns[:, None]] = right_jacobians(angles[self.ball_columns])
        return found


def right_jacobians(vectors: np.ndarray) -> np.ndarray:
    """(K, 3, 3): from rates of rotation vectors (K, 3) to angular velocities in the turned axes (Sola, Deray and Atchuthan 2018,
    "A micro Lie theory", eq. 143)."""
    size = np.maximum(np.sqrt((vectors**2).sum(axis=1)), 1e-3)[:, None, None]
    cross = np.zeros((len(vectors), 3, 3))
    for row, column, part, sign in ((0, 1, 2, -1.0), (0, 2, 1, 1.0), (1, 2, 0, -1.0)):
        cross[:, row, column], cross[:, column, row] = sign * vectors[:, part], -sign * vectors[:, part]
    return np.eye(3) - (1.0 - np.cos(size)) / size**2 * cross + (size - np.sin(size)) / size**3 * (cross @ cross)


class Poser:
    """Finds poses of a body on a ground, in a state of its own."""

    def __init__(self, body: Body, world: World, ground: Ground) -> None:
        self.state = BodyState(body, build_model(body, world), ground)
        self.ranges = Ranges(body)
        nv = self.state.model.nv
        self.still, self._away = np.zeros((2, nv))
        self._segment = [self.state.model.body(point.segment).id for point in body.contact_points]

    def find(self, start: np.ndarray, aim: Aim) -> tuple[np.ndarray, float]:
        """The pose (nq,) near a start (nq,), and the weighted sum of the squares of what it misses."""
        ranges, model, qpos, cost = self.ranges, self.state.model, start.copy(), 0.0
        angles = np.clip(ranges.angles(qpos), ranges.low, ranges.high)
        most, step, rates = np.full(model.nv, MOST_STEP), np.zeros(model.nv), np.eye(model.nv)
        for _ in range(ROUNDS):
            ranges.put(qpos, angles)
            matrix, pull, cost = self._equations(qpos, aim)
            rates[6:, 6:] = ranges.to_rates(angles)
            low, high = -most, most.copy()
            low[6:], high[6:] = np.maximum(low[6:], ranges.low - angles), np.minimum(high[6:], ranges.high - angles)
            rows, least = self._above(aim)
            change = solve_daqp(Problem(rates.T @ matrix @ rates, -pull @ rates, rows @ rates, least, 0, low, high))
            if change is None:
                break
            step[:6] = change[:6]
            mujoco.mj_integratePos(model, qpos, step, 1.0)
            angles = angles + change[6:]
            if float(np.abs(change).max()) < ENOUGH:
                break
        ranges.put(qpos, angles)
        return qpos, cost

    def best(self, starts: list[np.ndarray], aim: Aim) -> tuple[np.ndarray, float]:
        """The better of the poses found from several starts."""
        return min((self.find(start, aim) for start in starts), key=lambda found: found[1])

    def _equations(self, qpos: np.ndarray, aim: Aim) -> tuple[np.ndarray, np.ndarray, float]:
        """Normal equations of a step (nv, nv), (nv,), and the cost there."""
        state = self.state
        state.update(qpos, self.still)
        mujoco.mj_differentiatePos(state.model, self._away, 1.0, qpos, aim.pose)
        square = aim.joints**2
        matrix, pull = np.diag(square + DAMPED), square * self._away
        cost = float(square @ self._away**2)
        asked = ~np.isnan(aim.com)
        off = [COM_WEIGHT * (aim.com - state.com)[asked]]
        rows = [COM_WEIGHT * state.com_jacobian[asked]]
        for i, place in aim.places.items():
            rows.append(POINT_WEIGHT * self._jacobian(i))
            off.append(POINT_WEIGHT * (place - state.contact_point_m[i]))
        jacobian, missed = np.concatenate(rows), np.concatenate(off)
        return matrix + jacobian.T @ jacobian, pull + jacobian.T @ missed, cost + float(missed @ missed)

    def _above(self, aim: Aim) -> tuple[np.ndarray, np.ndarray]:
        """Rows (k, nv) of the heights of points near the ground, and the least (k,) that a step may change them by."""
        state = self.state
        height = state.contact_height_m.copy()
        for i, least in aim.clear.items():
            height[i] -= least
        near = [i for i in (height < NEAR_M).nonzero()[0].tolist() if i not in aim.places]
        rows = [state.contact_normal[i] @ self._jacobian(i) for i in near]
        return np.array(rows).reshape(-1, state.model.nv), np.minimum(-height[near], MOST_RISE_M)

    def _jacobian(self, i: int) -> np.ndarray:
        state = self.state
        jacobian = np.zeros((3, state.model.nv))
        mujoco.mj_jac(state.model, state.data, jacobian, None, state.contact_point_m[i], self._segment[i])
        return jacobian


def between(model: mujoco.MjModel, one: np.ndarray, other: np.ndarray, share: float) -> np.ndarray:
    """The pose (nq,) so much of the way from one to another."""
    away, found = np.zeros(model.nv), one.copy()
    mujoco.mj_differentiatePos(model, away, 1.0, one, other)
    mujoco.mj_integratePos(model, found, away, share)
    return found
