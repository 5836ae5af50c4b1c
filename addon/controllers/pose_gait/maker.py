# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of the key poses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...bodies.body import Body
from ...errors import InputError
from ...specs.shot import Shot
from ..controller import Physics, Setup
from ..parts import Part
from .controller import PoseGaitController
from .settings import PoseGaitSettings


def make(setup: Setup) -> PoseGaitController:
    """The controller of a setup. Raises InputError for a shot without key poses."""
    return PoseGaitController(setup)


def check_parts(parts: Sequence[Part], body: Body) -> None:
    """Key poses have no gait of the planner's to key. Raises InputError."""
    raise InputError("A gait from key poses cannot be keyed with gaits of the planner: take the keys out, or choose the "
                     "controller tracking.")


def physics(shot: Shot) -> Physics:
    """A millisecond, and feet on the ground."""
    return Physics()


def plan(shot: Shot) -> None:
    """Nobody knows its steps beforehand."""
    return None


def settings() -> dict[str, Any]:
    """The strength of the joints, and how targets change."""
    return {"pose_gait": PoseGaitSettings()}


def searched(shot: Shot) -> tuple[str, ...]:
    """The group of its settings."""
    return ("pose_gait",)
