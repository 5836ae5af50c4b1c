# SPDX-License-Identifier: GPL-3.0-or-later
"""The one batched trial: many walkers of one body at once, one model, a MuJoCo state each, and everything else one numpy call for
all of them; and what a generation of them costs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping

import mujoco
import numpy as np
from mujoco.batch import Batch

from ..bodies.body import Body
from ..specs.shot import World
from .search import Evaluation

LOST = 1e3
"""What costs no number."""
DIGITS = 3


class Population(ABC):
    """N walkers of one body in one world, stepped until they fall, on so many threads, on which nothing depends. A law says how
    they begin, move and fall."""

    looks_every = 1
    """Ticks from look to look whether somebody has fallen."""
    given_up: Callable[[np.ndarray], np.ndarray] | None = None
    """Told who has fallen (N,), it may answer who else need not go on (N,): their times are then when they were given up."""

    def __init__(self, body: Body, world: World, n: int, model: mujoco.MjModel, tick_s: float, threads: int = 1) -> None:
        self.body, self.world, self.n, self.tick_s, self._threads = body, world, n, tick_s, threads
        self.model = model
        self.model.opt.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE  # the same to rounding, a quarter faster
        self.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ISLAND  # one body is one island: nothing to look for

    @abstractmethod
    def _tick(self, time_s: float, ids: np.ndarray, alive: np.ndarray) -> None:
        """Move those `ids`, who are `alive` (N,), on by one tick."""

    @abstractmethod
    def _fallen(self) -> np.ndarray:
        """Who (N,) has fallen."""

    def _batch_of(self, names: Iterable[str], start: tuple[np.ndarray, np.ndarray], noise: np.ndarray | None,
                  persistent: bool = False) -> None:
        """Make the states, all at one start (nq,), (nv,), to whose velocities `noise` (nv,) or (N, nv) is added; `_bound` has
        their arrays by name."""
        self._batch = Batch(self.model, self.n, nthread=self._threads, persistent=persistent)
        self._bound = {name: self._batch.bind(name) for name in names}
        qpos, qvel = start
        self._bound["qpos"][:], self._bound["qvel"][:] = qpos, qvel if noise is None else qvel + noise
        self._force = np.zeros((self.n, len(self.body.contact_points), 3))

    def _step(self, ids: np.ndarray, steps: int = 1, stage: int = 0) -> None:
        """Step those `ids`, and bring them up to date to a stage."""
        self._batch.step(None if len(ids) == self.n else ids, steps, stage)  # to look through ids takes as long as two walkers

    def _feel(self, ids: np.ndarray) -> np.ndarray:
        """Forces (N, P, 3) [N] of the contact points, of those `ids` as they are now, of others as they were last."""
        felt = self._bound["sensordata"].reshape(self._force.shape)
        if len(ids) == self.n:
            self._force[:] = felt
        else:
            self._force[ids] = felt[ids]
        return self._force

    def _walked(self, seconds: float) -> np.ndarray:
        """Step for so long; the times (N,) [s] of the falls, or `seconds`."""
        ids, alive, ended_s = np.arange(self.n), np.ones(self.n, dtype=bool), np.full(self.n, float(seconds))
        for k in range(math.ceil(seconds / self.tick_s - 1e-9)):
            self._tick(k * self.tick_s, ids, alive)
            if k % self.looks_every != self.looks_every - 1:
                continue
            now = alive & self._fallen()
            if now.any():
                ended_s[now] = (k + 1) * self.tick_s
                alive &= ~now
                if self.given_up is not None:
                    gone = alive & self.given_up(~alive)
                    ended_s[gone] = (k + 1) * self.tick_s
                    alive &= ~gone
                ids = np.nonzero(alive)[0]
                if not len(ids):
                    break
        return ended_s


def evaluations(parts: Mapping[str, np.ndarray], stood: np.ndarray, passes: np.ndarray | None = None) -> list[Evaluation]:
    """What N walkers come to: the `parts` (N,) of their cost, the share (N,) of the trial that each stood for, and which of them
    (N,) pass by their own figures."""
    costs = np.sum(list(parts.values()), axis=0)
    costs = np.where(np.isfinite(costs), costs, LOST)
    return [Evaluation(cost, cost, True, {"stood": float(stood[i]), "parts": {
        name: round(float(part[i]), DIGITS) for name, part in parts.items()}}, passes is not None and bool(passes[i]))
        for i, cost in enumerate(costs.tolist())]
