# SPDX-License-Identifier: GPL-3.0-or-later
"""A motion at another pace: poses between its frames, and as much way as it goes (Yin 2007, section 3.5.3)."""

from __future__ import annotations

import numpy as np

from ...maths.quaternions import quat_conjugate, quat_from_rotvec, quat_multiply, rotvec_from_quat


def at_frames(frames: np.ndarray, quats: np.ndarray) -> np.ndarray:
    """Orientations (N, S, 4) at the fractional frames (N,) of a motion's (T, S, 4)."""
    low, past = _between(frames, len(quats))
    turn = rotvec_from_quat(quat_multiply(quat_conjugate(quats[low]), quats[np.minimum(low + 1, len(quats) - 1)]))
    return quat_multiply(quats[low], quat_from_rotvec(past[:, None, None] * turn))


def way_at(frames: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Places (N, K) at the fractional frames (N,) of a motion's (T, K), by the way between its frames: what is stored of a root
    is how far it goes from frame to frame, and the sum over parts of frames is the place between them."""
    low, past = _between(frames, len(places))
    high = np.minimum(low + 1, len(places) - 1)
    return places[low] + past[:, None] * (places[high] - places[low])


def between(frames: np.ndarray, holds: np.ndarray) -> np.ndarray:
    """What holds (N, ...) at the fractional frames (N,) of a motion's (T, ...): in the frames before and after."""
    low, past = _between(frames, len(holds))
    return holds[low] & holds[np.minimum(low + (past > 0.0), len(holds) - 1)]


def _between(frames: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The frame before each fractional one, and how far past it that is."""
    at = np.clip(np.asarray(frames, dtype=float), 0.0, count - 1.0)
    low = np.minimum(at.astype(int), max(count - 2, 0))
    return low, at - low
