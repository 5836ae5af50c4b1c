# SPDX-License-Identifier: GPL-3.0-or-later
"""One swing of a followed foot."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from ...bodies.body import Body
from ...bodies.human.landmarks import SIDES
from ...maths.plain_rotations import rotated
from ..tracking.planners.foot_geometry import FootGeometry
from .pose import unit
from .track import Instant

STILL = np.zeros(3)


@dataclass
class Swing:
    """A foot on its way, from a clip time to another: how far ankle (3,) and rotation (rotation vector (3,)) were from the
    clip's when it lifted, the velocity that it had beyond its path's [m / clip s], its toe's extension, the raise at its
    middle [m], and the path's velocity over the ground at its strike (3,) [m / clip s], of which it is rid until then."""

    start_s: float
    end_s: float
    away_m: np.ndarray
    turned: np.ndarray
    drift: np.ndarray
    toe: float = 0.0
    raise_m: float = 0.0
    arrival: np.ndarray = field(default_factory=lambda: STILL)


def toe_over(geometry: FootGeometry, ankle_m: float, pitch: float) -> float:
    """Least extension of the toes [rad] of a foot of a pitch that keeps their tip off the ground `ankle_m` below its ankle."""
    if not geometry.has_toes:
        return 0.0
    ball_m = ankle_m - math.cos(pitch) * geometry.ankle_height_m - math.sin(pitch) * geometry.ball_x
    steepest = min(max(ball_m / (geometry.tip_x - geometry.ball_x), -1.0), 1.0)
    return max(pitch - math.asin(steepest), 0.0)


def sunk_m(body: Body, side: str, instant: Instant) -> float:
    """How far [m] a clip has a foot in the ground, in the air as it is."""
    i = SIDES.index(side)
    turn, low = unit(instant.foot_quaternion[i]), math.inf
    for point in body.contact_points:
        if point.segment == f"foot_{side}":
            low = min(low, rotated(turn, point.position.tolist())[2] - point.radius_m)
    return max(-float(instant.ankle_m[i][2]) - low, 0.0)
