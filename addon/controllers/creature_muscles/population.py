# SPDX-License-Identifier: GPL-3.0-or-later
"""Many muscled creatures of one body at once, each with muscles, routing and numbers of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

import mujoco
import numpy as np

from ...bodies.creature.body import CreatureBody
from ...bodies.model import build_model
from ...specs.shot import World
from ..creature.felt import Felt
from ..creature.law import CreatureLaw
from ..creature.parameters import ORDER
from ..creature.population import CURRENT, Population
from .law import CreatureMuscleLaw
from .timing import PULLS, muscle_physics


@dataclass(frozen=True)
class Kind:
    """How muscles are: `free` to be routed or in the middle of their ranges; `ideal`, whose force is excitation times its
    greatest at once, or whole."""

    free: bool = True
    ideal: bool = False


WHOLE = Kind()


class MusclePopulation(Population):
    """N walkers of one body in one world; their numbers (N, K + Q) are the quick law's and then the muscles'. While they walk
    `spent_w` (N,) is what muscles spend [W], the mean of the last tick."""

    def __init__(self, body: CreatureBody, world: World, n: int, threads: int = 1, kind: Kind = WHOLE) -> None:
        super().__init__(body, world, n, threads)
        physics = muscle_physics(body, world.gravity_m_s2)
        self.creature, self.kind, self.step_s = body, kind, physics.step_s
        self.model = build_model(body, world, step_s=physics.step_s, capsules=physics.capsules, quicker=physics.quicker)
        self.model.opt.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE
        self.spent_w = np.zeros(n)

    def _law_of(self, parameters: np.ndarray) -> CreatureLaw:
        count = len(ORDER)
        self.muscled = CreatureMuscleLaw(self.creature, parameters[:, :count], parameters[:, count:], self.n,
                                         self.world.gravity_m_s2, self.step_s, ideal=self.kind.ideal, free=self.kind.free)
        return self.muscled.quick

    def _reset(self, felt: Felt) -> None:
        self.muscled.reset(felt)

    def _tick(self, felt: Felt, time_s: float, ids: np.ndarray) -> np.ndarray:
        root, bound, law = self.body.root_freedom, self._bound, self.muscled
        law.decide(felt, time_s)
        own = slice(1, 1 + felt.place.shape[1])
        for _ in range(PULLS):
            torque, damping = law.pull(felt)
            bound["qfrc_applied"][:, root:], self._damping[:, root:] = torque, damping
            self._batch.step(ids, 1, CURRENT)
            felt = replace(felt, qpos=bound["qpos"], qvel=bound["qvel"], place=bound["xpos"][:, own],
                           turn=bound["xmat"][:, own].reshape(felt.turn.shape))
        self.spent_w = law.metabolic_w.sum(axis=1)
        return torque
