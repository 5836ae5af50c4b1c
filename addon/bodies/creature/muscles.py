# SPDX-License-Identifier: GPL-3.0-or-later
"""Which muscles a creature has, by its structure: legs of any number of joints, necks, tails, spines and arms.

A human's leg gets the ten of Geijtenbeek 2013 (section 6.1): four at the hip, each out of the sagittal plane, and those of Wang
2012. Every further joint of a leg adds an extensor, a flexor, and one that goes past it and the joint before; every joint of a
neck, tail, spine or arm has four. Sizes are shares of the leg; how strong they are comes from weight and levers. Ahead and behind
are about the leg's plane. On the outer side of a joint's bend, a muscle goes over a point that rides on the segment above, as
over a kneecap, so that its arm lasts when the leg folds; on the inner side it runs straight from bone to bone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...specs.shot import EARTH_GRAVITY_M_S2
from ..body import Body, Foot
from ..muscle import DENSITY_KG_M3, SLOW_SHARE, STRESS_PA
from .body import LEFTWARD, CreatureBody, bend_signs, drawn_bends, leg_axis
from .routing import FreeMuscle, FreePaths, FreePoint, posed, routing_names

ARM_SHARE = 0.045, 0.09
"""Least and most distance of a muscle from a leg's joint, over the leg's length; within, the segments' radius (a knee: 0.06)."""
HIP_SHARE = 0.11
"""The same at the hip."""
HEEL, HEEL_DOWN = 1.3, 0.45
"""How far a heel's point lies from the foot's joint, over that distance, and down over back (a human's: 0.05 of the leg)."""
FREE_IN_LEGS = 0.35
"""How far each point is free, over that distance (first guess: the paper's ranges are drawings)."""
HIP_S, KNEE_S, FOOT_S = 0.005, 0.010, 0.020
"""Delays of muscles that end on the thigh, on the segments below, on the foot (Geijtenbeek 2013, section 4.4)."""

HIP_NM = {"gluteus": 0.30, "iliopsoas": 0.32, "abductor": 0.32, "adductor": 0.24, "rectus": 0.22, "hamstring": 0.32}
"""Torque at the hip over weight times leg: 1.3 times a human's (Geyer and Herr 2010; Song and Geyer 2015; adductors 1.4), so
that a muscle that shortens has enough."""
EXTENDS_NM, EXTENDS_LEVER, FLEXES_NM, PAST_NM = 0.55, 3.0, 0.20, 0.16
"""Torque over weight times leg of who stretches a joint, at least, or times the lever that the weight has there in the drawing;
of who bends it; of who goes past two (first guesses about the same sources)."""
TOES_NM, ANKLE_NM, LIFT_NM = 1.8, 0.2, 0.12
"""Torque at the foot: of the weight on the foot's reach ahead, so many times over, at least the second; and lifting the toes."""


