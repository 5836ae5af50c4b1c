# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast the clip's clock goes: faster where the foot that lands next could not reach the place that makes good what is off.

Under a push the capture point runs away from the foot that stands, the faster the longer it does. A step that comes earlier
needs not go so far (after Khadiv et al. 2016, who solve for place and time together). Times are the clip's [s].
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..tracking.planners.capture import Piece, forward
from .settings import FollowSettings

FACTORS = (1.0, 1.15, 1.32, 1.52, 1.75, 2.0, 2.4)
"""Paces that are tried, over the clip's own."""
CALM = 0.5
"""Cost of the clip's own pace up to which nothing is hurried: a foot that lands 6 cm from where it should be."""
PIECES = 6
"""Straight pieces in which the planned pressure is taken up to the next landing."""


class Landing(NamedTuple):
    """A place to land, where it should be, were the leg long enough, and where the plan has it (x + iy [m])."""

    place: complex
    wanted: complex
    nominal: complex


def quickened(pieces: Sequence[Piece], capture: complex, omega: float, pace: float) -> complex:
    """How far the capture point is off at the end of some pieces of the pressure that are passed `pace` as fast, over where it
    comes to at their own pace from `capture` at their start."""
    ends = []
    for factor in (pace, 1.0):
        end = capture
        for piece in pieces:
            faster = piece._replace(duration_s=piece.duration_s / factor)
            end = forward(end, faster, omega, faster.duration_s)
        ends.append(end)
    return ends[0] - ends[1]


def choose(
    landing: Callable[[float], Landing], settings: FollowSettings, fastest: float, leg_length_m: float,
) -> float:
    """The pace up to `fastest` that costs least, by what it misses of the wanted place, by how much it hurries and by how far it
    strays from the planned place."""
    s, least, best = settings, math.inf, 1.0
    for pace in FACTORS:
        rush = (math.log(pace) / s.timing_scale) ** 2
        if pace > max(fastest, 1.0) or rush >= least or least < CALM:
            break
        found = landing(pace)
        miss, stray = abs(found.place - found.wanted) / leg_length_m, abs(found.place - found.nominal) / leg_length_m
        cost = (miss / s.miss_scale) ** 2 + rush + (stray / s.stray_scale) ** 2
        if cost < least:
            least, best = cost, pace
    return best
