# SPDX-License-Identifier: GPL-3.0-or-later
"""Skeletons of creatures made by code, body axes (x forward, y left, z up): any legs, neck, tail, arms, controls and helpers."""

from __future__ import annotations

import numpy as np

LEGS = {
    "human": ((0.0, 0.9), (0.02, 0.48), (0.0, 0.09), (0.14, 0.03)),
    "bird": ((0.0, 0.9), (0.22, 0.72), (-0.08, 0.36), (0.05, 0.05), (0.2, 0.03)),
    "raptor": ((0.0, 0.9), (0.15, 0.55), (-0.15, 0.3), (-0.02, 0.04), (0.2, 0.02)),
    "straight": ((0.0, 0.9), (0.0, 0.5), (0.0, 0.1), (0.15, 0.02)),
    "zigzag": ((0.0, 0.9), (0.25, 0.7), (-0.1, 0.5), (0.2, 0.25), (0.0, 0.06), (0.2, 0.02)),
}
"""Joints of a leg (x, z) [m] from the hip to the end of the toes."""
LEG_PARTS = {4: ("thigh", "shank", "foot"), 5: ("thigh", "shank", "metatarsus", "foot"),
             6: ("thigh", "shank", "hock", "metatarsus", "foot")}


def beast(legs: str = "bird", neck: int = 4, tail: int = 4, arms: int = 2, twist: bool = False, free_feet: bool = False,
          carriers: bool = False, controls: bool = False, toes: int = 0, pitch_deg: float = 20.0) -> dict[str, tuple]:
    """Joint -> (parent or None, head). Parts are named as the creature's: "thigh_L", "neck_1", "tail_1" ...; ends "end ..."."""
    at = np.radians(pitch_deg)
    ahead = np.array([np.cos(at), 0.0, np.sin(at)])
    hips = np.array([0.0, 0.0, 0.95])
    bones: dict[str, tuple] = {"trunk": (None, hips - 0.1 * ahead), "spine": ("trunk", hips + 0.1 * ahead),
                               "chest": ("spine", hips + 0.3 * ahead)}
    last, place = "chest", hips + 0.5 * ahead
    for k in range(neck):
        bones[f"neck_{k + 1}"] = (last, place)
        last, place = f"neck_{k + 1}", place + 0.11 * np.array([0.3, 0.0, 0.95])
    bones["head"], bones["end head"] = (last, place), ("head", place + [0.18, 0.0, -0.02])
    bones["jaw"] = ("head", place + [0.03, 0.0, -0.03])
    last, place = "trunk", hips - [0.12, 0.0, 0.0]
    for k in range(tail):
        bones[f"tail_{k + 1}"] = (last, place)
        last, place = f"tail_{k + 1}", place + [-0.13, 0.0, -0.005]
    if tail:
        bones["end tail"] = (last, place)
    joints = LEGS[legs]
    for side, sign in (("L", 1.0), ("R", -1.0)):
        above = "trunk"
        if carriers:
            bones[f"carrier_{side}"] = ("trunk", hips + [0.0, 0.02 * sign, -0.03])
            above = f"carrier_{side}"
        names = LEG_PARTS[len(joints)]
        for k, name in enumerate(names):
            here = np.array([joints[k][0], 0.14 * sign, joints[k][1]])
            there = np.array([joints[k + 1][0], 0.14 * sign, joints[k + 1][1]])
            bones[f"{name}_{side}"] = (None if free_feet and name == "foot" else above, here)
            above = f"{name}_{side}"
            if twist and name != "foot":
                bones[f"twist {name} {side}"] = (above, 0.5 * (here + there))
                above = f"twist {name} {side}"
        bones[f"end foot {side}"] = (f"foot_{side}", there)
        for k in range(toes):
            bones[f"toe {k} {side}"] = (f"foot_{side}", there - [0.05, sign * 0.04 * (k + 1), 0.0])
            bones[f"end toe {k} {side}"] = (f"toe {k} {side}", there + [0.0, -sign * 0.06 * (k + 1), 0.0])
        start = hips + 0.42 * ahead + [0.0, 0.16 * sign, -0.05]
        for k in range(arms):
            name = ("upper_arm", "forearm", "hand")[k]
            bones[f"{name}_{side}"] = ("chest" if k == 0 else f"{('upper_arm', 'forearm')[k - 1]}_{side}",
                                       start + [0.06 * k, 0.02 * sign * k, -0.2 * k])
        if arms:
            bones[f"end arm {side}"] = (f"{('upper_arm', 'forearm', 'hand')[arms - 1]}_{side}",
                                        start + [0.06 * arms, 0.02 * sign * arms, -0.2 * arms])
        bones[f"eye {side}"] = ("head", bones["head"][1] + [0.05, 0.04 * sign, 0.03])
        bones[f"end eye {side}"] = (f"eye {side}", bones["head"][1] + [0.08, 0.05 * sign, 0.03])
        if controls:
            bones[f"knee pole {side}"] = (None, np.array([0.9, 0.14 * sign, 0.5]))
            bones[f"foot ik {side}"] = (None, np.array([joints[-2][0], 0.14 * sign, joints[-2][1]]))
    return bones


def moves_skin(bones: dict[str, tuple]) -> np.ndarray:
    """How much skin (N,) each joint of a beast moves: none of controls, ends and carriers."""
    return np.array([0.0 if name.startswith(("end", "knee pole", "foot ik", "carrier")) else 40.0 if name in ("trunk", "head")
                     else 10.0 for name in bones])
