# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks of plain numbers, with one clear sentence for what does not fit."""

from __future__ import annotations

import math
from typing import Any

from .errors import InputError


def check_number(what: str, value: Any, low: float, high: float, unit: str) -> float:
    """`value` as a float in [low, high]; raises InputError with one clear sentence otherwise."""
    try:
        number = float(value if not isinstance(value, str) else None)
    except (TypeError, ValueError):
        raise InputError(f"{what} must be a number in {unit}, got {value!r}.") from None
    if not math.isfinite(number) or not low <= number <= high:
        raise InputError(f"{what} must lie between {low:g} and {high:g} {unit}, got {number:g}.")
    return number
