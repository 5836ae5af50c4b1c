# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of the tracking controller."""

from __future__ import annotations

from typing import Any

from ...bodies.human.suit import load_suit
from ...bodies.makers import make_body
from ...specs.shot import Shot
from ..controller import Physics, Plan, Setup
from .controller import TrackingController
from .gains import Controls, shot_controls
from .plan import plan_shot


def make(setup: Setup) -> TrackingController:
    """The controller of a setup. Raises LopeError for a shot that cannot be walked."""
    return TrackingController(setup)


def physics(shot: Shot) -> Physics:
    """A millisecond, and feet on the ground."""
    return Physics()


def plan(shot: Shot) -> Plan:
    """The pendulum's plan, in milliseconds. Raises LopeError for a shot that cannot be planned."""
    return plan_shot(shot, make_body(shot.body, load_suit(shot.suit)), shot_controls(shot))


def settings() -> dict[str, Any]:
    """The shipped gains."""
    return Controls().groups()
