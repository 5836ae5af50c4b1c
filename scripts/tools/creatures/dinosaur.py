# SPDX-License-Identifier: GPL-3.0-or-later
"""A two-legged dinosaur of 1.7 m: digitigrade legs, a thick tail of six, a neck of three, small arms, a jaw."""

from __future__ import annotations

import numpy as np

from lope.addon.rigs.astronaut.mesh_kit import Patch, join
from lope.addon.rigs.creatures.figure import Drawn, DrawnBone, Finish, ball, chain, countershaded, merged

from .kit import Animal, PartOf, along, at, both, both_sides, folded, parts_along, row_of, sided, spike

VOXEL_M = 0.013
LEG = ("thigh_L", "shin_L", "metatarsus_L")
HIP, LENGTHS, DEGREES = at(0.0, 0.135, 1.035), (0.42, 0.44, 0.28), (34.0, -38.0, 18.0)
ARM = ("upper_arm_L", "forearm_L", "hand_L")
ARM_JOINTS = (at(0.50, 0.15, 1.02), at(0.43, 0.19, 0.87), at(0.55, 0.18, 0.78), at(0.62, 0.15, 0.74))
TRUNK = (at(-0.04, 0.0, 1.06), at(0.16, 0.0, 1.07), at(0.40, 0.0, 1.10), at(0.60, 0.0, 1.18))
NECK = (TRUNK[-1], at(0.70, 0.0, 1.30), at(0.75, 0.0, 1.43), at(0.80, 0.0, 1.54))
SNOUT, JAW, CHIN = at(1.13, 0.0, 1.50), at(0.86, 0.0, 1.49), at(1.09, 0.0, 1.415)
TAIL = row_of((-0.14, 0.0, 1.05), ((-0.7, 0.0, 1.03), (-1.50, 0.0, 1.10)), 6)
TAIL_NAMES = [f"tail_{i}" for i in range(1, 7)]
NECK_NAMES = [f"neck_{i}" for i in range(1, 4)]
FINISHES = {
    "skin": Finish(None, 0.55, bumps=95.0, depth=0.35), "claw": Finish((0.05, 0.045, 0.04), 0.25),
    "tooth": Finish((0.75, 0.70, 0.58), 0.3), "eye": Finish((0.75, 0.38, 0.03), 0.08, coat=0.6),
    "pupil": Finish((0.003,) * 3, 0.1),
}


def dinosaur() -> Animal:
    """The drawing. Starts Blender, which merges its skin."""
    leg = folded(HIP, LENGTHS, DEGREES)
    ball_of_foot = leg[-1]
    tip = at(ball_of_foot[0] + 0.21, ball_of_foot[1], 0.03)
    skin = merged(join(_body() + both_sides(_leg(leg, tip) + _arm())), VOXEL_M)
    patch = join([skin, *_teeth(), *both_sides(_claws(ball_of_foot) + _eye())])
    bones = [*along(("hips", "spine", "chest"), TRUNK, None), *along(NECK_NAMES, NECK, "chest"),
             DrawnBone("head", NECK[-1], SNOUT, "neck_3", (0.0, 0.0, 1.0)), DrawnBone("jaw", JAW, CHIN, "head", (0.0, 0.0, 1.0)),
             *along(TAIL_NAMES, TAIL, "hips", (0.0, 0.0, 1.0)),
             *both(along((*LEG, "toes_L"), (*leg, tip), "hips")), *both(along(ARM, ARM_JOINTS, "chest"))]
    drawn = Drawn("Dinosaur", bones, patch, FINISHES,
                  countershaded((0.10, 0.135, 0.055), (0.52, 0.43, 0.26), (0.030, 0.040, 0.024), 0.085))
    return Animal(drawn, _parts())


def _body() -> list[Patch]:
    """Tail, trunk, neck and head as one chain; the lower jaw."""
    knots = [*reversed(TAIL), *TRUNK[1:], *NECK[1:3], (0.79, 0.0, 1.53), (0.93, 0.0, 1.545), (1.04, 0.0, 1.52), (1.11, 0.0, 1.50)]
    thick = [(0.018, 0.018), (0.03, 0.03), (0.052, 0.05), (0.075, 0.072), (0.10, 0.092), (0.125, 0.115), (0.175, 0.15),
             (0.235, 0.17), (0.225, 0.165), (0.155, 0.12), (0.115, 0.092), (0.098, 0.08), (0.10, 0.088),
             (0.082, 0.085), (0.062, 0.065), (0.045, 0.05)]
    bones = [("tail_6", 0), ("tail_5", 1), ("tail_4", 2), ("tail_3", 3), ("tail_2", 4), ("tail_1", 5), ("hips", 6), ("spine", 7),
             ("chest", 8), ("neck_1", 9), ("neck_2", 10), ("neck_3", 11), ("head", 12)]
    jaw = chain((JAW, (0.97, 0.0, 1.447), CHIN), ((0.045, 0.06), (0.033, 0.055), (0.022, 0.04)), (("jaw", 0),))
    return [chain(knots, thick, bones), jaw]


