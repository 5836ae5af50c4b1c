# SPDX-License-Identifier: GPL-3.0-or-later
"""The target pose: the reference's, with the feedback of balance on hips, ankle and swinging foot (Lee 2014, 3.3.1)."""

from __future__ import annotations

import math

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.kinematics import solve_leg
from ...bodies.state import BodyState
from ...maths.curves import smooth
from ...maths.rotations import Quaternion, from_rotvec, inverse, product, rotated, to_rotvec, z_turn
from .reference import Fragment, Wanted
from .settings import LEG_M, LeeSettings

LIFTING = 0.25
"""Fraction of a swing in which the foot is raised, and at its end lowered again (first guess)."""


class Modulation:
    """Target poses of one body; what is measured is brought to the clip's time and legs of `LEG_M` before the gains see it."""

    def __init__(self, state: BodyState, settings: LeeSettings, slow: float) -> None:
        self.state, self.settings, self._slow = state, settings, slow
        body = state.body
        self._scale = LEG_M / body.leg_length_m
        self._thigh = {s: state.frame(f"thigh_{s}") for s in SIDES}
        self._shank = {s: state.frame(f"shank_{s}") for s in SIDES}
        self._foot = {s: state.frame(f"foot_{s}") for s in SIDES}
        self._thigh_m = float(np.linalg.norm(body.segment("shank_L").offset))
        self._shank_m = float(np.linalg.norm(body.segment("foot_L").offset))
        joint = state.model.joint
        self._slots = {s: [int(joint(f"{name}_{s}").qposadr[0]) for name in ("thigh", "shank", "foot")] for s in SIDES}

    def target(self, pose: np.ndarray, fragment: Fragment, time_s: float, now: Wanted, then: Wanted) -> np.ndarray:
        """The target (nq,) made of a reference pose (nq,) at a time of a fragment [clip s]; what the clip shows `now` is compared
        with the body, what it shows `then` goes with the pose."""
        s, q = self.settings, pose.copy()
        share = (time_s - fragment.start_s) / fragment.duration_s
        velocity, place = self._errors(fragment, now)
        way = self._way(now)
        swing = fragment.swing
        if swing is not None:
            swung = (time_s - fragment.lift_s) / (fragment.end_s - fragment.lift_s)
            c2 = s.c2_sag_behind if (place / way).real > 0.0 else s.c2_sag_ahead
            lean = _resolved(velocity, way, s.c1_sag, s.c1_cor) + _resolved(place, way, c2, s.c2_cor)
            self._turn(q, self._slots[swing][0], _quat(q[3:7]), 1j * lean * smooth(swung) * s.swing_hip)  # eq. 3.4
            if s.swing_height:
                self._raise_foot(q, swing, swung, now)
            engaged = smooth(share / s.stance_ramp)
        else:
            engaged = smooth((time_s - fragment.start_s) / s.double_ramp_s)
        lean = _resolved(velocity, way, s.c3_sag, s.c3_cor) + _resolved(place, way, s.c4_sag, s.c4_cor)
        for side in fragment.stance:
            self._hold_pelvis(q, side, s.c0 * engaged * s.stance_hip)
            self._level_foot(q, side, smooth(share / s.ankle_fade) * s.foot_level, then)
            shank = _quat(self._shank[side].quaternion)
            self._turn(q, self._slots[side][2], shank, -1j * lean * engaged * s.stance_ankle)  # eq. 3.5
        return q

    def _errors(self, fragment: Fragment, now: Wanted) -> tuple[complex, complex]:
        """How much slower than the clip's the pelvis is (v_d - v), and how far behind it over the standing feet (d_d - d)."""
        feet = [SIDES.index(side) for side in fragment.stance]
        pelvis, rate = self.state.qpos, self.state.qvel
        base = sum(complex(*self._foot[side].position[:2].tolist()) for side in fragment.stance) / len(feet)
        wanted = now.place - sum(now.ankle[i] for i in feet) / len(feet)
        velocity = now.velocity - self._slow * complex(float(rate[0]), float(rate[1]))
        return self._scale * velocity, self._scale * (wanted - complex(float(pelvis[0]), float(pelvis[1])) + base)

    def _way(self, now: Wanted) -> complex:
        """The direction that is along: that of the clip's velocity, or where the pelvis faces."""
        speed = abs(now.velocity)
        if self._scale * speed >= self.settings.facing_m_s:
            return now.velocity / speed
        w, x, y, z = self.state.qpos[3:7].tolist()
        facing = complex(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z))
        return facing / max(abs(facing), 1e-9)

    def _hold_pelvis(self, q: np.ndarray, side: str, share: float) -> None:
        """Eq. 3.3: towards the angle of the hip with which the pelvis is as the clip has it over the thigh as it is."""
        at = self._slots[side][0]
        own = _quat(q[at:at + 4])
        held = product(inverse(_quat(q[3:7])), _quat(self._thigh[side].quaternion))
        x, y, z = to_rotvec(product(inverse(own), held))
        q[at:at + 4] = product(own, from_rotvec((share * x, share * y, share * z)))

    def _turn(self, q: np.ndarray, at: int, above: Quaternion, turn: complex) -> None:
        """Turn what hangs on `above` about a horizontal axis of the world [rad]."""
        local = rotated(inverse(above), (turn.real, turn.imag, 0.0))
        q[at:at + 4] = product(from_rotvec(local), _quat(q[at:at + 4]))

    def _level_foot(self, q: np.ndarray, side: str, share: float, then: Wanted) -> None:
        """Towards the ankle's angle with which the foot is to the ground as in the clip; its heading stays (Lee 2014, 3.3.2)."""
        at = self._slots[side][2]
        foot, clip = _quat(self._foot[side].quaternion), then.foot[SIDES.index(side)]
        level = product(z_turn(_yaw(foot) - _yaw(clip)), clip)
        x, y, _ = self._foot[side].position.tolist()
        nx, ny, nz = self.state.ground.normal(x, y).ravel().tolist()
        level = product(from_rotvec((-ny / max(nz, 1e-6), nx / max(nz, 1e-6), 0.0)), level)
        own, wanted = _quat(q[at:at + 4]), product(inverse(_quat(self._shank[side].quaternion)), level)
        x, y, z = to_rotvec(product(inverse(own), wanted))
        q[at:at + 4] = product(own, from_rotvec((share * x, share * y, share * z)))

    def _raise_foot(self, q: np.ndarray, side: str, swung: float, now: Wanted) -> None:
        """Eq. 3.6: the swinging foot higher by inverse kinematics, its turn to the pelvis kept."""
        s, foot, row = self.settings, self._foot[side], SIDES.index(side)
        x, y, z = foot.position.tolist()
        height = z - float(self.state.ground.height(x, y))
        rising = float(self.state.velocity_of(foot)[2]) * self._slow
        error, rate = now.height_m[row] - height, now.rising[row] - rising
        up = (s.c5 * error + s.c6 * rate) * smooth(swung) + s.lift_m / self._scale * _lifted(swung)
        thigh_at, shank_at, foot_at = self._slots[side]
        pelvis, thigh = _quat(q[3:7]), _quat(q[thigh_at:thigh_at + 4])
        knee = float(q[shank_at])
        shank = product(thigh, (math.cos(0.5 * knee), 0.0, math.sin(0.5 * knee), 0.0))
        way = [a + b for a, b in zip(rotated(thigh, (0.0, 0.0, -self._thigh_m)), rotated(shank, (0.0, 0.0, -self._shank_m)),
                                     strict=True)]
        raised = [a + b for a, b in zip(way, rotated(inverse(pelvis), (0.0, 0.0, s.swing_height * up)), strict=True)]
        sole = product(shank, _quat(q[foot_at:foot_at + 4]))
        axis = rotated(thigh, (0.0, 1.0, 0.0))
        q[thigh_at:thigh_at + 4], q[shank_at], q[foot_at:foot_at + 4] = solve_leg(
            (raised[0], raised[1], raised[2]), sole, axis, self._thigh_m, self._shank_m)


def _lifted(swung: float) -> float:
    """How far a swinging foot is raised over its path, 0 to 1: over most of the swing, as feet scuff just before they land."""
    return smooth(swung / LIFTING) * smooth((1.0 - swung) / LIFTING)


def _resolved(error: complex, way: complex, along: float, across: float) -> complex:
    """An error in the world's axes with a gain along a way and another one across it."""
    own = error / way
    return complex(along * own.real, across * own.imag) * way


def _quat(quaternion: np.ndarray) -> Quaternion:
    w, x, y, z = quaternion.tolist()
    return w, x, y, z


def _yaw(q: Quaternion) -> float:
    """Heading [rad] of the forward axis."""
    w, x, y, z = q
    return math.atan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))
