# SPDX-License-Identifier: GPL-3.0-or-later
"""Which state of one machine of key poses is which of another's."""

from __future__ import annotations

from collections.abc import Sequence

from ...specs.pose_gait import PoseState


def alike(states: Sequence[PoseState], at: int, others: Sequence[PoseState]) -> int:
    """Which of another gait's states is the one at a place of a cycle: of the same swinging leg, as far through its states; where
    that leg never swings there, as far through the cycle."""
    ours, theirs = _run(states, at), [i for i, state in enumerate(others) if state.swing == states[at].swing]
    if not theirs:
        return round(at / len(states) * len(others)) % len(others)
    first = next((i for i in theirs if others[i - 1].swing != others[i].swing), theirs[0])
    run = _run(others, first)
    return run[min(round(ours.index(at) / len(ours) * len(run)), len(run) - 1)]


def _run(states: Sequence[PoseState], at: int) -> list[int]:
    """The places, in their order, of the states about one in which its leg swings without a break."""
    def one_leg(i: int) -> bool:
        return states[i % len(states)].swing == states[at].swing

    first = at
    while one_leg(first - 1) and first > at - len(states) + 1:
        first -= 1
    last = at
    while one_leg(last + 1) and last < first + len(states) - 1:
        last += 1
    return [i % len(states) for i in range(first, last + 1)]
