# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotation matrices about one axis."""

from __future__ import annotations

import numpy as np


def about_y(angle: np.ndarray | float) -> np.ndarray:
    """Matrices (..., 3, 3) about the left axis by angles (...) [rad]; positive bows forward."""
    out = np.zeros((*np.shape(angle), 3, 3))
    c, s = np.cos(angle), np.sin(angle)
    out[..., 0, 0] = out[..., 2, 2] = c
    out[..., 0, 2], out[..., 2, 0], out[..., 1, 1] = s, -s, 1.0
    return out


def about_z(angle: np.ndarray | float) -> np.ndarray:
    """Matrices (..., 3, 3) about the vertical by angles (...) [rad]; positive turns to the left."""
    out = np.zeros((*np.shape(angle), 3, 3))
    c, s = np.cos(angle), np.sin(angle)
    out[..., 0, 0] = out[..., 1, 1] = c
    out[..., 0, 1], out[..., 1, 0], out[..., 2, 2] = -s, s, 1.0
    return out
