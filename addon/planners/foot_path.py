# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a foot: rolling over heel and ball while it stands, from toe-off to strike while it swings."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..bodies.body import Body
from ..bodies.kinematics import quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..worlds.ground import LEVEL_SUPPORT, Sole, Support
from .gait_tables import GaitTables

MID_STANCE = 0.42
"""Share of the stance at which a walking foot lies flat (Perry 1992: 8 to 30 % of the cycle, of 62 %)."""
LATEST_FLAT = 0.14
"""Phase since strike at which the foot is flat at the latest."""
HEEL_SLACK = 0.01
"""Pitch of the cycle's foot [rad] that does not yet count as the heel rising."""
PITCH = 3
"""Place of the pitch, the rotation vector's part about y, in a foot's table channels."""
DRIFT_END = 0.45
"""Share of the swing by which the velocity the foot left the ground with has become the path's."""
SOLE_CLEARANCE_M, MOST_CLEARANCE_M = 0.010, 0.08
"""Least height of the sole in mid swing (Winter 1992: toe clearance 1.3 cm), and the largest raise made for it."""
BALL_RISE = math.radians(20.0)
"""Pitch of a standing foot at which its ball follows the heel: the toes are bent no further, the foot turns on their tip."""
HEEL_UP = 0.02
"""Planned pitch [rad] from which on the heel carries nothing."""


@dataclass(frozen=True)
class Footstep:
    """Where a foot stands: the point of its sole under its ankle (complex x + iy [m]), its yaw [rad], and the ground there."""

    side: str
    place: complex
    yaw: float
    support: Support = LEVEL_SUPPORT


@dataclass(frozen=True)
class FootPose:
    """Ankle place (3,) [m] in the world, foot rotation vector (3,) relative to the heading [rad], toe extension [rad]."""

    ankle: np.ndarray
    rotvec: np.ndarray
    toe: float
    drift: np.ndarray | None = None
    """Of a foot that lifts: its ankle's velocity beyond the path's own [m per swing], which fades by `DRIFT_END`."""
    ground_m: float = 0.0
    """Height of its footstep's ground under the ankle."""
    raise_m: float = 0.0
    """Of a foot that lifts: its raise half-way for ground that is higher than that under its lift and its landing."""
    yaw: float | None = None
    """Of a foot that lifts: the yaw it stood with [rad]; where its landing has another the swing goes along the arc between."""


