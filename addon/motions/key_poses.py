# SPDX-License-Identifier: GPL-3.0-or-later
"""Key poses of a motion as the states of a gait: which leg swings in each, what the body is drawn to, and for how long. From a
clip of some like steps to the curves of a pose gait (Yin 2007, section 7.5): the cycle's length from the right hip, Fourier
coefficients at whole multiples of its frequency, and the phases at which the feet come down."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..bodies.body import Body
from ..bodies.human.landmarks import SIDES
from ..bodies.kinematics import contact_point_positions, segment_poses, within_reach
from ..bodies.makers import make_body
from ..errors import InputError
from ..maths.curves import basis_at, shifted
from ..maths.rotations import matrix_from_quat, plane_angle, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..specs.pose_gait import ANGLES, TURNED, UPPER, PoseCurves, PoseGait, PoseState, mirrored
from ..specs.settings import settings_of
from ..specs.shot import BodySpec
from .cycle import continuous_rotvec
from .retarget import Motion, joint_quaternions
from .strides import LEGS, Stretch, drifting, find_contacts, fitted, steadiest

MOST_POSES = 8
IN_FRONT = 0.1
"""A foot swings whose sole is the higher one, or, by this share, the one in front: a foot about to land is hardly off the ground,
and the heel behind it may have left already."""
OTHER = {"L": "R", "R": "L"}
LEAST_TURN_RAD = 0.01


BEYOND_RAD = math.radians(12.0)
"""A pose may turn a joint so much farther than a state can; it is drawn to the limit then."""
MOVES_M = 0.05
"""A body whose root goes less than this from the first pose to the last one is keyed on the spot."""
FASTEST_M_S = 1.6
"""Poses ask for no more; what goes on two feet from key poses hardly gets there."""


@dataclass(frozen=True)
class KeyPose:
    """One pose: the state that draws to it, in which the leg `swing` swings, when it is [s], where the pelvis is along the way
    that the body faces [m], how far the swinging foot is before the other one along it [m], and what a message calls it."""

    state: PoseState
    time_s: float
    along_m: float = 0.0
    before_m: float = 0.0
    name: str = ""


def key_poses(motion: Motion, frames: Sequence[int]) -> list[KeyPose]:
    """The poses of a motion at frames, which count from 1. Raises InputError for frames that it does not have, and for poses
    beyond what joints do."""
    check_frames(frames, (1, len(motion.root_position)), str(motion.clip.path))
    rows = [frame - 1 for frame in frames]
    turns = np.concatenate([motion.root_quaternion[:, None], motion.joint_quaternions], axis=1)[rows]
    return posed(motion.body, motion.root_position[rows], turns, [row * motion.frame_time_s for row in rows],
                 [f"frame {frame}" for frame in frames])


def drawn_poses(body: Body, places: np.ndarray, orientations: Mapping[str, np.ndarray], times_s: Sequence[float],
                names: Sequence[str]) -> list[KeyPose]:
    """The poses of N places of the pelvis (N, 3) [m] and orientations (N, 3, 3) of segments away from neutral, at times [s].
    Raises InputError for poses beyond what joints do."""
    return posed(body, places, joint_quaternions(body, dict(orientations)), times_s, names)


def check_frames(frames: Sequence[float], known: tuple[float, float], whose: str) -> None:
    """Raises InputError unless these are frames, two or more and in their order, of what goes from one known frame to another."""
    low, high = known
    wrong = [frame for frame in frames if not low <= frame <= high]
    if wrong:
        raise InputError(f"There is no frame {wrong[0]:g} in {whose}: it has frames {low:g} to {high:g}.")
    twice = [frame for i, frame in enumerate(frames) if frame in frames[:i]]
    if twice:
        raise InputError(f"Frame {twice[0]:g} is there twice among the key poses: give each frame once.")
    if not 2 <= len(frames) <= MOST_POSES or sorted(set(frames)) != list(frames):
        raise InputError(f"A gait takes 2 to {MOST_POSES} key poses in the order of their frames, got {len(frames)}: "
                         f"{', '.join(f'{frame:g}' for frame in frames)}.")


def posed(body: Body, places: np.ndarray, turns: np.ndarray, times_s: Sequence[float], names: Sequence[str]) -> list[KeyPose]:
    """The poses of N places (N, 3) [m] of a body's root and turns (N, S, 4), the root's first. Raises InputError for one beyond
    what joints do."""
    return [_pose(body, places[i], turns[i], times_s[i], names[i]) for i in range(len(times_s))]


@dataclass(frozen=True)
class Measured:
    """A pose as states have it: the leg that swings, angles by a state's field [rad], and how far that foot is before the other
    one [m], all as seen by the way that the pelvis faces; `along_m` is the root's place along it. `other_thigh` are the angles of
    the leg that stands, which a state draws in a flight alone."""

    swing: str
    angles: dict[str, float]
    before_m: float
    along_m: float
    other_thigh: dict[str, float]


def measured(body: Body, root: np.ndarray, turns: np.ndarray, swing: str | None = None) -> Measured:
    """What a pose is: the root at (3,) [m], turns (S, 4), the root's first. Which leg swings is told by the feet where it is not
    given."""
    places, orientations = segment_poses(body, root[None], turns[None, 0], turns[None, 1:])
    turns = turns[1:]
    frames = matrix_from_quat(orientations[0])
    forward = frames[0][:, 0]
    ahead = np.array([forward[0], forward[1], 0.0]) / math.hypot(forward[0], forward[1])
    left = np.array([-ahead[1], ahead[0], 0.0])
    legs: dict[str, dict[str, float]] = {}
    for side, out in (("L", 1.0), ("R", -1.0)):
        down = -frames[body.index[f"thigh_{side}"]][:, 2]
        vector = {name: rotvec_from_quat(turns[body.joint_segments.index(f"{name}_{side}")]) for name in ("shank", "foot")}
        legs[side] = {"hip": math.atan2(float(down @ ahead), -down[2]), "outward": out * math.asin(float(down @ left)),
                      "knee": -float(vector["shank"][1]), "ankle": -float(vector["foot"][1])}
    before = float((places[0, body.index["foot_L"]] - places[0, body.index["foot_R"]]) @ ahead)
    if swing is None:
        soles = contact_point_positions(body, places, orientations)[0]
        lowest = {side: min(z for point, z in zip(body.contact_points, soles[:, 2], strict=True) if point.side == side)
                  for side in SIDES}
        swing = "L" if lowest["L"] - lowest["R"] + IN_FRONT * before > 0.0 else "R"
    stance = OTHER[swing]
    angles = {"torso": -math.atan2(float(frames[0][:, 2] @ ahead), frames[0][2, 2]), "swing_hip": legs[swing]["hip"],
              "swing_hip_outward": legs[swing]["outward"], "swing_knee": legs[swing]["knee"],
              "swing_ankle": legs[swing]["ankle"], "stance_knee": legs[stance]["knee"], "stance_ankle": legs[stance]["ankle"]}
    other = {"stance_hip": legs[stance]["hip"], "stance_hip_outward": legs[stance]["outward"]}
    return Measured(swing, angles, before if swing == "L" else -before, float(root @ ahead), other)


def _pose(body: Body, root: np.ndarray, turns: np.ndarray, time_s: float, name: str) -> KeyPose:
    found = measured(body, root, turns)
    held: dict[str, Any] = {joint: _within(joint, angle, name) for joint, angle in found.angles.items()}
    upper = {joint: _reached(body, joint, turns[1 + body.joint_segments.index(joint)], name) for joint in UPPER
             if joint in body.joint_segments}
    told = {joint: tuple(np.round(vector, 3).tolist()) for joint, vector in upper.items()
            if np.linalg.norm(vector) > LEAST_TURN_RAD}
    return KeyPose(PoseState(swing=found.swing, upper=told, **held), time_s, found.along_m, found.before_m, name)


def _within(joint: str, angle: float, pose: str) -> float:
    """An angle that a state can be drawn to. Raises InputError for one far beyond that."""
    told = settings_of(PoseState)[joint]
    low, high = (-math.pi if told.low is None else told.low), (math.pi if told.high is None else told.high)
    held = min(max(angle, low), high)
    if abs(angle - held) > BEYOND_RAD:
        raise InputError(f"The pose at {pose} has the {told.words} at {math.degrees(angle):.0f} degrees, which the joint does "
                         f"not do: it goes from {math.degrees(low):.0f} to {math.degrees(high):.0f}; change the pose.")
    return round(held, 3)


def _reached(body: Body, joint: str, turn: np.ndarray, pose: str) -> np.ndarray:
    """The rotation vector (3,) of a joint's turn (4,) that the joint can do. Raises InputError for one far beyond that."""
    vector, segment = rotvec_from_quat(turn), body.segment(joint)
    reached = within_reach(segment, vector)
    if np.linalg.norm(vector - reached) > BEYOND_RAD:
        low, high = segment.range_rad
        raise InputError(f"The pose at {pose} turns the joint of {joint} by {math.degrees(np.linalg.norm(vector)):.0f} degrees, "
                         f"which it does not do: it goes from {math.degrees(low):.0f} to {math.degrees(high):.0f}; change the "
                         "pose.")
    return reached


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
    return PoseGait(name=name, summary=f"{len(poses)} key poses", source=source, states=tuple(states), symmetric=symmetric,
                    speed_m_s=speed_of(poses))


