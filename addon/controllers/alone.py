# SPDX-License-Identifier: GPL-3.0-or-later
"""What a controller answers that has neither a wheel nor a plan, and goes on until its shot ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .controller import Plan, Taken, Wish, not_steered


class Alone:
    """The part of `controller.Controller` that is no. A kind of it overrides what it can; `who` is its body in words, "A limp
    body"."""

    who: str

    def steer(self, wish: Wish) -> None:
        """See `Controller.steer`."""
        raise not_steered(self.who)

    def gives_way(self) -> Taken | None:
        """See `Controller.gives_way`."""
        return None

    def done(self) -> bool:
        """See `Controller.done`."""
        return False

    def plan(self) -> Plan | None:
        """See `Controller.plan`."""
        return None

    def footsteps(self) -> Sequence[tuple[float, Any]] | None:
        """See `Controller.footsteps`."""
        return None
