# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a side's joints stand among coordinates and targets: looked up once, since it is asked at every control step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...bodies.state import Frame
from ...maths.plain_rotations import Quaternion, from_rotvec
from .drawn import ROW

OUT = {"L": 1.0, "R": -1.0}
"""To which side outward is, left being positive."""
ARM_OUT_RAD = 0.12
"""Upper arms hang so far off the trunk that hands pass the thighs."""


@dataclass(frozen=True)
class Side:
    """The first coordinates of a side's joints, its knee and ankle among the targets, its thigh, and how its arm hangs."""

    shank: int
    foot: int
    arm: int
    forearm: int
    knee: int
    ankle: int
    thigh: Frame
    hangs: Quaternion

    @classmethod
    def of(cls, side: str, places: Mapping[str, int], thigh: Frame) -> Side:
        """One side of a body whose joints' coordinates begin at these places."""
        shank, foot, arm, forearm = (places[f"{name}_{side}"] for name in ("shank", "foot", "upper_arm", "forearm"))
        return cls(shank, foot, arm, forearm, ROW[f"knee_{side}"], ROW[f"ankle_{side}"], thigh,
                   from_rotvec((OUT[side] * ARM_OUT_RAD, 0.0, 0.0)))
