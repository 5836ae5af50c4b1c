# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body that is taken over is doing: where it faces, which of its feet stand and how, which are in the air."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...bodies.state import BodyState
from ...specs.motions import Stand
from ..legged.foot_geometry import Footstep, Terrain
from ..legged.targets import Handover, Targets, left
from .stance import Stance

LOADED = 0.02
"""A foot stands that carries this share of the weight,"""
STANDS_PACE = 0.06
"""and a body that goes no faster than this, over sqrt(g l): its feet are where they belong (as a take's end that stands)."""

POSE_RATE, FEET_RATE, HIGH_RATE = 6.0, 12.0, 4.0
"""Rates [1/s on Earth] at which pose, feet and height of a body that is taken over come to what is planned (first guess)."""


@dataclass(frozen=True)
class FoundFoot:
    """A foot where it is: its place on the ground, the pitch it is rolled to [rad], and whether it stands."""

    step: Footstep
    pitch: float
    stands: bool


def facing(state: BodyState) -> float:
    """Where the root faces [rad]; of one that lies on its back or front, where its head or feet point."""
    forward, up = state.data.xmat[1].reshape(3, 3)[:, 0], state.data.xmat[1].reshape(3, 3)[:, 2]
    way = forward if up[2] > abs(forward[2]) else -math.copysign(1.0, forward[2]) * up
    return math.atan2(way[1], way[0])


def found_feet(state: BodyState, terrain: Terrain, heading: float, loads: dict[str, float]) -> dict[str, FoundFoot]:
    """Both feet as they are measured; `loads` is the share of the weight on each."""
    found = {}
    for side in SIDES:
        frame = state.frame(f"foot_{side}")
        forward = frame.matrix[:, 0]
        step = terrain.stood(side, frame.position, forward, heading)
        pitch = -math.asin(min(max(float(forward @ np.array(step.support.normal)), -1.0), 1.0))
        found[side] = FoundFoot(step, pitch, loads[side] > LOADED)
    return found


def stance_found(stance: Stance, stand: Stand, feet: dict[str, FoundFoot], state: BodyState) -> Stance:
    """The stance to keep: as it was asked for; of a body that stands with no wish, as its feet are."""
    speed = math.hypot(*state.com_velocity[:2].tolist())
    still = speed < STANDS_PACE * math.sqrt(-float(state.gravity[2]) * state.body.leg_length_m)
    asked = stand.one_leg or stand.apart_m is not None or stand.ahead_m or stand.pose is not None
    if asked or not still or not all(foot.stands for foot in feet.values()):
        return stance
    return stance.as_found(feet["L"].step, feet["R"].step)


def falls_for(height_m: float, rising_m_s: float, gravity_m_s2: float) -> float:
    """Time [s] until a body so high over where it lands comes down there; 0 of one that is lower already."""
    under = rising_m_s * rising_m_s + 2.0 * gravity_m_s2 * height_m
    return max(rising_m_s + math.sqrt(under), 0.0) / gravity_m_s2 if under > 0.0 else 0.0


class Fading:
    """What is left of how a body was that is taken over at a time: its pose, its feet, its height and that one's rate; nothing
    of one that nobody took over. `slow` is how slowly everything goes, over Earth's; `of` (nv,) how much of the pose's
    differences fades, the rest being the tracker's."""

    def __init__(self, state: BodyState | None = None, since_s: float = 0.0, slow: float = 1.0, high_m: float = 0.0,
                 rising_m_s: float = 0.0, of: np.ndarray | float = 1.0) -> None:
        self._of = of
        self._state, self._since_s, self._slow = state, since_s, slow
        self._high: np.ndarray | None = None if state is None else np.array([[high_m], [rising_m_s]])
        self._handover: Handover | None = None

    def high(self, time_s: float) -> tuple[float, float, float]:
        """How much higher than planned it is to be, that one's rate and its rate."""
        if self._high is None:
            return 0.0, 0.0, 0.0
        off, rate, second = left(self._high, HIGH_RATE / self._slow, time_s - self._since_s)
        return float(off[0]), float(rate[0]), float(second[0])

    def led(self, targets: Targets) -> Targets:
        if self._state is not None:
            self._handover = Handover(self._state, targets, 1.0 / self._slow, FEET_RATE, pose_rate=POSE_RATE, of=self._of)
            self._state = None
        if self._handover is None:
            return targets
        found = self._handover.applied(targets)
        if self._handover.over(targets.time_s):
            self._handover = self._high = None
        return found
