# SPDX-License-Identifier: GPL-3.0-or-later
"""From a clip to steps as figures: cut at touch-downs, registered, and fitted by least squares.

How a fragment ends, in the frame of the step that goes on: for fragments that are not the library's, read off their poses.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....bodies.human.landmarks import SIDES
from ....bodies.kinematics import segment_poses
from ....maths.curves import smooth
from ....maths.rotations import matrix_from_quat
from ....motions.cycle import continuous_rotvec
from ....motions.fragment import RATE_HZ, STANDING, Fragment, other_side
from ....motions.moves import step as layout
from ....motions.moves.library import DIGITS
from ....motions.moves.step import Place, Step, blended
from ....specs.shot import EARTH_GRAVITY_M_S2
from ...legged.foot_geometry import FootGeometry
from ..clip import FollowedClip, hinge_angles
from ..prints import Print, Prints, make_prints
from ..schedule import Schedule, make_schedule, standing
from .placed import End, Layer, PlacedFragment

END_WEIGHT = 30.0
"""Weight of a step's first and last sample: its neighbours join there."""
RIDGE = 1e-6
SAMPLES = 120
OUT_OF_SIGHT_S = 3.0
"""Times farther off than this are written as this: a stance that lasts."""


@dataclass(frozen=True)
class Captured:
    """A clip with all that its steps are cut from: its schedule, its prints, and the body's foot."""

    clip: FollowedClip
    schedule: Schedule
    prints: Prints
    geometry: FootGeometry

    @classmethod
    def of(cls, clip: FollowedClip) -> Captured:
        """What a clip holds."""
        schedule, geometry = make_schedule(clip), FootGeometry(clip.body, "L")
        return cls(clip, schedule, make_prints(clip, schedule, geometry), geometry)

    @property
    def unit_s(self) -> float:
        """The unit of time of the figures, for the figure of the clip [s]."""
        return math.sqrt(self.clip.body.leg_length_m / self.clip.leg_ratio / EARTH_GRAVITY_M_S2)

    def strikes(self) -> list[tuple[float, str]]:
        """When which foot touches down, in their order; not what stands from the first frame on."""
        return sorted((p.stance.strike_s, side) for side in SIDES for p in self.prints[side] if p.stance.strike_s > 0.0)

    def print_at(self, side: str, time_s: float) -> Print:
        """The print on which a foot stands at a time. Raises ValueError where it does not."""
        stance = standing(self.schedule, side, time_s)
        if stance is None:
            raise ValueError(f"{self.clip.path}: foot {side} does not stand at {time_s:.2f} s.")
        return self.prints[side][self.schedule[side].index(stance)]


def fit_step(
    captured: Captured, own: str, span_s: tuple[float, float], heading: float, turn: float,
    standing: tuple[bool, bool] = (False, False), off_phase: float | None = None,
) -> Step:
    """The step between two times of a clip, in which the foot `own` stands and, unless both keep standing, the other one lifts
    and lands at the end. `standing` tells whether it begins and ends on both feet, `heading` is the way's direction at the begin
    [rad]. `off_phase` is the registered phase of the other foot's off, without it the share of the time that it has."""
    (start_s, end_s), (begins_standing, ends_standing) = span_s, standing
    leg, unit, side = captured.clip.body.leg_length_m, captured.unit_s, other_side(own)
    moment = 0.5 * captured.clip.step_s
    stance, before = captured.print_at(own, start_s + moment), captured.print_at(side, start_s + moment)
    after = before if ends_standing else captured.print_at(side, end_s + moment)
    frame = _Frame(0.5 * (stance.place + before.place) if begins_standing else stance.place, heading, leg)
    off_s = 0.5 * (start_s + end_s) if ends_standing else before.stance.off_s
    phase = round((off_s - start_s) / (end_s - start_s), DIGITS) if off_phase is None or ends_standing else off_phase

    def units(time_s: float) -> float:
        return min(max(time_s - start_s, -OUT_OF_SIGHT_S), OUT_OF_SIGHT_S) / unit

    step = Step(
        own, begins_standing, ends_standing, units(end_s), None if ends_standing else units(off_s),
        max(units(stance.stance.flat_s), 0.0), units(stance.stance.heel_off_s), units(before.stance.heel_off_s),
        frame.print(stance), frame.print(before), frame.print(after), turn, phase, np.zeros((len(layout.names()), 1)),
        np.zeros((len(layout.AIR), layout.AIR_INTERVALS + 3)))
    times = np.linspace(start_s, end_s, SAMPLES)
    found = _curves(captured, times, frame, {own: [stance], side: [before, after]})
    curves, air = _fit(step.phases((times - start_s) / unit), found, layout.INTERVALS), step.air
    if not ends_standing:
        flying = np.linspace(off_s, end_s, SAMPLES)
        phases = step.phases((flying - start_s) / unit)
        air = _fit((phases - phases[0]) / (phases[-1] - phases[0]), _air(captured, flying, frame, before, after),
                   layout.AIR_INTERVALS)
    return replace(step, curves=curves, air=air)


