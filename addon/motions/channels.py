# SPDX-License-Identifier: GPL-3.0-or-later
"""The channels of a Cycle: their order, their mirror images, and the pose of a body that they describe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from ..bodies.body import Body
from ..bodies.makers import make_body
from ..maths.quaternions import quat_from_rotvec, rotvec_from_quat
from ..specs.shot import BodySpec

ROOT_CHANNELS = ("root.x", "root.y", "root.z", "root.rx", "root.ry", "root.rz")


@dataclass(frozen=True)
class Layout:
    """Where the channels stand: `names` (54,), `slices` of a segment, `axes`: a segment's hinge axis (3,), None for a ball.

    `mirror_order` and `mirror_sign` (54,) make the mirror image of a pose: `values[..., mirror_order] * mirror_sign`.
    """

    names: tuple[str, ...]
    slices: dict[str, slice]
    axes: dict[str, np.ndarray | None]
    mirror_order: np.ndarray
    mirror_sign: np.ndarray


@cache
def ankle_height_per_leg() -> float:
    """Height of the ankle centre over the sole of the standard body, in leg lengths: what `root.z` counts for the foot."""
    body = make_body(BodySpec())
    return -body.sole_height_m / body.leg_length_m


@cache
def layout() -> Layout:
    """Channels of the standard body: the root's six, then each joint's in the order of `Body.joint_segments`."""
    names, slices, axes = list(ROOT_CHANNELS), {}, {}
    for segment in make_body(BodySpec()).segments[1:]:
        new = [segment.name] if segment.joint == "hinge" else [f"{segment.name}.{k}" for k in ("rx", "ry", "rz")]
        slices[segment.name] = slice(len(names), len(names) + len(new))
        axes[segment.name] = segment.axis
        names += new
    swap = {"_L": "_R", "_R": "_L"}
    order, sign = [], []
    for name in names:
        stem, dot, part = name.partition(".")
        order.append(names.index(stem[:-2] + swap[stem[-2:]] + dot + part if stem[-2:] in swap else name))
        sign.append(-1.0 if part in ("y", "rx", "rz") else 1.0)
    return Layout(tuple(names), slices, axes, np.array(order), np.array(sign))


def channel_values(body: Body, joint_quaternions: np.ndarray) -> np.ndarray:
    """Joint channels (T, 48) of a motion's joint quaternions (T, S-1, 4); joints that the body lacks stay at zero.

    Rotation vectors are continuous in time.
    """
    places = layout()
    values = np.zeros((len(joint_quaternions), len(places.names) - 6))
    for i, name in enumerate(body.joint_segments):
        vectors = continuous_rotvec(joint_quaternions[:, i])
        axis, where = places.axes[name], places.slices[name]
        values[:, where.start - 6:where.stop - 6] = vectors if axis is None else (vectors @ axis)[:, None]
    return values


def continuous_rotvec(quaternions: np.ndarray) -> np.ndarray:
    """Rotation vectors (T, 3) of quaternions (T, 4) without jumps of a whole turn."""
    vectors = rotvec_from_quat(quaternions)
    for t in range(1, len(vectors)):
        angle = np.linalg.norm(vectors[t])
        if angle > 1e-9:
            axis = vectors[t] / angle
            vectors[t] += axis * 2.0 * np.pi * np.round(((vectors[t - 1] - vectors[t]) @ axis) / (2.0 * np.pi))
    return vectors


def pose(values: np.ndarray, body: Body) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A body's pose from channel values (..., 54) as `Cycle.evaluate` gives them, lengths in leg lengths.

    Returns the root's position (..., 3) [m] in the travelling frame, its quaternion (..., 4) relative to the heading, and
    the joint quaternions (..., S-1, 4) in the order of `body.joint_segments`. Channels of joints that the body lacks go
    unused. A body whose ankles stand higher over the sole than the standard body's has its root higher by as much.
    """
    places = layout()
    joints = []
    for name in body.joint_segments:
        part = values[..., places.slices[name]]
        axis = places.axes[name]
        joints.append(quat_from_rotvec(part if axis is None else part * axis))
    root = values[..., :3] * body.leg_length_m
    root[..., 2] -= body.sole_height_m + ankle_height_per_leg() * body.leg_length_m
    return root, quat_from_rotvec(values[..., 3:6]), np.stack(joints, axis=-2)
