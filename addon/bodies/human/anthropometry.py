# SPDX-License-Identifier: GPL-3.0-or-later
"""Published body proportions and segment inertia, a human's relaxed joints, and what people call the parts of a body. Lengths:
Drillis and Contini (1966), as fractions of standing height, in the table of Winter, "Biomechanics and Motor Control of Human
Movement", fig. 4.1. Masses, centres of mass and radii of gyration: de Leva (1996), "Adjustments to Zatsiorsky-Seluyanov's segment
inertia parameters", J. Biomechanics 29(9), table 4, men."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..body import Body, PassiveJoint, joint_by_size, kind_of


@dataclass(frozen=True)
class SegmentInertia:
    """Mass as a fraction of the body's; COM as a fraction of the segment's length from its joint; radii of gyration as
    fractions of the same length about the forward (x), leftward (y) and long axis."""

    mass: float
    com: float
    gyration: tuple[float, float, float]


# de Leva 1996, table 4 (men). The trunk's three parts become pelvis, lower spine and chest; 2 x 1.0 % of the upper trunk go
# to the clavicles; head with neck (6.94 %) is split 1.3 / 5.64; 0.2 % of each foot (1.37 %) goes to the toes.
INERTIA: dict[str, SegmentInertia] = {
    "pelvis": SegmentInertia(0.1117, 0.40, (0.615, 0.551, 0.587)),
    "lower_spine": SegmentInertia(0.1633, 0.55, (0.482, 0.383, 0.468)),
    "chest": SegmentInertia(0.1396, 0.50, (0.505, 0.320, 0.465)),
    "neck": SegmentInertia(0.0130, 0.50, (0.32, 0.32, 0.40)),
    "head": SegmentInertia(0.0564, 0.50, (0.303, 0.315, 0.261)),
    "clavicle": SegmentInertia(0.0100, 0.50, (0.30, 0.20, 0.30)),
    "upper_arm": SegmentInertia(0.0271, 0.5772, (0.285, 0.269, 0.158)),
    "forearm": SegmentInertia(0.0162, 0.4574, (0.276, 0.265, 0.121)),
    "hand": SegmentInertia(0.0061, 0.3624, (0.288, 0.235, 0.184)),
    "thigh": SegmentInertia(0.1416, 0.4095, (0.329, 0.329, 0.149)),
    "shank": SegmentInertia(0.0433, 0.4459, (0.255, 0.249, 0.103)),
    "foot": SegmentInertia(0.0117, 0.4415, (0.124, 0.245, 0.257)),
    "toes": SegmentInertia(0.0020, 0.45, (0.30, 0.30, 0.30)),
}

INERTIA_FLOOR_KG_M2 = 5e-3
"""Least principal moment of any segment of a 75 kg figure. It stands for shoes, gloves and the tissue around light segments,
and in place of engine-side armature, which PyBullet does not have: with the bare foot's 1e-3 a newton metre of error in the
contact model tilts a foot off the ground within one control step (docs/notes/controller.md)."""

# Fractions of standing height (Winter, fig. 4.1, after Drillis and Contini 1966; depths are own measurements on figures).
_UP = {"ankle": 0.039, "knee": 0.285, "hip": 0.530, "shoulder": 0.818, "neck": 0.855, "head": 0.885, "top": 1.0}
_UPPER_ARM, _FOREARM, _HAND = 0.186, 0.146, 0.108
_FOOT = 0.152
_HIP_HALF_WIDTH, _SHOULDER_HALF_WIDTH = 0.050, 0.110


def standing_landmarks(height_m: float) -> dict[str, np.ndarray]:
    """Landmarks [m] of an adult of the given height in the neutral pose (see `landmarks`)."""
    h = height_m
    points = {
        "pelvis": (0.0, 0.0, _UP["hip"]),
        "lower_spine": (-0.010, 0.0, 0.585),
        "chest": (-0.010, 0.0, 0.690),
        "neck": (-0.008, 0.0, _UP["neck"]),
        "head": (0.000, 0.0, _UP["head"]),
        "head_top": (0.005, 0.0, _UP["top"]),
    }
    for side, sign in (("L", 1.0), ("R", -1.0)):
        hip, shoulder = sign * _HIP_HALF_WIDTH, sign * _SHOULDER_HALF_WIDTH
        points |= {
            f"clavicle_{side}": (0.005, sign * 0.015, 0.815),
            f"shoulder_{side}": (-0.005, shoulder, _UP["shoulder"]),
            f"elbow_{side}": (-0.005, shoulder, _UP["shoulder"] - _UPPER_ARM),
            f"wrist_{side}": (-0.005, shoulder, _UP["shoulder"] - _UPPER_ARM - _FOREARM),
            f"hand_tip_{side}": (-0.005, shoulder, _UP["shoulder"] - _UPPER_ARM - _FOREARM - _HAND),
            f"hip_{side}": (0.0, hip, _UP["hip"]),
            f"knee_{side}": (0.0, hip, _UP["knee"]),
            f"ankle_{side}": (0.0, hip, _UP["ankle"]),
            f"heel_{side}": (-0.28 * _FOOT, hip, 0.0),
            f"toes_{side}": (0.46 * _FOOT, hip, 0.014),
            f"toe_tip_{side}": (0.72 * _FOOT, hip, 0.0),
        }
    return {name: h * np.array(point) for name, point in points.items()}


MASS_KG, LEG_M = 75.0, 0.884
"""The body that the table is for; moments go with mass times length."""


class Row(NamedTuple):
    """Ranges [deg] from low to high, of a hinge one, of a ball's rotation vector three (about forward, left, up; of a left limb:
    out, back, out); where it rests [deg]; stiffness [N m/rad], moment at the end of the range [N m], damping [N m s/rad]."""

    low: tuple[float, ...]
    high: tuple[float, ...]
    rest: tuple[float, ...]
    stiffness: float
    end: float
    damping: float


# Ranges: Boone and Azen 1979 (J. Bone Joint Surg. 61-A:756), Kapandji; those of the spine shared among its joints.
# Moments. Hip, knee, ankle: Riener and Edrich 1999 (J. Biomech. 32:539), Yoon and Mansour 1982 (J. Biomech. 15:905); knee, its
# damping: Bajd and Vodovnik 1984. Trunk: McGill, Seguin and Bennett 1994 (Spine 19:696); neck: McGill et al. 1994 (Clin. Biomech.
# 9:193). Elbow: Wiegner and Watts 1986; wrist: Leger and Milner 2000. Shoulder, collar bone, toes and all other dampings: first
# guess, about a fifth of critical for limbs, a half for trunk and neck.
JOINTS: dict[str, Row] = {
    "lower_spine": Row((-25, -20, -10), (25, 45, 10), (0, 5, 0), 25.0, 25.0, 12.0),
    "chest": Row((-20, -15, -25), (20, 30, 25), (0, 5, 0), 25.0, 25.0, 12.0),
    "neck": Row((-20, -30, -35), (20, 30, 35), (0, 5, 0), 5.0, 5.0, 1.5),
    "head": Row((-20, -25, -35), (20, 20, 35), (0, 0, 0), 5.0, 5.0, 1.5),
    "clavicle": Row((-8, -15, -15), (30, 15, 20), (0, 0, 0), 20.0, 10.0, 2.0),
    "upper_arm": Row((-25, -150, -70), (130, 45, 60), (10, -10, 0), 2.0, 6.0, 1.0),
    "forearm": Row((4,), (142,), (25,), 1.2, 4.0, 0.3),
    "hand": Row((-60, -30, -70), (60, 30, 70), (0, 0, 0), 0.6, 1.5, 0.05),
    "thigh": Row((-25, -115, -35), (42, 18, 42), (5, -15, 5), 6.0, 15.0, 3.0),
    "shank": Row((4,), (138,), (20,), 2.5, 8.0, 0.6),
    "foot": Row((-22, -20, -20), (18, 45, 20), (0, 18, 0), 5.0, 10.0, 0.4),
    "toes": Row((-25,), (65,), (5,), 1.0, 2.0, 0.05),
}


def human_joint(body: Body, name: str) -> PassiveJoint:
    row = JOINTS.get(kind_of(name))
    if row is None:
        return joint_by_size(body.segment(name), body.segments)
    low, high, rest = (np.radians(np.array(part, dtype=float)) for part in row[:3])
    if len(low) == 3 and name.endswith("_R"):  # mirrored: what is out to the left is out to the right
        low, high = np.array([-high[0], low[1], -high[2]]), np.array([-low[0], high[1], -low[2]])
        rest = rest * np.array([-1.0, 1.0, -1.0])
    size = body.bare_mass_kg * body.leg_length_m / (MASS_KG * LEG_M)
    return PassiveJoint(name, low, high, rest, size * row.stiffness, size * row.end, size * row.damping)


CENTRAL = {"pelvis": ("hips", "hip", "bottom"), "lower_spine": ("belly", "stomach", "abdomen", "waist", "lower back"),
           "chest": ("breast", "torso", "trunk", "back", "ribs"), "neck": ("throat",), "head": ("face", "jaw", "chin", "nose")}
SIDED = {"clavicle": ("shoulder", "collar bone"), "upper_arm": ("arm",), "forearm": ("lower arm", "elbow"),
         "hand": ("fist", "wrist"), "thigh": ("leg", "upper leg"), "shank": ("shin", "calf", "lower leg", "knee"),
         "foot": ("ankle", "heel"), "toes": ("toe",)}
"""Segments, and what else they are called in words."""
SIDES = {"left": "L", "right": "R", "l": "L", "r": "R"}
SEGMENTS = (*CENTRAL, *(f"{name}_{side}" for side in "LR" for name in SIDED))
"""Every part of a human body that can be struck."""


def segment_called(text: str) -> str | None:
    """The segment of that name ("forearm_L"), or that people call so ("left forearm", "arm l", "jaw"); None where no part is."""
    if text in SEGMENTS:
        return text
    words = text.lower().replace("_", " ").replace(".", " ").split()
    sides = {SIDES[word] for word in words if word in SIDES}
    name = " ".join(word for word in words if word not in SIDES)
    if not sides:
        return next((segment for segment, called in CENTRAL.items() if name in (segment.replace("_", " "), *called)), None)
    if len(sides) > 1:
        return None
    found = next((segment for segment, called in SIDED.items() if name in (segment.replace("_", " "), *called)), None)
    return None if found is None else f"{found}_{sides.pop()}"
