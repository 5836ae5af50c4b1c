# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a body can follow a clip from its first frame to its last: by its length, its root's way, its feet and what carries it;
and what else is found in a clip, as plain figures and sentences. Judged by structure and physics alone: feet must touch the
ground, nobody stays in the air for longer than anybody jumps, and where feet stand, the centre of pressure that gravity and the
clip's own accelerations ask for must not lie far from their soles for long. Whoever sits, lies, leans, hangs or swims is carried
by something that a follower does not have."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ..bodies.human.landmarks import LANDMARKS, SIDES
from ..bodies.kinematics import centre_of_mass
from ..errors import ClipError
from ..maths.curves import runs
from ..maths.rotations import matrix_from_quat, quat_multiply
from ..specs.shot import EARTH_GRAVITY_M_S2
from .bvh import BvhClip, bvh_text, parse_bvh, read_bvh
from .fitting import Step, find_repeats, fit_cycle, fit_steps
from .retarget import Motion, retarget
from .strides import Contact, Stride, find_contacts, travel_speed

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


def check_followable(motion: Motion, contacts: Sequence[Contact], gravity: float = EARTH_GRAVITY_M_S2) -> None:
    """Raises ClipError, with frame (the first is 1) and reason, for a clip that no body could follow by its own feet, on Earth or
    under the `gravity` [m/s^2] that it may have been made for, where all lasts longer."""
    path, dt, one = motion.clip.path, motion.frame_time_s, motion.clip.first_frame
    longer = math.sqrt(max(EARTH_GRAVITY_M_S2 / gravity, 1.0)) if gravity > 0.0 else math.inf
    if round(motion.clip.duration_s, 2) < SHORTEST_S:  # as it is told
        raise ClipError(f"{path} cannot be followed: its {motion.clip.frames} frames last {motion.clip.duration_s:.2f} s, less "
                        f"than a step of {SHORTEST_S:g} s. Use a longer clip.")
    _check_root(motion)
    if not contacts:
        raise ClipError(f"{path} cannot be followed: neither foot touches the ground in frames {one} to "
                        f"{motion.clip.frames + one - 1}. Use a clip of somebody who stands, walks, runs or jumps.")
    touching = feet_down(motion, contacts)
    air = ~touching.any(axis=1)
    start, frames = _first_run(air, longer * AIR_S / dt)
    if frames:
        what = "lies or swims" if _lies(motion, start, frames) else "hangs, floats or sits"
        raise ClipError(f"{path} cannot be followed: from frame {start + one} on no foot touches the ground for "
                        f"{frames * dt:.1f} s, longer than anybody jumps: the figure {what} there. Cut that part off, or "
                        "use another clip.")
    if (first := int(np.argmin(air))) * dt > BEGIN_S:
        raise ClipError(f"{path} cannot be followed: no foot touches the ground in frames {one} to {first + one - 1}, and a body "
                        "begins on its feet. Cut those frames off, or use another clip.")
    away = pressure_off_soles_m(motion, touching, (EARTH_GRAVITY_M_S2, gravity)) / motion.body.leg_length_m
    start, frames = _first_run(np.nan_to_num(away) > FAR_LEGS, longer * FAR_S / dt)
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


def pressure_off_soles_m(motion: Motion, touching: np.ndarray, gravities: Sequence[float]) -> np.ndarray:
    """Distance (T,) [m] of the centre of pressure that the clip asks for, c - c'' h / g, by the gravity for which it is nearest,
    from the soles of the feet that touch (T, 2), their convex hull; not a number while none does."""
    com = centre_of_mass(motion.body, *motion.poses())
    dt = motion.frame_time_s
    com = gaussian_filter1d(com, SMOOTH_S / dt, axis=0, mode="nearest")
    push = np.gradient(np.gradient(com[:, :2], dt, axis=0), dt, axis=0)
    angles = 2.0 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    ways = np.stack([np.cos(angles), np.sin(angles)])
    points = motion.sole_points()[..., :2] @ ways
    feet = np.array([SIDES.index(point.side) for point in motion.body.contact_points])
    reach = np.where(touching[:, feet, None], points, -np.inf).max(axis=1)
    away = np.min([((com[:, :2] - push * com[:, 2:] / g) @ ways - reach).max(axis=1) for g in gravities if g > 0.0], axis=0)
    return np.where(touching.any(axis=1), np.maximum(away, 0.0), np.nan)


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
    return next(((start, end - start) for start, end in runs(mask) if end - start > longer_than), (0, 0))


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
    """What changes with a file or a folder: its time and its size, of a folder all its files'; zeros where there is none."""
    if path is None:
        return 0, 0
    try:
        status = [file.stat() for file in files_of(path)]
    except OSError:
        return 0, 0
    return max((one.st_mtime_ns for one in status), default=0), sum(one.st_size for one in status)


JOINT_LANDMARKS = tuple(n for n in LANDMARKS if n.split("_")[0] in ("lower", "chest", "neck", "clavicle", "wrist", "toes"))
DRIFT_TOLD_M = 0.02  # floors that rise less over the clip are called level
UNEVEN_TOLD_M = 0.015
SIDES_DIFFER = 0.06
STILL_DEG, STILL_M = 0.1, 0.001
"""Nobody alive moves less in a clip, in any joint and in place."""
FROZEN = "Nothing moves: all {} frames show the same pose."
REFERENCE = "Frame 1 is the rest pose, apart from the motion; it was left out."
STEPS_ONLY = "No stride ends as it began; the gait is made of {} of its steps and their mirror images."