def speed_of(poses: Sequence[KeyPose]) -> float:
    """The speed forward [m/s] that poses ask for: that of their root where it goes along, else a step's length, by how far the
    foot is before the other one as it lands, in a step's time: the last pose lasts as long as those before it."""
    time_s, way_m = poses[-1].time_s - poses[0].time_s, poses[-1].along_m - poses[0].along_m
    if abs(way_m) > MOVES_M:
        speed = way_m / time_s
    else:
        legs = [pose.state.swing for pose in poses]
        landed_m = [pose.before_m for pose, leg, next_leg in zip(poses, legs, [*legs[1:], ""], strict=True) if leg != next_leg]
        speed = sum(landed_m) / (time_s * len(poses) / (len(poses) - 1))
    return round(min(max(speed, -FASTEST_M_S), FASTEST_M_S), 2)


ACCURACY_RAD = math.radians(0.5)
"""Root mean square of each angle that the coefficients left out may make (the thesis has such a number and does not print it)."""
PLACE_M = 0.002
"""The same of the pelvis' place."""
GREATEST_FLEXION = 0.25
USUAL_TOUCH = {"L": 0.0, "R": 0.5}
NEAREST_TOUCHES = 0.2
"""Feet that come down nearer to one another than this share of a cycle tell no step."""
DIGITS = 4
OUT = {"L": 1.0, "R": -1.0}


