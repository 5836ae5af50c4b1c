# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of what is measured: one stride of a walk and of a loping run, force, height and contacts; activations of muscles."""

from __future__ import annotations

import numpy as np

from lope.addon.reports import activations as activation_plots
from lope.addon.reports.charts import new_figure
from lope.addon.reports.strides import LEFT, strikes_s
from lope.addon.reports.traces import traces_of
from lope.addon.simulate import simulate
from lope.addon.specs.actuation import Actuation
from lope.addon.specs.shot import Shot
from lope.addon.worlds.planets import load_world

from .sticks import LEFT_COLOUR, RIGHT_COLOUR, SETTLED_STRIDES, TRUNK_COLOUR

SHOWN = {"walk": 14.0, "lope": 11.0}
"""Gaits and how long they are simulated [s]."""
LARGE = ("iliacus", "gluteus_maximus_middle", "gluteus_medius_middle", "semimembranosus", "biceps_femoris_short",
         "rectus_femoris", "vastus_lateralis", "gastrocnemius_medial", "soleus", "tibialis_anterior")
"""Muscles whose activation is shown."""
HALF_BAR = 0.36
"""Half the height of a foot's bar, in rows."""


def traces():
    """One stride of a walk and of a lope on the Moon: ground force over weight, height of the centre of mass, and the feet
    on the ground."""
    figure, axes = new_figure(12.0, 6.2, 3, 2, sharex="col", height_ratios=(2.0, 1.3, 0.6))
    for column, (gait, seconds) in enumerate(SHOWN.items()):
        take = simulate(Shot(world=load_world("moon"), gait=gait, duration_s=seconds))
        found, strikes = traces_of(take), strikes_s(take, LEFT)
        begin, end = strikes[SETTLED_STRIDES:SETTLED_STRIDES + 2]
        inside = (found.time_s >= begin) & (found.time_s <= end)
        share = 100.0 * (found.time_s[inside] - begin) / (end - begin)
        force, height, feet = axes[column], axes[2 + column], axes[4 + column]
        load = found.load[inside]
        force.plot(share, load, color=TRUNK_COLOUR, linewidth=1.8)
        force.axhline(1.0, color="0.6", linewidth=0.9, linestyle="--")
        force.annotate(f"peak {load.max():.1f}", (share[load.argmax()], load.max()), (4, -2), textcoords="offset points",
                       fontsize=9)
        force.set(title=f"{gait}, Moon: one stride of {end - begin:.2f} s", ylabel="ground force / weight", ylim=(0.0, None))
        height.plot(share, 100.0 * found.height_m[inside], color=TRUNK_COLOUR, linewidth=1.8)
        height.set(ylabel="height of the\ncentre of mass [cm]")
        _bars(feet, share, np.asarray(found.contact)[inside])
    return figure


def activations():
    """The large muscles of a walk by muscles over the cycle, and when people's are active."""
    take = simulate(Shot(actuation=Actuation(), duration_s=12.0))
    return activation_plots.draw(activation_plots.over_cycle(take), only=LARGE)


def _bars(axis, share: np.ndarray, contact: np.ndarray) -> None:
    """When each foot is on the ground, and when none is."""
    for row, colour in enumerate((LEFT_COLOUR, RIGHT_COLOUR)):
        axis.fill_between(share, row - HALF_BAR, row + HALF_BAR, where=contact[:, row], color=colour, step="mid")
    air = ~contact.any(axis=1)
    if air.any():
        axis.fill_between(share, -0.5, 1.5, where=air, color="0.9", step="mid", zorder=0)
    axis.set(xlabel="% of the stride" + (", grey: in the air" if air.any() else ""), ylim=(-0.5, 1.5), xlim=(0.0, 100.0))
    axis.set_yticks((0, 1), ("left", "right"))
