# SPDX-License-Identifier: GPL-3.0-or-later
"""Both feet of the walker: which stands, which swings, where they are led, and which of their points may push."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ....bodies.state import BodyState
from ....maths.rotations import quat_conjugate, quat_multiply, rotvec_from_quat
from ....specs.shot import EARTH_GRAVITY_M_S2
from ...legged.foot_geometry import FootPose, Footstep
from ...legged.foot_path import HEEL_UP, FootPath
from ...legged.gait_tables import GaitTables
from ...legged.targets import SIDES, FeetPose, FootTarget, foot_targets, turn_quat
from ...legged.terrain import Terrain
from .footsteps import Rhythm, WalkSettings


class Foot:
    """One foot: its path, where it stands or stood, and whether it swings. A foot that landed early swings no more but
    waits for the clock (`landed` while `swinging`); one that is late has been lowered and goes on at its speed. While the
    clock waits for the other foot this one rolls on by `overrun`, a phase."""

    def __init__(self, path: FootPath, step: Footstep) -> None:
        self.path, self.step = path, step
        self.swinging, self.landed = False, True
        self.lift: FootPose | None = None
        self.lowered_m = self.lowering_m_s = self.overrun = 0.0

    @property
    def left(self) -> FootPose:
        """The pose in which it left the ground."""
        if self.lift is None:
            raise RuntimeError("This foot has not left the ground yet.")
        return self.lift


class Feet:
    """The two feet on a rhythm. `target` is the footstep that the swing foot is led to."""

    def __init__(
        self, state: BodyState, tables: GaitTables, rhythm: Rhythm, settings: WalkSettings, amplitude: float,
        steps: dict[str, Footstep], terrain: Terrain,
    ) -> None:
        self._state, self._rhythm, self._settings, self._terrain = state, rhythm, settings, terrain
        self._frames = {side: state.frame(f"foot_{side}") for side in SIDES}
        points = state.body.contact_points
        self._rows = {side: np.array([i for i, p in enumerate(points) if p.side == side]) for side in SIDES}
        self._points = {side: rows.tolist() for side, rows in self._rows.items()}
        self._heels = [p.kind == "heel" for p in points]
        clearance, lift = settings.clearance_m, settings.foot_lift_m
        self._feet = {side: Foot(FootPath(tables, side, clearance, amplitude, lift, settings.heel_strike), steps[side])
                      for side in SIDES}
        stiff = {side: not foot.path.geometry.has_toes for side, foot in self._feet.items()}
        self._balls = [p.kind == "ball" for p in points]
        self._turn_limit = settings.angular_acceleration_limit * -float(state.gravity[2]) / EARTH_GRAVITY_M_S2
        self._rising = [p.kind == "heel" or (p.kind == "ball" and stiff[p.side]) for p in points]
        self.target: Footstep | None = None

    def __getitem__(self, side: str) -> Foot:
        return self._feet[side]

    def stand(self, steps: Mapping[str, Footstep]) -> None:
        """Both stand on these footsteps."""
        for side, step in steps.items():
            foot = self._feet[side]
            foot.step, foot.swinging, foot.landed, foot.overrun = step, False, True, 0.0
            foot.lowered_m = foot.lowering_m_s = 0.0

    def _led_to(self) -> Footstep:
        if self.target is None:
            raise RuntimeError("A foot swings before its footstep is planned.")
        return self.target

    def lift(self, side: str, heading: float) -> None:
        """The foot leaves the ground in the pose and with the velocity it has."""
        foot, frame = self._feet[side], self._frames[side]
        foot.swinging, foot.landed, foot.lowered_m, foot.lowering_m_s, foot.overrun = True, False, 0.0, 0.0, 0.0
        rotvec = rotvec_from_quat(quat_multiply(quat_conjugate(turn_quat(heading)), frame.quaternion))
        planned = foot.path.standing(foot.step, [foot.path.phases.toe_off], heading)[0]
        lift = FootPose(frame.position.copy(), rotvec, planned.toe, ground_m=planned.ground_m, yaw=foot.step.yaw)
        lift = foot.path.departing(lift, self._state.velocity_of(frame), self._led_to(), heading, self._rhythm.rate)
        foot.lift = foot.path.cleared(lift, self._led_to(), heading)

    def land(self, side: str, heading: float) -> None:
        """The foot is down: its footstep is where it really stands, its yaw counted on from the heading."""
        foot, frame = self._feet[side], self._frames[side]
        foot.step = self._terrain.stood(side, frame.position, frame.matrix[:, 0], heading)
        foot.landed = True

    def touches(self, side: str) -> bool:
        """Whether a foot has a point on the ground, however lightly: one that is set down softly carries nothing yet."""
        return bool((self._state.contact_height_m[self._rows[side]] < self._settings.active_height_m).any())

    def poses(self, heading: float, times_s: Sequence[float]) -> list[FeetPose]:
        """Planned poses of both feet at times (k,) from now."""
        poses = [self._motion(self._feet[side], heading, times_s) for side in SIDES]
        return [dict(zip(SIDES, pair, strict=True)) for pair in zip(*poses, strict=True)]

    def _motion(self, foot: Foot, heading: float, times_s: Sequence[float]) -> list[FootPose]:
        """Planned poses of one foot at times (k,) from now."""
        since, rate = foot.path.phases.since_strike(self._rhythm.phase), self._rhythm.rate
        if foot.swinging and not foot.landed:
            late = since + rate * max(times_s) >= 1.0  # the clock waits, or is about to: the foot stays over its landing
            phases = [1.0 if late else since + rate * t for t in times_s]
            self._clear_ground(foot, heading)
            poses = foot.path.swinging(foot.left, self._led_to(), phases, heading)
            for pose, time in zip(poses, times_s, strict=True):
                pose.ankle[2] -= foot.lowered_m + time * foot.lowering_m_s
            return poses
        if foot.swinging:
            return foot.path.standing(foot.step, [0.0] * len(times_s), heading)
        since = (0.0 if since > 0.95 else since) + foot.overrun
        return foot.path.standing(foot.step, [since + rate * t for t in times_s], heading)

    def _clear_ground(self, foot: Foot, heading: float) -> None:
        """Raise a swinging foot over what lies between its lift and its landing; once raised it stays so."""
        if self._terrain.ground.plane:
            return
        landing = foot.path.landing(self._led_to(), heading)
        need = self._terrain.needed_raise(foot.left, foot.step, self._led_to(), landing)
        if need > foot.left.raise_m:
            foot.lift = replace(foot.left, raise_m=need)

    def wanted(
        self, heading: float, before: FeetPose, now: FeetPose, after: FeetPose, dt: float, active: np.ndarray
    ) -> dict[str, FootTarget]:
        """Wanted motion of the feet, from their poses now and `dt` before and after; one that should stand but has no point
        on the ground is led there like a swinging one."""
        stands = {side: foot.landed and bool(active[self._rows[side]].any()) for side, foot in self._feet.items()}
        return foot_targets(heading, (before, now, after), dt, stands, self._turn_limit)

    def contact_points(self) -> tuple[np.ndarray, np.ndarray]:
        """Contact points that may push, and those that should be on the ground (both (P,) bool).

        A standing foot expects its heel until the heel is to rise (a stiff foot its ball, too), ball and toes once it is to
        be flat; a point may push when its foot stands and it touches.
        """
        touching = [height < self._settings.active_height_m for height in self._state.contact_height_m.tolist()]
        expected = [False] * len(touching)
        for side in SIDES:
            foot, rows = self._feet[side], self._points[side]
            if foot.swinging and not foot.landed:
                for i in rows:
                    touching[i] = False
                continue
            since = 0.0 if foot.swinging else foot.path.phases.since_strike(self._rhythm.phase) + foot.overrun
            pitch = foot.path.stance_pitch(since)
            off = pitch > foot.path.geometry.tip_rise + HEEL_UP
            for i in rows:
                if (pitch > HEEL_UP and self._rising[i]) or (off and self._balls[i]):
                    touching[i] = False
                else:
                    expected[i] = touching[i] or pitch > -0.01 or self._heels[i]
        return np.array(touching), np.array(expected)
