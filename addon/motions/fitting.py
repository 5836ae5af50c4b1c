# SPDX-License-Identifier: GPL-3.0-or-later
"""From clips to a Cycle: strides cut out, brought to one heading, averaged, and written as Fourier series."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

from ..errors import ClipError
from ..maths.angles import plane_angle
from ..maths.quaternions import matrix_from_quat, quat_from_rotvec, quat_multiply
from ..specs.shot import EARTH_GRAVITY_M_S2
from .bvh import read_bvh
from .channels import ankle_height_per_leg, channel_values, continuous_rotvec, layout
from .contacts import Contact, find_contacts
from .cycle import ContactPhases, Cycle
from .knees import with_straightest_knee
from .retarget import Motion, retarget
from .series import SAMPLES, fourier_coefficients
from .steps import Step, find_steps, fit_steps
from .strides import NotCyclic, Stride, find_strides

LEAST_TURNING_RAD_S = np.radians(5.0)
FRINGE_S = 0.2
"""How much of a clip around a stride its splines are laid through."""
FORWARD_DEG = 50.0  # travelling further than this off the facing is walking sideways or backward


@dataclasses.dataclass(frozen=True)
class _Track:
    """Speed, heading at the middle of a stride, and rate of turning."""

    speed_m_s: float
    heading_rad: float
    turning_rad_s: float


def cycle_from_clip(path: str | Path, straightest_knee_rad: float | None = None) -> Cycle:
    """The mean stride of a BVH clip as a Cycle. Raises ClipError where it cannot be read or holds no cyclic gait.

    A clip too short for a stride that ends as it began may still hold a single step that does, mirrored: the cycle is then
    that step and its mirror image. With `straightest_knee_rad` the clip's leg bones are first set so that its knees
    straighten so far (`knees`).
    """
    motion = retarget(read_bvh(path))
    contacts = find_contacts(motion)
    strides, steps = find_repeats(motion, contacts)
    if straightest_knee_rad is not None:
        motion = with_straightest_knee(motion, straightest_knee_rad)
    return fit_cycle(motion, contacts, strides) if strides else fit_steps(motion, contacts, steps)


def find_repeats(motion: Motion, contacts: Sequence[Contact]) -> tuple[list[Stride], list[Step]]:
    """What of a clip can be repeated: strides that end as they began or else, without any, steps that end as their own
    mirror image. Raises ClipError where there is neither."""
    try:
        return find_strides(motion, list(contacts)), []
    except NotCyclic:
        steps = find_steps(motion, contacts)
        if not steps:
            raise
        return [], steps


def circle_of_clip(path: str | Path) -> float:
    """Radius over leg length, left positive, of the circle that a clip's strides go round. Raises ClipError where it goes
    straight."""
    motion = retarget(read_bvh(path))
    joints = channel_values(motion.body, motion.joint_quaternions)
    tracks = [_stride_samples(motion, joints, stride)[1] for stride in find_strides(motion, find_contacts(motion))]
    speed, turning = (float(np.mean([getattr(t, name) for t in tracks])) for name in ("speed_m_s", "turning_rad_s"))
    if abs(turning) < LEAST_TURNING_RAD_S:
        raise ClipError(f"{path} goes straight: it turns by {np.degrees(turning):.1f} degrees a second on "
                        "average. A gait that goes in a circle needs a clip of that.")
    return speed / turning / motion.skeleton.leg_length_m


def fit_cycle(motion: Motion, contacts: Sequence[Contact], strides: Sequence[Stride]) -> Cycle:
    """The mean of a motion's strides as a Cycle; strides of either foot count, brought to the left strike's phase."""
    joints = channel_values(motion.body, motion.joint_quaternions)
    spectra, tracks = [], []
    right = _right_strike(strides)
    for stride in strides:
        values, track = _stride_samples(motion, joints, stride)
        spectrum = np.fft.rfft(values, axis=0) / SAMPLES
        shift = 0.0 if stride.side == "L" else right
        spectra.append(spectrum * np.exp(-2j * np.pi * shift * np.arange(len(spectrum)))[:, None])
        tracks.append(track)
    spectrum = np.mean(spectra, axis=0)
    leg = motion.skeleton.leg_length_m
    spectrum[0, 2] += ankle_height_per_leg() * leg - motion.resting_ankle_height_m()
    spectrum[:, :3] /= leg
    coefficients = fourier_coefficients(spectrum)
    return Cycle(Path(motion.clip.path).stem, f"BVH clip {Path(motion.clip.path).name}, {len(strides)} strides",
                 float(np.mean([t.speed_m_s for t in tracks])), float(1.0 / np.mean([s.duration_s for s in strides])), leg,
                 _step_width(motion, strides, tracks), _contact_phases(contacts, strides, right, motion.clip.path),
                 coefficients)


def _right_strike(strides: Sequence[Stride]) -> float:
    """Phase of the right heel strike, the mean over strides of both feet."""
    return float(np.mean([s.opposite if s.side == "L" else 1.0 - s.opposite for s in strides]))


def _stride_samples(motion: Motion, joints: np.ndarray, stride: Stride) -> tuple[np.ndarray, _Track]:
    """Channels (SAMPLES, 54) of one stride, lengths in metres, and the track it follows."""
    times = np.arange(motion.clip.frames) * motion.frame_time_s
    grid = np.linspace(stride.start_s, stride.end_s, SAMPLES + 1)
    turns = matrix_from_quat(motion.root_quaternion)
    yaw = CubicSpline(times, np.unwrap(plane_angle(turns[:, 1, 0], turns[:, 0, 0])))
    rate = (yaw(stride.end_s) - yaw(stride.start_s)) / stride.duration_s
    middle = 0.5 * (stride.start_s + stride.end_s)
    facing = float(np.mean(yaw(grid[:-1]) - rate * (grid[:-1] - middle)))
    place = CubicSpline(times, motion.root_position)(grid)
    centres = 0.5 * (grid[1:] + grid[:-1])
    steps = _turned(np.diff(place[:, :2], axis=0), -(facing + rate * (centres - middle)))
    offset = np.arctan2(*steps.sum(axis=0)[::-1])
    if abs(offset) > np.radians(FORWARD_DEG):
        way = "backward" if abs(offset) > np.radians(180.0 - FORWARD_DEG) else "sideways"
        raise ClipError(f"{motion.clip.path} walks {way}: it travels {abs(np.degrees(offset)):.0f} degrees off its facing. "
                        "Lope's gaits go forward.")
    steps = _turned(steps, np.full(SAMPLES, -offset))
    track = np.vstack([[0.0, 0.0], np.cumsum(steps, axis=0)])
    # Of this stride alone: far from it the heading runs on, turn after turn, and a rotation vector is off by one of them.
    near = slice(*np.searchsorted(times, (stride.start_s - FRINGE_S, stride.end_s + FRINGE_S)))
    away = quat_from_rotvec(np.outer(facing + offset + rate * (times[near] - middle), [0.0, 0.0, -1.0]))
    rotvec = CubicSpline(times[near], continuous_rotvec(quat_multiply(away, motion.root_quaternion[near])))(grid)
    values = np.hstack([track, place[:, 2:], rotvec, CubicSpline(times, joints)(grid)])
    share = np.arange(SAMPLES + 1)[:, None] / SAMPLES
    values = (values - (share - 0.5) * (values[-1] - values[0]))[:-1]
    values[:, :2] -= values[:, :2].mean(axis=0)
    return values, _Track(float(track[-1, 0] / stride.duration_s), float(facing + offset), float(rate))


def _turned(vectors: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Plane vectors (N, 2) turned by angles (N,)."""
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([c * vectors[:, 0] - s * vectors[:, 1], s * vectors[:, 0] + c * vectors[:, 1]], axis=1)


