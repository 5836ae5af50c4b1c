# SPDX-License-Identifier: GPL-3.0-or-later
"""The outside of a Body as capsules, one or two a segment, for whatever of it meets the ground beside the soles; its skin, and
which shapes bar each other's way. Sizes follow from the tree alone, so that any body has them: a limb's segment is a cylinder of
its own mass at the density of flesh, rounded over its joints; the trunk, from the root to the last segment that carries limbs, is
as thick all along. Feet stand on their contact spheres: their capsules keep clear of the ground that a sole stands or rolls on. A
captured motion, on a body of other proportions, goes a little through itself and through the ground: where it is played exactly,
each pair of shapes may come as deep into each other as it has them, and no deeper."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from dataclasses import replace

import mujoco
import numpy as np

from .body import Body, Capsule, Segment, kind_of
from .muscle import text_of

DENSITY_KG_M3 = 1050.0
"""Mean density of limbs and trunk (Winter, "Biomechanics and Motor Control of Human Movement", table 4.1; de Leva 1996)."""
WIDEST_OVER_PARENT = 1.25
"""A limb's segment is at most this much thicker than the one above it: a stump with the mass of a limb would be a ball."""
SOLE_CLEARANCE_M = 0.005
"""Height at which the capsules of a foot that stands flat stay over the ground."""
LEAST_RADIUS_M = 0.005
OFF_MIDDLE_M = 1e-3
"""A joint farther from the plane of symmetry belongs to a limb."""
LEG_PARTS = ("thigh", "shank", "foot")
CORE_SHARE = 0.75
"""Radius at which segments bar each other's way, over that of their flesh, which gives way (first guess)."""
CORE_GAP_M = 0.01
"""Segments whose cores are nearer than this in the neutral pose may pass through each other."""


def body_capsules(body: Body) -> tuple[Capsule, ...]:
    """The capsules of a body, dressed, in the order of its segments; those of what it carries come last."""
    if drawn := body.drawn():
        return (*drawn, *body.carried())
    children: dict[str, list[Segment]] = {s.name: [] for s in body.segments}
    for segment in body.segments[1:]:
        children[segment.hangs_on].append(segment)
    trunk = _trunk(body, children)
    depth, apart = _trunk_size([body.segment(name) for name in trunk], children[trunk[0]])
    made: list[Capsule] = []
    radii: dict[str, float] = {}
    for segment in body.segments:
        name = f"{segment.name}_capsule"
        if segment.name in trunk:
            radii[segment.name] = depth
            end = _short_of(segment.tip, depth) if segment.name == trunk[-1] else segment.tip
            for i, side in enumerate((1.0, -1.0) if apart else (0.0,)):
                across = np.array([segment.ahead_m, side * apart, 0.0])
                radius_m = depth + segment.worn_m
                made.append(Capsule(f"{name}_{i}", segment.name, across, end + across, radius_m, CORE_SHARE * depth))
            continue
        end, radius, worn = _limb(segment, children[segment.name], body)
        radius = min(radius, WIDEST_OVER_PARENT * radii[segment.hangs_on])
        radii[segment.name] = radius
        if not children[segment.name]:
            end = _short_of(end, radius)
        ahead = np.array([segment.ahead_m, 0.0, 0.0])
        made.append(Capsule(name, segment.name, ahead, end + ahead, radius + worn, CORE_SHARE * radius))
    return (*made, *body.carried())


def leg_pairs(body: Body) -> list[tuple[Capsule, Capsule]]:
    """Capsules of the left leg with those of the right one that they must not go into: all but the two thighs."""
    legs: dict[str, list[Capsule]] = {"L": [], "R": []}
    for capsule in body_capsules(body):
        part, _, side = capsule.segment.rpartition("_")
        if part in LEG_PARTS and side in legs:
            legs[side].append(capsule)
    return [(one, other) for one in legs["L"] for other in legs["R"]
            if not (one.segment.startswith("thigh") and other.segment.startswith("thigh"))]


def passing_pairs(body: Body, capsules: tuple[Capsule, ...]) -> list[tuple[str, str]]:
    """Pairs of segments that may pass through each other: neighbours in the tree, and whose cores all but touch at rest."""
    origin: dict[str, np.ndarray] = {}
    for s in body.segments:
        origin[s.name] = s.offset + (origin[s.parent] if s.parent else 0.0)
    found = {(s.hangs_on, s.name) for s in body.segments[1:]}
    for i, one in enumerate(capsules):
        for other in capsules[:i]:
            if one.segment != other.segment:
                distance = line_distance(one.start + origin[one.segment], one.end + origin[one.segment],
                                    other.start + origin[other.segment], other.end + origin[other.segment])
                if distance < one.core_m + other.core_m + CORE_GAP_M:
                    found.add((other.segment, one.segment))
    return sorted(found)


