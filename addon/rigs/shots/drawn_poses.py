# SPDX-License-Identifier: GPL-3.0-or-later
"""Key poses of an animator's own, read off a rig at frames of actions, such as one-frame actions of a pose library."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ...bodies.human.landmarks import neutral_alignments
from ...bodies.makers import make_body
from ...errors import InputError, unknown_name
from ...motions.key_poses import MOST_POSES, KeyPose, check_frames, drawn_poses
from ..bake.provenance import frame_rate
from ..read.armature import read_figure
from ..read.figure import Figure
from ..read.poses import curves_of
from .action_clip import sampled

APART_S = 0.3
"""From pose to pose of different actions, which have no time in common: as long as the walk's first state lasts."""
_BONE = re.compile(r'pose\.bones\["((?:[^"\\]|\\.)*)"\]')


@dataclass(frozen=True)
class Drawn:
    """Where a pose is: an action, and the frame of it."""

    action: bpy.types.Action
    frame: int


def poses_of_named(name: str, armature: bpy.types.Object, frames: Sequence[int]) -> list[KeyPose]:
    """The poses at frames of the open file's action of that name. Raises InputError; for a name that there is not it lists the
    actions."""
    actions = {action.name: action for action in bpy.data.actions}
    if name not in actions:
        raise unknown_name("action", name, actions) if actions else InputError("This Blender file holds no actions.")
    scene = armature.users_scene[0]
    return read_poses(armature, read_figure(armature, scene=scene), [Drawn(actions[name], frame) for frame in frames],
                      frame_rate(scene))


def read_poses(armature: bpy.types.Object, figure: Figure, drawn: Sequence[Drawn], rate_hz: float,
               apart_s: float = APART_S) -> list[KeyPose]:
    """The poses of a rig, in that order. Those of one action are as far apart as their frames, at so many a second; those of
    several are `apart_s` from one to the next. Raises InputError for actions of another rig, frames that they do not have, and
    poses beyond what joints do."""
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
    """First and last frame of an action, its own numbers."""
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
