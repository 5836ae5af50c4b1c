# SPDX-License-Identifier: GPL-3.0-or-later
"""The controller `follow`: it chooses who takes a body along a clip, or goes by the moves of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...bodies.body import Body
from ...bodies.of_shot import shot_body
from ...specs.motions import Moves
from ...specs.shot import Shot
from ..controller import Controller, Plan, Setup, Steerable, not_steered
from .controller import FollowController, StreamController, preview_stream, time_scale
from .over_standing.catching import Catches, CatchingFollow
from .over_standing.motion import stays_put
from .over_standing.planner import PlayedController
from .settings import shot_controls
from .shot_plan import shot_plan

if TYPE_CHECKING:
    from .moves.source import LibrarySource


class Follow(FollowController):
    """See `controller.Controller`. Raises LopeError for a clip that cannot be followed."""

    @classmethod
    def choose(cls, setup: Setup) -> Controller:
        """See `Controller.choose`: of a shot that catches who falls, somebody who stands, where the clip's feet stay."""
        shot = setup.shot
        if streams(shot):
            return StreamController(setup, library(setup.body))
        if not shot.catches:
            return FollowController(setup)
        planned = shot_plan(shot, setup.body, (setup.settings or shot_controls(shot)).clip_plan)
        return PlayedController(setup, planned) if stays_put(planned.plan) else CatchingFollow(setup, planned, Catches())

    @classmethod
    def plan_of(cls, shot: Shot) -> Plan:
        if not streams(shot):
            return super().plan_of(shot)
        body = shot_body(shot)
        return preview_stream(shot, library(body), body, shot_controls(shot).clip_plan, time_scale(shot))

    @classmethod
    def steerable(cls, shot: Shot) -> Steerable:
        """See `Controller.steerable`: the gaits of the library, from standing to as fast as the fastest goes. Raises InputError
        for a shot that follows a clip."""
        if not streams(shot):
            raise not_steered(cls.who)
        slow, moves = time_scale(shot), library(shot_body(shot))
        gaits = tuple((name, round(speed / slow, 3)) for name, speed in moves.own_speeds_m_s().items())
        highest = tuple(round(moves.highest_m_s(name) / slow, 3) for name, _ in gaits)
        return Steerable(0.0, 0.0, max(speed for _, speed in gaits), gaits, highest)

    @classmethod
    def to_path_end(cls, shot: Shot) -> Shot:
        return shot if streams(shot) else super().to_path_end(shot)


def streams(shot: Shot) -> bool:
    return isinstance(shot.motion, Moves)


def library(body: Body) -> LibrarySource:
    """Who chooses the moves of a shot that follows no clip, on a body."""
    from .moves.source import LibrarySource  # a shot that follows a clip does without

    return LibrarySource(body)
