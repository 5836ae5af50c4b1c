# SPDX-License-Identifier: GPL-3.0-or-later
"""When a clip cannot be saved by its own steps any more, and where in it somebody who stands can take it up again.

What a clip's coming contacts allow is foretold as for its footprints: the next foot is to land where the capture point is held
then. If that is out of its leg's reach, or far from where the clip has it, or if no foot lands soon and the pressure that the
error asks for is outside the soles, somebody has to step who is bound to no clip.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...bodies.human.landmarks import SIDES
from ...errors import ClipError
from ..follow.clip_plan import ClipPlan
from ..follow.pace import Landing
from .motion import EDGE_S, prints_at

MISS_LEGS, STRAY_LEGS = 0.3, 0.75
"""Of a landing that misses by more of a leg's length, or strays so far from the clip's, the clip's own steps stand too seldom
(measured over 19 pushes in two clips: of those that fell the least is 0.88, docs/notes/hit-clips.md)."""
OUTSIDE_M = 0.02
"""Feet that stay do not hold a body whose pressure would have to be so far outside the soles, on legs of 0.88 m."""
SLOW_M_S = 0.25
"""A clip whose body goes faster can't be taken up from a stand (on Earth, legs of 0.88 m)."""
LATER_M_S = 0.1
"""A moment a second later is as good as one at which the body goes so much faster (first guess)."""
LOOKS_HZ = 30.0
SETTLED_S = 0.1
"""A foot has stood for so long, and stands for as long again, where a clip is taken up [clip s]."""


def out_of_reach(landing: Landing, leg_m: float) -> bool:
    """Whether a clip's own next step would not hold the body."""
    miss, stray = abs(landing.place - landing.wanted) / leg_m, abs(landing.place - landing.nominal) / leg_m
    return miss > MISS_LEGS or stray > STRAY_LEGS


def entry_s(plan: ClipPlan, slow: float, from_s: float) -> tuple[float, bool]:
    """The clip time from one on at which somebody who stands is nearest to the clip, and whether the clip can be taken up there;
    of a clip in which both feet never stand again, the last one before, and the first one where none is before. Raises ClipError
    for a clip in which they never do."""
    times = np.arange(from_s, plan.end_s - EDGE_S, 1.0 / LOOKS_HZ).tolist()
    later = [(abs(plan.com.at(time).velocity) / slow + LATER_M_S * (time - from_s), time) for time in times
             if _both_stand(plan, time)]
    if later:
        _, time = min(later)
        return time, abs(plan.com.at(time).velocity) < SLOW_M_S * slow
    whole = np.arange(plan.clip.start_s, plan.end_s - EDGE_S, 1.0 / LOOKS_HZ).tolist()
    stood = [time for time in whole if prints_at(plan, time) is not None]
    if not stood:
        raise ClipError(f"Nobody who loses {Path(plan.clip.path).stem} can be caught: its feet never both stand. Hit or push "
                        "less hard, or follow a clip in which both feet stand at some time.")
    return max((time for time in stood if time < from_s), default=stood[0]), False


def _both_stand(plan: ClipPlan, time_s: float) -> bool:
    prints = prints_at(plan, time_s)
    if prints is None:
        return False
    return all(prints[side].stance.strike_s + SETTLED_S <= time_s <= prints[side].stance.off_s - SETTLED_S for side in SIDES)
