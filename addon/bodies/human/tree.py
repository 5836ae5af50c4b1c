# SPDX-License-Identifier: GPL-3.0-or-later
"""The segments of a human body, with published masses along the landmarks of a figure in the neutral pose; its feet and their
contact points; and legs that are not under it at rest, as in a jump, from which nobody stands or walks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...errors import BodyError
from ..body import ContactPoint, Foot, Segment
from .anthropometry import INERTIA, INERTIA_FLOOR_KG_M2
from .landmarks import DOWN, SIDES, neutral_alignments, trunk_turns, upright

Y_BACK = (0.0, -1.0, 0.0)
Y_FORE = (0.0, 1.0, 0.0)

# Segment: (parent, joint landmark, joint kind, hinge axis, limits [deg], end landmark). Ball limits are one cone angle.
# Ranges of motion: Kapandji, "The Physiology of the Joints", rounded.
TREE: dict[str, tuple] = {
    "lower_spine": ("pelvis", "lower_spine", "ball", None, (0, 45), "chest"),
    "chest": ("lower_spine", "chest", "ball", None, (0, 40), "neck"),
    "neck": ("chest", "neck", "ball", None, (0, 45), "head"),
    "head": ("neck", "head", "ball", None, (0, 45), "head_top"),
    "clavicle": ("chest", "clavicle", "ball", None, (0, 40), "shoulder"),
    "upper_arm": ("clavicle", "shoulder", "ball", None, (0, 170), "elbow"),
    "forearm": ("upper_arm", "elbow", "hinge", Y_BACK, (0, 150), "wrist"),
    "hand": ("forearm", "wrist", "ball", None, (0, 90), "hand_tip"),
    "thigh": ("pelvis", "hip", "ball", None, (0, 125), "knee"),
    "shank": ("thigh", "knee", "hinge", Y_FORE, (0, 150), "ankle"),
    "foot": ("shank", "ankle", "ball", None, (0, 65), "toe_tip"),
    "toes": ("foot", "toes", "hinge", Y_BACK, (-30, 80), "toe_tip"),
}
CENTRAL_CHAIN = ("lower_spine", "chest", "neck", "head")
ARM_CHAIN = ("clavicle", "upper_arm", "forearm", "hand")
LEG_CHAIN = ("thigh", "shank", "foot", "toes")


def make_segments(p: Mapping[str, np.ndarray]) -> list[Segment]:
    """Segments with de Leva's mass fractions for a body of unit mass; welded ones are merged into their parents."""
    raw: list[tuple[str, str, str]] = [(n, n, TREE[n][0]) for n in CENTRAL_CHAIN]
    for chain in (ARM_CHAIN, LEG_CHAIN):  # depth first, as MuJoCo orders its coordinates
        for side in SIDES:
            raw += [(f"{n}_{side}", n, f"{TREE[n][0]}_{side}" if n not in ("clavicle", "thigh") else TREE[n][0]) for n in chain]
    pelvis_tip = p.get("lower_spine", p.get("chest", p.get("neck", p["head"])))
    made: dict[str, Segment] = {"pelvis": _segment("pelvis", "pelvis", None, p["pelvis"], p["pelvis"], pelvis_tip)}
    alias = {"pelvis": "pelvis"}
    joint_at = {"pelvis": p["pelvis"]}
    for name, kind, parent in raw:
        side = name[len(kind):]
        _, joint, _, _, _, end = TREE[kind]
        joint = joint + side if side else joint
        parent = alias[parent]
        if joint not in p:
            alias[name] = parent
            made[parent] = _absorb(made[parent], INERTIA[kind].mass)
            continue
        ends = [end + side if side else end] if kind != "foot" else [f"toe_tip{side}"]
        tip = next((p[e] for e in ends if e in p), None)
        if tip is None:
            later = {"lower_spine": ("neck", "head"), "chest": ("head",)}.get(kind, ())
            tip = next((p[e] for e in later if e in p), p[joint] + [0, 0, 0.1])
        alias[name] = name
        joint_at[name] = p[joint]
        made[name] = _segment(name, kind, parent, p[joint], joint_at[parent], tip)
    return list(made.values())


def _segment(name: str, kind: str, parent: str | None, origin: np.ndarray, parent_origin: np.ndarray, tip: np.ndarray) -> Segment:
    """One segment of a unit-mass body, of a kind of `TREE`, or the pelvis, which is free."""
    _, _, joint, axis, limits, _ = TREE.get(kind, (None, None, "free", None, None, None))
    table = INERTIA[kind]
    tip = tip - origin
    length = float(np.linalg.norm(tip))
    com = table.com * tip
    frame = _long_axis_frame(tip / max(length, 1e-9))
    gyration = np.array(table.gyration) * length
    inertia = table.mass * frame @ np.diag(gyration**2) @ frame.T
    return Segment(name, parent, joint, origin - parent_origin, tip, table.mass, com, inertia,
                   None if axis is None else np.array(axis), None if limits is None else tuple(np.radians(limits)))


