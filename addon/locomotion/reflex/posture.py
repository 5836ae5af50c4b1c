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
    """Posture of N walkers in the frame of their heading: x ahead, y left, z up. Legs left first. `leg` (N, 2, 3) and `leg_rate`
    are Geyer's angles of hip, knee, ankle [rad], [rad/s]: straight is pi, pi, a square ankle pi/2. `lean` (N,) is the trunk's,
    forward positive [rad]. `thigh` (N, 2) is how far a thigh points ahead of straight down, `out` how far to the left. `pelvis`
    (N, 3) is roll (right side down positive), pitch (nose down), yaw (to the left), small angles of its axes, and `pelvis_rate`
    (N, 3) its angular velocity about its own axes. `away` (N, 2, 2) is the centre of mass less the ankle, ahead and left [m];
    `velocity` (N, 3) the pelvis's [m/s]. `thigh_yaw` (N, 2) is how far a knee's axis is turned to the left, `thigh_rate` (N, 2,
    3) a thigh's angular velocity, its own axes. `ball` (N, B, 4) are the ball joints' quaternions."""

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
        place, spine = self.places, len(self._spine)
        self._ball_at = (np.array([place.coordinate[name] for name in place.balls])[:, None] + np.arange(4)).ravel()
        balls = [*self._spine, *(leg[0] for leg in self._legs), *(leg[2] for leg in self._legs)]
        self._turned_at = np.concatenate([[3, 4, 5, 6], *(place.coordinate[name] + np.arange(4) for name in balls)])
        self._knee_at = np.array([place.coordinate[leg[1]] for leg in self._legs])
        self._rates_at = np.array([[place.column[leg[0]] + 1, place.column[leg[1]], place.column[leg[2]] + 1]
                                   for leg in self._legs])
        self.joints = self._rates_at - body.root_freedom
        self._hip_columns = np.array([place.column[leg[0]] + np.arange(3) for leg in self._legs])
        self._frames = {name: i for i, name in enumerate(
            (body.segments[0].name, *self._spine, *(leg[i] for i in range(3) for leg in self._legs)))}
        self._lines = self._line_table()
        self._y, self._y_sign, self._x, self._sine, self._sine_sign = _angle_rows(1 + spine)

    def _line_table(self) -> np.ndarray:
        """(3 K, 3): from the K frames' rows, side by side, to the upper body's centre of mass from the pelvis's, and the body's
        from each ankle."""
        body, count = self.body, 3 * len(self._frames)
        root, kg = body.segments[0].name, self._mass

        def turned(name: str, vector: np.ndarray) -> np.ndarray:
            row = np.zeros(count)
            row[3 * self._frames[name]:][:3] = vector
            return row

        origin = {root: np.zeros(count)}
        for name in self._frames:
            if name != root:
                above = body.segment(name).hangs_on
                origin[name] = origin[above] + turned(above, body.segment(name).offset)
        com = {name: origin[name] + turned(name, self._com[name]) for name in self._frames}
        whole = np.sum([kg[name] * com[name] for name in self._frames], axis=0) / body.mass_kg
        upper = sum(kg[name] for name in self._spine)
        line = (np.sum([kg[name] * com[name] for name in self._spine], axis=0) / upper - com[root] if self._spine
                else turned(root, np.array([0.0, 0.0, 1.0])))
        return np.stack([line, *(whole - origin[leg[2]] for leg in self._legs)], axis=1)

    @staticmethod
    def place(qpos: np.ndarray) -> np.ndarray:
        """Of pelvises (N, 2) [m], ahead and left in the world."""
        return qpos[:, :2]

    @staticmethod
    def velocity(qvel: np.ndarray) -> np.ndarray:
        """Of pelvises (N, 3) [m/s], world axes."""
        return qvel[:, :3]

    def read(self, qpos: np.ndarray, qvel: np.ndarray, heading: float = 0.0) -> Felt:
        """Of coordinates (N, nq) and velocities (N, nv)."""
        n, spine = len(qpos), len(self._spine)
        quaternions = qpos.take(self._turned_at, 1)
        turned = _matrices(quaternions.reshape(n, -1, 4))
        frames, velocity = np.empty((n, len(self._frames), 3, 3)), qvel[:, :3]
        frames[:, 0] = turned[:, 0]
        if heading:
            c, s = math.cos(heading), math.sin(heading)
            turn = np.array(((c, s, 0.0), (-s, c, 0.0), (0.0, 0.0, 1.0)))
            frames[:, 0], velocity = turn @ turned[:, 0], velocity @ turn.T
        for i in range(1, 1 + spine):
            np.matmul(frames[:, i - 1], turned[:, i], out=frames[:, i])
        knee = qpos.take(self._knee_at, 1)
        thigh, shank, foot = (frames[:, at:at + 2] for at in (1 + spine, 3 + spine, 5 + spine))
        hip_turn = turned[:, 1 + spine:3 + spine]
        np.matmul(frames[:, :1], hip_turn, out=thigh)
        np.matmul(thigh, about_y(knee), out=shank)
        np.matmul(shank, turned[:, 3 + spine:], out=foot)
        places = frames.transpose(0, 2, 1, 3).reshape(n, 3, -1) @ self._lines
        told = np.concatenate([quaternions, places.reshape(n, 9), frames.reshape(n, -1)], axis=1)
        angle = plane_angle(told.take(self._y, 1) * self._y_sign, told.take(self._x, 1))
        sine = np.arcsin((told.take(self._sine, 1) * self._sine_sign).clip(-1.0, 1.0))
        twist = 2.0 * angle[:, 7:]
        twist -= 2.0 * math.pi * np.round(twist / (2.0 * math.pi))
        leg, pelvis = np.empty((n, 2, 3)), np.empty((n, 3))
        leg[..., 0], leg[..., 1], leg[..., 2] = math.pi + twist[:, :2], math.pi - knee, 0.5 * math.pi + twist[:, 2:]
        pelvis[:, ::2], pelvis[:, 1] = angle[:, :2], sine[:, 0]
        rate = (hip_turn.swapaxes(-1, -2) @ qvel[:, None, 3:6, None])[..., 0] + qvel.take(self._hip_columns, 1)
        return Felt(leg, qvel.take(self._rates_at, 1) * _RISING, angle[:, 2], angle[:, 3:5], sine[:, 1:], pelvis, qvel[:, 3:6],
                    places[:, :2, 1:].swapaxes(1, 2), velocity, angle[:, 5:7], rate,
                    qpos.take(self._ball_at, 1).reshape(n, -1, 4))


