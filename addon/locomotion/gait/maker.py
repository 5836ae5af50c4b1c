# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of the tracking controller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...bodies.body import Body
from ...bodies.human.suit import load_suit
from ...bodies.makers import make_body
from ...gaits.ranges import promised_range
from ...specs.shot import Shot
from ..controller import Part, Physics, Plan, Setup, Steerable
from .changes import check_changes, check_times
from .controller import TrackingController
from .factory import has_flight
from .gains import Controls, shot_controls
from .path_end import until_path_end
from .plan import plan_shot
from .shot_gait import body_cycle, gait_variables, shot_cycle

NEAR_OWN = 0.2
"""How far a motion of the user's own is steered from its own speed, of which nothing is known (first guess)."""
WALK_GROUPS, RUNNING_GROUPS = ("steps", "walk", "tracker"), ("running", "running_tracker")


def make(setup: Setup) -> TrackingController:
    """The controller of a setup. Raises LopeError for a shot that cannot be walked."""
    return TrackingController(setup)


def check_parts(parts: Sequence[Part], body: Body) -> None:
    """Raises LopeError for parts that are not walked one after the other."""
    check_changes(parts, body)
    check_times(parts, body)


def physics(shot: Shot) -> Physics:
    """A millisecond, and feet on the ground."""
    return Physics()


def plan(shot: Shot) -> Plan:
    """The pendulum's plan, in milliseconds, or bounces rehearsed. Raises LopeError for a shot that cannot be planned."""
    return plan_shot(shot, make_body(shot.body, load_suit(shot.suit)), shot_controls(shot), TrackingController)


def to_path_end(shot: Shot) -> Shot:
    """A shot that ends where its path does. Raises LopeError where it has no end, or cannot be planned."""
    return until_path_end(shot, make_body(shot.body, load_suit(shot.suit)), shot_controls(shot))


def steerable(shot: Shot) -> Steerable:
    """The speeds of the shot's gait that stand there; of a motion of the user's own, those near its own."""
    body = make_body(shot.body, load_suit(shot.suit))
    gait = gait_variables(shot, body_cycle(shot, body), body)
    near = (1.0 - NEAR_OWN) * gait.speed_m_s, (1.0 + NEAR_OWN) * gait.speed_m_s
    known = None if shot.motion is not None else promised_range(shot.gait, shot.world.gravity_m_s2, body)
    return Steerable(gait.speed_m_s, *(known or near))


def settings() -> dict[str, Any]:
    """The shipped gains."""
    return Controls().groups()


def searched(shot: Shot) -> tuple[str, ...]:
    """The groups of settings that matter for the shot's gait, and so may be searched. Raises LopeError for an unknown gait."""
    return RUNNING_GROUPS if has_flight(shot_cycle(shot)) else WALK_GROUPS
