# SPDX-License-Identifier: GPL-3.0-or-later
"""Landmarks: the joint centres of a figure at rest, and the rotations that take its rest pose to the neutral pose.

Every figure that meets Lope (anthropometric table, BVH skeleton, Blender armature) is first brought to the same form: a
dictionary from landmark name to position [m] in the body frame (x forward, y left, z up, the sole at z = 0). The neutral
pose is the figure standing with limbs hanging straight down, feet pointing forward; there every segment frame has the
axes of the body frame. A figure at rest in another pose (T, A, legs apart) differs from neutral by one rotation a
segment: `neutral_alignments`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...errors import BodyError
from ...maths.axis_turns import about_z
from ...maths.least_turn import rotation_between
from .upright import trunk_turns

SIDES = ("L", "R")
SIDED = ("clavicle", "shoulder", "elbow", "wrist", "hand_tip", "hip", "knee", "ankle", "heel", "toes", "toe_tip")
CENTRAL = ("pelvis", "lower_spine", "chest", "neck", "head", "head_top")
LANDMARKS = CENTRAL + tuple(f"{name}_{side}" for name in SIDED for side in SIDES)
"""Every landmark name. `toes` is the ball of the foot, where the toe joint sits; `pelvis` lies midway between the hips."""

OPTIONAL = {"lower_spine", "chest", "neck", "head_top"} | {
    f"{name}_{side}" for name in ("clavicle", "wrist", "hand_tip", "heel", "toes", "toe_tip") for side in SIDES
}
"""Landmarks a figure may lack; the joint there is welded (or the point estimated: head_top, hand_tip, heel, toe_tip)."""

DOWN = np.array([0.0, 0.0, -1.0])


def check_landmarks(landmarks: Mapping[str, object]) -> dict[str, np.ndarray]:
    """Landmarks as float arrays of shape (3,). Raises BodyError naming what is missing, unknown or not finite."""
    unknown = sorted(set(landmarks) - set(LANDMARKS))
    if unknown:
        raise BodyError(f"Unknown landmarks {', '.join(unknown)}; known: {', '.join(LANDMARKS)}.")
    missing = sorted(set(LANDMARKS) - OPTIONAL - set(landmarks))
    if missing:
        legs = [m for m in missing if m.split("_")[0] in ("hip", "knee", "ankle")]
        what = "legs (" + ", ".join(legs) + ")" if legs else ", ".join(missing)
        raise BodyError(f"The figure has no {what}; a body needs hips, knees, ankles, shoulders, elbows and a head.")
    points = {name: np.asarray(value, dtype=float) for name, value in landmarks.items()}
    for name, point in points.items():
        if point.shape != (3,) or not np.all(np.isfinite(point)):
            raise BodyError(f"Landmark {name} must be three finite numbers in metres, got {landmarks[name]!r}.")
    return points



def neutral_alignments(landmarks: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Rotation (3, 3) of each segment from the figure's rest pose to the neutral pose: `v_neutral = A @ v_rest`.

    Legs and arms turn by the smallest rotation that makes them hang straight down; feet turn about the vertical until they
    point forward; pelvis, spine, neck, head and clavicles stay as they rest, but for a trunk that leans or hunches (`upright`).
    Segments that the figure lacks are left out.
    """
    p = landmarks
    turns = trunk_turns(p)
    align = {name: np.eye(3) for name in ("pelvis", "lower_spine", "chest", "neck", "head") if name == "pelvis" or name in p}
    align |= turns
    for side in SIDES:
        if f"clavicle_{side}" in p:
            align[f"clavicle_{side}"] = align[next(name for name in ("chest", "lower_spine", "pelvis") if name in align)]
        hang = [("thigh", "hip", "knee"), ("shank", "knee", "ankle"), ("upper_arm", "shoulder", "elbow")]
        if f"wrist_{side}" in p:
            hang.append(("forearm", "elbow", "wrist"))
            if f"hand_tip_{side}" in p:
                hang.append(("hand", "wrist", "hand_tip"))
        for segment, start, end in hang:
            align[f"{segment}_{side}"] = rotation_between(p[f"{end}_{side}"] - p[f"{start}_{side}"], DOWN)
        if f"wrist_{side}" in p and f"hand_tip_{side}" not in p:
            align[f"hand_{side}"] = align[f"forearm_{side}"]
        if f"wrist_{side}" not in p:
            align[f"forearm_{side}"] = align[f"upper_arm_{side}"]
        front = next((f"{n}_{side}" for n in ("toes", "toe_tip") if f"{n}_{side}" in p), None)
        forward = p[front] - p[f"ankle_{side}"] if front else np.array([1.0, 0.0, 0.0])
        align[f"foot_{side}"] = about_z(-np.arctan2(forward[1], forward[0]))
        if f"toes_{side}" in p:
            align[f"toes_{side}"] = align[f"foot_{side}"]
    return align
