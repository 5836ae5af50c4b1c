# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the coming steps are over the gait's own: full, but for the first and last of a walk from or to standing."""

from __future__ import annotations

from collections.abc import Sequence


class Pace:
    """Shares of the gait's step length: those of the coming steps, then full ones, or none where the walk `halts`."""

    def __init__(self) -> None:
        self._coming: list[float] = []
        self.halts = False

    def begin(self, shares: Sequence[float]) -> None:
        """The next steps, the present one first, are so long; then full ones come."""
        self._coming, self.halts = list(shares), False

    def halt(self, shares: Sequence[float]) -> None:
        """The next steps, the present one first, are the last; a share of 0 sets the foot beside the other."""
        self._coming, self.halts = list(shares), True

    def shares(self, count: int) -> list[float]:
        """Shares of the coming steps, the present one first."""
        return (self._coming + [0.0 if self.halts else 1.0] * count)[:count]

    def step(self) -> None:
        """A foot has struck: the next step begins."""
        del self._coming[:1]

    def coming_to_rest(self) -> bool:
        """Whether the last steps are under way."""
        return self.halts

    @property
    def steady(self) -> bool:
        """Whether all steps are full ones."""
        return not self._coming and not self.halts

    @property
    def last(self) -> bool:
        """Whether the present step is the last."""
        return self.halts and len(self._coming) == 1

    @property
    def done(self) -> bool:
        """Whether the last step has been made."""
        return self.halts and not self._coming
