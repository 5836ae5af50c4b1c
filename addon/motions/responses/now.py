# SPDX-License-Identifier: GPL-3.0-or-later
"""A body in the midst of a response, for the push that comes then."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .figure import Figure


@dataclass(frozen=True)
class Now:
    """A body in the midst of a response: `channels` (54,) of its pose, which feet stand (F,), `momentum` over mass in the
    library's measure; `stance` (nq,) as it stood at first, and two poses of it `step_s` [s] apart."""

    channels: np.ndarray
    stands: np.ndarray
    momentum: complex
    stance: np.ndarray
    poses: Figure
    step_s: float
