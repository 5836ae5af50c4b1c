# SPDX-License-Identifier: GPL-3.0-or-later
"""COM height over distance and foot contact bars per world: the thesis's Figures 16 to 18 for our takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .charts import WORLD_COLOURS, new_figure
from .feet import runs
from .matrix import Entry, engine_of, on_planets

if TYPE_CHECKING:  # it is only there with the extra "plot"
    from matplotlib.figure import Figure

BAR = 0.36
APART = 0.22
"""The first and the last foot's bars lie this much above and below their world's place."""


def com_and_contacts(entries: list[Entry], gait: str) -> Figure | None:
    """A gait's COM height over the way and its contact bars on each world; None where no take walked."""
    ours = on_planets(entries, gait, engine_of(entries))
    if not ours:
        return None
    figure, (left, right) = new_figure(13, 1.6 + 0.62 * max(len(ours), 4), 1, 2)
    for i, (world, entry) in enumerate(ours.items()):
        trace, colour = entry.trace, WORLD_COLOURS[world]
        if trace is None:  # it did not walk
            continue
        left.plot(trace.way_m, trace.height_m, color=colour, label=world.capitalize(), linewidth=1.4)
        for foot, name in enumerate(trace.feet):
            base = i + APART * (2.0 * foot - len(trace.feet) + 1.0) / max(len(trace.feet) - 1, 1)
            for start, end in runs(trace.contact[:, foot]):
                first = trace.time_s[max(start - 1, 0)]  # a sample's load stands for the interval that ends there
                right.barh(base, trace.time_s[end - 1] - first, BAR, left=first, color=colour if foot else "0.15")
            right.text(-0.01, base, name, ha="right", va="center", fontsize=7, transform=right.get_yaxis_transform())
    left.set(xlabel="way along the path [m]", ylabel="COM height [m]", title=f"{gait}: height of the centre of mass")
    left.legend(fontsize=8)
    right.set_yticks(range(len(ours)), [f"{w.capitalize()}   " for w in ours])
    right.tick_params(axis="y", length=0, pad=8)
    right.invert_yaxis()
    right.grid(axis="y", visible=False)
    right.set(xlabel="time from a left strike [s]", title="feet on the ground: left black, right coloured")
    return figure