def _long_axis_frame(direction: np.ndarray) -> np.ndarray:
    """Columns: forward-ish, left-ish and long axis of a segment lying along `direction`."""
    z = direction
    y = np.cross(z, [1.0, 0.0, 0.0]) if abs(z[0]) < 0.8 else np.array([0.0, 1.0, 0.0])
    y = y - (y @ z) * z
    y /= np.linalg.norm(y)
    return np.column_stack([np.cross(y, z), y, z])


def _absorb(segment: Segment, mass: float) -> Segment:
    """`segment` with the mass fraction of a welded neighbour added, its inertia grown in proportion."""
    total = segment.mass_kg + mass
    return replace(segment, mass_kg=total, inertia=segment.inertia * total / segment.mass_kg)


def scaled_to_mass(segments: list[Segment], mass_kg: float) -> list[Segment]:
    """Segments of a body of exactly `mass_kg`, small inertias lifted to the floor."""
    total = sum(s.mass_kg for s in segments)
    floor = INERTIA_FLOOR_KG_M2 * mass_kg / 75.0
    scaled = []
    for s in segments:
        values, vectors = np.linalg.eigh(s.inertia * mass_kg / total)
        values = np.maximum(values, floor)
        values[2] = min(values[2], values[0] + values[1])
        inertia = vectors @ np.diag(values) @ vectors.T
        scaled.append(replace(s, mass_kg=s.mass_kg * mass_kg / total, inertia=inertia))
    return scaled


HEEL_HALF_WIDTH, BALL_HALF_WIDTH = 0.12, 0.17
"""Half widths of the foot at heel and ball as fractions of its length (Winter 2009; a shoe is a little wider)."""
STIFF_TIP_SHARE = 0.6
"""Half width of a toe-less foot's tip over that of the ball: a shoe narrows towards it."""
LEG = ("thigh", "shank", "foot")
"""The segments of a leg, from the hip to the foot."""


def human_feet(points: Sequence[ContactPoint]) -> list[Foot]:
    return [Foot(side, side, f"foot_{side}", tuple(f"{name}_{side}" for name in LEG),
                 tuple(i for i, point in enumerate(points) if point.side == side)) for side in SIDES]


def contact_points(p: Mapping[str, np.ndarray], segments: Sequence[Segment]) -> list[ContactPoint]:
    """Heel (2), ball (2) and toe (1, without toes 2) points of each foot, from the foot's own length, on the sole plane z = 0. A
    foot without toes rolls over its tip alone: over a single point there it could not keep from falling to the side."""
    names = {s.name for s in segments}
    points = []
    for side in SIDES:
        ankle, heel, tip = p[f"ankle_{side}"], p[f"heel_{side}"], p[f"toe_tip_{side}"]
        length = float(tip[0] - heel[0])
        radius = 0.025 * length
        ball_x = p[f"toes_{side}"][0] if f"toes_{side}" in p else heel[0] + 0.72 * length
        y, z = ankle[1], tip[2] + radius  # straightening legs that rest apart lowers the sole
        toe_segment = f"toes_{side}" if f"toes_{side}" in names else f"foot_{side}"
        toe_origin = p[f"toes_{side}"] if toe_segment.startswith("toes") else ankle
        rows = [("heel_in", "heel", heel[0] + radius, -HEEL_HALF_WIDTH), ("heel_out", "heel", heel[0] + radius, HEEL_HALF_WIDTH),
                ("ball_in", "ball", ball_x, -BALL_HALF_WIDTH), ("ball_out", "ball", ball_x, BALL_HALF_WIDTH)]
        front = ([("toe", -0.35)] if toe_segment.startswith("toes")
                 else [("toe_in", -STIFF_TIP_SHARE), ("toe_out", STIFF_TIP_SHARE)])
        rows += [(name, "toe", tip[0] - radius, share * BALL_HALF_WIDTH) for name, share in front]
        outward = 1.0 if side == "L" else -1.0
        for name, kind, x, lateral in rows:
            segment, origin = (toe_segment, toe_origin) if kind == "toe" else (f"foot_{side}", ankle)
            place = np.array([x, y + outward * lateral * length, z]) - origin
            points.append(ContactPoint(f"{name}_{side}", side, kind, segment, place, radius))
    return points


