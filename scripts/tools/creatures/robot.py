# SPDX-License-Identifier: GPL-3.0-or-later
"""A toy robot of 0.9 m: straight legs like a human's, straight arms, everything boxes and balls."""

from __future__ import annotations

import numpy as np

from lope.addon.rigs.astronaut.mesh_kit import Patch, join, rounded_box
from lope.addon.rigs.creatures.figure import Drawn, DrawnBone, Finish, ball, chain

from .kit import Animal, PartOf, along, at, both, both_sides, parts_along, renamed, sided

LEG = ("upper_leg_L", "lower_leg_L", "foot_L")
LEG_JOINTS = (at(0.0, 0.085, 0.40), at(0.0, 0.085, 0.235), at(0.0, 0.085, 0.065), at(0.115, 0.085, 0.035))
ARM = ("upper_arm_L", "lower_arm_L", "hand_L")
ARM_JOINTS = (at(0.0, 0.195, 0.645), at(0.0, 0.205, 0.51), at(0.0, 0.205, 0.39), at(0.0, 0.205, 0.32))
PELVIS, WAIST, NECK, TOP = at(0.0, 0.0, 0.42), at(0.0, 0.0, 0.48), at(0.0, 0.0, 0.70), at(0.0, 0.0, 0.90)
FINISHES = {
    "red": Finish((0.50, 0.028, 0.02), 0.32, coat=0.7), "cream": Finish((0.72, 0.66, 0.52), 0.38, coat=0.5),
    "blue": Finish((0.03, 0.16, 0.34), 0.35, coat=0.6), "steel": Finish((0.45, 0.46, 0.48), 0.3, metallic=1.0),
    "rubber": Finish((0.03, 0.03, 0.034), 0.7), "lamp": Finish((0.95, 0.75, 0.25), 0.2, glow=1.4),
    "screen": Finish((0.02, 0.10, 0.12), 0.12, glow=0.3),
}


def robot() -> Animal:
    """The drawing."""
    patch = join([*_trunk(), *_head(), *both_sides(_leg() + _arm())])
    bones = [DrawnBone("pelvis", PELVIS, WAIST), DrawnBone("torso", WAIST, NECK, "pelvis"), DrawnBone("head", NECK, TOP, "torso"),
             *both(along(LEG, LEG_JOINTS, "pelvis")), *both(along(ARM, ARM_JOINTS, "torso"))]
    return renamed(Animal(Drawn("Toy Robot", bones, patch, FINISHES), _parts()),
                   lambda name: {"L": "left ", "R": "right "}[name[-1]] + name[:-2].replace("_", " ")
                   if name[-2:] in ("_L", "_R") else name)


def _trunk() -> list[Patch]:
    dials = [ball((0.098, y, 0.63), (0.010, 0.017, 0.017), "torso", "lamp" if y else "steel") for y in (-0.06, 0.0, 0.06)]
    return [rounded_box((0.0, 0.0, 0.425), (0.075, 0.125, 0.045), 0.018, "blue", "pelvis"),
            chain((PELVIS, WAIST), ((0.05, 0.05), (0.05, 0.05)), (("pelvis", 0),), "rubber", (1.0, 0.0, 0.0)),
            rounded_box((0.0, 0.0, 0.585), (0.095, 0.155, 0.105), 0.024, "red", "torso"),
            rounded_box((0.086, 0.0, 0.555), (0.016, 0.095, 0.045), 0.008, "screen", "torso"), *dials,
            rounded_box((-0.105, 0.0, 0.59), (0.03, 0.085, 0.07), 0.014, "steel", "torso"),
            chain((at(0.0, 0.0, 0.68), at(0.0, 0.0, 0.72)), ((0.035, 0.035), (0.035, 0.035)), (("head", 0),), "rubber",
                  (1.0, 0.0, 0.0))]


def _head() -> list[Patch]:
    return [rounded_box((0.0, 0.0, 0.80), (0.08, 0.10, 0.075), 0.022, "cream", "head"),
            rounded_box((0.073, 0.0, 0.757), (0.012, 0.06, 0.012), 0.005, "rubber", "head"),
            *(ball((0.08, y, 0.815), (0.014, 0.026, 0.026), "head", "lamp") for y in (-0.043, 0.043)),
            *(ball((0.0, y, 0.80), (0.026, 0.018, 0.026), "head", "steel") for y in (-0.105, 0.105)),
            chain((at(0.0, 0.0, 0.87), at(0.0, 0.0, 0.93)), ((0.006, 0.006), (0.006, 0.006)), (("head", 0),), "steel",
                  (1.0, 0.0, 0.0)),
            ball((0.0, 0.0, 0.94), (0.016, 0.016, 0.016), "head", "red")]


def _leg() -> list[Patch]:
    hip, knee, ankle = (np.array(joint) for joint in LEG_JOINTS[:3])
    return [ball(hip, (0.04, 0.04, 0.04), "upper_leg_L", "steel"),
            rounded_box((hip + knee) / 2.0, (0.045, 0.045, 0.062), 0.012, "cream", "upper_leg_L"),
            ball(knee, (0.036, 0.04, 0.036), "lower_leg_L", "steel"),
            rounded_box((knee + ankle) / 2.0 - (0.0, 0.0, 0.005), (0.05, 0.05, 0.062), 0.014, "red", "lower_leg_L"),
            ball(ankle, (0.034, 0.034, 0.034), "foot_L", "steel"),
            rounded_box((0.035, ankle[1], 0.04), (0.095, 0.06, 0.028), 0.016, "blue", "foot_L"),
            rounded_box((0.035, ankle[1], 0.009), (0.092, 0.057, 0.009), 0.006, "rubber", "foot_L")]


def _arm() -> list[Patch]:
    shoulder, elbow, wrist = (np.array(joint) for joint in ARM_JOINTS[:3])
    return [ball(shoulder - (0.0, 0.015, 0.0), (0.042, 0.042, 0.042), "upper_arm_L", "steel"),
            rounded_box((shoulder + elbow) / 2.0, (0.034, 0.034, 0.05), 0.010, "cream", "upper_arm_L"),
            ball(elbow, (0.03, 0.032, 0.03), "lower_arm_L", "steel"),
            rounded_box((elbow + wrist) / 2.0, (0.038, 0.038, 0.048), 0.012, "blue", "lower_arm_L"),
            ball(wrist, (0.026, 0.026, 0.026), "hand_L", "steel"),
            *(rounded_box((x, wrist[1], wrist[2] - 0.04), (0.010, 0.022, 0.028), 0.007, "rubber", "hand_L")
              for x in (-0.022, 0.022))]


def _parts() -> list[PartOf]:
    leg = parts_along("leg", "trunk", ("upper_leg_L", "thigh_L", 0.045), ("lower_leg_L", "shank_L", 0.045))
    foot = PartOf("foot_L", "foot_L", "leg", "shank_L", 0.03, None, 0.06, 0.12)
    arm = parts_along("arm", "trunk", ("upper_arm_L", "upper_arm_L", 0.035), ("lower_arm_L", "forearm_L", 0.036),
                      ("hand_L", "hand_L", 0.022))
    return [PartOf("pelvis", "trunk", "trunk", None, 0.12, "torso"), PartOf("head", "head", "head", "trunk", 0.085),
            *sided([*leg, foot]), *sided(arm)]
