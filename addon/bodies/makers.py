# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies from what a shot asks for, and from what a take stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InputError
from ..specs.creature import CREATURE
from ..specs.shot import NO_SUIT, BodySpec
from . import planar
from .body import Body
from .creature.body import CreatureBody, make_creature
from .human.body import KIND as HUMAN
from .human.body import Human
from .human.suit import Suit


def make_body(spec: BodySpec, suit: Suit | None = None) -> Body:
    """The body of a spec, with a suit on. Raises InputError for a suit on any other body than a human's.

    A planar body has the mass of the spec; it is as large as a figure with the spec's landmarks has long legs, or as tall as the
    spec says."""
    if spec.kind == HUMAN:
        return Human.from_spec(spec, suit)
    if suit is not None and suit.name != NO_SUIT:
        whose = "creature" if spec.creature else "planar body"
        raise InputError(f"A {whose} wears no suit: take the suit off, or choose a human.")
    if spec.creature is not None:
        return make_creature(spec.creature)
    size = spec.height_m / planar.STATURE_M
    if spec.landmarks is not None:
        size = Human.from_spec(spec).leg_length_m / planar.LEG_M
    return planar.make_planar(size, spec.mass_kg)


def body_from_dict(data: Mapping[str, Any]) -> Body:
    """The body that `Body.to_dict` described, of any kind; old takes, which name none, hold humans. A creature that was not drawn
    is a body like any other."""
    kind = data.get("kind", HUMAN)
    if kind == HUMAN:
        return Human.from_dict(data)
    return (CreatureBody if kind == CREATURE and "creature" in data else Body).from_dict(data)
