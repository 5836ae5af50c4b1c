# SPDX-License-Identifier: GPL-3.0-or-later
"""The whole strides of a take: where they begin and end, and averages over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..take import Take

SKIPPED = 2
"""Strides at the start of a take that no mean counts: the character is still getting under way."""

SHORTEST_S = 0.2
"""The shortest stride a Shot may ask for (5 strides a second): a strike that follows sooner is a bounce of the landing."""

STRIKE, LEFT = 0, 0


@dataclass(frozen=True)
class WholeStrides:
    """Strides from left strike to left strike; `time_s` (N+1,) are their boundaries, N >= 1."""

    time_s: np.ndarray

    @property
    def count(self) -> int:
        """How many whole strides there are."""
        return len(self.time_s) - 1

    @property
    def duration_s(self) -> float:
        """Time from the first boundary to the last."""
        return float(self.time_s[-1] - self.time_s[0])

    def rows(self, time_s: np.ndarray) -> np.ndarray:
        """Which samples (T,) bool lie in the strides. Both ends count: a sample stands for the interval that ends there."""
        return (time_s > self.time_s[0]) & (time_s <= self.time_s[-1])

    def stride_of(self, time_s: np.ndarray) -> np.ndarray:
        """Number of the stride at each time, -1 before the first and after the last."""
        number = np.searchsorted(self.time_s, time_s, side="right") - 1
        return np.where(number < self.count, number, -1)

    def at_boundaries(self, time_s: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Values (T, ...) interpolated to the boundaries (N+1, ...)."""
        flat = values.reshape(len(time_s), -1)
        columns = [np.interp(self.time_s, time_s, column) for column in flat.T]
        return np.stack(columns, axis=1).reshape(len(self.time_s), *values.shape[1:])


def end_of_walking_s(take: Take) -> float:
    """Time of the fall, or of the last sample."""
    fell = take.stats["time_fell_s"]
    return float(take.time_s[-1]) if fell is None else min(float(fell), float(take.time_s[-1]))


def whole_strides(take: Take) -> WholeStrides | None:
    """Strides after the first `SKIPPED`, up to a fall; None when not one whole stride is left."""
    strikes = take.event_time_s[(take.event_kind == STRIKE) & (take.event_side == LEFT)]
    inside = (strikes >= take.time_s[0]) & (strikes <= end_of_walking_s(take))
    boundaries = without_bounces(np.sort(strikes[inside]))[SKIPPED:]
    return WholeStrides(boundaries) if len(boundaries) >= 2 else None


def without_bounces(strikes_s: np.ndarray) -> np.ndarray:
    """Ascending strike times (K,) without those that follow a kept one by less than `SHORTEST_S`."""
    kept: list[float] = []
    for strike in strikes_s:
        if not kept or strike - kept[-1] >= SHORTEST_S:
            kept.append(float(strike))
    return np.array(kept)


def sample_lengths_s(time_s: np.ndarray) -> np.ndarray:
    """Length (T,) of the interval that ends at each sample; the first sample has none."""
    return np.diff(time_s, prepend=time_s[0])
