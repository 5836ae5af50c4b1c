# SPDX-License-Identifier: GPL-3.0-or-later
"""Both feet of a running body: each with its own landing to come, in the air together between the running steps.

The way of a running foot: it rolls flat at once and rises as the cycle's does.
"""

from __future__ import annotations

import cmath
import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ....bodies.state import BodyState
from ....maths.curves import smooth
from ....maths.rotations import laid_back, quat_conjugate, quat_multiply, rotvec_from_quat
from ...legged.foot_geometry import FootPose, Footstep, Terrain
from ...legged.foot_path import HEEL_SLACK, HEEL_UP, MID_STANCE, PITCH, FootPath
from ...legged.pose import GaitTables
from ...legged.targets import SIDES, FeetPose, FootTarget, foot_targets, turn_quat
from .contact_schedule import RunningSettings

FLAT = 0.22
"""Share of the stance by which a running foot lies flat (Cavanagh and Lafortune 1980: a rear-foot striker's centre of
pressure has left the heel after a fifth of it)."""
TOES_FIRST = 0.12
"""Steepest pitch [rad] of a foot that lands on its ball: the heel then comes down some 2 cm, softly, on the calf's pull."""
BALL_OFF = 0.75
"""Share of the stance at which the ball leaves the ground and the toes' tip alone is left."""
TIP_PITCH = 0.7
"""Pitch of the toes when their tip leaves the ground [rad]: the ball of a running foot is then some 4 cm up."""
BALL_RISE_LEGS = 0.052
"""How high the ball is then at most, over leg length: a human's. Longer toes stand less steeply."""


class RunningPath(FootPath):
    """As `FootPath`, whose times of rolling are a walk's, for a stance that is half as long. `landed_pitch` is the pitch
    [rad] that the foot really came down with; None stands for the planned one."""

    landed_pitch: float | None = None
    least_pointing = 0.0

    def __init__(self, tables: GaitTables, side: str, clearance_m: float, amplitude: float = 1.0) -> None:
        super().__init__(tables, side, clearance_m, amplitude)
        self.geometry.tip_rise = math.inf  # a runner's ball rises by the clock, not with the heel as a walker's
        toes = self.geometry.tip_x - self.geometry.ball_x
        most = BALL_RISE_LEGS * tables.body.leg_length_m
        self._most_tip_pitch = TIP_PITCH if toes * math.sin(TIP_PITCH) <= most else math.asin(most / toes)

    def strike_pitch(self) -> float:
        """Pitch at landing [rad]: as the cycle's on the ball, no steeper than `TOES_FIRST`, else flat. On its heel this rigid
        foot would turn as fast as the ankle falls, and its ball strike with several times the weight."""
        return self.amplitude * min(max(self._strike_pitch, 0.0), TOES_FIRST)

    def stance_pitches(self, since_strike: Sequence[float]) -> list[float]:
        """Pitches while standing: from the landing's to level, then the heel rising till toe-off [rad]."""
        toe_off = self.phases.toe_off
        landed = self.strike_pitch() if self.landed_pitch is None else self.landed_pitch
        pitches = []
        for since, row in zip(since_strike, self._rows([min(since, toe_off) for since in since_strike]), strict=True):
            if since < MID_STANCE * toe_off:
                pitches.append(landed * (1.0 - smooth(since / (FLAT * toe_off))))
            else:
                pitches.append(self.amplitude * self.geometry.long_share * max(row[PITCH] - self._level - HEEL_SLACK, 0.0))
        return pitches

    def tip_pitch(self, since_strike: float) -> float:
        """Pitch of the toes about their tip while standing [rad]; 0 for a foot without toes."""
        share = since_strike / self.phases.toe_off
        if share <= BALL_OFF or not self.geometry.has_toes:
            return 0.0
        return self._most_tip_pitch * ((min(share, 1.1) - BALL_OFF) / (1.0 - BALL_OFF)) ** 2

    def standing(self, step: Footstep, since_strike: Sequence[float], heading: float) -> list[FootPose]:
        """The foot on its footstep at phases (k,) of its stance; in the end it rises onto the tip of its toes."""
        poses = super().standing(step, since_strike, heading)
        return [self._on_tip(pose, step, self.tip_pitch(since)) for pose, since in zip(poses, since_strike, strict=True)]

    def _on_tip(self, pose: FootPose, step: Footstep, pitch: float) -> FootPose:
        """A foot that stands on its ball, raised so that its toes stand at `pitch` on their tip."""
        if pitch == 0.0:
            return pose
        toes = self.geometry.tip_x - self.geometry.ball_x
        ahead = toes * (1.0 - math.cos(pitch)) * cmath.exp(1j * step.yaw)
        ankle = pose.ankle + (ahead.real, ahead.imag, toes * math.sin(pitch))
        return replace(pose, ankle=ankle, toe=max(pose.toe - pitch, 0.0))


