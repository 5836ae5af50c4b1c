# SPDX-License-Identifier: GPL-3.0-or-later
"""Every number of the follower that may be changed."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from ...specs.shot import Shot
from ..muscle_qp.settings import EffortSettings
from ..tracking.weights import RUNNING, TrackerSettings
from .entry import FOLLOW
from .settings import FLYING, FollowSettings, PlanSettings


@dataclass(frozen=True)
class FollowControls:
    """The groups of settings; the defaults are the shipped ones. A clip with flights has settings of its own: what the body
    lacks at take-off no contact can make up for, and it flies longer than in any gait. A clip's steps leave its balance less room
    than a gait's do, so muscles' effort weighs less (docs/notes/muscle-qp.md)."""

    clip_plan: PlanSettings = PlanSettings()
    follower: FollowSettings = FollowSettings()
    flying_follower: FollowSettings = FLYING
    tracker: TrackerSettings = TrackerSettings()
    flying_tracker: TrackerSettings = replace(RUNNING, angular_momentum_weight=20000.0)
    effort: EffortSettings = EffortSettings(activation_weight=3.0)

    def groups(self) -> dict[str, Any]:
        """The groups of settings by name."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


def shot_controls(shot: Shot) -> FollowControls:
    """The shipped settings, with those of the shot where it brings some. Raises InputError for unknown ones."""
    return replace(FollowControls(), **FOLLOW.changed(shot.gains))
