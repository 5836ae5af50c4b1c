# SPDX-License-Identifier: GPL-3.0-or-later
"""A root on rails: it accelerates as it is told, whatever pulls at it.

Its own inertia is made so large that nothing else moves it, and it is pushed by that inertia times the acceleration: so contacts,
limits and joints meet it as they would meet a wall that moves, in any engine.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..bodies.bars import Bars
from ..bodies.body import Body

HEAVY = 1e7
"""Mass [kg] and moment of inertia [kg m^2] of a root on rails: a ball's 10 kN give it 1 mm/s^2."""


@dataclass(frozen=True)
class Rails:
    """The body's root rides on rails. `reach_rad` widens the limits of joints, by segment, to (low, high) that the motion has,
    for a ball (0, cone angle); segments and the ground bar each other's way by `bars`, as far as the motion lets them."""

    reach_rad: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    bars: Bars = field(default_factory=dict)

    def reaching(self, body: Body) -> Body:
        """The body with joints that go as far as the motion."""
        made = copy.copy(body)
        made.segments = tuple(
            replace(segment, limits_rad=(min(segment.range_rad[0], reach[0]), max(segment.range_rad[1], reach[1])))
            if (reach := self.reach_rad.get(segment.name)) is not None else segment for segment in body.segments)
        return made
