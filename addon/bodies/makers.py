# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies from what a shot asks for, and from what a take stored. The planar body: seven links in the sagittal plane, as in Yin
2007 (section 7.3.1, and the authors' planar demonstration): a trunk that is head, arms and trunk in one, whose root is at the
hips, and two legs of thigh, shank and foot, named as a human's, which pass through each other. The
sagittal body: the same links with a human's lengths, masses and inertias: one from the hips up, toes and foot in one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from ..errors import InputError
from ..specs.creature import CREATURE
from ..specs.load import Load
from ..specs.shot import NO_SUIT, PLANAR_MASS_KG, SAGITTAL, BodySpec
from .body import Body, Capsule, ContactPoint, Foot, PassiveJoint, Segment
from .capsules import body_capsules
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
FLAT = np.array([1.0, 0.0, 1.0])
"""Takes a place into the sagittal plane."""
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


class Sagittal(Body):
    """A human's body in the sagittal plane, whose joints are as loose as his."""

    def __init__(self, human: Human) -> None:
        joints, legs = _neutral_joints(human), [foot.leg for foot in human.feet]
        middle = np.mean([joints[leg[0]] for leg in legs], axis=0)
        self._loose = {name: human.passive_joint(name) for leg in legs for name in leg}
        groups = {name: [human.segment(name)] for leg in legs for name in leg}
        for leg in legs:
            groups[leg[-1]] += [human.segment(name) for name in human.children(leg[-1])]
        below = {one.name for group in groups.values() for one in group}
        mass, com, inertia = _lumped([one for one in human.segments if one.name not in below], joints)
        tip = joints[human.role("head")] - middle
        segments = [Segment(TRUNK, None, "planar", np.zeros(3), FLAT * tip, mass, FLAT * (com - middle), inertia)]
        for leg in legs:
            for above, name in zip((TRUNK, *leg), leg, strict=False):
                own, (mass, com, inertia) = human.segment(name), _lumped(groups[name], joints)
                part = name.partition("_")[0]
                segments.append(Segment(
                    name, above, "hinge", np.zeros(3) if above == TRUNK else FLAT * own.offset, FLAT * own.tip, mass,
                    FLAT * (com - joints[name]), inertia, BACK if part == "shank" else FORE, LIMITS_RAD[part]))
        points: list[ContactPoint] = []
        feet: list[Foot] = []
        for foot in human.feet:
            sole = [human.contact_points[i] for i in foot.points]
            feet.append(Foot(foot.name, foot.side, foot.segment, foot.leg, (len(points), len(points) + 1)))
            points += [ContactPoint(f"{kind}_{foot.side}", foot.side, kind, foot.segment, FLAT * np.mean(
                [p.position for p in sole if p.kind == kind], axis=0), sole[0].radius_m) for kind in ("heel", "ball")]
        super().__init__(segments, points, feet, kind=KIND, bare_mass_kg=human.bare_mass_kg)
        self._thick = []
        for shape in body_capsules(human):
            if shape.segment in below - set(groups):
                continue  # toes that do not bend would dig into the ground as the heel rises: feet roll off their balls
            part_of = shape.segment if shape.segment in groups else TRUNK
            off = FLAT * (joints[shape.segment] - (middle if part_of == TRUNK else joints[part_of]))
            self._thick.append(replace(shape, segment=part_of, start=FLAT * shape.start + off, end=FLAT * shape.end + off))

    def drawn(self) -> tuple[Capsule, ...]:
        """See `Body.drawn`: the human's own, but for his toes."""
        return tuple(self._thick)

    def passive_joint(self, name: str) -> PassiveJoint:
        """See `Body.passive_joint`: as measured on relaxed people."""
        return self._loose[name]


def _neutral_joints(body: Body) -> dict[str, np.ndarray]:
    """Places (3,) [m] of the segments' joints in the neutral pose, from the root's."""
    joints = {body.segments[0].name: np.zeros(3)}
    for segment in body.segments[1:]:
        joints[segment.name] = joints[segment.hangs_on] + segment.offset
    return joints


def _lumped(segments: list[Segment], joints: Mapping[str, np.ndarray]) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass [kg], centre of mass (3,) [m] and inertia (3, 3) [kg m^2] about it of segments as one, in the neutral pose."""
    mass = sum(one.mass_kg for one in segments)
    places = [joints[one.name] + one.com for one in segments]
    com = np.sum([one.mass_kg * place for one, place in zip(segments, places, strict=True)], axis=0) / mass
    arms = [place - com for place in places]
    return mass, com, np.sum([one.inertia + one.mass_kg * (arm @ arm * np.eye(3) - np.outer(arm, arm))
                              for one, arm in zip(segments, arms, strict=True)], axis=0)


def _in_plane(place: tuple[float, float], size: float) -> np.ndarray:
    """A place (3,) [m] forward and up in the sagittal plane of a body of that size."""
    return size * np.array([place[0], 0.0, place[1]])


@lru_cache(maxsize=32)
def make_body(spec: BodySpec, suit: Suit | None = None, load: Load | None = None) -> Body:
    """The body of a spec, with a suit on and a load. Raises InputError for one on any other body than a human's. A planar body
    has the mass of the spec; it is as large as its landmarks' legs are long, or as tall as the spec says. It is the same one each
    time: a shot asks for its body often, and nobody changes it."""
    if spec.kind == HUMAN:
        return Human.from_spec(spec, suit, load)
    if load is not None:
        raise InputError("Only a human carries a load: leave it out, or choose a human's body.")
    if suit is not None and suit.name != NO_SUIT:
        whose = "creature" if spec.creature else "planar body"
        raise InputError(f"A {whose} wears no suit: take the suit off, or choose a human.")
    if spec.creature is not None:
        return make_creature(spec.creature)
    if spec.kind == SAGITTAL:
        return Sagittal(Human.from_spec(spec))
    size = spec.height_m / STATURE_M
    if spec.landmarks is not None:
        size = Human.from_spec(spec).leg_length_m / LEG_M
    return make_planar(size, spec.mass_kg)


def body_from_dict(data: Mapping[str, Any]) -> Body:
    """The body that `Body.to_dict` described, of any kind; old takes, which name none, hold humans. """
    kind = data.get("kind", HUMAN)
    if kind == HUMAN:
        return Human.from_dict(data)
    return (CreatureBody if kind == CREATURE and "creature" in data else Body).from_dict(data)
