# SPDX-License-Identifier: GPL-3.0-or-later
"""A take's motion on a figure's own body: limbs turn as simulated, the path scales by leg length. A planar body's legs go each on
its own side; pelvis, spine, neck and head go with its trunk, arms hang and swing against the thighs. The travel of a motion, the
smooth way of the body over the ground; and rotations over time in the form a pose bone wants them. Plain numpy."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ...bodies.body import Body
from ...bodies.creature.body import CreatureBody
from ...bodies.human.body import KIND as HUMAN
from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import contact_point_positions, segment_poses
from ...bodies.makers import KIND as PLANAR
from ...errors import RigError
from ...maths.curves import cubic
from ...maths.rotations import (
    matrix_from_quat,
    plane_angle,
    quat_conjugate,
    quat_from_rotvec,
    quat_multiply,
    quat_rotate,
    rotvec_from_quat,
)
from ...rows import Rows, blocks, in_blocks, let_go
from ...specs.pose_gait import PoseGait
from ...specs.settings import settings_of
from ..read.figure import Figure

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

ARM_SWING, ELBOW_RAD = (float(settings_of(PoseGait)[name].default) for name in ("arm_swing", "elbow"))
ARM_OUT_RAD = 0.12
"""Upper arms hang so far off the trunk that hands pass the thighs, as in the law of the whole body."""
TOES_OFF_M = 0.05
"""The ball of a foot that is higher over the ground than this does not bend the toes."""


def human_turns(own: Body, body: Body, taken: np.ndarray, ball_height_m: dict[str, np.ndarray]) -> np.ndarray:
    """Orientations (T, S, 4) of a human's segments from those of a planar body's (T, Z, 4); `ball_height_m`: side -> height (T,)
    of its front contact point over the ground."""
    trunk = taken[:, 0]
    turns = np.repeat(trunk[:, None], len(own.segments), axis=1)
    for i, segment in enumerate(own.segments):
        if segment.name in body.index:
            turns[:, i] = taken[:, body.index[segment.name]]
    for side, out in zip(SIDES, (1.0, -1.0), strict=True):
        arm = _about(0, np.full(len(taken), out * ARM_OUT_RAD))
        arm = quat_multiply(arm, _about(1, ARM_SWING * -_pitch(taken[:, body.index[f"thigh_{side}"]])))
        for name in (f"upper_arm_{side}", f"forearm_{side}", f"hand_{side}"):
            if name.startswith("forearm"):
                arm = quat_multiply(arm, _about(1, np.full(len(taken), -ELBOW_RAD)))
            if name in own.index:
                turns[:, own.index[name]] = arm
        if f"toes_{side}" in own.index:
            foot = taken[:, body.index[f"foot_{side}"]]
            low = 1.0 - cubic(np.clip(ball_height_m[side] / TOES_OFF_M, 0.0, 1.0))
            turns[:, own.index[f"toes_{side}"]] = quat_multiply(foot, _about(1, -low * np.maximum(_pitch(foot), 0.0)))
    return turns


def _pitch(turns: np.ndarray) -> np.ndarray:
    """Angles (T,) [rad] about the leftward axis of orientations (T, 4) in the sagittal plane, positive nose down."""
    matrices = matrix_from_quat(turns)
    return plane_angle(matrices[:, 0, 2], matrices[:, 2, 2])


def _about(axis: int, angle: np.ndarray) -> np.ndarray:
    """Rotations (T, 4) by angles (T,) [rad] about an axis of the body."""
    vectors = np.zeros((len(angle), 3))
    vectors[:, axis] = angle
    return quat_from_rotvec(vectors)


def upright_turns(angle: np.ndarray) -> np.ndarray:
    """Turns (..., 4) about the vertical by angles (...) [rad]."""
    half = 0.5 * np.asarray(angle)
    zero = np.zeros_like(half)
    return np.stack([np.cos(half), zero, zero, np.sin(half)], axis=-1)


EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
_GIMBAL_COSINE = 1e-6  # below it the first and last angle turn about one axis, and only their sum is known

TURNS = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"} | dict.fromkeys(EULER_ORDERS, "rotation_euler")
"""Rotation property of a bone, by its rotation mode."""
REST = {
    "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
    "rotation_euler": (0.0, 0.0, 0.0),
    "location": (0.0, 0.0, 0.0),
    "scale": (1.0, 1.0, 1.0),
}
"""Value of each transform property of a bone at rest."""

_CLEAR_OF_LOCK, _SMALL_STEP = np.radians(75.0), np.radians(45.0)


def channels(quaternions: np.ndarray, mode: str) -> tuple[str, np.ndarray]:
    """The rotation property of a bone of that mode, and its values over time (T, 4), angles first in "rotation_axis_angle", or
    (T, 3) [rad] in "rotation_euler", of `quaternions` (T, 4) w-x-y-z. Raises RigError for a mode Blender does not have."""
    if mode not in TURNS:
        raise RigError(f"Unknown rotation mode {mode!r}; known: QUATERNION, AXIS_ANGLE, {', '.join(EULER_ORDERS)}.")
    if mode in EULER_ORDERS:
        return TURNS[mode], euler_angles(quaternions, mode)
    return TURNS[mode], (continuous_quaternions if mode == "QUATERNION" else axis_angles)(quaternions)


def quaternions(values: np.ndarray, mode: str) -> np.ndarray:
    """Unit quaternions (T, 4) w-x-y-z of a rotation property's values, as Blender reads them: the inverse of `channels`."""
    if mode == "QUATERNION":
        return values / np.linalg.norm(values, axis=-1, keepdims=True)
    if mode == "AXIS_ANGLE":
        axis = values[:, 1:] / np.maximum(np.linalg.norm(values[:, 1:], axis=1, keepdims=True), 1e-30)
        return quat_from_rotvec(values[:, :1] * axis)
    from scipy.spatial.transform import Rotation  # loads for a fifth of a second, and few rigs turn by Euler angles

    ordered = values[:, ["XYZ".index(letter) for letter in mode]]
    return np.roll(Rotation.from_euler(mode.lower(), ordered).as_quat(), 1, axis=-1)


