# SPDX-License-Identifier: GPL-3.0-or-later
"""How thick a figure is at rest: the distance of its skin from the lines between its joints."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...bodies.human.landmarks import SIDES

_LINES = {"pelvis": ("pelvis", "lower_spine", "chest", "neck", "head"), "lower_spine": ("lower_spine", "chest", "neck", "head"),
          "chest": ("chest", "neck", "head"), "neck": ("neck", "head"), "head": ("head", "head_top"),
          "clavicle": ("clavicle", "shoulder"), "upper_arm": ("shoulder", "elbow"), "forearm": ("elbow", "wrist"),
          "hand": ("wrist", "hand_tip"), "thigh": ("hip", "knee"), "shank": ("knee", "ankle"), "foot": ("ankle", "toe_tip")}
"""The landmark at which each segment begins, and those at which it may end, the nearest first."""
_TRUNK = ("pelvis", "lower_spine", "chest")
_MEASURED = (*_TRUNK, "neck", "head", "upper_arm", "forearm", "thigh", "shank")
"""Feet stand on their soles, shoulders lie within arms and chest, and hands are flat."""
_MIDDLE = (0.2, 0.8)
"""Part of a line over which it is measured: towards its ends skin belongs to others as well."""
_LEAST_POINTS = 8


def skin_radii(skin: np.ndarray, landmarks: Mapping[str, np.ndarray]) -> dict[str, float]:
    """Segment (without its side) -> radius [m] of the skin (N, 3) about its line, both in the body frame at rest.

    A point belongs to the line that it is nearest to. A limb's radius is the median distance, so that a skirt or a strap does
    not count; the trunk's, which is wider than deep, that of its depth in the middle between the hips.
    """
    lines = _lines(landmarks)
    if not len(skin) or not lines:
        return {}
    along, away = zip(*(_about(skin, start, end) for start, end in lines.values()), strict=True)
    nearest = np.linalg.norm(np.array(away), axis=2).argmin(axis=0)
    half = 0.5 * abs(float(landmarks["hip_L"][1] - landmarks["hip_R"][1]))
    found: dict[str, list[np.ndarray]] = {kind: [] for kind in _MEASURED}
    for i, name in enumerate(lines):
        kind = name.removesuffix("_L").removesuffix("_R")
        if kind in found:
            mine = (nearest == i) & (along[i] > _MIDDLE[0]) & (along[i] < _MIDDLE[1])
            off = away[i][mine]
            found[kind].append(np.abs(off[np.abs(off[:, 1]) < half, 0]) if kind in _TRUNK else np.linalg.norm(off, axis=1))
    return {kind: round(float(np.median(np.concatenate(parts))), 4) for kind, parts in found.items()
            if parts and sum(map(len, parts)) >= _LEAST_POINTS}


def _lines(landmarks: Mapping[str, np.ndarray]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Start and end (3,) of each segment that the figure has."""
    found = {}
    for kind, (start, *ends) in _LINES.items():
        for side in ("",) if start in landmarks or kind in (*_TRUNK, "neck", "head") else tuple(f"_{s}" for s in SIDES):
            end = next((mark + side for mark in ends if mark + side in landmarks), None)
            if start + side in landmarks and end is not None:
                found[kind + side] = landmarks[start + side], landmarks[end]
    return found


def _about(points: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where along a line from `start` (0) to `end` (1) points (N, 3) lie, and their distances (N, 3) from its nearest point."""
    way = end - start
    along = (points - start) @ way / max(float(way @ way), 1e-12)
    return along, points - start - np.clip(along, 0.0, 1.0)[:, None] * way