BLEND = 0.3
"""Share of the swing at either end within which the foot leaves the body's height for the ground's."""
SINK_M, SINK_FROM = 0.012, 0.8
"""How far below the ground a landing foot is led, from which share of its swing on: one that lags behind its path would land
late, and the body be past it."""
SHORT = 0.01
"""Share of the cycle over which the velocity is taken with which a foot is to leave the ground."""
Rise = Callable[[float, float], float]
"""How much higher than the cycle's the body is at a phase, some time [s] from now [m]."""


class RunningFoot:
    """One foot: its path, its last footstep, the next one, whether it swings, and which `share` of the swing is over."""

    def __init__(self, path: RunningPath, step: Footstep, target: Footstep) -> None:
        self.path, self.step, self.target = path, step, target
        self.swinging = True
        self.lift: FootPose = path.standing(step, [path.phases.toe_off], 0.0)[0]
        self.lowered_m = self.lowering_m_s = self.share = 0.0

    def leave(self, pose: FootPose, velocity: np.ndarray, heading: float, rate: float) -> None:
        """Leave the ground in a pose with a velocity (3,) [m/s] at a phase `rate` [1/s]."""
        self.swinging, self.lowered_m, self.lowering_m_s = True, 0.0, 0.0
        self.lift = self.path.departing(pose, velocity, self.target, heading, rate)


