# SPDX-License-Identifier: GPL-3.0-or-later
"""What the reflex walker's muscles do not move: springs of the upper body, of hips and ankles to the side, of toes."""

from __future__ import annotations

import numpy as np

from ...bodies.body import FREEDOM, Body, kind_of
from ...bodies.human.landmarks import SIDES
from .posture import Felt, Places

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
    """Torques of N walkers behind the root (N, nv - 6), and the implicit `damping` (nv - 6,) that goes with them.

    `moment` is the body's mass times leg length times gravity over the standard body's on Earth, `gains` are named (N, 1).
    """

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
        self._hinges = [(places.coordinate[s.name], places.column[s.name] - root, kind_of(s.name) == "forearm")
                        for s in body.segments[1:] if s.joint == "hinge" and kind_of(s.name) != "shank"]
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
        q = felt.ball[:, self._held]
        wanted = np.zeros_like(q)
        wanted[..., 0] = 1.0
        for at in self._spine:  # each joint goes an equal part of the way; a quaternion has half the angle
            wanted[:, at, 1::2] = -0.5 / len(self._spine) * felt.pelvis[:, ::2]
            wanted[:, at, 2] = 0.5 / len(self._spine) * g["spine_lean"][:, 0]
        for at in self._neck:
            wanted[:, at, 2] = -0.5 / len(self._neck) * felt.lean
        swing = 0.5 * g["arms"] * (felt.leg[:, ::-1, 0] - np.pi)  # Geyer's hip angle falls as the leg goes ahead
        s, c = np.sin(swing), np.cos(swing)
        x, w = self._hang
        wanted[:, self._arms] = np.stack([w * c, x * c, w * s, x * s], axis=-1)
        v, big_v, w, big_w = q[..., 1:], wanted[..., 1:], q[..., :1], wanted[..., :1]
        error = 2.0 * np.sign(w) * (w * big_v - big_w * v - _cross(v, big_v))
        out[:, self._held_columns] = self._held_spring * error.reshape(len(out), -1)
        for at, column, bent in self._hinges:
            out[:, column] = self._spring[column] * ((g["elbow"][:, 0] if bent else 0.0) - qpos[:, at])

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
        q = felt.ball[:, self._foot_row]
        x, z = 2.0 * q[..., 1] * np.sign(q[..., 0]), 2.0 * q[..., 3] * np.sign(q[..., 0])
        target = -np.minimum(load / FULL_SHARE, 1.0) * (g["ankle_distance"] * felt.away[..., 1] + g["ankle_speed"]
                                                        * felt.velocity[:, 1:2])
        out[:, self._foot] = m * g["ankle_spring"] * (target - x)
        out[:, self._foot + 2] = -m * g["ankle_spring"] * z


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross product (..., 3); numpy's takes three times as long on few."""
    return a[..., [1, 2, 0]] * b[..., [2, 0, 1]] - a[..., [2, 0, 1]] * b[..., [1, 2, 0]]
