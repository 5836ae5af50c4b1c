# SPDX-License-Identifier: GPL-3.0-or-later
"""Straight pieces of lines."""

from __future__ import annotations

import numpy as np


def closest(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The points (K, 2, 3) where pieces from `one` [:, 0] to [:, 1] and from `other` [:, 0] to [:, 1], both (K, 2, 3), are
    nearest to one another (Ericson 2005, section 5.1.9)."""
    u, v, off = one[:, 1] - one[:, 0], other[:, 1] - other[:, 0], one[:, 0] - other[:, 0]
    a, e, f = (u * u).sum(1), (v * v).sum(1), (v * off).sum(1)
    b, c = (u * v).sum(1), (u * off).sum(1)
    tiny = 1e-12
    s = np.clip((b * f - c * e) / np.maximum(a * e - b * b, tiny), 0.0, 1.0)
    t = (b * s + f) / np.maximum(e, tiny)
    s = np.where(t < 0.0, np.clip(-c / np.maximum(a, tiny), 0.0, 1.0),
                 np.where(t > 1.0, np.clip((b - c) / np.maximum(a, tiny), 0.0, 1.0), s))
    t = np.clip(t, 0.0, 1.0)
    return np.stack([one[:, 0] + s[:, None] * u, other[:, 0] + t[:, None] * v], axis=1)
