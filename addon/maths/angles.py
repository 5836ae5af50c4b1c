# SPDX-License-Identifier: GPL-3.0-or-later
"""The angle of plane vectors, the same from run to run."""

from __future__ import annotations

import numpy as np


def plane_angle(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Angles (...) [rad] of the vectors (x, y), as `numpy.arctan2` gives them.

    The arguments are copied: numpy 1.26 has two ways to work arctan2 out on strided arrays, which differ in the last bit, and
    where the arrays happen to lie in memory decides which it takes. So a clip's cycle differed in one run of four.
    """
    return np.arctan2(np.array(y, dtype=float), np.array(x, dtype=float))
