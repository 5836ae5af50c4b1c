# SPDX-License-Identifier: GPL-3.0-or-later
"""Pressure on the ground as triangles and lines, in a take's places. Plain numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..motions.pressure.images import UNITS_PA
from ..reports.pressure_colours import HEAVY, LIGHT
from ..reports.pressure_on_ground import CENTRE_M, FEET, RING_M, Height, OnGround, on_ground
from .drawing import segments

CORNERS = 16
"""Of the dot at the centre of pressure, and of the ring around it."""
EDGE_STEP_M = 0.1
"""Of the mat's edge on ground that is not level."""

@dataclass(frozen=True)
class Tiles:
    """What is drawn of a frame: triangles (3 N, 3) [m] in colours (3 N, 3), each foot's outline, ends in pairs (2 M, 3), and the
    triangles of the centre's ring and dot, none where nothing presses."""

    corners: np.ndarray
    colours: np.ndarray
    outlines: dict[str, np.ndarray]
    ring: np.ndarray
    dot: np.ndarray


def tiles(picture: OnGround, frame: int, height: Height) -> Tiles:
    """What is drawn of a frame, on a ground of that height."""
    loaded = picture.frames[frame]
    around = picture.corners_m(loaded.cells)[:, (0, 1, 2, 0, 2, 3)].reshape(-1, 2)
    colours = np.repeat(picture.colours(frame) / 255.0, 6, axis=0)
    outlines = {side: on_ground(picture.outline_m(frame, foot), height, 2.0) for foot, side in enumerate(FEET)}
    ring, dot = np.zeros((0, 3)), np.zeros((0, 3))
    if np.isfinite(loaded.centre_m).all():
        ring, dot = (on_ground(loaded.centre_m + _disc(radius), height, above)
                     for radius, above in ((RING_M, 2.5), (CENTRE_M, 3.0)))
    return Tiles(on_ground(around, height), colours, outlines, ring, dot)


def edge(picture: OnGround, height: Height) -> np.ndarray:
    """The mat's edge (2 M, 3) [m], ends in pairs."""
    corners = picture.edge_m
    sides = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        count = max(int(np.ceil(np.linalg.norm(end - start) / EDGE_STEP_M)), 1)
        sides.append(start + np.arange(count)[:, None] / count * (end - start))
    return segments(on_ground(np.concatenate(sides), height), closed=True)


def shades(count: int) -> np.ndarray:
    """The legend's colours (count, 3), from the first count's to the last one's."""
    return (LIGHT + np.linspace(0.0, 1.0, count)[:, None] * (HEAVY - LIGHT)) / 255.0


def most_in_words(picture: OnGround) -> str:
    """What the last count is, in kPa where the unit is known."""
    if picture.unit in UNITS_PA:
        return f"{picture.most * UNITS_PA[picture.unit] / 1e3:.0f} kPa"
    return f"{picture.most:g} {picture.unit}"


def _disc(radius: float) -> np.ndarray:
    """Triangles (3 N, 2) of a round dot."""
    turn = 2.0 * np.pi * np.arange(CORNERS + 1) / CORNERS
    rim = radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return np.stack([np.zeros((CORNERS, 2)), rim[:-1], rim[1:]], axis=1).reshape(-1, 2)
