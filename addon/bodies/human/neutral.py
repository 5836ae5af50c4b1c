# SPDX-License-Identifier: GPL-3.0-or-later
"""A human figure's landmarks in the neutral pose."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...errors import BodyError
from .landmarks import SIDES, neutral_alignments
from .tree import CENTRAL_CHAIN
from .upright import trunk_turns, upright


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
        if leg < 1e-3:
            raise BodyError(f"The figure's {side} leg has no length.")
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
