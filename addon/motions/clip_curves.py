# SPDX-License-Identifier: GPL-3.0-or-later
"""From a clip of some like steps to the curves of a pose gait (Yin 2007, section 7.5): the cycle's length from the right hip,
Fourier coefficients at whole multiples of its frequency, and the phases at which the feet come down."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..bodies.human.landmarks import SIDES
from ..bodies.makers import make_body
from ..maths.angles import plane_angle
from ..maths.periodic import basis_at, shifted
from ..maths.quaternions import matrix_from_quat, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..specs.pose_curves import ANGLES, TURNED, PoseCurves
from ..specs.shot import BodySpec
from .channels import continuous_rotvec
from .contacts import find_contacts
from .retarget import Motion
from .stretch import LEGS, Stretch, drifting, fitted, steadiest

ACCURACY_RAD = math.radians(0.5)
"""Root mean square of each angle that the coefficients left out may make (the thesis has such a number and does not print it)."""
PLACE_M = 0.002
"""The same of the pelvis' place."""
GREATEST_FLEXION = 0.25
USUAL_TOUCH = {"L": 0.0, "R": 0.5}
NEAREST_TOUCHES = 0.2
"""Feet that come down nearer to one another than this share of a cycle tell no step."""
DIGITS = 4
OUT = {"L": 1.0, "R": -1.0}


@dataclass(frozen=True)
class ClipCurves:
    """The curves of a clip and how they were found. `cycles` were seen from `start_s` on; `speed` is forward + i left, as it
    would be on the standard body's legs [m/s]. `error_rad` is the root mean square between the clip and its curves and
    `harmonics` how many there are, of each angle and turn."""

    curves: PoseCurves
    start_s: float
    cycles: float
    speed: complex
    turning_rad_s: float
    error_rad: dict[str, float]
    harmonics: dict[str, int]

    @property
    def error_legs_rad(self) -> float:
        """Root mean square over thighs and knees."""
        return math.sqrt(sum(self.error_rad[name] ** 2 for name in LEGS) / len(LEGS))


