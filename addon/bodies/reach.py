# SPDX-License-Identifier: GPL-3.0-or-later
"""How far joints turn: the turn nearest to one that is wished for."""

from __future__ import annotations

import math

import numpy as np

from .segments import Segment


def within_reach(segment: Segment, turn: np.ndarray) -> np.ndarray:
    """The rotation vector (3,) [rad] that the joint above a segment can do, nearest to one that is wished for: no farther than
    its limits, of a hinge about its axis alone."""
    low, high = segment.limits_rad or (-math.inf, math.inf)
    if segment.axis is not None:
        return segment.axis * min(max(float(segment.axis @ turn), low), high)
    angle = float(np.linalg.norm(turn))
    return turn if angle <= high else turn * (high / angle)
