# SPDX-License-Identifier: GPL-3.0-or-later
"""From a BVH clip to the motion of a Body: its proportions from the skeleton, metres, level ground, flat feet. Knees and elbows
are true hinges: the upper segment's twist is chosen so that the lower one bends in its plane. The ground is the plane through the
places where feet rest. Walks and runs in place, as libraries of game animations ship them, get the way back that was taken out:
the hips stay, and whichever foot carries slides back evenly, as on a treadmill."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..bodies.body import Body
from ..bodies.human.body import Human
from ..bodies.human.landmarks import SIDES, neutral_alignments
from ..bodies.kinematics import contact_point_positions, segment_poses
from ..errors import ClipError
from ..maths.rotations import about_y, about_z, plane_angle, quat_from_matrix, rotation_between
from .bvh import BvhClip
from .skeletons import ANKLE_ABOVE_BALL_PER_LEG, Skeleton, understand, with_feet, without_reference

BENT_RAD = np.radians(20.0)  # bent this far, a limb shows the axis it bends about
BLEND_RAD = np.radians(10.0)  # bent less than about this, the usual axis counts more than the momentary one


def usual_axis(upper: np.ndarray, lower: np.ndarray, sign: float) -> np.ndarray:
    """The fixed axis (3,), in the upper segment's frame, that a limb bends about over a clip; left (y) if it never bends.
    `upper`, `lower` (T, 3, 3): orientations of the two segments; `sign` +1 for knees, -1 for elbows."""
    cross = sign * np.cross(-upper[:, :, 2], -lower[:, :, 2])
    bent = np.linalg.norm(cross, axis=1) > np.sin(BENT_RAD)
    if bent.sum() < 5:
        return np.array([0.0, 1.0, 0.0])
    local = np.einsum("tji,tj->ti", upper[bent], cross[bent])
    axis = np.array([local[:, 0].sum(), local[:, 1].sum(), 0.0])
    length = np.linalg.norm(axis)
    if length < 0.3 * np.linalg.norm(local, axis=1).sum() or axis[1] < 0.5 * length:
        return np.array([0.0, 1.0, 0.0])
    return axis / length


def hinge(upper: np.ndarray, lower: np.ndarray, sign: float) -> tuple[np.ndarray, np.ndarray]:
    """Upper orientations (T, 3, 3) with the twist that a hinge wants, and flexion angles (T,) [rad]. The long axes of both
    segments (-z of their frames) keep their directions, but for what a nearly straight limb would need out of its plane."""
    u, s = -upper[:, :, 2], -lower[:, :, 2]
    prior = upper @ usual_axis(upper, lower, sign)
    cross = sign * np.cross(u, s)
    cross *= np.where(np.einsum("ti,ti->t", cross, prior) < 0.0, -1.0, 1.0)[:, None]
    sine = np.linalg.norm(cross, axis=1, keepdims=True)
    weight = sine**2 / (sine**2 + np.sin(BLEND_RAD) ** 2)
    y = weight * cross / np.maximum(sine, 1e-12) + (1.0 - weight) * prior
    y -= np.einsum("ti,ti->t", y, u)[:, None] * u
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    x = np.cross(y, -u)
    turned = np.stack([x, y, -u], axis=2)
    angle = np.arctan2(-sign * np.einsum("ti,ti->t", s, x), np.einsum("ti,ti->t", s, u))
    return turned, angle


def pitch_about_y(base: np.ndarray, moved: np.ndarray) -> np.ndarray:
    """Upward pitch (T,) [rad] of `moved`'s forward axis in `base`'s x-z plane: the toe hinge. Shapes (T, 3, 3)."""
    forward = np.einsum("tji,tj->ti", base, moved[:, :, 0])
    return plane_angle(forward[:, 2], forward[:, 0])


RESTING_SPEED_M_S = 0.20  # a flat foot's ankle and ball move slower than this
RESTING_SHARE = 0.08  # at least this share of the frames counts as resting: short stances of a run
SLOPE_SPREAD_M = 0.40  # feet must be spread this far (standard deviation) before a slope is fitted
ABOVE_M = 0.03  # a resting foot this far above the plane stands in the air
SLOPE_DEG = 3.5  # a steeper plane is a real slope, a flatter one a fault of the recording


@dataclass(frozen=True)
class Ground:
    """Plane z = `height_m` + `gradient` . (x, y); `spread_m` is the standard deviation of the resting feet about it."""

    height_m: float
    gradient: np.ndarray
    spread_m: float

    def at(self, places: np.ndarray) -> np.ndarray:
        """Ground height [m] under places (..., 2 or 3)."""
        return self.height_m + places[..., :2] @ self.gradient

    @property
    def slope_deg(self) -> float:
        return float(np.degrees(np.arctan(np.linalg.norm(self.gradient))))

    @property
    def is_slope(self) -> bool:
        """Whether the plane is a real slope rather than a drift of the recording."""
        return self.slope_deg > SLOPE_DEG

    @property
    def tilt(self) -> np.ndarray:
        """Rotation (3, 3) that takes level ground to this plane."""
        return rotation_between(np.array([0.0, 0.0, 1.0]), np.array([-self.gradient[0], -self.gradient[1], 1.0]))


def speeds(places: np.ndarray, frame_time_s: float) -> np.ndarray:
    """Speeds (T, ...) [m/s] of places (T, ..., 3), central differences."""
    if len(places) < 2:
        return np.zeros(places.shape[:-1])
    return np.linalg.norm(np.gradient(places, frame_time_s, axis=0), axis=-1)


def fit_ground(balls: np.ndarray, resting: np.ndarray, path: str) -> tuple[Ground, np.ndarray]:
    """The plane under resting feet, through the balls' centres (T, 2, 3), and the resting frames that do lie on it. Lower
    envelope by reweighting: feet that rest clearly above the plane (held up in the air) lose their say. A slope is fitted only in
    directions in which the feet get around. Raises ClipError where no foot ever rests."""
    points = balls[resting]
    if len(points) < 3:
        raise ClipError(f"{path}: no foot ever rests on the ground, so there are no steps to find.")
    centre = points[:, :2].mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov((points[:, :2] - centre).T))
    ways = vectors[:, np.sqrt(np.maximum(values, 0.0)) > SLOPE_SPREAD_M]
    design = np.column_stack([np.ones(len(points)), (points[:, :2] - centre) @ ways])
    weights = np.ones(len(points))
    for _ in range(12):
        solution = np.linalg.lstsq(design * weights[:, None], points[:, 2] * weights, rcond=None)[0]
        above = points[:, 2] - design @ solution
        weights = np.where(above > ABOVE_M, 0.03, 1.0)
    gradient = ways @ solution[1:]
    on = above <= ABOVE_M
    ground = Ground(float(solution[0] - centre @ gradient), gradient, float(np.std(above[on])))
    kept = resting.copy()
    kept[resting] = on
    return ground, kept


STAYS_LEGS_S, STAYS_LEGS = 0.1, 0.6
"""Hips that go no faster than this on average, and never farther from their middle, stay in place; who walks slowly goes 0.5 legs
a second."""
SLOWEST_LEGS_S = 0.25
"""Feet that slide more slowly than this may be a fault of the capture: they are what they are."""
LOW_LEGS = 0.03
"""A ball so near to its lowest carries, in the middle of a stance; it lies flat there."""
EVEN, EVEN_SHARE = 0.3, 0.7
"""So much of the median a sliding foot's velocity may differ from it, in this share of the frames in which it carries; in 14
walks and runs of which the way was taken out it is 0.79 or more, in 35 clips as they were captured 0.15 or less."""
PLANTED = 0.8
"""Of the speeds at which feet slide back, the quantile at which they are planted: a foot that still lands or rolls off already
goes ahead of the ground. So the ways of 13 clips come back within 2 %."""


def travel_taken_out(hips: np.ndarray, balls: np.ndarray, frame_time_s: float, leg_m: float) -> np.ndarray | None:
    """The velocity (2,) [m/s] at which a figure would go whose hips (T, 3) stay in place while the balls of its feet (T, 2, 3)
    slide; None where the hips go, the feet stand, or they slide unevenly. Places in metres, z up."""
    duration = (len(hips) - 1) * frame_time_s
    away = np.linalg.norm(hips[:, :2] - hips[:, :2].mean(axis=0), axis=1).max()
    if np.linalg.norm(hips[-1, :2] - hips[0, :2]) > STAYS_LEGS_S * leg_m * duration or away > STAYS_LEGS * leg_m:
        return None
    velocity = np.gradient(balls, frame_time_s, axis=0)[..., :2]
    height = balls[..., 2] - np.quantile(balls[..., 2], 0.05, axis=0)
    carries = (height < LOW_LEGS * leg_m) & (balls[..., 2] <= balls[..., 2].min(axis=1, keepdims=True) + LOW_LEGS * leg_m)
    slides = [velocity[carries[:, foot], foot] for foot in range(2)]
    if any(len(one) < 3 for one in slides):
        return None
    middle = np.median(np.concatenate(slides), axis=0)
    speed = float(np.linalg.norm(middle))
    even = [np.mean(np.linalg.norm(one - middle, axis=1) < EVEN * speed) for one in slides]
    if speed < SLOWEST_LEGS_S * leg_m or min(even) < EVEN_SHARE:
        return None
    back = middle / speed
    return -back * float(np.quantile(np.concatenate(slides) @ back, PLANTED))


MIN_FRAMES = 10
UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Motion:
    """A clip as the motion of a Body on level ground; T frames. `root_position` (T, 3) [m], z above the ground; `root_quaternion`
    (T, 4); `joint_quaternions` (T, S-1, 4) in the order of `body.joint_segments`; `resting` (T, 2) bool: foot flat and still on
    the ground. `ground` is what was levelled away."""

    clip: BvhClip
    skeleton: Skeleton
    body: Body
    frame_time_s: float
    root_position: np.ndarray
    root_quaternion: np.ndarray
    joint_quaternions: np.ndarray
    ground: Ground
    resting: np.ndarray

    def poses(self) -> tuple[np.ndarray, np.ndarray]:
        """World joint centres (T, S, 3) and orientations (T, S, 4) of all segments."""
        return segment_poses(self.body, self.root_position, self.root_quaternion, self.joint_quaternions)

    def sole_points(self) -> np.ndarray:
        """Lowest places (T, P, 3) of the body's contact points, z above the ground under that foot."""
        positions, orientations = self.poses()
        points = contact_point_positions(self.body, positions, orientations)
        ankles = [self.body.index[f"foot_{p.side}"] for p in self.body.contact_points]
        away = positions[:, ankles, :2] - positions[:, :1, :2]
        points[..., 2] -= away @ self.ground.gradient
        return points

    def resting_ankle_height_m(self) -> float:
        """Height of the ankle centres over the ground while their feet rest, the mean of both sides."""
        positions, _ = self.poses()
        heights = []
        for i, side in enumerate(SIDES):
            ankle = positions[:, self.body.index[f"foot_{side}"]]
            height = ankle[:, 2] - (ankle - positions[:, 0])[:, :2] @ self.ground.gradient
            if self.resting[:, i].any():
                heights.append(np.median(height[self.resting[:, i]]))
        return float(np.mean(heights))


