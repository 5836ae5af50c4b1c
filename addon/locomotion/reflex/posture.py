# SPDX-License-Identifier: GPL-3.0-or-later
"""What the reflexes feel of a human's posture, from generalised coordinates, in batches: legs, lean, where feet are."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...bodies.body import COORDINATES, FREEDOM, Body
from ...bodies.human.landmarks import SIDES
from ...maths.rotations import about_y, plane_angle


def _products_to_matrix() -> np.ndarray:
    """(16, 9): from w w, w x ... z z to the rows of the rotation matrix."""
    table = np.zeros((4, 4, 3, 3))
    w, x, y, z = range(4)
    for one, signs in ((w, (1, 1, 1)), (x, (1, -1, -1)), (y, (-1, 1, -1)), (z, (-1, -1, 1))):
        table[one, one] = np.diag(signs)
    for row, column, (a, b), (c, d), sign in ((0, 1, (x, y), (w, z), -1), (0, 2, (x, z), (w, y), 1), (1, 2, (y, z), (w, x), -1)):
        table[a, b, row, column] = table[a, b, column, row] = 2.0
        table[c, d, row, column], table[c, d, column, row] = 2.0 * sign, -2.0 * sign
    return table.reshape(16, 9)


_MATRIX_OF_PRODUCTS = _products_to_matrix()


class Felt(NamedTuple):
    """Posture of N walkers in the frame of their heading: x ahead, y left, z up. Legs left first.

    `leg` (N, 2, 3) and `leg_rate` are Geyer's angles of hip, knee, ankle [rad], [rad/s]: straight is pi, pi, a square ankle pi/2.
    `lean` (N,) is the trunk's, forward positive [rad]. `thigh` (N, 2) is how far a thigh points ahead of straight down, `out`
    how far to the left. `pelvis` (N, 3) is roll (right side down positive), pitch (nose down), yaw (to the left), small angles of
    its axes, and `pelvis_rate` (N, 3) its angular velocity about its own axes. `away` (N, 2, 2) is the centre of mass less the
    ankle, ahead and left [m]; `velocity` (N, 3) the pelvis's [m/s]. `thigh_yaw` (N, 2) is how far a knee's axis is turned to the
    left, `thigh_rate` (N, 2, 3) a thigh's angular velocity, its own axes. `ball` (N, B, 4) are the ball joints' quaternions.
    """

    leg: np.ndarray
    leg_rate: np.ndarray
    lean: np.ndarray
    thigh: np.ndarray
    out: np.ndarray
    pelvis: np.ndarray
    pelvis_rate: np.ndarray
    away: np.ndarray
    velocity: np.ndarray
    thigh_yaw: np.ndarray
    thigh_rate: np.ndarray
    ball: np.ndarray


class Places:
    """Where the joints of a body stand in its generalised coordinates and velocities."""

    def __init__(self, body: Body) -> None:
        at, column = body.root_coordinates, body.root_freedom
        self.coordinate, self.column = {}, {}
        for segment in body.segments[1:]:
            self.coordinate[segment.name], self.column[segment.name] = at, column
            at, column = at + COORDINATES[segment.joint], column + FREEDOM[segment.joint]
        self.balls = [s.name for s in body.segments[1:] if s.joint == "ball"]
        self.ball_row = {name: i for i, name in enumerate(self.balls)}


class Posture:
    """Reads `Felt` of one body. All that is not pelvis, spine or leg is lumped with what it hangs on, hanging as in the neutral
    pose: arms swing, and the centre of mass does not feel it."""

    def __init__(self, body: Body) -> None:
        self.body, self.places = body, Places(body)
        self._spine = list(body.way_to(body.role("trunk"))[1:])
        self._legs = [list(foot.leg) for foot in sorted(body.feet, key=lambda foot: SIDES.index(foot.side))]
        moving = [body.segments[0].name, *self._spine, *self._legs[0], *self._legs[1]]
        self._mass, moment = dict.fromkeys(moving, 0.0), {name: np.zeros(3) for name in moving}
        for segment in body.segments:
            name, offset = segment.name, np.zeros(3)
            while name not in moment:
                offset = offset + body.segment(name).offset
                name = body.segment(name).hangs_on
            self._mass[name] += segment.mass_kg
            moment[name] += segment.mass_kg * (offset + segment.com)
        self._com = {name: moment[name] / self._mass[name] for name in moving}
        self._offset = {name: body.segment(name).offset for name in moving}
        self._root = body.segments[0].name
        self._upper_kg = sum(self._mass[name] for name in self._spine)
        place = self.places
        self._ball_at = (np.array([place.coordinate[name] for name in place.balls])[:, None] + np.arange(4)).ravel()
        row = place.ball_row
        self._hips, self._feet = [row[leg[0]] for leg in self._legs], [row[leg[2]] for leg in self._legs]
        self._knee_at = [place.coordinate[leg[1]] for leg in self._legs]
        self._rates_at = np.array([[place.column[leg[0]] + 1, place.column[leg[1]], place.column[leg[2]] + 1]
                                   for leg in self._legs])
        self._hip_columns = np.array([place.column[leg[0]] + np.arange(3) for leg in self._legs])
        self._matrices = [row[name] for name in self._spine] + self._hips + self._feet
        self._offset_thigh = np.stack([self._offset[leg[0]] for leg in self._legs])
        self._offset_shank = np.stack([self._offset[leg[1]] for leg in self._legs])
        self._offset_foot = np.stack([self._offset[leg[2]] for leg in self._legs])
        self._com_leg = [np.stack([self._com[leg[i]] for leg in self._legs]) for i in range(3)]
        self._mass_leg = [np.array([self._mass[leg[i]] for leg in self._legs])[:, None] for i in range(3)]

    def read(self, qpos: np.ndarray, qvel: np.ndarray, heading: float = 0.0) -> Felt:
        """Of coordinates (N, nq) and velocities (N, nv)."""
        n = len(qpos)
        balls = qpos[:, self._ball_at].reshape(n, -1, 4)
        turned = _matrices(np.concatenate([qpos[:, None, 3:7], balls[:, self._matrices]], axis=1))
        root = turned[:, 0]
        velocity = qvel[:, :3]
        if heading:
            c, s = math.cos(heading), math.sin(heading)
            turn = np.array(((c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0)))
            root, velocity = turn @ root, velocity @ turn.T
        knee = qpos[:, self._knee_at]
        spine, legs = len(self._spine), root[:, None]
        pelvis_com = root @ self._com[self._root]
        total, upper = self._mass[self._root] * pelvis_com, np.zeros((n, 3))
        frame, place = root, np.zeros((n, 3))
        for i, name in enumerate(self._spine):
            place = place + frame @ self._offset[name]
            frame = frame @ turned[:, 1 + i]
            upper = upper + self._mass[name] * (place + frame @ self._com[name])
        total = total + upper
        line = upper / self._upper_kg - pelvis_com if self._spine else root[:, :, 2]
        hip_turn, foot_turn = turned[:, 1 + spine:3 + spine], turned[:, 3 + spine:]
        thigh = legs @ hip_turn
        hip = root @ self._offset_thigh.T
        hip = hip.transpose(0, 2, 1)
        shank = thigh @ about_y(knee)
        knees = hip + _turned(thigh, self._offset_shank)
        ankles = knees + _turned(shank, self._offset_foot)
        foot = shank @ foot_turn
        for origin, matrix, com, mass in zip((hip, knees, ankles), (thigh, shank, foot), self._com_leg, self._mass_leg,
                                             strict=True):
            total = total + (mass * (origin + _turned(matrix, com))).sum(axis=1)
        away = (total / self.body.mass_kg)[:, None, :2] - ankles[:, :, :2]
        hips, feet = balls[:, self._hips], balls[:, self._feet]
        leg = np.stack([math.pi + _twist(hips), math.pi - knee, 0.5 * math.pi + _twist(feet)], axis=-1)
        rates = qvel[:, self._rates_at]
        rates[:, :, 1] *= -1.0
        pelvis = np.stack([plane_angle(root[:, 2, 1], root[:, 2, 2]), -np.arcsin(np.clip(root[:, 2, 0], -1.0, 1.0)),
                           plane_angle(root[:, 1, 0], root[:, 0, 0])], axis=-1)
        down = -thigh[..., 2]
        rate = (hip_turn.swapaxes(-1, -2) @ qvel[:, None, 3:6, None])[..., 0] + qvel[:, self._hip_columns]
        return Felt(leg, rates, plane_angle(line[:, 0], line[:, 2]), plane_angle(down[..., 0], -down[..., 2]),
                    np.arcsin(np.clip(down[..., 1], -1.0, 1.0)), pelvis, qvel[:, 3:6], away, velocity,
                    plane_angle(-thigh[..., 0, 1], thigh[..., 1, 1]), rate, balls)


def _turned(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """Vectors (2, 3) turned by matrices (N, 2, 3, 3)."""
    return (matrix @ vector[:, :, None])[..., 0]


def _twist(q: np.ndarray) -> np.ndarray:
    """Angle of quaternions (..., 4) about y."""
    angle = 2.0 * plane_angle(q[..., 2], q[..., 0])
    return angle - 2.0 * math.pi * np.round(angle / (2.0 * math.pi))


def _matrices(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4): linear in the products of their components."""
    products = (q[..., :, None] * q[..., None, :]).reshape(*q.shape[:-1], 16)
    return (products @ _MATRIX_OF_PRODUCTS).reshape(*q.shape[:-1], 3, 3)
