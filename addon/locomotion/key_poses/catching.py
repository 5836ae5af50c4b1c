# SPDX-License-Identifier: GPL-3.0-or-later
"""A machine that stands until it is pushed, and steps to where earlier searches found that it is caught (Yin 2007, chapter 6)."""

from __future__ import annotations

import cmath
from dataclasses import replace

import numpy as np
from scipy.interpolate import RBFInterpolator

from ...specs.pose_gait import PoseGait, PoseState, mirrored
from .machine import OTHER, Machine
from .strength import Scale

FEWEST = 4
"""Samples that a thin-plate spline over the plane needs; with fewer the nearest one counts."""
STILL = 0.15
"""Below this share of a push's speed nobody was pushed."""
RISE_M_S = 0.1
"""After its steps it steps again only where it has become faster by this since: two feet take out what is left."""


class Catcher:
    """Watches the centre of mass while a machine waits in its first state, and sends it off. The gait's first state stands on
    both feet; its first step is the right foot's, of which the left one's is the mirror image."""

    def __init__(self, gait: PoseGait) -> None:
        if gait.catching is None:
            raise ValueError("A gait that catches nobody needs no catcher.")
        self.gait, self._catching = gait, gait.catching
        samples = np.array(self._catching.samples, dtype=float).reshape(len(self._catching.samples), -1)
        self._at, self._offsets = samples[:, :2], samples[:, 2:]
        self._spline = None
        if len(samples) >= FEWEST and np.linalg.matrix_rank(self._at - self._at[0], tol=1e-6) == 2:
            self._spline = RBFInterpolator(self._at, self._offsets, kernel="thin_plate_spline")
        self._felt_s: float | None = None
        self._least_m_s = 0.0  # since the last steps

    def go(self, machine: Machine, velocity: complex, heading: float, dt: float, scale: Scale) -> None:
        """Let time pass [s]: where the machine waits and the centre of mass, of a velocity [m/s] ahead and to the left, has gone
        too fast for long enough, it steps."""
        machine.waits = machine.at == 0
        velocity *= cmath.rect(1.0 / scale.speed, -heading)
        speed = abs(velocity)
        if not machine.waits:
            self._felt_s, self._least_m_s = None, speed
            return
        self._least_m_s = min(self._least_m_s, speed)
        if self._felt_s is None:
            self._felt_s = 0.0 if speed > STILL * self._catching.from_m_s else None
        else:
            self._felt_s += dt
        if speed < STILL * self._catching.from_m_s:
            self._felt_s, self._least_m_s = None, 0.0
        elif (self._felt_s is not None and self._felt_s >= self._catching.reaction_s and speed > self._catching.from_m_s
              and speed > self._least_m_s + RISE_M_S):
            machine.send(self.gait_for(velocity))

    def gait_for(self, velocity: complex) -> PoseGait:
        """The gait whose steps catch a body of a velocity [m/s], as on Earth on standard legs."""
        first = "R" if velocity.imag >= 0.0 else "L"
        away = np.array([[velocity.real, abs(velocity.imag)]])
        if self._spline is not None:
            offsets = self._spline(away)[0]
        else:
            offsets = self._offsets[int(np.argmin(np.linalg.norm(self._at - away, axis=1)))]
        gait = self.gait if first == "R" else other_side(self.gait)
        states, step = [gait.states[0]], -1
        for before, state in zip(gait.states, gait.states[1:], strict=False):
            step += state.swing != before.swing or step < 0
            ahead, out = offsets[2 * min(step, len(offsets) // 2 - 1):][:2].tolist()
            states.append(replace(state, swing_hip=_within(state.swing_hip + ahead, -0.4, 1.6),
                                  swing_hip_outward=_within(state.swing_hip_outward + out, -0.6, 0.6)))
        return replace(gait, states=tuple(states), catching=None)


def other_side(gait: PoseGait) -> PoseGait:
    """The gait with left and right exchanged."""
    return replace(gait, states=tuple(_other(state) for state in gait.states), catching=None)


def _other(state: PoseState) -> PoseState:
    return replace(state, swing=OTHER[state.swing], upper=mirrored(state.upper))


def _within(angle: float, low: float, high: float) -> float:
    return min(max(angle, low), high)
