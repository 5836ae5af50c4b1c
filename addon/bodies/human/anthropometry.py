# SPDX-License-Identifier: GPL-3.0-or-later
"""Published body proportions and segment inertia.

Lengths: Drillis and Contini (1966), as fractions of standing height, in the table of Winter, "Biomechanics and Motor Control
of Human Movement", fig. 4.1. Masses, centres of mass and radii of gyration: de Leva (1996), "Adjustments to
Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomechanics 29(9), table 4, men.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


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
