# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies from what a shot asks for, and from what a take stored.

The planar body: seven links in the sagittal plane, as in Yin 2007 (section 7.3.1, and the authors' planar demonstration).

A trunk that is head, arms and trunk in one, and two legs of thigh, shank and foot, which pass through each other. Its root is at
the hips, both of which are there. Segments of the legs are named as a human's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..errors import InputError
from ..specs.creature import CREATURE
from ..specs.shot import NO_SUIT, PLANAR_MASS_KG, BodySpec
from .body import Body, ContactPoint, Foot, Segment
from .creature.body import CreatureBody, make_creature
from .human.body import KIND as HUMAN
from .human.body import Human
from .human.landmarks import SIDES
from .human.suit import Suit

KIND = "planar"
TRUNK = "trunk"
MASS_KG, STATURE_M = PLANAR_MASS_KG, 1.80
"""Of the thesis's body: its mass is printed; that it is as tall as our standard body is our guess."""
LEG_M = 0.90
"""Of the thesis's body, from hip to ankle."""
TRUNK_M, THIGH_M, SHANK_M = 0.48, 0.45, 0.45
MASSES_KG = {TRUNK: 70.0, "thigh": 5.0, "shank": 4.0, "foot": 1.0}
INERTIAS_KG_M2 = {TRUNK: 1.475, "thigh": 0.0885, "shank": 0.0696, "foot": 0.01}
HEEL_M, TOE_M, SOLE_M = -0.04, 0.12, -0.04
"""Of the foot's two points, from the ankle ahead and up; the front one is where a human has the ball of the foot."""
POINT_RADIUS_M = 0.005
"""Of the spheres with which heel and toe touch an engine's ground: small, as the thesis has points (first guess)."""
BACK, FORE = np.array([0.0, 1.0, 0.0]), np.array([0.0, -1.0, 0.0])
"""Axes of joints whose angle is positive where what hangs on them goes backward, and forward."""
LIMITS_RAD = {"thigh": (-1.0, 3.0), "shank": (0.0, 3.0), "foot": (-2.0, 2.0)}
"""Of hip and knee the demonstration's, but for a knee that may be straight; the ankle's are out of reach."""


def make_planar(size: float = 1.0, mass_kg: float = MASS_KG) -> Body:
    """The thesis's body, so many times as large, and as heavy."""
    heavy = mass_kg / MASS_KG

    def segment(name: str, parent: str | None, joint: str, offset: tuple[float, float], tip: tuple[float, float],
                com: tuple[float, float], axis: np.ndarray | None = None) -> Segment:
        kind = name.partition("_")[0]
        inertia = INERTIAS_KG_M2[kind] * heavy * size**2
        return Segment(name, parent, joint, _in_plane(offset, size), _in_plane(tip, size), MASSES_KG[kind] * heavy,
                       _in_plane(com, size), inertia * np.diag([1.0, 1.0, 0.5]), axis, LIMITS_RAD.get(kind))

    segments = [segment(TRUNK, None, "planar", (0.0, 0.0), (0.0, TRUNK_M), (0.0, 0.5 * TRUNK_M))]
    points: list[ContactPoint] = []
    feet: list[Foot] = []
    for side in SIDES:
        leg = tuple(f"{part}_{side}" for part in ("thigh", "shank", "foot"))
        thigh, shank, foot = leg
        segments += [
            segment(thigh, TRUNK, "hinge", (0.0, 0.0), (0.0, -THIGH_M), (0.0, -0.5 * THIGH_M), FORE),
            segment(shank, thigh, "hinge", (0.0, -THIGH_M), (0.0, -SHANK_M), (0.0, -0.5 * SHANK_M), BACK),
            segment(foot, shank, "hinge", (0.0, -SHANK_M), (TOE_M, SOLE_M), (0.5 * (HEEL_M + TOE_M), 0.5 * SOLE_M), FORE)]
        feet.append(Foot(side, side, foot, leg, (len(points), len(points) + 1)))
        radius = POINT_RADIUS_M * size
        points += [ContactPoint(f"{kind}_{side}", side, kind, foot, _in_plane((x, SOLE_M + POINT_RADIUS_M), size), radius)
                   for kind, x in (("heel", HEEL_M), ("ball", TOE_M))]
    return Body(segments, points, feet, kind=KIND)


def _in_plane(place: tuple[float, float], size: float) -> np.ndarray:
    """A place (3,) [m] forward and up in the sagittal plane of a body of that size."""
    return size * np.array([place[0], 0.0, place[1]])


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
    size = spec.height_m / STATURE_M
    if spec.landmarks is not None:
        size = Human.from_spec(spec).leg_length_m / LEG_M
    return make_planar(size, spec.mass_kg)


def body_from_dict(data: Mapping[str, Any]) -> Body:
    """The body that `Body.to_dict` described, of any kind; old takes, which name none, hold humans. A creature that was not drawn
    is a body like any other."""
    kind = data.get("kind", HUMAN)
    if kind == HUMAN:
        return Human.from_dict(data)
    return (CreatureBody if kind == CREATURE and "creature" in data else Body).from_dict(data)
