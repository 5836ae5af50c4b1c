# SPDX-License-Identifier: GPL-3.0-or-later
"""What a joint does when no muscle pulls: the range in which it hangs loose, and what tissue gives against leaving it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..specs.shot import EARTH_GRAVITY_M_S2
from .segments import Segment

STIFFNESS_SHARE, END_SHARE, DAMPING_RATIO = 0.3, 0.8, 0.2
"""Of a body that says nothing of its joints: stiffness and end moment over the moment of what the joint carries on Earth, and
the damping ratio of its swing. That of a relaxed human's knee: 2.5 and 8 N m against 10 N m, and a tenth to a fifth (Bajd and
Vodovnik 1984, the pendulum test)."""
LOOSE_SHARE = 0.9
"""Of such a body's joint limits: how much of them is loose."""


@dataclass(frozen=True)
class PassiveJoint:
    """The joint over a segment, relaxed. Angles [rad] of a hinge about its axis, of a ball the parts of its rotation vector.

    Within `low` to `high` (C,), of a ball an ellipsoid, only a weak spring to `rest` (C,) and a damper act; at its end tissue
    gives the moment `end_nm`, past it much more.
    """

    segment: str
    low: np.ndarray
    high: np.ndarray
    rest: np.ndarray
    stiffness_nm: float
    end_nm: float
    damping_nms: float


def joint_by_size(segment: Segment, segments: Sequence[Segment]) -> PassiveJoint:
    """The relaxed joint over one of a body's `segments`, as stiff as fits what it carries: the rule for joints of which nothing
    is known but their limits."""
    low, high = segment.limits_rad or (-math.pi / 2.0, math.pi / 2.0)
    moment, inertia = _carried(segment.name, segments)
    damping = 2.0 * DAMPING_RATIO * math.sqrt(moment * inertia)
    if segment.joint == "hinge":
        middle, half = 0.5 * (low + high), 0.5 * LOOSE_SHARE * (high - low)
        ends = np.array([middle - half]), np.array([middle + half]), np.array([np.clip(0.0, middle - half, middle + half)])
    else:
        cone = LOOSE_SHARE * high * np.array([1.0, 1.0, 0.5])  # a limb twists less than it swings
        ends = -cone, cone, np.zeros(3)
    return PassiveJoint(segment.name, *ends, STIFFNESS_SHARE * moment, END_SHARE * moment, damping)


def _carried(name: str, segments: Sequence[Segment]) -> tuple[float, float]:
    """Moment [N m] on Earth and inertia [kg m^2] about a joint of the segments that hang on it, stretched out sideways."""
    places = {name: np.zeros(3)}
    moment = inertia = 0.0
    for segment in segments:
        if segment.name != name and segment.parent not in places:
            continue
        if segment.name != name:
            places[segment.name] = places[segment.hangs_on] + segment.offset
        arm = float(np.linalg.norm(places[segment.name] + segment.com))
        moment += segment.mass_kg * EARTH_GRAVITY_M_S2 * arm
        inertia += segment.mass_kg * arm**2 + float(np.trace(segment.inertia)) / 3.0
    return moment, inertia
