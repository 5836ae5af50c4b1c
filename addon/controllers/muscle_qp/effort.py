# SPDX-License-Identifier: GPL-3.0-or-later
"""What muscles' work costs: that they be little active, hurt little, and that little be left over for torques beside them."""

from __future__ import annotations

import numpy as np

from ...bodies.muscles.conditioned import Pain
from ...bodies.state import BodyState
from ...specs.shot import EARTH_GRAVITY_M_S2
from ..qp.cones import ContactSet
from ..qp.contact_task import TorqueTask
from .pull import Pull
from .settings import EffortSettings


class RestTask(TorqueTask):
    """What joints need beside their muscles is small: rows over accelerations and cone coefficients.

    That torque is (M + D) qdd + h - V^T J f - A a - p, of the coordinates behind the root; the columns of the activations a are
    left to the program. D is what muscles yield as the joints get faster within the control step: on a light foot between calf
    and shin much more than its inertia.
    """

    def __init__(self, state: BodyState, contacts: ContactSet, weight: np.ndarray, pull: Pull) -> None:
        """`weight` (nv - 6,) of each squared torque; `pull` is kept up to date by whoever owns it."""
        super().__init__(state, contacts, 1.0)
        self.root, self._pull = np.sqrt(weight), pull

    def fill(self, rows: np.ndarray, values: np.ndarray) -> None:
        """Write the weighted rows (nv - 6, nv + 4 n) and values (nv - 6,)."""
        state, root, nv = self._state, self.root, self._state.model.nv
        rows[:, :nv] = state.mass_matrix[6:]
        rows[:, 6:nv] += self._pull.yielding_kg_m2
        rows[:, :nv] *= root[:, None]
        np.multiply(self._contacts.edges[:, 6:].T, -root[:, None], out=rows[:, nv:])
        values[:] = root * (self._pull.passive_nm - state.bias_force[6:])


def effort_of(settings: EffortSettings, pain: Pain | None, pull: Pull,
              gravity_m_s2: float) -> tuple[np.ndarray, np.ndarray]:
    """(line, square), each (M,): effort is line a + square a^2 / 2 of activations a.

    Under less gravity accelerations that are missed shrink with its square, what muscles spend, mostly heat, with itself.
    """
    square = activation_weights(settings, pain, pull.force_n, pull.greatest_n)
    if settings.metabolic_weight == 0.0:
        return np.zeros(len(square)), square
    weight, (line_w, square_w) = settings.metabolic_weight * gravity_m_s2 / EARTH_GRAVITY_M_S2, pull.spending_w()
    return weight * line_w, square + 2.0 * weight * square_w


def activation_weights(settings: EffortSettings, pain: Pain | None, force_n: np.ndarray, greatest_n: np.ndarray) -> np.ndarray:
    """Weight (M,) of each squared activation: effort's, and as much more as the force hurts that a wholly active muscle would
    pull with now, `force_n` (M,) of its `greatest_n`."""
    if pain is None:
        return np.full(len(force_n), settings.activation_weight)
    return settings.activation_weight * (1.0 + pain.muscle * (force_n / greatest_n) ** 2)