class RunningFeet:
    """The two feet. `amplitude` is how much those pitch that leave the ground from now on."""

    def __init__(
        self, state: BodyState, tables: GaitTables, settings: RunningSettings, amplitude: float,
        steps: dict[str, Footstep], targets: dict[str, Footstep], terrain: Terrain,
    ) -> None:
        self._state, self._settings, self.amplitude, self._terrain = state, settings, amplitude, terrain
        self._frames = {side: state.frame(f"foot_{side}") for side in SIDES}
        points = state.body.contact_points
        self._rows = {side: np.array([i for i, p in enumerate(points) if p.side == side]) for side in SIDES}
        heels = np.array([p.kind == "heel" for p in points])
        self._feet = {side: RunningFoot(RunningPath(tables, side, settings.clearance_m, amplitude), steps[side], targets[side])
                      for side in SIDES}
        stiff = {side: not foot.path.geometry.has_toes for side, foot in self._feet.items()}
        self._toes, self._balls = (np.array([p.kind == kind for p in points]) for kind in ("toe", "ball"))
        self._heels, self._rising = heels, heels | np.array([p.kind == "ball" and stiff[p.side] for p in points])

    def __getitem__(self, side: str) -> RunningFoot:
        return self._feet[side]

    def lift(self, side: str, heading: float, rate: float) -> None:
        """The foot leaves the ground in the pose and with the velocity it has."""
        foot, frame = self._feet[side], self._frames[side]
        foot.path.amplitude = self.amplitude
        rotvec = rotvec_from_quat(quat_multiply(quat_conjugate(turn_quat(heading)), frame.quaternion))
        planned = foot.path.standing(foot.step, [foot.path.phases.toe_off], heading)[0]
        pose = FootPose(frame.position.copy(), rotvec, planned.toe, ground_m=planned.ground_m)
        foot.leave(pose, self._state.velocity_of(frame), heading, rate)

    def leaving(self, heading: float, rate: float) -> RunningFeet:
        """These feet in the coming flight: those that stand leave the ground as planned, at a phase `rate` [1/s]."""
        gone = copy.copy(self)
        gone._feet = {side: copy.copy(foot) for side, foot in self._feet.items()}
        for foot in gone._feet.values():
            if not foot.swinging:
                off = foot.path.phases.toe_off
                before, pose = foot.path.standing(foot.step, (off - SHORT, off), heading)
                foot.leave(pose, (pose.ankle - before.ankle) * (rate / SHORT), heading, rate)
        return gone

    def land(self, side: str) -> None:
        """The foot is down: its footstep is where it really stands."""
        foot, frame = self._feet[side], self._frames[side]
        forward = frame.matrix[:, 0]
        foot.step = self._terrain.stood(side, frame.position, forward, math.atan2(forward[1], forward[0]))
        forward = laid_back(forward, foot.step.support.normal)
        foot.path.landed_pitch = math.atan2(-forward[2], math.hypot(forward[0], forward[1]))
        foot.swinging, foot.lowered_m, foot.lowering_m_s = False, 0.0, 0.0

    def poses(
        self, heading: float, clock: tuple[float, float], smooth: tuple[float, float], times_s: Sequence[float], rise: Rise
    ) -> list[FeetPose]:
        """Planned poses of both feet at times (k,) from now. `clock` holds phase and its rate for feet on the ground,
        `smooth` for those in the air."""
        pairs = [self._swing(foot, heading, *smooth, times_s, rise) if foot.swinging
                 else foot.path.standing(foot.step, [stance_phase(foot, clock[0]) + clock[1] * t for t in times_s], heading)
                 for foot in self._feet.values()]
        return [dict(zip(SIDES, pair, strict=True)) for pair in zip(*pairs, strict=True)]

    def _swing(
        self, foot: RunningFoot, heading: float, phase: float, rate: float, times_s: Sequence[float], rise: Rise
    ) -> list[FootPose]:
        if not self._terrain.ground.plane:
            need = self._terrain.needed_raise(foot.lift, foot.step, foot.target, foot.path.landing(foot.target, heading))
            foot.lift = replace(foot.lift, raise_m=max(need, foot.lift.raise_m))
        toe_off = foot.path.phases.toe_off
        since = foot.path.phases.since_strike(phase)
        since = 1.0 if since < 0.5 * toe_off else max(since, toe_off)
        rate = rate if since < 1.0 else 0.0  # one that is late waits over its landing
        phases = [since + rate * t for t in times_s]
        poses = foot.path.swinging(foot.lift, foot.target, phases, heading)
        for pose, at, time in zip(poses, phases, times_s, strict=True):
            share = (at - toe_off) / (1.0 - toe_off)
            blend = smooth(share / BLEND) * smooth((1.0 - share) / BLEND)
            foot.share = min(max(share, 0.0), 1.0)
            sunk = SINK_M * smooth((share - SINK_FROM) / (1.0 - SINK_FROM))
            risen = blend * max(rise(phase + rate * time, time), 0.0)
            pose.ankle[2] = float(pose.ankle[2]) - sunk + (risen - foot.lowered_m - time * foot.lowering_m_s)
        return poses

    def wanted(
        self, heading: float, before: FeetPose, now: FeetPose, after: FeetPose, dt: float, active: np.ndarray
    ) -> dict[str, FootTarget]:
        """Wanted motion of the feet, from their poses now and `dt` before and after; one that should stand but has no point
        on the ground is led there like a swinging one."""
        stands = {side: not foot.swinging and bool(active[self._rows[side]].any()) for side, foot in self._feet.items()}
        return foot_targets(heading, (before, now, after), dt, stands)

    def contact_points(self, phase: float) -> tuple[np.ndarray, np.ndarray]:
        """Contact points that may push, and those that should be on the ground (both (P,) bool)."""
        touching = self._state.contact_height_m < self._settings.active_height_m
        expected = np.zeros(len(touching), dtype=bool)
        for side in SIDES:
            foot, rows = self._feet[side], self._rows[side]
            if foot.swinging:
                touching[rows] = False
                continue
            since = stance_phase(foot, phase)
            if foot.path.tip_pitch(since) > HEEL_UP:
                expected[rows] = toes = self._toes[rows]
                touching[rows] &= toes if (touching[rows] & toes).any() else ~self._heels[rows]  # the ball, until toes are down
                continue
            pitch = foot.path.stance_pitch(since)
            heels, rising = self._heels[rows], self._rising[rows]
            if pitch > HEEL_UP:
                touching[rows] &= ~rising
            expected[rows] = np.where(rising, pitch <= HEEL_UP, True) & (heels | (pitch > -0.01))
        return touching, expected | touching

    def supported(self, cop: complex, expected: np.ndarray, direction: complex) -> complex:
        """A centre of pressure moved between the points that should push, of which the toes are weak, for a body that goes
        along a unit vector: forces that the feet cannot give would turn it."""
        places = self._state.contact_point_m[expected].tolist()
        if not places:
            return cop
        settings, wish, local = self._settings, cop / direction, [complex(x, y) / direction for x, y, _ in places]
        along, aside = [point.real for point in local], [point.imag for point in local]
        firm = [x for x, toes in zip(along, self._toes[expected].tolist(), strict=True) if not toes]
        front = max(along) if not firm else max(firm) + settings.toe_fraction * (max(along) - max(firm))
        left, right = max(aside), min(aside)
        middle, half = 0.5 * (left + right), 0.5 * settings.edge_fraction * (left - right)
        return direction * complex(min(max(wish.real, min(along)), front), min(max(wish.imag, middle - half), middle + half))


def stance_phase(foot: RunningFoot, phase: float) -> float:
    """Phase of a standing foot since its strike; 0 for one that has come down before its time."""
    since = foot.path.phases.since_strike(phase)
    return 0.0 if since > 0.5 * (1.0 + foot.path.phases.toe_off) else since


def foot_amplitude(stride_ratio: float) -> float:
    """How much the feet pitch over the cycle's own, for strides so much longer than its."""
    return min(max(stride_ratio, 0.3), 1.15)
