# SPDX-License-Identifier: GPL-3.0-or-later
"""An action as a motion clip, written as BVH, and key poses of an animator's own, read off a rig at frames of actions."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from scipy.spatial.transform import Rotation

from ...bodies.human.landmarks import neutral_alignments
from ...bodies.makers import make_body
from ...bodies.muscles.sets import ABOVE
from ...errors import InputError, unknown_name
from ...files import write_whole
from ...maths.rotations import about_z
from ...motions.bvh import NAMES
from ...motions.key_poses import MOST_POSES, KeyPose, check_frames, drawn_poses
from ..bake.hands import palm_turns
from ..read.actions import curves_of, frame_rate
from ..read.armature import read_figure
from ..read.figure import Figure
from ..read.poses import carried, played

ENDS = {"hand": ("wrist", "hand_tip"), "foot": ("ankle", "toe_tip"), "toes": ("toes", "toe_tip"), "head": ("head", "head_top")}
"""Landmarks from which and to which a segment goes that nothing hangs on."""
HAND_PER_FOREARM = 0.4
"""A palm's length over the forearm's, of a rig without fingers (Winter 1991: a hand's middle at half of 0.108 of the stature)."""
MOST_FRAMES = 3000
LEAST_FRAMES = 10


def clip_of_named(name: str, armature: bpy.types.Object, scene: bpy.types.Scene, folder: Path) -> Path:
    """The BVH file, in a folder, of the open file's action of that name on an armature. Raises LopeError, listing the actions."""
    return write_clip(armature, _named(name), read_figure(armature, scene=scene), frame_rate(scene), folder)


def _named(name: str) -> bpy.types.Action:
    actions = {action.name: action for action in bpy.data.actions}
    if name not in actions:
        raise unknown_name("action", name, actions) if actions else InputError("This Blender file holds no actions.")
    return actions[name]


def write_clip(armature: bpy.types.Object, action: bpy.types.Action, figure: Figure, rate_hz: float, folder: Path) -> Path:
    """The BVH file, in a folder of its own, of an action on an armature, at so many frames a second, with what moves the object
    as a whole; equal motions of one name give the same file. Raises InputError for an action too short or too long."""
    first, last = (round(frame) for frame in action.frame_range)
    if not LEAST_FRAMES <= last - first <= MOST_FRAMES:
        raise InputError(f"The action {action.name!r} is {last - first} frames long; expected {LEAST_FRAMES} to {MOST_FRAMES}.")
    places, turns = sampled(armature, action, figure, range(first, last + 1))
    text = "\n".join(_bvh(figure, places, turns, 1.0 / rate_hz)) + "\n"
    path = folder / "actions" / hashlib.sha1(text.encode()).hexdigest()[:10] / f"{bpy.path.clean_name(action.name)}.bvh"
    write_whole(path, text, "clip")
    return path


def sampled(armature: bpy.types.Object, action: bpy.types.Action, figure: Figure,
            frames: Sequence[int]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Place of the hips (T, 3) [m] and turns off rest (T, 3, 3) of mapped segments, in the body's axes, from the first stand."""
    stands, poses = played(armature, action, figure.bone_of.values(), frames)
    way = carried(stands)
    turns = {}
    for segment, bone in figure.bone_of.items():
        linear = (way @ poses[bone])[:, :3, :3]
        linear = linear / np.cbrt(np.linalg.det(linear))[:, None, None]
        away = linear @ figure.bone[bone].rotation.T
        turns[segment] = figure.axes.T @ away @ figure.axes
    for side, angle in palm_turns(figure).items():  # what a bake adds where palms rest turned away from the thighs
        if f"hand_{side}" in turns:
            hang = neutral_alignments(figure.points)[f"hand_{side}"]
            turns[f"hand_{side}"] = turns[f"hand_{side}"] @ hang.T @ about_z(-angle) @ hang
    return figure.in_body((way @ poses[figure.bone_of["pelvis"]])[:, :3, 3]), turns


def _bvh(figure: Figure, places: np.ndarray, turns: dict[str, np.ndarray], frame_time: float) -> Iterator[str]:
    """Lines of the clip: metres, x forward, y left, z up; every joint turned in the order ZXY."""
    children: dict[str, list[str]] = {}
    for segment in figure.bone_of:
        if segment != "pelvis":
            children.setdefault(_parent(segment, turns), []).append(segment)
    order: list[str] = []
    yield "HIERARCHY"
    yield from _joint(figure, "pelvis", None, children, order, "")
    yield from ("MOTION", f"Frames: {len(places)}", f"Frame Time: {frame_time:.9f}")
    angles = []
    for segment in order:
        parent = _parent(segment, turns)
        local = turns[segment] if parent is None else np.swapaxes(turns[parent], 1, 2) @ turns[segment]
        angles.append(Rotation.from_matrix(local).as_euler("ZXY", degrees=True))
    rows = np.concatenate([places, *angles], axis=1)
    yield from (" ".join(f"{value:.6f}" for value in row) for row in rows)


def _joint(figure: Figure, segment: str, parent: str | None, children: dict[str, list[str]], order: list[str],
           indent: str) -> Iterator[str]:
    """The lines of a joint and all below it."""
    order.append(segment)
    bone = figure.bone[figure.bone_of[segment]]
    head = figure.in_body(bone.head)
    offset = head if parent is None else head - figure.in_body(figure.bone[figure.bone_of[parent]].head)
    stem, side = _parts(segment)
    title = "Hips" if segment == "pelvis" else {"_L": "Left", "_R": "Right", "": ""}[side] + NAMES[stem]
    moves = "6 Xposition Yposition Zposition" if parent is None else "3"
    yield from (f"{indent}{'ROOT' if parent is None else 'JOINT'} {title}", f"{indent}{{",
                f"{indent}  OFFSET {' '.join(f'{x:.6f}' for x in offset)}",
                f"{indent}  CHANNELS {moves} Zrotation Xrotation Yrotation")
    for child in children.get(segment, ()):
        yield from _joint(figure, child, segment, children, order, indent + "  ")
    if segment not in children:
        tip = _tip(figure, stem, side, figure.in_body(bone.tail) - head)
        yield from (f"{indent}  End Site", f"{indent}  {{", f"{indent}    OFFSET {' '.join(f'{x:.6f}' for x in tip)}",
                    f"{indent}  }}")
    yield f"{indent}}}"


def _tip(figure: Figure, stem: str, side: str, tail: np.ndarray) -> np.ndarray:
    """From its joint to the end of a segment that ends the clip, by what was read of the rig: bones that came from a file without
    tails, such as glTF, end anywhere. Of a hand that shows no fingers it goes on as the forearm does; else the bone's own."""
    start, end = ENDS.get(stem, ("", ""))
    points, start, end = figure.points, f"{start}{side}", f"{end}{side}"
    if start in points and end in points:
        return points[end] - points[start]
    if stem == "hand" and start in points:
        return HAND_PER_FOREARM * (points[start] - points[f"elbow{side}"])
    return tail


def _parent(segment: str, mapped: dict[str, np.ndarray]) -> str | None:
    """The nearest mapped segment above; None for the pelvis."""
    stem, side = _parts(segment)
    while stem != "pelvis":
        stem = ABOVE[stem]
        name = f"{stem}{side}" if f"{stem}{side}" in mapped else stem
        if name in mapped:
            return name
    return None


def _parts(segment: str) -> tuple[str, str]:
    """A segment's name without its side, and the side with its underscore."""
    return (segment[:-2], segment[-2:]) if segment.endswith(("_L", "_R")) else (segment, "")


APART_S = 0.3
"""From pose to pose of different actions, which have no time in common: as long as the walk's first state lasts."""
_BONE = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]')


@dataclass(frozen=True)
class Drawn:
    action: bpy.types.Action
    frame: int


def poses_of_named(name: str, armature: bpy.types.Object, frames: Sequence[int]) -> list[KeyPose]:
    """The poses at frames of the open file's action of that name. Raises InputError, listing the actions."""
    scene, action = armature.users_scene[0], _named(name)
    return read_poses(armature, read_figure(armature, scene=scene), [Drawn(action, frame) for frame in frames], frame_rate(scene))


def read_poses(armature: bpy.types.Object, figure: Figure, drawn: Sequence[Drawn], rate_hz: float,
               apart_s: float = APART_S) -> list[KeyPose]:
    """The poses of a rig: of one action as far apart as their frames, of several `apart_s`. Raises InputError for actions of
    another rig, frames that they do not have, and poses beyond what joints do."""
    if not 2 <= len(drawn) <= MOST_POSES:
        raise InputError(f"A gait takes 2 to {MOST_POSES} key poses, got {len(drawn)}: add poses.")
    actions = list(dict.fromkeys(one.action for one in drawn))
    for action in actions:
        check_action(armature, action)
    if len(actions) == 1:
        action, frames = actions[0], [one.frame for one in drawn]
        check_frames(frames, frames_of(action), f"the action {action.name!r}")
        places, turns = sampled(armature, action, figure, frames)
        times = [(frame - frames[0]) / rate_hz for frame in frames]
    else:
        parts = []
        for one in drawn:
            first, last = frames_of(one.action)
            if not first <= one.frame <= last:
                raise InputError(f"There is no frame {one.frame} in the action {one.action.name!r}: it has frames {first} to "
                                 f"{last}.")
            parts.append(sampled(armature, one.action, figure, [one.frame]))
        places = np.repeat(parts[0][0], len(parts), axis=0)  # places of different actions have nothing to do with one another
        turns = {segment: np.concatenate([part[1][segment] for part in parts]) for segment in parts[0][1]}
        times = [apart_s * i for i in range(len(drawn))]
    align = neutral_alignments(figure.points)
    oriented = {segment: turn @ align[segment].T for segment, turn in turns.items()}
    names = [f"frame {one.frame} of {one.action.name}" for one in drawn]
    return drawn_poses(make_body(figure.body_spec()), places, oriented, times, names)


def frames_of(action: bpy.types.Action) -> tuple[int, int]:
    first, last = action.frame_range
    return round(first), round(last)


def check_action(armature: bpy.types.Object, action: bpy.types.Action) -> None:
    """Raises InputError for an action that keys no bones, or mostly bones that a rig does not have."""
    keyed = list(dict.fromkeys(found[1] for curve in curves_of(action) if (found := _BONE.match(curve.data_path))))
    if not keyed:
        raise InputError(f"The action {action.name!r} keys no bones: choose one that poses {armature.name}.")
    absent = [name for name in keyed if name not in armature.pose.bones]
    if 2 * len(absent) > len(keyed):
        raise InputError(f"The action {action.name!r} poses another rig: {armature.name} has no bone {absent[0]!r}, nor "
                         f"{len(absent) - 1} others of the {len(keyed)} that it keys.")
