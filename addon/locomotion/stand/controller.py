# SPDX-License-Identifier: GPL-3.0-or-later
"""The standing controller: a planner of balance and steps every few control steps, a quadratic program at each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...bodies.body import Body
from ...bodies.capsules import leg_pairs
from ...engines.engine import Accelerations, Excitations, Torques
from ...errors import InputError
from ...maths.curves import smooth
from ...specs.motions import Clip, Stand
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ..controller import Part, Reading, Setup, State
from ..legged.foot_geometry import Footstep
from ..legged.pose import Breath
from ..legged.targets import Targets
from ..legged.variation import PostureVariation, Variation
from ..qp.constraints import Gaps
from ..qp.muscle_program import EffortSettings
from ..tracking.tracker import FALL_HEIGHT_FRACTION, FALL_TILT, TrackedController, Tracker
from .planner import StandingPlanner
from .posed import PosedPlanner
from .stance import BALANCE, StandingSettings

NOISE_M_S, NOISE_RAD_S = 0.1, 0.5
"""Deviation of the start's velocities for a noise of 1, on Earth."""
POSTURE_S = 2.0
"""Over this time [s on Earth] somebody who was taken over comes to a posture of his own."""
GAP_M, GAP_RATE = 0.02, 15.0
"""How near legs come that pass one another, and how abruptly they are kept off [1/s on Earth] (first guess)."""


class StandingController(TrackedController):
    """See `controller.Controller`. Raises LopeError for ground that nobody stands on."""

    name = "standing"
    kinds = ("human",)
    commands = (Torques, Accelerations, Excitations)
    who = "Who stands"
    takes_over = True
    subject, stands = "standing", True

    def __init__(self, setup: Setup) -> None:
        settings = StandingController.changed(setup.shot.gains)["standing"]
        gravity = setup.shot.world.gravity_m_s2
        super().__init__(setup, settings.interval_s, EffortSettings())
        self.planner = self._make_planner(settings, gravity)
        self.tracker = Tracker(self.state, self.shot.world.friction, BALANCE,
                               gaps=Gaps(self.state, leg_pairs(self.body), GAP_M, GAP_RATE / self.planner.slow),
                               muscles=self.muscles)
        self._taken_over, self._begun_s = False, 0.0
        self._breath = Breath(self.state, self.stance.sway)
        given = self.stance.pose is not None or isinstance(self.shot.motion, Clip)  # and such a pose is kept
        self._posture = PostureVariation(Variation(0.0 if given else self.stance.sway, self.shot.seed), self.body)

    @classmethod
    def check_parts(cls, parts: Sequence[Part], body: Body) -> None:
        raise InputError("Who stands has neither gait nor speed to key: take the keys out, or choose the controller tracking.")

    @classmethod
    def groups(cls) -> dict[str, Any]:
        return {"standing": StandingSettings()}

    @property
    def stance(self) -> Stand:
        """How it stands: as its shot says, or as the shot's clip says of who is caught in it."""
        motion = self.shot.motion
        return motion if isinstance(motion, Stand) else motion.stand or Stand()

    def _make_planner(self, settings: StandingSettings, gravity_m_s2: float) -> StandingPlanner:
        kind = StandingPlanner if self.stance.pose is None else PosedPlanner
        return kind(self.state, self.stance, settings, gravity_m_s2, self.shot.seed)

    def start(self, state: State | None = None) -> State:
        if state is not None:
            self._taken_over = True
            return state
        qpos, qvel = self.planner.start()
        if self._posture.there:
            qpos = self._posture.moved(qpos, 0.0)
        if self.shot.noise:
            sizes = np.full(len(qvel), NOISE_RAD_S)
            sizes[:3] = NOISE_M_S
            slow = math.sqrt(EARTH_GRAVITY_M_S2 / self.shot.world.gravity_m_s2)
            qvel = qvel + self.shot.noise / slow * sizes * np.random.default_rng(self.shot.seed).standard_normal(len(qvel))
        return qpos, qvel

    def _plan(self, time_s: float, since_s: float) -> Targets:
        loads = self._shares()
        if self.targets is None and self._taken_over:
            self.planner.take_over(time_s, loads)
            self._begun_s = time_s
        targets = self._breath.breathed(self.planner.update(time_s, since_s, loads))
        if not self._posture.there:
            return targets
        share = smooth((time_s - self._begun_s) / (POSTURE_S * self.planner.slow)) if self._taken_over else 1.0
        return replace(targets, pose=self._posture.moved(targets.pose, time_s / self.planner.slow, share))

    def _shares(self) -> dict[str, float]:
        force = self._sensed.contact_force_n
        if force is None or (not force.any() and self._tick == 0):
            loaded = self._loaded()
            return {side: float(down) / max(sum(loaded.values()), 1) for side, down in loaded.items()}
        feet = self._loads.forces(force)[:, 2]
        weight = self.body.mass_kg * self.planner.gravity_m_s2
        return {foot.name: float(one) / weight for foot, one in zip(self.body.feet, feet, strict=True)}

    def make_way(self, shot: Shot) -> None:
        raise InputError("No gait takes over from standing: take the keys out.")

    def set_gravity(self, gravity_m_s2: float) -> None:
        self.planner.set_gravity(gravity_m_s2)
        self.tracker.set_gravity(gravity_m_s2)
        self._loads.set_gravity(gravity_m_s2)

    def fallen(self) -> bool:
        x, y, z = self.state.com.tolist()
        if z - float(self.state.ground.height(x, y)) < FALL_HEIGHT_FRACTION * self.planner.height_m:
            return True
        return float(self.tracker.trunk.matrix[2, 2]) < math.cos(FALL_TILT)

    def channels(self) -> Mapping[str, Reading]:
        pressure = self._aims().cmp
        return {"plan_heading_rad": Reading("rad", self._aims().heading),
                "standing_pressure_m": Reading("m", np.array([pressure.real, pressure.imag])), **self._struck()}

    def footsteps(self) -> Sequence[tuple[float, Footstep]]:
        return self.planner.stepping.footsteps

    def stats(self) -> Mapping[str, Any]:
        counts, stepping = self.tracker.solver.counts, self.planner.stepping
        return {"strategy": stepping.strategy, "steps_taken": stepping.steps_taken, "qp_solves": counts.solves,
                "qp_fallbacks": counts.fallbacks}
