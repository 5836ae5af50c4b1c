# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the user's ankles are on the mat, frame by frame as they come: ahead of the middle of a whole print's last rows (Yin
2007, appendix B, takes that itself), whole prints told by the longest so far. `prints.ankles_m` tells more of a file."""

from __future__ import annotations

from collections import deque

import numpy as np

from .images import Pressure
from .recognition import AHEAD

HEEL_ROWS = 3
ANKLE_SHARE = 0.33
"""Of a whole print's length from its rear end on, where the ankle is above it: 0.28 of the sole's, and a rim around that."""
FULL_SHARE = 0.7
"""Of a foot's longest print so far: from there on the whole sole is down, heel and all."""


class LiveAnkles:
    """Takes the feet's masks of one frame after the other; `ahead` are the ankles of the last `AHEAD` + 1 of them."""

    def __init__(self, like: Pressure) -> None:
        self._like = like
        self._longest = np.zeros(2)
        self._heels: deque[np.ndarray] = deque(maxlen=AHEAD + 1)
        self._long: deque[np.ndarray] = deque(maxlen=AHEAD + 1)

    def push(self, masks: np.ndarray) -> None:
        """The next frame's masks (2, rows, columns) of the left and the right foot."""
        touched = masks.any(axis=2)
        heels = np.full((2, 2), np.nan)
        for foot in (0, 1):
            rows = np.flatnonzero(touched[foot])[:HEEL_ROWS]
            if len(rows) == HEEL_ROWS:
                weight = masks[foot, rows].astype(float)
                heels[foot] = (weight.sum(axis=1) @ self._like.rows_m[rows], weight.sum(axis=0) @ self._like.columns_m)
                heels[foot] /= weight.sum()
        self._heels.append(heels)
        self._long.append(touched.sum(axis=1))
        self._longest = np.maximum(self._longest, self._long[-1])

    @property
    def ahead(self) -> np.ndarray:
        """Ankles (K, 2, 2) [m] of the last K frames, oldest first, not a number while a foot is not wholly down."""
        ahead_m = (ANKLE_SHARE * self._longest - 0.5 * HEEL_ROWS) * self._like.pitch_m[0]
        whole = np.array(self._long) >= FULL_SHARE * self._longest
        return np.where(whole[..., None], np.array(self._heels) + ahead_m[:, None] * np.array([1.0, 0.0]), np.nan)
