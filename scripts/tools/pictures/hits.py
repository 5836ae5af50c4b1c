# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of who is hit."""

from __future__ import annotations

import numpy as np

from lope.addon.reports.charts import new_figure
from lope.addon.simulate import simulate
from lope.addon.specs.hit import BALL, Hit, punch
from lope.addon.specs.shot import Shot
from lope.addon.specs.stand import CONTROLLERS
from lope.addon.worlds.planets import load_world

from .capsules import APART_M, draw_row

HIT_S = 1.5
BALL_COLOUR = "#c8641e"
FROM_AHEAD = (-1.0, 0.0, 0.0)
ROWS = (
    ("a ball at the arm, Earth", "earth", (Hit(HIT_S, "forearm_L", 4.19, 6.0, FROM_AHEAD),),
     (-0.1, 0.0, 0.05, 0.1, 0.2, 0.35, 0.6, 1.0)),
    ("a ball at the chest, Earth", "earth", (Hit(HIT_S, "chest", 4.19, 6.0, FROM_AHEAD),),
     (-0.1, 0.0, 0.1, 0.25, 0.4, 0.6, 1.0, 2.0)),
    ("a jab, the Moon", "moon", (punch(HIT_S, "head", 12.0, FROM_AHEAD),), (-0.1, 0.05, 0.2, 0.5, 0.9, 1.4, 2.0, 4.0)),
)
"""What is said, the world, the hits, and the moments since [s]."""


def hits():
    """Three who stand and are hit, from the side."""
    figure, axes = new_figure(11.0, 5.2, len(ROWS))
    for axis, (words, world, hit, times) in zip(axes, ROWS, strict=True):
        shot = Shot(controller=CONTROLLERS[0], world=load_world(world), duration_s=HIT_S + times[-1] + 0.1, hits=hit)
        take = simulate(shot)
        rows = np.searchsorted(take.time_s, HIT_S + np.array(times)).clip(max=len(take.time_s) - 1)
        draw_row(axis, take, rows, 0, HIT_S)
        for k, row in enumerate(rows):
            for i, one in enumerate(take.shot.loose):
                x, _, z = take.object_pose[row, i, :3]
                if hit[i].kind == BALL and abs(x - take.root_position_m[row, 0]) < 0.6 * APART_M:
                    axis.add_patch(_ball(k * APART_M + x - take.root_position_m[row, 0], z, one.size_m[0] / 2.0))
        axis.text(-1.2, 0.9, words.replace(", ", ",\n"), ha="right", va="center", fontsize=9)
        axis.set(xlim=(-3.6, axis.get_xlim()[1]))
    return figure


def _ball(x: float, z: float, radius: float):
    from matplotlib.patches import Circle

    return Circle((x, z), radius, facecolor=BALL_COLOUR, edgecolor="black", linewidth=0.4, zorder=3)
