# SPDX-License-Identifier: GPL-3.0-or-later
"""What a BVH skeleton is: which joint is which, its unit, its axes, and its rest pose as landmarks in metres. Some tools turn a
skeleton by its root alone: it rests with y up and stands with z up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..errors import ClipError
from ..maths.rotations import rotation_between
from .bvh import BvhClip
from .figure_joints import stands
from .recognise import recognise, resting_as

LOOKED_AT = 40
"""Frames, spread over a clip, in which it is looked at."""
MOSTLY = 0.5
"""In more of them than this share the figure must stand."""
STEADY = 0.9
"""So long is the mean of its upward unit vectors at least; a figure that lies turns about."""
ALONG_DEG = 25.0
"""So near to an axis of the file it stands."""
ON_GROUND_LEGS = 0.15
"""So near to the file's zero its lowest joints are, per leg: ankles are .08 over the sole (Winter, fig. 4.1: .039 over .491)."""


def resting_upright(clip: BvhClip, joints: Mapping[str, int], up: np.ndarray, leg: float) -> BvhClip:
    """The same motion from a rest pose turned to stand along the axis along which the figure stands while it moves. `up` (3,) is
    up at rest, `leg` the leg's length, in the file's axes and unit. The clip itself where both are one, and where somebody lies:
    on the file's ground, and not with feet on it along the other axis."""
    frames = np.unique(np.linspace(0, clip.frames - 1, LOOKED_AT).astype(int))
    places = clip.world()[0][frames]
    middle = {name: 0.5 * (places[:, joints[f"{name}_L"]] + places[:, joints[f"{name}_R"]]) for name in ("shoulder", "ankle")}
    ways = middle["shoulder"] - middle["ankle"]
    mean = (ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1e-9)).mean(axis=0)
    if np.linalg.norm(mean) < STEADY:
        return clip
    k = int(np.argmax(np.abs(mean)))
    axis = np.sign(mean[k]) * np.eye(3)[k]
    if mean @ axis < np.cos(np.radians(ALONG_DEG)) * np.linalg.norm(mean) or axis @ up > 0.5:
        return clip
    if np.mean([stands(pose, joints) for pose in places]) <= MOSTLY:
        return clip
    off = _off_ground(places, axis) / leg
    if off > ON_GROUND_LEGS or off >= _off_ground(places, up) / leg:
        return clip
    return resting_as(clip, np.broadcast_to(rotation_between(up, axis), (len(clip.names), 3, 3)))


def _off_ground(places: np.ndarray, up: np.ndarray) -> float:
    """How far the lowest joints of poses (T, J, 3) are from the file's zero along up, over the frames' middle."""
    return float(abs(np.median((places @ up).min(axis=1))))


UNITS = {"metre": 1.0, "inch / 0.45 (CMU)": 0.0254 / 0.45, "inch": 0.0254, "centimetre": 0.01, "millimetre": 0.001}
"""Lengths of a file unit [m]. CMU: mocap.cs.cmu.edu, frequently asked questions: lengths are inches divided by 0.45."""
TYPICAL_LEG_M = 0.84  # geometric middle of grown-up thigh + shank
PLAUSIBLE_LEG_M = (0.55, 1.15)

BALL_HEIGHT_PER_LEG = 0.0285  # centre of the ball of the foot above the sole, as in bodies.human.anthropometry
ANKLE_ABOVE_BALL_PER_LEG = 0.051  # ankle .039 H (Winter, fig. 4.1) less the ball's own height
FOOT_PER_LEG = 0.31  # foot .152 H over leg .491 H (Winter, fig. 4.1)
TIP_PER_FOOT = 0.72  # ankle to tip of the toes over length of the foot, as in bodies.human.anthropometry


