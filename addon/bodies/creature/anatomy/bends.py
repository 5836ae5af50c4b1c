# SPDX-License-Identifier: GPL-3.0-or-later
"""At which joints a leg bends: those between hip and foot that are no twist bones, fillers or halves of a bone."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from ...human.anatomy.limb import View, square
from .words import kinds_of, speaks

MOST_BONES = 4
"""Bones above the foot that a leg keeps; of more the straightest joints are passed over."""
_LONGEST_WAY = 9
"""Joints between hip and foot that are looked at: twist bones in line make them many."""
_STRAIGHT_DEG = 8.0


def segments(view: View, joints: Sequence[int], end: np.ndarray) -> tuple[list[int], float]:
    """Of the joints from hip to ankle those at which a leg bends, the first among them, and the faults of that choice:
    bends that are passed over, straight joints that are kept, bones of very unlike length."""
    joints = list(joints)[:_LONGEST_WAY]
    if len(joints) == 1:
        return joints, 0.0
    places = np.vstack([view.skeleton.heads[joints], end])
    inner = range(1, len(joints))
    best: tuple[float, tuple[int, ...]] = (np.inf, ())
    for count in range(1, min(len(joints), MOST_BONES)):
        for chosen in itertools.combinations(inner, count):
            faults = _of_choice(view, joints, places, (0, *chosen, len(joints)))
            if faults < best[0] - 1e-9:
                best = faults, chosen
    return [joints[i] for i in (0, *best[1])], best[0]


def _of_choice(view: View, joints: Sequence[int], places: np.ndarray, at: Sequence[int]) -> float:
    """The faults of taking the joints `at` some numbers of a way, its end included, for those that bend."""
    bones = np.diff(places[list(at)], axis=0)
    lengths = np.maximum(np.linalg.norm(bones, axis=1), 1e-12)
    leg = float(lengths.sum())
    faults = 0.0
    for a, b in itertools.pairwise(at):
        path = float(np.linalg.norm(np.diff(places[a:b + 1], axis=0), axis=1).sum())
        faults += square((path - float(np.linalg.norm(places[b] - places[a]))) / leg, 0.012)
    mean = np.log(lengths).mean()
    faults += float((np.minimum((np.log(lengths) - mean) ** 2, 4.0)).sum()) * 1.5
    for k in range(1, len(at) - 1):
        cosine = float(bones[k - 1] @ bones[k] / (lengths[k - 1] * lengths[k]))
        bend = float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))
        faults += 0.45 if bend < _STRAIGHT_DEG else 0.15
        faults += 1.2 if "twist" in kinds_of(view.skeleton.names[joints[at[k]]]) else 0.0
        faults -= 0.3 * max(0.0, speaks(view.skeleton.names[joints[at[k]]], "shank"))
    passed = set(range(1, len(joints))) - set(at)
    return faults + sum(0.6 * max(0.0, speaks(view.skeleton.names[joints[i]], "shank"))
                        for i in passed if "twist" not in kinds_of(view.skeleton.names[joints[i]]))
