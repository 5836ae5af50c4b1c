# SPDX-License-Identifier: GPL-3.0-or-later
"""How firm trunk and upper body are held at a time: at first as in any gait, then as the gait says, and firmer after a strike."""

from __future__ import annotations

import math

from ...specs.pose_learning import Reaction
from .strength import Scale

SETTLE_S, SOFTEN_S = 2.0, 3.0
"""The steps out of standing are nobody's limit cycle: so long a soft body is held as firm as any, and so long it takes to become
soft, on Earth (found by trying: half and a quarter of the firmness walk on then)."""
LEVELS = 50
"""Steps of firmness in 1: few, as each has its own springs."""


class Firmness:
    """Tell it the time that passes and the trunk's error with `go`; it answers how firm the body is held now."""

    def __init__(self, firmness: float, reaction: Reaction | None, scale: Scale) -> None:
        self._wanted, self._reaction, self._scale = firmness, reaction, scale
        self._time_s, self._struck_s = 0.0, -math.inf

    def set_scale(self, scale: Scale) -> None:
        """The body's scale from now on: gravity has changed."""
        self._scale = scale

    @property
    def steady(self) -> bool:
        """Whether it is always the same."""
        return self._wanted == 1.0 and self._reaction is None

    def go(self, dt: float, error_rad: float) -> float:
        """Let time pass [s], with the trunk so far from where it is drawn [rad]; the firmness now."""
        self._time_s += dt
        firm = self._wanted
        if firm < 1.0:
            share = min(max((self._time_s / self._scale.time - SETTLE_S) / SOFTEN_S, 0.0), 1.0)
            firm = 1.0 + share * (firm - 1.0)
        reaction = self._reaction
        if reaction is not None:
            since = self._time_s - self._struck_s
            if error_rad > reaction.startle_rad and since > reaction.delay_s + reaction.lasts_s:
                self._struck_s, since = self._time_s, 0.0
            if reaction.delay_s <= since <= reaction.delay_s + reaction.lasts_s:
                firm = max(firm, min(firm * reaction.firmness, 1.0))  # firmer than any gait is held, it would shake
        return round(LEVELS * firm) / LEVELS
