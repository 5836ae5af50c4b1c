# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the planner share: the built-in walk on the standard body, and walkers without an engine."""

from functools import lru_cache

import numpy as np

from lope.addon.bodies.makers import make_body
from lope.addon.bodies.model import build_model
from lope.addon.bodies.state import BodyState
from lope.addon.gaits.froude import GaitVariables, predict
from lope.addon.gaits.path_speeds import Way
from lope.addon.locomotion.gait.walk.footsteps import OTHER, Rhythm, WalkControls
from lope.addon.locomotion.gait.walk.planner import WalkPlanner
from lope.addon.locomotion.legged.capture import Piece, forward
from lope.addon.locomotion.legged.pose import GaitTables
from lope.addon.motions.library import load_gait
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, GRAVITY_RANGE_M_S2, BodySpec, World
from lope.addon.worlds.paths import Line, Path

EARTH_G, MOON_G, JUPITER_G = EARTH_GRAVITY_M_S2, 1.62, 24.79
LEAST_G, MOST_G = GRAVITY_RANGE_M_S2
GRAVITIES = (LEAST_G, MOON_G, EARTH_G, MOST_G)
INTERVAL_S = 0.015
WALK = load_gait("walk").symmetrised()
BODY = make_body(BodySpec())


@lru_cache
def tables() -> GaitTables:
    """The walk's tables for the standard body."""
    return GaitTables(WALK, BODY)


def gait_at(gravity: float, **wishes: float) -> GaitVariables:
    """The walk's gait variables under a gravity."""
    return predict(WALK, BODY.leg_length_m, gravity, **wishes)


def rhythm_at(gravity: float, double_support_timing: float = 2.0) -> Rhythm:
    """The walk's clock under a gravity."""
    return Rhythm(tables(), gait_at(gravity).stride_frequency_hz, double_support_timing)


class Follower:
    """A body without an engine that does as the plan says: its COM is the pendulum over the planned centre of pressure, its
    pose the reference pose. The swing foot counts as loaded in the last moment of the step, or as `load` says."""

    def __init__(self, gravity: float, path: Path | None = None, scaling: str = "similar") -> None:
        self.state = BodyState(BODY, build_model(BODY, World(gravity_m_s2=gravity)))
        self.planner = WalkPlanner(self.state, tables(), gait_at(gravity), gravity, Way(path or Line()),
                                   WalkControls(scaling=scaling))
        self.time_s, self.load = 0.0, None
        self.state.update(*self.planner.start())
        self.com, self.velocity = complex(*self.state.com[:2]), complex(*self.state.com_velocity[:2])
        self.targets = self.planner.update(0.0, 0.0, {"L": True, "R": False})

    @property
    def swing_side(self) -> str:
        """The side that is not in stance by the clock."""
        return OTHER[self.planner.rhythm.stance]

    def _loaded(self) -> dict[str, bool]:
        rhythm, side = self.planner.rhythm, self.swing_side
        _double, whole = rhythm.fractions(rhythm.stance)
        strikes = rhythm.local + rhythm.rate * INTERVAL_S >= whole
        down = strikes if self.load is None else self.load
        return {rhythm.stance: True, side: down or not self.planner.feet[side].swinging}

    def step(self) -> None:
        """One plan interval: the COM moves over the planned centre of pressure, then the plan is made anew."""
        omega, cop = self.targets.omega, Piece(self.targets.cmp, self.targets.cmp, INTERVAL_S)
        capture = self.com + self.velocity / omega
        ahead = forward(capture, cop, omega, INTERVAL_S)
        # c - r is the half sum of a part that grows (the capture point's) and one that decays.
        decaying = (self.com - self.velocity / omega - cop.end) * np.exp(-omega * INTERVAL_S) + cop.end
        self.com, self.velocity = 0.5 * (ahead + decaying), 0.5 * omega * (ahead - decaying)
        self.place()
        self.time_s += INTERVAL_S
        self.targets = self.planner.update(self.time_s, INTERVAL_S, self._loaded())

    def place(self) -> None:
        """Bring the body to its COM in the reference pose."""
        pose, rate = self.targets.pose + 0.0, self.targets.pose_velocity + 0.0
        self.state.update(pose, rate)
        pose[:2] += [self.com.real - self.state.com[0], self.com.imag - self.state.com[1]]
        rate[:2] += [self.velocity.real - self.state.com_velocity[0], self.velocity.imag - self.state.com_velocity[1]]
        self.state.update(pose, rate)
