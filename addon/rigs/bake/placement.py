# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the motion of a take lies in the scene once it is baked, and when."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import bpy
import numpy as np

from ...bodies.body import Body
from ...errors import InputError, RigError
from ...specs.shot import Shot
from .placing import figure_for, standing_at_base
from .provenance import MOVED_KEY, START_KEY, baked_actions, frame_rate, provenance, shot_of


class Baked(Protocol):
    """What is asked of a take."""

    shot: Shot
    body: Body
    time_s: np.ndarray


@dataclass(frozen=True)
class BakedMotion:
    """The action that a take was baked to, and the way from the take's places [m] to the scene's, `matrix` (4, 4), and from its
    times [s] to the scene's: the take's first sample, at `first_s`, lies at `scene_s` (frame over frame rate)."""

    action: bpy.types.Action
    matrix: np.ndarray
    first_s: float
    scene_s: float

    def to_world(self, places: np.ndarray) -> np.ndarray:
        """World places (N, 3) of a take's places (N, 3)."""
        return np.asarray(places).reshape(-1, 3) @ self.matrix[:3, :3].T + self.matrix[:3, 3]

    def direction(self, directions: np.ndarray) -> np.ndarray:
        """World directions (..., 3), in Blender units, of a take's (..., 3) [m]."""
        return np.asarray(directions) @ self.matrix[:3, :3].T

    def seconds(self, times: np.ndarray) -> np.ndarray:
        """Scene times (N,) [s] of a take's times (N,)."""
        return np.asarray(times) - self.first_s + self.scene_s


def baked_motion(armature: bpy.types.Object, take: Baked, scene: bpy.types.Scene,
                 bones: Mapping[str, str] | None = None) -> BakedMotion:
    """Where a take lies that is baked on an armature. Raises RigError where it is not, or its way is left out or repeated."""
    action = action_of(armature, take)
    if action is None:
        raise RigError(f"This take is not baked on {armature.name!r}; bake it first: its prints lie where its feet come down.")
    made = provenance(action)
    if made.options.loop or made.options.root_motion == "in_place":
        raise RigError(f"The action {action.name!r} is a loop or walks on the spot, so its feet come down elsewhere than in the "
                       "take; bake the whole way.")
    with standing_at_base(armature, scene, made.options.start_frame, stay=False):
        figure = figure_for(armature, take.body, bones, scene)
        stands = np.array(armature.matrix_world, dtype=float)
    scale = figure.own_body(take.body.mass_kg).leg_length_m / take.body.leg_length_m
    into = np.eye(4)
    into[:3, :3], into[:3, 3] = scale * figure.units_per_m * figure.axes, figure.ground
    matrix = stands @ into @ _moved(action, scale)
    return BakedMotion(action, matrix, float(take.time_s[0]), float(action[START_KEY]) / frame_rate(scene))


def _moved(action: bpy.types.Action, scale: float) -> np.ndarray:
    """Matrix (4, 4) by which a bake that goes on from another moved the take."""
    x, y, yaw = json.loads(action.get(MOVED_KEY, "[0, 0, 0]"))
    out = np.eye(4)
    out[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
    out[:2, 3] = x / scale, y / scale
    return out


def action_of(armature: bpy.types.Object, take: Baked) -> bpy.types.Action | None:
    """The armature's action, or that of its last strip, in which the take is baked; None where it is not."""
    return next((action for action in baked_actions(armature) if _is_of(action, take.shot)), None)


def _is_of(action: bpy.types.Action, shot: Shot) -> bool:
    """Whether an action was baked from a shot; not where what it stores cannot be read."""
    try:
        return shot_of(action).to_dict() == shot.to_dict()
    except InputError:
        return False
