# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of the limp body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...bodies.body import Body
from ...errors import InputError
from ...specs.shot import Shot
from ..controller import Part, Physics, Setup
from .controller import LimpController
from .joints import LimpSettings


def make(setup: Setup) -> LimpController:
    """The controller of a setup."""
    return LimpController(setup)


def check_parts(parts: Sequence[Part], body: Body) -> None:
    """A limp body has no gait and no speed that could be keyed. Raises InputError."""
    raise InputError("A limp body has neither gait nor speed to key: take the keys out, or choose the controller tracking.")


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
