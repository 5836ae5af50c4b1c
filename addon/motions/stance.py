# SPDX-License-Identifier: GPL-3.0-or-later
"""One stance of one foot: when it lands, lies flat, rises from its heel and leaves the ground."""

from __future__ import annotations

from dataclasses import dataclass

FOREVER_S = 1e6
"""Time of a stance's end that is not shown."""


@dataclass(frozen=True)
class Stance:
    """One stance of one foot [clip s]; `-FOREVER_S` and `FOREVER_S` where it is under way at the ends of what is shown."""

    side: str
    strike_s: float
    flat_s: float
    heel_off_s: float
    off_s: float
