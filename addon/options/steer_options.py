# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wished for on the way, as it is written on a command line."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..errors import InputError
from ..specs.steering import Steering

FORM = ("T,GAIT, T,SPEED, T,GAIT,SPEED, and with turn=DEG, turn-rate=DEG/S or over=S behind, such as 4,march or 6,0.5 or "
        "8,turn=90 or 10,tired,over=2")
NAMED: Mapping[str, tuple[str, float]] = {
    "turn": ("turn_rad", math.pi / 180.0), "turn-rate": ("turn_rad_s", math.pi / 180.0), "over": ("over_s", 1.0)}
"""Fields of `Steering` by what they are called here, and their units over these."""


def steering_from(text: str) -> Steering:
    """The steering written as one of `FORM`. Raises InputError."""
    first, *rest = (part.strip() for part in text.split(","))
    time_s, wish = _number(first), dict[str, Any]()
    for part in rest:
        name, _, value = part.rpartition("=")
        number = _number(value)
        if name in NAMED and number is not None:
            field, unit = NAMED[name]
            found: Any = number * unit
        elif number is not None and not name:
            field, found = "speed_m_s", number
        else:
            field, found = "gait", part
        if field in wish or not part:
            time_s = None
        wish[field] = found
    if time_s is None or not wish:
        raise InputError(f"Steering is written {FORM}; got {text!r}.")
    return Steering(time_s, **wish)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
