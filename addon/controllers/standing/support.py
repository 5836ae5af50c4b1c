# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the ground can push: the convex hull of the points that stand on it. Places are complex, x + iy [m]."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def hull(points: np.ndarray) -> list[complex]:
    """Corners of the convex hull of points (k, 2 or more), counterclockwise (Andrew's monotone chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points[:, :2].tolist()})
    places = [complex(x, y) for x, y in ordered]
    if len(places) < 3:
        return places
    corners: list[complex] = []
    for way in (places, places[::-1]):
        chain: list[complex] = []
        for place in way:
            while len(chain) > 1 and cross(chain[-1] - chain[-2], place - chain[-1]) <= 0.0:
                chain.pop()
            chain.append(place)
        corners += chain[:-1]
    return corners


def cross(one: complex, other: complex) -> float:
    """z of the product of two horizontal vectors."""
    return one.real * other.imag - one.imag * other.real


def nearest(place: complex, corners: Sequence[complex]) -> tuple[complex, float]:
    """The point of a hull nearest to a place, and how far outside of it the place is [m]; of a place inside it is itself, and
    the distance is minus that to the nearest edge."""
    if len(corners) == 1:
        return corners[0], abs(place - corners[0])
    inside, found, least = len(corners) > 2, corners[0], float("inf")
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        along, off = b - a, place - a
        inside = inside and cross(along, off) >= 0.0
        share = min(max((off * along.conjugate()).real / max(abs(along) ** 2, 1e-12), 0.0), 1.0)
        point = a + share * along
        if abs(place - point) < least:
            found, least = point, abs(place - point)
    return (place, -least) if inside else (found, least)
