# SPDX-License-Identifier: GPL-3.0-or-later
"""The one batched trial: many walkers of one body at once, one model, a MuJoCo state each, and everything else one numpy call for
all of them; and what a generation of them costs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from mujoco.batch import Batch

from ..bodies.body import Body
from ..specs.shot import Push, World
from .search import Evaluation

LOST = 1e3
"""What costs no number."""
DIGITS = 3


@dataclass(frozen=True)
class Shove:
    """A force [N], world axes (3,), on the trunk of every walker, or (N, 3) on each, for a while from a time on [s], which
    is one of all or (N,) of each."""

    start_s: float | np.ndarray
    duration_s: float
    force_n: np.ndarray


class Population(ABC):
    """N walkers of one body in one world, stepped until they fall, on so many threads, on which nothing depends. A law says how
    they begin, move and fall; `shoves` come to all of them."""

    looks_every = 1
    """Ticks from look to look whether somebody has fallen."""
    given_up: Callable[[np.ndarray], np.ndarray] | None = None
    """Told who has fallen (N,), it may answer who else need not go on (N,): their times are then when they were given up."""

    def __init__(self, body: Body, world: World, n: int, model: mujoco.MjModel, tick_s: float, threads: int = 1) -> None:
        self.body, self.world, self.n, self.tick_s, self._threads = body, world, n, tick_s, threads
        self.shoves: list[Shove] = []
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
        self._bound = {name: self._batch.bind(name) for name in (*names, "xfrc_applied")}
        qpos, qvel = start
        self._bound["qpos"][:], self._bound["qvel"][:] = qpos, qvel if noise is None else qvel + noise
        self._force = np.zeros((self.n, len(self.body.contact_points), 3))

    def draw_shoves(self, pushes: Iterable[Push], seed: Sequence[int], seconds: float, starts: int = 1, each: int = 1) -> None:
        """Let all be shoved as hard and long as by `pushes`, in a trial's second third, when and whereto as drawn: each of a few
        (`each`) as many times as it has `starts`, in directions that are spread evenly."""
        draw, spread, self.shoves = np.random.default_rng(seed), 2.0 * math.pi / starts * np.arange(starts), []
        for push in pushes:
            start_s, angle = draw.uniform(seconds / 3.0, seconds / 1.5, starts), draw.uniform(0.0, 2.0 * math.pi) + spread
            force_n = math.hypot(*push.force_n) * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
            self.shoves.append(Shove(np.tile(start_s, each), push.duration_s, np.tile(force_n, (each, 1))))

    def _push(self, time_s: float) -> None:
        """Put the force of the shoves of this time on the trunks."""
        if self.shoves:
            since_s = [time_s - np.reshape(shove.start_s, (-1, 1)) for shove in self.shoves]
            self._bound["xfrc_applied"][:, self.body.index[self.body.role("trunk")] + 1, :3] = sum(
                np.where((since >= 0.0) & (since < shove.duration_s), shove.force_n, 0.0)
                for shove, since in zip(self.shoves, since_s, strict=True))

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
            self._push(k * self.tick_s)
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
