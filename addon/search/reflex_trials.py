# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reflex walker is searched for: tasks first (not falling, speed, upright, straight on), then metabolic effort.

Tasks and their thresholds as Geijtenbeek 2013, table 2; effort as Wang 2012, section 5.1, whose task terms are lost.

What a reflex walker is searched for where effort alone chooses its speed: little metabolic energy a metre, and no fall.

How reflex walkers move, many at once (`population`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..bodies.body import Body
from ..bodies.model import build_model
from ..locomotion.reflex.law import STEP_S, ReflexLaw
from ..specs.shot import World
from .population import Population

SETTLED_S = 1.5
"""What comes before is not judged but for falls: the start is not the gait's."""
SUMMED = ("steps", "effort", "upright", "straight", "impact", "limits", "held", "head", "apart")
PART_S = 1.0
"""Over so long speeds are averaged."""
EVERY = 4
"""Steps from look to look."""


@dataclass(frozen=True)
class Wish:
    """What is asked for, and how much each part weighs. `effort` is by W/kg, the basal rate included; ankles are to be
    `apart_m` to the side of each other."""

    speed_m_s: float
    fall: float = 100.0
    speed: float = 100.0
    speed_free: float = 0.03
    upright: float = 30.0
    upright_free_rad: float = 0.05
    straight: float = 10.0
    straight_free_rad: float = 0.05
    impact: float = 10.0
    impact_free: float = 1.4
    limits: float = 3e-5
    held: float = 1e-5
    head: float = 10.0
    head_free_m_s: float = 0.3
    apart: float = 300.0
    apart_m: tuple[float, float] = (0.06, 0.2)
    effort: float = 1.0


class Judge:
    """Sums up one run of N walkers, step by step; then `costs`."""

    def __init__(self, wish: Wish, n: int) -> None:
        self.wish, self._n, self._k = wish, n, 0
        self._sums = {name: np.zeros(n) for name in SUMMED}
        self._places: list[np.ndarray] = []

    def watch(self, law: ReflexLaw, qpos: np.ndarray, qvel: np.ndarray, force_n: np.ndarray, alive: np.ndarray) -> None:
        """See one step (`ReflexPopulation.run`)."""
        if self._k % round(PART_S / STEP_S) == 0:
            self._places.append(np.where(alive[:, None], qpos[:, :2], np.nan))
        self._k += 1
        if self._k * STEP_S < SETTLED_S or self._k % EVERY:
            return
        sums, felt, wish = self._sums, law.felt, self.wish
        body_kg = law.body.mass_kg
        sums["steps"] += alive
        sums["effort"] += alive * (law.metabolic_w / body_kg)
        sums["upright"] += alive * np.hypot(felt.lean, felt.pelvis[:, 0])
        sums["straight"] += alive * (np.abs(felt.pelvis[:, 2]) + np.abs(np.arctan2(qpos[:, 1], np.maximum(qpos[:, 0], 1.0))))
        sums["impact"] += alive * np.maximum(law.load.sum(axis=1) - wish.impact_free, 0.0)
        sums["limits"] += alive * (law.limit_nm**2).sum(axis=(1, 2))
        sums["held"] += alive * (law.torque_held**2).sum(axis=1)
        apart = felt.away[:, 1, 1] - felt.away[:, 0, 1]
        sums["apart"] += alive * (np.maximum(wish.apart_m[0] - apart, 0.0) + np.maximum(apart - wish.apart_m[1], 0.0))
        going = qvel[:, :3] - np.array([wish.speed_m_s, 0.0, 0.0])
        sums["head"] += alive * np.sqrt((going**2).sum(axis=1))

    def parts(self, fallen_s: np.ndarray, seconds: float) -> dict[str, np.ndarray]:
        """The cost (N,) of each part, of walkers that fell at these times (N,) of `seconds`."""
        wish, sums = self.wish, self._sums
        steps = np.maximum(sums["steps"], 1.0)
        mean = {name: value / steps for name, value in sums.items()}
        places = np.array(self._places)  # (parts, N, 2)
        gone = np.diff(places[:, :, 0], axis=0)[1:] / PART_S
        off = np.abs(1.0 - gone / wish.speed_m_s)
        counted = np.isfinite(off)
        slow = np.where(counted, np.minimum(off, 1.0), 1.0).mean(axis=0) if len(off) else np.ones(self._n)
        judged = sums["steps"] > 0

        def over(name: str, free: float) -> np.ndarray:
            return np.where(judged & (mean[name] > free), mean[name], 0.0)

        return {
            "fall": wish.fall * (1.0 - fallen_s / seconds),
            "speed": wish.speed * np.maximum(slow - wish.speed_free, 0.0),
            "upright": wish.upright * np.maximum(over("upright", 0.0) - wish.upright_free_rad, 0.0),
            "apart": wish.apart * over("apart", 0.0),
            "straight": wish.straight * over("straight", wish.straight_free_rad),
            "impact": wish.impact * over("impact", 0.0),
            "limits": wish.limits * over("limits", 0.0),
            "held": wish.held * over("held", 0.0),
            "head": wish.head * over("head", wish.head_free_m_s),
            "effort": wish.effort * over("effort", 0.0),
        }

    def costs(self, fallen_s: np.ndarray, seconds: float) -> np.ndarray:
        """The whole cost (N,)."""
        return np.sum(list(self.parts(fallen_s, seconds).values()), axis=0)


TRANSPORT = 10.0
"""Of a joule per kilogram and metre (first guess): a tenth of one saves less than a second of standing."""
SLOWEST_M_S = 0.1
"""What is slower goes nowhere."""


class EffortJudge(Judge):
    """The same sums, but no speed is asked for: the energy of the way, and how unevenly the pelvis goes against its own speed."""

    def __init__(self, wish: Wish, n: int) -> None:
        super().__init__(wish, n)
        self._way, self._square = np.zeros((n, 3)), np.zeros(n)

    def watch(self, law: ReflexLaw, qpos: np.ndarray, qvel: np.ndarray, force_n: np.ndarray, alive: np.ndarray) -> None:
        """See `Judge.watch`."""
        super().watch(law, qpos, qvel, force_n, alive)
        if self._k * STEP_S < SETTLED_S or self._k % EVERY:
            return
        self._way += alive[:, None] * qvel[:, :3]
        self._square += alive * (qvel[:, :3] ** 2).sum(axis=1)

    def parts(self, fallen_s: np.ndarray, seconds: float) -> dict[str, np.ndarray]:
        """See `Judge.parts`."""
        found = super().parts(fallen_s, seconds)
        steps = np.maximum(self._sums["steps"], 1.0)
        mean = self._way / steps[:, None]
        uneven = np.sqrt(np.maximum(self._square / steps - (mean**2).sum(axis=1), 0.0))
        ahead = np.maximum(mean[:, 0], SLOWEST_M_S)
        found["head"] = self.wish.head * np.where(uneven > self.wish.head_free_m_s, uneven, 0.0)
        found["effort"] = TRANSPORT * self._sums["effort"] / steps / ahead
        found["speed"] = np.where(mean[:, 0] < SLOWEST_M_S, self.wish.speed, 0.0)
        return found


FALL_SHARE, FALL_TILT = 0.8, 0.8
"""A pelvis below this share of its height in standing, or trunk, pelvis or heading off by this [rad], has fallen."""
HELD_AT, HELD_SPRING = (1, 3, 5), (20000.0, 2000.0, 2000.0)
"""A walker held in its plane: sideways [N/m], roll and yaw [N m/rad], with dampers of as many units a second (first guess)."""

Watch = Callable[[ReflexLaw, np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]
"""Sees law, qpos, qvel, forces and who still stands (N,) after every step."""


class ReflexPopulation(Population):
    """N reflex walkers."""

    looks_every = 10

    def __init__(self, body: Body, world: World, n: int) -> None:
        super().__init__(body, world, n, build_model(body, world, step_s=STEP_S), STEP_S)

    def run(self, parameters: np.ndarray, seconds: float, *, noise: np.ndarray | None = None, held: float = 0.0,
            change: Callable[[ReflexLaw], None] | None = None, watch: Watch | None = None) -> np.ndarray:
        """Walk with parameters (N, K) for so long; the times (N,) [s] of their falls, or `seconds`.

        `noise` (nv,) or (N, nv) is added to the velocities at the start; `held` is how firmly, from 0 to 1, the pelvis is kept
        from going or turning sideways; `change` may alter the law first (a muscle's force).
        """
        law = self._law = ReflexLaw(self.body, parameters, self.n, self.world.gravity_m_s2)
        self._held, self._watch = held, watch
        if change is not None:
            change(law)
        self.model.dof_damping[self.body.root_freedom:] = law.damping
        self.model.dof_damping[list(HELD_AT)] = held * np.array(HELD_SPRING)
        self._batch_of(("qpos", "qvel", "qfrc_applied", "sensordata"), law.begin(), noise)
        law.reset(self._bound["qpos"].copy(), self._bound["qvel"].copy())
        return self._walked(seconds)

    def _tick(self, time_s: float, ids: np.ndarray, alive: np.ndarray) -> None:
        q, v, applied, law = self._bound["qpos"], self._bound["qvel"], self._bound["qfrc_applied"], self._law
        force = self._feel(ids)
        applied[:, self.body.root_freedom:] = law.step(q, v, force)
        if self._held:
            pelvis = law.felt.pelvis
            for column, off, spring in zip(HELD_AT, (q[:, 1], pelvis[:, 0], pelvis[:, 2]), HELD_SPRING, strict=True):
                applied[:, column] = -self._held * spring * off
        self._batch.step(ids, 1)
        if self._watch is not None:
            self._watch(law, q, v, force, alive)

    def _fallen(self) -> np.ndarray:
        q, v, felt = self._bound["qpos"], self._bound["qvel"], self._law.felt
        low = q[:, 2] < FALL_SHARE * self.body.pelvis_height_m
        tilted = (np.abs(felt.lean) > FALL_TILT) | (np.abs(felt.pelvis) > FALL_TILT).any(axis=1)
        return low | tilted | ~np.isfinite(v).all(axis=1)