class _Leg:
    """One leg's geometry: segments' names, directions `way`, `front`, lengths, joints' sides of bend and muscles' distances."""

    def __init__(self, body: CreatureBody, foot: Foot) -> None:
        self.body, self.names, self.side = body, foot.leg, foot.side
        self.left = 1.0 if foot.side == "L" else -1.0
        parts = tuple(body.creature.part(name) for name in foot.leg)
        self.axis = leg_axis(parts)
        ends = [body.segment(name).offset for name in foot.leg[1:]] + [body.segment(foot.segment).tip]
        self.length = [float(np.linalg.norm(end)) for end in ends]
        self.way = [end / length for end, length in zip(ends, self.length, strict=True)]
        self.front = [np.cross(way, self.axis) for way in self.way]
        self.front = [front / max(float(np.linalg.norm(front)), 1e-9) for front in self.front]
        self.bend = [0, *bend_signs(parts), -1]  # 0 at the hip; a foot folds ahead
        self.drawn = [0.0, *drawn_bends(parts)]
        self.whole = sum(self.length[:-1])
        radii = [part.radius_m for part in parts]
        least, most = (share * self.whole for share in ARM_SHARE)
        self.arm = [HIP_SHARE * self.whole] + [float(np.clip(0.5 * (a + b), least, most)) for a, b in
                                               zip(radii, radii[1:], strict=False)]
        self.hip = body.segment(foot.leg[0]).offset
        self.trunk = body.segment(foot.leg[0]).hangs_on
        self.outward = self.left * LEFTWARD

    @cached_property
    def lever(self) -> list[float]:
        """How far each joint lies ahead of or behind the line from the hip to the foot's joint in the drawing, over the leg."""
        steps = [length * way for length, way in zip(self.length[:-1], self.way[:-1], strict=True)]
        joints = np.cumsum([np.zeros(3), *steps], axis=0)
        line = joints[-1] / max(float(np.linalg.norm(joints[-1])), 1e-9)
        off = joints - np.outer(joints @ line, line)
        return [float(np.linalg.norm(one)) / self.whole for one in off]

    def on(self, i: int, along: float, front: float, out: float = 0.0, free: tuple[float, ...] = (1.0, 1.0)) -> FreePoint:
        """A point on segment i: so many metres from its joint, ahead and outward; each free by so many times `FREE` of that."""
        size = FREE_IN_LEGS * self.arm[i]
        ways = tuple(size * share * way for share, way in zip(free, (self.way[i], self.front[i], self.outward), strict=False))
        return FreePoint(self.names[i], along * self.way[i] + front * self.front[i] + out * self.outward, ways)

    def at_trunk(self, up: float, front: float, out: float, free: tuple[float, ...] = (1.0, 1.0, 1.0)) -> FreePoint:
        """A point on the trunk, about the hip, in the thigh's drawn directions, in distances of muscles from the hip."""
        size, step = self.arm[0], FREE_IN_LEGS * self.arm[0]
        ways = tuple(step * share * way for share, way in zip(free, (-self.way[0], self.front[0], self.outward), strict=False))
        return FreePoint(self.trunk, self.hip + size * (up * -self.way[0] + front * self.front[0] + out * self.outward), ways)

    def past(self, i: int, side: float) -> list[FreePoint]:
        """The way past joint i ahead (+1) or behind (-1): two points or, at a heel, one."""
        arm, foot = self.arm[i], i == len(self.names) - 1
        above, below = self.length[i - 1], self.length[i]
        outer = side == self.bend[i]
        bisector = side * (self.front[i - 1] + (HEEL_DOWN if foot else 1.0) * self.front[i])
        bisector /= max(float(np.linalg.norm(bisector)), 1e-9)
        free = (FREE_IN_LEGS * arm * self.way[i], FREE_IN_LEGS * arm * bisector)
        if outer and foot:
            return [FreePoint(self.names[i], HEEL * arm * bisector, free)]
        step, reach = min(1.2 * arm, 0.4 * above), min(1.1 * arm, 0.35 * below)
        if outer:
            over = FreePoint(self.names[i - 1], above * self.way[i - 1] + arm * bisector,
                             (FREE_IN_LEGS * arm * self.way[i - 1], FREE_IN_LEGS * arm * bisector))
            return [over, self.on(i, reach, 0.9 * side * arm)]
        return [self.on(i - 1, above - step, 0.9 * side * arm), self.on(i, reach, (0.6 if foot else 0.9) * side * arm)]

    def flexed(self, i: int, angle: float) -> float:
        """The angle about joint i's axis [rad] by which it is so much more bent; of a hip, the thigh further ahead."""
        return angle * (self.bend[i] or -1)


