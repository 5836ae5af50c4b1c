# SPDX-License-Identifier: GPL-3.0-or-later
"""What muscles on their paths can do: forces over rigid tendons, in the state that a body is in, from as active as they are."""

from __future__ import annotations

import numpy as np

from ...bodies.body import Body
from ...bodies.muscles.actuator import MuscleState
from ...bodies.muscles.mechanics import Activation, make_mechanics
from ...bodies.muscles.metabolic import by_activation_w
from ...bodies.muscles.muscle import MuscleSet
from ...bodies.muscles.of_shot import DYNAMICS
from ...bodies.muscles.paths import PathKinematics
from ...bodies.state import BodyState

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
