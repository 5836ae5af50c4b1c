# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of muscles by what they do: by their moment arms in the neutral pose, and one by anatomy alone.

The sets' files hold each muscle's groups as `acting_groups` finds them on the reference body.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .muscle import Muscle

GROUPS: Mapping[str, str] = {
    "plantar_flexors": "Plantar flexors", "dorsiflexors": "Dorsiflexors", "ankle_evertors": "Ankle evertors",
    "ankle_invertors": "Ankle invertors", "toe_flexors": "Toe flexors", "toe_extensors": "Toe extensors",
    "knee_extensors": "Knee extensors", "hamstrings": "Hamstrings", "knee_flexors": "Knee flexors",
    "hip_flexors": "Hip flexors", "hip_extensors": "Hip extensors", "hip_abductors": "Hip abductors",
    "hip_adductors": "Hip adductors", "hip_rotators": "Hip rotators", "trunk_extensors": "Trunk extensors",
    "trunk_flexors": "Trunk flexors", "trunk_benders": "Trunk side benders", "trunk_rotators": "Trunk rotators",
    "elbow_flexors": "Elbow flexors", "elbow_extensors": "Elbow extensors", "shoulder_flexors": "Shoulder flexors",
    "shoulder_extensors": "Shoulder extensors", "shoulder_abductors": "Shoulder abductors",
    "shoulder_adductors": "Shoulder adductors", "shoulder_rotators": "Shoulder rotators", "neck_extensors": "Neck extensors",
    "neck_flexors": "Neck flexors", "neck_benders": "Neck side benders", "shoulder_girdle": "Shoulder girdle",
}
"""Every group and what it is called. A muscle of several is counted in the one that comes first here."""

# Joint (the segment below it): groups that turn it the positive and the negative way about x, y, z, of a hinge about its axis.
# A left segment that turns about +x goes to the left, about +y its lower end goes backward, its upper end forward.
_TURNS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "foot": (("ankle_evertors", "ankle_invertors"), ("plantar_flexors", "dorsiflexors")),
    "toes": (("toe_extensors", "toe_flexors"),),
    "shank": (("knee_flexors", "knee_extensors"),),
    "thigh": (("hip_abductors", "hip_adductors"), ("hip_extensors", "hip_flexors"), ("hip_rotators", "hip_rotators")),
    "lower_spine": (("", "trunk_benders"), ("trunk_flexors", "trunk_extensors"), ("trunk_rotators", "trunk_rotators")),
    "forearm": (("elbow_flexors", "elbow_extensors"),),
    "upper_arm": (("shoulder_abductors", "shoulder_adductors"), ("shoulder_extensors", "shoulder_flexors"),
                  ("shoulder_rotators", "shoulder_rotators")),
    "neck": (("", "neck_benders"), ("neck_flexors", "neck_extensors")),
    "head": (("", "neck_benders"), ("neck_flexors", "neck_extensors")),
    "clavicle": (("shoulder_girdle", "shoulder_girdle"),) * 3,
}
SUBTALAR = np.array([0.787, 0.121, 0.605])
"""Axis about which a left foot everts: forward and up, as in Rajagopal et al. 2016."""
SHARE = 0.5
"""Of a muscle's whole arm at a joint: with less it does something else there (first guess)."""
LEAST_M: Mapping[str, float] = {"toes": 0.003, "shank": 0.005}
LEAST_ELSE_M = 0.006
"""Shorter arms do nothing (first guesses)."""
HAMSTRINGS = ("biceps_femoris_long", "semimembranosus", "semitendinosus", "hamstrings")
"""The hamstrings by anatomy: from the ischium over hip and knee."""


def acting_groups(muscle: Muscle, arms_m: Mapping[str, np.ndarray]) -> tuple[str, ...]:
    """The groups of a left muscle from its moment arms in the neutral pose: by kind of segment, (3,) of a ball above it and (1,)
    of a hinge. In the order of `GROUPS`."""
    found = {"hamstrings"} if muscle.name.removesuffix("_L") in HAMSTRINGS else set()
    for kind, turns in _TURNS.items():
        arms = np.asarray(arms_m.get(kind, ()), dtype=float)
        if kind == "foot" and len(arms) == 3:
            arms = np.array([arms @ SUBTALAR, arms[1]])
        whole = float(np.linalg.norm(arms))
        for arm, (ahead, back) in zip(arms, turns, strict=False):
            if abs(arm) >= max(SHARE * whole, LEAST_M.get(kind, LEAST_ELSE_M)):
                found.add(ahead if arm > 0.0 else back)
    return tuple(group for group in GROUPS if group in found)
