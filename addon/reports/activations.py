# SPDX-License-Identifier: GPL-3.0-or-later
"""Activation of muscles over the gait cycle, and the same as a picture beside when people's are active."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import InputError
from ..sim.take import Take
from .effort import ACTIVATION, SOURCE, agreement, bare, bursts, groups_of
from .needs import MUSCLES
from .plots import new_figure
from .strides import SKIPPED, cycles_s

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


POINTS = 100
COLOURS = {"L": "#2166ac", "R": "#c1440e", "": "#4d4d4d"}
SIDES = {"L": "left", "R": "right", "": "middle"}
COLUMNS, BAR_HEIGHT = 5, 0.07


@dataclass(frozen=True)
class OverCycle:
    """Over the cycle of the muscle's own leg: `mean`, `sd` (M, 100) over strides; `stance` (2,), mean shares by feet."""

    names: tuple[str, ...]
    groups: tuple[str, ...]
    mean: np.ndarray
    sd: np.ndarray
    stance: np.ndarray

    def agreement(self) -> dict[str, float | None]:
        """By muscle, the share of the cycle at which it is as active or idle as people's; None where nothing is published."""
        return {name: agreement(name, values) for name, values in zip(self.names, self.mean, strict=True)}


def over_cycle(take: Take) -> OverCycle:
    """The activations of a take. Raises InputError for one without muscles, or with too few strides."""
    if not MUSCLES.met(take):
        raise InputError("This take has no activations: no muscles move its body. Simulate it with --actuation muscles.")
    cycles = [cycles_s(take, row) for row in range(len(take.body.feet))]
    if not cycles or not all(map(len, cycles)):
        raise InputError(f"This take has fewer than {SKIPPED + 1} whole strides; simulate for longer.")
    names = tuple(take.stats["muscles"])
    values = take.channels[ACTIVATION].values
    of_foot = [next((row for row, foot in enumerate(take.body.feet) if foot.side and name.endswith(f"_{foot.side}")), 0)
               for name in names]
    share = (np.arange(POINTS) + 0.5) / POINTS
    found = [np.array([np.interp(start + share * (end - start), take.time_s, values[:, i]) for start, end in cycles[row]])
             for i, row in enumerate(of_foot)]
    stance = [np.mean([take.contact[(take.time_s > start) & (take.time_s <= end), row].mean() for start, end in own])
              for row, own in enumerate(cycles)]
    return OverCycle(names, tuple(groups_of(take)), np.array([one.mean(axis=0) for one in found]),
                     np.array([one.std(axis=0) for one in found]), np.array(stance))


def draw(found: OverCycle, only: Collection[str] = ()) -> Figure:
    """A small plot for each muscle (of `only`, without sides), both sides in it; grey below, when walking people's is active."""
    kinds = [kind for kind in dict.fromkeys(map(bare, found.names)) if not only or kind in only]
    kinds.sort(key=lambda kind: _place(found, kind))
    rows = -(-len(kinds) // COLUMNS)
    figure, axes = new_figure(15.0, 1.0 + 1.7 * rows, rows, COLUMNS, sharex=True)
    for axis, kind in zip(axes, kinds, strict=False):
        _draw_one(axis, found, kind)
    for axis in axes[len(kinds):]:
        axis.set_visible(False)
    for axis in axes[max(len(kinds) - COLUMNS, 0):len(kinds)]:
        axis.tick_params(labelbottom=True)
    for side in dict.fromkeys(_side(name) for name in found.names):
        axes[0].plot([], [], color=COLOURS[side], label=SIDES[side])
    axes[0].fill_between([], [], [], color="0.55", label=f"active in people ({SOURCE})")
    figure.suptitle("Activation over the cycle from the foot's strike [%]; dotted: the foot leaves the ground", fontsize=10)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize=9)
    return figure


def _draw_one(axis: Axes, found: OverCycle, kind: str) -> None:
    percent = 100.0 * (np.arange(POINTS) + 0.5) / POINTS
    top = 0.1
    for i, name in enumerate(found.names):
        if bare(name) == kind:
            mean, sd, colour = found.mean[i], found.sd[i], COLOURS[_side(name)]
            axis.fill_between(percent, np.maximum(mean - sd, 0.0), mean + sd, color=colour, alpha=0.2, linewidth=0.0)
            axis.plot(percent, mean, color=colour, linewidth=1.3)
            top = max(top, float((mean + sd).max()))
    for start, end in bursts(kind) or ():
        axis.fill_between([start, end], -2.0 * BAR_HEIGHT * top, -BAR_HEIGHT * top, color="0.55", linewidth=0.0)
    axis.axvline(100.0 * float(found.stance.mean()), color="0.5", linewidth=0.8, linestyle=":")
    axis.set(xlim=(0.0, 100.0), ylim=(-2.5 * BAR_HEIGHT * top, 1.05 * top))
    axis.set_title(kind.replace("_", " "), fontsize=8)
    axis.tick_params(labelsize=7)


def _place(found: OverCycle, kind: str) -> tuple[int, str]:
    """Where a muscle stands among the plots: by its group, groups in the order of the set."""
    order = list(dict.fromkeys(found.groups))
    return order.index(found.groups[[bare(name) for name in found.names].index(kind)]), kind


def _side(name: str) -> str:
    return name[-1] if name.endswith(("_L", "_R")) else ""
