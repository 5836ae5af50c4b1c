# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search is for, by name: the weights that the terms of a gait's cost then have."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import unknown_name
from .cost import CostWeights

GAIT, EFFORT, EASE = "gait", "effort", "ease"
OBJECTIVES: Mapping[str, CostWeights] = {
    GAIT: CostWeights(),
    EFFORT: CostWeights(pose=0.25, stride=0.5, transport=4.0),
    EASE: CostWeights(pose=0.25, stride=0.5, transport=2.0, pain=4.0),
}
"""By name. "gait": near to the reference motion and even; "effort": what a metre costs, by the metabolic rate of muscles where
they move the body, else by the joints' work (`reports/transport.py`), which then counts four times as much as the gait's look
(first guess); "ease": the same with what hurts in a condition, which counts as much (Lee 2014: pose, fall, energy over distance,
contact force, muscle force)."""


def weights_for(objective: str) -> CostWeights:
    """The weights of an objective. Raises InputError naming the nearest for an unknown one."""
    if objective not in OBJECTIVES:
        raise unknown_name("objective", objective, OBJECTIVES)
    return OBJECTIVES[objective]
