# SPDX-License-Identifier: GPL-3.0-or-later
"""What muscles can do over tendons that give: their fibres do not move with the joints, and are felt as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bodies.body import Body
from ...bodies.muscles.actuator import MuscleState
from ...bodies.muscles.mechanics import ElasticTendons
from ...bodies.muscles.muscle import MuscleSet
from ...bodies.state import BodyState
from .body_pull import BodyPull


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
