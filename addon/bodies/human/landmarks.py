# SPDX-License-Identifier: GPL-3.0-or-later
"""Landmarks: the joint centres of a figure at rest, and the rotations that take its rest pose to the neutral pose, a trunk that
leans or hunches set upright. Every figure that meets Lope (anthropometric table, BVH skeleton, Blender armature) is first brought
to the same form: a dictionary from landmark name to position [m] in the body frame (x forward, y left, z up, the sole at z = 0).
The neutral pose is the figure standing with limbs hanging straight down, feet pointing forward; there every segment frame has the
axes of the body frame."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...errors import BodyError
from ...maths.rotations import about_y, about_z, rotation_between

LEAN_DEG = (-17.0, 8.0)
"""Lean of the line from the hips to the shoulders that is left as it is, forward positive: 23 characters and clips that stand
upright have -9 to 3 (Mixamo, MPFB, Rigify, KayKit, CMU, SNU), one of CMU's skeletons -16."""
_LINKS_DEG = {"lower_spine": (-25.0, 20.0), "chest": (-20.0, 20.0), "neck": (-15.0, 30.0)}
"""Lean of each segment, from its joint to the next, that is left as it is: the same have -18 to 13, -4 to 15 and -3 to 22. From
the hips to the spine the way is short, and says where the joint lies rather than how the pelvis is held."""
_SHORT = 0.2
"""Of the trunk: shorter ways of the spine say nothing either."""
_CHAIN = ("pelvis", "lower_spine", "chest", "neck", "head")
_PARENTS = {"clavicle": ("chest", "lower_spine", "pelvis"), "shoulder": ("clavicle", "chest", "lower_spine", "pelvis")}


def trunk_turns(points: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Rotations (3, 3) of the trunk's segments from a rest pose that leans or hunches to the neutral pose; empty for one that
    stands as people do. What a segment leans beyond its band is taken off that segment; what the trunk then still leans beyond
    its own band is taken off all of it, the head with it: a head looks ahead at rest, however bowed the back under it is."""
    chain = [name for name in _CHAIN if name in points]
    shoulders = 0.5 * (points["shoulder_L"] + points["shoulder_R"])
    links = {name: points[after] - points[name] for name, after in zip(chain, chain[1:], strict=False)}
    length = float(np.linalg.norm(shoulders - points["pelvis"]))
    off = {name: _excess(_angle(np.zeros(3), links[name]), band) for name, band in _LINKS_DEG.items()
           if name in links and (name == "neck" or np.linalg.norm(links[name]) > _SHORT * length)}
    if "neck" in off:  # heads sit ahead of the neck in many ways: it follows a bowed chest, never more
        bow = abs(off.get("chest", 0.0))
        off["neck"] = min(max(off["neck"], -bow), bow)
    trunk = [name for name in ("pelvis", "lower_spine", "chest") if name in chain]
    places = _moved(points, chain, {name: about_y(np.radians(-off.get(name, 0.0))) for name in chain})
    top = places[trunk[-1]] + about_y(np.radians(-off.get(trunk[-1], 0.0))) @ (shoulders - points[trunk[-1]])
    rest = _excess(_angle(places["pelvis"], top), LEAN_DEG)
    if rest == 0.0 and not any(off.values()):
        return {}
    return {name: about_y(np.radians(-off.get(name, 0.0) - rest)) for name in chain}


def upright(points: Mapping[str, np.ndarray], turns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The landmarks of trunk, shoulders and head with the trunk's segments turned; other points stay where they are."""
    if not turns:
        return dict(points)
    chain = [name for name in (*_CHAIN, "head_top") if name in points]
    moved = {**points, **_moved(points, chain, turns)}
    trunk = next(name for name in _PARENTS["clavicle"] if name in points)
    for kind in ("clavicle", "shoulder"):
        for side in ("L", "R"):
            mark = f"{kind}_{side}"
            if mark in points:
                parent = next(name for name in (*(f"{n}_{side}" for n in _PARENTS[kind]), *_PARENTS[kind]) if name in points)
                turn = turns.get(parent, turns[trunk])
                moved[mark] = moved[parent] + turn @ (points[mark] - points[parent])
    return moved


def _moved(points: Mapping[str, np.ndarray], chain: list[str], turns: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The joints of a chain from the pelvis up, each segment turned about its joint."""
    moved = {"pelvis": points["pelvis"]}
    for name, after in zip(chain, chain[1:], strict=False):
        moved[after] = moved[name] + turns[name] @ (points[after] - points[name])
    return moved


def _angle(low: np.ndarray, high: np.ndarray) -> float:
    """Lean of a line forward [deg]."""
    way = high - low
    return float(np.degrees(np.arctan2(way[0], way[2])))


def _excess(value: float, band: tuple[float, float]) -> float:
    return value - min(max(value, band[0]), band[1])


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


LEAST_LENGTH_M = 1e-4
"""A limb that is shorter has no direction."""


def neutral_alignments(landmarks: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Rotation (3, 3) of each segment from the figure's rest pose to the neutral pose: `v_neutral = A @ v_rest`. Legs and arms
    turn by the smallest rotation that makes them hang straight down; feet turn about the vertical until they point forward;
    pelvis, spine, neck, head and clavicles stay as they rest, but for a trunk that leans or hunches (`upright`). Segments that
    the figure lacks are left out. Raises BodyError for one without length."""
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
            if np.linalg.norm(p[f"{end}_{side}"] - p[f"{start}_{side}"]) < LEAST_LENGTH_M:
                raise BodyError(f"The figure's {start} and {end} are in one place on side {side}; expected a bone between them.")
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