def retarget(clip: BvhClip) -> Motion:
    """The clip as a motion of a Body made from its skeleton. Raises ClipError (see `understand`, `fit_ground`)."""
    if clip.frames < MIN_FRAMES:
        raise ClipError(f"{clip.path} has only {clip.frames} frames; expected at least {MIN_FRAMES} of a moving figure.")
    skeleton = understand(clip)
    clip = without_reference(skeleton.clip)
    positions, turns = clip.world()
    positions = positions @ skeleton.axes.T * skeleton.scale
    turns = skeleton.axes @ turns @ skeleton.axes.T
    ankles, balls = _feet(skeleton, positions, turns)
    hips = 0.5 * (positions[:, skeleton.joints["hip_L"]] + positions[:, skeleton.joints["hip_R"]])
    travel = travel_taken_out(hips, balls, clip.frame_time_s, skeleton.leg_length_m)
    if travel is not None:
        way = np.arange(clip.frames)[:, None, None] * clip.frame_time_s * np.append(travel, 0.0)
        hips, ankles, balls = hips + way[:, 0], ankles + way, balls + way
        speed_m_s = float(np.linalg.norm(travel))
        clip = clip.changed(f"The clip goes in place, its feet slide back at {speed_m_s:.2f} m/s: that way was put back, and the "
                            "figure goes.")
    speed = np.maximum(speeds(ankles, clip.frame_time_s), speeds(balls, clip.frame_time_s))
    resting = speed <= np.maximum(RESTING_SPEED_M_S, np.quantile(speed, RESTING_SHARE, axis=0))
    ground, resting = fit_ground(balls, resting, clip.path)
    orientations, skeleton = _oriented(skeleton, turns, ground, resting)
    body = Human.from_landmarks(skeleton.rest, 75.0)
    quats = joint_quaternions(body, orientations)
    hips[:, 2] -= ground.at(hips)
    motion = Motion(clip, skeleton, body, clip.frame_time_s, hips, quats[:, 0], quats[:, 1:], ground, resting)
    hips[:, 2] -= _sole_level(motion)
    return motion


