# SPDX-License-Identifier: GPL-3.0-or-later
"""A human's relaxed joints: ranges of motion, and the moments of tissue as they were measured on relaxed people."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..body import Body
from ..passive import PassiveJoint, joint_by_size
from ..segments import kind_of

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
    """The relaxed joint over a segment of a human of any size."""
    row = JOINTS.get(kind_of(name))
    if row is None:
        return joint_by_size(body.segment(name), body.segments)
    low, high, rest = (np.radians(np.array(part, dtype=float)) for part in row[:3])
    if len(low) == 3 and name.endswith("_R"):  # mirrored: what is out to the left is out to the right
        low, high = np.array([-high[0], low[1], -high[2]]), np.array([-low[0], high[1], -low[2]])
        rest = rest * np.array([-1.0, 1.0, -1.0])
    size = body.bare_mass_kg * body.leg_length_m / (MASS_KG * LEG_M)
    return PassiveJoint(name, low, high, rest, size * row.stiffness, size * row.end, size * row.damping)
