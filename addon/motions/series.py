# SPDX-License-Identifier: GPL-3.0-or-later
"""Sampled cycles as Fourier series of as few harmonics as they need."""

from __future__ import annotations

import numpy as np

SAMPLES = 64
HARMONICS = range(6, 9)
RESIDUAL_RAD = np.radians(0.4)  # root mean square over all angles that the left-out harmonics may have


def fourier_coefficients(spectrum: np.ndarray) -> np.ndarray:
    """Real coefficients (54, 2 H + 1) of a cycle's spectrum (F, 54), `rfft` over the number of samples."""
    h = _harmonics_needed(spectrum)
    part = spectrum[1:h + 1].T
    return np.hstack([spectrum[:1].T.real, 2.0 * part.real, -2.0 * part.imag])


def _harmonics_needed(spectrum: np.ndarray) -> int:
    """Least number of harmonics that leaves out less than the allowed residual."""
    power = 2.0 * np.mean(np.abs(spectrum[:, 3:]) ** 2, axis=1)
    for h in HARMONICS:
        if np.sqrt(power[h + 1:].sum()) < RESIDUAL_RAD:
            return h
    return HARMONICS[-1]