def _step_width(motion: Motion, strides: Sequence[Stride], tracks: Sequence[_Track]) -> float:
    """Mean distance [m] between the two feet's ankles at their strikes, across the heading; negative when they cross."""
    positions, _ = motion.poses()
    times = np.arange(motion.clip.frames) * motion.frame_time_s
    ankles = {side: CubicSpline(times, positions[:, motion.body.index[f"foot_{side}"], :2]) for side in "LR"}
    widths = []
    for stride, track in zip(strides, tracks, strict=True):
        heading = track.heading_rad
        other = "R" if stride.side == "L" else "L"
        landed = stride.start_s + stride.opposite * stride.duration_s
        own = 0.5 * (ankles[stride.side](stride.start_s) + ankles[stride.side](stride.end_s))
        sign = 1.0 if stride.side == "L" else -1.0
        left = np.array([-np.sin(heading), np.cos(heading)])
        bend = track.speed_m_s * track.turning_rad_s * stride.duration_s**2 / 8.0  # a curve's arc lies outside its chord
        widths.append(sign * (float((own - ankles[other](landed)) @ left) - bend))
    return float(np.mean(widths))


def _contact_phases(
    contacts: Sequence[Contact], strides: Sequence[Stride], right: float, path: str
) -> dict[str, ContactPhases]:
    """Mean contact phases of both feet; a foot whose stance the clip never shows whole takes the other's."""
    duration = float(np.mean([s.duration_s for s in strides]))
    first, last = min(s.start_s for s in strides), max(s.end_s for s in strides)
    since = {}
    for side in "LR":
        rows = [(c.flat_s - c.strike_s, c.heel_off_s - c.strike_s, c.toe_off_s - c.strike_s) for c in contacts
                if c.side == side and first - 1e-6 <= c.strike_s <= last + 1e-6 and np.isfinite(c.toe_off_s)]
        if rows:
            since[side] = np.mean(rows, axis=0) / duration
    if not since or max(s.max() for s in since.values()) >= 1.0:
        raise ClipError(f"{path} shows no whole stance of a foot within its strides; use a longer clip.")
    whole = next(iter(since.values()))
    left, other = (ContactPhases(0.0, *(float(x) for x in since.get(side, whole))) for side in "LR")
    return {"L": left, "R": other.shifted(right)}


