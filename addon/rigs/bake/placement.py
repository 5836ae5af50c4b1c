# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the motion of a take lies in the scene once it is baked, and when."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np

from ...bodies.human.body import Human
from ...errors import RigError
from ...specs.shot import Shot
from ...take import Take
from ..read.armature import read_figure
from .base import standing_at_base
from .going_on import MOVED_KEY
from .prepare import frame_rate
from .provenance import SHOT_KEY, START_KEY, provenance


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


def baked_motion(armature: bpy.types.Object, take: Take, scene: bpy.types.Scene,
                 bones: Mapping[str, str] | None = None) -> BakedMotion:
    """Where a take lies that is baked on an armature. Raises RigError where it is not, or its way is left out or repeated."""
    action = _action_of(armature, take)
    made = provenance(action)
    if made.options.loop or made.options.root_motion == "in_place":
        raise RigError(f"The action {action.name!r} is a loop or walks on the spot, so its feet come down elsewhere than in the "
                       "take; bake the whole way.")
    with standing_at_base(armature, scene, made.options.start_frame, stay=False):
        figure = read_figure(armature, bones, scene)
        stands = np.array(armature.matrix_world, dtype=float)
    scale = Human.from_landmarks(figure.landmarks, take.body.mass_kg).leg_length_m / take.body.leg_length_m
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


def _action_of(armature: bpy.types.Object, take: Take) -> bpy.types.Action:
    """The armature's action, or that of its last strip, in which the take is baked."""
    data = armature.animation_data
    strips = [] if data is None else [strip.action for track in reversed(data.nla_tracks) for strip in reversed(track.strips)]
    shot = take.shot.to_dict()
    for action in ([] if data is None else [data.action, *strips]):
        if action is not None and SHOT_KEY in action and _same(action, shot):
            return action
    raise RigError(f"This take is not baked on {armature.name!r}; bake it first: its prints lie where its feet come down.")


def _same(action: bpy.types.Action, shot: dict) -> bool:
    try:
        return Shot.from_dict(json.loads(action[SHOT_KEY])).to_dict() == shot
    except ValueError:
        return False
