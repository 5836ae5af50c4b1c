# SPDX-License-Identifier: GPL-3.0-or-later
"""A laid step as a strip: moments from the side, the front and above, with the ground and where the user's feet stand."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lope.addon.bodies.body import Body
from lope.addon.bodies.kinematics import contact_point_positions, segment_poses
from lope.addon.maths.quaternions import quat_rotate
from lope.addon.motions.pressure.synthesis import Synthesis

MOMENTS = 7
APART_M = 1.5
COLOURS = {"L": "#c1440e", "R": "#2166ac", "": "#333333"}
VIEWS = (("side", 0, 2), ("front", 1, 2), ("above", 1, 0))
"""Each view's axes: across and up."""


def draw_strip(path: Path, body: Body, motion: Synthesis, user_m: np.ndarray, swing: np.ndarray, foot: int,
               stance: np.ndarray) -> None:
    """Write a PNG of a step with a `foot` that swings over some poses, and stands in the user from pose to pose (`stance`);
    `user_m` (T, 2, 2) is where the user's feet are: crosses tell the stance at the end."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    last = len(motion.planted) - 1
    begin, end = (int(swing[0]), int(swing[-1])) if len(swing) else (max(int(stance[0]) - 20, 0), int(stance[0]))
    rows = [max(begin - 6, 0), *np.linspace(begin, end, MOMENTS - 2).round().astype(int), min((end + int(stance[1])) // 2, last)]
    positions, orientations = segment_poses(body, motion.figure.root[rows], motion.figure.turn[rows], motion.figure.joints[rows])
    points = contact_point_positions(body, positions, orientations)
    there = user_m[min(int(len(user_m) * rows[-1] / (last + 1)), len(user_m) - 1)]
    there = there if motion.mat_m is None else there + motion.mat_m
    middle = motion.figure.root[begin]
    figure, axes = pyplot.subplots(3, 1, figsize=(14, 13))
    for axis, (name, across, up) in zip(axes, VIEWS, strict=True):
        sign = -1.0 if across == 1 else 1.0  # left is left, seen from behind and from above
        for k, row in enumerate(rows):
            place = k * APART_M
            _figure(axis, body, sign * (positions[k, :, across] - middle[across]) + place, positions[k, :, up] - (
                middle[up] if up < 2 else 0.0), sign * quat_rotate(orientations[k], _tips(body))[:, across],
                    quat_rotate(orientations[k], _tips(body))[:, up])
            for f, of in enumerate(body.feet):
                at = points[k, list(of.points)]
                colour = COLOURS[of.side] if motion.planted[row, f].any() else "0.7"
                axis.plot(sign * (at[:, across] - middle[across]) + place, at[:, up] - (middle[up] if up < 2 else 0.0), ".",
                          color=colour, markersize=3)
                if up < 2:
                    axis.plot(sign * (there[f, 1] - middle[1]) + place, there[f, 0] - middle[0], "x", color=COLOURS[of.side])
            axis.text(place, 1.85 if up == 2 else 0.9, f"{(row - begin) / 60:.2f} s", ha="center", fontsize=8)
        if up == 2:
            axis.axhline(0.0, color="0.6", linewidth=1.0)
        axis.set(aspect="equal", ylabel=name, ylim=(-0.1, 2.0) if up == 2 else (-1.2, 1.1),
                 xlim=(-APART_M, APART_M * len(rows)))
        axis.set_xticks([])
    figure.suptitle(f"{path.stem}: the {'left' if foot == 0 else 'right'} foot steps")
    figure.tight_layout()
    figure.savefig(path, dpi=60)
    pyplot.close(figure)


def _tips(body: Body) -> np.ndarray:
    return np.array([segment.tip for segment in body.segments])


def _figure(axis, body: Body, x: np.ndarray, y: np.ndarray, tip_x: np.ndarray, tip_y: np.ndarray) -> None:
    for i, segment in enumerate(body.segments):
        side = segment.name[-1] if segment.name.endswith(("_L", "_R")) else ""
        axis.plot([x[i], x[i] + tip_x[i]], [y[i], y[i] + tip_y[i]], color=COLOURS[side], linewidth=2.0)
