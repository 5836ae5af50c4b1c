# SPDX-License-Identifier: GPL-3.0-or-later
"""The fingers below a hand's bone, by structure: lines of bones without the thumb and without what lies in the palm."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .figure import RestBone

LEAST_FINGERS = 3
"""A hand of fewer chains of two bones at least is a mitten or holds something."""
KNUCKLE = 0.35
"""Bones nearer to the wrist than this share of the longest finger's reach lie in the palm."""
THUMB, THUMB_OF_MIDDLE = 0.8, 0.72
"""A chain that reaches less far along the hand than the first share of the next one is the thumb, or than the second of the
middle one of all: some little fingers are hardly longer than the thumb (0.63 and 0.80 of the middle one, 0.46 and 0.83 on
another)."""


def finger_lines(bones: Iterable[RestBone], hand: RestBone,
                 along: np.ndarray) -> tuple[list[list[RestBone]], list[RestBone]]:
    """The hand's fingers, each its bones from the knuckle on, and its thumb; `along` (3,) is the hand's direction, of any length.
    Fewer than two fingers are none; a thumb that is not found has no bones."""
    along = along / max(float(np.linalg.norm(along)), 1e-12)
    lines = [line for line in _chains(bones, hand.name) if len(line) > 1]
    if len(lines) < LEAST_FINGERS:
        return [], []
    reach = [float(along @ (line[-1].head - hand.head)) for line in lines]
    order = np.argsort(reach)
    short = reach[order[0]] < max(THUMB * reach[order[1]], THUMB_OF_MIDDLE * float(np.median(reach)))
    thumb = lines.pop(int(order[0])) if short else []
    fingers = [[b for b in line if along @ (b.head - hand.head) > KNUCKLE * max(reach)] for line in lines]
    fingers = [finger for finger in fingers if len(finger) > 1]
    return (fingers, thumb) if len(fingers) > 1 else ([], [])


def middle_knuckle(bones: Iterable[RestBone], hand: RestBone, along: np.ndarray) -> np.ndarray | None:
    """Where (3,) the middle finger's knuckle is, counted from the thumb; without a thumb the middle of all; None without
    fingers."""
    fingers, thumb = finger_lines(bones, hand, along)
    if not fingers:
        return None
    knuckles = np.array([finger[0].head for finger in fingers])
    if not thumb:
        return knuckles.mean(axis=0)
    off = knuckles - knuckles.mean(axis=0)
    row = np.linalg.svd(off)[2][0]
    thumb_at = np.mean([bone.head for bone in thumb], axis=0) - knuckles.mean(axis=0)
    from_thumb = np.argsort(-(off @ row) * np.sign(thumb_at @ row))
    return knuckles[from_thumb[(len(knuckles) - 1) // 2]]


def _chains(bones: Iterable[RestBone], hand: str) -> list[list[RestBone]]:
    """The bones below a hand as lines, each from the hand to where it ends or branches; tips without length are left out."""
    children: dict[str | None, list[RestBone]] = {}
    for bone in bones:
        children.setdefault(bone.parent, []).append(bone)
    found = []
    stack = [[bone] for bone in children.get(hand, ())]
    while stack:
        line = stack.pop()
        below = children.get(line[-1].name, [])
        if len(below) == 1:
            stack.append([*line, below[0]])
        else:
            found.append(line)
            stack += [[bone] for bone in below]
    return found
