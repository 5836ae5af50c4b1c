# SPDX-License-Identifier: GPL-3.0-or-later
"""Who moves a body that follows a clip and is to catch itself."""

from __future__ import annotations

from ...controller import Controller, Setup
from ..settings import shot_controls
from ..shot_plan import shot_plan
from .catching import Catches, CatchingFollow
from .controller import PlayedController
from .motion import stays_put


def make_catching(setup: Setup) -> Controller:
    """The controller of a setup: standing, where the clip's feet stay. Raises LopeError for a clip that cannot be followed."""
    planned = shot_plan(setup.shot, setup.body, (setup.settings or shot_controls(setup.shot)).clip_plan)
    return PlayedController(setup, planned) if stays_put(planned.plan) else CatchingFollow(setup, planned, Catches())