def mean_cycle(cycles: Sequence[Cycle], name: str, source: str) -> Cycle:
    """The mean of several cycles, all brought to the same dimensionless form (leg length, and time sqrt(l / g))."""
    if not cycles:
        raise ClipError("A mean needs at least one cycle.")
    harmonics = max(c.harmonics for c in cycles)
    leg = float(np.mean([c.leg_length_m for c in cycles]))
    root = np.sqrt([EARTH_GRAVITY_M_S2 * c.leg_length_m for c in cycles])
    speed = np.mean([c.speed_m_s for c in cycles] / root) * np.sqrt(EARTH_GRAVITY_M_S2 * leg)
    rate = np.mean([c.stride_frequency_hz * c.leg_length_m for c in cycles] / root) * np.sqrt(EARTH_GRAVITY_M_S2 / leg)
    width = np.mean([c.step_width_m / c.leg_length_m for c in cycles]) * leg
    right = float(np.mean([c.contact_phases["R"].strike for c in cycles]))
    since = {s: np.mean([c.contact_phases[s].since_strike() for c in cycles], axis=0) for s in "LR"}
    contacts = {s: ContactPhases(0.0, *(float(x) for x in since[s])) for s in "LR"}
    return dataclasses.replace(
        cycles[0], name=name, source=source, speed_m_s=float(speed), stride_frequency_hz=float(rate), leg_length_m=leg,
        step_width_m=float(width), contact_phases={"L": contacts["L"], "R": contacts["R"].shifted(right)},
        coefficients=np.mean([_padded(c.coefficients, harmonics) for c in cycles], axis=0))


def _padded(coefficients: np.ndarray, harmonics: int) -> np.ndarray:
    """Coefficients with zeros for the harmonics they lack."""
    h = (coefficients.shape[1] - 1) // 2
    gap = np.zeros((len(coefficients), harmonics - h))
    return np.hstack([coefficients[:, :h + 1], gap, coefficients[:, h + 1:], gap])


def with_level_head(cycle: Cycle) -> Cycle:
    """The cycle with the head's mean pitch changed so that it looks at the horizon on average; its nodding stays."""
    trunk = ("root", "lower_spine", "chest", "neck", "head")
    names = layout().names
    coefficients = cycle.coefficients.copy()
    coefficients[names.index("head.ry"), 0] -= sum(coefficients[names.index(f"{part}.ry"), 0] for part in trunk)
    return dataclasses.replace(cycle, coefficients=coefficients)


def with_trunk_lean(cycle: Cycle, lean_rad: float) -> Cycle:
    """The cycle with the chest leaning forward by `lean_rad` on average, changed in the lower spine; the head keeps its pitch."""
    names = layout().names
    coefficients = cycle.coefficients.copy()
    mean = {part: names.index(f"{part}.ry") for part in ("root", "lower_spine", "chest", "head")}
    change = lean_rad - sum(coefficients[mean[part], 0] for part in ("root", "lower_spine", "chest"))
    coefficients[mean["lower_spine"], 0] += change
    coefficients[mean["head"], 0] -= change
    return dataclasses.replace(cycle, coefficients=coefficients)