@dataclass(frozen=True)
class ClipCurves:
    """The curves of a clip and how they were found. `cycles` were seen from `start_s` on; `speed` is forward + i left, as it
    would be on the standard body's legs [m/s]. `error_rad` is the root mean square between the clip and its curves and
    `harmonics` how many there are, of each angle and turn."""

    curves: PoseCurves
    start_s: float
    cycles: float
    speed: complex
    turning_rad_s: float
    error_rad: dict[str, float]
    harmonics: dict[str, int]

    @property
    def error_legs_rad(self) -> float:
        """Root mean square over thighs and knees."""
        return math.sqrt(sum(self.error_rad[name] ** 2 for name in LEGS) / len(LEGS))


def clip_curves(motion: Motion) -> ClipCurves:
    """The curves of a motion. Raises ClipError where it has no like steps."""
    frames = matrix_from_quat(motion.root_quaternion)
    yaw = np.unwrap(plane_angle(frames[:, 1, 0], frames[:, 0, 0]))
    legs = leg_angles(motion, yaw)
    stretch = steadiest(np.stack([legs[name] for name in LEGS], axis=1), LEGS.index("hip_R"), motion.frame_time_s,
                        str(motion.clip.path))
    rows, phases = stretch.rows, stretch.phases
    mean, turning = (float(x) for x in drifting(yaw[rows], stretch))
    facing = mean + turning * stretch.since_middle_s
    channels, names = _channels(motion, rows, facing)
    series = [fitted(values, phases, ACCURACY_RAD) for values in channels.T]
    flexed = _greatest(series[ANGLES.index("hip_R")]) - GREATEST_FLEXION
    series = [np.round(shifted(one[None], flexed)[0], DIGITS) for one in series]
    errors = [float(np.sqrt(np.mean(np.square(basis_at(phases - flexed, len(one) // 2) @ one - values))))
              for one, values in zip(series, channels.T, strict=True)]
    larger = make_body(BodySpec()).leg_length_m / motion.skeleton.leg_length_m
    slower = math.sqrt(larger)
    steps = np.diff(motion.root_position[rows, :2] @ [1.0, 1.0j]) * np.exp(-1j * 0.5 * (facing[1:] + facing[:-1]))
    way = np.concatenate([[0.0], np.cumsum(steps)])  # as seen by who goes it, however it turns
    start, speed = drifting(way, stretch)
    swayed = way - start - speed * stretch.since_middle_s
    place = tuple(_told(np.round(shifted(fitted(larger * values, phases, PLACE_M)[None], flexed)[0], DIGITS))
                  for values in (swayed.real, swayed.imag, motion.root_position[rows, 2]))
    counts = [len(one) // 2 for one in series]
    return ClipCurves(
        PoseCurves(round(stretch.period_s * slower, DIGITS),
                   {name: _told(one) for name, one in zip(ANGLES, series, strict=False)},
                   {name: tuple(map(_told, _three(series, i))) for i, name in enumerate(names)},
                   *_touches(motion, stretch, flexed), place),
        stretch.start_s, stretch.cycles, complex(speed) * slower, turning,
        {**dict(zip(ANGLES, errors, strict=False)),
         **{name: float(np.linalg.norm(_three(errors, i))) for i, name in enumerate(names)}},
        {**dict(zip(ANGLES, counts, strict=False)), **{name: max(_three(counts, i)) for i, name in enumerate(names)}})


def leg_angles(motion: Motion, facing: np.ndarray, rows: slice = slice(None)) -> dict[str, np.ndarray]:
    """Angles (T,) [rad] of both legs with the meaning and the signs of a pose state's, for who faces that way (T,) [rad]."""
    ahead = np.stack([np.cos(facing), np.sin(facing), np.zeros_like(facing)], axis=1)
    left = np.stack([-ahead[:, 1], ahead[:, 0], ahead[:, 2]], axis=1)
    orientations = motion.poses()[1][rows]
    found = {}
    for side in SIDES:
        down = -matrix_from_quat(orientations[:, motion.body.index[f"thigh_{side}"]])[..., 2]
        across = np.clip(np.sum(down * left, axis=1), -1.0, 1.0)
        found[f"hip_{side}"] = np.unwrap(np.arctan2(np.sum(down * ahead, axis=1), -down[:, 2]))
        found[f"outward_{side}"] = OUT[side] * np.arcsin(across)
        for name, segment in (("knee", "shank"), ("ankle", "foot")):
            turn = motion.joint_quaternions[rows, motion.body.joint_segments.index(f"{segment}_{side}")]
            found[f"{name}_{side}"] = -rotvec_from_quat(turn)[:, 1]
    return found


def _channels(motion: Motion, rows: slice, facing: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Values (T, C) of `ANGLES` and of the parts of turns, and the turns' names."""
    away = quat_from_rotvec(np.outer(facing, [0.0, 0.0, -1.0]))
    pelvis = continuous_rotvec(quat_multiply(away, motion.root_quaternion[rows]))
    angles = {**leg_angles(motion, facing, rows), "torso": -pelvis[:, 1]}
    body = motion.body
    turns = {"pelvis": pelvis * [1.0, 0.0, 1.0]} | {
        name: continuous_rotvec(motion.joint_quaternions[rows, body.joint_segments.index(name)])
        for name in TURNED if name in body.joint_segments}
    return np.hstack([np.stack([angles[name] for name in ANGLES], axis=1), *turns.values()]), list(turns)


def _three(values: list, i: int) -> list:
    """The parts of the turn at a place, behind the angles."""
    return values[len(ANGLES) + 3 * i:len(ANGLES) + 3 * i + 3]


def _told(series: np.ndarray) -> tuple[float, ...]:
    return tuple(series.tolist())


def _greatest(series: np.ndarray) -> float:
    phases = np.arange(2000) / 2000
    return float(phases[np.argmax(basis_at(phases, len(series) // 2) @ series)])


def _touches(motion: Motion, stretch: Stretch, flexed: float) -> tuple[float, float]:
    """The phases at which the left and the right foot come down, the mean of those seen; the usual ones where that tells no
    steps by turns: feet that drag, or that never leave the ground."""
    found = dict(USUAL_TOUCH)
    last = stretch.start_s + stretch.cycles * stretch.period_s
    for side in SIDES:
        seen = [c.strike_s for c in find_contacts(motion) if c.side == side and stretch.start_s <= c.strike_s <= last]
        if not seen:
            return USUAL_TOUCH["L"], USUAL_TOUCH["R"]
        turns = np.exp(2j * np.pi * ((np.array(seen) - stretch.start_s) / stretch.period_s - flexed))
        found[side] = round(float(np.angle(turns.mean()) / (2.0 * np.pi)) % 1.0, DIGITS)
    apart = (found["R"] - found["L"]) % 1.0
    if min(apart, 1.0 - apart) < NEAREST_TOUCHES:
        return USUAL_TOUCH["L"], USUAL_TOUCH["R"]
    return found["L"], found["R"]
