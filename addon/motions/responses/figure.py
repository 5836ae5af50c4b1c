# SPDX-License-Identifier: GPL-3.0-or-later
"""Poses of a body by its root, its joints and where its feet are: what a response is laid on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...bodies.body import Body, joint_quaternions, root_pose
from ...bodies.kinematics import segment_poses
from ...errors import InputError
from ...maths.rotations import matrix_from_quat, quat_from_rotvec, quat_multiply, rotvec_from_quat
from .feet import CLEAR_S, TOES_S, Legs, Sole, on_ground


@dataclass(frozen=True)
class Figure:
    """N poses: root (N, 3) [m] and (N, 4), joints (N, S-1, 4) in the order of `Body.joint_segments`, ankles (N, F, 3) [m] and
    feet's orientations (N, F, 4) in the order of `Body.feet`. Legs need not reach their feet before `grounded`."""

    root: np.ndarray
    turn: np.ndarray
    joints: np.ndarray
    ankles: np.ndarray
    soles: np.ndarray

    def coordinates(self, body: Body) -> np.ndarray:
        """Generalised coordinates (N, nq)."""
        columns = [self.root, self.turn]
        for segment, quats in zip(body.segments[1:], np.moveaxis(self.joints, 1, 0), strict=True):
            columns.append(quats if segment.axis is None else hinge_angle(quats, segment.axis)[:, None])
        return np.concatenate(columns, axis=1)


def figure_of(body: Body, qpos: np.ndarray) -> Figure:
    """The poses of generalised coordinates (N, nq). Raises InputError for a body without a person's two legs."""
    if body.kind != "human":
        raise InputError(f"Push responses are people's: a body of the kind {body.kind!r} has none.")
    root, turn = root_pose(body, qpos)
    joints = joint_quaternions(body, qpos)
    return with_feet(body, root, turn, joints)


def with_feet(body: Body, root: np.ndarray, turn: np.ndarray, joints: np.ndarray) -> Figure:
    """Poses whose feet are where their legs have them."""
    positions, orientations = segment_poses(body, root, turn, joints)
    feet = [body.index[foot.segment] for foot in body.feet]
    return Figure(root, turn, joints, positions[:, feet], orientations[:, feet])


def levels_of(body: Body, stance: Figure) -> np.ndarray:
    """Height (F,) [m] of the ground under each foot of one pose that stands."""
    return np.array([Sole.of(body, foot).at(stance.ankles[:, f], stance.soles[:, f])[..., 2].min()
                     for f, foot in enumerate(body.feet)])


def grounded(body: Body, figure: Figure, planted: np.ndarray, step_s: float, levels: np.ndarray) -> Figure:
    """Feet whose parts that are `planted` (N, F, 2) stay where they are, out of the ground, which is at `levels` (F,) [m], with
    legs that reach them."""
    soles = [Sole.of(body, foot) for foot in body.feet]
    at = {name: i for i, name in enumerate(body.joint_segments)}
    above = figure.ankles - levels[:, None] * np.array([0.0, 0.0, 1.0])
    pairs = []
    for f, (foot, sole) in enumerate(zip(body.feet, soles, strict=True)):
        toes = body.children(foot.segment)
        toe_rad = hinge_angle(figure.joints[:, at[toes[0]]], _hinge(body, toes[0])) if toes else np.zeros(len(above))
        pairs.append(on_ground(sole, above[:, f], figure.soles[:, f], toe_rad, planted[:, f], CLEAR_S / step_s))
    ankles, feet = np.stack([pair[0] for pair in pairs], axis=1), np.stack([pair[1] for pair in pairs], axis=1)
    legs = Legs.of(body)
    ankles[..., 2] += levels
    root = legs.sunk(figure.root, figure.turn, ankles, step_s)
    joints = reaching(body, legs, Figure(root, figure.turn, figure.joints, ankles, feet))
    for f, foot in enumerate(body.feet):
        for name in body.children(foot.segment):
            hinge = _hinge(body, name)
            angle = soles[f].toe_angle(ankles[:, f], feet[:, f], levels[f], hinge_angle(joints[:, at[name]], hinge),
                                       max(TOES_S / step_s, 0.5))
            joints[:, at[name]] = quat_from_rotvec(angle[:, None] * hinge)
    return Figure(root, figure.turn, joints, ankles, feet)


def reaching(body: Body, legs: Legs, figure: Figure) -> np.ndarray:
    """Joints (N, S-1, 4) with which the legs of poses reach their feet."""
    at, joints = {name: i for i, name in enumerate(body.joint_segments)}, figure.joints.copy()
    root, turn, ankles, soles = figure.root, figure.turn, figure.ankles, figure.soles
    for f, foot in enumerate(body.feet):
        hip, knee, ankle = (at[name] for name in foot.leg)
        axis = _hinge(body, foot.leg[1])
        side = np.einsum("nij,j->ni", matrix_from_quat(joints[:, hip]), axis)
        joints[:, hip], bend, joints[:, ankle] = legs.to(f, root, turn, ankles[:, f], soles[:, f], side)
        joints[:, knee] = quat_from_rotvec(bend[:, None] * axis)
    return joints


def _hinge(body: Body, name: str) -> np.ndarray:
    """The axis (3,) of a segment whose joint is a hinge. Raises InputError for one that is none."""
    axis = body.segment(name).axis
    if axis is None:
        raise InputError(f"Push responses are people's: the joint over {name} is no hinge.")
    return axis


def hinge_angle(quats: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Angles (N,) [rad] of rotations (N, 4) about an axis (3,)."""
    return rotvec_from_quat(quats) @ axis


def heading_of(turn: np.ndarray) -> np.ndarray:
    """The turn (4,) about the vertical of an orientation (4,)."""
    forward = matrix_from_quat(turn)[:, 0]
    return quat_from_rotvec(np.array([0.0, 0.0, np.arctan2(forward[1], forward[0])]))


def over(first: np.ndarray, then: np.ndarray, stance: np.ndarray, heading: np.ndarray | None = None) -> np.ndarray:
    """Rotations (N, 4): `stance` (4,) with the change from `first` (4,) to `then` (N, 4) laid over it, the change's axes being
    a `heading`'s."""
    inverse = np.array([1.0, -1.0, -1.0, -1.0])
    change = quat_multiply(then, (first * inverse)[None])
    if heading is not None:
        change = quat_multiply(quat_multiply(heading[None], change), (heading * inverse)[None])
    return quat_multiply(change, stance[None])
