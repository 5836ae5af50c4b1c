# SPDX-License-Identifier: GPL-3.0-or-later
"""Balls that never touched what they were thrown at, and what was in their way."""

from __future__ import annotations

from dataclasses import dataclass

from ..specs.hit import BALL
from ..take import Take

SOON_S = 0.1
"""What a ball strikes within so long of its time was in its way; what it strikes later lay behind (first guess: at 6 m/s it has
flown a leg's length)."""
AFTER_S = 0.05
"""A take that ends sooner after a ball's time does not tell whether it missed (a ball touches within 5 ms of its time)."""


@dataclass(frozen=True)
class Missed:
    """A ball that did not touch the segment it was thrown at: its time, that segment, the ball's name, what it `struck` first,
    None where it touched nothing; `past` tells that it struck that only after it had flown by."""

    time_s: float
    segment: str
    by: str
    struck: str | None
    past: bool

    def sentence(self) -> str:
        """It in words."""
        if self.struck is None:
            return f"The ball at {self.time_s:g} s did not touch {self.segment}: it touched nothing."
        if self.past:
            return f"The ball at {self.time_s:g} s did not touch {self.segment}: it flew past and struck {self.struck}."
        return f"The ball at {self.time_s:g} s did not touch {self.segment}: {self.struck} was in its way."


def missed_of(take: Take) -> list[Missed]:
    """The balls of a take that missed, in their order; those thrown too near to its end, or never, left out."""
    shot, found = take.shot, []
    balls = [hit for hit in shot.hits if hit.kind == BALL]
    for hit, item in zip(balls, shot.loose[len(shot.objects):], strict=True):
        if float(take.time_s[-1]) < hit.time_s + AFTER_S:
            continue
        segment = take.body.pushed(hit.segment)[0]
        struck = [strike for strike in take.stats.get("strikes", ()) if strike["by"] == item.name]
        if segment not in (strike["segment"] for strike in struck):
            first = min(struck, key=lambda strike: strike["time_s"], default=None)
            found.append(Missed(hit.time_s, segment, item.name, None if first is None else first["segment"],
                                first is not None and first["time_s"] > hit.time_s + SOON_S))
    return found
