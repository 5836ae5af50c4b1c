# SPDX-License-Identifier: GPL-3.0-or-later
"""A tall bird of 1.3 m: legs with the knee in the plumage, toes of their own bones, folded wings, a neck of five, a tail fan."""

from __future__ import annotations

import numpy as np

from lope.addon.rigs.astronaut.mesh_kit import Patch, join
from lope.addon.rigs.creatures.figure import Drawn, DrawnBone, Finish, ball, chain, countershaded, merged

from .kit import Animal, PartOf, along, at, both, both_sides, folded, legs_in, parts_along, renamed, row_of, sided, spike

VOXEL_M = 0.0085
HIP, LENGTHS, DEGREES = at(0.0, 0.075, 0.70), (0.17, 0.30, 0.31), (62.0, -30.0, 7.0)
LEG = ("femur_L", "shank_L", "tarsus_L")
TOES = {"toe_in_L": (-28.0, 0.085), "toe_mid_L": (0.0, 0.11), "toe_out_L": (28.0, 0.085), "toe_back_L": (180.0, 0.05)}
BODY = (at(-0.02, 0.0, 0.73), at(0.24, 0.0, 0.80))
NECK = row_of((0.24, 0.0, 0.82), ((0.31, 0.0, 0.93), (0.30, 0.0, 1.06), (0.33, 0.0, 1.19)), 5)
NECK_NAMES = [f"neck_{i}" for i in range(1, 6)]
HEAD_TIP = at(0.43, 0.0, 1.20)
TAIL = (at(-0.14, 0.0, 0.72), at(-0.24, 0.0, 0.70), at(-0.44, 0.0, 0.66))
WING = ("wing_L", "forewing_L", "pinion_L")
WING_JOINTS = (at(0.20, 0.115, 0.83), at(0.05, 0.155, 0.74), at(0.17, 0.15, 0.735), at(-0.17, 0.135, 0.665))
FINISHES = {
    "skin": Finish(None, 0.75, bumps=120.0, depth=0.22), "horn": Finish((0.55, 0.22, 0.03), 0.35),
    "feather": Finish((0.028, 0.034, 0.045), 0.55, bumps=70.0, depth=0.3),
    "claw": Finish((0.05, 0.045, 0.04), 0.25), "eye": Finish((0.65, 0.30, 0.02), 0.08, coat=0.6),
    "pupil": Finish((0.003,) * 3, 0.1),
}


def bird() -> Animal:
    """The drawing. Starts Blender, which merges its skin."""
    leg = folded(HIP, LENGTHS, DEGREES)
    root = np.array(leg[-1])
    skin = merged(join(_body() + both_sides(_leg(leg) + _wing())), VOXEL_M)
    patch = join([skin, *both_sides(_claws(root) + _eye() + _pinions()), *_beak(), *_fan(), *_crest()])
    foot = DrawnBone("foot_L", leg[-1], at(root[0] + 0.04, root[1], 0.018), "tarsus_L", (0.0, 0.0, 1.0))
    toes = [DrawnBone(name, at(*middle), at(*end), "foot_L", (0.0, 0.0, 1.0)) for name, (middle, end) in _toes(root).items()]
    bones = [DrawnBone("body", *BODY), *along(NECK_NAMES, NECK, "body"), DrawnBone("head", NECK[-1], HEAD_TIP, NECK_NAMES[-1]),
             *along(("tail_1", "tail_2"), TAIL, "body"), *both(along(LEG, leg, "body")), *both([foot, *toes]),
             *both(along(WING, WING_JOINTS, "body"))]
    paint = countershaded((0.42, 0.43, 0.45), (0.75, 0.74, 0.71))
    return renamed(Animal(Drawn("Bird", bones, patch, FINISHES, legs_in(paint, (0.50, 0.21, 0.035), 0.43, 0.05)), _parts()),
                   _bird_name)


def _bird_name(name: str) -> str:
    return name[:-2].title().replace("_", "") + "." + name[-1] if name[-2:] in ("_L", "_R") else name.title()


def _body() -> list[Patch]:
    knots = [(-0.24, 0.0, 0.70), (-0.14, 0.0, 0.72), (0.0, 0.0, 0.735), (0.15, 0.0, 0.77), *NECK]
    thick = [(0.028, 0.045), (0.085, 0.085), (0.145, 0.125), (0.145, 0.12), (0.10, 0.075), (0.058, 0.05), (0.046, 0.042),
             (0.042, 0.038), (0.038, 0.036), (0.036, 0.034)]
    bones = [("tail_1", 0), ("body", 1), *((name, 4 + i) for i, name in enumerate(NECK_NAMES))]
    return [chain(knots, thick, bones), ball((0.355, 0.0, 1.205), (0.068, 0.046, 0.05), "head")]


