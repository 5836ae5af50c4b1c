# SPDX-License-Identifier: GPL-3.0-or-later
"""Frames of pressure as a sheet, in the colours of FootSee (Yin 2007, section 3.3.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..motions.pressure.feet import foot_masks
from ..motions.pressure.images import LEFT, MAT, RIGHT, Pressure
from .charts import new_figure, png
from .pressure_colours import colours

OUTLINES = {LEFT: "yellow", RIGHT: "red"}
CENTRE = "black"
"""Of the centre of pressure, ringed in white: the ground is black, too."""
FRAMES, ACROSS = 12, 6
INCHES = 2.0


def sheet(sequences: Sequence[Pressure], frames: int = FRAMES, most: float | None = None) -> bytes:
    """A PNG with so many frames of a sequence, evenly over its time, ahead being up and left left; insoles stand side by side,
    the left one first. `most` [the sequence's unit] is what counts as 255; None: the greatest there is. Needs matplotlib."""
    ordered = sorted(sequences, key=lambda one: (MAT, LEFT, RIGHT).index(one.place))
    top = most or max(float(one.images.max()) for one in ordered)
    at = np.unique(np.linspace(0, min(map(len, ordered)) - 1, frames).round().astype(int))
    across = min(ACROSS // len(ordered), len(at))
    columns, rows = across * len(ordered), -(-len(at) // across)
    tall = max(one.images.shape[1] / one.images.shape[2] for one in ordered)
    figure, axes = new_figure(INCHES * columns, INCHES * min(tall, 2.5) * rows + 0.3, rows, columns)
    for axis in axes:
        axis.set_axis_off()
    masks = [foot_masks(one) for one in ordered]
    for place, frame in enumerate(at):
        for i, one in enumerate(ordered):
            axis = axes[place * len(ordered) + i]
            axis.set_axis_on()
            axis.grid(False)
            axis.tick_params(bottom=False, left=False, labelbottom=False, labelleft=False)
            edges = (float(one.columns_m[0]), float(one.columns_m[-1]), float(one.rows_m[0]), float(one.rows_m[-1]))
            axis.imshow(colours(one.images[frame], top), origin="lower", extent=edges, interpolation="nearest")
            axis.invert_xaxis()
            for foot, side in enumerate((LEFT, RIGHT)):
                if masks[i][frame, foot].any():
                    axis.contour(one.columns_m, one.rows_m, masks[i][frame, foot].astype(float), [0.5], colors=OUTLINES[side],
                                 linewidths=0.8)
            centre = one.centre_m[frame]
            if np.isfinite(centre).all():
                axis.plot(centre[1], centre[0], "o", color=CENTRE, markeredgecolor="white", markersize=4)
            named = "" if one.place == MAT else {LEFT: "left, ", RIGHT: "right, "}[one.place]
            axis.set_title(f"{named}{one.time_s[frame]:.2f} s", fontsize=7)
    return png(figure)
