# SPDX-License-Identifier: GPL-3.0-or-later
"""What a character carries, in a scene: an object that hangs on the bone that bears it, so that it goes wherever the hands go, in
loops, on the spot and in strips too. The scene's own object where one of that name and size is there, else a box."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import bpy
import numpy as np
from mathutils import Matrix
from scipy.interpolate import CubicSpline

from ...bodies.body import Body
from ...bodies.human.load import below_m
from ...errors import RigError
from ...maths.rotations import about_z, matrix_from_quat, quat_from_matrix, quat_rotate
from ...sim.take import Take
from ..read.armature import match_of
from ..read.figure import Figure
from .artist_keys import keep
from .hands import palm_turns

CARRIED_KEY = "lope_carried"
"""Property of the object that is carried: its world matrix before, sixteen numbers."""
FRONT = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""From an object's axes, whose front is -Y as a character's, to those of a load, which is x deep and y wide."""

SWING_DAMPING, SWING_STEP_S = 0.5, 0.002
"""Damping ratio of what swings in a hand that keeps it off the legs (first guess: at 0.2 a lope on the Moon, in tune with it,
swung it through them), and the longest step of its motion [s]."""


def unit_of(armature: bpy.types.Object, body: Body, figure: Figure) -> float:
    """World units that a metre of a body is, as large as the armature stands."""
    scale = float(np.cbrt(abs(armature.matrix_world.to_3x3().determinant())))
    return scale * figure.units_per_m * figure.leg_length_m / body.leg_length_m


def hang(item: bpy.types.Object, armature: bpy.types.Object, body: Body, figure: Figure,
         bones: Mapping[str, str] | None = None, turns: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Hang an object that is what a body carries on the bone that bears it, of an armature that the body is baked on, as it is
    turned at first from the segment, (T, 3, 3), by default as the body holds it; gives the object's own places (T, 3) and
    rotations (T, 4) for all of them. Raises RigError for a rig without that bone."""
    load, (segment, pose) = body.carries.load, next(iter(body.carries.borne.items()))
    name = _bone_of(armature, figure, segment, bones)
    scale = float(np.cbrt(abs(armature.matrix_world.to_3x3().determinant())))
    unit = unit_of(armature, body, figure) / scale
    before = [number for row in item.matrix_world for number in row]
    palm = palm_turns(figure).get(segment[-1], 0.0) if segment.startswith("hand") else 0.0
    rest = figure.axes @ figure.alignments.get(segment, np.eye(3)).T @ about_z(palm).T
    level = rest @ (matrix_from_quat(np.array(pose[3:]))[None] if turns is None else turns)
    joint = figure.origin + figure.units_per_m * (figure.axes @ figure.joint(segment))
    middles = joint + unit * (rest @ np.array(pose[:3]) + level @ [0.0, 0.0, below_m(load)])
    size = np.array(item.matrix_world.to_scale()) / scale
    corners = np.array(item.bound_box, dtype=float) * size
    places = middles - level @ FRONT @ (0.5 * (corners.min(axis=0) + corners.max(axis=0)))
    bone, data = armature.data.bones[name], item.animation_data
    if data is not None and data.action is not None:  # its keys would move it off the hand
        keep(data.action, asked=True)
        data.action = None
    item.parent, item.parent_type, item.parent_bone = armature, "BONE", name
    item.matrix_parent_inverse = Matrix.Translation((0.0, -bone.length, 0.0)) @ bone.matrix_local.inverted()
    item.matrix_basis = Matrix.LocRotScale(places[0], Matrix((level[0] @ FRONT).tolist()), size)
    item[CARRIED_KEY] = before
    return places, quat_from_matrix(level @ FRONT)


def swinging(take: Take, times_s: np.ndarray) -> np.ndarray:
    """How what hangs from a hand is turned from it (T, 3, 3) at times of a take: a pendulum of its size, moved by the hand."""
    body, (places, quats) = take.body, take.segment_poses
    (name, pose), load = next(iter(body.carries.borne.items())), body.carries.load
    i, far = body.index[name], -below_m(load)
    deep, _, high = load.edges_m
    hand = quats[:, i] * np.sign(np.sum(quats[:, i] * quats[:1, i], axis=1))[:, None]
    pivot = places[:, i] + quat_rotate(hand, np.array(pose[:3]))
    ways = swung(take.time_s, pivot, take.shot.world.gravity_m_s2, far + (high**2 + deep**2) / (12.0 * far))
    up, turn = (np.column_stack([np.interp(times_s, take.time_s, column) for column in values.T]) for values in (-ways, hand))
    up /= np.linalg.norm(up, axis=1, keepdims=True)
    turned = matrix_from_quat(turn / np.linalg.norm(turn, axis=1, keepdims=True))
    ahead = turned @ matrix_from_quat(np.array(pose[3:]))[:, 0]
    left = np.cross(up, ahead)
    left /= np.linalg.norm(left, axis=1, keepdims=True)
    return turned.transpose(0, 2, 1) @ np.stack([np.cross(left, up), left, up], axis=2)


def swung(time_s: np.ndarray, pivot_m: np.ndarray, gravity_m_s2: float, length_m: float) -> np.ndarray:
    """Unit ways (T, 3) from a pivot on the way (T, 3) to a damped pendulum of a length [m] that hangs there at first."""
    place = CubicSpline(time_s, pivot_m)
    steps = max(1, math.ceil(float(np.diff(time_s).max()) / SWING_STEP_S))
    damping = 2.0 * SWING_DAMPING * math.sqrt(gravity_m_s2 / length_m)
    bob, speed, found = pivot_m[0] - [0.0, 0.0, length_m], place(time_s[0], 1), [np.array([0.0, 0.0, -1.0])]
    for start, end in pairwise(time_s):
        step = (end - start) / steps
        times = start + step * np.arange(1, steps + 1)
        for pivot, rate in zip(place(times), place(times, 1), strict=True):
            speed = speed - step * (damping * (speed - rate) + [0.0, 0.0, gravity_m_s2])
            away = bob + step * speed - pivot
            after = pivot + length_m * away / np.linalg.norm(away)
            bob, speed = after, (after - bob) / step
        found.append((bob - place(end)) / length_m)
    return np.array(found)


def let_go(armature: bpy.types.Object) -> list[bpy.types.Object]:
    """Put what the armature carries back where it was; gives that."""
    items = [one for one in armature.children if CARRIED_KEY in one]
    for item in items:
        numbers = list(item.pop(CARRIED_KEY))
        item.parent, item.matrix_parent_inverse = None, Matrix()
        if item.animation_data is not None:
            item.animation_data.action = None  # what it swung by
        item.matrix_world = Matrix([numbers[i:i + 4] for i in range(0, 16, 4)])
    return items


def _bone_of(armature: bpy.types.Object, figure: Figure, segment: str, bones: Mapping[str, str] | None) -> str:
    """Name of the bone that moves as a segment does."""
    name = (bones or match_of(armature).joint_of).get(segment) or figure.bone_of.get(segment)
    if name is None:
        raise RigError(f"The armature {armature.name!r} has no bone for {segment}, on which its load could hang: name one in the "
                       "bone map.")
    return name
