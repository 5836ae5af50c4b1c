# SPDX-License-Identifier: GPL-3.0-or-later
"""From clips to a Cycle: strides cut out, brought to one heading, averaged, and written as Fourier series. For clips that show no
whole stride a step and its mirror image make a cycle."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

from ..errors import ClipError
from ..maths.rotations import matrix_from_quat, plane_angle, quat_from_rotvec, quat_multiply
from . import cycle
from .bvh import read_bvh
from .retarget import Motion, retarget
from .strides import LEG_SEGMENTS, Contact, NotCyclic, Stride, find_contacts, find_strides, travel_speed

MISMATCH_RAD = np.radians(20.0)
"""Root mean square over the legs' joints between a step's start and the mirror image of its end. More than is allowed for
whole strides: left and right of a steady walk already differ by up to 9 degrees."""
FACING_RAD = np.radians(30.0)
"""A step that travels or turns by more than this is no step of a walk straight ahead."""
SHORTEST_S, LONGEST_S = 0.2, 1.2
LEAST_SPEED_SHARE = 0.8
"""A step slower than this share of the fastest one starts or stops the walk; of the clip's mean, it is not what it shows."""


@dataclass(frozen=True)
class Step:
    """From a foot's strike to the other foot's. `facing_rad` is the mean facing, `travel_rad` the way's direction from it."""

    side: str
    start_s: float
    end_s: float
    facing_rad: float
    travel_rad: float
    length_m: float
    mismatch_rad: float

    @property
    def speed_m_s(self) -> float:
        return self.length_m / (self.end_s - self.start_s)


class _Curves:
    """A motion over time: `yaw` [rad] and `place` (3,) [m] of the pelvis, `joints` (48,) channels, each a spline."""

    def __init__(self, motion: Motion) -> None:
        self.times = np.arange(motion.clip.frames) * motion.frame_time_s
        turns = matrix_from_quat(motion.root_quaternion)
        self.yaw = CubicSpline(self.times, np.unwrap(plane_angle(turns[:, 1, 0], turns[:, 0, 0])))
        self.place = CubicSpline(self.times, motion.root_position)
        self.joints = CubicSpline(self.times, cycle.channel_values(motion.body, motion.joint_quaternions))


def find_steps(motion: Motion, contacts: Sequence[Contact]) -> list[Step]:
    """The steps of a clip that go straight ahead and end as the mirror image of how they began; none where there are none."""
    strikes = sorted((c.strike_s, c.side) for c in contacts if np.isfinite(c.strike_s))
    pairs = [(a, b) for a, b in zip(strikes, strikes[1:], strict=False) if a[1] != b[1] and SHORTEST_S < b[0] - a[0] < LONGEST_S]
    curves = _Curves(motion)
    steps = [_step(curves, side, start, end) for (start, side), (end, _) in pairs]
    good = [s for s in steps if s is not None and s.mismatch_rad < MISMATCH_RAD and abs(s.travel_rad) < FACING_RAD]
    fastest = max((s.speed_m_s for s in good), default=0.0)
    least = LEAST_SPEED_SHARE * max(fastest, travel_speed(motion))
    return [s for s in good if s.speed_m_s >= least]


def fit_steps(motion: Motion, contacts: Sequence[Contact], steps: Sequence[Step]) -> cycle.Cycle:
    """The mean of steps and of their mirror images as a Cycle that is the same left and right."""
    curves = _Curves(motion)
    spectrum = np.mean([np.fft.rfft(_cycle_samples(motion, curves, step), axis=0) / cycle.SAMPLES for step in steps], axis=0)
    leg = motion.skeleton.leg_length_m
    spectrum[0, 2] += cycle.ankle_height_per_leg() * leg - motion.resting_ankle_height_m()
    spectrum[:, :3] /= leg
    duration = float(np.mean([s.end_s - s.start_s for s in steps]))
    left = _phases_of_step(contacts, steps, 2.0 * duration)
    name = Path(motion.clip.path).name
    return cycle.Cycle(Path(name).stem, f"BVH clip {name}, {len(steps)} steps and their mirror images",
                 float(np.mean([s.speed_m_s for s in steps])), 0.5 / duration, leg, _width_of_step(motion, curves.times, steps),
                 {"L": left, "R": left.shifted(0.5)}, cycle.fourier_coefficients(spectrum))


