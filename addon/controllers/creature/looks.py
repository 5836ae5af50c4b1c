# SPDX-License-Identifier: GPL-3.0-or-later
"""How N creatures are at one instant, in units of leg, weight and sqrt(L / g): what a search judges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body
from ...bodies.segments import COORDINATES
from .felt import Felt
from .gaps import Legs
from .layout import Layout
from .timing import straight_leg_m, time_unit_s


@dataclass(frozen=True)
class Look:
    """N walkers at one instant, left before right.

    `heading`, `pitch` (the trunk's lean ahead of how it is drawn), `roll` (N,) [rad]; `ahead` (N,) the centre of mass's speed
    where the trunk heads, `aside` (N,) how far off its first way it is, over how far it has come; `head` (N, 3) the head's place,
    `nod2` (N,) the square of its tilt from how it is drawn [rad^2];
    `load` (N, 2); `leg` (N, 2) from hip to foot over the leg; `fore`, `side` (N, 2) the feet's places from the centre of mass,
    ahead and to the left; `low` (N, 2) the height of the lowest point of each sole; `points` (N, P, 3) the soles' points;
    `lap` (N,) how deep the legs are in each other; `off_pose` (N,) mean square turn of the joints from the drawing; `power` (N,)
    of the joints.
    """

    time: float
    heading: np.ndarray
    pitch: np.ndarray
    roll: np.ndarray
    ahead: np.ndarray
    aside: np.ndarray
    head: np.ndarray
    nod2: np.ndarray
    load: np.ndarray
    leg: np.ndarray
    fore: np.ndarray
    side: np.ndarray
    low: np.ndarray
    points: np.ndarray
    lap: np.ndarray
    off_pose: np.ndarray
    power: np.ndarray


class Looker:
    """Makes a Look of what is felt of walkers of one body. `drawn_leg` is the length of the leg as drawn, hip to foot, over its
    segments'; `drawn_width` how far its feet are apart there; `points_of` (2, ...) the rows of each foot's points."""

    def __init__(self, layout: Layout, body: Body, gravity_m_s2: float) -> None:
        self.layout, self._body = layout, body
        self._leg_m = straight_leg_m(body)
        self._time_s = time_unit_s(self._leg_m, gravity_m_s2)
        self._weight_n = body.mass_kg * gravity_m_s2
        self.points_of = [np.nonzero(row)[0] for row in layout.of_foot]
        self._rows = np.array([body.index[point.segment] for point in body.contact_points])
        self._at = np.array([point.position for point in body.contact_points])
        self._radius = np.array([point.radius_m for point in body.contact_points])
        self._legs = Legs(layout, body)
        self._head = body.index[body.roles.get("head", body.role("trunk"))]
        self._head_tip = body.segments[self._head].tip
        place = _drawn(body)
        hip, foot = place[layout.legs[:, 0]], place[layout.legs[:, -1]]
        self.drawn_leg = float(np.linalg.norm(foot - hip, axis=1).mean() / self._leg_m)
        self.drawn_width = float(abs(foot[0, 1] - foot[1, 1]) / self._leg_m)
        starts = np.cumsum([body.root_coordinates, *(COORDINATES[segment.joint] for segment in body.segments[1:-1])])
        hinge = np.array([segment.joint == "hinge" for segment in body.segments[1:]], dtype=bool)
        self._hinges, self._balls = starts[hinge], starts[~hinge]

    def look(self, felt: Felt, torque: np.ndarray, time_s: float) -> Look:
        """Of walkers moved by torques (N, nv - 6) [N m]."""
        leg_m, layout = self._leg_m, self.layout
        trunk = felt.turn[:, layout.trunk]
        heading = np.arctan2(trunk[:, 1, 0], trunk[:, 0, 0])
        cos, sin = np.cos(heading), np.sin(heading)
        points = felt.place[:, self._rows] + np.einsum("nsij,sj->nsi", felt.turn[:, self._rows], self._at)
        feet = np.stack([points[:, rows].mean(axis=1) for rows in self.points_of], axis=1) - felt.com[:, None]
        joints = felt.place[:, layout.legs]
        speed = leg_m / self._time_s
        quaternion_w = np.clip(np.abs(felt.qpos[:, self._balls]), 0.0, 1.0)
        turned = (2.0 * np.arccos(quaternion_w))**2
        count = max(len(self._hinges) + len(self._balls), 1)
        root = self._body.root_freedom
        return Look(
            time=time_s / self._time_s, heading=heading, pitch=-np.arcsin(np.clip(trunk[:, 2, 0], -1.0, 1.0)),
            roll=np.arcsin(np.clip(trunk[:, 2, 1], -1.0, 1.0)),
            ahead=(cos * felt.com_velocity[:, 0] + sin * felt.com_velocity[:, 1]) / speed,
            aside=felt.com[:, 1] / np.maximum(np.abs(felt.com[:, 0]), 5.0 * leg_m),
            head=(felt.place[:, self._head] + felt.turn[:, self._head] @ self._head_tip) / leg_m,
            nod2=(felt.turn[:, self._head, 2, :2]**2).sum(axis=1),
            load=felt.load / self._weight_n, leg=np.linalg.norm(joints[:, :, -1] - joints[:, :, 0], axis=2) / leg_m,
            fore=(cos[:, None] * feet[..., 0] + sin[:, None] * feet[..., 1]) / leg_m,
            side=(-sin[:, None] * feet[..., 0] + cos[:, None] * feet[..., 1]) / leg_m,
            low=np.stack([(points[:, rows, 2] - self._radius[rows]).min(axis=1) for rows in self.points_of], axis=1) / leg_m,
            points=points / leg_m, lap=self._legs.depth_m(felt) / leg_m,
            off_pose=(turned.sum(axis=1) + (felt.qpos[:, self._hinges]**2).sum(axis=1)) / count,
            power=np.abs(torque * felt.qvel[:, root:]).sum(axis=1) / (self._weight_n * speed))


def _drawn(body: Body) -> np.ndarray:
    """Places (S, 3) [m] of the joints as drawn, from the root's."""
    place = np.zeros((len(body.segments), 3))
    for row, segment in enumerate(body.segments[1:], 1):
        place[row] = place[body.index[segment.hangs_on]] + segment.offset
    return place
