# SPDX-License-Identifier: GPL-3.0-or-later
"""From a motion of somebody who is pushed to a Response: feet that stand, momentum, strategy, where it begins and ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import binary_closing, binary_opening, gaussian_filter1d

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import centre_of_mass, specific_angular_momentum_of_poses
from ...errors import ClipError, InputError
from ...maths.curves import runs
from ...maths.rotations import matrix_from_quat, quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..bvh import read_bvh
from ..cycle import channel_values, continuous_rotvec, layout
from ..retarget import retarget
from .response import PARTS, Library, Response, feet_of, reference_body, reference_poses, unit_m_s, unit_s

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
    spin = specific_angular_momentum_of_poses(body, positions, orientations, step_s)
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
    positions, _, _ = reference_poses(channels)
    count = 0
    for i, side in enumerate(SIDES):
        ankle = positions[:, reference_body().index[f"foot_{side}"], :2] / reference_body().leg_length_m
        for a, b in runs(~planted[:, i].any(axis=1)):
            count += 0 < a and b < len(ankle) and float(np.hypot(*(ankle[b] - ankle[a - 1]))) > STEP
    return count


def strategy_of(channels: np.ndarray, steps: int) -> str:
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


def measured(channels: np.ndarray, step_s: float, name: str, source: str, known: Mapping[str, object] | None = None) -> Response:
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


CLIP_RATE_HZ = 60.0
QUIET = 0.05
"""Who stands has less momentum over mass than this (0.15 m/s), both feet on the ground (quiet standing sways with 0.01 m/s)."""
QUIET_S = 0.2
"""For so long before a push, and after it."""
BEFORE_S = 0.1
"""So much of the quiet time before momentum is seen belongs to a response: the force comes first."""
SETTLED, CLIP_SETTLES_S = 0.012, 2.0
"""It ends where the body has become slower than this (0.035 m/s), so much later at most: it still rises then."""
LEAST = 0.06
"""A response recovers at least this much (0.18 m/s): less is sway."""
RISE_S = 0.8
"""A push has brought its momentum after so long; who takes longer walks off (captured pushes of people: 0.3 to 0.6 s)."""

SPREAD = 0.2
"""Who stands with one foot farther ahead of the other than this after a response, over the leg's length, steps back then: that is
no response to a push of its own, but the end of the one before."""


@dataclass(frozen=True)
class Indexed:
    """What was found in one clip: responses, or the reason why there is none."""

    path: Path
    responses: tuple[Response, ...]
    reason: str = ""


def index_folder(folder: str | Path, clips: Sequence[Path], licence: str = "", told: Callable[[Indexed], None] | None = None
                 ) -> Library:
    """The library of clips. `told` hears of each one. Raises InputError where no clip has a response, with the first reason."""
    found = []
    for path in clips:
        found.append(index_clip(path))
        if told is not None:
            told(found[-1])
    responses = tuple(response for one in found for response in one.responses)
    if not responses:
        raise InputError(f"In no clip of {folder} ({len(found)} looked through) does somebody stand, get pushed and stand again "
                         f"({found[0].path.name}: {found[0].reason}): film from quiet standing to quiet standing.")
    return Library(Path(folder).name, licence, responses)


def index_clip(path: Path) -> Indexed:
    try:
        motion = retarget(read_bvh(str(path)))
    except ClipError as error:
        return Indexed(path, (), str(error))
    step_s, height = motion.frame_time_s, motion.resting_ankle_height_m()
    if not np.isfinite(height):
        return Indexed(path, (), "no foot ever rests")
    values = channels_of(Motion(motion.body, step_s, motion.root_position, motion.root_quaternion, motion.joint_quaternions,
                                -height))
    times = step_s * np.arange(len(values))
    values = gaussian_filter1d(values, SMOOTHING_S / step_s, axis=0, mode="nearest")
    values = CubicSpline(times, values, axis=0)(np.arange(0.0, times[-1] + 1e-9, 1.0 / CLIP_RATE_HZ))
    parts, reason = segments(values, 1.0 / CLIP_RATE_HZ)
    responses = []
    for first, last in parts:
        part = values[first:last + 1]
        when = first / CLIP_RATE_HZ
        name = path.stem if len(parts) == 1 else f"{path.stem}, {when:.2f} s"
        responses.append(measured(straightened(part), 1.0 / CLIP_RATE_HZ, name,
                                  f"{path.name} from {when:.2f} s to {last / CLIP_RATE_HZ:.2f} s"))
    return Indexed(path, tuple(responses), reason)


def segments(values: np.ndarray, step_s: float) -> tuple[list[tuple[int, int]], str]:
    """First and last frames of the responses in channels (T, 54), and where there is none, why."""
    _, momentum, _ = momenta(values, step_s)
    speed, planted = np.abs(momentum), planted_parts(values, step_s).any(axis=2).all(axis=1)
    least = round(QUIET_S / step_s)
    quiet = np.zeros(len(speed), dtype=bool)
    for a, b in runs((speed < QUIET) & planted):
        quiet[a:b] = b - a >= least or a == 0 or b == len(speed)
    if not quiet.any():
        return [], "nobody stands still in it"
    found: list[tuple[int, int]] = []
    reason = "nobody is moved by more than sway"
    for a, b in runs(~quiet):
        peak = a + int(speed[a:b].argmax())
        if speed[peak] < LEAST:
            continue
        first, last = max(a - round(BEFORE_S / step_s), 0), _settled(speed, b, step_s)
        if a == 0:
            reason = "it does not begin standing"
        elif found and _spread(values[first]) > SPREAD:
            if _spread(values[last]) < _spread(values[first]):
                found[-1] = found[-1][0], last  # back to how they stood
        elif (peak - a) * step_s > RISE_S:
            reason = "the momentum comes too slowly for a push: somebody walks off"
        elif b == len(speed) and (speed[-1] > LEAST or not planted[-1]):
            reason = "it ends before anybody stands again"
        else:
            found.append((first, last))
    return found, "" if found else reason


def _settled(speed: np.ndarray, quiet: int, step_s: float) -> int:
    """The frame from which a body is at rest that is quiet from a frame on, at most SETTLES_S later, or before it moves again."""
    until = min(quiet + round(CLIP_SETTLES_S / step_s), len(speed) - 1)
    moves = np.flatnonzero(speed[quiet:until + 1] > QUIET)
    until = until if not len(moves) else quiet + int(moves[0])
    drifts = np.flatnonzero(speed[quiet:until + 1] > SETTLED)
    return max(min(quiet + round(QUIET_S / step_s), until), quiet + int(drifts[-1]) if len(drifts) else 0)


def _spread(pose: np.ndarray) -> float:
    """How far one ankle is ahead of the other in a pose (54,), over the leg's length."""
    ankles, _ = feet_of(straightened(pose[None]))
    return abs(float(ankles[0, 0, 0] - ankles[0, 1, 0]))
