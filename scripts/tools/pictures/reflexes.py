# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of walks by muscle reflexes: a stride of each shipped walker."""

from __future__ import annotations

from lope.addon.controllers.reflex.walkers import load_walker, walker_names
from lope.addon.reports.charts import new_figure
from lope.addon.simulate import simulate
from lope.addon.specs.shot import EARTH_GRAVITY_M_S2, Shot, World

from .motions import MOMENTS, told
from .sticks import draw_row, of_take

STRIDES = 8.0
"""How many strides are simulated."""


def reflex():
    """One stride of every walker, under the gravity that it was searched for."""
    walkers = sorted(map(load_walker, walker_names()), key=lambda one: (-one.gravity_m_s2, one.speed_m_s))
    figure, axes = new_figure(10.4, 2.3 * len(walkers), len(walkers))
    for axis, walker in zip(axes, walkers, strict=True):
        world = World("earth" if walker.gravity_m_s2 == EARTH_GRAVITY_M_S2 else "custom", walker.gravity_m_s2)
        take = simulate(Shot(world=world, controller="reflex", reflex=walker, duration_s=STRIDES / walker.stride_frequency_hz))
        draw_row(axis, take.body, of_take(take, MOMENTS), f"{walker.name}\n{told(take)}")
    return figure