def clip_curves(motion: Motion, accuracy_rad: float = ACCURACY_RAD) -> ClipCurves:
    """The curves of a motion. Raises ClipError where it has no like steps."""
    frames = matrix_from_quat(motion.root_quaternion)
    yaw = np.unwrap(plane_angle(frames[:, 1, 0], frames[:, 0, 0]))
    legs = leg_angles(motion, yaw)
    stretch = steadiest(np.stack([legs[name] for name in LEGS], axis=1), LEGS.index("hip_R"), motion.frame_time_s,
                        str(motion.clip.path))
    rows, phases = stretch.rows, stretch.phases
    mean, turning = (float(x) for x in drifting(yaw[rows], stretch))
    facing = mean + turning * stretch.since_middle_s
    channels, names = _channels(motion, rows, facing)
    series = [fitted(values, phases, accuracy_rad) for values in channels.T]
    flexed = _greatest(series[ANGLES.index("hip_R")]) - GREATEST_FLEXION
    series = [np.round(shifted(one[None], flexed)[0], DIGITS) for one in series]
    errors = [float(np.sqrt(np.mean(np.square(basis_at(phases - flexed, len(one) // 2) @ one - values))))
              for one, values in zip(series, channels.T, strict=True)]
    larger = make_body(BodySpec()).leg_length_m / motion.skeleton.leg_length_m
    slower = math.sqrt(larger)
    steps = np.diff(motion.root_position[rows, :2] @ [1.0, 1.0j]) * np.exp(-1j * 0.5 * (facing[1:] + facing[:-1]))
    way = np.concatenate([[0.0], np.cumsum(steps)])  # as seen by who goes it, however it turns
    start, speed = drifting(way, stretch)
    swayed = way - start - speed * stretch.since_middle_s
    place = tuple(_told(np.round(shifted(fitted(larger * values, phases, PLACE_M)[None], flexed)[0], DIGITS))
                  for values in (swayed.real, swayed.imag, motion.root_position[rows, 2]))
    counts = [len(one) // 2 for one in series]
    return ClipCurves(
        PoseCurves(round(stretch.period_s * slower, DIGITS),
                   {name: _told(one) for name, one in zip(ANGLES, series, strict=False)},
                   {name: tuple(map(_told, _three(series, i))) for i, name in enumerate(names)},
                   *_touches(motion, stretch, flexed), place),
        stretch.start_s, stretch.cycles, complex(speed) * slower, turning,
        {**dict(zip(ANGLES, errors, strict=False)),
         **{name: float(np.linalg.norm(_three(errors, i))) for i, name in enumerate(names)}},
        {**dict(zip(ANGLES, counts, strict=False)), **{name: max(_three(counts, i)) for i, name in enumerate(names)}})


def leg_angles(motion: Motion, facing: np.ndarray, rows: slice = slice(None)) -> dict[str, np.ndarray]:
    """Angles (T,) [rad] of both legs with the meaning and the signs of a pose state's, for who faces that way (T,) [rad]."""
    ahead = np.stack([np.cos(facing), np.sin(facing), np.zeros_like(facing)], axis=1)
    left = np.stack([-ahead[:, 1], ahead[:, 0], ahead[:, 2]], axis=1)
    orientations = motion.poses()[1][rows]
    found = {}
    for side in SIDES:
        down = -matrix_from_quat(orientations[:, motion.body.index[f"thigh_{side}"]])[..., 2]
        across = np.clip(np.sum(down * left, axis=1), -1.0, 1.0)
        found[f"hip_{side}"] = np.unwrap(np.arctan2(np.sum(down * ahead, axis=1), -down[:, 2]))
        found[f"outward_{side}"] = OUT[side] * np.arcsin(across)
        for name, segment in (("knee", "shank"), ("ankle", "foot")):
            turn = motion.joint_quaternions[rows, motion.body.joint_segments.index(f"{segment}_{side}")]
            found[f"{name}_{side}"] = -rotvec_from_quat(turn)[:, 1]
    return found


def _channels(motion: Motion, rows: slice, facing: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Values (T, C) of `ANGLES` and of the parts of turns, and the turns' names."""
    away = quat_from_rotvec(np.outer(facing, [0.0, 0.0, -1.0]))
    pelvis = continuous_rotvec(quat_multiply(away, motion.root_quaternion[rows]))
    angles = {**leg_angles(motion, facing, rows), "torso": -pelvis[:, 1]}
    body = motion.body
    turns = {"pelvis": pelvis * [1.0, 0.0, 1.0]} | {
        name: continuous_rotvec(motion.joint_quaternions[rows, body.joint_segments.index(name)])
        for name in TURNED if name in body.joint_segments}
    return np.hstack([np.stack([angles[name] for name in ANGLES], axis=1), *turns.values()]), list(turns)


def _three(values: list, i: int) -> list:
    """The parts of the turn at a place, behind the angles."""
    return values[len(ANGLES) + 3 * i:len(ANGLES) + 3 * i + 3]


def _told(series: np.ndarray) -> tuple[float, ...]:
    return tuple(series.tolist())


def _greatest(series: np.ndarray) -> float:
    """The phase at which a series is greatest."""
    phases = np.arange(2000) / 2000
    return float(phases[np.argmax(basis_at(phases, len(series) // 2) @ series)])


def _touches(motion: Motion, stretch: Stretch, flexed: float) -> tuple[float, float]:
    """The phases at which the left and the right foot come down, the mean of those seen; the usual ones where that tells no
    steps by turns: feet that drag, or that never leave the ground."""
    found = dict(USUAL_TOUCH)
    last = stretch.start_s + stretch.cycles * stretch.period_s
    for side in SIDES:
        seen = [c.strike_s for c in find_contacts(motion) if c.side == side and stretch.start_s <= c.strike_s <= last]
        if not seen:
            return USUAL_TOUCH["L"], USUAL_TOUCH["R"]
        turns = np.exp(2j * np.pi * ((np.array(seen) - stretch.start_s) / stretch.period_s - flexed))
        found[side] = round(float(np.angle(turns.mean()) / (2.0 * np.pi)) % 1.0, DIGITS)
    apart = (found["R"] - found["L"]) % 1.0
    if min(apart, 1.0 - apart) < NEAREST_TOUCHES:
        return USUAL_TOUCH["L"], USUAL_TOUCH["R"]
    return found["L"], found["R"]
