# SPDX-License-Identifier: GPL-3.0-or-later
"""How somebody who stands stayed up. Defined in docs/measures.md."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..specs.stand import CONTROLLERS
from ..take import Take
from .needs import NUMBERS, Group
from .weight import weight_n

STANDING_UNITS: dict[str, str] = {"strategy": "", "steps_taken": "", "ground_peak_over_mg": "", "com_speed_m_s_max": "m/s"}
"""Every measure and its unit, in the order of the report."""


def stands(take: Take) -> bool:
    """Whether it is a take of somebody who stands."""
    return take.shot.controller in CONTROLLERS


def _told(take: Take) -> dict[str, Any]:
    return {name: take.stats.get(name) for name in ("strategy", "steps_taken")}


def _moved(take: Take) -> dict[str, Any]:
    """Over the whole take."""
    vertical = take.grf_n[:, :, 2].sum(axis=1)
    return {"ground_peak_over_mg": (vertical / weight_n(take)).max(),
            "com_speed_m_s_max": np.hypot(*take.com_velocity_m_s[:, :2].T).max()}


GROUPS = (
    Group(("strategy", "steps_taken"), _told),
    Group(("ground_peak_over_mg", "com_speed_m_s_max"), _moved, (NUMBERS,)),
)
"""Every measure of `STANDING_UNITS` with what it needs."""