def leg_muscles(body: CreatureBody, foot: Foot, gravity_m_s2: float) -> list[FreeMuscle]:
    leg = _Leg(body, foot)
    unit = body.mass_kg * gravity_m_s2 * leg.whole
    last = len(leg.names) - 1
    found: list[FreeMuscle] = []

    def add(kind: str, points: list[FreePoint], torque: float, reference: Mapping[int, float], extends: tuple[int, ...] = (),
            ahead: bool = False) -> None:
        rows = [leg.names.index(p.segment) if p.segment in leg.names else -1 for p in points]
        delay = FOOT_S if rows[-1] == last else HIP_S if rows[-1] == 0 else KNEE_S
        found.append(FreeMuscle(f"{kind}_{leg.side}", kind, leg.side, tuple(points), torque * unit,
                                {leg.names[i]: leg.flexed(i, angle) for i, angle in reference.items()}, delay,
                                tuple(leg.names[i] for i in range(min(rows) + 1, max(rows) + 1)),
                                tuple(leg.names[i] for i in extends), rows[0] == -1, ahead))

    thigh = 0.42 * leg.length[0]
    size = leg.arm[0]
    add("gluteus", [leg.at_trunk(0.8, -1.0, 0.15, ()), leg.at_trunk(-0.05, -1.0, 0.15), leg.on(0, thigh, -0.2 * size)],
        HIP_NM["gluteus"], {0: 0.4})
    add("iliopsoas", [leg.at_trunk(1.3, 0.5, -0.2, ()), leg.at_trunk(0.35, 0.9, 0.0), leg.on(0, thigh, 0.2 * size)],
        HIP_NM["iliopsoas"], {0: -0.1}, ahead=True)
    found.append(_abductor(leg, unit))
    found.append(_adductor(leg, unit))
    for i in range(1, last):
        side, bent = leg.bend[i], abs(leg.drawn[i])
        strong = max(EXTENDS_NM, EXTENDS_LEVER * leg.lever[i])
        long = {i: max(0.3, 0.9 - bent)}
        name = "vastus" if i == 1 else f"extensor_{i}"
        start = leg.on(i - 1, 0.3 * leg.length[i - 1], 0.6 * side * leg.arm[i], free=())
        add(name, [start, *leg.past(i, side)], strong, long, (i,))
        if i == 1:
            for kind, way, hip in (("rectus", 1.0, {0: 0.15}), ("hamstring", -1.0, {0: 0.4})):
                outer = way == side
                origin = leg.at_trunk(0.2, 0.9, 0.0) if way > 0 else leg.at_trunk(-0.15, -0.9, 0.0)
                add(kind, [origin, *leg.past(1, way)], HIP_NM[kind], {**hip, **(long if outer else {1: 0.1})},
                    (1,) if outer else (), ahead=way > 0)
        else:
            start = leg.on(i - 1, 0.3 * leg.length[i - 1], -0.6 * side * leg.arm[i], free=())
            add(f"flexor_{i}", [start, *leg.past(i, -side)], FLEXES_NM, {i: -0.3})
        beyond = leg.bend[i + 1]
        kind = "gastrocnemius" if i == 1 else f"past_{i}"
        extends = (i, i + 1) if beyond == side else (i + 1,)
        add(kind, [*leg.past(i, beyond), *leg.past(i + 1, beyond)], PAST_NM, {i: 0.15, i + 1: 0.2}, extends)
    toes = float(np.linalg.norm((leg.length[last] * leg.way[last])[:2])) / leg.whole
    calf = leg.on(last - 1, 0.35 * leg.length[last - 1], -0.6 * leg.arm[last], free=())
    add("soleus", [calf, *leg.past(last, -1.0)], max(ANKLE_NM, TOES_NM * toes), {last: 0.2}, (last,))
    shin = leg.on(last - 1, 0.35 * leg.length[last - 1], 0.6 * leg.arm[last], free=())
    add("tibialis", [shin, *leg.past(last, 1.0)], LIFT_NM, {last: -0.3}, ahead=True)
    return found


def _abductor(leg: _Leg, unit: float) -> FreeMuscle:
    """From above the hip to the thigh's outside, upright whatever way the thigh points: it holds the trunk level."""
    size, up = leg.arm[0], np.array([0.0, 0.0, 1.0])
    forward = np.cross(leg.outward * leg.left, up)
    ways = tuple(FREE_IN_LEGS * size * way for way in (up, forward, leg.outward))
    points = (FreePoint(leg.trunk, leg.hip + size * (0.9 * up + 0.6 * leg.outward), ways),
              leg.on(0, 0.12 * leg.length[0], 0.0, 0.75 * size, (1.0, 1.0, 1.0)))
    return FreeMuscle(f"abductor_{leg.side}", "abductor", leg.side, points, HIP_NM["abductor"] * unit, {}, HIP_S, (leg.names[0],),
                      hip=True)


