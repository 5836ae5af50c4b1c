# SPDX-License-Identifier: GPL-3.0-or-later
"""The segments of a human body: the tree of joints, and published masses along the landmarks of a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..segments import Segment
from .anthropometry import INERTIA, INERTIA_FLOOR_KG_M2
from .landmarks import SIDES

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
            raw += [(f"{n}_{side}", n, f"{TREE[n][0]}_{side}" if n not in ("clavicle", "thigh") else TREE[n][0])
                    for n in chain]
    pelvis_tip = p.get("lower_spine", p.get("chest", p.get("neck", p["head"])))
    made: dict[str, Segment] = {"pelvis": _segment("pelvis", "pelvis", None, "free", p["pelvis"], p["pelvis"], pelvis_tip)}
    alias = {"pelvis": "pelvis"}
    joint_at = {"pelvis": p["pelvis"]}
    for name, kind, parent in raw:
        side = name[len(kind):]
        _, joint, joint_kind, axis, limits, end = TREE[kind]
        joint = joint + side if side else joint
        parent = alias[parent]
        if joint not in p:
            alias[name] = parent
            if kind != "toes":  # the toes' mass stays in the foot's own fraction below
                made[parent] = _absorb(made[parent], INERTIA[kind].mass)
            else:
                made[parent] = _absorb(made[parent], INERTIA["toes"].mass)
            continue
        ends = [end + side if side else end] if kind != "foot" else [f"toe_tip{side}"]
        tip = next((p[e] for e in ends if e in p), None)
        if tip is None:
            later = {"lower_spine": ("neck", "head"), "chest": ("head",)}.get(kind, ())
            tip = next((p[e] for e in later if e in p), p[joint] + [0, 0, 0.1])
        alias[name] = name
        joint_at[name] = p[joint]
        made[name] = _segment(name, kind, parent, joint_kind, p[joint], joint_at[parent], tip, axis, limits)
    return list(made.values())


def _segment(
    name: str, kind: str, parent: str | None, joint: str, origin: np.ndarray, parent_origin: np.ndarray, tip: np.ndarray,
    axis: Sequence[float] | None = None, limits: Sequence[float] | None = None,
) -> Segment:
    """One segment of a unit-mass body."""
    table = INERTIA[kind]
    tip = tip - origin
    length = float(np.linalg.norm(tip))
    com = table.com * tip
    frame = _long_axis_frame(tip / max(length, 1e-9))
    gyration = np.array(table.gyration) * length
    inertia = table.mass * frame @ np.diag(gyration**2) @ frame.T
    return Segment(
        name, parent, joint, origin - parent_origin, tip, table.mass, com, inertia,
        None if axis is None else np.array(axis), None if limits is None else tuple(np.radians(limits)),
    )


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