def fit_flight(captured: Captured, own: str, start_s: float, end_s: float, heading: float) -> Step:
    """The same of a step straight on with a flight: the foot `own` leaves the ground before the other one lands."""
    leg, unit, side = captured.clip.body.leg_length_m, captured.unit_s, other_side(own)
    moment = 0.5 * captured.clip.step_s
    stance, after = captured.print_at(own, start_s + moment), captured.print_at(side, end_s + moment)
    frame, off_s = _Frame(stance.place, heading, leg), stance.stance.off_s
    times, flying = np.linspace(start_s, end_s, SAMPLES), np.linspace(off_s, end_s, SAMPLES)
    share = np.linspace(0.0, 1.0, SAMPLES)
    landing = frame.print(after)
    behind = Place(-landing.x, landing.y, landing.yaw)
    return Step(
        own, False, False, (end_s - start_s) / unit, None, (stance.stance.flat_s - start_s) / unit,
        (stance.stance.heel_off_s - start_s) / unit, -1.0, frame.print(stance), behind, landing, 0.0, 0.5,
        _fit(share, _curves(captured, times, frame, {own: [stance], side: [after]}), layout.INTERVALS),
        _fit(share, _path(captured, times, frame, side), layout.AIR_INTERVALS), (off_s - start_s) / unit,
        _fit(share, _path(captured, flying, frame, own), layout.AIR_INTERVALS))


def mean_step(steps: Sequence[Step]) -> Step:
    """The mean of steps of one kind, each brought to the own foot of the first."""
    alike = [step.begun_by(steps[0].own) for step in steps]
    return blended(alike, [1.0 / len(alike)] * len(alike))


@dataclass(frozen=True)
class _Frame:
    """A step's frame in the clip's: origin x + iy [m], direction [rad], leg length [m]."""

    origin: complex
    heading: float
    leg_m: float

    def place(self, place: Any) -> Any:
        """Places in the frame [leg lengths] of places x + iy [m], one or many."""
        return (place - self.origin) * np.exp(-1j * self.heading) / self.leg_m

    def print(self, print_: Print) -> Place:
        """A print in the frame."""
        place = complex(self.place(print_.place))
        return Place(place.real, place.imag, near(print_.yaw - self.heading, 0.0))


def near(angle: float, other: float) -> float:
    """An angle brought to within half a turn of another one [rad]."""
    return other + math.remainder(angle - other, math.tau)


def _fit(phases: np.ndarray, values: np.ndarray, intervals: int) -> np.ndarray:
    """Coefficients (C, K) of splines through values (N, C) at phases (N,)."""
    weights = np.ones(len(phases))
    weights[[0, -1]] = END_WEIGHT
    basis = layout.design(phases, intervals)
    weighted = basis * weights[:, None]
    return np.linalg.solve(weighted.T @ basis + RIDGE * np.eye(basis.shape[1]), weighted.T @ values).T