def _leg(leg: list) -> list[Patch]:
    hip, knee, ankle, root = (np.array(joint) for joint in leg)
    knots = [hip + (0.02, 0.0, 0.0), knee, 0.5 * (knee + ankle), ankle, 0.5 * (ankle + root), root]
    thick = [(0.09, 0.05), (0.062, 0.046), (0.042, 0.034), (0.022, 0.02), (0.014, 0.013), (0.017, 0.017)]
    shank = chain(knots, thick, (("femur_L", 0), ("shank_L", 1), ("tarsus_L", 3)), reference=(1.0, 0.0, 0.0))
    toes = [chain((root + (0.0, 0.0, -0.004), middle, end), ((0.016, 0.016), (0.0125, 0.0125), (0.0095, 0.0095)),
                  (("foot_L", 0), (name, 1))) for name, (middle, end) in _toes(root).items()]
    return [shank, *toes]


def _toes(root: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Where each toe's own bone begins and ends."""
    found = {}
    for name, (degrees, length) in TOES.items():
        way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0])
        middle, end = root + 0.3 * length * way, root + 1.3 * length * way
        found[name] = np.array([*middle[:2], 0.0145]), np.array([*end[:2], 0.0120])
    return found


def _claws(root: np.ndarray) -> list[Patch]:
    claws = []
    for name, (middle, end) in _toes(root).items():
        way = (end - middle) / np.linalg.norm(end - middle)
        claws.append(spike(end, end + 0.028 * way + (0.0, 0.0, -0.006), 0.007, name, "claw", 0.2))
    return claws


def _wing() -> list[Patch]:
    """The arm of a folded wing, under its feathers."""
    thick = ((0.05, 0.022), (0.055, 0.022), (0.045, 0.018), (0.02, 0.010))
    return [chain(WING_JOINTS, thick, (("wing_L", 0), ("forewing_L", 1), ("pinion_L", 2)))]


def _pinions() -> list[Patch]:
    """Long feathers that lie along the body."""
    feathers = []
    for i, (z, tip, bone) in enumerate(((0.80, -0.20, "forewing_L"), (0.765, -0.25, "forewing_L"), (0.73, -0.29, "pinion_L"),
                                        (0.70, -0.31, "pinion_L"))):
        start, end = np.array([0.16 - 0.02 * i, 0.135, z]), np.array([tip, 0.085, z - 0.11])
        middle = 0.5 * (start + end) + (0.0, 0.028, 0.01)
        feathers.append(chain((start, middle, end), ((0.036, 0.010), (0.050, 0.011), (0.026, 0.006)), ((bone, 0),), "feather"))
    return feathers


def _fan() -> list[Patch]:
    feathers = []
    for degrees in np.linspace(-24.0, 24.0, 5):
        base, length = np.array([-0.22, 0.0, 0.70]), 0.24 - 0.0022 * abs(degrees)
        way = np.array([-np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), -0.22])
        thick = ((0.008, 0.02), (0.009, 0.032), (0.005, 0.018))
        feathers.append(chain((base, base + 0.5 * length * way, base + length * way), thick, (("tail_2", 0),), "feather"))
    return feathers


def _beak() -> list[Patch]:
    return [spike((0.40, 0.0, 1.208), (0.525, 0.0, 1.178), 0.026, "head", "horn", 0.10, 0.7),
            spike((0.40, 0.0, 1.185), (0.505, 0.0, 1.168), 0.018, "head", "horn", 0.04, 0.8)]


def _crest() -> list[Patch]:
    return [spike((0.335, y, 1.235), (0.20 - 0.02 * i, 2.4 * y, 1.26 + 0.025 * i), 0.010, "head", "feather", 0.12)
            for i, y in enumerate((-0.014, 0.0, 0.014))]


def _eye() -> list[Patch]:
    return [ball((0.385, 0.036, 1.218), (0.012, 0.009, 0.012), "head", "eye"),
            ball((0.388, 0.0425, 1.219), (0.006, 0.004, 0.006), "head", "pupil")]


def _parts() -> list[PartOf]:
    neck = [(name, name, 0.042) for name in NECK_NAMES]
    leg = parts_along("leg", "trunk", ("femur_L", "thigh_L", 0.06), ("shank_L", "shank_L", 0.035),
                      ("tarsus_L", "tarsus_L", 0.016))
    foot = PartOf("foot_L", "foot_L", "leg", "tarsus_L", 0.014, "toe_mid_L", 0.065, 0.11)
    wing = parts_along("arm", "trunk", ("wing_L", "wing_L", 0.03), ("forewing_L", "forewing_L", 0.03),
                       ("pinion_L", "pinion_L", 0.02))
    return [PartOf("body", "trunk", "trunk", None, 0.12), *parts_along("neck", "trunk", *neck),
            PartOf("head", "head", "head", NECK_NAMES[-1], 0.045),
            *parts_along("tail", "trunk", ("tail_1", "tail_1", 0.05), ("tail_2", "tail_2", 0.03)), *sided([*leg, foot]),
            *sided(wing)]
