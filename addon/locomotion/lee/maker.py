# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of the data-driven controller."""

from __future__ import annotations

import math
from typing import Any

from ...bodies.model import PHYSICS_STEP_S
from ...specs.shot import EARTH_GRAVITY_M_S2, Shot
from ..clip.maker import check_parts, plan, to_path_end
from ..controller import Physics, Setup
from .controller import LOOP_ACTS, LeeController
from .settings import LeeControls

__all__ = ["check_parts", "make", "physics", "plan", "searched", "settings", "to_path_end"]


def make(setup: Setup) -> LeeController:
    """The controller of a setup. Raises LopeError for a clip that cannot be followed."""
    return LeeController(setup)


def physics(shot: Shot) -> Physics:
    """A millisecond, shorter where things fall faster than on Earth, and feet on the ground."""
    faster = max(shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2, 1.0)
    return Physics(PHYSICS_STEP_S / math.sqrt(faster), acts=LOOP_ACTS)


def settings() -> dict[str, Any]:
    """The printed settings."""
    return LeeControls().groups()


def searched(shot: Shot) -> tuple[str, ...]:
    """The groups of settings that may be searched: the gains that every motion needs of its own."""
    return ("lee",)
