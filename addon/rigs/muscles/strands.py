# SPDX-License-Identifier: GPL-3.0-or-later
"""Muscles' paths as points on a figure at rest: those that go with a segment, and those that lie between two of them, straight or
round a cylinder or a sphere; these are laid anew in every frame (`nodes.muscle_nodes`), so here they have only their share of the
way, and what they go round. And plain bones for muscles to lie on. No Blender."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...bodies.human.landmarks import SIDES, neutral_alignments
from ...bodies.muscle import STRESS_PA, Muscle, PathPoint, Wrap
from ..read.figure import joint_landmark

BETWEEN, AROUND = 1, 10
"""Points between two of a path's own: on a straight way, and on one that may go round something."""
ENDS = 0.3
"""A tube's radius at its ends, over that in its middle."""
FULLNESS = ENDS**2 + 4.0 * ENDS * (1.0 - ENDS) / math.pi + 0.5 * (1.0 - ENDS) ** 2
"""Mean of the square of a tube's radius over its length, over that in its middle: r(s) = ENDS + (1 - ENDS) sin(pi s)."""
ROOM = 0.75
"""Of the radius that a muscle's volume asks for, so that neighbours can be told apart (first guess)."""


@dataclass(frozen=True)
class Rest:
    """Where segments' frames lie while a figure rests: joints [m] and alignments A (3, 3), both in the body frame."""

    joints: Mapping[str, np.ndarray]
    alignments: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, landmarks: Mapping[str, np.ndarray]) -> Rest:
        alignments = neutral_alignments(landmarks)
        joints = {segment: joint_landmark(segment) for segment in alignments}
        return cls({segment: landmarks[joint] for segment, joint in joints.items() if joint in landmarks}, alignments)

    def place(self, segment: str, position: Sequence[float] | np.ndarray) -> np.ndarray:
        """Where a point (3,) of a segment's own frame is at rest (3,), body frame [m]."""
        return self.joints[segment] + self.alignments[segment].T @ np.asarray(position, dtype=float)


@dataclass(frozen=True)
class Strand:
    """A muscle's path at rest: N points (N, 3) [m] in the body frame, each with the `segments` that it goes with, "" between the
    points `start` and `end` (N,) at its `share` (N,) of the way. `around` (N,): row of the first of three points (middle, along,
    beside) of what it goes round at `radius_m` (N,), or -1; `edges` (E, 2) join the points. `thickness_m` is the radius in its
    middle."""

    name: str
    places: np.ndarray
    segments: tuple[str, ...]
    start: np.ndarray
    end: np.ndarray
    share: np.ndarray
    around: np.ndarray
    radius_m: np.ndarray
    edges: np.ndarray
    thickness_m: float


def strand(muscle: Muscle, rest: Rest) -> Strand:
    made = _Making(rest)
    last, wraps = -1, []
    for part in muscle.path:
        if isinstance(part, Wrap):
            wraps.append(made.wrap(part))
            continue
        row = made.point(part)
        if last >= 0:
            made.way(last, row, wraps)
        last, wraps = row, []
    line = np.array(made.line)
    places = np.array(made.places)
    length = float(np.linalg.norm(np.diff(places[line], axis=0), axis=1).sum())
    start, end, share, around, radius = (np.array(column) for column in zip(*made.rows, strict=True))
    edges = np.stack([line[:-1], line[1:]], axis=1)
    thickness = thickness_m(muscle, length)
    return Strand(muscle.name, places, tuple(made.segments), start, end, share, around, radius, edges, thickness)


def thickness_m(muscle: Muscle, length_m: float) -> float:
    """Radius [m] in the middle of a tube of that length that has the fibres' volume: their cross section times their length."""
    volume = muscle.max_force_n / STRESS_PA * muscle.optimal_fibre_m
    return ROOM * math.sqrt(volume / (math.pi * length_m * FULLNESS))


class _Making:
    """Rows of a strand as they come."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest
        self.places: list[np.ndarray] = []
        self.segments: list[str] = []
        self.rows: list[tuple[int, int, float, int, float]] = []
        self.line: list[int] = []

    def point(self, part: PathPoint) -> int:
        return self._fixed(part.segment, self._rest.place(part.segment, part.position))

    def wrap(self, part: Wrap) -> tuple[int, float]:
        """What the path goes round: the row of the first of its three points, and its radius."""
        middle = np.array(part.position)
        along = np.array(part.axis) if part.kind == "cylinder" else np.zeros(3)  # a sphere has none
        beside = middle if part.beside is None else np.array(part.beside)
        row, *_ = [self._fixed(part.segment, self._rest.place(part.segment, place)) for place in (middle, middle + along, beside)]
        return row, part.radius_m

    def way(self, start: int, end: int, wraps: Sequence[tuple[int, float]]) -> None:
        """The points between two of the path's own, and these; of several things to go round each has its part of the way. Round
        one thing the first and the last point are where the path meets it."""
        count = AROUND * len(wraps) if wraps else BETWEEN
        if not self.line:
            self.line.append(start)
        for i in range(count):
            share = (i + 1) / (count + 1)
            around, radius = -1, 0.0
            if wraps:
                around, radius = wraps[i // AROUND]
                share = share if len(wraps) > 1 else i / (AROUND - 1)
            self.rows.append((start, end, share, around, radius))
            self.line.append(len(self.places))
            self.places.append((1.0 - share) * self.places[start] + share * self.places[end])
            self.segments.append("")
        self.line.append(end)

    def _fixed(self, segment: str, place: np.ndarray) -> int:
        row = len(self.places)
        self.places.append(place)
        self.segments.append(segment)
        self.rows.append((row, row, 0.0, -1, 0.0))
        return row


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
    length = float(np.linalg.norm(b - a))
    radius = SKULL_RADIUS * length if skull else float(np.clip(RADIUS * length, LEAST_M, MOST_M))
    along = (b - a) / length
    across = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
    across /= np.linalg.norm(across)
    turn = 2.0 * np.pi * np.arange(SECTION) / SECTION
    ring = np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * np.cross(along, across)
    return np.concatenate([a + share * (b - a) + radius * thick * ring for share, thick in (SKULL if skull else SHAFT)])


def _faces(rings: int) -> list[tuple[int, ...]]:
    out = [tuple(reversed(range(SECTION))), tuple((rings - 1) * SECTION + i for i in range(SECTION))]
    for k in range(rings - 1):
        for i in range(SECTION):
            j = (i + 1) % SECTION
            out.append((k * SECTION + i, k * SECTION + j, (k + 1) * SECTION + j, (k + 1) * SECTION + i))
    return out
