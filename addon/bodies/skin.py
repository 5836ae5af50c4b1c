# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin of a figure that is thicker or thinner than its flesh would be at the density of people's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from .body import Body
from .capsules import CORE_SHARE, body_capsules
from .segments import Segment, kind_of

MOST_OVER_FLESH, MOST_OF_HEAD = 3.0, 0.6
"""Largest radius of skin over that of the flesh, of a head over its height: what is farther out is hair, a skirt or a cape,
which gives way."""


def in_skin(body: Body, skin_m: Mapping[str, tuple[float, float]]) -> list[Segment]:
    """The segments of a body whose skin has these radii and middles ahead of the joints' lines [m], by segment without its side;
    others keep their flesh's. What lies between flesh and skin counts as worn."""
    radii = {shape.segment: shape.radius_m for shape in body_capsules(body)}
    made = []
    for segment in body.segments:
        wanted, flesh = skin_m.get(kind_of(segment.name)), radii[segment.name]
        if wanted is not None:
            head = segment.name == body.roles.get("head")
            radius, ahead = wanted
            most = max(MOST_OVER_FLESH * flesh, MOST_OF_HEAD * float(np.linalg.norm(segment.tip)) if head else 0.0)
            segment = replace(segment, worn_m=min(max(radius, CORE_SHARE * flesh), most) - flesh, ahead_m=ahead)
        made.append(segment)
    return made
