# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft ends of the legs' joints (Geyer and Herr 2010): a spring that damps what goes on into it, and never pulls back."""

from __future__ import annotations

import numpy as np

LOW, HIGH = np.radians([-360.0, -360.0, 70.0]), np.radians([230.0, 175.0, 130.0])
"""Of Geyer's angles of hip, knee and ankle."""
SPRING_NM = 0.3 * 180.0 / np.pi
REST_RATE = np.radians(1.0)
"""At this rate into the end the torque doubles; at this rate out of it, it is gone."""
MOST = np.array([60.0, 60.0, 10.0])
"""A hundred times the rest's torque is no damper any more but a wall: bounded, so that 1 ms resolves a foot about its ankle."""


def limit_torque(angle: np.ndarray, rate: np.ndarray, size: float) -> np.ndarray:
    """Torques (..., 3) that raise Geyer's angles (..., 3) [rad], [rad/s], of a body of that `size` (mass times leg length)."""
    above, below = np.maximum(angle - HIGH, 0.0), np.maximum(LOW - angle, 0.0)
    up = below * np.minimum(np.maximum(1.0 - rate / REST_RATE, 0.0), MOST)
    down = above * np.minimum(np.maximum(1.0 + rate / REST_RATE, 0.0), MOST)
    return size * SPRING_NM * (up - down)
