# SPDX-License-Identifier: GPL-3.0-or-later
"""The state in which a creature begins: as it is drawn, on the ground."""

from __future__ import annotations

import math

import numpy as np

from ...bodies.body import COORDINATES, Body, Foot
from ...maths.rotations import quat_from_rotvec
from ...worlds.ground import Ground
from .parameters import straight_leg_m

NOISE_M_S, NOISE_RAD_S = 0.048, 0.048
"""Deviation of the velocities at the start for a noise of 1, over sqrt(g L) and sqrt(g / L): of a leg of 1 m on Earth 0.15 m/s
and 0.15 rad/s (a prototype's)."""


ASTRIDE, NARROW = 0.17, 0.1
"""Over the leg: feet that are drawn farther beside the middle than the first stand as far as the second at the start:
nobody lifts a foot out of a straddle. Found on two rigs with legs apart: as drawn the untuned law falls within a second, so
it walks."""


def begin(body: Body, heading: float, ground: Ground, behind_m: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates (nq,) and velocities (nv,) of a body at rest as drawn, at the origin or so far behind it, facing its heading
    [rad]; legs that are drawn astride turn in at the hips, the feet staying level."""
    segments = body.segments[1:]
    qpos = np.zeros(body.coordinates)
    qpos[3:7] = quat_from_rotvec(np.array([0.0, 0.0, heading]))
    at, places = body.root_coordinates, {}
    for segment in segments:
        places[segment.name] = at
        if segment.joint == "ball":
            qpos[at] = 1.0
        at += COORDINATES[segment.joint]
    c, s = math.cos(heading), math.sin(heading)
    qpos[:2] = -behind_m * c, -behind_m * s
    lift = -math.inf
    for foot in body.feet:
        joint, turn = _turned_in(body, foot)
        qpos[places[foot.leg[0]]:][:4] = quat_from_rotvec(np.array([turn, 0.0, 0.0]))
        qpos[places[foot.segment]:][:4] = quat_from_rotvec(np.array([-turn, 0.0, 0.0]))
        for point in (body.contact_points[i] for i in foot.points):
            place = joint + point.position
            x, y = qpos[0] + c * place[0] - s * place[1], qpos[1] + s * place[0] + c * place[1]
            lift = max(lift, float(ground.height(x, y)) + point.radius_m - float(place[2]))
    qpos[2] = lift
    return qpos, np.zeros(body.degrees_of_freedom)


def _turned_in(body: Body, foot: Foot) -> tuple[np.ndarray, float]:
    """Where a foot's joint (3,) is at the start, from the root's, and how far [rad] its leg turns about x there."""
    hip = sum((body.segment(name).offset for name in body.way_to(foot.leg[0])[1:]), np.zeros(3))
    way = sum((body.segment(name).offset for name in foot.leg[1:]), np.zeros(3))
    side = 1.0 if foot.side == "L" else -1.0
    far, drawn = math.hypot(way[1], way[2]), side * (hip[1] + way[1])
    wanted = NARROW * straight_leg_m(body)
    sine = (side * wanted - hip[1]) / max(far, 1e-9)
    if drawn <= ASTRIDE * straight_leg_m(body) or abs(sine) >= 1.0:
        return hip + way, 0.0
    turn = math.asin(sine) - math.atan2(way[1], -way[2])
    return hip + (way[0], side * wanted - hip[1], -far * math.cos(math.asin(sine))), turn


def noise_of(body: Body, leg_m: float, gravity_m_s2: float, size: float, draw: np.random.Generator) -> np.ndarray:
    """Velocities (nv,) to be added at the start for a noise."""
    speed, rate = math.sqrt(gravity_m_s2 * leg_m), math.sqrt(gravity_m_s2 / leg_m)
    sizes = np.full(body.degrees_of_freedom, NOISE_RAD_S * rate)
    sizes[:3] = NOISE_M_S * speed
    return size * sizes * draw.standard_normal(len(sizes))
