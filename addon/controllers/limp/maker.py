# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of the limp body."""

from __future__ import annotations

from typing import Any

from ...specs.shot import Shot
from ..controller import Physics, Setup
from .controller import LimpController
from .settings import LimpSettings


def make(setup: Setup) -> LimpController:
    """The controller of a setup."""
    return LimpController(setup)


def physics(shot: Shot) -> Physics:
    """A millisecond, and all of the body on the ground."""
    return Physics(capsules=True)


def plan(shot: Shot) -> None:
    """Nobody plans a fall."""
    return None


def settings() -> dict[str, Any]:
    """How the body lets go."""
    return {"limp": LimpSettings()}


def searched(shot: Shot) -> tuple[str, ...]:
    """None: there is no gait that a letting go could be better or worse at."""
    return ()
