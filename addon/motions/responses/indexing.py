# SPDX-License-Identifier: GPL-3.0-or-later
"""A library from somebody's own folder of clips: where in each clip a body stands, is pushed and stands again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter1d

from ...errors import ClipError, InputError
from ..bvh import read_bvh
from ..retarget import retarget
from .library import Library
from .measuring import Motion, channels_of, measured, momenta, planted_parts, spans, straightened
from .response import Response, feet_of

RATE_HZ = 60.0
SMOOTHING_S = 0.02
QUIET = 0.05
"""Who stands has less momentum over mass than this (0.15 m/s), both feet on the ground (quiet standing sways with 0.01 m/s)."""
QUIET_S = 0.2
"""For so long before a push, and after it."""
BEFORE_S = 0.1
"""So much of the quiet time before momentum is seen belongs to a response: the force comes first."""
SETTLED, SETTLES_S = 0.012, 2.0
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
    """The responses of one BVH file."""
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
    values = CubicSpline(times, values, axis=0)(np.arange(0.0, times[-1] + 1e-9, 1.0 / RATE_HZ))
    parts, reason = segments(values, 1.0 / RATE_HZ)
    responses = []
    for first, last in parts:
        part = values[first:last + 1]
        when = first / RATE_HZ
        name = path.stem if len(parts) == 1 else f"{path.stem}, {when:.2f} s"
        responses.append(measured(straightened(part), 1.0 / RATE_HZ, name,
                                  f"{path.name} from {when:.2f} s to {last / RATE_HZ:.2f} s"))
    return Indexed(path, tuple(responses), reason)


def segments(values: np.ndarray, step_s: float) -> tuple[list[tuple[int, int]], str]:
    """First and last frames of the responses in channels (T, 54), and where there is none, why."""
    _, momentum, _ = momenta(values, step_s)
    speed, planted = np.abs(momentum), planted_parts(values, step_s).any(axis=2).all(axis=1)
    least = round(QUIET_S / step_s)
    quiet = np.zeros(len(speed), dtype=bool)
    for a, b in spans((speed < QUIET) & planted):
        quiet[a:b] = b - a >= least or a == 0 or b == len(speed)
    if not quiet.any():
        return [], "nobody stands still in it"
    found: list[tuple[int, int]] = []
    reason = "nobody is moved by more than sway"
    for a, b in spans(~quiet):
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
    """The frame from which on a body is at rest that is quiet from a frame on, at most SETTLES_S later, or before it moves
    again."""
    until = min(quiet + round(SETTLES_S / step_s), len(speed) - 1)
    moves = np.flatnonzero(speed[quiet:until + 1] > QUIET)
    until = until if not len(moves) else quiet + int(moves[0])
    drifts = np.flatnonzero(speed[quiet:until + 1] > SETTLED)
    return max(min(quiet + round(QUIET_S / step_s), until), quiet + int(drifts[-1]) if len(drifts) else 0)


def _spread(pose: np.ndarray) -> float:
    """How far one ankle is ahead of the other in a pose (54,), over the leg's length."""
    ankles, _ = feet_of(straightened(pose[None]))
    return abs(float(ankles[0, 0, 0] - ankles[0, 1, 0]))
