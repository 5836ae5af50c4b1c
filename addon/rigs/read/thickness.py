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
_DEEP, _STRIP = (*_TRUNK, "head"), 0.4
"""Segments that are measured by their depth, within this share of their median radius from the middle."""
_MIDDLE = (0.2, 0.8)
"""Part of a line over which it is measured: towards its ends skin belongs to others as well."""
_LEAST_POINTS = 8


def skin_thickness(skin: np.ndarray, landmarks: Mapping[str, np.ndarray]) -> dict[str, tuple[float, float]]:
    """Segment (without its side) -> radius of the skin (N, 3) and how far ahead of its line its middle lies [m]; skin and
    landmarks in the body frame at rest.

    A point belongs to the line that it is nearest to. A limb's radius is the median distance, so that a skirt or a strap does
    not count. Trunk and head are wider than deep, and their joints nearer to the back: theirs is half the depth in the middle.
    """
    lines = _lines(landmarks)
    if not len(skin) or not lines:
        return {}
    along, away = zip(*(_about(skin, start, end) for start, end in lines.values()), strict=True)
    nearest = np.linalg.norm(np.array(away), axis=2).argmin(axis=0)
    found: dict[str, list[np.ndarray]] = {kind: [] for kind in _MEASURED}
    for i, name in enumerate(lines):
        kind = name.removesuffix("_L").removesuffix("_R")
        if kind in found:
            found[kind].append(away[i][(nearest == i) & (along[i] > _MIDDLE[0]) & (along[i] < _MIDDLE[1])])
    sizes = {kind: _thickness(np.concatenate(parts), kind in _DEEP) for kind, parts in found.items() if parts}
    return {kind: size for kind, size in sizes.items() if size is not None}


def _thickness(away: np.ndarray, deep: bool) -> tuple[float, float] | None:
    """Radius of skin that is `away` (N, 3) from its line, and how far ahead its middle lies [m]; None where there is too
    little of it."""
    if len(away) < _LEAST_POINTS:
        return None
    radius = float(np.median(np.linalg.norm(away, axis=1)))
    if not deep:
        return round(radius, 4), 0.0
    depths = away[np.abs(away[:, 1]) < _STRIP * radius, 0]
    fore, back = depths[depths > 0.0], depths[depths < 0.0]
    if min(len(fore), len(back)) < _LEAST_POINTS:
        return round(radius, 4), 0.0
    front, rear = float(np.median(fore)), -float(np.median(back))
    return round(0.5 * (front + rear), 4), round(0.5 * (front - rear), 4)


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
