# SPDX-License-Identifier: GPL-3.0-or-later
"""How somebody stands, and what they may do to stay up. Plain values that travel as JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...checks import Choice, Maybe, Number, Part, Series, Table, Whole
from ...errors import InputError
from ..settings import Checked, setting
from .motion import After, Motion

STAND = "stand"
"""What standing is called among the gaits."""
LEGS = ("", "L", "R")
TURN_RAD = 2.0 * math.pi
HELD_LEGS = 0.06
"""A foot so much higher than the other, over the leg's length, is held up and stands no more (first guess)."""


@dataclass(frozen=True)
class StancePose(Checked):
    """A stance as it was posed: rotation vectors [rad] of segments by name, each relative to its parent, the root's in the world;
    those that are not named are not turned. Where its feet stand follows: of who has one foot `HELD_LEGS` over the other, on
    the lower one alone."""

    WHOSE, FIELD = "The pose's", "field of a pose"
    turns: dict[str, tuple[float, float, float]] = setting(rule=Table(
        Series(Number(-TURN_RAD, TURN_RAD, "rad"), 3), each="The turn of {name}"), words="turns")


@dataclass(frozen=True)
class Stand(Motion):
    """A stance, and the ways of keeping it that are allowed. Lengths None are the body's own.

    The ankles are `apart_m` from each other, the left one `ahead_m` before the right; who stands on `one_leg` holds the other up.
    Ankles always balance; `hips` may, and `steps` may be taken, none, so many, or, None, as many as it needs. A foot is lifted no
    sooner than `reaction_s` after a push is felt, and goes no faster than `swing_m_s` on the way. `sway` is how much the body
    sways while nothing happens, over a person's. A `pose` says by itself where the feet stand and how everything else is held.
    `after` is the take at whose end the shot starts.
    """

    KIND, CONTROLLERS = STAND, ("standing",)
    REFUSES = f"Who stands goes nowhere: leave {{}} out, or choose another gait than {STAND}."
    SUBJECT = "A shot with a stance"
    WHOSE, FIELD = "The stance's", "field of a stance"
    controller = CONTROLLERS[0]
    apart_m: float | None = setting(None, rule=Maybe(Number(0.05, 2.0, "m")), words="distance of the ankles")
    ahead_m: float = setting(0.0, -1.0, 1.0, "m", words="how far the left foot is ahead")
    one_leg: str = setting("", rule=Choice("leg to stand on", LEGS))
    hips: bool = setting(True)
    steps: int | None = setting(None, rule=Maybe(Whole(0, 50)), words="most steps")
    reaction_s: float = setting(0.2, 0.0, 2.0, "s", words="reaction delay")
    swing_m_s: float = setting(6.0, 0.5, 20.0, "m/s", words="fastest swing of an ankle")
    sway: float = setting(1.0, 0.0, 5.0)
    pose: StancePose | None = setting(None, rule=Maybe(Part(StancePose)))
    after: After | None = setting(None, rule=Maybe(Part(After)))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pose is not None and (self.apart_m is not None or self.ahead_m or self.one_leg):
            raise InputError("A stance that was posed has its feet where they were posed: leave their distances and the leg out.")

    @property
    def plain(self) -> bool:
        """Whether the feet stand beside each other as a body's own do."""
        return self.apart_m is None and not self.ahead_m and not self.one_leg and self.pose is None

    @property
    def called(self) -> str:
        """See `Motion.called`."""
        return STAND
