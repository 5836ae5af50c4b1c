# SPDX-License-Identifier: GPL-3.0-or-later
"""What all plots of the page share: matplotlib where there is one, colours and marks, and figures as PNG."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from ..errors import InputError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WORLD_COLOURS = {"moon": "#7f8790", "mars": "#c1440e", "earth": "#2166ac", "neptune": "#149c94", "jupiter": "#b5850b"}
GAIT_COLOURS = {"walk": "#2166ac", "run": "#c1440e", "turn": "#2e8b57", "lope": "#8e44ad", "skip": "#c9a20c",
                "hop": "#4d4d4d"}
GAIT_MARKS = {"walk": "o", "run": "s", "turn": "^", "lope": "D", "skip": "v", "hop": "P"}
OTHER_COLOUR, OTHER_MARK = "#000000", "*"
PRINTED: dict[str, Any] = {"markerfacecolor": "none", "linestyle": "none", "markersize": 8, "markeredgewidth": 1.4}
"""Figures that others printed are hollow."""
DPI = 100


def need_matplotlib() -> None:
    """Raises InputError with what to install where matplotlib is missing."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise InputError("The report's plots need matplotlib, which is not installed here: install Lope with its extra "
                         "\"plot\" (pip install 'lope[plot]'), or matplotlib itself; or give --no-plots for the page "
                         "without them.") from None


def new_figure(width: float, height: float, rows: int = 1, columns: int = 1, **grid: Any) -> tuple[Figure, list[Axes]]:
    """A figure of that size [inches] and its axes, row by row."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **grid).ravel().tolist()
    for axis in axes:
        axis.grid(alpha=0.25)
        axis.spines[["top", "right"]].set_visible(False)
    return figure, axes


def png(figure: Figure) -> bytes:
    """The figure as a PNG."""
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=DPI, metadata={"Software": None})
    return out.getvalue()


def style(gait: str) -> dict[str, Any]:
    """Colour and mark of a gait."""
    return {"color": GAIT_COLOURS.get(gait, OTHER_COLOUR), "marker": GAIT_MARKS.get(gait, OTHER_MARK)}


def earths(gravity_m_s2: float) -> float:
    """Gravity in multiples of the Earth's."""
    from ..specs.shot import EARTH_GRAVITY_M_S2

    return gravity_m_s2 / EARTH_GRAVITY_M_S2
