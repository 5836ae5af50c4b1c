# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of the reflex walker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...bodies.body import Body
from ...errors import InputError
from ...specs.shot import Shot
from ..controller import Part, Physics, Setup
from .controller import ReflexController
from .parameters import GROUP, ReflexNumbers

ACTS = 5
"""Reflexes act every millisecond; a take is sampled every ten."""


def make(setup: Setup) -> ReflexController:
    """The controller of a setup. Raises InputError where there is no walker for it."""
    return ReflexController(setup)


def check_parts(parts: Sequence[Part], body: Body) -> None:
    """Reflexes have no gait of the planner's to key. Raises InputError."""
    raise InputError("A reflex walker has one gait and one speed: take the keys out, or choose the controller tracking.")


def physics(shot: Shot) -> Physics:
    """A millisecond, the reflexes as often, and feet on the ground. Thighs pass each other more closely than the cores of their
    capsules allow, which the searches did not know."""
    return Physics(acts=ACTS, passes=True)


def plan(shot: Shot) -> None:
    """Nobody knows its steps beforehand."""
    return None


def settings() -> dict[str, Any]:
    """The numbers of the law."""
    return {GROUP: ReflexNumbers()}


def searched(shot: Shot) -> tuple[str, ...]:
    """Nothing for a search of gains: a walker is searched as a whole, by `lope tune --gait reflex`."""
    return ()
