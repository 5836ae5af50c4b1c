# SPDX-License-Identifier: GPL-3.0-or-later
"""From a motion of somebody who is pushed to a Response: feet that stand, momentum, strategy, where it begins and ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import binary_closing, binary_opening, gaussian_filter1d

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import centre_of_mass
from ...bodies.pose_momentum import specific_angular_momentum
from ...maths.quaternions import matrix_from_quat, quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..channels import channel_values, continuous_rotvec, layout
from .response import PARTS, Response, reference_body, reference_poses, unit_m_s, unit_s

RATE_HZ = 30.0
"""Of the frames that are kept, at Earth's gravity on the reference body."""
LOW, SLOW = 0.025, 0.08
"""A part of a sole lower than this over the leg's length and slower than this over the unit of speed stands (first guess)."""
GAP_S, BOUT_S = 0.07, 0.07
"""Shorter gaps and shorter stands are noise, as in `contacts`."""
STEP = 0.05
"""A foot set down farther than this from where it stood, over the leg's length, has stepped."""
BENT_RAD, FLUNG_RAD = math.radians(15.0), math.radians(60.0)
"""In place: a trunk that bends by more is the hips' strategy, upper arms that turn by more are the arms' (first guess)."""
SETTLES_S = 0.1
"""A foot may land so long after the centre of mass has come farthest."""
SMOOTHING_S = 0.02


@dataclass(frozen=True)
class Motion:
    """A motion of a body on level ground: T samples `step_s` apart. `root_m` (T, 3) with its height over the ground as of a foot
    whose sole is `sole_m` under its ankle, `root_quaternion` (T, 4), `joint_quaternions` (T, S-1, 4)."""

    body: Body
    step_s: float
    root_m: np.ndarray
    root_quaternion: np.ndarray
    joint_quaternions: np.ndarray
    sole_m: float


def channels_of(motion: Motion, facing: np.ndarray | None = None) -> np.ndarray:
    """Channels (T, 54) of a motion, `straightened`."""
    body, reference = motion.body, reference_body()
    values = np.zeros((len(motion.root_m), len(layout().names)))
    values[:, :3] = motion.root_m / body.leg_length_m
    values[:, 2] += motion.sole_m / body.leg_length_m - reference.sole_height_m / reference.leg_length_m
    values[:, 3:6] = rotvec_from_quat(motion.root_quaternion)
    values[:, 6:] = channel_values(body, motion.joint_quaternions)
    return straightened(values, facing)


def straightened(values: np.ndarray, facing: np.ndarray | None = None) -> np.ndarray:
    """Channels (T, 54) with the first place of the ankles' middle taken out, and the heading of an orientation (4,), by default
    the root's first one."""
    out, root = values.copy(), quat_from_rotvec(values[:, 3:6])
    forward = matrix_from_quat(root[0] if facing is None else facing)[:, 0]
    half = -0.5 * math.atan2(forward[1], forward[0])
    turn = np.array([math.cos(half), 0.0, 0.0, math.sin(half)])
    out[:, :3] = values[:, :3] @ matrix_from_quat(turn).T
    out[:, 3:6] = continuous_rotvec(quat_multiply(turn, root))
    positions, _, _ = reference_poses(out[:1])
    ankles = [reference_body().index[f"foot_{side}"] for side in SIDES]
    out[:, :2] -= positions[0, ankles, :2].mean(axis=0) / reference_body().leg_length_m
    return out


