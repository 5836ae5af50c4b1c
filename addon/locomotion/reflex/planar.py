# SPDX-License-Identifier: GPL-3.0-or-later
"""The reflex walker in the sagittal plane: seven links, nine coordinates, moved by muscles alone (Geyer and Herr 2010). Nothing
goes sideways and the upper body is one, so it needs none of the whole body's springs; reflexes, units and numbers are
`law.ReflexLaw`'s. A step of `STEP_S` holds every nerve's delay a whole number of times; fibres follow implicitly at it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from .posture import Felt

STEP_S = 0.0025
LEG = ("thigh", "shank", "foot")


class PlanarPosture:
    """Reads `Felt` of a planar body of seven links; what is sideways is nought."""

    def __init__(self, body: Body, n: int) -> None:
        columns = [[body.joint_segments.index(f"{part}_{side}") for part in LEG] for side in SIDES]
        self.joints = np.array(columns)
        self._leg_at, turns = 3 + self.joints, np.zeros((7, 7))
        turns[0] = 1.0  # all turn with the trunk
        for thigh, shank, foot in columns:  # the pitch of each, positive nose down, of the joints' angles
            turns[1 + thigh, 1 + np.array([thigh, shank, foot])] = -1.0
            turns[1 + shank, 1 + np.array([shank, foot])] = 1.0
            turns[1 + foot, 1 + foot] = -1.0
        self._turns, self._thigh = turns, 1 + self.joints[:, 0]
        lines = self._lines(body)
        self._ahead = np.stack([lines["com"] - lines[f"foot_{side}"] for side in SIDES], axis=1)
        points = np.stack([lines[p.segment] + _along(p.position, body.index[p.segment]) for p in body.contact_points], axis=1)
        self._points_up = np.concatenate([points[7:], -points[:7]])  # what is ahead sinks as the nose goes down
        self._radius_m = np.array([p.radius_m for p in body.contact_points])
        self._nothing = np.zeros((n, 2, 3))
        self._ball = np.zeros((n, 0, 4))

    def _lines(self, body: Body) -> dict[str, np.ndarray]:
        """(14,) of each joint and of the centre of mass ("com"): from the cosines and sines of the links' pitches to how far
        ahead of the hips it is [m]."""
        lines, moment = {body.segments[0].name: np.zeros(14)}, np.zeros(14)
        for i, segment in enumerate(body.segments):
            if segment.parent is not None:
                lines[segment.name] = lines[segment.parent] + _along(segment.offset, body.index[segment.parent])
            moment += segment.mass_kg * (lines[segment.name] + _along(segment.com, i))
        return {**lines, "com": moment / body.mass_kg}

    @staticmethod
    def place(qpos: np.ndarray) -> np.ndarray:
        """Of trunks (N, 2) [m], ahead and left in the world."""
        return qpos[:, :1] * (1.0, 0.0)

    @staticmethod
    def velocity(qvel: np.ndarray) -> np.ndarray:
        """Of trunks (N, 3) [m/s], world axes."""
        return np.stack([qvel[:, 0], np.zeros(len(qvel)), qvel[:, 1]], axis=1)

    def read(self, qpos: np.ndarray, qvel: np.ndarray, heading: float = 0.0) -> Felt:
        """Of coordinates (N, 9) and velocities (N, 9)."""
        n, nothing = len(qpos), self._nothing
        pitch, rate = qpos[:, 2:] @ self._turns, qvel[:, 2]
        places = np.empty((n, 14))
        np.cos(pitch, out=places[:, :7])
        np.sin(pitch, out=places[:, 7:])
        away = np.zeros((n, 2, 2))
        away[..., 0] = places @ self._ahead
        velocity, pelvis = np.zeros((n, 3)), np.zeros((n, 3))
        velocity[:, ::2], pelvis[:, 1] = qvel[:, :2], qpos[:, 2]
        thigh_rate = np.zeros((n, 2, 3))
        thigh_rate[..., 1] = rate[:, None] - qvel.take(self._leg_at[:, 0], 1)
        return Felt(STRAIGHT - qpos.take(self._leg_at, 1), -qvel.take(self._leg_at, 1), qpos[:, 2].copy(),
                    -pitch.take(self._thigh, 1), nothing[..., 0], pelvis, nothing[:, 0], away, velocity, nothing[..., 0],
                    thigh_rate, self._ball)

    def begin(self, gains: Mapping[str, np.ndarray], leg_m: float, scale: float) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and velocities (N, 9) of a step, the left leg in front and turning about its ankle, the lowest contact
        point on level ground at z = 0. Speeds are `scale` times the numbers'."""
        qpos, qvel = np.zeros((2, len(self._nothing), 9))
        qpos[:, 2] = gains["begin_lean"][:, 0]
        for leg, columns in zip(("front", "back"), self._leg_at.tolist(), strict=True):
            for column, joint in zip(columns, ("hip", "knee", "ankle"), strict=True):
                qpos[:, column] = gains[f"begin_{joint}_{leg}"][:, 0]
        pitch = qpos[:, 2:] @ self._turns
        qpos[:, 1] = -(np.concatenate([np.cos(pitch), np.sin(pitch)], axis=1) @ self._points_up - self._radius_m).min(axis=1)
        qvel[:, 0], qvel[:, 1] = scale * gains["begin_speed"][:, 0], scale * gains["begin_up"][:, 0]
        (thigh, _, foot), (other, knee, _) = self._leg_at.tolist()
        qvel[:, foot] = qvel[:, 0] / (leg_m * np.maximum(np.cos(qpos[:, thigh]), 0.5))
        qvel[:, thigh] = -qvel[:, foot]
        qvel[:, other] += gains["begin_hip_rate"][:, 0]
        qvel[:, knee] += gains["begin_knee_rate"][:, 0]
        return qpos, qvel


def _along(place: np.ndarray, link: int) -> np.ndarray:
    """(14,): from the cosines and sines of the links' pitches to how far ahead of its joint a place (3,) [m] of a link is."""
    row = np.zeros(14)
    row[link], row[7 + link] = place[0], place[2]
    return row


STRAIGHT = np.array([math.pi, math.pi, 0.5 * math.pi])
"""Geyer's angles of a leg that stands straight, which fall as joints flex."""


