# SPDX-License-Identifier: GPL-3.0-or-later
"""What the registry asks of the follower."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...bodies.body import Body
from ...bodies.human.suit import load_suit
from ...bodies.makers import make_body
from ...errors import InputError
from ...motions.fragment import Source
from ...specs.shot import Shot
from ..controller import Controller, Part, Physics, Plan, Setup, Steerable, not_steered
from .controller import FollowController
from .over_standing.maker import make_catching
from .settings import FollowControls, shot_controls
from .shot_plan import ShotPlan, cut_to_clip, preview, shot_plan
from .stream_controller import StreamController, preview_stream, time_scale


def make(setup: Setup) -> Controller:
    """The controller of a setup. Raises LopeError for a clip that cannot be followed."""
    if _streams(setup.shot):
        return StreamController(setup, source_of(setup.body))
    return make_catching(setup) if setup.shot.catches else FollowController(setup)


def source_of(body: Body) -> Source:
    """Who chooses the moves of a shot that follows no clip: the library, on a body."""
    from .moves.source import LibrarySource

    return LibrarySource(body)


def _streams(shot: Shot) -> bool:
    """Whether a shot goes by the moves of the library."""
    return shot.follow is not None and shot.follow.moves


def check_parts(parts: Sequence[Part], body: Body) -> None:
    """A clip has no gait and no speed that could be keyed. Raises InputError."""
    raise InputError("A clip has neither gait nor speed to key: take the keys out, or choose the controller tracking.")


def physics(shot: Shot) -> Physics:
    """A millisecond, and feet on the ground, which jumps that keep their velocity meet as fast as on Earth."""
    keeps = shot.follow is not None and shot.follow.flight == "velocity" and not _streams(shot)
    return Physics(quicker=_planned(shot).quicker) if keeps else Physics()


def _planned(shot: Shot) -> ShotPlan:
    return shot_plan(shot, make_body(shot.body, load_suit(shot.suit)), shot_controls(shot).clip_plan)


def plan(shot: Shot) -> Plan:
    """The clip's prints and its centre of mass on the planet, in moments. Raises LopeError for a clip that cannot be followed."""
    if _streams(shot):
        body = make_body(shot.body, load_suit(shot.suit))
        return preview_stream(shot, source_of(body), body, shot_controls(shot).clip_plan, time_scale(shot))
    return preview(shot, _planned(shot))


def steerable(shot: Shot) -> Steerable:
    """The gaits of the library, from standing to as fast as the fastest goes. Raises InputError for a shot that follows a
    clip."""
    if not _streams(shot):
        raise not_steered("A character that follows a clip")
    from .moves.source import LibrarySource

    slow = time_scale(shot)
    speeds = LibrarySource(make_body(shot.body, load_suit(shot.suit))).own_speeds_m_s()
    gaits = tuple((name, round(speed / slow, 3)) for name, speed in speeds.items())
    return Steerable(0.0, 0.0, max(speed for _, speed in gaits), gaits)


def to_path_end(shot: Shot) -> Shot:
    """A shot that ends where its clip does at the latest. Raises LopeError for a clip that cannot be followed."""
    return shot if _streams(shot) else cut_to_clip(shot, _planned(shot))


def settings() -> dict[str, Any]:
    """The shipped settings."""
    return FollowControls().groups()


def searched(shot: Shot) -> tuple[str, ...]:
    """The groups of settings that may be searched."""
    return ("clip_plan", "follower", "flying_follower", "tracker", "flying_tracker")