@dataclass(frozen=True)
class Skeleton:
    """A BVH skeleton understood. `clip` is the motion from a rest pose that stands: the file's own, or that of a standing frame.
    `joints`: landmark -> joint index; `sources`: segment -> index of the joint whose turning is the segment's; `axes` (3, 3):
    rows are the body's x forward, y left, z up in the file's axes; `scale` metres a file unit; `rest` landmark -> (3,) [m] in the
    body's axes, the sole at z = 0; `estimated` names the landmarks there that the file does not have."""

    clip: BvhClip
    family: str
    unit: str
    scale: float
    unit_certain: bool
    axes: np.ndarray
    joints: dict[str, int]
    estimated: tuple[str, ...]
    sources: dict[str, int]
    rest: dict[str, np.ndarray]
    leg_length_m: float


def understand(clip: BvhClip) -> Skeleton:
    """Find joints, axes and unit of a clip's skeleton. Raises ClipError where it has no usable legs or arms."""
    clip, family, joints, own_rest = recognise(clip)
    joints = dict(joints)
    joints.pop("fork", None)
    carrier = joints.pop("pelvis", clip.parents.index(-1))
    places = clip.rest()
    bones = [(a, b, s) for a, b in (("hip", "knee"), ("knee", "ankle")) for s in "LR"]
    leg = float(sum(np.linalg.norm(places[joints[f"{b}_{s}"]] - places[joints[f"{a}_{s}"]]) for a, b, s in bones) / 2.0)
    if leg <= 0.0:
        raise ClipError(f"{clip.path}: the legs have no length (thigh and shank offsets are zero).")
    axes = _axes(clip, places, joints, own_rest)
    if own_rest:
        clip = resting_upright(clip, joints, axes[2], leg)
        places = clip.rest()
        axes = _axes(clip, places, joints, own_rest)
    unit, scale, certain = _unit(leg)
    joints = joints | _trunk(clip, joints, places, leg, carrier)
    points = _rest_points(clip, places @ axes.T * scale, joints, axes, scale)
    known = set(points)
    _estimate(points, leg * scale)
    estimated = tuple(sorted(set(points) - known))
    return Skeleton(clip, family, unit, scale, certain, axes, joints, estimated, _sources(clip, joints, carrier),
                    sole_at_zero(points, leg * scale), leg * scale)


def with_feet(skeleton: Skeleton, feet: dict[str, np.ndarray]) -> Skeleton:
    """The skeleton with the points of the feet (`toes_L`, `toe_tip_R` ...) at the given places from the ankles [m]."""
    rest = dict(skeleton.rest)
    for name, vector in feet.items():
        rest[name] = rest[f"ankle_{name[-1]}"] + vector
    return replace(skeleton, rest=sole_at_zero(rest, skeleton.leg_length_m))


def _unit(leg: float) -> tuple[str, float, bool]:
    """Name and scale of the unit that makes the leg most like a grown-up's, and whether that is a plausible leg."""
    name = min(UNITS, key=lambda n: abs(np.log(leg * UNITS[n] / TYPICAL_LEG_M)))
    if PLAUSIBLE_LEG_M[0] <= leg * UNITS[name] <= PLAUSIBLE_LEG_M[1]:
        return name, UNITS[name], True
    return "unknown", TYPICAL_LEG_M / leg, False


def _axes(clip: BvhClip, places: np.ndarray, joints: dict[str, int], own_rest: bool) -> np.ndarray:
    """Rows: forward, left and up at rest in the file's axes, snapped to the file's axes where near, but for a frame's facing."""
    hips = places[[joints["hip_L"], joints["hip_R"]]]
    above = joints.get("head", joints["shoulder_L"])
    up = _snap(places[above] - 0.5 * (places[joints["ankle_L"]] + places[joints["ankle_R"]]))
    left = hips[0] - hips[1]
    left = left - (left @ up) * up
    left = _snap(left) if own_rest else left / np.linalg.norm(left)
    if abs(left @ up) > 0.1 or not np.all(np.isfinite(left)):
        raise ClipError(f"{clip.path}: left and right hip coincide at rest, so the figure's facing cannot be told.")
    return np.array([np.cross(left, up), left, up])