def continuous_quaternions(quaternions: np.ndarray) -> np.ndarray:
    """The same rotations (T, 4), each quaternion on the same side as the one before, the first with w >= 0."""
    q = quaternions / np.linalg.norm(quaternions, axis=-1, keepdims=True)
    jumps = np.sum(q[1:] * q[:-1], axis=-1) < 0.0
    first = -1.0 if q[0, 0] < 0.0 else 1.0
    signs = np.concatenate([[first], first * np.cumprod(np.where(jumps, -1.0, 1.0))])
    return q * signs[:, None]


def axis_angles(quaternions: np.ndarray) -> np.ndarray:
    """Angle [rad] and unit axis (T, 4), continuous: the axis does not flip and the angle does not jump by whole turns."""
    q = continuous_quaternions(quaternions)
    sine = np.linalg.norm(q[:, 1:], axis=1)
    known = sine > 1e-9
    if not known.any():
        return np.tile([0.0, 0.0, 1.0, 0.0], (len(q), 1))
    last = np.maximum.accumulate(np.where(known, np.arange(len(q)), -1))
    last = np.where(last < 0, int(known.argmax()), last)
    axis = q[last, 1:] / sine[last, None]
    flips = np.sum(axis[1:] * axis[:-1], axis=1) < 0.0
    sign = np.concatenate([[1.0], np.cumprod(np.where(flips, -1.0, 1.0))])
    angle = np.unwrap(2.0 * plane_angle(sign * sine, q[:, 0]), period=4.0 * np.pi)
    return np.column_stack([angle, sign[:, None] * axis])


