# SPDX-License-Identifier: GPL-3.0-or-later
"""Curves from 0 to 1 with level ends."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

Value = TypeVar("Value", float, np.ndarray)


def cubic(s: Value) -> Value:
    """3 s^2 - 2 s^3: from 0 to 1 with level ends where s goes from 0 to 1."""
    return s * s * (3.0 - 2.0 * s)


def smoothstep(s: np.ndarray) -> np.ndarray:
    """The same (...,), 0 below 0 and 1 above 1."""
    return cubic(np.clip(s, 0.0, 1.0))


def smooth(s: float) -> float:
    """The same of one number, without an array."""
    return cubic(min(max(s, 0.0), 1.0))


def bump(s: float) -> float:
    """Quartic from 0 over 1 at the middle to 0, with level ends; 0 outside."""
    return 16.0 * (max(s, 0.0) * max(1.0 - s, 0.0)) ** 2
