# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of creatures by muscles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...bodies.makers import make_body
from ...specs.shot import Shot
from ..controller import Physics, Setup
from . import maker as quick
from .controller import run_up_of
from .maker import check_parts, plan, searched, steerable
from .muscle_controller import CreatureMuscleController
from .muscle_law import muscle_physics
from .muscle_numbers import GROUP, CreatureMuscleNumbers

__all__ = ["check_parts", "make", "physics", "plan", "searched", "settings", "steerable"]


def make(setup: Setup) -> CreatureMuscleController:
    """The controller of a setup. Raises BodyError for a body that has no two legs alike."""
    return CreatureMuscleController(setup)


def physics(shot: Shot) -> Physics:
    """A millisecond for a leg of a metre on Earth."""
    body = make_body(shot.body)
    return replace(muscle_physics(body, shot.world.gravity_m_s2), run_up_s=run_up_of(shot, body)[0])


def settings() -> dict[str, Any]:
    """The numbers of the quick law, and of the muscles together."""
    return {**quick.settings(), GROUP: CreatureMuscleNumbers()}