def euler_angles(quaternions: np.ndarray, order: str) -> np.ndarray:
    """Euler angles (T, 3) [rad] about x, y, z, for Blender's `order` (the first letter turns first, about fixed axes). Of the two
    triples that give a rotation, and their whole turns, each frame takes the one nearest to the frame before."""
    from scipy.spatial.transform import Rotation

    sequence = order.lower()
    rotations = Rotation.from_quat(np.roll(quaternions, -1, axis=-1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # gimbal lock is dealt with below
        principal = rotations.as_euler(sequence)
    if _stays_on_branch(principal):
        columns = ["xyz".index(letter) for letter in sequence]
        return np.unwrap(principal, axis=0)[:, np.argsort(columns)]
    angles = np.empty_like(principal)
    previous = np.zeros(3)
    for i, triple in enumerate(principal):
        if abs(np.cos(triple[1])) < _GIMBAL_COSINE:
            triple = _keeping_last(rotations[i], sequence, previous[2])
        other = np.array([triple[0] + np.pi, np.pi - triple[1], triple[2] + np.pi])
        near = [t + 2.0 * np.pi * np.round((previous - t) / (2.0 * np.pi)) for t in (triple, other)]
        previous = angles[i] = min(near, key=lambda t: float(np.abs(t - previous).sum()))
    columns = ["xyz".index(letter) for letter in sequence]
    return angles[:, np.argsort(columns)]


def _stays_on_branch(principal: np.ndarray) -> bool:
    """Whether principal angles (T, 3), whole turns apart, never come near gimbal lock nor jump: no other triple is nearer."""
    steps = np.abs(np.diff(np.unwrap(principal, axis=0), axis=0)).sum(axis=1)
    start = np.abs(principal[0]).sum()
    return bool(np.abs(principal[:, 1]).max() < _CLEAR_OF_LOCK and steps.max(initial=0.0) < _SMALL_STEP and start < 0.5 * np.pi)


def _keeping_last(rotation: Rotation, sequence: str, last: float) -> np.ndarray:
    """The triple in gimbal lock whose last angle is `last`."""
    from scipy.spatial.transform import Rotation

    rest = Rotation.from_euler(sequence[2], last).inv() * rotation
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        first, middle, third = rest.as_euler(sequence)
    return np.array([first, middle, last + third])


def slerp(times: np.ndarray, quaternions: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Rotations (W, ..., 4) at `wanted` (W,) between samples (T, ..., 4) at rising `times` (T,); ends are held."""
    row, share = _between(times, wanted)

    def turned(rows: slice) -> np.ndarray:
        a, b = quaternions[row[rows]], quaternions[row[rows] + 1]
        step = rotvec_from_quat(quat_multiply(quat_conjugate(a), b))
        return quat_multiply(a, quat_from_rotvec(step * share[rows].reshape(-1, *[1] * (step.ndim - 1))))

    return in_blocks(turned, len(wanted), quaternions)


def lerp(times: np.ndarray, values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Vectors (W, ...) at `wanted` (W,) between samples (T, ...) at rising `times` (T,); ends are held."""
    row, share = _between(times, wanted)
    share = share.reshape(-1, *[1] * (values.ndim - 1))
    return (1.0 - share) * values[row] + share * values[row + 1]


def _between(times: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    row = np.clip(np.searchsorted(times, wanted, side="right") - 1, 0, len(times) - 2)
    return row, np.clip((wanted - times[row]) / (times[row + 1] - times[row]), 0.0, 1.0)


@dataclass(frozen=True)
class Motion:
    """A body's motion at chosen times: pelvis place (T, 3) [m], pelvis orientation (T, 4), joint rotations (T, S-1, 4)."""

    root_position: np.ndarray
    root_quaternion: np.ndarray
    joint_quaternions: np.ndarray


@dataclass(frozen=True)
class OwnMotion:
    """The motion of a figure's own `body`, in a take's axes: joints (T, S, 3) [m], orientations (T, S, 4). `moved` segments are
    the take's body's too; `pronation`: side -> turn (T,) [rad] of the hand, of which the forearm has `forearm_share` once it is
    spread."""

    body: Body
    places: np.ndarray
    turns: np.ndarray
    moved: frozenset[str]
    scale: float
    pronation: dict[str, np.ndarray] = field(default_factory=dict)
    forearm_share: dict[str, float] = field(default_factory=dict)

    @property
    def sole_points(self) -> np.ndarray:
        """Lowest points (T, P, 3) [m] of the body's contact spheres."""
        return in_blocks(lambda rows: contact_point_positions(self.body, self.places[rows], self.turns[rows]), len(self.places),
                         self.places, self.turns)

    def let_go(self) -> None:
        """Give back the memory that a long motion has been read into."""
        let_go(self.places, self.turns)

    def with_turns(self, turns: Mapping[str, np.ndarray]) -> OwnMotion:
        """The motion with other orientations (T, 4) of some segments."""
        def turned(rows: slice) -> np.ndarray:
            out = self.turns[rows].copy()
            for segment, turn in turns.items():
                out[:, self.body.index[segment]] = turn[rows]
            return out

        return replace(self, turns=in_blocks(turned, len(self.turns), self.turns))

    def part(self, rows: slice) -> OwnMotion:
        return replace(self, places=self.places[rows], turns=self.turns[rows],
                       pronation={side: angle[rows] for side, angle in self.pronation.items()})


def resampled(time_s: np.ndarray, motion: Motion, wanted_s: np.ndarray) -> Motion:
    """The motion at `wanted_s`: orientations by slerp, places by straight lines."""
    if len(time_s) < 2:
        raise RigError(f"This take holds {len(time_s)} samples; two are needed to bake a motion.")
    return Motion(lerp(time_s, motion.root_position, wanted_s), slerp(time_s, motion.root_quaternion, wanted_s),
                  slerp(time_s, motion.joint_quaternions, wanted_s))


def fitted_root(root_position: np.ndarray, body: Body, own: Body) -> np.ndarray:
    """Pelvis places (T, 3) [m] for a body of another size: paths scale by leg length, standing height is its own."""
    scale = own.leg_length_m / body.leg_length_m
    fitted = scale * np.asarray(root_position)
    fitted[..., 2] += own.pelvis_height_m - scale * body.pelvis_height_m
    return fitted


def own_motion(figure: Figure, body: Body, motion: Motion, own: Body | None = None) -> OwnMotion:
    """The motion of `body` carried over to the figure's `own` body, made where not given. Raises RigError for unknown kinds."""
    if body.kind not in (HUMAN, PLANAR) and not isinstance(body, CreatureBody):
        raise RigError(f"This take is of a body of the kind {body.kind}; an armature is keyed by takes of humans, of "
                       "creatures and of planar bodies.")
    own = own or figure.own_body(body.mass_kg)
    frames = len(motion.root_position)
    all_places, all_turns = Rows(), Rows()
    for rows in blocks(frames):
        poses = segment_poses(body, motion.root_position[rows], motion.root_quaternion[rows], motion.joint_quaternions[rows])
        turns = _planar_turns(own, body, *poses) if body.kind == PLANAR else _turns(own, body, poses[1])
        places = np.empty((len(turns), len(own.segments), 3))
        places[:, 0] = fitted_root(motion.root_position[rows], body, own)
        _follow(own, places, turns)
        all_places.extend(places)
        all_turns.extend(turns)
        let_go(motion.root_position, motion.root_quaternion, motion.joint_quaternions)
    moved = frozenset(own.index) if body.kind == PLANAR else frozenset(own.index) & frozenset(body.index)
    return OwnMotion(own, all_places.array(), all_turns.array(), moved, own.leg_length_m / body.leg_length_m)


def _turns(own: Body, body: Body, taken: np.ndarray) -> np.ndarray:
    """Orientations (T, S, 4) of the segments of `own`: as those of `body` are `taken`, or else as their parents'."""
    turns = np.empty((len(taken), len(own.segments), 4))
    turns[:, 0] = taken[:, 0]
    for i, segment in enumerate(own.segments[1:], start=1):
        turns[:, i] = taken[:, body.index[segment.name]] if segment.name in body.index else turns[:, own.index[segment.hangs_on]]
    return turns


def _planar_turns(own: Body, body: Body, places: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """The same of a planar body. How high the balls of its feet are is told by its lowest contact point meanwhile."""
    points = contact_point_positions(body, places, taken)[..., 2]
    front = {p.side: i for i, p in enumerate(body.contact_points) if p.kind == "ball"}
    return human_turns(own, body, taken, {side: points[:, i] - points.min(axis=1) for side, i in front.items()})


def _follow(own: Body, places: np.ndarray, turns: np.ndarray) -> None:
    """Place the joints of `own` after its pelvis, its segments being turned."""
    for i, segment in enumerate(own.segments[1:], start=1):
        parent = own.index[segment.hangs_on]
        offset = np.broadcast_to(segment.offset, (len(turns), 3))
        places[:, i] = places[:, parent] + quat_rotate(turns[:, parent], offset)


_STANDING_S = 1.0
"""Window of the mean [s] for a motion without strides."""


@dataclass(frozen=True)
class Travel:
    """How far the body has come: from `start` (2,) to `place` (T, 2) [m], turned by `yaw` (T,) [rad] from `heading_0` [rad]."""

    place: np.ndarray
    start: np.ndarray
    yaw: np.ndarray
    heading_0: float = 0.0

    def part(self, rows: slice) -> Travel:
        return replace(self, place=self.place[rows], yaw=self.yaw[rows])

    @property
    def heading(self) -> np.ndarray:
        """Which way the body heads (T,) [rad]."""
        return self.heading_0 + self.yaw

    @property
    def turn(self) -> np.ndarray:
        """The turn about the vertical (T, 4)."""
        return upright_turns(self.yaw)

    def apply(self, points: np.ndarray) -> np.ndarray:
        """Points (T, ..., 3) of a motion without travel, brought to where the motion goes."""
        lead = (len(self.yaw),) + (1,) * (points.ndim - 2)
        moved = _about_z(points - [*self.start, 0.0], self.yaw)
        moved[..., :2] += self.place.reshape(*lead, 2)
        return moved

    def remove(self, points: np.ndarray) -> np.ndarray:
        """The inverse of `apply`."""
        lead = (len(self.yaw),) + (1,) * (points.ndim - 2)
        moved = np.array(points, dtype=float)
        moved[..., :2] -= self.place.reshape(*lead, 2)
        return _about_z(moved, -self.yaw) + [*self.start, 0.0]


def travel_of(motion: OwnMotion, time_s: np.ndarray, stride_s: float | None) -> Travel:
    """The pelvis' way and heading, each averaged over one stride (over a second without strides), at the frames' times."""
    window = min(stride_s or _STANDING_S, time_s[-1] - time_s[0])
    facing = matrix_from_quat(motion.turns[:, 0])[:, :2, 0]
    yaw = np.unwrap(plane_angle(facing[:, 1], facing[:, 0]))
    smooth = _averaged(time_s, np.column_stack([motion.places[:, 0, :2], yaw]), window)
    return Travel(smooth[:, :2], smooth[0, :2].copy(), smooth[:, 2] - smooth[0, 2], float(smooth[0, 2]))


def without(motion: OwnMotion, travel: Travel) -> OwnMotion:
    back = travel.turn * [1.0, -1.0, -1.0, -1.0]
    turns = quat_multiply(np.broadcast_to(back[:, None], motion.turns.shape), motion.turns)
    return replace(motion, places=travel.remove(motion.places), turns=turns)


def _averaged(time_s: np.ndarray, values: np.ndarray, window_s: float) -> np.ndarray:
    """Mean (T, C) of values over a window about each time; beyond the ends they go on as in the window next to them."""
    step = 0.25 * float(np.min(np.diff(time_s)))
    count = max(1, int(np.ceil(window_s / step)))
    grid = time_s[0] + step * np.arange(-count, int(np.ceil((time_s[-1] - time_s[0]) / step)) + count + 1)
    inside = np.clip(grid, time_s[0], time_s[-1])
    out = np.empty_like(values)
    for column in range(values.shape[1]):
        x = np.interp(inside, time_s, values[:, column])
        near = window_s if window_s > 0.0 else step
        first = np.interp(time_s[0] + near, time_s, values[:, column]) - values[0, column]
        last = values[-1, column] - np.interp(time_s[-1] - near, time_s, values[:, column])
        x = x + (grid - inside) * np.where(grid < time_s[0], first, last) / near
        area = np.concatenate([[0.0], np.cumsum(0.5 * (x[1:] + x[:-1]) * step)])
        high, low = (np.interp(time_s + half, grid, area) for half in (0.5 * near, -0.5 * near))
        out[:, column] = (high - low) / near
    return out


def _about_z(points: np.ndarray, yaw: np.ndarray) -> np.ndarray:
    """Points (T, ..., 3) turned about the vertical through the origin by `yaw` (T,)."""
    lead = (len(yaw),) + (1,) * (points.ndim - 2)
    c, s = np.cos(yaw).reshape(lead), np.sin(yaw).reshape(lead)
    x, y = points[..., 0], points[..., 1]
    return np.stack([c * x - s * y, s * x + c * y, points[..., 2] + 0.0 * x], axis=-1)