def _snap(direction: np.ndarray) -> np.ndarray:
    """Unit vector; exactly along an axis where it lies within 25 degrees of one."""
    length = np.linalg.norm(direction)
    unit = direction / length if length > 0.0 else np.full(3, np.nan)
    k = int(np.argmax(np.abs(unit)))
    if abs(unit[k]) > np.cos(np.radians(25.0)):
        return np.sign(unit[k]) * np.eye(3)[k]
    return unit


def _ancestors(clip: BvhClip, joint: int) -> list[int]:
    line = [joint]
    while clip.parents[line[-1]] >= 0:
        line.append(clip.parents[line[-1]])
    return line


def _moves(clip: BvhClip, joint: int) -> bool:
    """False for a filler joint: no length, and no turning of its own in the whole clip."""
    turning = np.ptp(clip.rotations[:, joint], axis=0).max()
    return bool(turning > 1e-6 or np.linalg.norm(clip.offsets[joint]) > 0.0)


def _trunk(clip: BvhClip, joints: dict[str, int], places: np.ndarray, leg: float, carrier: int) -> dict[str, int]:
    """Joints of lower_spine, chest and neck, found from the tree: the chain from the pelvis (`carrier`, the joint that the legs
    hang on) to where the arms branch."""
    left, right = _ancestors(clip, joints["shoulder_L"]), set(_ancestors(clip, joints["shoulder_R"]))
    fork = next((j for j in left if j in right), None)
    if fork is None:
        return {}
    below = set(_ancestors(clip, carrier))
    spine = [j for j in reversed(_ancestors(clip, fork)) if j not in below and _moves(clip, j)]
    found = {}
    if spine:
        found["chest"] = spine[-1]
        if len(spine) > 1 and np.linalg.norm(places[spine[0]] - places[spine[-1]]) > 0.02 * leg:
            found["lower_spine"] = spine[0]
    if "head" in joints:
        line = _ancestors(clip, joints["head"])
        between = line[1:line.index(fork)] if fork in line else []
        for j in reversed(between):
            if _moves(clip, j) and np.linalg.norm(places[j] - places[fork]) > 0.02 * leg:
                found["neck"] = j
                break
    return found


def _sources(clip: BvhClip, joints: dict[str, int], carrier: int) -> dict[str, int]:
    """Segment -> joint whose turning it takes: of several joints between two landmarks, the last."""
    sources = {"pelvis": carrier}
    for segment, end in (("lower_spine", "chest"), ("chest", None), ("neck", "head"), ("head", None)):
        if segment not in joints:
            continue
        sources[segment] = joints[segment]
        if end in joints and joints[segment] in _ancestors(clip, joints[end])[1:]:
            sources[segment] = clip.parents[joints[end]]
    pairs = {"clavicle": "clavicle", "upper_arm": "shoulder", "forearm": "elbow", "hand": "wrist",
             "thigh": "hip", "shank": "knee", "foot": "ankle", "toes": "toes"}
    for side in "LR":
        sources |= {f"{seg}_{side}": joints[f"{j}_{side}"] for seg, j in pairs.items() if f"{j}_{side}" in joints}
    return sources


def _rest_points(
    clip: BvhClip, rest: np.ndarray, joints: dict[str, int], axes: np.ndarray, scale: float
) -> dict[str, np.ndarray]:
    """Landmarks [m] that the file has, from joints and end sites, body axes, the pelvis midway between the hips."""
    middle = 0.5 * (rest[joints["hip_L"]] + rest[joints["hip_R"]])
    points = {name: rest[j] - middle for name, j in joints.items()} | {"pelvis": np.zeros(3)}

    def farthest(joint: int, start: np.ndarray) -> np.ndarray | None:
        line = [j for j in range(len(clip.names)) if joint in _ancestors(clip, j)]
        tips = [rest[j] + axes @ clip.ends[j] * scale - middle if j in clip.ends else rest[j] - middle for j in line]
        reach = [np.linalg.norm(t - start) for t in tips]
        return tips[int(np.argmax(reach))] if max(reach) > 0.01 else None

    for last, tip in (("wrist", "hand_tip"), ("toes", "toe_tip"), ("head", "head_top")):
        for key in (f"{last}_L", f"{last}_R") if last != "head" else ("head",):
            if key not in joints:
                continue
            end = farthest(joints[key], points[key])
            if end is not None:
                points[tip + key[len(last):]] = end
    for side in "LR":  # skeletons that end at the ankle or the elbow: the end site is the ball of the foot, or the wrist
        for last, tip, missing in (("ankle", "toe_tip", "toes"), ("elbow", "wrist", "wrist")):
            if f"{missing}_{side}" not in joints:
                end = farthest(joints[f"{last}_{side}"], points[f"{last}_{side}"])
                if end is not None:
                    points[f"{tip}_{side}"] = end
    return points


