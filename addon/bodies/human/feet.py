# SPDX-License-Identifier: GPL-3.0-or-later
"""The feet of a human body and their contact points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ..segments import ContactPoint, Foot, Segment
from .landmarks import SIDES

HEEL_HALF_WIDTH, BALL_HALF_WIDTH = 0.12, 0.17
"""Half widths of the foot at heel and ball as fractions of its length (Winter 2009; a shoe is a little wider)."""
STIFF_TIP_SHARE = 0.6
"""Half width of a toe-less foot's tip over that of the ball: a shoe narrows towards it."""
LEG = ("thigh", "shank", "foot")
"""The segments of a leg, from the hip to the foot."""


def human_feet(points: Sequence[ContactPoint]) -> list[Foot]:
    """Left and right foot with their points, which are `contact_points`'."""
    return [Foot(side, side, f"foot_{side}", tuple(f"{name}_{side}" for name in LEG),
                 tuple(i for i, point in enumerate(points) if point.side == side)) for side in SIDES]


def contact_points(p: Mapping[str, np.ndarray], segments: Sequence[Segment]) -> list[ContactPoint]:
    """Heel (2), ball (2) and toe (1, without toes 2) points of each foot, from the foot's own length, on the sole plane z = 0.

    A foot without toes rolls over its tip alone: over a single point there it could not keep from falling to the side.
    """
    names = {s.name for s in segments}
    points = []
    for side in SIDES:
        ankle, heel, tip = p[f"ankle_{side}"], p[f"heel_{side}"], p[f"toe_tip_{side}"]
        length = float(tip[0] - heel[0])
        radius = 0.025 * length
        ball_x = p[f"toes_{side}"][0] if f"toes_{side}" in p else heel[0] + 0.72 * length
        y, z = ankle[1], tip[2] + radius  # straightening legs that rest apart lowers the sole
        toe_segment = f"toes_{side}" if f"toes_{side}" in names else f"foot_{side}"
        toe_origin = p[f"toes_{side}"] if toe_segment.startswith("toes") else ankle
        rows = [
            ("heel_in", "heel", heel[0] + radius, -HEEL_HALF_WIDTH), ("heel_out", "heel", heel[0] + radius, HEEL_HALF_WIDTH),
            ("ball_in", "ball", ball_x, -BALL_HALF_WIDTH), ("ball_out", "ball", ball_x, BALL_HALF_WIDTH),
        ]
        front = ([("toe", -0.35)] if toe_segment.startswith("toes")
                 else [("toe_in", -STIFF_TIP_SHARE), ("toe_out", STIFF_TIP_SHARE)])
        rows += [(name, "toe", tip[0] - radius, share * BALL_HALF_WIDTH) for name, share in front]
        outward = 1.0 if side == "L" else -1.0
        for name, kind, x, lateral in rows:
            segment, origin = (toe_segment, toe_origin) if kind == "toe" else (f"foot_{side}", ankle)
            place = np.array([x, y + outward * lateral * length, z]) - origin
            points.append(ContactPoint(f"{name}_{side}", side, kind, segment, place, radius))
    return points
