# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of standing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...bodies.body import Body
from ...errors import InputError
from ...specs.shot import Shot
from ..controller import Part, Physics, Setup
from ..qp.muscle_program import EffortSettings
from .controller import StandingController
from .stance import BALANCE, StandingSettings


def make(setup: Setup) -> StandingController:
    """The controller of a setup."""
    return StandingController(setup)


def check_parts(parts: Sequence[Part], body: Body) -> None:
    """Who stands has no gait to key. Raises InputError."""
    raise InputError("Who stands has neither gait nor speed to key: take the keys out, or choose the controller tracking.")


def physics(shot: Shot) -> Physics:
    """A millisecond, and feet on the ground."""
    return Physics()


def plan(shot: Shot) -> None:
    """Nobody knows beforehand where a push will lead."""
    return None


def settings() -> dict[str, Any]:
    """Standing and the tracker's."""
    return {"standing": StandingSettings(), "tracker": BALANCE, "effort": EffortSettings()}


def searched(shot: Shot) -> tuple[str, ...]:
    """All of them."""
    return ("standing", "tracker")