def _estimate(points: dict[str, np.ndarray], leg: float) -> None:
    """Add in place what a body cannot do without: a head, and toes long enough to stand on."""
    if "head" not in points:  # Drillis and Contini: .067 H from the shoulders to the base of the head, leg .491 H
        points["head"] = 0.5 * (points["shoulder_L"] + points["shoulder_R"]) + [0.0, 0.0, 0.136 * leg]
    for side in "LR":
        if f"toes_{side}" in points:
            continue
        vector = points.get(f"toe_tip_{side}", points[f"ankle_{side}"] + [1.0, 0, 0]) - points[f"ankle_{side}"]
        length, wanted = np.hypot(*vector[:2]), TIP_PER_FOOT * FOOT_PER_LEG * leg
        if f"toe_tip_{side}" not in points:
            vector = np.array([wanted, 0.0, -ANKLE_ABOVE_BALL_PER_LEG * leg])
        elif length < 0.8 * wanted:
            vector = np.array([*(vector[:2] * wanted / max(length, 1e-9)), vector[2]])
        points[f"toe_tip_{side}"] = points[f"ankle_{side}"] + vector


def sole_at_zero(points: dict[str, np.ndarray], leg: float) -> dict[str, np.ndarray]:
    """Landmarks moved up or down so that the balls of the feet lie their usual height above z = 0."""
    balls = [points[f"toes_{s}" if f"toes_{s}" in points else f"toe_tip_{s}"][2] for s in "LR"]
    lift = BALL_HEIGHT_PER_LEG * leg - float(np.mean(balls))
    return {name: point + [0.0, 0.0, lift] for name, point in points.items()}


REST_DEG = 12.0
"""Root mean square of the joints' turns in such a frame: 2.0 and 7.8 in those at hand."""
APART_DEG, QUICKER = 15.0, 1.5
"""Of the turns from it to the next frame: at least so much, and so many times as much as in any of the three frames after (25.8
degrees and 1.7 times in the nearest; the motion itself goes evenly)."""


def without_reference(clip: BvhClip) -> BvhClip:
    """A clip without a first frame that is the rest pose, far from the second; any other one as it is."""
    if clip.frames < 5 or len(clip.names) < 2:
        return clip
    joints = clip.rotations[:5, 1:]
    steps = _rms_deg(np.swapaxes(joints[:-1], -1, -2) @ joints[1:])
    rest = _rms_deg(joints[0])
    if rest > REST_DEG or steps[0] < max(APART_DEG, QUICKER * steps[1:].max()) or _rms_deg(joints[1]) < 2.0 * rest:
        return clip
    return replace(clip, rotations=clip.rotations[1:], root_positions=clip.root_positions[1:],
                   travels={joint: places[1:] for joint, places in clip.travels.items()}, first_frame=clip.first_frame + 1)


def _rms_deg(turns: np.ndarray) -> np.ndarray:
    """Root mean square of the angles [deg] of rotations (..., J, 3, 3) over the joints."""
    cosine = 0.5 * (np.trace(turns, axis1=-2, axis2=-1) - 1.0)
    return np.degrees(np.sqrt(np.mean(np.arccos(np.clip(cosine, -1.0, 1.0)) ** 2, axis=-1)))