def _step(curves: _Curves, side: str, start: float, end: float) -> Step | None:
    """The step between two strikes; None where it turns too far for a walk straight ahead."""
    yaw, place = curves.yaw([start, end]), curves.place([start, end])
    if abs(yaw[1] - yaw[0]) > FACING_RAD:
        return None
    way = place[1, :2] - place[0, :2]
    facing = float(yaw.mean())
    travel = float(np.angle(complex(*way) * np.exp(-1j * facing)))
    places = cycle.layout()
    legs = [i for i, name in enumerate(places.names) if name.partition(".")[0][:-2] in LEG_SEGMENTS]
    first, last = curves.joints([start, end])
    mirrored = (np.concatenate([np.zeros(6), last])[places.mirror_order] * places.mirror_sign)[legs]
    apart = np.concatenate([np.zeros(6), first])[legs] - mirrored
    joints = len({places.names[i].partition(".")[0] for i in legs})
    return Step(side, start, end, facing, travel, float(np.linalg.norm(way)), float(np.sqrt(apart @ apart / joints)))


def _cycle_samples(motion: Motion, curves: _Curves, step: Step) -> np.ndarray:
    """Channels (SAMPLES, 54) of a step and its mirror image from the left strike on; lengths in metres."""
    places, half = cycle.layout(), cycle.SAMPLES // 2
    share = np.arange(half + 1) / half
    grid = step.start_s + share * (step.end_s - step.start_s)
    heading = step.facing_rad + step.travel_rad
    c, s = np.cos(heading), np.sin(heading)
    place = curves.place(grid)
    track = (place[:, :2] - place[0, :2]) @ np.array([[c, -s], [s, c]])
    track[:, 0] -= share * step.length_m
    away = quat_from_rotvec(np.array([0.0, 0.0, -step.facing_rad]))
    near = slice(*np.searchsorted(curves.times, (step.start_s - SHORTEST_S, step.end_s + SHORTEST_S)))
    turned = cycle.continuous_rotvec(quat_multiply(away, motion.root_quaternion[near]))
    values = np.hstack([track, place[:, 2:], CubicSpline(curves.times[near], turned)(grid), curves.joints(grid)])

    def mirrored(rows: np.ndarray) -> np.ndarray:
        return rows[..., places.mirror_order] * places.mirror_sign

    begin, end = 0.5 * (values[0] + mirrored(values[-1])), 0.5 * (values[-1] + mirrored(values[0]))
    values += np.outer(1.0 - share, begin - values[0]) + np.outer(share, end - values[-1])
    values[:, 0] -= values[:-1, 0].mean()
    own, other = values[:-1], mirrored(values[:-1])
    return np.vstack([own, other] if step.side == "L" else [other, own])


def _phases_of_step(contacts: Sequence[Contact], steps: Sequence[Step], duration_s: float) -> cycle.ContactPhases:
    """The shortest whole stance around the steps: a longer one belongs to starting, turning or stopping."""
    first, last = min(s.start_s for s in steps) - 0.5 * duration_s, max(s.end_s for s in steps)
    rows = [(c.flat_s - c.strike_s, c.heel_off_s - c.strike_s, c.toe_off_s - c.strike_s) for c in contacts
            if np.isfinite(c.strike_s) and np.isfinite(c.toe_off_s) and first <= c.strike_s <= last]
    rows = [row for row in rows if row[2] < duration_s]
    if not rows:
        raise ClipError("The clip shows no whole stance of a foot beside its one regular step; use a longer clip.")
    return cycle.ContactPhases(0.0, *(float(x) / duration_s for x in min(rows, key=lambda row: row[2])))


def _width_of_step(motion: Motion, times: np.ndarray, steps: Sequence[Step]) -> float:
    """Mean distance [m] between the ankles across the heading, from one strike to the next; negative when they cross."""
    positions, _ = motion.poses()
    widths = []
    for step in steps:
        other = "R" if step.side == "L" else "L"
        heading = step.facing_rad + step.travel_rad
        left = np.array([-np.sin(heading), np.cos(heading)])
        own, landed = (CubicSpline(times, positions[:, motion.body.index[f"foot_{side}"], :2])(time)
                       for side, time in ((step.side, step.start_s), (other, step.end_s)))
        widths.append((1.0 if step.side == "L" else -1.0) * float((own - landed) @ left))
    return float(np.mean(widths))


