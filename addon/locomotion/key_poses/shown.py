# SPDX-License-Identifier: GPL-3.0-or-later
"""A state of a gait from key poses as a pose of the body, to be looked at and changed; and the state that a pose is."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...bodies.body import Body
from ...bodies.kinematics import contact_point_positions, segment_poses
from ...maths.rotations import Quaternion, from_rotvec, inverse, product, rotvec_from_quat
from ...motions.key_poses import measured
from ...specs.pose_gait import NEITHER, UPPER, PoseGait, PoseState
from ...specs.settings import Setting, settings_of
from .law import ARM_OUT_RAD, OUT
from .machine import OTHER

CHANGED_RAD = 0.01
"""An angle that is nearer than this to the one that was shown has not been changed; half of what is asked of a round trip."""
SEEN_RAD = math.radians(2.0)
"""A standing thigh that was turned less was not meant to be: twice what a round trip over a rig may be off."""
DIGITS = 4


def pose_of(body: Body, gait: PoseGait, state: PoseState) -> tuple[np.ndarray, np.ndarray]:
    """The root's place (3,) [m] and the turns (S, 4) of a body in a state's pose, the root's first, each other one relative to
    its parent. The standing foot is flat, which tells the standing thigh that no state draws; the lower foot is on the ground;
    joints that the state does not name hang as arms do between two swings."""
    swing = state.swing or "R"
    stance = OTHER[swing]
    root = from_rotvec((0.0, -state.torso, 0.0))
    flies = state.stands == NEITHER
    other = (state.stance_hip, state.stance_hip_outward) if flies else (-(state.stance_knee + state.stance_ankle), 0.0)
    turn: dict[str, Quaternion] = {}
    for side, ahead, outward, knee, ankle in (
            (swing, state.swing_hip, state.swing_hip_outward, state.swing_knee, state.swing_ankle),
            (stance, *other, state.stance_knee, state.stance_ankle)):
        thigh = product(from_rotvec((0.0, -ahead, 0.0)), from_rotvec((OUT[side] * outward, 0.0, 0.0)))
        turn[f"thigh_{side}"] = product(inverse(root), thigh)
        turn[f"shank_{side}"], turn[f"foot_{side}"] = from_rotvec((0.0, -knee, 0.0)), from_rotvec((0.0, -ankle, 0.0))
        swung = gait.arm_swing * (ahead - state.torso)
        turn[f"upper_arm_{side}"] = product(from_rotvec((OUT[side] * ARM_OUT_RAD, 0.0, 0.0)), from_rotvec((0.0, swung, 0.0)))
        turn[f"forearm_{side}"] = from_rotvec((0.0, -gait.elbow, 0.0))
    turn |= {name: from_rotvec(vector) for name, vector in (state.upper or {}).items()}
    turns = np.array([root, *(turn.get(name, (1.0, 0.0, 0.0, 0.0)) for name in body.joint_segments)])
    place = np.array([0.0, 0.0, body.pelvis_height_m])
    places, orientations = segment_poses(body, place[None], turns[None, 0], turns[None, 1:])
    place[2] -= float(contact_point_positions(body, places, orientations)[0, :, 2].min())
    return place, turns


@dataclass(frozen=True)
class Posed:
    """A pose as states have it: angles by a state's field [rad], and rotation vectors [rad] of joints of the upper body."""

    angles: dict[str, float]
    upper: dict[str, tuple[float, ...]]


def posed(body: Body, place: np.ndarray, turns: np.ndarray, swing: str) -> Posed:
    """What a pose is in which the leg `swing` swings: the root's place (3,) [m], turns (S, 4), the root's first."""
    upper = {name: tuple(rotvec_from_quat(turns[1 + body.joint_segments.index(name)]).tolist())
             for name in UPPER if name in body.joint_segments}
    found = measured(body, place, turns, swing)
    return Posed(found.angles | found.other_thigh, upper)


def taken(state: PoseState, shown: Posed, now: Posed) -> tuple[PoseState, dict[str, tuple[float, float]]]:
    """A state with what has been changed in its pose, from as it was `shown` to as it is `now`; and by name what had to be cut:
    the angle as posed and as it is held [rad]. What has not been changed stays as it is to the last digit, and hangs if it
    hung."""
    known = settings_of(PoseState)
    held: dict[str, Any] = {}
    cut: dict[str, tuple[float, float]] = {}
    for name, angle in now.angles.items():
        if abs(angle - shown.angles[name]) < CHANGED_RAD or (name.startswith("stance_hip") and state.stands != NEITHER):
            continue
        held[name] = _within(known[name], angle)
        if abs(held[name] - angle) > CHANGED_RAD:
            cut[name] = angle, held[name]
    upper = dict(state.upper or {})
    for name, vector in now.upper.items():
        if float(np.linalg.norm(np.subtract(vector, shown.upper[name]))) >= CHANGED_RAD:
            x, y, z = (round(part, DIGITS) for part in vector)
            upper[name] = x, y, z
    return replace(state, **held, upper=upper or None), cut


def standing_thigh_turned(state: PoseState, shown: Posed, now: Posed) -> bool:
    """Whether the standing thigh, which a flight alone draws, was turned in the world, not just along with a leaned trunk."""
    if state.stands == NEITHER:
        return False
    ahead, outward, leaned = (now.angles[name] - shown.angles[name] for name in ("stance_hip", "stance_hip_outward", "torso"))
    return abs(outward) >= SEEN_RAD or min(abs(ahead), abs(ahead - leaned)) >= SEEN_RAD


def _within(told: Setting, angle: float) -> float:
    low, high = (-math.pi if told.low is None else told.low), (math.pi if told.high is None else told.high)
    return min(max(round(angle, DIGITS), low), high)