def momenta(channels: np.ndarray, step_s: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Centre of mass (T, 3), horizontal momentum over mass (T,) complex, and angular momentum over mass (T, 3), each in its
    unit, of channels (T, 54) `step_s` [s] apart on the reference body."""
    body = reference_body()
    positions, orientations, _ = reference_poses(channels)
    com = centre_of_mass(body, positions, orientations)
    velocity = np.gradient(gaussian_filter1d(com, SMOOTHING_S / step_s, axis=0, mode="nearest"), step_s, axis=0)
    spin = specific_angular_momentum(body, positions, orientations, step_s)
    speed = unit_m_s(body)
    return com / body.leg_length_m, (velocity[:, 0] + 1j * velocity[:, 1]) / speed, spin / (speed * body.leg_length_m)


def planted_parts(channels: np.ndarray, step_s: float) -> np.ndarray:
    """(T, 2, 2) bool: heel and ball of each foot stand, by their height and speed."""
    return standing_parts(reference_body(), reference_poses(channels)[2], step_s)


def standing_parts(body: Body, points: np.ndarray, step_s: float) -> np.ndarray:
    """The same of a body whose contact points (T, P, 3) go so, `step_s` [s] apart."""
    speed = np.linalg.norm(np.gradient(points, step_s, axis=0), axis=-1)
    found = np.zeros((len(points), 2, 2), dtype=bool)
    near, long = (max(round(s / step_s), 1) for s in (GAP_S, BOUT_S))
    for i, side in enumerate(SIDES):
        for k, part in enumerate(PARTS):
            rows = [r for r, p in enumerate(body.contact_points) if p.side == side and p.kind == part]
            low = points[:, rows, 2].min(axis=1) < LOW * body.leg_length_m
            stands = low & (speed[:, rows].min(axis=1) < SLOW * unit_m_s(body))
            padded = np.pad(stands, long + near, mode="edge")
            padded = binary_opening(binary_closing(padded, np.ones(near + 1)), np.ones(long))
            found[:, i, k] = padded[long + near:-(long + near)]
    return found


def steps_in(channels: np.ndarray, planted: np.ndarray) -> int:
    """How many times a foot is lifted and set down elsewhere."""
    positions, _, _ = reference_poses(channels)
    count = 0
    for i, side in enumerate(SIDES):
        ankle = positions[:, reference_body().index[f"foot_{side}"], :2] / reference_body().leg_length_m
        for a, b in spans(~planted[:, i].any(axis=1)):
            count += 0 < a and b < len(ankle) and float(np.hypot(*(ankle[b] - ankle[a - 1]))) > STEP
    return count


def spans(mask: np.ndarray) -> list[tuple[int, int]]:
    """Frame ranges [start, end) in which a mask (T,) holds."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def strategy_of(channels: np.ndarray, steps: int) -> str:
    """The strongest strategy that a motion shows."""
    if steps:
        return "step" if steps == 1 else "steps"
    places = layout()
    flung = max(turned(channels[:, places.slices[f"upper_arm_{side}"]]) for side in SIDES)
    if flung > FLUNG_RAD:
        return "arms"
    _, orientations, _ = reference_poses(channels)
    chest = orientations[:, reference_body().index["chest"]]
    return "hips" if turned(rotvec_from_quat(chest)) > BENT_RAD else "ankles"


def turned(vectors: np.ndarray) -> float:
    """How far a rotation (T, 3) [rad] goes at most from where it is at first."""
    turns = quat_from_rotvec(vectors)
    away = quat_multiply(quat_conjugate(turns[:1]), turns)
    return float(np.linalg.norm(rotvec_from_quat(away), axis=1).max())


def measured(
    channels: np.ndarray, step_s: float, name: str, source: str, known: Mapping[str, object] | None = None,
) -> Response:
    """The response that channels (T, 54) `step_s` [s] apart on the reference body show from their first sample to their last.
    `known` are fields that were told instead of measured: `push`, `strategy`, `steps`."""
    com, momentum, spin = momenta(channels, step_s)
    planted, away = planted_parts(channels, step_s), com[:, :2] - com[0, :2]
    far = int(np.hypot(*away.T).argmax())  # people step back to where they stood afterwards
    steps = steps_in(channels[:far + 1 + round(SETTLES_S / step_s)], planted[:far + 1 + round(SETTLES_S / step_s)])
    push = complex(momentum[int(np.abs(momentum[:far + 1]).argmax())])
    if steps:  # a foot's lift needs a lateral shift of its own: take the whole way's direction instead (Yin 2007, 4.3)
        way = complex(*away[far])
        push = max(float((momentum[:far + 1] * np.conj(way)).real.max()) / abs(way), 1e-6) * way / abs(way)
    most = spin[int(np.hypot(spin[:, 0], spin[:, 1]).argmax())]
    times = np.arange(0.0, len(channels) - 1 + 1e-9, 1.0 / (RATE_HZ * step_s))
    kept = np.round(times).astype(int)
    at = np.array([np.interp(times, np.arange(len(channels)), column) for column in channels.T]).T
    values = {"strategy": strategy_of(channels, steps), "steps": steps, "push": push, **(known or {})}
    return Response(name, source, spin=(float(most[0]), float(most[1])), step=1.0 / (RATE_HZ * unit_s(reference_body())),
                    channels=at, planted=planted[kept], momentum=momentum[kept], **values)  # type: ignore[arg-type]