class FootGeometry:
    """Sizes of one foot that its path needs, relative to the ankle centre.

    `ball_x` is where it turns when the heel rises: under the toes' joint, or where it is stiff at its tip. With toes it turns
    on their tip from a pitch of `tip_rise` [rad] on.
    """

    def __init__(self, body: Body, side: str) -> None:
        points = {p.kind: p for p in body.contact_points if p.side == side}
        self.ankle_height_m = -body.sole_height_m
        self.heel_x = float(points["heel"].position[0])
        self.radius_m = points["ball"].radius_m
        widths = [p.position[1] for p in body.contact_points if p.side == side and p.kind == "ball"]
        self.half_width_m = 0.5 * float(max(widths) - min(widths))
        toes = f"toes_{side}"
        self.has_toes = toes in body.index
        self.ball_x = float(points["ball" if self.has_toes else "toe"].position[0])
        tip = body.segment(toes).offset[0] + body.segment(toes).tip[0] if self.has_toes else body.segment(f"foot_{side}").tip[0]
        self.tip_x = float(tip)
        self._joint_rise_m = self._toe_m = 0.0
        self.tip_rise = math.inf
        if self.has_toes:
            self._joint_rise_m = float(body.segment(toes).offset[2]) + self.ankle_height_m - self.radius_m
            self._toe_m = float(points["toe"].position[0])
            joint, tip = body.segment(toes).offset, _turned(points["toe"].position[[0, 2]], -self._toe(BALL_RISE))
            self._tip = np.array([joint[0] + tip[0], joint[2] + tip[1]])
            self._tip_at_rise = self._ankle_shift(BALL_RISE) + _turned(self._tip, BALL_RISE)
            self.tip_rise = BALL_RISE

    def rolled(self, step: Footstep, pitch: float, heading: float) -> FootPose:
        """The foot on its footstep with the heel raised (`pitch` > 0, turning on the ball) or the toes (pitch < 0, on the
        heel); the toes stay on the ground."""
        x, z = self._ankle_shift(pitch)
        support, rotvec = step.support, pitched(step.yaw - heading, pitch)
        way, height = self._along_ground(x, self.ankle_height_m + z, step.yaw, support)
        place = step.place + way
        ankle = np.array([place.real, place.imag, support.height_m + height])
        if not support.level:
            rotvec = tilted(rotvec, support.normal, heading)
        return FootPose(ankle, rotvec, self._toe(pitch), ground_m=support.height_at(way))

    def place_of(self, ankle: np.ndarray, yaw: float, pitch: float, support: Support = LEVEL_SUPPORT) -> complex:
        """The footstep's place of a standing foot from its ankle's place and its pitch, relative to the ground of `support`:
        the inverse of `rolled`."""
        x, z = self._ankle_shift(pitch)
        return complex(ankle[0], ankle[1]) - self._along_ground(x, self.ankle_height_m + z, yaw, support)[0]

    @staticmethod
    def _along_ground(x: float, z: float, yaw: float, support: Support) -> tuple[complex, float]:
        """Horizontal way and height of a point `x` forward and `z` off the ground, for a foot of a yaw."""
        if support.level:
            return x * cmath.exp(1j * yaw), z
        forward, up = _least_turn(np.array([math.cos(yaw), math.sin(yaw), 0.0]), support.normal), np.array(support.normal)
        point = x * forward + z * up
        return complex(point[0], point[1]), float(point[2])

    @property
    def sole(self) -> Sole:
        """The sole's extent."""
        return Sole(self.heel_x, self.tip_x, self.half_width_m)

    def _ankle_shift(self, pitch: float) -> tuple[float, float]:
        """How far (forward, up) the ankle of a flat foot moves when it rolls on the spheres of its ball or heel to a pitch."""
        if pitch > self.tip_rise:
            return self._tip_shift(pitch)
        pivot_x, pivot_z = (self.ball_x if pitch > 0.0 else self.heel_x), self.radius_m - self.ankle_height_m
        c, s = math.cos(pitch), math.sin(pitch)
        return pivot_x + self.radius_m * pitch - (c * pivot_x + s * pivot_z), pivot_z - (-s * pivot_x + c * pivot_z)

    def _tip_shift(self, pitch: float) -> tuple[float, float]:
        """The same once the ball has left the ground too: foot and bent toes turn together on the sphere of their tip."""
        x, z = self._tip_at_rise - _turned(self._tip, pitch)
        return float(x) + self.radius_m * (pitch - self.tip_rise), float(z)

    def _toe(self, pitch: float) -> float:
        """Toe extension that keeps the tip on the ground although the joint, above the ball's sphere, comes lower."""
        if pitch <= 0.0 or not self.has_toes:
            return 0.0
        pitch = min(pitch, self.tip_rise)
        return pitch + math.asin(min(self._joint_rise_m * (1.0 - math.cos(pitch)) / self._toe_m, 1.0))

    def lowest(self, pose: FootPose) -> float:
        """Height [m] of the lowest of heel, ball and toe tip of a foot in a pose (of its pitch alone)."""
        pitch, height = pose.rotvec[1], pose.ankle[2] - math.cos(pose.rotvec[1]) * self.ankle_height_m
        ball = height - math.sin(pitch) * self.ball_x
        tip = ball - math.sin(pitch - pose.toe) * (self.tip_x - self.ball_x)
        return min(height - math.sin(pitch) * self.heel_x, ball, tip)


def _turned(vector: np.ndarray, pitch: float) -> np.ndarray:
    """A vector (2,), forward and up, turned by a pitch [rad]."""
    c, s = math.cos(pitch), math.sin(pitch)
    return np.array([c * vector[0] + s * vector[1], c * vector[1] - s * vector[0]])


def pitched(yaw: float, pitch: float) -> np.ndarray:
    """Rotation vector (3,) of a yaw about z after a pitch about the foot's own y."""
    w = math.cos(0.5 * yaw) * math.cos(0.5 * pitch)
    x = -math.sin(0.5 * yaw) * math.sin(0.5 * pitch)
    y = math.cos(0.5 * yaw) * math.sin(0.5 * pitch)
    z = math.sin(0.5 * yaw) * math.cos(0.5 * pitch)
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(sine, w) / sine if sine > 1e-9 else 2.0
    return np.array([x * scale, y * scale, z * scale])


