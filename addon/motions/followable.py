# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a body can follow a clip from its first frame to its last: by its length, its root's way, its feet and what carries it.

Judged by structure and physics alone: feet must touch the ground, nobody stays in the air for longer than anybody jumps, and
where feet stand, the centre of pressure that gravity and the clip's own accelerations ask for must not lie far from their soles
for long. Whoever sits, lies, leans, hangs or swims is carried by something that a follower does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ..bodies.human.landmarks import SIDES
from ..bodies.kinematics import centre_of_mass
from ..errors import ClipError
from ..maths.rotations import matrix_from_quat, quat_multiply
from ..specs.shot import EARTH_GRAVITY_M_S2
from .bvh import BvhClip, bvh_text, parse_bvh, read_bvh
from .retarget import Motion, retarget
from .strides import Contact, find_contacts

SHORTEST_S = 0.5
"""A step of people who walk as they like takes so long (Winter, "Biomechanics and Motor Control"); runs have shorter ones."""
JUMP_LEGS = 0.08
"""A root that goes so much further in one frame than in the one before and in the one after has jumped; in 82 good clips of 24
to 60 frames a second it is at most 0.028."""
JUMP_DEG = 30.0
"""The same of its turning; at most 2.4 in those."""
FASTEST_M_S = 12.5
"""Nobody runs faster."""
AIR_S = 1.5
"""Longer than people jump: 1.0 s of flight is a jump of 1.2 m. Room is left for leaps keyed by hand."""
BEGIN_S = 0.3
"""A clip that begins without a foot down for longer than a runner flies begins on nothing (88 good clips begin on one)."""
FAR_LEGS = 0.12
FAR_S = 0.8
"""So far beyond the soles for so long no weight is carried by them; pushed, running and turning people are so for 0.27 s."""
SMOOTH_S = 0.1
"""Standard deviation of the smoothing before the centre of mass is differentiated twice."""
DIRECTIONS = 24
"""From how many sides the distance to the soles is looked at."""
LYING_COS = 0.4
"""Cosine of the chest's lean beyond which somebody whom nothing carries lies or swims, else sits or hangs: 66 degrees."""


def check_clip(path: str | Path) -> None:
    """Raises ClipError for a BVH file that cannot be read, or that no body could follow."""
    motion = retarget(read_bvh(path))
    check_followable(motion, find_contacts(motion))


def check_followable(motion: Motion, contacts: Sequence[Contact]) -> None:
    """Raises ClipError, with frame (the first is 1) and reason, for a clip that no body could follow by its own feet."""
    path, dt, one = motion.clip.path, motion.frame_time_s, motion.clip.first_frame
    if round(motion.clip.duration_s, 2) < SHORTEST_S:  # as it is told
        raise ClipError(f"{path} cannot be followed: its {motion.clip.frames} frames last {motion.clip.duration_s:.2f} s, less "
                        f"than a step of {SHORTEST_S:g} s. Use a longer clip.")
    _check_root(motion)
    if not contacts:
        raise ClipError(f"{path} cannot be followed: neither foot touches the ground in frames {one} to "
                        f"{motion.clip.frames + one - 1}. Use a clip of somebody who stands, walks, runs or jumps.")
    touching = feet_down(motion, contacts)
    air = ~touching.any(axis=1)
    start, frames = _first_run(air, AIR_S / dt)
    if frames:
        what = "lies or swims" if _lies(motion, start, frames) else "hangs, floats or sits"
        raise ClipError(f"{path} cannot be followed: from frame {start + one} on no foot touches the ground for "
                        f"{frames * dt:.1f} s, longer than anybody jumps: the figure {what} there. Cut that part off, or "
                        "use another clip.")
    if (first := int(np.argmin(air))) * dt > BEGIN_S:
        raise ClipError(f"{path} cannot be followed: no foot touches the ground in frames {one} to {first + one - 1}, and a body "
                        "begins on its feet. Cut those frames off, or use another clip.")
    away = pressure_off_soles_m(motion, touching) / motion.body.leg_length_m
    start, frames = _first_run(np.nan_to_num(away) > FAR_LEGS, FAR_S / dt)
    if frames:
        far = float(away[start:start + frames].max() * motion.body.leg_length_m)
        what = "lies or crawls" if _lies(motion, start, frames) else "sits, leans on something or holds on to it"
        raise ClipError(f"{path} cannot be followed: from frame {start + one} on its weight is not over its feet for "
                        f"{frames * dt:.1f} s, but up to {far:.2f} m beside them: the figure {what} there. Cut that part off, or "
                        "use another clip.")


def feet_down(motion: Motion, contacts: Sequence[Contact]) -> np.ndarray:
    """(T, 2) bool: the frames in which each foot is on the ground."""
    times = np.arange(motion.clip.frames) * motion.frame_time_s
    down = np.zeros((len(times), len(SIDES)), dtype=bool)
    for contact in contacts:  # a time that is not a number lies before the clip or after it
        down[~(times < contact.strike_s) & ~(times > contact.toe_off_s), SIDES.index(contact.side)] = True
    return down


