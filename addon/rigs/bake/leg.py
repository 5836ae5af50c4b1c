# SPDX-License-Identifier: GPL-3.0-or-later
"""A leg as two bones in a plane: its lengths, and its angles for a distance between hip and ankle."""

from __future__ import annotations

import numpy as np

from .own_motion import OwnMotion

STRAIGHT_RAD = np.radians(4.0)
"""A knee that is bent by less counts as if it were bent so far."""


def leg_of(motion: OwnMotion, side: str) -> tuple[int, float, float]:
    """Row of the thigh, lengths [m] of thigh and shank."""
    body = motion.body
    thigh, shank, foot = (body.index[f"{name}_{side}"] for name in ("thigh", "shank", "foot"))
    return thigh, -body.segments[shank].offset[2], -body.segments[foot].offset[2]


def flexion(length: np.ndarray, upper: float, lower: float) -> np.ndarray:
    """Knee flexion [rad] of a leg whose ends are `length` [m] apart (law of cosines)."""
    return np.arccos(np.clip((length**2 - upper**2 - lower**2) / (2.0 * upper * lower), -1.0, 1.0))


def thigh_to_line(bend: np.ndarray, upper: float, lower: float) -> np.ndarray:
    """Angle [rad] between the thigh and the line from hip to ankle of a leg bent by `bend`."""
    return np.arctan2(lower * np.sin(bend), upper + lower * np.cos(bend))


def knee_sense(motion: OwnMotion, side: str) -> np.ndarray:
    """How much (T,) a knee bends for a change of its leg's length: the inverse of the sine of its flexion."""
    thigh, upper, lower = leg_of(motion, side)
    line = motion.places[:, motion.body.index[f"foot_{side}"]] - motion.places[:, thigh]
    return 1.0 / np.sin(np.maximum(flexion(np.linalg.norm(line, axis=1), upper, lower), STRAIGHT_RAD))