def tilted(rotvec: np.ndarray, normal: tuple[float, float, float], heading: float) -> np.ndarray:
    """Rotation vector (3,), relative to a heading, of a foot on level ground once the ground is tilted to a normal."""
    x, y, z = normal
    c, s = math.cos(heading), math.sin(heading)
    axis = np.array([-(c * y - s * x), c * x + s * y, 0.0])  # vertical cross normal, in the heading's frame
    sine = math.hypot(x, y)
    tilt = quat_from_rotvec(axis * (math.atan2(sine, z) / sine))
    return rotvec_from_quat(quat_multiply(tilt, quat_from_rotvec(rotvec)))


def _least_turn(vector: np.ndarray, normal: tuple[float, float, float]) -> np.ndarray:
    """A vector (3,) after the least turn that brings the vertical to a normal."""
    x, y, z = normal
    rise = (x * vector[0] + y * vector[1]) / (1.0 + z)
    return np.array([vector[0] - x * rise, vector[1] - y * rise, -(x * vector[0] + y * vector[1])])


def bump(s: float) -> float:
    """Quartic from 0 over 1 at the middle to 0, with level ends."""
    return 16.0 * (max(s, 0.0) * max(1.0 - s, 0.0)) ** 2


def smooth(s: float) -> float:
    """Cubic from 0 to 1 with level ends."""
    s = min(max(s, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


class FootPath:
    """The path of one foot in a gait. `amplitude` scales the cycle's pitch (short strides pitch less).

    The swing is raised by `clearance_m` at its middle, or by more where the cycle's own path would scuff on this body's feet.
    """

    def __init__(self, tables: GaitTables, side: str, clearance_m: float, amplitude: float = 1.0) -> None:
        self.tables, self.side, self.clearance_m = tables, side, 0.0
        self.geometry = FootGeometry(tables.body, side)
        self.phases = tables.phases[side]
        self.amplitude = amplitude
        self._columns = tables.foot_slice(side)
        mid, self._strike, self._off = self._rows((MID_STANCE * self.phases.toe_off, 0.0, self.phases.toe_off))
        self._level = mid[PITCH]
        self._strike_pitch = self._strike[PITCH] - self._level
        self.clearance_m = max(clearance_m, self._needed_clearance())

    def _rows(self, since_strike: Sequence[float]) -> list[list[float]]:
        """Table channels of this foot (k, 5) at phases (k,) since its strike."""
        return self.tables.table.value(self.phases.strike + np.array(since_strike))[:, self._columns].tolist()

    def strike_pitch(self) -> float:
        """Pitch at landing: toes up, so negative or zero [rad]."""
        return self.amplitude * min(self._strike_pitch, 0.0)

    def stance_pitches(self, since_strike: Sequence[float]) -> list[float]:
        """Pitches while standing, as the cycle's: toes up at first, level, then the heel rising till toe-off [rad]."""
        toe_off, flat = self.phases.toe_off, 0.5 * LATEST_FLAT
        pitches = []
        for since, row in zip(since_strike, self._rows([min(since, toe_off) for since in since_strike]), strict=True):
            pitch = row[PITCH] - self._level
            if since < MID_STANCE * toe_off:
                pitches.append(self.amplitude * min(pitch, 0.0) * (1.0 - smooth((since - flat) / flat)))
            else:
                pitches.append(self.amplitude * max(pitch - HEEL_SLACK, 0.0))
        return pitches

    def stance_pitch(self, since_strike: float) -> float:
        """The same at one phase."""
        return self.stance_pitches((since_strike,))[0]

    def heel_rise(self) -> float:
        """Phase since strike at which the heel leaves the ground."""
        phases = (np.linspace(MID_STANCE, 1.0, 201) * self.phases.toe_off).tolist()
        pitches = self.stance_pitches(phases)
        return next((p for p, pitch in zip(phases, pitches, strict=True) if pitch > HEEL_UP), self.phases.toe_off)

    def standing(self, step: Footstep, since_strike: Sequence[float], heading: float) -> list[FootPose]:
        """The foot on its footstep at phases (k,) of its stance."""
        return [self.geometry.rolled(step, pitch, heading) for pitch in self.stance_pitches(since_strike)]

    def swinging(
        self, lift: FootPose, target: Footstep, since_strike: Sequence[float], heading: float
    ) -> list[FootPose]:
        """The foot between the pose it left the ground in and its landing on `target`, at phases (k,)."""
        end = self.landing(target, heading)
        turn = 0.0 if lift.yaw is None else target.yaw - lift.yaw
        poses = [self._swing(lift, end, since, row, turn)
                 for since, row in zip(since_strike, self._rows(since_strike), strict=True)]
        if self.tables.displacement.moves:
            self._displace(poses, since_strike, heading)
        return poses

    def _displace(self, poses: list[FootPose], since_strike: Sequence[float], heading: float) -> None:
        """Shift the ankles of swinging poses by the gait's displacement map."""
        c, s = math.cos(heading), math.sin(heading)
        shifts = self.tables.displacement.swing_offset(np.array(since_strike), self.side, self.phases.toe_off)
        for pose, (x, y, z) in zip(poses, shifts.tolist(), strict=True):
            pose.ankle[:] += (c * x - s * y, s * x + c * y, z)

    def landing(self, target: Footstep, heading: float) -> FootPose:
        """The foot at its strike on `target`."""
        return self.geometry.rolled(target, self.strike_pitch(), heading)

    def departing(self, lift: FootPose, velocity: np.ndarray, target: Footstep, heading: float, rate: float) -> FootPose:
        """`lift` with the drift that makes the swing begin at the ankle's own `velocity` (3,) [m/s], at a phase `rate` [1/s]."""
        toe_off, small = self.phases.toe_off, 1e-3
        swing = 1.0 - toe_off
        first, second = self.swinging(lift, target, (toe_off, toe_off + small * swing), heading)
        return replace(lift, drift=velocity * swing / rate - (second.ankle - first.ankle) / small)

    def _needed_clearance(self) -> float:
        """Raise [m] at mid swing that keeps heel, ball and tip of the toes `SOLE_CLEARANCE_M` off the ground, at most
        `MOST_CLEARANCE_M`."""
        toe_off = self.phases.toe_off
        shares = np.linspace(0.15, 0.85, 15)
        lift = self.geometry.rolled(Footstep(self.side, 0j, 0.0), self.stance_pitch(toe_off), 0.0)
        target = Footstep(self.side, complex(self.tables.stride_m), 0.0)
        poses = self.swinging(lift, target, (toe_off + shares * (1.0 - toe_off)).tolist(), 0.0)
        needs = [(SOLE_CLEARANCE_M - self.geometry.lowest(pose)) / bump(s) for s, pose in zip(shares, poses, strict=True)]
        return min(max(needs), MOST_CLEARANCE_M)

    def _swing(self, lift: FootPose, end: FootPose, since_strike: float, row: list[float], turn: float) -> FootPose:
        """One pose of a swing, from the cycle's own (its table row) and its ends, along an arc that turns by `turn` [rad]: on
        its chord the outer foot would run into the standing leg."""
        toe_off = self.phases.toe_off
        s = (since_strike - toe_off) / (1.0 - toe_off)
        blend = smooth(s)
        progress = min(max(self.tables.swing_progress(self.side, row[0], since_strike), -0.05), 1.05)
        way = end.ankle - lift.ankle
        ankle = lift.ankle + progress * way
        bow = 0.5 * turn * progress * (1.0 - progress)
        ankle[:2] += bow * way[1], -bow * way[0]
        rise = (1.0 - blend) * (lift.ankle[2] - lift.ground_m - self._off[1])
        rise += blend * (end.ankle[2] - end.ground_m - self._strike[1])
        ground = lift.ground_m + progress * (end.ground_m - lift.ground_m)
        over = lift.raise_m * 4.0 * max(progress * (1.0 - progress), 0.0)
        ankle[2] = row[1] + rise + self.clearance_m * bump(s) + (ground + over)
        if lift.drift is not None and s < DRIFT_END:
            ankle += lift.drift * (s * (1.0 - s / DRIFT_END) ** 2)
        cycle = [r - (1.0 - blend) * off - blend * strike
                 for r, off, strike in zip(row[2:], self._off[2:], self._strike[2:], strict=True)]
        rotvec = (1.0 - blend) * lift.rotvec + blend * end.rotvec + self.amplitude * np.array(cycle)
        return FootPose(ankle, rotvec, lift.toe * (1.0 - smooth(3.0 * s)))