_RISING = np.array([1.0, -1.0, 1.0])
"""Geyer's knee opens as the coordinate falls."""


def _angle_rows(thigh: int) -> tuple[np.ndarray, ...]:
    """Where `Posture.read` finds what its angles are of, among the quaternions, the places (3, 3) and the frames, of which
    that one is the left thigh's; with signs. Angles: the pelvis's roll and yaw, lean, thighs ahead, thighs about, twists of hips
    and ankles; sines: the pelvis's pitch, thighs out."""
    quaternions = 4 * (thigh + 4)

    def place(row: int, column: int) -> int:
        return quaternions + 3 * row + column

    def frame(which: int, row: int, column: int) -> int:
        return quaternions + 9 + 9 * which + 3 * row + column

    thighs = thigh, thigh + 1
    balls = [4 * (thigh + i) for i in range(4)]
    y = [frame(0, 2, 1), frame(0, 1, 0), place(0, 0), *(frame(i, 0, 2) for i in thighs), *(frame(i, 0, 1) for i in thighs),
         *(at + 2 for at in balls)]
    x = [frame(0, 2, 2), frame(0, 0, 0), place(2, 0), *(frame(i, 2, 2) for i in thighs), *(frame(i, 1, 1) for i in thighs),
         *balls]
    sine = [frame(0, 2, 0), *(frame(i, 1, 2) for i in thighs)]
    return (np.array(y), np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0]), np.array(x), np.array(sine),
            -np.ones(3))


def _matrices(q: np.ndarray) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4): linear in the products of their components."""
    products = (q[..., :, None] * q[..., None, :]).reshape(*q.shape[:-1], 16)
    return (products @ _MATRIX_OF_PRODUCTS).reshape(*q.shape[:-1], 3, 3)
