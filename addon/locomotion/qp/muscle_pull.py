# SPDX-License-Identifier: GPL-3.0-or-later
"""What a body's muscles can do at an instant: torques that are linear in their activations.

What muscles on their paths can do: forces over rigid tendons, in the state that a body is in, from as active as they are.

What muscles can do over tendons that give: their fibres do not move with the joints, and are felt as they are.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ...bodies.body import Body
from ...bodies.muscle import MuscleSet
from ...bodies.muscles.mechanics import Activation, ElasticTendons, by_activation_w, make_mechanics
from ...bodies.muscles.paths import MuscleState, PathKinematics
from ...bodies.of_shot import DYNAMICS
from ...bodies.state import BodyState


class Pull(Protocol):
    """M muscles of a body whose root has r coordinates.

    After `update`: `active_nm` (nv - r, M) [N m], what each coordinate gets of a muscle that is wholly active; `passive_nm`
    (nv - r,), what all of them give at rest; `force_n` (M,) [N], the force along its tendon that one has when it is wholly active
    beside that at rest; `low` and `high` (M,), the activations that can be reached within the coming control step;
    `yielding_kg_m2` (nv - r, nv - r), by how much less all of them give through that step the faster it accelerates the joints:
    what they resist with their speed, times the step. The arrays are the same ones at every update. `moved` (nv - r,) bool tells
    which coordinates are theirs, `greatest_n` (M,) the greatest isometric forces.
    """

    names: tuple[str, ...]
    moved: np.ndarray
    greatest_n: np.ndarray
    active_nm: np.ndarray
    passive_nm: np.ndarray
    force_n: np.ndarray
    yielding_kg_m2: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def update(self, state: BodyState) -> None:
        """Take over a state."""

    def spending_w(self) -> tuple[np.ndarray, np.ndarray]:
        """(line, square), each (M,) [W]: what activations a spend there, line a + square a^2."""


RATE_M_S = 0.02
"""Change of a path's rate over which its force is looked at: it bends at none, where it goes from shorter to longer."""


class BodyPull:
    """See `pull.Pull`. Over an elastic tendon a change comes later than activations do; those of the program act at once, so it
    takes tendons for rigid."""

    def __init__(self, body: Body, muscles: MuscleSet, moved: np.ndarray, control_step_s: float,
                 dynamics: Activation = DYNAMICS) -> None:
        """`moved` (nv - r,) are the coordinates that are the muscles', `control_step_s` the time within which activations change
        by `dynamics`."""
        self._muscles = muscles
        self.names, self.moved, self.greatest_n = muscles.names, moved, muscles.max_force_n
        self._paths, self._mechanics = PathKinematics(body, muscles), make_mechanics(muscles)
        self._arms = self._paths.arms_m[body.root_freedom:]
        self.active_nm, self.passive_nm = np.zeros(self._arms.shape), np.zeros(len(moved))
        self.force_n = np.zeros(len(muscles))
        self.yielding_kg_m2 = np.zeros((len(moved), len(moved)))
        self._step_s, self._activation = control_step_s, np.zeros(len(muscles))
        self.low, self.high = np.zeros(len(muscles)), np.ones(len(muscles))
        self._up = dynamics.step(np.zeros(1), np.ones(1), control_step_s).item()
        self._least = dynamics.least
        self._down = (1.0 - dynamics.step(np.ones(1), np.zeros(1), control_step_s).item()) / (1.0 - self._least)

    def feel(self, activation: np.ndarray | None) -> None:
        """From these activations (M,) on those are reached that can be within a control step; None: any."""
        self._activation[:] = self._least if activation is None else activation
        if activation is None:
            self.low[:], self.high[:] = self._least, 1.0
        else:
            np.multiply(activation, 1.0 - self._down, out=self.low)
            self.low += self._down * self._least
            np.multiply(1.0 - activation, self._up, out=self.high)
            self.high += activation

    def spending_w(self) -> tuple[np.ndarray, np.ndarray]:
        """See `Pull.spending_w`."""
        return by_activation_w(self._muscles, self.force_n, -self._paths.rate_m_s)

    def feel_fibres(self, muscles: MuscleState | None) -> None:
        """What else there is to be felt of them: over rigid tendons nothing that joints do not tell."""

    def excitation(self, wanted: np.ndarray, activation: np.ndarray | None) -> np.ndarray:
        """Excitations (M,) that lead from these activations to wanted ones within a control step."""
        if activation is None:
            return wanted.copy()
        gap = wanted - activation
        return np.clip(activation + gap / np.where(gap > 0.0, self._up, self._down), 0.0, 1.0)

    def update(self, state: BodyState) -> None:
        """See `Pull.update`. Where a fibre that shortens at rest would push, its force is taken as going from nothing to what it
        is when it is wholly active."""
        paths = self._paths
        paths.update(state.qpos, state.qvel)
        active, passive = self._mechanics.by_activation(paths.length_m, paths.rate_m_s)
        pushing = np.minimum(passive, 0.0)
        np.maximum(active + pushing, 0.0, out=self.force_n)
        np.multiply(self._arms, self.force_n, out=self.active_nm)
        np.matmul(self._arms, passive - pushing, out=self.passive_nm)
        slower, faster = (self._force(paths.rate_m_s + change) for change in (-RATE_M_S, RATE_M_S))
        np.matmul(self._arms * (self._step_s / (2.0 * RATE_M_S) * (faster - slower)), self._arms.T, out=self.yielding_kg_m2)

    def _force(self, rate_m_s: np.ndarray) -> np.ndarray:
        """Forces (M,) of the muscles, as active as they are, at another rate of their paths."""
        active, passive = self._mechanics.by_activation(self._paths.length_m, rate_m_s)
        return np.maximum(self._activation * active + passive, 0.0)


class ElasticPull(BodyPull):
    """See `pull.Pull`. Taken for rigid, tendons would seem to damp at once, and a program that makes up for damping which is not
    there shakes the body. Before any fibres are felt they go along with the joints."""

    def __init__(self, body: Body, muscles: MuscleSet, *rest: Any) -> None:
        super().__init__(body, muscles, *rest)
        self._tendons = ElasticTendons(muscles)
        self._fibres: tuple[np.ndarray, np.ndarray] | None = None

    def feel_fibres(self, muscles: MuscleState | None) -> None:
        """See `BodyPull.feel_fibres`."""
        self._fibres = None if muscles is None else (muscles.fibre_length, muscles.fibre_velocity)

    def update(self, state: BodyState) -> None:
        """See `Pull.update`."""
        super().update(state)
        if self._fibres is None:
            return
        active, passive = self._tendons.by_fibres(*self._fibres)
        pushing = np.minimum(passive, 0.0)
        np.maximum(active + pushing, 0.0, out=self.force_n)
        np.multiply(self._arms, self.force_n, out=self.active_nm)
        np.matmul(self._arms, passive - pushing, out=self.passive_nm)
        yields = self._tendons.yielding_n_s_m(self._activation, *self._fibres, self._paths.length_m, self._step_s)
        np.matmul(self._arms * (self._step_s * yields), self._arms.T, out=self.yielding_kg_m2)
