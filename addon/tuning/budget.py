# SPDX-License-Identifier: GPL-3.0-or-later
"""How much a search for a gait from poses may try."""

from __future__ import annotations

from dataclasses import dataclass

EVALUATIONS, MOST_EVALUATIONS = 140, 100000
"""Trials of the search, and the most that may be asked for."""
SEARCHING = "searching for what comes nearest to the poses"
"""What is told while it can be ended with the best so far."""


@dataclass(frozen=True)
class Budget:
    """Evaluations of the search, and minutes after which it ends with the best so far; None for no end. The same seed and
    evaluations give the same gait, where no minutes end it."""

    evaluations: int = EVALUATIONS
    minutes: float | None = None
    seed: int = 0
