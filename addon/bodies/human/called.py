# SPDX-License-Identifier: GPL-3.0-or-later
"""What people call the parts of a human body."""

from __future__ import annotations

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
