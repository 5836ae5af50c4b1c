# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a running foot: it rolls flat at once and rises as the cycle's does."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import replace

from .....maths.curves import smooth
from ..foot_path import HEEL_SLACK, MID_STANCE, PITCH, FootPath, FootPose, Footstep
from ..gait_tables import GaitTables

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
                pitches.append(self.amplitude * max(row[PITCH] - self._level - HEEL_SLACK, 0.0))
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