def neutral_landmarks(points: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Landmarks in the neutral pose: limbs hanging, feet forward, missing ends estimated, pelvis where it rests."""
    p = dict(points)
    height = p["head"][2] - min(q[2] for q in p.values())
    if height < 0.1:
        raise BodyError("The figure's head is not above its feet; expected a standing rest pose with z up.")
    p.setdefault("head_top", p["head"] + [0.0, 0.0, 0.13 * height])
    for side in SIDES:
        ankle = p[f"ankle_{side}"]
        leg = np.linalg.norm(p[f"knee_{side}"] - p[f"hip_{side}"]) + np.linalg.norm(ankle - p[f"knee_{side}"])
        front = next((p[f"{n}_{side}"] - ankle for n in ("toes", "toe_tip") if f"{n}_{side}" in p), np.array([1.0, 0, 0]))
        forward = np.array([front[0], front[1], 0.0])
        forward /= max(np.linalg.norm(forward), 1e-9)
        foot = 0.31 * leg  # Winter: foot .152 H over leg .491 H
        if f"toe_tip_{side}" not in p:
            start = p.get(f"toes_{side}", ankle + 0.46 * foot * forward)
            p[f"toe_tip_{side}"] = start + 0.26 * foot * forward
        p[f"toe_tip_{side}"] = np.array([*p[f"toe_tip_{side}"][:2], 0.0])
        p.setdefault(f"heel_{side}", np.array([*(ankle - 0.28 * foot * forward)[:2], 0.0]))
        if f"wrist_{side}" in p:
            arm = p[f"wrist_{side}"] - p[f"elbow_{side}"]
            p.setdefault(f"hand_tip_{side}", p[f"wrist_{side}"] + 0.6 * arm)
    align = neutral_alignments(points)
    trunk = upright(p, trunk_turns(points))
    neutral = {"pelvis": p["pelvis"]}
    for name in CENTRAL_CHAIN + ("head_top",):
        if name in p:
            neutral[name] = trunk[name]
    for side in SIDES:
        if f"clavicle_{side}" in p:
            neutral[f"clavicle_{side}"] = trunk[f"clavicle_{side}"]
        neutral[f"shoulder_{side}"], neutral[f"hip_{side}"] = trunk[f"shoulder_{side}"], p[f"hip_{side}"]
        chain = [("shoulder", "elbow", "upper_arm"), ("elbow", "wrist", "forearm"), ("wrist", "hand_tip", "hand"),
                 ("hip", "knee", "thigh"), ("knee", "ankle", "shank"), ("ankle", "toes", "foot"), ("ankle", "heel", "foot"),
                 ("ankle", "toe_tip", "foot")]
        for start, end, segment in chain:
            start, end, segment = f"{start}_{side}", f"{end}_{side}", f"{segment}_{side}"
            if end in p and start in neutral:
                neutral[end] = neutral[start] + align[segment] @ (p[end] - p[start])
    return neutral


FEET_OFF_LEGS = 0.3
"""Ankles that rest farther ahead of the hips or behind them than this share of the leg do not stand: eleven characters that do
have -.05 to .03, one that rests in a jump .59; crouched with knees bent by 65 degrees it is .04."""


@dataclass(frozen=True)
class LegsAway:
    """Legs far from under the body: `feet_m` the ankles lie ahead of the hips (negative: behind); the thighs are turned by
    `thighs_deg` from hanging and the knees bent by `knees_deg`, the more of both sides."""

    feet_m: float
    thighs_deg: float
    knees_deg: float


def legs_away(points: Mapping[str, Sequence[float] | np.ndarray]) -> LegsAway | None:
    """What is wrong with the legs of a figure's landmarks [m] (body axes); None where they are under it."""
    p = {name: np.asarray(place, dtype=float) for name, place in points.items()}
    thighs = [p[f"knee_{side}"] - p[f"hip_{side}"] for side in SIDES]
    shanks = [p[f"ankle_{side}"] - p[f"knee_{side}"] for side in SIDES]
    ahead = float(np.mean([(thigh + shank)[0] for thigh, shank in zip(thighs, shanks, strict=True)]))
    leg = float(np.mean([np.linalg.norm(thigh) + np.linalg.norm(shank) for thigh, shank in zip(thighs, shanks, strict=True)]))
    if abs(ahead) <= FEET_OFF_LEGS * leg:
        return None
    return LegsAway(ahead, max(_angle_deg(thigh, DOWN) for thigh in thighs),
                    max(_angle_deg(thigh, shank) for thigh, shank in zip(thighs, shanks, strict=True)))


def _angle_deg(a: np.ndarray, b: np.ndarray) -> float:
    cosine = a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-12)
    return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
