# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast one goes uphill when nobody asks for a speed."""

from __future__ import annotations

import math

from ..path_spec import PathSpec
from ..worlds.ground_spec import GroundSpec

UPHILL_LOSS = 1.15
"""Share of the speed that is lost per slope (rise over run) uphill: 0.50 to 0.45 m/s at 5 degrees on the Moon (Kim 2017,
chapter VI). Downhill the speed of level ground is kept; the thesis's walker got faster there."""
LEAST_SHARE = 0.4
"""Share of the speed kept on the steepest slopes."""


def uphill_slope(ground: GroundSpec, path: PathSpec) -> float:
    """Largest slope (rise over run) that the way goes up; 0 on ground without one slope. A way that turns meets it all."""
    if ground.kind != "slope":
        return 0.0
    steepest = math.tan(math.radians(ground.slope_deg))
    if path.kind != "straight":
        return abs(steepest)
    return max(steepest * math.cos(math.radians(path.heading_deg - ground.direction_deg)), 0.0)


def slope_share(ground: GroundSpec, path: PathSpec) -> float:
    """Share of the speed on level ground that is kept on a way."""
    return max(1.0 - UPHILL_LOSS * uphill_slope(ground, path), LEAST_SHARE)
