# SPDX-License-Identifier: GPL-3.0-or-later
"""A drawn line as somebody walks it who cannot turn more tightly than a radius: corners rounded, hairpins gone round.

The line is pursued (Coulter 1992, "Implementation of the pure pursuit path tracking algorithm", CMU-RI-TR-92-01): from where
one is one turns, on the arc that leads there, to a point that runs ahead along the line, always a radius away. Where the line
turns back on itself that point comes back, too, and one turns round behind it.
On arcs and straights the pursuit keeps to the line.
"""

from __future__ import annotations

import cmath
import math

import numpy as np

from ..maths.angles import plane_angle
from .sampled import SAMPLE_M, SEARCH_M, SampledLine

MOST_WAY = 3.0
"""Way of the pursuit over the line's length, and as many turns, after which it ends wherever it is."""
SEARCH_RADII = 4.0
"""How far along such a way the next place is looked for, over the radius: less than once round the tightest turn."""
BACK_PER_MISS, BACK_LEAST_M = 8.0, 1.0
"""A line's end that cannot be reached, behind a last hook, is led to by moving the way before it, along so many times the
distance missed."""


def rounded(line: SampledLine, radius_m: float) -> SampledLine:
    """The way along a line with no turn tighter than a radius [m]; it begins and ends where the line does."""
    places = np.array(_pursued(line, radius_m))
    miss = complex(line.points[-1]) - places[-1]
    way = SAMPLE_M * (len(places) - 1)
    back = min(BACK_PER_MISS * abs(miss) + BACK_LEAST_M, way)
    share = np.clip((SAMPLE_M * np.arange(len(places)) - way + back) / back, 0.0, 1.0)
    places = places + miss * share**2 * (3.0 - 2.0 * share)
    s = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(places)))])
    slopes = np.gradient(places, s)
    headings = np.unwrap(plane_angle(slopes.imag, slopes.real))
    headings += 2.0 * math.pi * round((float(line.headings[0]) - headings[0]) / (2.0 * math.pi))
    return SampledLine(s, places, headings, np.gradient(headings, s), min(SEARCH_M, SEARCH_RADII * radius_m))


def _pursued(line: SampledLine, radius_m: float) -> list[complex]:
    """Places of the pursuit, `SAMPLE_M` apart."""
    points, ahead, last = line.points.tolist(), 0, len(line.points) - 1
    place, heading, places = points[0], float(line.headings[0]), [points[0]]
    most = int(MOST_WAY * (line.length + 2.0 * math.pi * radius_m) / SAMPLE_M)
    while len(places) < most:
        while ahead < last and abs(points[ahead] - place) < radius_m:
            ahead += 1
        way = points[ahead] - place
        distance, bearing = abs(way), math.remainder(cmath.phase(way) - heading, 2.0 * math.pi)
        behind = abs(bearing) > 0.5 * math.pi
        if ahead == last and (distance < SAMPLE_M or (behind and distance < 2.0 * radius_m)) and len(places) > 2:
            break
        curvature = math.copysign(1.0, bearing) if behind else 2.0 * radius_m * math.sin(bearing) / distance
        turn = min(max(curvature, -1.0), 1.0) * SAMPLE_M / radius_m
        place += SAMPLE_M * cmath.exp(1j * (heading + 0.5 * turn))
        heading += turn
        places.append(place)
    return places
