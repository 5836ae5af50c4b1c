# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that is planned of a followed clip before it is followed: schedule, prints, centre of mass, and where it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...errors import ClipError
from ...motions.strides import FOREVER_S
from ..legged.foot_geometry import FootGeometry
from .clip import FollowedClip, Track
from .com_plan import ClipSteps, ComPlan, plan_com
from .known_push import KnownPush
from .prints import Prints, make_prints
from .schedule import Schedule, flights, make_schedule, standing
from .settings import PlanSettings

AFTER_STRIKE_S = 0.2
"""A clip that ends in mid stride is followed until so long after its last strike: for the step after it shows no landing."""
OVER_FEET = 0.12
"""A capture point within so many leg lengths of a standing foot's print, or of the line between two, is held."""


@dataclass(frozen=True)
class ClipPlan:
    """A clip's plan; `end_s` is the clip time until which it is followed."""

    clip: FollowedClip
    track: Track
    schedule: Schedule
    prints: Prints
    com: ComPlan
    end_s: float
    pushes: tuple[KnownPush, ...] = ()

    @property
    def flights(self) -> list[tuple[float, float]]:
        """When no foot stands, (from, to) [clip s], as far as the clip is followed and is not behind."""
        return [(start, end) for start, end in flights(self.schedule) if start < self.end_s and end > self.clip.start_s]


def make_plan(
    clip: FollowedClip, gravity: float, settings: PlanSettings, schedule: Schedule | None = None, quicker: float = 1.0,
    prints: Prints | None = None, end_s: float | None = None, pushes: Sequence[KnownPush] = (),
) -> ClipPlan:
    """The plan of a clip under a gravity in its own time [m / clip s^2], by its own schedule, with its own prints and to its own
    end where none are given, with push-offs into flights that are `quicker` than in that time. Raises ClipError for one in which
    no foot stands."""
    geometry = FootGeometry(clip.body, "L")
    schedule = make_schedule(clip) if schedule is None else schedule
    if not any(schedule.values()):
        raise ClipError(f"{clip.path}: no foot ever stands on the ground, so there is nothing to follow.")
    prints = make_prints(clip, schedule, geometry) if prints is None else prints
    com = plan_com(ClipSteps(clip, schedule, prints, geometry), gravity, settings, quicker, pushes)
    return ClipPlan(clip, Track(clip), schedule, prints, com,
                    _end_s(clip, schedule, prints, com) if end_s is None else end_s, tuple(pushes))


def _end_s(clip: FollowedClip, schedule: Schedule, prints: Prints, com: ComPlan) -> float:
    """Where the clip ends: with its last frame where the body is held up by the feet that stand there, else soon after its
    last strike."""
    last = clip.duration_s
    places = [prints[side][schedule[side].index(stance)].place for side in SIDES
              if (stance := standing(schedule, side, last - 1e-3)) is not None]
    if places and _distance(complex(com.capture(np.array(last))), places) < OVER_FEET * clip.body.leg_length_m:
        return last
    strikes = [s.strike_s for stances in schedule.values() for s in stances if -FOREVER_S < s.strike_s < last]
    return min(last, max(strikes) + AFTER_STRIKE_S) if strikes else last


def _distance(point: complex, places: list[complex]) -> float:
    """Distance of a point from a place or from the line between two."""
    if len(places) == 1:
        return abs(point - places[0])
    way = places[1] - places[0]
    share = min(max(((point - places[0]) / way).real, 0.0), 1.0) if way else 0.0
    return abs(point - places[0] - share * way)
