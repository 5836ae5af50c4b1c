# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a figure's hips through a scene, and where it heads: along its travel where it goes ahead, else where it faces."""

from __future__ import annotations

import math
from dataclasses import dataclass

import bpy
import numpy as np

from .armature import metres_per_unit
from .figure import Figure

LEAST_TRAVEL_M = 0.3
"""A figure that travels less than that walks or stands on the spot."""
START_S = 1.0
"""Over how long at the start the facing is averaged: about a stride, so that the pelvis' own turns cancel."""
PELVIS_TURN_RAD = math.radians(15.0)
"""A pelvis that faces less than that off its rest only turns with its steps (gait or sway); the figure faces as at rest."""


@dataclass(frozen=True)
class Way:
    """World positions (N, 3) of the hips at `frames` (N,), and the horizontal unit vectors (N, 2) that they face; `rest` (2,) is
    the one that the figure faces at rest, `least` is the shortest travel there is (LEAST_TRAVEL_M in the scene's unit)."""

    frames: np.ndarray
    places: np.ndarray
    facing: np.ndarray
    rest: np.ndarray
    least: float
    frames_per_s: float

    @property
    def heading_rad(self) -> float:
        """Direction [rad from +X] of the travel where the figure goes more ahead than aside or backward; else its facing."""
        travel = self.places[-1, :2] - self.places[0, :2]
        travels = float(np.linalg.norm(travel)) >= self.least
        ahead = travel if travels and self._goes_ahead() else self._facing_at_start()
        return math.atan2(ahead[1], ahead[0])

    def road(self) -> tuple[np.ndarray, float, float, float]:
        """Where a straight road along the heading starts (2,), its heading [rad], its length, and how far the way goes to its
        sides beyond what a way along the road does: 0 where the figure goes ahead."""
        heading, start = self.heading_rad, self.places[0, :2]
        travel = self.places[-1, :2] - start
        length = float(np.linalg.norm(travel))
        if length < self.least or self._goes_ahead():
            return start, heading, length, 0.0
        forward = np.array([math.cos(heading), math.sin(heading)])
        left = np.array([-forward[1], forward[0]])
        along, aside = (self.places[:, :2] - start) @ forward, (self.places[:, :2] - start) @ left
        middle = 0.5 * float(aside.min() + aside.max())
        return start + float(along.min()) * forward + middle * left, heading, float(np.ptp(along)), 0.5 * float(np.ptp(aside))

    def _goes_ahead(self) -> bool:
        """Whether the way, followed step by step, goes at least as far ahead as to one side: on a curve, too."""
        steps, facing = np.diff(self.places[:, :2], axis=0), self.facing[:-1]
        ahead = float(np.sum(steps * facing))
        aside = float(np.sum(facing[:, 0] * steps[:, 1] - facing[:, 1] * steps[:, 0]))
        return ahead >= abs(aside)

    def _facing_at_start(self) -> np.ndarray:
        faces = self.facing[self.frames <= self.frames[0] + START_S * self.frames_per_s].mean(axis=0)
        off = math.atan2(self.rest[0] * faces[1] - self.rest[1] * faces[0], float(self.rest @ faces))
        return self.rest if abs(off) < PELVIS_TURN_RAD else faces


def way_of(scene: bpy.types.Scene, armature: bpy.types.Object, figure: Figure, hips: str, frames: tuple[int, int],
           step: int) -> Way:
    """The way of the bone `hips` at every `step`-th of the `frames` (first, last); the scene's frame is put back."""
    times, places, turns = bone_frames(scene, armature, hips, frames, step)
    at_rest = np.array(armature.data.bones[hips].matrix_local, dtype=float)[:3, :3]
    facing = (turns @ (at_rest.T @ figure.axes[:, 0]))[:, :2]
    facing /= np.maximum(np.linalg.norm(facing, axis=1, keepdims=True), 1e-9)  # of hips that lie: nearly no way at all
    rest = (np.array(armature.matrix_world, dtype=float)[:3, :3] @ figure.axes[:, 0])[:2]
    rate = scene.render.fps / scene.render.fps_base
    return Way(times, places, facing, rest, LEAST_TRAVEL_M / metres_per_unit(scene), rate)


def bone_frames(scene: bpy.types.Scene, armature: bpy.types.Object, bone: str, frames: tuple[int, int],
                step: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Frames (N,), and the bone's evaluated world positions (N, 3) and axes (N, 3, 3) there; the scene's frame is put back."""
    first, last = frames
    times = np.unique(np.append(np.arange(first, last + 1, step), last))
    kept, places, turns = scene.frame_current, [], []
    for frame in times:
        scene.frame_set(int(frame))
        evaluated = armature.evaluated_get(scene.view_layers[0].depsgraph)
        posed = evaluated.pose.bones[bone]
        places.append(evaluated.matrix_world @ posed.head)
        turns.append((evaluated.matrix_world @ posed.matrix).to_3x3())
    scene.frame_set(kept)
    return times.astype(float), np.array(places, dtype=float), np.array(turns, dtype=float)
