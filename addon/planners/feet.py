# SPDX-License-Identifier: GPL-3.0-or-later
"""Both feet of the walker: which stands, which swings, where they are led, and which of their points may push."""

from __future__ import annotations

import math

import numpy as np

from ..bodies.kinematics import quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat
from ..bodies.state import BodyState
from .foot_path import HEEL_UP, FootPath, FootPose, Footstep
from .gait_tables import GaitTables
from .rhythm import Rhythm
from .settings import WalkSettings
from .targets import FootTarget

SIDES = ("L", "R")


class Foot:
    """One foot: its path, where it stands or stood, and whether it swings. A foot that landed early swings no more but
    waits for the clock (`landed` while `swinging`)."""

    def __init__(self, path: FootPath, step: Footstep) -> None:
        self.path, self.step = path, step
        self.swinging, self.landed = False, True
        self.lift: FootPose | None = None
        self.lowered_m = 0.0


class Feet:
    """The two feet on a rhythm. `target` is the footstep that the swing foot is led to."""

    def __init__(
        self, state: BodyState, tables: GaitTables, rhythm: Rhythm, settings: WalkSettings, amplitude: float,
        steps: dict[str, Footstep],
    ) -> None:
        self._state, self._rhythm, self._settings = state, rhythm, settings
        self._frames = {side: state.frame(f"foot_{side}") for side in SIDES}
        points = state.body.contact_points
        self._rows = {side: np.array([i for i, p in enumerate(points) if p.side == side]) for side in SIDES}
        self._heels = np.array([p.kind == "heel" for p in points])
        self._feet = {side: Foot(FootPath(tables, side, settings.clearance_m, amplitude), steps[side]) for side in SIDES}
        self.target: Footstep | None = None

    def __getitem__(self, side: str) -> Foot:
        return self._feet[side]

    def lift(self, side: str, heading: float) -> None:
        """The foot leaves the ground in the pose it has."""
        foot, frame = self._feet[side], self._frames[side]
        foot.swinging, foot.landed, foot.lowered_m = True, False, 0.0
        rotvec = rotvec_from_quat(quat_multiply(quat_conjugate(turn_quat(heading)), frame.quaternion))
        planned = foot.path.standing(foot.step, foot.path.phases.toe_off, heading)
        foot.lift = FootPose(frame.position.copy(), rotvec, planned.toe)

    def land(self, side: str) -> None:
        """The foot is down: its footstep is where it really stands."""
        foot, frame = self._feet[side], self._frames[side]
        forward = frame.matrix[:, 0]
        yaw = math.atan2(forward[1], forward[0])
        pitch = math.atan2(-forward[2], math.hypot(forward[0], forward[1]))
        foot.step = Footstep(side, foot.path.geometry.place_of(frame.position, yaw, pitch), yaw)
        foot.landed = True

    def pose(self, side: str, heading: float, ahead_s: float = 0.0) -> FootPose:
        """Planned pose of a foot now, or a little ahead in time."""
        foot, rate = self._feet[side], self._rhythm.rate
        since = foot.path.phases.since_strike(self._rhythm.phase)
        if not foot.swinging:
            since = 0.0 if since > 0.95 else since
            return foot.path.standing(foot.step, since + rate * ahead_s, heading)
        if foot.landed:
            return foot.path.standing(foot.step, 0.0, heading)
        pose = foot.path.swinging(foot.lift, self.target, min(since + rate * ahead_s, 1.0), heading)
        pose.ankle[2] -= foot.lowered_m
        return pose

    def wanted(self, side: str, heading: float, active: np.ndarray, dt: float = 0.005) -> FootTarget:
        """Wanted motion of a foot; one that should stand but has no point on the ground is led there like a swinging one."""
        before, now, after = (self.pose(side, heading, t) for t in (-dt, 0.0, dt))
        rotvecs = np.array([before.rotvec, now.rotvec, after.rotvec])
        q0, q1, q2 = quat_multiply(turn_quat(heading), quat_from_rotvec(rotvecs))
        spin = rotvec_from_quat(quat_multiply(q2, quat_conjugate(q0))) / (2.0 * dt)
        stands = self._feet[side].landed and bool(active[self._rows[side]].any())
        return FootTarget(now.ankle, (after.ankle - before.ankle) / (2.0 * dt),
                          (after.ankle - 2.0 * now.ankle + before.ankle) / dt**2, q1, spin, stands)

    def contact_points(self) -> tuple[np.ndarray, np.ndarray]:
        """Contact points that may push, and those that should be on the ground (both (P,) bool).

        A standing foot expects its heel until the heel is to rise, ball and toes once it is to be flat; a point may push
        when its foot stands and it touches.
        """
        touching = self._state.contact_point_m[:, 2] < self._settings.active_height_m
        expected = np.zeros(len(touching), dtype=bool)
        for side in SIDES:
            foot, rows = self._feet[side], self._rows[side]
            if foot.swinging and not foot.landed:
                touching[rows] = False
                continue
            since = 0.0 if foot.swinging else foot.path.phases.since_strike(self._rhythm.phase)
            pitch = foot.path.stance_pitch(since)
            heels = self._heels[rows]
            if pitch > HEEL_UP:
                touching[rows] &= ~heels
            expected[rows] = np.where(heels, pitch <= HEEL_UP, pitch > -0.01)
        return touching, expected | touching


def turn_quat(heading: float) -> np.ndarray:
    """Quaternion (4,) of a turn about the vertical [rad]."""
    return np.array([math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading)])
