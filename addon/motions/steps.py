# SPDX-License-Identifier: GPL-3.0-or-later
"""Single steps of a clip, for clips that show no whole stride: a step and its mirror image make a cycle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.interpolate import CubicSpline

from ..errors import ClipError
from ..maths.angles import plane_angle
from ..maths.quaternions import matrix_from_quat, quat_from_rotvec, quat_multiply
from .channels import ankle_height_per_leg, channel_values, continuous_rotvec, layout
from .contacts import Contact
from .cycle import ContactPhases, Cycle
from .retarget import Motion
from .series import SAMPLES, fourier_coefficients
from .strides import LEG_SEGMENTS, travel_speed

MISMATCH_RAD = np.radians(20.0)
"""Root mean square over the legs' joints between a step's start and the mirror image of its end. More than is allowed for
whole strides: left and right of a steady walk already differ by up to 9 degrees."""
FACING_RAD = np.radians(30.0)
"""A step that travels or turns by more than this is no step of a walk straight ahead."""
SHORTEST_S, LONGEST_S = 0.2, 1.2
LEAST_SPEED_SHARE = 0.8
"""A step slower than this share of the fastest one starts or stops the walk; slower than this of the clip's mean speed it is
not what the clip shows."""


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
        """Length over duration."""
        return self.length_m / (self.end_s - self.start_s)


class _Curves:
    """A motion over time: `yaw` [rad] and `place` (3,) [m] of the pelvis, `joints` (48,) channels, each a spline."""

    def __init__(self, motion: Motion) -> None:
        self.times = np.arange(motion.clip.frames) * motion.frame_time_s
        turns = matrix_from_quat(motion.root_quaternion)
        self.yaw = CubicSpline(self.times, np.unwrap(plane_angle(turns[:, 1, 0], turns[:, 0, 0])))
        self.place = CubicSpline(self.times, motion.root_position)
        self.joints = CubicSpline(self.times, channel_values(motion.body, motion.joint_quaternions))


def find_steps(motion: Motion, contacts: Sequence[Contact]) -> list[Step]:
    """The steps of a clip that go straight ahead and end as the mirror image of how they began; none where there are none."""
    strikes = sorted((c.strike_s, c.side) for c in contacts if np.isfinite(c.strike_s))
    pairs = [(a, b) for a, b in zip(strikes, strikes[1:], strict=False)
             if a[1] != b[1] and SHORTEST_S < b[0] - a[0] < LONGEST_S]
    curves = _Curves(motion)
    steps = [_step(curves, side, start, end) for (start, side), (end, _) in pairs]
    good = [s for s in steps if s is not None and s.mismatch_rad < MISMATCH_RAD and abs(s.travel_rad) < FACING_RAD]
    fastest = max((s.speed_m_s for s in good), default=0.0)
    least = LEAST_SPEED_SHARE * max(fastest, travel_speed(motion))
    return [s for s in good if s.speed_m_s >= least]


def fit_steps(motion: Motion, contacts: Sequence[Contact], steps: Sequence[Step]) -> Cycle:
    """The mean of steps and of their mirror images as a Cycle that is the same left and right."""
    curves = _Curves(motion)
    spectrum = np.mean([np.fft.rfft(_cycle_samples(motion, curves, step), axis=0) / SAMPLES for step in steps], axis=0)
    leg = motion.skeleton.leg_length_m
    spectrum[0, 2] += ankle_height_per_leg() * leg - motion.resting_ankle_height_m()
    spectrum[:, :3] /= leg
    duration = float(np.mean([s.end_s - s.start_s for s in steps]))
    left = _contact_phases(contacts, steps, 2.0 * duration)
    name = Path(motion.clip.path).name
    return Cycle(Path(name).stem, f"BVH clip {name}, {len(steps)} steps and their mirror images",
                 float(np.mean([s.speed_m_s for s in steps])), 0.5 / duration, leg, _step_width(motion, curves.times, steps),
                 {"L": left, "R": left.shifted(0.5)}, fourier_coefficients(spectrum))


def _step(curves: _Curves, side: str, start: float, end: float) -> Step | None:
    """The step between two strikes; None where it turns too far for a walk straight ahead."""
    yaw, place = curves.yaw([start, end]), curves.place([start, end])
    if abs(yaw[1] - yaw[0]) > FACING_RAD:
        return None
    way = place[1, :2] - place[0, :2]
    facing = float(yaw.mean())
    travel = float(np.angle(complex(*way) * np.exp(-1j * facing)))
    places = layout()
    legs = [i for i, name in enumerate(places.names) if name.partition(".")[0][:-2] in LEG_SEGMENTS]
    first, last = curves.joints([start, end])
    mirrored = (np.concatenate([np.zeros(6), last])[places.mirror_order] * places.mirror_sign)[legs]
    apart = np.concatenate([np.zeros(6), first])[legs] - mirrored
    joints = len({places.names[i].partition(".")[0] for i in legs})
    return Step(side, start, end, facing, travel, float(np.linalg.norm(way)), float(np.sqrt(apart @ apart / joints)))


def _cycle_samples(motion: Motion, curves: _Curves, step: Step) -> np.ndarray:
    """Channels (SAMPLES, 54) of a step and its mirror image from the left strike on; lengths in metres."""
    places, half = layout(), SAMPLES // 2
    share = np.arange(half + 1) / half
    grid = step.start_s + share * (step.end_s - step.start_s)
    heading = step.facing_rad + step.travel_rad
    c, s = np.cos(heading), np.sin(heading)
    place = curves.place(grid)
    track = (place[:, :2] - place[0, :2]) @ np.array([[c, -s], [s, c]])
    track[:, 0] -= share * step.length_m
    away = quat_from_rotvec(np.array([0.0, 0.0, -step.facing_rad]))
    near = slice(*np.searchsorted(curves.times, (step.start_s - SHORTEST_S, step.end_s + SHORTEST_S)))
    turned = continuous_rotvec(quat_multiply(away, motion.root_quaternion[near]))
    values = np.hstack([track, place[:, 2:], CubicSpline(curves.times[near], turned)(grid), curves.joints(grid)])

    def mirrored(rows: np.ndarray) -> np.ndarray:
        return rows[..., places.mirror_order] * places.mirror_sign

    begin, end = 0.5 * (values[0] + mirrored(values[-1])), 0.5 * (values[-1] + mirrored(values[0]))
    values += np.outer(1.0 - share, begin - values[0]) + np.outer(share, end - values[-1])
    values[:, 0] -= values[:-1, 0].mean()
    own, other = values[:-1], mirrored(values[:-1])
    return np.vstack([own, other] if step.side == "L" else [other, own])


def _contact_phases(contacts: Sequence[Contact], steps: Sequence[Step], duration_s: float) -> ContactPhases:
    """The shortest whole stance around the steps: a longer one belongs to starting, turning or stopping."""
    first, last = min(s.start_s for s in steps) - 0.5 * duration_s, max(s.end_s for s in steps)
    rows = [(c.flat_s - c.strike_s, c.heel_off_s - c.strike_s, c.toe_off_s - c.strike_s) for c in contacts
            if np.isfinite(c.strike_s) and np.isfinite(c.toe_off_s) and first <= c.strike_s <= last]
    rows = [row for row in rows if row[2] < duration_s]
    if not rows:
        raise ClipError("The clip shows no whole stance of a foot beside its one regular step; use a longer clip.")
    return ContactPhases(0.0, *(float(x) / duration_s for x in min(rows, key=lambda row: row[2])))


def _step_width(motion: Motion, times: np.ndarray, steps: Sequence[Step]) -> float:
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
