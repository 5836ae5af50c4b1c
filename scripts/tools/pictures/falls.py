# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of falls."""

from __future__ import annotations

import numpy as np

from lope.addon.reports.charts import new_figure
from lope.addon.simulate import simulate
from lope.addon.specs.shot import BodySpec, Push, Shot
from lope.addon.worlds.planets import load_world

from .capsules import draw_row

PUSH_M_S2, PUSH_S, PUSHED_S = 6.0, 0.3, 1.5
ROWS = (("walk", "earth", (-1.0, 0.0), 0, (-0.3, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.5)),
        ("run", "earth", (1.0, 0.0), 0, (-0.3, 0.0, 0.1, 0.2, 0.3, 0.4, 0.65, 2.0)),
        ("walk", "moon", (0.0, 1.0), 1, (-0.6, 0.0, 0.3, 0.6, 1.0, 1.6, 2.0, 4.0)))
"""Gait, world, direction of the push, seen along y (0) or x (1), and the moments since it let go [s]."""
NAMES = {(-1.0, 0.0): "backwards", (1.0, 0.0): "forwards", (0.0, 1.0): "to the left"}


def limp():
    """Three falls, to rest."""
    figure, axes = new_figure(11.0, 5.6, len(ROWS))
    for axis, (gait, world, way, across, times) in zip(axes, ROWS, strict=True):
        force = tuple(PUSH_M_S2 * BodySpec().mass_kg * part for part in (*way, 0.0))
        take = simulate(Shot(gait=gait, world=load_world(world), duration_s=6.0, pushes=(Push(PUSHED_S, PUSH_S, force),),
                             after_fall="limp"))
        fell = take.stats["time_fell_s"]
        rows = np.searchsorted(take.time_s, fell + np.array(times)).clip(max=len(take.time_s) - 1)
        draw_row(axis, take, rows, across, fell)
        rest = take.stats["time_rest_s"] - fell
        axis.text(-1.2, 0.9, f"{gait}, {world.title()}\npushed {NAMES[way]}\nstill after {rest:.1f} s", ha="right", va="center",
                  fontsize=9)
        axis.set(xlim=(-4.6, axis.get_xlim()[1]))
    return figure