def line_distance(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> float:
    """Least distance [m] of the straight pieces from `a` to `b` and from `c` to `d`, all (3,)."""
    u, v, w = b - a, d - c, a - c
    uu, uv, vv, uw, vw = u @ u, u @ v, v @ v, u @ w, v @ w
    crossed = uu * vv - uv * uv
    s = np.clip((uv * vw - vv * uw) / crossed, 0.0, 1.0) if crossed > 1e-12 else 0.0
    t = np.clip((uv * s + vw) / vv, 0.0, 1.0) if vv > 1e-12 else 0.0
    s = np.clip((uv * t - uw) / uu, 0.0, 1.0) if uu > 1e-12 else 0.0
    return float(np.linalg.norm(w + s * u - t * v))


def _trunk(body: Body, children: dict[str, list[Segment]]) -> tuple[str, ...]:
    """Names of the segments from the root to the farthest one in the body's plane of symmetry with limbs at its sides."""
    longest: tuple[str, ...] = (body.segments[0].name,)
    for segment in body.segments:
        way = body.way_to(segment.name)
        limbs = any(abs(child.offset[1]) > OFF_MIDDLE_M for child in children[segment.name])
        central = all(abs(body.segment(name).offset[1]) <= OFF_MIDDLE_M for name in way)
        if limbs and central and len(way) > len(longest):
            longest = way
    return longest


def _trunk_size(trunk: list[Segment], limbs: list[Segment]) -> tuple[float, float]:
    """Radius [m] of the trunk's capsules and their distance [m] from its middle; `limbs` are the root's children. The section is
    that of two capsules side by side, as far apart as half the hips; its area is the trunk's volume over its length. """
    length = max(sum(float(np.linalg.norm(s.tip)) for s in trunk), 0.02)
    area = sum(_flesh_kg(s) for s in trunk) / (DENSITY_KG_M3 * length)
    apart = 0.5 * max((abs(c.offset[1]) for c in limbs), default=0.0)
    return (math.sqrt(4.0 * apart**2 + math.pi * area) - 2.0 * apart) / math.pi, apart


def _limb(segment: Segment, children: list[Segment], body: Body) -> tuple[np.ndarray, float, float]:
    """End (3,), radius [m] and cover [m] of a limb's segment, a cylinder of its flesh; a foot's stays over its sole."""
    end = children[0].offset if len(children) == 1 else segment.tip
    radius = math.sqrt(_flesh_kg(segment) / (DENSITY_KG_M3 * math.pi * max(float(np.linalg.norm(end)), 0.02)))
    sole = _sole_m([segment], body)
    if sole == -math.inf:
        room = max(-_sole_m(children, body) - SOLE_CLEARANCE_M, LEAST_RADIUS_M)  # under an ankle
        radius = min(radius, room)
        return end, radius, min(segment.worn_m, room - radius)
    low = min(0.0, end[2]) if children else 0.0
    radius = max(min(radius, low - sole - SOLE_CLEARANCE_M), LEAST_RADIUS_M)
    return np.array([end[0], end[1], max(end[2], sole + radius + SOLE_CLEARANCE_M)]), radius, 0.0


def _sole_m(segments: list[Segment], body: Body) -> float:
    """Height [m] of the lowest contact point in the frame of its segment, one of these; minus infinity without any."""
    names = {s.name for s in segments}
    return min((p.position[2] - p.radius_m for p in body.contact_points if p.segment in names), default=-math.inf)


def _flesh_kg(segment: Segment) -> float:
    return segment.mass_kg if segment.flesh_kg is None else segment.flesh_kg


def _short_of(end: np.ndarray, radius: float) -> np.ndarray:
    length = float(np.linalg.norm(end))
    return end * max(1.0 - radius / length, 0.0) if length > 0.0 else end


Bars = Mapping[tuple[str, str], float]
"""How deep [m] two shapes of the model, by their names, may come into each other."""
CORE = "{}_bar"
"""What the core of a capsule is called that bars."""
APART_M = 0.05
"""Shapes that are farther apart than this all through a motion: how far does not matter."""


def bar_pairs(body: Body, grounds: Iterable[str]) -> list[tuple[str, str]]:
    """Names of shapes that bar each other: cores of segments that are no neighbours, and each ground and contact point."""
    shapes = body_capsules(body)
    passing = set(passing_pairs(body, shapes))
    cores = [(CORE.format(other.name), CORE.format(one.name)) for i, one in enumerate(shapes) for other in shapes[:i]
             if one.segment != other.segment and not passing & {(other.segment, one.segment), (one.segment, other.segment)}]
    return cores + [(ground, point.name) for ground in grounds for point in body.contact_points]


def add_bars(root: ET.Element, elements: Mapping[str, ET.Element], body: Body, bars: Bars, core: Mapping[str, str],
             ground: Mapping[str, str]) -> None:
    """Shapes and pairs of the model's text; `core` and `ground` say how firm contacts of cores and of the ground are."""
    named = {name for pair in bars for name in pair}
    for shape in body_capsules(body):
        if CORE.format(shape.name) not in named:
            continue
        ends = np.concatenate([shape.start, shape.end + (0.0, 0.0, 1e-6)])
        ET.SubElement(elements[shape.segment], "geom", name=CORE.format(shape.name), type="capsule", mass="0", contype="0",
                      conaffinity="0", size=repr(float(shape.core_m)), fromto=text_of(ends))
    points = {point.name for point in body.contact_points}
    contact = ET.SubElement(root, "contact")
    for (one, other), depth in bars.items():
        pair = {"geom1": one, "geom2": other, "margin": repr(-float(depth)), **(ground if other in points else core)}
        ET.SubElement(contact, "pair", pair)


def depths_along(model: mujoco.MjModel, pairs: Iterable[tuple[str, str]], poses: np.ndarray) -> dict[tuple[str, str], float]:
    """How deep [m] pairs of a model's shapes are in each other at most in some poses (N, nq); 0 where they never touch."""
    data, numbers = mujoco.MjData(model), {pair: tuple(model.geom(name).id for name in pair) for pair in pairs}
    found = dict.fromkeys(numbers, 0.0)
    for pose in poses:
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        for pair, (one, other) in numbers.items():
            found[pair] = max(found[pair], -mujoco.mj_geomDistance(model, data, one, other, APART_M, None))
    return found


MOST_OVER_FLESH, MOST_OF_HEAD = 3.0, 0.6
"""Largest radius of skin over that of the flesh, of a head over its height: what is farther out is hair or cloth."""


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
