# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the hips are, and swinging feet drawn in that their legs could not reach."""

from __future__ import annotations

import math

import numpy as np

from .....bodies.body import Body
from .....maths.curves import smooth
from .....maths.quaternions import matrix_from_quat, quat_from_rotvec
from ..foot_path import FootPose
from ..foot_targets import SIDES
from .settings import RunningSettings

SOFT = 0.05
"""Length over the leg's within which a foot is stopped."""
EARLY = 0.4
"""Share of the swing in which the leg's reach becomes the one that it may land with."""


class HipReach:
    """The hips of one body under its planned COM."""

    def __init__(self, body: Body, settings: RunningSettings) -> None:
        self._offsets = {side: np.asarray(body.segment(f"thigh_{side}").offset) for side in SIDES}
        self.leg_m = body.leg_length_m
        self._most, self._begun = (share * body.leg_length_m for share in settings.swing_reach)

    def places(self, com: complex, height: float, direction: complex, row: np.ndarray) -> dict[str, np.ndarray]:
        """Places (3,) of both hips, world axes, for a COM at `com`, `height` [m] and the tables' row of the phase."""
        turn = matrix_from_quat(quat_from_rotvec(row[4:7]))
        found = {}
        for side, offset in self._offsets.items():
            x, y, z = (row[1:4] + turn @ offset).tolist()
            place = com + complex(x, y) * direction
            found[side] = np.array([place.real, place.imag, height + z])
        return found

    def draw_in(self, foot: FootPose, hip: np.ndarray, share: float) -> None:
        """Move a foot's ankle towards its hip where the leg would be all but straight; smoothly, so that the knee slows down
        before it stops. A foot that has just left the ground (`share` of its swing) may be as far as it was there."""
        line = foot.ankle - hip
        length = math.sqrt(float(line @ line))
        room = SOFT * self.leg_m
        free = self._begun + smooth(share / EARLY) * (self._most - self._begun) - room
        if length > free:
            foot.ankle[:] = hip + line * ((free + room * math.tanh((length - free) / room)) / length)
