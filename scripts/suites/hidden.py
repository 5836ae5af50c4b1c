# SPDX-License-Identifier: GPL-3.0-or-later
"""Hard cases of following a clip, by name (Lee 2014, section 3.4, and beyond), and bodies as they are in truth where the
controller knows another one: with a load, with one leg shorter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from lope.addon.bodies.body import Body, Segment
from lope.addon.bodies.makers import body_from_dict, make_body
from lope.addon.specs.path import GroundSpec
from lope.addon.specs.shot import BodySpec, Push, Shot


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


WAYS = {"front": (-1.0, 0.0), "rear": (1.0, 0.0), "right": (0.0, 1.0), "left": (0.0, -1.0)}
"""Which way a push goes that comes from there; the clip walks along x."""
PUSHES_N = {"front": 160.0, "rear": 130.0, "right": 80.0, "left": 105.0}
"""What the thesis withstood in its normal walk, at the torso's centre of mass."""
PUSH_S, PUSH_EVERY_S, FIRST_PUSH_S = 0.4, 4.0, 2.0
SLOPES_DEG = (6.0, -8.0, 8.0, -4.0)
LEGS = (0.5, 0.7, 1.3, 1.5)
LOADS = (("thigh_R", 15.0), ("shank_R", 5.0), ("shank_R", 15.0), ("chest", 15.0))
FRICTIONS = (0.3, 0.45, 0.6, 2.0)
SHORTER = 0.97


@dataclass(frozen=True)
class Hard:
    """What is done to a shot: `shot` changes it, `plant` the body in the engine, which the controller is not told."""

    kind: str
    name: str
    shot: Callable[[Shot], Shot] = lambda shot: shot
    plant: Callable[[Body], Body] | None = None


def pushed(way: str, force_n: float, until_s: float, first_s: float = FIRST_PUSH_S, push_s: float = PUSH_S) -> tuple[Push, ...]:
    """Pushes at the chest from a side, again and again until a time."""
    x, y = WAYS[way]
    count = max(int((until_s - first_s) / PUSH_EVERY_S), 1)
    return tuple(Push(first_s + i * PUSH_EVERY_S, push_s, (force_n * x, force_n * y, 0.0)) for i in range(count))


def scaled_legs(spec: BodySpec, factor: float) -> BodySpec:
    """The same figure on legs as many times as long: what is above the hips keeps its size, what is below goes with them."""
    landmarks = {name: np.array(point) for name, point in make_body(spec).landmarks.items()}
    for name, point in landmarks.items():
        stem, _, side = name.rpartition("_")
        if stem in ("knee", "ankle", "heel", "toes", "toe_tip"):
            hip = landmarks[f"hip_{side}"]
            landmarks[name] = hip + factor * (point - hip)
    floor = [0.0, 0.0, min(point[2] for point in landmarks.values())]
    return replace(spec, landmarks={name: tuple((point - floor).tolist()) for name, point in landmarks.items()})


def hard_cases(scale: float = 1.0, until_s: float = 42.0) -> list[Hard]:
    """All of them; `scale` multiplies the pushes."""

    def world(**fields: object) -> Callable[[Shot], Shot]:
        return lambda shot: replace(shot, world=replace(shot.world, **fields))

    found = [Hard("push", f"push {way} {scale * force_n:.0f} N", lambda shot, way=way, force_n=force_n: replace(
        shot, pushes=pushed(way, scale * force_n, until_s))) for way, force_n in PUSHES_N.items()]
    found += [Hard("slope", f"slope {deg:+g}", world(ground=GroundSpec(kind="slope", slope_deg=deg))) for deg in SLOPES_DEG]
    found += [Hard("legs", f"legs x {factor:g}", lambda shot, factor=factor: replace(
        shot, body=scaled_legs(shot.body, factor))) for factor in LEGS]
    found += [Hard("shorter", f"{side} leg 3 % shorter", plant=lambda body, side=side: shorter_leg(body, side, SHORTER))
              for side in "LR"]
    found += [Hard("load", f"{kg:g} kg on {name}", plant=lambda body, name=name, kg=kg: loaded(body, name, kg))
              for name, kg in LOADS]
    return found + [Hard("friction", f"friction {mu:g}", world(friction=mu)) for mu in FRICTIONS]
