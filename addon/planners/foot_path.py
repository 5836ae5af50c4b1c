# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a foot: rolling over heel and ball while it stands, from toe-off to strike while it swings."""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np

from ..bodies.body import Body
from .gait_tables import GaitTables


MID_STANCE = 0.42
"""Share of the stance at which a walking foot lies flat (Perry 1992: 8 to 30 % of the cycle, of 62 %)."""
LATEST_FLAT = 0.14
"""Phase since strike at which the foot is flat at the latest."""
HEEL_SLACK = 0.01
"""Pitch of the cycle's foot [rad] that does not yet count as the heel rising."""
HEEL_UP = 0.02
"""Planned pitch [rad] from which on the heel carries nothing."""


@dataclass(frozen=True)
class Footstep:
    """Where a foot stands: the ground point below its ankle when flat (complex x + iy [m]), and its yaw [rad]."""

    side: str
    place: complex
    yaw: float


@dataclass(frozen=True)
class FootPose:
    """Ankle place (3,) [m] in the world, foot rotation vector (3,) relative to the heading [rad], toe extension [rad]."""

    ankle: np.ndarray
    rotvec: np.ndarray
    toe: float


class FootGeometry:
    """Sizes of one foot that its path needs, relative to the ankle centre."""

    def __init__(self, body: Body, side: str) -> None:
        points = {p.kind: p for p in body.contact_points if p.side == side and p.kind != "toe"}
        self.ankle_height_m = -body.sole_height_m
        self.heel_x = float(points["heel"].position[0])
        self.ball_x = float(points["ball"].position[0])
        toes = f"toes_{side}"
        self.has_toes = toes in body.index
        tip = body.segment(toes).offset[0] + body.segment(toes).tip[0] if self.has_toes else body.segment(f"foot_{side}").tip[0]
        self.tip_x = float(tip)

    def rolled(self, step: Footstep, pitch: float, heading: float) -> FootPose:
        """The foot on its footstep with the heel raised (`pitch` > 0, turning on the ball) or the toes (pitch < 0, on the
        heel); the toes stay on the ground."""
        pivot_x, pivot_z = (self.ball_x if pitch > 0.0 else self.heel_x), -self.ankle_height_m
        c, s = math.cos(pitch), math.sin(pitch)
        x = pivot_x - (c * pivot_x + s * pivot_z)
        z = pivot_z - (-s * pivot_x + c * pivot_z)
        place = step.place + x * cmath.exp(1j * step.yaw)
        ankle = np.array([place.real, place.imag, self.ankle_height_m + z])
        return FootPose(ankle, pitched(step.yaw - heading, pitch), max(pitch, 0.0))

    def place_of(self, ankle: np.ndarray, yaw: float, pitch: float) -> complex:
        """The footstep's place of a standing foot from its ankle's place and its pitch: the inverse of `rolled`."""
        pivot_x, pivot_z = (self.ball_x if pitch > 0.0 else self.heel_x), -self.ankle_height_m
        x = pivot_x - (math.cos(pitch) * pivot_x + math.sin(pitch) * pivot_z)
        return complex(ankle[0], ankle[1]) - x * cmath.exp(1j * yaw)


def pitched(yaw: float, pitch: float) -> np.ndarray:
    """Rotation vector (3,) of a yaw about z after a pitch about the foot's own y."""
    w = math.cos(0.5 * yaw) * math.cos(0.5 * pitch)
    x = -math.sin(0.5 * yaw) * math.sin(0.5 * pitch)
    y = math.cos(0.5 * yaw) * math.sin(0.5 * pitch)
    z = math.sin(0.5 * yaw) * math.cos(0.5 * pitch)
    sine = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(sine, w) / sine if sine > 1e-9 else 2.0
    return np.array([x * scale, y * scale, z * scale])


def smooth(s: float) -> float:
    """Cubic from 0 to 1 with level ends."""
    s = min(max(s, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


class FootPath:
    """The path of one foot in a gait. `amplitude` scales the cycle's pitch (short strides pitch less)."""

    def __init__(self, tables: GaitTables, side: str, clearance_m: float, amplitude: float = 1.0) -> None:
        self.tables, self.side, self.clearance_m = tables, side, clearance_m
        self.geometry = FootGeometry(tables.body, side)
        self.phases = tables.phases[side]
        self.amplitude = amplitude
        self._columns = tables.foot_slice(side)
        self._level = self._table_pitch(MID_STANCE * self.phases.toe_off)
        self._strike_pitch = self._table_pitch(0.0) - self._level
        self._off = self._row(self.phases.toe_off)
        self._strike = self._row(0.0)

    def _row(self, since_strike: float) -> np.ndarray:
        """Table channels of this foot (5,) at a phase since its strike."""
        return self.tables.table.value(self.phases.strike + since_strike)[self._columns]

    def _table_pitch(self, since_strike: float) -> float:
        """Pitch about y of the cycle's foot, toes down positive [rad]."""
        return float(self._row(since_strike)[3])

    def strike_pitch(self) -> float:
        """Pitch at landing: toes up, so negative or zero [rad]."""
        return self.amplitude * min(self._strike_pitch, 0.0)

    def stance_pitch(self, since_strike: float) -> float:
        """Pitch while standing, as the cycle's: toes up at first, level, then the heel rising till toe-off [rad]."""
        p = self.phases
        pitch = self._table_pitch(min(since_strike, p.toe_off)) - self._level
        if since_strike < MID_STANCE * p.toe_off:
            fade = 1.0 - smooth((since_strike - 0.5 * LATEST_FLAT) / (0.5 * LATEST_FLAT))
            return self.amplitude * min(pitch, 0.0) * fade
        return self.amplitude * max(pitch - HEEL_SLACK, 0.0)

    def heel_rise(self) -> float:
        """Phase since strike at which the heel leaves the ground."""
        steps = 200
        phases = (MID_STANCE + (1.0 - MID_STANCE) * i / steps for i in range(steps + 1))
        return next((p * self.phases.toe_off for p in phases if self.stance_pitch(p * self.phases.toe_off) > HEEL_UP),
                    self.phases.toe_off)

    def standing(self, step: Footstep, since_strike: float, heading: float) -> FootPose:
        """The foot on its footstep at a phase of its stance."""
        return self.geometry.rolled(step, self.stance_pitch(since_strike), heading)

    def swinging(self, lift: FootPose, target: Footstep, since_strike: float, heading: float) -> FootPose:
        """The foot between the pose it left the ground in and its landing on `target`."""
        p = self.phases
        s = (since_strike - p.toe_off) / (1.0 - p.toe_off)
        row = self._row(since_strike)
        end = self.geometry.rolled(target, self.strike_pitch(), heading)
        blend = smooth(s)
        progress = min(max(self.tables.swing_progress(self.side, row[0], since_strike), -0.05), 1.05)
        ankle = lift.ankle + progress * (end.ankle - lift.ankle)
        rise = (1.0 - blend) * (lift.ankle[2] - self._off[1]) + blend * (end.ankle[2] - self._strike[1])
        ankle[2] = row[1] + rise + self.clearance_m * 16.0 * (max(s, 0.0) * max(1.0 - s, 0.0)) ** 2
        rotvec = self.amplitude * row[2:5] + (1.0 - blend) * (lift.rotvec - self.amplitude * self._off[2:5])
        rotvec = rotvec + blend * (end.rotvec - self.amplitude * self._strike[2:5])
        return FootPose(ankle, rotvec, lift.toe * (1.0 - smooth(3.0 * s)))
