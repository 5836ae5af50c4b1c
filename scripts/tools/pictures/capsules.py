# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies as thick as they are: moments of a take as drawings of their capsules, from the side or from the front."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lope.addon.bodies.capsules import body_capsules
from lope.addon.maths.quaternions import quat_rotate
from lope.addon.take import Take

from .sticks import LEFT_COLOUR, RIGHT_COLOUR

TRUNK_COLOUR = "#777777"
APART_M = 1.75
"""Distance from figure to figure: that of someone who lies."""


def capsule_ends(take: Take) -> list[tuple[str, float, np.ndarray, np.ndarray]]:
    """Segment, radius [m] and world ends (T, 3) [m] of every capsule of a take's body."""
    places, turns = take.segment_poses
    out = []
    for shape in body_capsules(take.body):
        i = take.body.index[shape.segment]
        start, end = (places[:, i] + quat_rotate(turns[:, i], point) for point in (shape.start, shape.end))
        out.append((shape.segment, shape.radius_m, start, end))
    return out


def draw_row(axis, take: Take, rows: Sequence[int], across: int, zero_s: float) -> None:
    """Samples of a take beside one another on a level ground: seen along y (`across` 0, +x to the right) or along x (1)."""
    ends = capsule_ends(take)
    axis.axhline(0.0, color="0.6", linewidth=1.0)
    for k, row in enumerate(rows):
        shift = k * APART_M - take.root_position_m[row, across]
        depth = 1 - across
        nearness = [(1.0 if depth == 0 else -1.0) * (start[row, depth] + end[row, depth]) for _, _, start, end in ends]
        for i in np.argsort(nearness, kind="stable"):
            segment, radius, start, end = ends[i]
            _capsule(axis, start[row, [across, 2]] + (shift, 0.0), end[row, [across, 2]] + (shift, 0.0), radius, _colour(segment))
        axis.text(k * APART_M, -0.1, f"{take.time_s[row] - zero_s:+.2f}", ha="center", va="top", fontsize=8, color="0.35")
    axis.set(aspect="equal", xlim=(-1.1, (len(rows) - 0.35) * APART_M), ylim=(-0.3, 1.9))
    axis.set_axis_off()


def _colour(segment: str) -> str:
    return LEFT_COLOUR if segment.endswith("_L") else RIGHT_COLOUR if segment.endswith("_R") else TRUNK_COLOUR


def _capsule(axis, start: np.ndarray, end: np.ndarray, radius: float, colour: str) -> None:
    """The outline of a capsule, filled."""
    from matplotlib.patches import Polygon

    along = end - start
    angle = np.arctan2(along[1], along[0]) if along.any() else 0.0
    half = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 12)
    caps = [end + radius * np.column_stack([np.cos(angle + half), np.sin(angle + half)]),
            start + radius * np.column_stack([np.cos(angle + half + np.pi), np.sin(angle + half + np.pi)])]
    axis.add_patch(Polygon(np.concatenate(caps), facecolor=colour, edgecolor="black", linewidth=0.4))
