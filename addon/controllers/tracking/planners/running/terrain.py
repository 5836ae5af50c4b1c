# SPDX-License-Identifier: GPL-3.0-or-later
"""The ground under a running body: heights are planned over a level, which on a plane is the plane itself under the COM.

Elsewhere it is the height of the foothold that the body stands on or comes down to. In flight nothing changes with it: the
horizontal velocity is constant, so the height over a plane falls as the height itself does. On the ground see `Terrain`.
"""

from __future__ import annotations

from ..foot_geometry import Footstep
from ..terrain import Terrain


class RunningTerrain(Terrain):
    """The ground as one running body uses it. After `over`, `level_m`, `rate` and `second` hold."""

    def over(self, com: complex, step: Footstep) -> None:
        """Take over where the COM is, and the footstep that the body stands on or comes down to."""
        if self.ground.level:
            return
        if self.ground.plane:
            self.follow(com, None, step, step)
        else:
            self.level_m = step.support.height_m
