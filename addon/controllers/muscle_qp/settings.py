# SPDX-License-Identifier: GPL-3.0-or-later
"""What effort costs a body with muscles, beside the weights of the tracker's tasks."""

from __future__ import annotations

from dataclasses import dataclass

from ...specs.condition import Condition
from ...specs.settings import FIRST_GUESS, Checked, computed, setting

IN_NEED = {"activation_weight": 0.3, "metabolic_weight": 0.0, "reserve_weight": 0.03}
"""The most that these weights are in a condition: who is weak spares no effort, and torques beside the muscles, within
their narrow limits, hold what the muscles left cannot; without them weak walks fall within 5 s (docs/notes/conditions.md)."""


@dataclass(frozen=True)
class EffortSettings(Checked):
    """Weights of effort beside those of the tracker's tasks (Lee 2014, 4.3: tracking, effort, contact force; he prints none)."""

    WHOSE, FIELD, SOURCE = "The muscles'", "effort setting", FIRST_GUESS
    activation_weight: float = setting(30.0, 1e-6, 1e4, help="Weight of the sum of squared activations",
                                        source="found by a sweep: what a walk costs against how it stands")
    metabolic_weight: float = setting(0.0, 0.0, 1e3, "1/W", "Weight of what the muscles spend, on work and heat, on Earth")
    reserve_weight: float = setting(10.0, 1e-8, 1e4, help="Weight of squared torques [N m] beside the muscles', where they pull")
    reserve_share: float = setting(0.05, 0.0, 1.0, help="The most of these, over the torque limits of a body without muscles",
                                   searched=False)

    def under(self, condition: Condition | None) -> EffortSettings:
        """The settings of a body in a condition; the same for a healthy one."""
        if condition is None or condition.plain:
            return self
        return computed(self, **{name: min(most, getattr(self, name)) for name, most in IN_NEED.items()})
