# SPDX-License-Identifier: GPL-3.0-or-later
"""How long the parts of a step last."""

from __future__ import annotations

from typing import NamedTuple


class StanceTimes(NamedTuple):
    """Durations [s] of a step: double support, single support with the heel down, single support with the heel up."""

    double: float
    flat: float
    raised: float
