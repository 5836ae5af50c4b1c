# SPDX-License-Identifier: GPL-3.0-or-later
"""Many reflex walkers at once: one model, a MuJoCo state each, and everything else one numpy call for all of them."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
from mujoco.batch import Batch

from ...bodies.body import Body
from ...bodies.model import build_model
from ...specs.shot import World
from .law import STEP_S, ReflexLaw

FALL_SHARE, FALL_TILT = 0.8, 0.8
"""A pelvis below this share of its height in standing, or trunk, pelvis or heading off by this [rad], has fallen."""
HELD_AT, HELD_SPRING = (1, 3, 5), (20000.0, 2000.0, 2000.0)
"""A walker held in its plane: sideways [N/m], roll and yaw [N m/rad], with dampers of as many units a second (first guess)."""


Watch = Callable[[ReflexLaw, np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]


class Population:
    """N walkers of one body in one world, stepped until they fall. `watch` gets the law after every step."""

    def __init__(self, body: Body, world: World, n: int) -> None:
        self.body, self.world, self.n = body, world, n
        self.model = build_model(body, world, step_s=STEP_S)
        self.model.opt.jacobian = mujoco.mjtJacobian.mjJAC_SPARSE  # the same to rounding, a quarter faster
        self._batch: Batch | None = None

    def run(self, parameters: np.ndarray, seconds: float, *, noise: np.ndarray | None = None, held: float = 0.0,
            change: Callable[[ReflexLaw], None] | None = None,
            watch: Watch | None = None) -> np.ndarray:
        """Walk with parameters (N, K) for so long; the times (N,) [s] of their falls, or `seconds`.

        `noise` (nv,) or (N, nv) is added to the velocities at the start; `held` is how firmly, from 0 to 1, the pelvis is kept
        from going or turning sideways; `change` may alter the law first (a muscle's force).
        `watch(law, qpos, qvel, force, alive)` sees every step.
        """
        body, n, root = self.body, self.n, self.body.root_freedom
        law = ReflexLaw(body, parameters, n, self.world.gravity_m_s2)
        if change is not None:
            change(law)
        self.model.dof_damping[root:] = law.damping
        self.model.dof_damping[list(HELD_AT)] = held * np.array(HELD_SPRING)
        batch = self._batch = Batch(self.model, n, nthread=1)
        qpos, qvel = law.begin()
        if noise is not None:
            qvel = qvel + noise
        bound = {name: batch.bind(name) for name in ("qpos", "qvel", "qfrc_applied", "sensordata")}
        bound["qpos"][:], bound["qvel"][:] = qpos, qvel
        law.reset(qpos, qvel)
        force = np.zeros((n, len(body.contact_points), 3))
        fallen_s, alive = np.full(n, seconds), np.ones(n, dtype=bool)
        ids = np.arange(n)
        height = FALL_SHARE * body.pelvis_height_m
        for k in range(round(seconds / STEP_S)):
            q, v = bound["qpos"], bound["qvel"]
            force[ids] = bound["sensordata"][ids].reshape(len(ids), -1, 3)
            torque = law.step(q, v, force)
            bound["qfrc_applied"][:, root:] = torque
            if held:
                self._hold(bound["qfrc_applied"], q, law, held)
            batch.step(ids, 1)
            if watch is not None:
                watch(law, q, v, force, alive)
            if k % 10 == 9:
                felt = law.felt
                bad = (q[:, 2] < height) | (np.abs(felt.lean) > FALL_TILT) | (np.abs(felt.pelvis) > FALL_TILT).any(axis=1)
                bad |= ~np.isfinite(v).all(axis=1)
                falls = alive & bad
                if falls.any():
                    fallen_s[falls] = (k + 1) * STEP_S
                    alive &= ~falls
                    ids = np.nonzero(alive)[0]
                    if not len(ids):
                        break
        return fallen_s

    def _hold(self, applied: np.ndarray, q: np.ndarray, law: ReflexLaw, held: float) -> None:
        pelvis = law.felt.pelvis
        for column, off, spring in zip(HELD_AT, (q[:, 1], pelvis[:, 0], pelvis[:, 2]), HELD_SPRING, strict=True):
            applied[:, column] = -held * spring * off
