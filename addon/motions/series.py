# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampled cycles as Fourier series of as few harmonics as they need."""

from __future__ import annotations

import numpy as np

from ..maths.periodic import coefficients_of

SAMPLES = 64
HARMONICS = range(6, 9)
RESIDUAL_RAD = np.radians(0.4)  # root mean square over all angles that the left-out harmonics may have


def fourier_coefficients(spectrum: np.ndarray) -> np.ndarray:
    """Real coefficients (54, 2 H + 1) of a cycle's spectrum (F, 54), `rfft` over the number of samples."""
    return coefficients_of(spectrum, _harmonics_needed(spectrum))


def _harmonics_needed(spectrum: np.ndarray) -> int:
    """Least number of harmonics that leaves out less than the allowed residual."""
    power = 2.0 * np.mean(np.abs(spectrum[:, 3:]) ** 2, axis=1)
    for h in HARMONICS:
        if np.sqrt(power[h + 1:].sum()) < RESIDUAL_RAD:
            return h
    return HARMONICS[-1]
