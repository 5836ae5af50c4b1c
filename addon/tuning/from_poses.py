# SPDX-License-Identifier: GPL-3.0-or-later
"""Mixtures of a gait that walks with key poses as they were drawn, where a search for a gait of these poses begins."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ..specs.pose_gait import PoseGait, PoseState

LENT = ("stance_knee", "stance_ankle", "swing_hip", "swing_hip_outward", "swing_knee", "swing_ankle", "torso")
"""What a base lends; the upper body is the poses' own from the beginning."""
STARTS = ((0.5, 1.0, 0.0), (0.8, 1.0, 0.0), (0.0, 1.0, 0.0), (0.5, 0.7, 0.5), (0.0, 1.0, 0.5), (0.3, 1.0, 0.0), (0.0, 1.0, 1.0),
          (1.0, 1.0, 0.0), (0.0, 1.0, -0.6))
"""Shares of the poses, shares of their times, and the speed that is asked for [m/s]; a body that leans goes by itself. What
comes first stood most often."""

SPINE, MOST_BENT_RAD = "lower_spine", 0.6
"""The joint above the pelvis, and how far it is bent forward or back at most; with what else turns it, it does 0.78."""

Told = Callable[[float, str], None]


@dataclass(frozen=True)
class Given:
    """A part of a pose that had to give: which pose (from 1), what of it in words, and by how much [rad]."""

    state: int
    words: str
    angle_rad: float

    def __str__(self) -> str:
        return f"pose {self.state}: {self.words} by {math.degrees(self.angle_rad):+.0f} degrees"


def mixed(base: PoseGait, gait: PoseGait, share: float, time: float = 1.0, asked_m_s: float = 0.0) -> PoseGait:
    """The gait whose angles lie between those of a base and its own, by a share, whose states last as long as its own times a
    factor, and that asks for a speed; all else is its own. A base of other states lends those of its that come at the same
    point of a step."""
    states = []
    for i, state in enumerate(gait.states):
        last = i + 1 == len(gait.states) or gait.states[i + 1].swing != state.swing  # of its leg's step
        from_ = base.states[-1 if last else 0]
        changed = {name: round(getattr(from_, name) + share * (getattr(state, name) - getattr(from_, name)), 3) for name in LENT}
        lasts_s = state.lasts_s and round(time * state.lasts_s, 3)
        gains = {name: getattr(from_, name) for name in ("cd", "cv", "cd_outward", "cv_outward")}
        states.append(carried(replace(state, lasts_s=lasts_s, **gains, **changed), state))
    return replace(gait, states=tuple(states), ahead_m_s=round(asked_m_s - gait.speed_m_s, 3))


def carried(state: PoseState, drawn: PoseState, sag_rad: float = 0.0) -> PoseState:
    """A state whose pelvis leans otherwise than in the pose that was drawn, with chest, head and arms as they were drawn: the
    spine makes up for the pelvis, which has to balance. The pelvis comes `sag_rad` farther back than it is drawn to."""
    upper = dict(drawn.upper or {})
    x, y, z = upper.get(SPINE, (0.0, 0.0, 0.0))
    bent = min(max(y + state.torso + sag_rad - drawn.torso, -MOST_BENT_RAD), MOST_BENT_RAD)
    return replace(state, upper={**upper, SPINE: (x, round(bent, 3), z)})


def starts(base: PoseGait, gait: PoseGait) -> Iterator[PoseGait]:
    """The mixtures that a search may begin with."""
    return (mixed(base, gait, *start) for start in STARTS)
