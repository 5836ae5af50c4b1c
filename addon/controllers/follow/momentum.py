# SPDX-License-Identifier: GPL-3.0-or-later
"""What the limbs' swing does in a clip: the rate of the angular momentum about the centre of mass, over mass."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ...bodies.pose_momentum import specific_angular_momentum
from .clip import FollowedClip

LOW_PASS_S = 0.050
"""Standard deviation of the Gaussian on the angular momentum: twice differentiated poses of 30 Hz are noise beyond it."""


def specific_momentum(clip: FollowedClip) -> np.ndarray:
    """Angular momentum (N, 3) about the centre of mass over mass [m^2 / clip s], world axes."""
    return specific_angular_momentum(clip.body, *clip.poses(), clip.step_s)


def pivot_shift(clip: FollowedClip, gravity: float, most_m: float) -> np.ndarray:
    """How far (N,) the centroidal moment pivot lies from the centre of pressure, x + iy [m], under a gravity in the clip's time
    (Popovic, Goswami and Herr 2005, eq. 10); at most `most_m`."""
    return shift_of(specific_momentum(clip), clip.step_s, gravity, most_m)


def shift_of(momentum: np.ndarray, step_s: float, gravity: float, most_m: float) -> np.ndarray:
    """The same (N,) of angular momentum over mass (N, 3)."""
    smoothed = gaussian_filter1d(momentum, LOW_PASS_S / step_s, axis=0, mode="nearest")
    rate = np.gradient(smoothed, step_s, axis=0)
    shift = (rate[:, 1] - 1j * rate[:, 0]) / gravity
    return shift * np.minimum(1.0, most_m / np.maximum(np.abs(shift), 1e-9))