FRINGE_S = 0.2
"""How much of a clip around a stride its splines are laid through."""
FORWARD_DEG = 50.0  # travelling further than this off the facing is walking sideways or backward


@dataclasses.dataclass(frozen=True)
class _Track:
    speed_m_s: float
    heading_rad: float
    turning_rad_s: float


def cycle_from_clip(path: str | Path) -> cycle.Cycle:
    """The mean stride of a BVH clip as a Cycle. Raises ClipError where it cannot be read or holds no cyclic gait. A clip too
    short for a stride that ends as it began may still hold a single step that does, mirrored: the cycle is then that step and its
    mirror image."""
    motion = retarget(read_bvh(path))
    contacts = find_contacts(motion)
    strides, steps = find_repeats(motion, contacts)
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


def fit_cycle(motion: Motion, contacts: Sequence[Contact], strides: Sequence[Stride]) -> cycle.Cycle:
    """The mean of a motion's strides as a Cycle; strides of either foot count, brought to the left strike's phase."""
    joints = cycle.channel_values(motion.body, motion.joint_quaternions)
    spectra, tracks = [], []
    right = float(np.mean([s.opposite if s.side == "L" else 1.0 - s.opposite for s in strides]))
    for stride in strides:
        values, track = stride_samples(motion, joints, stride)
        spectrum = np.fft.rfft(values, axis=0) / cycle.SAMPLES
        shift = 0.0 if stride.side == "L" else right
        spectra.append(spectrum * np.exp(-2j * np.pi * shift * np.arange(len(spectrum)))[:, None])
        tracks.append(track)
    spectrum = np.mean(spectra, axis=0)
    leg = motion.skeleton.leg_length_m
    spectrum[0, 2] += cycle.ankle_height_per_leg() * leg - motion.resting_ankle_height_m()
    spectrum[:, :3] /= leg
    coefficients = cycle.fourier_coefficients(spectrum)
    return cycle.Cycle(Path(motion.clip.path).stem, f"BVH clip {Path(motion.clip.path).name}, {len(strides)} strides",
                 float(np.mean([t.speed_m_s for t in tracks])), float(1.0 / np.mean([s.duration_s for s in strides])), leg,
                 _step_width(motion, strides, tracks), _contact_phases(contacts, strides, right, motion.clip.path), coefficients)


def stride_samples(motion: Motion, joints: np.ndarray, stride: Stride) -> tuple[np.ndarray, _Track]:
    """Channels (SAMPLES, 54) of one stride, lengths in metres, and the track it follows."""
    times = np.arange(motion.clip.frames) * motion.frame_time_s
    grid = np.linspace(stride.start_s, stride.end_s, cycle.SAMPLES + 1)
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
    steps = _turned(steps, np.full(cycle.SAMPLES, -offset))
    track = np.vstack([[0.0, 0.0], np.cumsum(steps, axis=0)])
    # Of this stride alone: far from it the heading runs on, turn after turn, and a rotation vector is off by one of them.
    near = slice(*np.searchsorted(times, (stride.start_s - FRINGE_S, stride.end_s + FRINGE_S)))
    away = quat_from_rotvec(np.outer(facing + offset + rate * (times[near] - middle), [0.0, 0.0, -1.0]))
    rotvec = CubicSpline(times[near], cycle.continuous_rotvec(quat_multiply(away, motion.root_quaternion[near])))(grid)
    values = np.hstack([track, place[:, 2:], rotvec, CubicSpline(times, joints)(grid)])
    share = np.arange(cycle.SAMPLES + 1)[:, None] / cycle.SAMPLES
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
) -> dict[str, cycle.ContactPhases]:
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
    left, other = (cycle.ContactPhases(0.0, *(float(x) for x in since.get(side, whole))) for side in "LR")
    return {"L": left, "R": other.shifted(right)}


