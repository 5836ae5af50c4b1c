# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies as they are in truth where the controller knows another one: with a load, with one leg shorter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.makers import body_from_dict
from lope.addon.bodies.segments import Segment


def changed(body: Body, segments: dict[str, Segment]) -> Body:
    """The body with some of its segments replaced; of the same kind, with the same muscles."""
    data = body.to_dict()
    parts = type(body)([segments.get(s.name, s) for s in body.segments], body.contact_points, body.feet, roles=body.roles,
                       bare_mass_kg=body.bare_mass_kg, **({"landmarks": body.landmarks} if "landmarks" in data else {}))
    return body_from_dict(parts.to_dict())


def loaded(body: Body, segment: str, load_kg: float) -> Body:
    """The body with a load strapped to the middle of a segment, small against it."""
    old = body.segment(segment)
    mass = old.mass_kg + load_kg
    middle = 0.5 * old.tip
    com = (old.mass_kg * old.com + load_kg * middle) / mass
    inertia = old.inertia + old.mass_kg * _spread(old.com - com) + load_kg * _spread(middle - com)
    return changed(body, {segment: replace(old, mass_kg=mass, com=com, inertia=inertia)})


def _spread(away: np.ndarray) -> np.ndarray:
    """Inertia (3, 3) over mass of a point about another one."""
    return away @ away * np.eye(3) - np.outer(away, away)


def shorter_leg(body: Body, side: str, factor: float) -> Body:
    """The body with thigh and shank of a side as many times as long."""
    found = {}
    for upper, lower in ((f"thigh_{side}", f"shank_{side}"), (f"shank_{side}", f"foot_{side}")):
        old = found.get(upper, body.segment(upper))
        found[upper] = replace(old, tip=factor * old.tip, com=factor * old.com)
        found[lower] = replace(body.segment(lower), offset=factor * body.segment(lower).offset)
    return changed(body, found)
