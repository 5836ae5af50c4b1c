# SPDX-License-Identifier: GPL-3.0-or-later
"""What to change in a shot that follows a clip and fares badly: only what that shot has."""

from __future__ import annotations

import math

from ..specs.shot import EARTH_GRAVITY_M_S2, Shot

PLANET_TIME, KEEP_HEIGHT, WEAKER = "the planet's time", "jumps that keep their height", "weaker pushes"
LONGER, STILL_LONGER = "a Stretch above 1", "a larger Stretch"
SAME_GRAVITY = 0.01
"""Gravities that differ by a smaller share are one: time and flights are the same either way."""


def calmer(shot: Shot, flights: int) -> str:
    """What makes a shot easier whose clip has so many flights: the planet's time where it keeps the clip's, the jumps' height
    where they go higher than in the clip, weaker pushes where there are any; else more time."""
    follow, ratio = shot.follow, shot.world.gravity_m_s2 / EARTH_GRAVITY_M_S2
    if follow is None:
        raise ValueError("This shot follows no clip.")
    other = not math.isclose(ratio, 1.0, rel_tol=SAME_GRAVITY)
    found = [KEEP_HEIGHT] if flights and follow.flight == "velocity" and other and ratio < 1.0 else []
    found += [PLANET_TIME] if follow.time == "clip" and other else []
    found += [WEAKER] if shot.pushes else []
    return ", or ".join(found) or (STILL_LONGER if follow.stretch > 1.0 else LONGER)