def inspect_clip(path: str | Path) -> dict[str, Any]:
    """What a BVH clip holds, in JSON types: skeleton, scale, floor, contacts, strides, gait, whether it can be followed, and its
    faults in words. Raises ClipError where the file cannot be read or its skeleton not understood; a clip without a gait is no
    error here: its reason stands among `faults`, and `gait` is None. Nor is one that cannot be followed: `not_followed` says why,
    and is None of one that can. Lengths in metres, times in seconds."""
    motion = retarget(read_bvh(path))
    contacts = find_contacts(motion)
    faults = _skeleton_faults(motion) + _floor_faults(motion) + _still_faults(motion)
    strides: list[Stride] = []
    steps: list[Step] = []
    gait = None
    try:
        strides, steps = find_repeats(motion, contacts)
        cycle = fit_cycle(motion, contacts, strides) if strides else fit_steps(motion, contacts, steps)
    except ClipError as error:
        faults.append(str(error))
    else:
        gait = {"speed_m_s": cycle.speed_m_s, "stride_frequency_hz": cycle.stride_frequency_hz, "froude": cycle.froude,
                "stride_length_m": cycle.stride_length_m, "duty_factor": cycle.duty_factor,
                "step_width_m": cycle.step_width_m, "root_height_m": cycle.root_height_m, "harmonics": cycle.harmonics,
                "contact_phases": {s: dataclasses.asdict(c) for s, c in cycle.contact_phases.items()}}
        faults += _gait_faults(gait, len(strides)) if strides else [STEPS_ONLY.format(len(steps))]
    clip, skeleton = motion.clip, motion.skeleton
    return {
        "file": str(path), "joints": list(clip.names), "family": skeleton.family,
        "missing_joints": [n for n in JOINT_LANDMARKS if n not in skeleton.joints], "estimated": list(skeleton.estimated),
        "frames": clip.frames, "frame_rate_hz": 1.0 / clip.frame_time_s, "duration_s": clip.duration_s,
        "unit": skeleton.unit, "metres_per_unit": skeleton.scale, "leg_length_m": skeleton.leg_length_m,
        "degrees_of_freedom": motion.body.degrees_of_freedom, "floor": _floor(motion),
        "mean_speed_m_s": travel_speed(motion), "contacts": [_plain(c) for c in contacts],
        "strides": [dataclasses.asdict(s) for s in strides], "steps": [dataclasses.asdict(s) for s in steps],
        "gait": gait, "not_followed": _not_followed(motion, contacts), "faults": faults,
    }


def _not_followed(motion: Motion, contacts: Sequence[Contact]) -> str | None:
    """Why no body could follow the clip; None of one that can be followed."""
    try:
        check_followable(motion, contacts)
    except ClipError as error:
        return str(error)
    return None


def _plain(contact: Contact) -> dict[str, Any]:
    """A contact with None for times that the clip does not show."""
    return {k: None if isinstance(v, float) and math.isnan(v) else v for k, v in dataclasses.asdict(contact).items()}


def _floor(motion: Motion) -> dict[str, Any]:
    """The ground that was levelled away: its kind, steepness, and rise from the first frame's place to the last's."""
    ends = motion.ground.at(motion.root_position[[0, -1]])
    rise = float(ends[1] - ends[0])
    kind = "slope" if motion.ground.is_slope else "drift" if abs(rise) > DRIFT_TOLD_M else "level"
    return {"kind": kind, "slope_deg": motion.ground.slope_deg, "rise_m": rise, "unevenness_m": motion.ground.spread_m}


def _still_faults(motion: Motion) -> list[str]:
    """Of a clip in which nothing moves."""
    turns = motion.clip.rotations
    cosine = 0.5 * (np.trace(turns @ np.swapaxes(turns[:1], -1, -2), axis1=-2, axis2=-1) - 1.0)
    moves = cosine.min() < math.cos(math.radians(STILL_DEG)) or np.ptp(motion.root_position, axis=0).max() > STILL_M
    return [] if moves else [FROZEN.format(motion.clip.frames)]


def _skeleton_faults(motion: Motion) -> list[str]:
    skeleton, faults = motion.skeleton, [REFERENCE] if motion.clip.first_frame > 1 else []
    faults += [sentence for what, sentence in motion.clip.told if what == "changed"]
    if not skeleton.unit_certain:
        faults.append(f"The unit of length could not be told; the legs were taken to be {skeleton.leg_length_m:.2f} m long.")
    if skeleton.estimated:
        faults.append(f"The file lacks {', '.join(skeleton.estimated)}; these places were estimated.")
    return faults


def _floor_faults(motion: Motion) -> list[str]:
    floor = _floor(motion)
    faults = []
    if floor["kind"] == "slope":
        faults.append(f"The figure walks on a slope of {floor['slope_deg']:.1f} degrees ({floor['rise_m']:+.2f} m in all); "
                      "the feet were set level.")
    elif floor["kind"] == "drift":
        faults.append(f"The floor rises by {100 * floor['rise_m']:+.1f} cm over the clip; it was levelled.")
    if floor["unevenness_m"] > UNEVEN_TOLD_M:
        faults.append(f"Resting feet differ in height by {100 * floor['unevenness_m']:.1f} cm (standard deviation).")
    return faults


def _gait_faults(gait: dict[str, Any], strides: int) -> list[str]:
    faults = []
    if strides == 1:
        faults.append("Only one whole stride was found; a mean over several would be smoother.")
    phases = gait["contact_phases"]
    left, right = ((phases[s]["toe_off"] - phases[s]["strike"]) % 1.0 for s in "LR")
    if abs(left - right) > SIDES_DIFFER or abs(phases["R"]["strike"] - 0.5) > SIDES_DIFFER:
        faults.append("Left and right steps differ clearly; symmetrise the cycle for an even gait.")
    return faults
