# SPDX-License-Identifier: GPL-3.0-or-later
"""An alien on an ostrich's legs, 2.2 m: a neck of eight, a tail of five, no arms, three eyes."""

from __future__ import annotations

import numpy as np

from lope.addon.rigs.astronaut.mesh_kit import Patch, join
from lope.addon.rigs.creatures.figure import Drawn, DrawnBone, Finish, ball, chain, countershaded, merged

from .kit import Animal, PartOf, along, at, both, both_sides, folded, parts_along, row_of, sided

VOXEL_M = 0.014
HIP, LENGTHS, DEGREES = at(0.0, 0.12, 1.095), (0.30, 0.47, 0.45), (52.0, -32.0, 10.0)
LEG = ("thigh_L", "calf_L", "cannon_L")
TRUNK = (at(-0.10, 0.0, 1.13), at(0.36, 0.0, 1.24))
NECK = row_of((0.36, 0.0, 1.28), ((0.50, 0.0, 1.46), (0.52, 0.0, 1.75), (0.58, 0.0, 2.03)), 8)
TAIL = row_of((-0.20, 0.0, 1.15), ((-0.42, 0.0, 1.18), (-0.72, 0.0, 1.34)), 5)
NECK_NAMES, TAIL_NAMES = [f"neck_{i}" for i in range(1, 9)], [f"tail_{i}" for i in range(1, 6)]
HEAD_TIP = at(0.78, 0.0, 2.02)
FINISHES = {"skin": Finish(None, 0.38, coat=0.35, bumps=55.0, depth=0.2), "eye": Finish((0.02, 0.015, 0.03), 0.05, coat=1.0),
            "horn": Finish((0.55, 0.46, 0.33), 0.35)}


def alien() -> Animal:
    """The drawing. Starts Blender, which merges its skin."""
    leg = folded(HIP, LENGTHS, DEGREES)
    tip = at(leg[-1][0] + 0.20, leg[-1][1], 0.035)
    skin = merged(join(_body() + both_sides(_leg(leg, tip))), VOXEL_M)
    bones = [DrawnBone("trunk", *TRUNK), *along(NECK_NAMES, NECK, "trunk"), DrawnBone("head", NECK[-1], HEAD_TIP, "neck_8"),
             *along(TAIL_NAMES, TAIL, "trunk"), *both(along((*LEG, "foot_L"), (*leg, tip), "trunk"))]
    drawn = Drawn("Alien", bones, join([skin, *_eyes()]), FINISHES,
                  countershaded((0.16, 0.055, 0.22), (0.46, 0.34, 0.40), (0.30, 0.10, 0.25), 0.07))
    return Animal(drawn, _parts())


def _body() -> list[Patch]:
    knots = [*reversed(TAIL), (-0.02, 0.0, 1.15), (0.2, 0.0, 1.19), *NECK]
    thick = [(0.05, 0.05), (0.032, 0.032), (0.045, 0.045), (0.065, 0.062), (0.09, 0.085), (0.13, 0.12), (0.20, 0.17),
             (0.19, 0.155), (0.125, 0.105), *((0.095 - 0.006 * i, 0.085 - 0.0055 * i) for i in range(8))]
    bones = [*((f"tail_{5 - i}", i) for i in range(5)), ("trunk", 5), *((name, 8 + i) for i, name in enumerate(NECK_NAMES))]
    head = chain((NECK[-1], (0.66, 0.0, 2.06), HEAD_TIP), ((0.06, 0.06), (0.075, 0.085), (0.035, 0.05)), (("head", 0),))
    return [chain(knots, thick, bones), head]


def _leg(leg: list, tip: tuple) -> list[Patch]:
    hip, knee, ankle, root = (np.array(joint) for joint in leg)
    knots = [hip + (0.01, -0.01, 0.03), knee, 0.55 * knee + 0.45 * ankle, ankle, 0.5 * (ankle + root), root]
    thick = [(0.15, 0.085), (0.095, 0.075), (0.072, 0.056), (0.036, 0.034), (0.027, 0.027), (0.036, 0.036)]
    shank = chain(knots, thick, (("thigh_L", 0), ("calf_L", 1), ("cannon_L", 3)), reference=(1.0, 0.0, 0.0))
    toes = []
    for degrees, length in ((-17.0, 0.20), (17.0, 0.20)):
        way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0])
        middle, end = root + 0.5 * length * way, root + length * way
        toes.append(chain((root + (-0.015, 0.0, -0.01), (*middle[:2], 0.038), (*end[:2], 0.027)),
                          ((0.036, 0.034), (0.036, 0.032), (0.026, 0.026)), (("foot_L", 0),)))
    return [shank, *toes]


def _eyes() -> list[Patch]:
    side = [ball((0.685, 0.072, 2.075), (0.03, 0.02, 0.03), "head", "eye")]
    return [*both_sides(side), ball((0.715, 0.0, 2.118), (0.028, 0.026, 0.018), "head", "eye")]


def _parts() -> list[PartOf]:
    neck = [(name, name, 0.09 - 0.006 * i) for i, name in enumerate(NECK_NAMES)]
    tail = [(name, name, 0.10 - 0.014 * i) for i, name in enumerate(TAIL_NAMES)]
    leg = parts_along("leg", "trunk", ("thigh_L", "thigh_L", 0.09), ("calf_L", "shank_L", 0.055), ("cannon_L", "cannon_L", 0.03))
    foot = PartOf("foot_L", "foot_L", "leg", "cannon_L", 0.03, None, 0.04, 0.16)
    return [PartOf("trunk", "trunk", "trunk", None, 0.16), *parts_along("neck", "trunk", *neck),
            PartOf("head", "head", "head", "neck_8", 0.07), *parts_along("tail", "trunk", *tail), *sided([*leg, foot])]
