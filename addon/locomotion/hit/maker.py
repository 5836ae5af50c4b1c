# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of the controller that takes hits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...bodies.body import Body
from ...bodies.human.suit import load_suit
from ...bodies.makers import make_body
from ...specs.disturbances import RAILS, Reaction
from ...specs.shot import Shot
from ..clip import maker as follow
from ..controller import Controller, Part, Physics, Plan, Setup
from .played import Played, cut_to_motion, played_clip
from .rails import LOOP_ACTS, RailsController, RailsSettings


def make(setup: Setup) -> Controller:
    """The controller of a setup. Raises LopeError for a motion that cannot be played."""
    return RailsController(setup) if _on_rails(setup.shot) else follow.make(setup)


def _on_rails(shot: Shot) -> bool:
    return (shot.reaction or Reaction()).law == RAILS


def _played(shot: Shot) -> Played:
    return played_clip(shot, make_body(shot.body, load_suit(shot.suit)))


def check_parts(parts: Sequence[Part], body: Body) -> None:
    """A motion has no gait and no speed that could be keyed. Raises InputError."""
    follow.check_parts(parts, body)


def physics(shot: Shot) -> Physics:
    """A millisecond; on rails, the motion's."""
    if not _on_rails(shot):
        return follow.physics(shot)
    return Physics(acts=LOOP_ACTS, rails=_played(shot).rails(shot.world))


def plan(shot: Shot) -> Plan | None:
    """The plan of the steps; None on rails, where the motion is played as it is."""
    return None if _on_rails(shot) else follow.plan(shot)


def to_path_end(shot: Shot) -> Shot:
    """A shot that ends where its motion does at the latest. Raises LopeError for a motion that cannot be played."""
    return cut_to_motion(shot, _played(shot)) if _on_rails(shot) else follow.to_path_end(shot)


def settings() -> dict[str, Any]:
    """The shipped settings."""
    return {**follow.settings(), "rails": RailsSettings()}


def searched(shot: Shot) -> tuple[str, ...]:
    """The groups of settings that may be searched."""
    return ("rails",) if _on_rails(shot) else follow.searched(shot)
