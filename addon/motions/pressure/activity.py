# SPDX-License-Identifier: GPL-3.0-or-later
"""Quiet stance as a normal distribution of features, and where a sequence leaves it (Yin 2007, section 3.4.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import InputError

QUIET_SHARE = 0.25
"""Where nobody says which frames are quiet, so large a share of them is taken for it: those that change least."""
STILL_S = 0.5
"""Time over which a frame's changes are looked at."""
LEAST_SIGMA_SHARE = 0.05
"""Least deviation of a feature in quiet stance over that in the whole sequence: a simulated stance may not move at all."""
RISE, LAST = 6.0, 3.0
"""Scores, in deviations a feature (root mean square), from which a motion begins, and down to which it goes on (first guess)."""
LEAST_S, GAP_S = 0.4, 0.6
"""The shortest motion; pauses within one."""


@dataclass(frozen=True, eq=False)
class Quiet:
    """Mean and deviation (F,) of the features of quiet stance."""

    mean: np.ndarray
    sigma: np.ndarray

    def score(self, features: np.ndarray) -> np.ndarray:
        """How far frames (..., F) are from quiet stance, in deviations, the root mean square over the features."""
        return np.sqrt(np.mean(((features - self.mean) / self.sigma) ** 2, axis=-1))


def quiet_of(features: np.ndarray, rate_hz: float, quiet: np.ndarray | None = None) -> Quiet:
    """Quiet stance in a sequence (T, F); `quiet` (T,) tells its frames, else the stillest are taken. Raises InputError for a
    sequence that is too short to have any."""
    if len(features) < max(2, round(2.0 * STILL_S * rate_hz)):
        raise InputError(f"Pressure of {len(features)} frames is too short to tell quiet stance in: record two seconds at least.")
    spread = np.std(features, axis=0)
    spread = np.where(spread > 0.0, spread, 1.0)
    if quiet is None:
        quiet = _stillest(features / spread, rate_hz)
    if not quiet.any():
        raise InputError("No frame of the pressure is marked as quiet stance: mark where the person only stands.")
    still = features[quiet]
    return Quiet(still.mean(axis=0), np.maximum(still.std(axis=0), LEAST_SIGMA_SHARE * spread))


def _stillest(scaled: np.ndarray, rate_hz: float) -> np.ndarray:
    """The frames (T,) of the quarter of a sequence whose surroundings change least."""
    half = max(round(0.5 * STILL_S * rate_hz), 1)
    padded = np.pad(scaled, ((half, half), (0, 0)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1, axis=0)
    moving = windows.std(axis=-1).sum(axis=1)
    return moving <= np.quantile(moving, QUIET_SHARE)


def active_spans(score: np.ndarray, rate_hz: float, rise: float = RISE, last: float = LAST) -> list[tuple[int, int]]:
    """Begin and end (not with it) of every stretch of a sequence's scores (T,) that is a motion: it reaches `rise`, stays over
    `last` but for short pauses, and is no twitch."""
    over = score > last
    edges = np.flatnonzero(np.diff(np.concatenate([[False], over, [False]]).astype(int)))
    spans: list[tuple[int, int]] = []
    for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if spans and begin - spans[-1][1] < GAP_S * rate_hz:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((begin, end))
    return [(begin, end) for begin, end in spans if end - begin >= LEAST_S * rate_hz and score[begin:end].max() > rise]
