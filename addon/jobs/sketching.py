# SPDX-License-Identifier: GPL-3.0-or-later
"""A take as lines over time, small enough to be told to whoever looks on (`viewport.sketch` plays it)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..maths.quaternions import quat_rotate
from ..take import Take

RATE_HZ = 15.0
"""Poses in a second that are told: lines that jump less than this cannot be judged."""
DIGITS = 3
ASIDE, RIGHT = 0.5, np.array([0.0, -1.0])
"""How far beside its armature it goes, over its height, and which way that is: shots begin facing x."""


def sketched(take: Take, lasts_s: float, rate_hz: float = RATE_HZ) -> dict[str, Any]:
    """The last `lasts_s` of a take as plain JSON values: `ends` (N, S, 2, 3) [m] of lines from joint to joint, and from the last
    ones to their tips, of a walker that goes in place, its mean way taken out, on the right of where the take begins, half its
    height aside: there it stays in view. `sides` of the lines, "L" and "R" of the legs, else ""; and `rate_hz`. Of a take that
    fell it is the last up to the fall."""
    end_s = float(take.time_s[-1])
    if take.stats.get("time_fell_s") is not None:
        end_s = min(end_s, float(take.stats["time_fell_s"]))
    times = np.arange(max(end_s - lasts_s, 0.0), end_s + 1e-9, 1.0 / rate_hz)
    rows = np.clip(np.searchsorted(take.time_s, times - 1e-9), 0, len(take.time_s) - 1)
    places, turns = (array[rows] for array in take.segment_poses)
    segments, index = take.body.segments, take.body.index
    lines = [(index[one.hangs_on], i) for i, one in enumerate(segments[1:], start=1)]
    last = sorted(set(range(len(segments))) - {above for above, _ in lines})
    tips = places[:, last] + quat_rotate(turns[:, last], np.array([segments[i].tip for i in last]))
    begins, joints = (places[:, [line[end] for line in lines]] for end in (0, 1))
    ends = np.stack([np.concatenate([begins, places[:, last]], axis=1), np.concatenate([joints, tips], axis=1)], axis=2)
    aside = ASIDE * float(ends[..., 2].max()) * RIGHT
    way = np.linspace(places[0, 0, :2], places[-1, 0, :2], len(rows))
    ends[..., :2] += take.root_position_m[0, :2] + aside - way[:, None, None]
    of_leg = {name: foot.side for foot in take.body.feet for name in foot.leg}
    return {"rate_hz": rate_hz, "ends": ends.round(DIGITS).tolist(),
            "sides": [of_leg.get(segments[i].name) or "" for i in (*(above for above, _ in lines), *last)]}