def _feet(skeleton: Skeleton, positions: np.ndarray, turns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ankles and balls of the feet (T, 2, 3) [m] in the clip's world."""
    ankles = np.stack([positions[:, skeleton.joints[f"ankle_{s}"]] for s in SIDES], axis=1)
    balls = []
    for i, side in enumerate(SIDES):
        rest = skeleton.rest
        end = f"toes_{side}" if f"toes_{side}" in rest else f"toe_tip_{side}"
        balls.append(ankles[:, i] + turns[:, skeleton.sources[f"foot_{side}"]] @ (rest[end] - rest[f"ankle_{side}"]))
    return ankles, np.stack(balls, axis=1)


def _oriented(
    skeleton: Skeleton, turns: np.ndarray, ground: Ground, resting: np.ndarray
) -> tuple[dict[str, np.ndarray], Skeleton]:
    """World orientation (T, 3, 3) of every segment that has a source, and the skeleton with its feet set level."""
    align = neutral_alignments(skeleton.rest)
    orientations = {name: turns[:, j] @ align[name].T for name, j in skeleton.sources.items()}
    tilt = ground.tilt
    feet: dict[str, np.ndarray] = {}
    for i, side in enumerate(SIDES):
        for part in ("foot", "toes"):
            name = f"{part}_{side}"
            if name not in orientations:
                continue
            level = tilt.T @ orientations[name]
            down_turn = _mean_pitch_and_roll(level[resting[:, i]])
            orientations[name] = level @ down_turn
            if part == "foot":
                rest, foot_turn = skeleton.rest, down_turn
                ends = [e for e in (f"toes_{side}", f"toe_tip_{side}") if e in rest]
                vectors = {e: foot_turn.T @ align[name] @ (rest[e] - rest[f"ankle_{side}"]) for e in ends}
                if f"toes_{side}" not in rest:  # the end site of a foot without toes may lie anywhere above the sole
                    vectors[f"toe_tip_{side}"][2] = -ANKLE_ABOVE_BALL_PER_LEG * skeleton.leg_length_m
                yaw = np.arctan2(vectors[ends[0]][1], vectors[ends[0]][0])
                orientations[name] = orientations[name] @ about_z(yaw)
                feet |= {e: align[name].T @ about_z(-yaw) @ v for e, v in vectors.items()}
    return orientations, with_feet(skeleton, feet)


def _mean_pitch_and_roll(orientations: np.ndarray) -> np.ndarray:
    """Rotation (3, 3) to multiply orientations (N, 3, 3) with from the right so that their mean up direction is up."""
    if len(orientations) == 0:
        return np.eye(3)
    up = np.median(orientations[:, 2, :], axis=0)
    return rotation_between(UP, up)


def joint_quaternions(body: Body, orientations: dict[str, np.ndarray]) -> np.ndarray:
    """(T, S, 4) of orientations (T, 3, 3) of segments away from neutral: the pelvis', then relative to parents, hinges pure."""
    full = dict(orientations)
    for side in SIDES:
        for upper, lower, sign in (("thigh", "shank", 1.0), ("upper_arm", "forearm", -1.0)):
            upper, lower = f"{upper}_{side}", f"{lower}_{side}"
            full[upper], angle = hinge(orientations[upper], orientations[lower], sign)
            full[lower] = full[upper] @ about_y(sign * angle)
        if f"toes_{side}" in full:
            foot = full[f"foot_{side}"]
            full[f"toes_{side}"] = foot @ about_y(-pitch_about_y(foot, full[f"toes_{side}"]))
    relative = [full["pelvis"]]
    for segment in body.segments[1:]:
        parent = full[segment.hangs_on]
        full.setdefault(segment.name, parent)
        relative.append(np.swapaxes(parent, 1, 2) @ full[segment.name])
    quats = quat_from_matrix(np.stack(relative, axis=1))
    flips = np.cumprod(np.where(np.sum(quats[1:] * quats[:-1], axis=-1) < 0.0, -1.0, 1.0), axis=0)
    quats[1:] *= flips[..., None]
    return quats


def _sole_level(motion: Motion) -> float:
    """Height [m] of resting soles above the plane through the balls' centres, the mean of both feet."""
    points = motion.sole_points()[..., 2]
    levels = []
    for i, side in enumerate(SIDES):
        rows = [k for k, p in enumerate(motion.body.contact_points) if p.side == side and p.kind != "toe"]
        levels.append(points[motion.resting[:, i]][:, rows].mean() if motion.resting[:, i].any() else np.nan)
    return float(np.nanmean(levels))