def euler(quats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Yaw, pitch and roll (N,) [rad] of orientations (N, 4), turned in this order about z, y and x; the yaw without jumps."""
    m = matrix_from_quat(quats)
    return (np.unwrap(np.arctan2(m[:, 1, 0], m[:, 0, 0])), np.arctan2(-m[:, 2, 0], np.hypot(m[:, 0, 0], m[:, 1, 0])),
            np.arctan2(m[:, 2, 1], m[:, 2, 2]))


def foot_angles(quats: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Yaw, roll and pitch (N,) [rad] of feet (N, 4), turned in this order about z, x and y; yaw and pitch without jumps."""
    m = matrix_from_quat(quats)
    return (np.unwrap(np.arctan2(-m[:, 0, 1], m[:, 1, 1])), np.arctan2(m[:, 2, 1], np.hypot(m[:, 0, 1], m[:, 1, 1])),
            np.unwrap(np.arctan2(-m[:, 2, 0], m[:, 2, 2])))


def _sampled(clip: FollowedClip, times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values (N, ...) of a clip at times (T,): (T, ...)."""
    flat = values.reshape(len(values), -1)
    return np.stack([np.interp(times, clip.times_s, column) for column in flat.T], axis=1).reshape(len(times), *values.shape[1:])


def _curves(captured: Captured, times: np.ndarray, frame: _Frame, prints: dict[str, list[Print]]) -> np.ndarray:
    """The values (N, C) of a step's curves at times of the clip."""
    clip = captured.clip
    root = _sampled(clip, times, clip.root_m)
    place = frame.place(root[:, 0] + 1j * root[:, 1])
    yaw, pitch, roll = (_sampled(clip, times, angle) for angle in euler(clip.root_quaternion))
    yaw = yaw - frame.heading
    columns = {"root.x": place.real, "root.y": place.imag, "root.z": (root[:, 2] + clip.body.sole_height_m) / frame.leg_m,
               "root.yaw": yaw - 2.0 * np.pi * np.round(yaw[0] / (2.0 * np.pi)), "root.pitch": pitch, "root.roll": roll}
    values = np.zeros((len(times), len(layout.names())))
    for name, column in columns.items():
        values[:, layout.at(name)] = column
    for name, where in layout.upper():
        if name not in clip.body.index:
            continue
        quats, axis = clip.joint_quaternions[:, clip.body.joint_segments.index(name)], clip.body.segment(name).axis
        joint = continuous_rotvec(quats) if axis is None else hinge_angles(quats, axis)[:, None]
        values[:, where] = _sampled(clip, times, joint)
    for i, side in enumerate(SIDES):
        thigh = clip.joint_quaternions[:, clip.body.joint_segments.index(f"thigh_{side}")]
        first = layout.at(f"knee_{side}.x")
        values[:, first:first + 3] = _sampled(clip, times, matrix_from_quat(thigh)[:, :, 1])
        level = np.mean([print_.level for print_ in prints[side]])
        values[:, layout.at(f"pitch_{side}")] = _sampled(clip, times, foot_angles(clip.foot_quaternion[:, i])[2]) - level
    return values


def _path(captured: Captured, times: np.ndarray, frame: _Frame, side: str) -> np.ndarray:
    """Where a foot is (N, 5): its ankle over that of a flat foot, its yaw and its roll, at times in the air."""
    clip, i = captured.clip, SIDES.index(side)
    ankle = _sampled(clip, times, clip.ankle_m[:, i])
    way = frame.place(ankle[:, 0] + 1j * ankle[:, 1])
    yaw, roll, _ = (_sampled(clip, times, angle) for angle in foot_angles(clip.foot_quaternion[:, i]))
    yaw = yaw - frame.heading
    height = (ankle[:, 2] - captured.geometry.ankle_height_m) / frame.leg_m
    return np.stack([way.real, way.imag, height, yaw - math.tau * np.round(yaw[0] / math.tau), roll], axis=1)


def _air(captured: Captured, times: np.ndarray, frame: _Frame, before: Print, after: Print) -> np.ndarray:
    """What the foot in the air has beside the way from print to print (N, 5), at times from its off to its landing."""
    clip, i = captured.clip, SIDES.index(before.side)
    share = np.array([smooth(s) for s in np.linspace(0.0, 1.0, len(times))])
    ankle = _sampled(clip, times, clip.ankle_m[:, i])
    way = frame.place(ankle[:, 0] + 1j * ankle[:, 1]) - frame.place(before.place) - share * (
        frame.place(after.place) - frame.place(before.place))
    yaw, roll, _ = (_sampled(clip, times, angle) for angle in foot_angles(clip.foot_quaternion[:, i]))
    turned = yaw - before.yaw - share * (near(after.yaw - before.yaw, float(yaw[-1] - yaw[0])))
    turned = turned - 2.0 * np.pi * np.round(turned[0] / (2.0 * np.pi))
    height = (ankle[:, 2] - captured.geometry.ankle_height_m) / frame.leg_m
    return np.stack([way.real, way.imag, height, turned, roll], axis=1)


def end_of(fragment: Fragment, layer: Layer) -> End:
    """The end of a fragment: known of the library's own, read off the last two poses of any other."""
    if isinstance(fragment, PlacedFragment):
        return fragment.end
    body, leg = layer.body, layer.leg_m
    rows = slice(-2, None)
    root, quat, joints = fragment.root_m[rows], fragment.root_quaternion[rows], fragment.joint_quaternions[rows]
    positions, orientations = segment_poses(body, root, quat, joints)
    feet = {side: body.index[f"foot_{side}"] for side in SIDES}
    yaw, pitch, roll = euler(quat)
    heading = float(yaw[-1])
    ways = {side: complex(*positions[-1, i, :2]) for side, i in feet.items()}
    origin = 0.5 * sum(ways.values()) if fragment.ends == STANDING else ways[fragment.ends]
    place = (root[:, 0] + 1j * root[:, 1] - origin) * np.exp(-1j * heading) / leg
    columns = {"root.x": place.real, "root.y": place.imag, "root.z": (root[:, 2] + body.sole_height_m) / leg,
               "root.yaw": yaw - heading, "root.pitch": pitch, "root.roll": roll}
    values = np.zeros((2, len(layout.names())))
    for name, column in columns.items():
        values[:, layout.at(name)] = column
    for name, where in layout.upper():
        if name in body.index:
            own, axis = joints[:, body.joint_segments.index(name)], body.segment(name).axis
            values[:, where] = continuous_rotvec(own) if axis is None else hinge_angles(own, axis)[:, None]
    prints = {}
    for side, i in feet.items():
        first = layout.at(f"knee_{side}.x")
        values[:, first:first + 3] = matrix_from_quat(joints[:, body.joint_segments.index(f"thigh_{side}")])[:, :, 1]
        turned, tilt, _ = euler(orientations[:, i])
        values[:, layout.at(f"pitch_{side}")] = tilt
        at = layer.geometry[side].place_of(positions[-1, i], float(turned[-1]), float(tilt[-1]))
        at = (at - origin) * np.exp(-1j * heading) / leg
        prints[side] = Place(at.real, at.imag, math.remainder(float(turned[-1]) - heading, math.tau))
    slopes = (values[-1] - values[0]) * RATE_HZ * layer.unit_s
    if fragment.ends == STANDING:
        slopes = np.zeros_like(slopes)
    return End(values[-1], slopes, prints)
