# SPDX-License-Identifier: GPL-3.0-or-later
"""Angular momentum about the centre of mass that a body should take along into a flight, where nothing can change it."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from .....specs.shot import EARTH_GRAVITY_M_S2
from .contact_schedule import ContactClock
from .settings import RunningSettings

LEARNT = 0.6
"""Share of what a flight shows that is believed at once."""


class AngularMomentumPlan:
    """The angular momentum wanted on the ground, and how fast it should come about: ever faster towards take-off.

    Legs that swing forward in the air turn the trunk against them. What is wanted is therefore the mean of the reference
    motion's own angular momentum in the flight after the same step, learnt from flight to flight; then the trunk stays.
    """

    def __init__(self, model: mujoco.MjModel, settings: RunningSettings, clock: ContactClock, gravity: float) -> None:
        self._model, self._data, self._clock = model, mujoco.MjData(model), clock
        scale = math.sqrt(gravity / EARTH_GRAVITY_M_S2)
        self._least, self._most = (rate * scale for rate in settings.angular_momentum_rates)
        self._means = [np.zeros(3) for _ in clock.steps]
        self._known = [False] * len(clock.steps)
        self._sum, self._count, self._index = np.zeros(3), 0, clock.index

    def under(self, ratio: float) -> None:
        """Gravity is so much greater now: rates, and what is known of the flights, grow with its root."""
        scale = math.sqrt(ratio)
        self._least, self._most = self._least * scale, self._most * scale
        for mean in self._means:
            mean *= scale

    def note(self, pose: np.ndarray, rate: np.ndarray, direction: complex) -> None:
        """Take notice of a plan step's reference pose (nq,) and its velocity (nv,), heading in a direction."""
        if self._clock.grounded:
            self._learn()
            return
        data = self._data
        data.qpos[:], data.qvel[:] = pose, rate
        mujoco.mj_kinematics(self._model, data)
        mujoco.mj_comPos(self._model, data)
        mujoco.mj_comVel(self._model, data)
        mujoco.mj_subtreeVel(self._model, data)
        x, y, z = data.subtree_angmom[1].tolist()
        level = complex(x, y) / direction
        self._index = self._clock.index
        self._sum += (level.real, level.imag, z)
        self._count += 1

    def _learn(self) -> None:
        """A flight is over: its mean joins what is known of the flights after that step."""
        if self._count:
            k, seen = self._index, self._sum / self._count
            share = LEARNT if self._known[k] else 1.0
            self._means[k] += share * (seen - self._means[k])
            self._known[k] = True
            self._sum[:], self._count = 0.0, 0

    def wanted(self, direction: complex) -> np.ndarray | None:
        """Angular momentum (3,) that is sought [kg m^2/s, world axes]; None in flight, where it stays as it is."""
        if not self._clock.grounded:
            return None
        x, y, z = self._means[self._clock.index].tolist()
        level = complex(x, y) * direction
        return np.array([level.real, level.imag, z])

    @property
    def rate(self) -> float:
        """How fast [1/s]."""
        left = self._clock.ground_left_s
        return min(max(1.0 / max(left, 1e-6), self._least), self._most)