def pressure_off_soles_m(motion: Motion, touching: np.ndarray) -> np.ndarray:
    """Distance (T,) [m] of the centre of pressure that the clip asks for, c - c'' h / g, from the soles of the feet that touch
    (T, 2), their convex hull; not a number while none does."""
    com = centre_of_mass(motion.body, *motion.poses())
    dt = motion.frame_time_s
    com = gaussian_filter1d(com, SMOOTH_S / dt, axis=0, mode="nearest")
    push = np.gradient(np.gradient(com[:, :2], dt, axis=0), dt, axis=0)
    pressure = com[:, :2] - push * com[:, 2:] / EARTH_GRAVITY_M_S2
    angles = 2.0 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    ways = np.stack([np.cos(angles), np.sin(angles)])
    points = motion.sole_points()[..., :2] @ ways
    feet = np.array([SIDES.index(point.side) for point in motion.body.contact_points])
    reach = np.where(touching[:, feet, None], points, -np.inf).max(axis=1)
    away = np.maximum((pressure @ ways - reach).max(axis=1), 0.0)
    return np.where(touching.any(axis=1), away, np.nan)


def _check_root(motion: Motion) -> None:
    """Raises ClipError for a root that is here in one frame and there in the next."""
    path, dt, leg = motion.clip.path, motion.frame_time_s, motion.body.leg_length_m
    one = motion.clip.first_frame
    way = np.linalg.norm(np.diff(motion.root_position, axis=0), axis=1)
    far = _alone(way)
    if far.max() > JUMP_LEGS * leg or way.max() > FASTEST_M_S * dt:
        frame = int(np.argmax(np.maximum(far / (JUMP_LEGS * leg), way / (FASTEST_M_S * dt))))
        raise ClipError(f"{path} cannot be followed: its root jumps by {way[frame]:.2f} m from frame {frame + one} to "
                        f"{frame + one + 1}. Repair the clip there, or cut it.")
    before, after = motion.root_quaternion[:-1], motion.root_quaternion[1:]
    turn = quat_multiply(after, before * [1.0, -1.0, -1.0, -1.0])
    angle = np.degrees(2.0 * np.arctan2(np.linalg.norm(turn[:, 1:], axis=1), np.abs(turn[:, 0])))
    frame = int(np.argmax(_alone(angle)))
    if _alone(angle)[frame] > JUMP_DEG:
        raise ClipError(f"{path} cannot be followed: its root turns by {angle[frame]:.0f} degrees from frame {frame + one} to "
                        f"{frame + one + 1}. Repair the clip there, or cut it.")


def _alone(changes: np.ndarray) -> np.ndarray:
    """How much more each change (N,) from frame to frame is than the larger of its neighbours."""
    padded = np.concatenate([changes[1:2], changes, changes[-2:-1]])
    return changes - np.maximum(padded[:-2], padded[2:])


def _first_run(mask: np.ndarray, longer_than: float) -> tuple[int, int]:
    """First frame and number of frames of the first run of True in (T,) with more frames than that; no frames without one."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int))).reshape(-1, 2)
    return next(((int(start), int(end - start)) for start, end in edges if end - start > longer_than), (0, 0))


def _lies(motion: Motion, start: int, frames: int) -> bool:
    """Whether the chest is more level than upright there."""
    _, orientations = motion.poses()
    chest = matrix_from_quat(orientations[start:start + frames, motion.body.index["chest"]])
    return bool(np.median(chest[:, 2, 2]) < LYING_COS)


def read_followed(path: str | Path, database: str | Path | None = None) -> BvhClip:
    """The clip of a BVH file, or, with a `database`, of the motion that a file or folder of pressure is read as. Raises
    ClipError, for pressure InputError."""
    if database is None:
        if Path(path).is_dir():
            raise ClipError(f"{path} is a folder: a clip is a BVH file, and a folder of pressure pictures is followed with the "
                            "database of the motions that it is read by.")
        return read_bvh(path)
    from .pressure.database import MOTION_HZ, Database  # loads recognition, which most clips do without
    from .pressure.synthesis import read_motion

    known = Database.load(database)
    reading = read_motion(path, known)
    figure = reading.motion.figure
    text = bvh_text(reading.body, 1.0 / MOTION_HZ, figure.root, figure.turn, figure.joints)
    told = (("by_pressure", reading.called), ("database", known.name), ("database_licence", known.licence))
    return replace(parse_bvh(text, path), told=told)  # by its text: the same as if `lope pressure read --clip` had written it


def files_of(path: str | Path) -> list[Path]:
    """The file, or all files of the folder, in the order of their names."""
    path = Path(path)
    return sorted(file for file in path.iterdir() if file.is_file()) if path.is_dir() else [path]


def stamp(path: str | Path | None) -> tuple[int, int]:
    """What changes with a file or a folder: its time and its size, of a folder those of all its files; zeros where there is none,
    which reading tells."""
    if path is None:
        return 0, 0
    try:
        status = [file.stat() for file in files_of(path)]
    except OSError:
        return 0, 0
    return max((one.st_mtime_ns for one in status), default=0), sum(one.st_size for one in status)
