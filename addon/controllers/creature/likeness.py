# SPDX-License-Identifier: GPL-3.0-or-later
"""How like two bodies are to the law that moves them: proportions without size, mass or gravity, by their structure alone."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from ...bodies.body import Body
from .layout import Layout
from .timing import straight_leg_m

MOST_SEGMENTS = 4
"""Segments of a leg, foot not counted, that are told apart."""
WEIGHTS: tuple[tuple[str, float], ...] = (("leg_", 1.0), ("bend_", 0.5), ("drawn_", 3.0), ("hips", 1.5), ("toe", 1.0),
                                          ("heel", 1.0), ("mass_", 2.0), ("above", 0.5), ("ahead", 1.5), ("spin_", 1.0))
"""How much a difference counts, by the beginnings of names (first guesses)."""
SPEED_WEIGHT = 0.7
"""How much the logarithm of two dimensionless speeds' ratio counts beside it."""


def proportions(body: Body) -> dict[str, float]:
    """Of a body with two legs, lengths over the leg's, masses over the whole: the shares of the leg's segments from the hip
    down, which way each joint is bent in the drawing [rad], how long the leg is drawn; the hips' distance, the sole ahead of and
    behind the ankle; the legs' mass; and of all else how far over and ahead of the hips it weighs, and its radii of gyration in
    pitch, roll and yaw about the hips. Raises BodyError for a body that has no such legs."""
    layout = Layout(body)
    leg_m = straight_leg_m(body)
    place = np.zeros((len(body.segments), 3))
    for row, segment in enumerate(body.segments[1:], 1):
        place[row] = place[body.index[segment.hangs_on]] + segment.offset
    rows = layout.legs[0]
    joints = place[rows]
    between = np.diff(joints, axis=0)
    angles = np.arctan2(between[:, 0], -between[:, 2])
    found = {"drawn_leg": float(np.linalg.norm(joints[-1] - joints[0]) / leg_m),
             "hips": float(np.linalg.norm(place[layout.legs[0, 0]] - place[layout.legs[1, 0]]) / leg_m)}
    for i in range(MOST_SEGMENTS):
        found[f"leg_{i + 1}"] = float(np.linalg.norm(between[i]) / leg_m) if i < len(between) else 0.0
    for i in range(MOST_SEGMENTS - 1):
        found[f"bend_{i + 1}"] = float(angles[i + 1] - angles[i]) if i + 1 < len(angles) else 0.0
    sole = np.array([body.contact_points[i].position[0] for i in body.feet[0].points])
    found |= {"toe": float(sole.max() / leg_m), "heel": float(-sole.min() / leg_m)}
    legs = set(layout.legs.ravel().tolist())
    rest = [row for row in range(len(body.segments)) if row not in legs]
    mass = layout.mass_kg[rest]
    hips = place[layout.legs[:, 0]].mean(axis=0)
    arms = np.array([place[row] + body.segments[row].com for row in rest]) - hips
    middle = (mass @ arms) / mass.sum()
    x, y, z = (arms**2).T
    spread = mass @ np.stack([x + z, y + z, x + y], axis=1)
    own = np.array([np.diag(body.segments[row].inertia)[[1, 0, 2]] for row in rest]).sum(axis=0)
    radii = np.sqrt((spread + own) / mass.sum()) / leg_m
    found |= {"mass_legs": float(1.0 - mass.sum() / body.mass_kg), "above": float(middle[2] / leg_m),
              "ahead": float(middle[0] / leg_m), "spin_pitch": float(radii[0]), "spin_roll": float(radii[1]),
              "spin_yaw": float(radii[2])}
    return {name: round(value, 4) for name, value in found.items()}


def unlike(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """How unlike two bodies are by their proportions, 0 for the same; what one of them does not tell does not count."""
    total = 0.0
    for name in one.keys() & other.keys():
        weight = next((weight for start, weight in WEIGHTS if name.startswith(start)), 0.0)
        total += (weight * (one[name] - other[name]))**2
    return math.sqrt(total)


def unlike_speed(one: float, other: float) -> float:
    """How unlike two dimensionless speeds are, to be added to `unlike`."""
    return SPEED_WEIGHT * abs(math.log(max(one, 0.05) / max(other, 0.05)))
