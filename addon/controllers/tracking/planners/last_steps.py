# SPDX-License-Identifier: GPL-3.0-or-later
"""The last steps of a walk that stops: so many, and so long, that the body comes to rest over its feet."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ....gaits.froude import GaitVariables
from .end_settings import EndSettings

SHORT_LEGS = 0.5
"""Steps up to this length, over the leg's, are so slow that one is enough to stop: feet set ever nearer would get in each
other's way."""
COM_LEGS = 1.08
"""Height of a walking body's COM over the length of its legs, nearly the same for every body."""
CAUGHT_LEGS = 0.07
"""How far the capture point may be ahead of where the last steps would have it when they begin, over the leg's length: the
centre of pressure moves no further under a foot (`StepSettings.cop_forward_limit`), so more carries the body past its feet."""
LONGEST_FIRST, MOST = 1.25, 8
"""Longest step over the gait's that begins to brake, and most last steps (first guesses)."""
SPARE = 0.5
"""Share of the last steps that has to be left for them where they begin a step later, if they are to begin only then."""


def ahead(shares: Sequence[float], growth: float) -> float:
    """How far the capture point of a steady walk is ahead of where the last steps, over the gait's, would have it when they
    begin, in steps, where within a step it comes to be `growth` times as far from a foot that does nothing. The quicker the
    steps and the lower the gravity, the less it grows, and the earlier a stop must begin."""
    wanted = 0.0
    for share in reversed(shares):
        wanted = (wanted + share) / growth
    return 1.0 / (growth - 1.0) - wanted


def last_steps(gait: GaitVariables, gravity_m_s2: float, settings: EndSettings) -> list[float]:
    """The last steps over the gait's. Where the body would run ahead of them, longer ones come before: who sets a foot further
    ahead than usual is braked by it."""
    step_m, leg = 0.5 * gait.stride_length_m, gait.leg_length_m
    growth = math.exp(math.sqrt(gravity_m_s2 / (COM_LEGS * leg)) * 0.5 / gait.stride_frequency_hz)
    last = list(settings.last if step_m > SHORT_LEGS * leg else settings.last_short)
    while (run_on := ahead(last, growth)) * step_m > CAUGHT_LEGS * leg and len(last) < MOST:
        last.insert(0, min(1.0 + run_on, LONGEST_FIRST))
    return last


def last_shares(left: float, steps: int, gait: GaitVariables, gravity_m_s2: float, settings: EndSettings) -> list[float]:
    """The last steps over the gait's where `left` steps are left of the path and time for so many `steps`; none while it is too
    early for them. On a path's end they are so long that they reach it, with one more of them where the gait's own would all be
    longer, and others further from what they should be."""
    s, last = settings, last_steps(gait, gravity_m_s2, settings)
    scale = left / sum(last)
    if steps <= len(last):
        return [share * min(max(scale, s.shortest), 1.0) for share in last]
    if scale > s.longest and left > 1.0 + SPARE * sum(last):
        return []
    more = [1.0, *last]
    if scale > 1.0 and (last == list(s.last) or scale - 1.0 > 1.0 - left / sum(more)):
        last = more
    return [share * max(left / sum(last), s.shortest) for share in last]
