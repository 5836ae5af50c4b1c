# SPDX-License-Identifier: GPL-3.0-or-later
"""Skeletons of a human made by code: with few or many spine joints, twist joints, free feet, hair, in any order and place."""

from __future__ import annotations

import numpy as np

from lope.addon.bodies.human.anatomy.skeleton import Skeleton
from lope.addon.bodies.human.anthropometry import standing_landmarks

FACING_MINUS_Y = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
_SIDED = (("clavicle", "clavicle", "chest end"), ("upper_arm", "shoulder", "clavicle"), ("forearm", "elbow", "upper_arm"),
          ("hand", "wrist", "forearm"), ("thigh", "hip", "pelvis"), ("shank", "knee", "thigh"), ("foot", "ankle", "shank"),
          ("toes", "toes", "foot"))


def human(spine: int = 2, arms_deg: float = 45.0, twist: bool = False, free_feet: bool = False,
          hair: int = 0, legs_deg: float = 0.0) -> dict[str, tuple]:
    """Joint -> (parent or None, head): a human 1.75 m tall, body axes, arms raised sideways by an angle from hanging, legs ahead.

    Named after the segments; trunk joints are "spine 0" and so on."""
    p = standing_landmarks(1.75)
    bones: dict[str, tuple] = {"pelvis": (None, p["pelvis"] + [0, 0, 0.03])}
    last = "pelvis"
    for k in range(spine):
        bones[f"spine {k}"] = (last, p["lower_spine"] + (p["chest"] * 1.15 - p["lower_spine"]) * k / max(spine - 1, 1))
        last = f"spine {k}"
    bones["neck"], bones["head"] = (last, p["neck"]), ("neck", p["head"])
    bones["crown"] = ("head", p["head_top"])
    for side, sign in (("L", 1.0), ("R", -1.0)):
        angle = np.radians(arms_deg) * sign
        raised = np.array([[1, 0, 0], [0, np.cos(angle), -np.sin(angle)], [0, np.sin(angle), np.cos(angle)]])
        for segment, mark, parent in _SIDED:
            place = p[f"{mark}_{side}"]
            if segment in ("forearm", "hand"):
                shoulder = p[f"shoulder_{side}"]
                place = shoulder + raised @ (place - shoulder) + [0.01 if segment == "hand" else -0.01, 0, 0]
            above = last if parent == "chest end" else parent if parent == "pelvis" else f"{parent}_{side}"
            if segment == "foot" and free_feet:
                above = None
            bones[f"{segment}_{side}"] = (above, place + [0, sign * 0.01 if segment == "clavicle" else 0, 0])
        hand, fore = bones[f"hand_{side}"][1], bones[f"forearm_{side}"][1]
        for k, off in enumerate((-0.03, 0.0, 0.03)):
            start = hand + 0.35 * (hand - fore) + [off, 0, 0]
            bones[f"finger {k} {side}"] = (f"hand_{side}", start)
            bones[f"finger tip {k} {side}"] = (f"finger {k} {side}", start + 0.2 * (hand - fore))
        bones[f"toe end {side}"] = (f"toes_{side}", p[f"toe_tip_{side}"])
        if legs_deg:
            c, s = np.cos(np.radians(legs_deg)), np.sin(np.radians(legs_deg))
            ahead = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
            for mark in ("shank", "foot", "toes", "toe end"):
                name = f"{mark} {side}" if mark == "toe end" else f"{mark}_{side}"
                hip = p[f"hip_{side}"]
                bones[name] = (bones[name][0], hip + ahead @ (bones[name][1] - hip))
        if twist:
            for upper, lower in (("upper_arm", "forearm"), ("thigh", "shank"), ("shank", "foot")):
                a, b = bones[f"{upper}_{side}"][1], bones[f"{lower}_{side}"][1]
                bones[f"{upper} twist {side}"] = (f"{upper}_{side}", 0.5 * (a + b))
                bones[f"{lower}_{side}"] = (f"{upper} twist {side}", b)
        for k in range(hair):
            above = "head"
            for link in range(4):
                bones[f"hair {k} {link} {side}"] = (above, p["head"] + [-0.08, sign * (0.05 + 0.02 * k), 0.1 - 0.12 * link])
                above = f"hair {k} {link} {side}"
    return bones


def skeleton(bones: dict[str, tuple], axes: np.ndarray = FACING_MINUS_Y, scale: float = 1.0, seed: int | None = None,
             names=str) -> tuple[Skeleton, dict[str, int]]:
    """The skeleton of such bones turned by `axes`, scaled, in a random order by `seed`; `names` gives a joint's name from its
    number. Also the number of each joint by the name that it had."""
    order = list(bones)
    if seed is not None:
        np.random.default_rng(seed).shuffle(order)
    number = {name: i for i, name in enumerate(order)}
    parents = np.array([-1 if bones[name][0] is None else number[bones[name][0]] for name in order])
    heads = scale * np.array([bones[name][1] for name in order]) @ axes.T
    tails = heads.copy()
    for i in range(len(order)):
        below = np.flatnonzero(parents == i)
        tails[i] = heads[below].mean(axis=0) if len(below) else heads[i] + 0.01 * scale * axes[:, 2]
    return Skeleton(tuple(names(i) for i in range(len(order))), parents, heads, tails), number