def _adductor(leg: _Leg, unit: float) -> FreeMuscle:
    """From below the trunk's middle to the thigh's inside."""
    size, up = leg.arm[0], np.array([0.0, 0.0, 1.0])
    forward = np.cross(leg.outward * leg.left, up)
    inward = min(0.8 * size, 0.9 * abs(float(leg.hip[1])))
    ways = tuple(FREE_IN_LEGS * size * way for way in (up, forward, 0.5 * leg.outward))
    points = (FreePoint(leg.trunk, leg.hip - 0.4 * size * up - inward * leg.outward, ways),
              leg.on(0, 0.5 * leg.length[0], 0.0, -0.1 * size, (1.0, 1.0)))
    return FreeMuscle(f"adductor_{leg.side}", "adductor", leg.side, points, HIP_NM["adductor"] * unit, {}, HIP_S, (leg.names[0],),
                      hip=True)


CHAIN_DELAY_S = 0.005
"""Of all muscles but those below a knee (Geijtenbeek 2013, section 4.4)."""
CHAIN_STRENGTH = 3.0
"""What one muscle of a chain's joint makes, over the torque of the weight that hangs there, held level (first guess)."""
CHAIN_REACH = 0.45
"""How far from the joint a chain's muscles go to, over the segment's length (first guess)."""
CHAIN_ARM = 0.25, 1.0
"""Least and most distance from a chain's middle line, over the segment's length (first guesses)."""
KINDS = {"neck": "neck", "head": "neck", "tail": "tail", "arm": "arm", "trunk": "spine"}
FREE = 0.3
"""How far routing is free, over the distance from middle line or joint (first guess: the paper's are drawings)."""


def creature_muscles(body: CreatureBody, gravity_m_s2: float = EARTH_GRAVITY_M_S2) -> tuple[FreeMuscle, ...]:
    """The muscles of a creature, the left leg's first, strong enough for its weight under a gravity."""
    found: list[FreeMuscle] = []
    for foot in sorted(body.feet, key=lambda foot: foot.side):
        found += leg_muscles(body, foot, gravity_m_s2)
    in_legs = {name for foot in body.feet for name in foot.leg}
    for segment in body.segments[1:]:
        if segment.name not in in_legs:
            found += _chain_muscles(body, segment.name, gravity_m_s2)
    return tuple(found)


def _chain_muscles(body: CreatureBody, name: str, gravity_m_s2: float) -> list[FreeMuscle]:
    """The four of one joint of a neck, tail, spine or arm: two behind or above, two before or below; a hinge has two."""
    segment, part = body.segment(name), body.creature.part(name)
    length = float(np.linalg.norm(segment.tip))
    along = segment.tip / max(length, 1e-9)
    side = np.array([0.0, 1.0, 0.0]) if abs(along[1]) < 0.9 else np.array([1.0, 0.0, 0.0])
    side = side - (side @ along) * along
    side /= np.linalg.norm(side)
    back = np.cross(along, side)
    if back[2] < -1e-6 or (abs(back[2]) <= 1e-6 and back[0] > 0.0):
        back = -back
    reach, off = CHAIN_REACH * length, float(np.clip(part.radius_m, CHAIN_ARM[0] * length, CHAIN_ARM[1] * length))
    kind = KINDS[part.kind]
    found = []
    for where, behind in (("back", 1.0), ("front", -1.0)):
        for tag, left in (("l", 1.0), ("r", -1.0)):
            across = off * np.sqrt(0.5) * (behind * back + left * side)
            ways = (FREE * reach * along, FREE * off * behind * back, FREE * off * left * side)
            points = (FreePoint(segment.hangs_on, segment.offset - reach * along + across, ways),
                      FreePoint(name, reach * along + across, ways))
            found.append(FreeMuscle(f"{name}_{where}_{tag}", f"{kind}_{where}", part.side, points,
                                    CHAIN_STRENGTH * _weight_torque(body, name, gravity_m_s2), {}, CHAIN_DELAY_S, (name,),
                                    ahead=behind < 0.0))
    return found


