# SPDX-License-Identifier: GPL-3.0-or-later
"""The colours of pressure in FootSee (Yin 2007, section 3.3.2)."""

from __future__ import annotations

import numpy as np

LIGHT, HEAVY = np.array([0, 127, 0]), np.array([127, 0, 0])
"""The colours (RGB) of the first count and of the last."""
GROUND = np.array([0, 0, 0])


def colours(images: np.ndarray, most: float) -> np.ndarray:
    """Pressure (..., rows, columns) as RGB (..., rows, columns, 3) of whole numbers: from `LIGHT` to `HEAVY` over 255 counts, the
    last of which is `most`; less than half a count is `GROUND`."""
    counts = np.clip(np.rint(images * (255.0 / most)), 0.0, 255.0) if most > 0.0 else np.zeros_like(images)
    mixed = LIGHT + (counts[..., None] - 1.0) / 254.0 * (HEAVY - LIGHT)
    return np.where(counts[..., None] >= 1.0, np.rint(mixed), GROUND).astype(np.uint8)
