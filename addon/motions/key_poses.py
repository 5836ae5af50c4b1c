# SPDX-License-Identifier: GPL-3.0-or-later
"""Key poses of a motion as the states of a gait: which leg swings in each, what the body is drawn to, and for how long."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..bodies.human.landmarks import SIDES
from ..bodies.kinematics import segment_poses
from ..errors import InputError
from ..maths.quaternions import matrix_from_quat, rotvec_from_quat
from ..specs.pose_gait import UPPER, PoseGait, PoseState, mirrored
from ..specs.settings import settings_of
from .retarget import Motion

MOST_POSES = 8
LIFTED = 0.03
"""A foot that is higher than the other by this much of the leg's length swings; else the one in front, which is about to land."""
OTHER = {"L": "R", "R": "L"}
LEAST_TURN_RAD = 0.01


@dataclass(frozen=True)
class KeyPose:
    """One pose: the state that draws to it, in which the leg `swing` swings, and when it is [s]. `given` are angles that the
    state cannot hold, by name [rad]: what it had to be cut by."""

    state: PoseState
    time_s: float
    given: dict[str, float]


def key_poses(motion: Motion, frames: Sequence[int]) -> list[KeyPose]:
    """The poses of a motion at frames, which count from 1. Raises InputError for frames that it does not have."""
    last = len(motion.root_position)
    wrong = [frame for frame in frames if not 1 <= frame <= last]
    if wrong:
        raise InputError(f"There is no frame {wrong[0]} in {motion.clip.path}: it has frames 1 to {last}.")
    if not 2 <= len(frames) <= MOST_POSES or sorted(set(frames)) != list(frames):
        raise InputError(f"A gait takes 2 to {MOST_POSES} key poses in the order of their frames, got {len(frames)}: "
                         f"{', '.join(map(str, frames))}.")
    return [_pose(motion, frame - 1) for frame in frames]


def _pose(motion: Motion, row: int) -> KeyPose:
    body, turns = motion.body, motion.joint_quaternions[row]
    places, orientations = segment_poses(body, motion.root_position[row][None], motion.root_quaternion[row][None], turns[None])
    frames = matrix_from_quat(orientations[0])
    forward = frames[0][:, 0]
    ahead = np.array([forward[0], forward[1], 0.0]) / math.hypot(forward[0], forward[1])
    left = np.array([-ahead[1], ahead[0], 0.0])
    angles = {"torso": -math.atan2(float(frames[0][:, 2] @ ahead), frames[0][2, 2])}
    legs: dict[str, dict[str, float]] = {}
    for side, out in (("L", 1.0), ("R", -1.0)):
        down = -frames[body.index[f"thigh_{side}"]][:, 2]
        vector = {name: rotvec_from_quat(turns[body.joint_segments.index(f"{name}_{side}")]) for name in ("shank", "foot")}
        legs[side] = {"hip": math.atan2(float(down @ ahead), -down[2]), "outward": out * math.asin(float(down @ left)),
                      "knee": -float(vector["shank"][1]), "ankle": -float(vector["foot"][1])}
    ankles = {side: places[0, body.index[f"foot_{side}"]] for side in SIDES}
    higher = ankles["L"][2] - ankles["R"][2]
    before = float((ankles["L"] - ankles["R"]) @ ahead)
    swing = ("L" if higher > 0.0 else "R") if abs(higher) > LIFTED * body.leg_length_m else "L" if before > 0.0 else "R"
    stance = OTHER[swing]
    angles |= {"swing_hip": legs[swing]["hip"], "swing_hip_outward": legs[swing]["outward"], "swing_knee": legs[swing]["knee"],
               "swing_ankle": legs[swing]["ankle"], "stance_knee": legs[stance]["knee"], "stance_ankle": legs[stance]["ankle"]}
    known = settings_of(PoseState)
    held: dict[str, Any] = {}
    for name, angle in angles.items():
        low, high = known[name].low, known[name].high
        held[name] = round(min(max(angle, -math.inf if low is None else low), math.inf if high is None else high), 3)
    upper = {name: rotvec_from_quat(turns[body.joint_segments.index(name)]) for name in UPPER if name in body.joint_segments}
    told = {name: tuple(np.round(vector, 3).tolist()) for name, vector in upper.items()
            if np.linalg.norm(vector) > LEAST_TURN_RAD}
    state = PoseState(swing=swing, upper=told, **held)
    return KeyPose(state, row * motion.frame_time_s, {name: angle - held[name] for name, angle in angles.items()
                                                      if abs(angle - held[name]) > 1e-3})


def gait_of(poses: Sequence[KeyPose], name: str, source: str) -> PoseGait:
    """The machine of these poses, in their order. Each lasts until the next one's time; the last in which a leg swings, until it
    touches the ground. Poses in which only one leg swings are half a cycle, which is mirrored. Raises InputError for legs that
    swing by turns more often than once."""
    legs = [pose.state.swing for pose in poses]
    changes = sum(one != other for one, other in zip(legs, [*legs[1:], legs[0]], strict=True))
    if changes > 2:
        raise InputError(f"Of these key poses the legs swing {', '.join(legs)}: give first all of one leg's step, then all of "
                         "the other's, or those of one step alone.")
    states = []
    for i, pose in enumerate(poses):
        ends = i + 1 == len(poses) or legs[i + 1] != legs[i]
        states.append(replace(pose.state, lasts_s=None if ends else round(poses[i + 1].time_s - pose.time_s, 3)))
    symmetric = changes == 0
    if symmetric:
        states = [replace(state, swing="", upper=mirrored(state.upper) if legs[0] == "L" else state.upper) for state in states]
    return PoseGait(name=name, summary=f"{len(poses)} key poses", source=source, states=tuple(states), symmetric=symmetric)
