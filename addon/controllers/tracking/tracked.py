# SPDX-License-Identifier: GPL-3.0-or-later
"""What controllers share that plan now and then and track the plan's targets with the quadratic program at every step."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np

from ...engines.commands import Accelerations, Command, Torques
from ...specs.hit import RAILS, Reaction
from ...specs.shot import EARTH_GRAVITY_M_S2
from ...worlds.ground import check_walkable
from ..contacts import FootLoads
from ..controller import Reading, Sensed, Setup
from ..hit.chains import OFF, off_deg
from ..hit.yielding import Yielding
from ..muscle_qp.muscles import muscles_at
from ..muscle_qp.settings import EffortSettings
from .planners.targets import Targets
from .tracker import Tracker

CONTROL_STEP_S = 0.005
"""Time from solve to solve up to `STEADY_GRAVITY`; shorter above, as everything falls faster there."""
STEADY_GRAVITY_M_S2 = 1.25 * EARTH_GRAVITY_M_S2
FALL_HEIGHT_FRACTION = 0.65
"""Below this fraction of the planned COM height, or with the trunk tilted past `FALL_TILT`, the character has fallen."""
FALL_TILT = math.radians(65.0)


def control_step_s(gravity_m_s2: float) -> float:
    """Time from solve to solve [s] under a gravity, in whole milliseconds: it scales with 1 / sqrt(g) above `STEADY_GRAVITY`."""
    if gravity_m_s2 <= STEADY_GRAVITY_M_S2:
        return CONTROL_STEP_S
    return round(1e3 * CONTROL_STEP_S * math.sqrt(EARTH_GRAVITY_M_S2 / gravity_m_s2)) / 1e3


class TrackedController(ABC):
    """What a shot's controller has that tracks a plan: the shot, the body and its state, what was sensed last, when it planned
    and the targets that it planned. A kind of it brings the `tracker` and `_plan`, which is called every `_plan_every` control
    steps of `CONTROL_STEP_S`, and sooner where a plan is `_due`. Raises InputError for ground that such legs cannot walk on."""

    tracker: Tracker

    def __init__(self, setup: Setup, heaviest_m_s2: float, interval_s: float, effort: EffortSettings) -> None:
        """`heaviest_m_s2` is the largest gravity of the shot, `interval_s` the time from plan to plan, `effort` what it costs
        muscles to move the body, where it has some."""
        self.shot, self.body, self.state = setup.shot, setup.body, setup.state
        world = self.shot.world
        knee_m = float(np.linalg.norm(self.body.segment("foot_L").offset)) - self.body.sole_height_m
        check_walkable(world.ground, knee_m, world.friction)
        self.control_step_s = setup.control_step_s or control_step_s(heaviest_m_s2)
        self.muscles = muscles_at(self.shot, self.body, self.control_step_s, effort)
        self._from_rest = setup.taken is None
        self._plan_every = max(1, round(interval_s / CONTROL_STEP_S))
        self._integrated = setup.wants is Accelerations
        self._loads = FootLoads(self.body, world.gravity_m_s2)
        self._tick = self._planned_tick = 0
        self._sensed: Sensed
        reaction = self.shot.reaction or Reaction()
        self._yielding = Yielding(self.state, reaction) if self.shot.reacts and reaction.law != RAILS else None
        self.targets: Targets | None = None

    def yield_as(self, before: TrackedController) -> None:
        """Go on yielding to what has struck the body as the controller before did."""
        self._yielding = before._yielding

    def sense(self, sensed: Sensed) -> None:
        """See `Controller.sense`."""
        self._sensed = sensed
        if self.targets is None:
            self.targets = self._plan(sensed.time_s, 0.0)

    def act(self) -> Command:
        """See `Controller.act`: plan if it is time, and solve."""
        since = self._tick - self._planned_tick
        if since >= self._plan_every or self._due():
            self.targets, self._planned_tick = self._plan(self._sensed.time_s, since * self.control_step_s), self._tick
        return self._command()

    @abstractmethod
    def _plan(self, time_s: float, since_s: float) -> Targets:
        """The targets of a plan from what is sensed at a time, so long after the last one; 0 for the first."""

    def _due(self) -> bool:
        """Whether something has happened that a plan has to be made for now."""
        return False

    def _command(self) -> Command:
        """The command that brings the body nearest to the targets now."""
        self._tick += 1
        targets = self._aims()
        tracker, ahead = self.tracker, self._sensed.time_s - targets.time_s
        if self._yielding is not None:
            self._yielding.feel(self._sensed.time_s, self._sensed.struck)
            tracker.ease(self._yielding.easing(self._sensed.time_s, tracker.torque))
        if self.muscles is not None:
            self.muscles.feel(self._sensed.muscles, begins=self._from_rest and self._sensed.time_s == 0.0)
            tracker.solve(targets, ahead)
            return self.muscles.command(tracker.program)
        if self._integrated:
            tracker.solve(targets, ahead, limit_rate=1.0 / self.control_step_s)
            return Accelerations(tracker.acceleration, tracker.contact_force_n, tracker.torque)
        return Torques(tracker.solve(targets, ahead))

    def _loaded(self) -> dict[str, bool]:
        """Which feet carry weight; before the first step no force has been felt yet, and what touches the ground counts."""
        force = self._sensed.contact_force_n
        return self._loads.loaded(None if force is None or (not force.any() and self._tick == 0) else force, self.state)

    def _struck(self) -> dict[str, Reading]:
        """Of a shot where somebody reacts: how far the joints of each chain are from the pose that is wanted."""
        if self._yielding is None:
            return {}
        return {OFF: Reading("deg", off_deg(self._yielding.chains, self.tracker.program.posture.error))}

    def _aims(self) -> Targets:
        """The targets of the last plan, of which there is one as soon as something is sensed."""
        if self.targets is None:
            raise RuntimeError("A controller acts on what it has sensed: sense comes first.")
        return self.targets