def _weight_torque(body: Body, name: str, gravity_m_s2: float) -> float:
    """Torque [N m] of what hangs on a joint if it stood out level from there as far as it does in the neutral pose."""
    mass, moment = 0.0, np.zeros(3)
    for other in body.segments:
        way = body.way_to(other.name)
        if name in way:
            place = sum((body.segment(step).offset for step in way[way.index(name) + 1:]), np.zeros(3))
            mass, moment = mass + other.mass_kg, moment + other.mass_kg * (place + other.com)
    return gravity_m_s2 * float(np.linalg.norm(moment))


FIBRE_ARMS, FIBRE_PATH = 2.0, 0.8
"""Optimal fibre length over the longest arm, at most over the whole path: fibres change by half their length a radian (of a
human 0.45 to 0.7, Geyer and Herr 2010)."""
LEAST_ARM = 0.02
"""Of a muscle's longest arm over its path: one that lies on its joint is not made ever stronger."""
MAX_VELOCITY = 12.0
"""Fastest shortening [l_opt/s] (Geyer and Herr 2010)."""
SPREAD = 4.0
"""Strength is free from 1 over this to this (first guess)."""
FIBRE_SPREAD, SLACK_SPREAD = 1.8, 0.35
"""Fibres' optimal length likewise; the tendon's slack length is free by so much of the fibres' either way (first guesses)."""


@dataclass
class Properties:
    """What N bodies' M muscles are, as `mechanics.Mechanics` reads a set of muscles; all arrays (N, M) or (M,)."""

    max_force_n: np.ndarray
    optimal_fibre_m: np.ndarray
    tendon_slack_m: np.ndarray
    max_velocity: np.ndarray
    pennation_rad: np.ndarray
    passive_share: np.ndarray
    give: np.ndarray
    slow_share: np.ndarray

    def __len__(self) -> int:
        return self.max_velocity.shape[-1]

    @property
    def mass_kg(self) -> np.ndarray:
        """Mass of the fibres: cross section by greatest stress, times optimal length and density."""
        return self.max_force_n / STRESS_PA * DENSITY_KG_M3 * self.optimal_fibre_m


def resting(paths: FreePaths) -> tuple[np.ndarray, np.ndarray]:
    """Length (N, M) and longest arm (N, M) [m] of each muscle in its own reference pose. Leaves `paths` in another pose."""
    length, arm = np.zeros((paths.n, paths.count)), np.zeros((paths.n, paths.count))
    poses: dict[tuple[tuple[str, float], ...], list[int]] = {}
    for m, muscle in enumerate(paths.muscles):
        poses.setdefault(tuple(sorted(muscle.reference.items())), []).append(m)
    for pose, rows in poses.items():
        position, matrix = posed(paths.body, dict(pose))
        paths.update(np.repeat(position, paths.n, axis=0), np.repeat(matrix, paths.n, axis=0))
        length[:, rows] = paths.length_m[:, rows]
        by_joint = np.zeros((paths.n, paths.count, len(paths.body.segments)))
        for i, (m, joint) in enumerate(zip(paths.muscle, paths.joint, strict=True)):
            by_joint[:, m, joint] += paths.arms_m[:, i] ** 2
        arm[:, rows] = np.sqrt(by_joint.max(axis=2))[:, rows]
    return length, arm


def properties(body: Body, muscles: Sequence[FreeMuscle], paths: FreePaths, strength: np.ndarray, fibre: np.ndarray,
               slack: np.ndarray) -> Properties:
    """Of N bodies whose routing `paths` has, by factors of strength and optimal fibre length, and by what the tendon is longer,
    in optimal fibre lengths, all (N, M). Strength and fibres are the middle routing's, tendons each own path's."""
    middle = FreePaths(body, muscles, np.full((1, len(routing_names(muscles))), 0.5))
    length, arm = resting(middle)
    force = np.array([muscle.torque_nm for muscle in muscles]) / np.maximum(arm, LEAST_ARM * length)
    optimal = np.minimum(FIBRE_ARMS * np.maximum(arm, LEAST_ARM * length), FIBRE_PATH * length) * fibre
    own, _ = resting(paths)
    optimal = np.minimum(optimal, own)
    count = len(muscles)
    return Properties(force * strength, optimal, np.maximum(own - optimal + slack * optimal, 0.0), np.full(count, MAX_VELOCITY),
                      np.zeros(count), np.ones(count), np.ones(count), np.full(count, SLOW_SHARE))
