# SPDX-License-Identifier: GPL-3.0-or-later
"""Many creatures of one body at once: one model, a MuJoCo state each, and everything else one numpy call for all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import mujoco
import numpy as np
from mujoco.batch import Batch

from ...bodies.body import Body
from ...bodies.model import build_model
from ...specs.shot import World
from ...worlds.ground import make_ground
from .begin import begin, noise_of
from .felt import FIELDS, Felt, Senses
from .law import CreatureLaw
from .layout import Layout
from .timing import TICK_STEPS, creature_physics, straight_leg_m, time_unit_s

CURRENT = mujoco.mjtStage.mjSTAGE_VEL.value
"""Places and velocities are those at the end of a tick, as a controller in the loop has them."""
FALL_SHARE, FALL_TILT_RAD, TURNED = 0.65, 0.9, 0.5
"""Who is lower than this share of the height in standing, with the trunk tilted by more, or off its heading by more than this
cosine, has fallen: a little sooner than in a shot."""
FALLS_EVERY = 5
"""Ticks from look to look whether somebody has fallen."""

Watch = Callable[[Felt, np.ndarray, float, np.ndarray], None]
"""Sees what is felt, torques (N, nv - 6), the time [s] and who still stands (N,) at every tick."""


@dataclass(frozen=True)
class Shove:
    """A force [N], world axes (3,), on the trunk of every walker, or (N, 3) on each, for a while from a time on [s]."""

    start_s: float
    duration_s: float
    force_n: np.ndarray


class Population:
    """N walkers of one body in one world, stepped until they fall, on so many threads, on which nothing depends."""

    def __init__(self, body: Body, world: World, n: int, threads: int = 1) -> None:
        self.body, self.world, self.n, self._threads = body, world, n, threads
        physics = creature_physics(body, world.gravity_m_s2)
        self.tick_s = TICK_STEPS * physics.step_s
        self.model = build_model(body, world, step_s=physics.step_s, capsules=physics.capsules, quicker=physics.quicker)
        self.model.opt.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE
        self._ground = make_ground(world.ground)
        self.time_unit_s = time_unit_s(straight_leg_m(body), world.gravity_m_s2)

    def noise(self, seed: Sequence[int], size: float, rows: int = 1) -> np.ndarray:
        """Velocities (rows, nv) to be added at the start, as a shot of that noise has them."""
        draw, leg_m = np.random.default_rng(seed), straight_leg_m(self.body)
        return np.array([noise_of(self.body, leg_m, self.world.gravity_m_s2, size, draw) for _ in range(rows)])

    def run(self, parameters: np.ndarray, seconds: float, speed_m_s: float, *, turn_rad_s: float = 0.0,
            noise: np.ndarray | None = None, shoves: Sequence[Shove] = (), watch: Watch | None = None,
            most_falls: Callable[[np.ndarray], np.ndarray] | None = None) -> np.ndarray:
        """Walk with parameters (N, K) for so long at a speed; the times (N,) [s] of their falls, or `seconds`.

        `noise` (nv,) or (N, nv) is added to the velocities at the start. `most_falls`, told who has fallen (N,), may answer who
        else need not go on (N,): their times are then those at which they were given up.
        """
        body, n = self.body, self.n
        law = self._law_of(parameters)
        law.speed_m_s[:] = speed_m_s
        senses = Senses(law.layout)
        batch = self._batch = Batch(self.model, n, nthread=self._threads, persistent=True)  # so that `CURRENT` costs nothing
        bound = self._bound = {name: batch.bind(name) for name in (*FIELDS, "sensordata", "qfrc_applied", "xfrc_applied")}
        self._damping = batch.expand("dof_damping")
        qpos, qvel = begin(body, 0.0, self._ground)
        bound["qpos"][:], bound["qvel"][:] = qpos, qvel if noise is None else qvel + noise
        batch.forward()
        ids, alive, ended_s = np.arange(n), np.ones(n, dtype=bool), np.full(n, float(seconds))
        force = np.zeros((n, len(body.contact_points), 3))
        felt = senses.read(bound.__getitem__, force)
        self._reset(felt)
        low_m = FALL_SHARE * felt.com[:, 2]
        trunk = body.index[body.role("trunk")] + 1
        for k in range(math.ceil(seconds / self.tick_s)):
            time_s = k * self.tick_s
            law.heading[:] = turn_rad_s * time_s
            for shove in shoves:
                if shove.start_s <= time_s < shove.start_s + shove.duration_s + self.tick_s:
                    on = time_s < shove.start_s + shove.duration_s
                    bound["xfrc_applied"][:, trunk, :3] = shove.force_n if on else 0.0
            torque = self._tick(felt, time_s, ids)
            force[ids] = bound["sensordata"][ids].reshape(len(ids), -1, 3)
            felt = senses.read(bound.__getitem__, force)
            if watch is not None:
                watch(felt, torque, time_s + self.tick_s, alive)
            if k % FALLS_EVERY == FALLS_EVERY - 1:
                now = alive & self._fallen(felt, law.layout, law.heading, low_m)
                if now.any():
                    ended_s[now] = time_s + self.tick_s
                    alive &= ~now
                    if most_falls is not None:
                        given_up = alive & most_falls(~alive)
                        ended_s[given_up] = time_s + self.tick_s
                        alive &= ~given_up
                    ids = np.nonzero(alive)[0]
                    if not len(ids):
                        break
        return ended_s

    def _law_of(self, parameters: np.ndarray) -> CreatureLaw:
        """The law of parameters (N, K), which is told where to go and how fast."""
        self._law = CreatureLaw(self.body, parameters, self.n, self.world.gravity_m_s2)
        return self._law

    def _reset(self, felt: Felt) -> None:
        """All begin where they stand."""
        self._law.reset(felt)

    def _tick(self, felt: Felt, time_s: float, ids: np.ndarray) -> np.ndarray:
        """Move those `ids` on by one tick; the torques (N, nv - 6) [N m]."""
        root = self.body.root_freedom
        torque, damping = self._law.step(felt, time_s)
        self._bound["qfrc_applied"][:, root:], self._damping[:, root:] = torque, damping
        self._batch.step(ids, TICK_STEPS, CURRENT)
        return torque

    def _fallen(self, felt: Felt, layout: Layout, heading: np.ndarray, low_m: np.ndarray) -> np.ndarray:
        """Who (N,) is too low, has the trunk tilted too far, or has turned away from its heading."""
        ground_m = np.array([float(self._ground.height(x, y)) for x, y in felt.com[:, :2]])
        trunk = felt.turn[:, layout.trunk]
        turned = np.cos(heading) * trunk[:, 0, 0] + np.sin(heading) * trunk[:, 1, 0]
        return ~((felt.com[:, 2] - ground_m > low_m) & (trunk[:, 2, 2] > math.cos(FALL_TILT_RAD)) & (turned > TURNED))