def _leg(leg: list, tip: tuple) -> list[Patch]:
    hip, knee, ankle, toes = (np.array(joint) for joint in leg)
    knots = [hip + (0.02, -0.02, 0.06), 0.45 * hip + 0.55 * knee, knee, 0.6 * knee + 0.4 * ankle, ankle,
             0.5 * (ankle + toes), toes]
    thick = [(0.19, 0.10), (0.145, 0.095), (0.085, 0.075), (0.088, 0.068), (0.046, 0.042), (0.036, 0.036), (0.042, 0.046)]
    shank = chain(knots, thick, (("thigh_L", 0), ("shin_L", 2), ("metatarsus_L", 4)), reference=(1.0, 0.0, 0.0))
    feet = [chain((toes + (-0.02, 0.0, -0.012), *ends), ((0.034, 0.036), (0.024, 0.027), (0.017, 0.02)), (("toes_L", 0),))
            for ends in _toes(toes)]
    return [shank, *feet, ball(toes + (0.0, 0.0, -0.012), (0.05, 0.05, 0.038), "toes_L")]


def _toes(toes: np.ndarray) -> list[tuple]:
    """Middle and end of three toes that lie on the ground."""
    found = []
    for degrees, length in ((-26.0, 0.155), (0.0, 0.19), (26.0, 0.155)):
        way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0])
        found.append(((*(toes[:2] + 0.55 * length * way[:2]), 0.032), (*(toes[:2] + length * way[:2]), 0.02)))
    return found


def _claws(toes: tuple) -> list[Patch]:
    claws = []
    for middle, end in _toes(np.array(toes)):
        way = np.array(end) - middle
        way[2] = 0.0
        way /= np.linalg.norm(way)
        claws.append(spike(np.array(end) - 0.005 * way + (0.0, 0.0, 0.006), np.array(end) + 0.05 * way + (0.0, 0.0, -0.016),
                           0.013, "toes_L", "claw", 0.25))
    tip = np.array(ARM_JOINTS[3])
    for across in (-0.022, 0.022):
        claws.append(spike(tip + (-0.01, across, 0.0), tip + (0.05, across, -0.035), 0.010, "hand_L", "claw", 0.2))
    return claws


def _arm() -> list[Patch]:
    thick = ((0.055, 0.05), (0.036, 0.034), (0.026, 0.026), (0.018, 0.034))
    return [chain(ARM_JOINTS, thick, (("upper_arm_L", 0), ("forearm_L", 1), ("hand_L", 2)), reference=(1.0, 0.0, 0.0))]


def _eye() -> list[Patch]:
    return [ball((0.90, 0.077, 1.575), (0.024, 0.017, 0.024), "head", "eye"),
            ball((0.906, 0.091, 1.577), (0.008, 0.006, 0.015), "head", "pupil")]


def _teeth() -> list[Patch]:
    teeth = []
    for x in np.linspace(0.985, 1.105, 6):
        half = 0.062 - 0.28 * (x - 0.985) ** 1.2
        for side in (1.0, -1.0):
            teeth.append(spike((x, side * half, 1.472), (x + 0.004, side * half, 1.448), 0.007, "head", "tooth"))
    return teeth


def _parts() -> list[PartOf]:
    neck = [(name, name, 0.10) for name in NECK_NAMES]
    tail = [(name, name, 0.11 - 0.017 * i) for i, name in enumerate(TAIL_NAMES)]
    leg = parts_along("leg", "trunk", ("thigh_L", "thigh_L", 0.10), ("shin_L", "shin_L", 0.065),
                      ("metatarsus_L", "metatarsus_L", 0.038))
    foot = PartOf("toes_L", "foot_L", "leg", "metatarsus_L", 0.03, None, 0.05, 0.15)
    arm = parts_along("arm", "trunk", ("upper_arm_L", "upper_arm_L", 0.042), ("forearm_L", "forearm_L", 0.028),
                      ("hand_L", "hand_L", 0.022))
    return [PartOf("hips", "trunk", "trunk", None, 0.17, "chest"), *parts_along("neck", "trunk", *neck),
            PartOf("head", "head", "head", "neck_3", 0.075), *parts_along("tail", "trunk", *tail), *sided([*leg, foot]),
            *sided(arm)]
