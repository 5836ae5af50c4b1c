# SPDX-License-Identifier: GPL-3.0-or-later
"""Where an armature and its bones are at some frames: of an action on a copy, as it stands, and along its hips' way."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy
import numpy as np

from ...maths.rotations import about_z

if TYPE_CHECKING:
    from ...bodies.body import Body
    from .figure import Figure

MOVES = 1e-5
"""An object whose matrix changes by more than this over an action is moved by it."""


def played(armature: bpy.types.Object, action: bpy.types.Action, bones: Iterable[str],
           frames: Sequence[int]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """World matrices (T, 4, 4) of the object and, in armature space, of bones while it plays the action alone."""
    scene = bpy.data.scenes.new("Lope sampling")
    copy = armature.copy()
    try:
        scene.collection.objects.link(copy)
        data = copy.animation_data_create()
        for track in list(data.nla_tracks):
            data.nla_tracks.remove(track)
        data.action = action
        if data.action_slot is None and action.slots:
            data.action_slot = next((slot for slot in action.slots if slot.target_id_type == "OBJECT"), None)
        return shown(scene, copy, bones, frames)
    finally:
        bpy.data.objects.remove(copy)
        bpy.data.scenes.remove(scene)


def shown(scene: bpy.types.Scene, armature: bpy.types.Object, bones: Iterable[str],
          frames: Iterable[int]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """World matrices (T, 4, 4) of the object and, in armature space, of bones at frames of a scene, which stays at the last."""
    poses: dict[str, list[np.ndarray]] = {bone: [] for bone in bones}
    stands: list[np.ndarray] = []
    for frame in frames:
        scene.frame_set(frame)
        evaluated = armature.evaluated_get(scene.view_layers[0].depsgraph)
        stands.append(np.array(evaluated.matrix_world, dtype=float))
        for bone, found in poses.items():
            found.append(np.array(evaluated.pose.bones[bone].matrix, dtype=float))
    return np.array(stands), {bone: np.array(found) for bone, found in poses.items()}


def carried(stands: np.ndarray) -> np.ndarray:
    """From the armature's space in each frame to the first's (T, 4, 4), of its world matrices; identity where it stays."""
    if np.abs(stands - stands[0]).max() < MOVES:
        return np.broadcast_to(np.eye(4), stands.shape)
    return np.linalg.inv(stands[0]) @ stands


def pose_now(armature: bpy.types.Object, depsgraph: bpy.types.Depsgraph, figure: Figure, body: Body,
             palms: dict[str, float]) -> tuple[np.ndarray, np.ndarray]:
    """Place of the root (3,) [m] in a take and turns (S, 4) of the figure's body, the root's first, each other one relative to
    its parent. `palms`: side -> how far [rad] a bake turns the hands about their length (`bake.hands.palm_turns`)."""
    from ...bodies.human.landmarks import neutral_alignments
    from ...motions.retarget import joint_quaternions

    pose = armature.evaluated_get(depsgraph).pose.bones
    align = neutral_alignments(figure.points)
    turns: dict[str, np.ndarray] = {}
    for segment, name in figure.bone_of.items():
        linear = np.array(pose[name].matrix, dtype=float)[:3, :3]
        linear = linear / np.cbrt(np.linalg.det(linear))
        away = figure.axes.T @ (linear @ figure.bone[name].rotation.T) @ figure.axes
        turns[segment] = (away @ align[segment].T)[None]
    for side, angle in palms.items():
        if f"hand_{side}" in turns:
            turns[f"hand_{side}"] = turns[f"hand_{side}"] @ about_z(-angle)
    name = figure.bone_of["pelvis"]
    head = np.array(pose[name].matrix, dtype=float)[:3, 3]
    from_head = figure.points["pelvis"] - figure.in_body(figure.bone[name].head)  # on many rigs it lies above or behind the hips
    hips = (head - figure.ground) @ figure.axes / figure.units_per_m + turns["pelvis"][0] @ align["pelvis"] @ from_head
    return hips, joint_quaternions(body, turns)[0]


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
    from .armature import metres_per_unit

    times, places, turns = bone_frames(scene, armature, hips, frames, step)
    facing = (turns @ (figure.bone[hips].rotation.T @ figure.axes[:, 0]))[:, :2]
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
