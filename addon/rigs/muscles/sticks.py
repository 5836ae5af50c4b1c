# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain bones for muscles to lie on: a shaft from joint to joint of a figure at rest, and a skull. No Blender."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...bodies.human.landmarks import SIDES

SECTION = 8
SHAFT = ((0.0, 0.5), (0.04, 1.0), (0.14, 0.75), (0.5, 0.55), (0.86, 0.75), (0.96, 1.0), (1.0, 0.5))
"""Along a bone, share of its length and of its greatest radius."""
SKULL = ((0.0, 0.35), (0.12, 0.6), (0.35, 0.9), (0.6, 1.0), (0.82, 0.8), (0.95, 0.45), (1.0, 0.1))
RADIUS = 0.07
"""Greatest radius of a bone over its length (first guess); a skull's is `SKULL_RADIUS`."""
SKULL_RADIUS = 0.38
LEAST_M, MOST_M = 0.006, 0.026
TRUNK = (("pelvis", "pelvis", "lower_spine"), ("pelvis", "pelvis", "chest"), ("lower_spine", "lower_spine", "chest"),
         ("chest", "chest", "neck"), ("neck", "neck", "head"), ("head", "head", "head_top"))
LIMBS = (("pelvis", "pelvis", "hip"), ("chest", "neck", "clavicle"), ("clavicle", "clavicle", "shoulder"),
         ("upper_arm", "shoulder", "elbow"), ("forearm", "elbow", "wrist"), ("hand", "wrist", "hand_tip"),
         ("thigh", "hip", "knee"), ("shank", "knee", "ankle"), ("foot", "ankle", "heel"), ("foot", "ankle", "toes"),
         ("toes", "toes", "toe_tip"))
"""Segment, and the landmarks from which and to which its bone goes."""


@dataclass(frozen=True)
class Sticks:
    """Bones at rest: points (N, 3) [m] in the body frame, the segment of each, and faces."""

    places: np.ndarray
    segments: tuple[str, ...]
    faces: list[tuple[int, ...]]


def sticks(landmarks: Mapping[str, np.ndarray], segments: Mapping[str, object]) -> Sticks:
    """The bones of a figure with these landmarks and `segments`."""
    sided = [(f"{segment}_{side}" if f"{segment}_{side}" in segments else segment, start, end, side)
             for side in SIDES for segment, start, end in LIMBS]
    rows = [*((*row, "") for row in TRUNK if row[2] != "chest" or row[0] != "pelvis" or "lower_spine" not in landmarks), *sided]
    places, whose, faces = [], [], []
    for segment, start, end, side in rows:
        a, b = _of(landmarks, start, side), _of(landmarks, end, side)
        if segment not in segments or a is None or b is None or np.linalg.norm(b - a) < 1e-3:
            continue
        first = sum(map(len, places))
        made = _bone(a, b, skull=segment == "head")
        places.append(made)
        whose += [segment] * len(made)
        faces += [tuple(first + i for i in face) for face in _faces(len(made) // SECTION)]
    return Sticks(np.concatenate(places), tuple(whose), faces)


def _of(landmarks: Mapping[str, np.ndarray], name: str, side: str) -> np.ndarray | None:
    return landmarks.get(f"{name}_{side}", landmarks.get(name))


def _bone(a: np.ndarray, b: np.ndarray, *, skull: bool) -> np.ndarray:
    """Rings of points from a to b."""
    length = float(np.linalg.norm(b - a))
    radius = SKULL_RADIUS * length if skull else float(np.clip(RADIUS * length, LEAST_M, MOST_M))
    along = (b - a) / length
    across = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
    across /= np.linalg.norm(across)
    turn = 2.0 * np.pi * np.arange(SECTION) / SECTION
    ring = np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * np.cross(along, across)
    return np.concatenate([a + share * (b - a) + radius * thick * ring for share, thick in (SKULL if skull else SHAFT)])


def _faces(rings: int) -> list[tuple[int, ...]]:
    """Faces of that many rings, closed at both ends."""
    out = [tuple(reversed(range(SECTION))), tuple((rings - 1) * SECTION + i for i in range(SECTION))]
    for k in range(rings - 1):
        for i in range(SECTION):
            j = (i + 1) % SECTION
            out.append((k * SECTION + i, k * SECTION + j, (k + 1) * SECTION + j, (k + 1) * SECTION + i))
    return out
